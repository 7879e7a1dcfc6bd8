"""What the matrix of searches shows: cells with their words, and the boxes of the flow."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext_lazy

from search.coverage import ROUND_NAMES, Cell, Excuse, Row
from search.coverage_facts import Coverage, coverage_of
from search.models import Gap, Receipt
from sources.models import Project

_MARKS = {
    "done": "✔", "excused": "–", "unscreened": "…", "unexplained": "⚠", "failed": "✖",
    "missing": "✖",
}  # fmt: skip
_WORDS = {
    "done": "",
    "excused": gettext_lazy("empty, with a reason"),
    "unscreened": "",
    "unexplained": gettext_lazy("nothing kept: why?"),
    "failed": gettext_lazy("no answer"),
    "missing": gettext_lazy("missing"),
}
_BOXES = {
    "database_results": gettext_lazy("Records from databases"),
    "register_results": gettext_lazy("Records from registers"),
    "website_results": gettext_lazy("Records from websites"),
    "duplicates": gettext_lazy("Duplicates removed"),
    "excluded_automatic": gettext_lazy("Removed by rules"),
    "records_screened": gettext_lazy("Records screened"),
    "records_screened_by_rules": gettext_lazy("of these, by rules"),
    "records_excluded": gettext_lazy("Records excluded"),
    "records_waiting": gettext_lazy("Records that wait"),
}


@dataclass(frozen=True, slots=True)
class CellShown:
    """One cell with its words."""

    round: int
    state: str
    mark: str
    word: str
    results: int
    kept: int
    open: int
    receipts: int
    excuse: Excuse | None
    reason: str  # why it may stay empty
    address: str  # of the records below it


@dataclass(frozen=True, slots=True)
class Line:
    """One dimension of the matrix."""

    row: Row
    cells: list[CellShown]
    faults: list[str]


@dataclass(frozen=True, slots=True)
class Left:
    """What is left to search and to screen."""

    dimensions: int
    complete: int
    waiting: int  # records

    @property
    def is_done(self) -> bool:
        return self.dimensions == self.complete and not self.waiting


def left_of(project: Project) -> Left | None:
    """Give what is left of a project's searches; None where it was never searched."""
    if not Receipt.objects.filter(project=project).exists():
        return None
    found = coverage_of(project)
    return Left(
        dimensions=len(found.rows),
        complete=sum(row.complete for row in found.rows),
        waiting=found.flow.boxes()["records_waiting"],
    )


def shown(project: Project, found: Coverage, language: str) -> dict[str, Any]:
    """Put a project's coverage in words."""
    return {
        "coverage": found,
        "lines": [_line(project, row, language) for row in found.rows],
        "round_names": [name.render(language) for name in ROUND_NAMES.values()],
        "gap_codes": Gap.Code.choices,
        "boxes": [(_BOXES[name], count) for name, count in found.flow.boxes().items()],
    }


def _line(project: Project, row: Row, language: str) -> Line:
    return Line(
        row=row,
        cells=[_cell(project, row, cell) for cell in row.cells],
        faults=[fault.render(language) for fault in row.faults],
    )


def _cell(project: Project, row: Row, cell: Cell) -> CellShown:
    asked = {"state": "all", "round": str(cell.round), "dimension": row.part.id}
    query = urlencode({name: value for name, value in asked.items() if value})
    return CellShown(
        round=cell.round,
        state=cell.state,
        mark=_MARKS[cell.state],
        word=str(_WORDS[cell.state]),
        results=cell.results,
        kept=cell.kept,
        open=cell.open,
        receipts=len(cell.receipts),
        excuse=cell.excuse,
        reason=_reason(cell.excuse),
        address=f"{reverse('screening', args=[project.slug])}?{query}",
    )


def _reason(excuse: Excuse | None) -> str:
    if excuse is None:
        return ""
    said = str(dict(Gap.Code.choices).get(excuse.code, excuse.code))
    own = excuse.text and excuse.code != Gap.Code.OTHER
    return f"{said}: {excuse.text}" if own else excuse.text or said
