"""Read what the matrix of searches is made of. Six queries, whatever the number of receipts."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q

from search import coverage, screening
from search.coverage import Excuse, Part, Row, Screened, Searched
from search.models import Gap, Receipt, Record, Result
from search.prisma import Flow
from sources.models import Dimension, Project


@dataclass(frozen=True, slots=True)
class Coverage:
    """How far a project has been searched."""

    rows: tuple[Row, ...]
    flow: Flow

    @property
    def complete(self) -> bool:
        """Tell whether nothing is missing in any dimension."""
        return coverage.is_complete(self.rows)

    def as_dict(self, language: str) -> dict[str, Any]:
        """Give it as commands print it; faults are said in the language of a BCP 47 tag."""
        return {
            "complete": self.complete,
            "dimensions": [_row(row, language) for row in self.rows],
            "prisma": self.flow.boxes(),
        }


def coverage_of(project: Project) -> Coverage:
    """Read how far a project has been searched."""
    dimensions = Dimension.objects.filter(project=project)
    parts = [Part(row.pk, row.external_id, row.name) for row in dimensions]
    excuses = [
        Excuse(row.dimension_id, row.round, row.code, row.reason)
        for row in Gap.objects.filter(project=project, ended_at__isnull=True).order_by("pk")
    ]
    rows = coverage.rows_of(parts, _searches(project), _screened(project), excuses)
    return Coverage(rows, _flow(project))


def _searches(project: Project) -> list[Searched]:
    columns = (
        "external_id", "dimension", "round", "language", "status", "route", "provider",
        "result_count", "said", "request",
    )  # fmt: skip
    rows = Receipt.objects.filter(project=project).exclude(mode="extract").order_by("pk")
    return [
        Searched(
            id=name,
            part=part,
            round=number,
            language=language,
            answered=status in {Receipt.Status.OK, Receipt.Status.PARTIAL},
            route=route,
            provider=provider,
            results=count or 0,
            translated=str(said.get("translated", "")),
            windowed=any(request.get(name) for name in ("year_low", "year_high", "time_range")),
        )
        for name, part, number, language, status, route, provider, count, said, request
        in rows.values_list(*columns)
    ]  # fmt: skip


def _screened(project: Project) -> list[Screened]:
    rows = Result.objects.filter(receipt__project=project, record__isnull=False).order_by()
    groups = rows.values_list("receipt__dimension", "receipt__round", "record__state")
    found = groups.annotate(count=Count("record", distinct=True))
    return [Screened(part, number, state, count) for part, number, state, count in found]


def _flow(project: Project) -> Flow:
    results = Result.objects.filter(receipt__project=project, record__isnull=False).order_by()
    by_provider = dict(results.values_list("provider").annotate(count=Count("pk")))
    rules = Count("pk", filter=Q(by__isnull=True))
    records = Record.objects.filter(project=project).order_by().values_list("state")
    states = {
        state: (count, by_rules)
        for state, count, by_rules in records.annotate(Count("pk"), by_rules=rules)
    }
    decided = sum(states.get(state, (0, 0))[1] for state in (screening.KEPT, screening.DOWN))
    return Flow(
        results=by_provider,
        by_state={state: count for state, (count, _rules) in states.items()},
        dropped_by_rules=states.get(screening.DROPPED, (0, 0))[1],
        decided_by_rules=decided,
    )


def _row(row: Row, language: str) -> dict[str, Any]:
    return {
        "dimension": row.part.id or None,
        "name": row.part.name,
        "complete": row.complete,
        "rounds": [
            {
                "round": cell.round,
                "state": cell.state,
                "results": cell.results,
                "kept": cell.kept,
                "open": cell.open,
                "languages": dict(cell.languages),
                "receipts": [each.id for each in cell.receipts],
                "reason": {"code": cell.excuse.code, "text": cell.excuse.text}
                if cell.excuse
                else None,
            }
            for cell in row.cells
        ],
        "languages": list(row.languages),
        "routes": list(row.routes),
        "mesh": list(row.mesh),
        "windowed": row.windowed,
        "counter_evidence": {"kept": row.counter, "standing": row.counter_met},
        "faults": [
            {"code": fault.code, "round": fault.round, "message": fault.render(language)}
            for fault in row.faults
        ],
    }
