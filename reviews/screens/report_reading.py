"""Put a frozen report together for its page: what is shown, and what a person may do."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import cached_property

from reviews.actions.reports import may_sign
from reviews.models import Defect, ReviewReport, SignOff
from reviews.report.changes import Changes
from reviews.report.counts import share
from reviews.report.full import agreement, limit_lines
from reviews.report.rows import standing_assessments
from reviews.report.words import value
from reviews.reporting import freezing as reporting
from sources.history import sees_judgements
from sources.models import Project, User
from sources.permissions import can

CLAIMS_SHOWN = reporting.CLAIMS_A_PAGE
DEFECTS_SHOWN = 200
SOURCES_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Measure:
    """A share with the three numbers it comes from; none of them is left out."""

    name: str
    good: int
    bad: int
    unknown: int
    total: int

    @property
    def share(self) -> str:
        return share(self.good, self.total)

    @property
    def kind(self) -> str:
        """Give the chip's kind: green only where there was something, and all of it holds."""
        if not self.total or self.unknown == self.total:
            return "unknown"
        return "located" if self.good == self.total else "attention"


@dataclass(slots=True)
class ShownDefect:
    """A merged defect of the report, with what became of it since."""

    row: dict[str, Any]
    now: list[Defect] = field(default_factory=list)
    may_resolve: bool = False
    may_reject: bool = False
    may_reopen: bool = False

    @property
    def versions(self) -> str:
        """Give the rows and the versions seen, as the form sends them back."""
        return ",".join(f"{d.pk}:{d.version}" for d in self.now)

    @property
    def snapshot(self) -> str:
        """Give the beginning of the hash of the text that the passage is from; empty without."""
        return str(self.row["snapshot_ref"]).rpartition("/")[2].removesuffix(".md")[:12]

    @property
    def state_now(self) -> str:
        """Give the state as it is now: open while one of the reviewers' rows is."""
        states = [d.state for d in self.now if not d.withdrawn]
        if not states:
            return "withdrawn"
        return "open" if "open" in states else states[0]

    @property
    def reasons(self) -> list[str]:
        return list(dict.fromkeys(d.state_reason for d in self.now if d.state_reason))

    @property
    def texts(self) -> list[dict[str, Any]]:
        """Give what each reviewer wrote, equal texts once with all names."""
        found: dict[tuple[str, str], list[str]] = {}
        for item in self.row["items"]:
            found.setdefault((item["text"], item["action"]), []).append(item["reviewer"])
        return [{"text": t, "action": a, "names": n} for (t, a), n in found.items()]


@dataclass
class ReportPage:
    """Everything that the report page reads; claims are read only where they are shown."""

    project: Project
    report: ReviewReport
    user: User
    language: str
    first_claim: int = 1

    @property
    def head(self) -> dict[str, Any]:
        return dict(self.report.head)

    @cached_property
    def everything(self) -> bool:
        """Tell whether this person may see who judged what: reviews stay independent till then."""
        signed = self.report.sign_offs.exists()
        return signed or can(self.user, "export", self.project) or self._sees

    @property
    def _sees(self) -> bool:
        return sees_judgements(self.user, self.project)

    @cached_property
    def measures(self) -> list[Measure]:
        quotes, numbers = self.head["counts"]["quotes"], self.head["counts"]["numbers"]
        return [
            Measure(
                "quotes",
                quotes["found"],
                quotes["not_found"],
                quotes["not_checked"],
                quotes["total"],
            ),
            Measure(
                "numbers",
                numbers["equal"],
                numbers["differs"],
                numbers["not_checked"],
                numbers["total"],
            ),
        ]

    @cached_property
    def defects(self) -> dict[str, list[ShownDefect]]:
        """Give the defects by severity, those that are settled apart. Two queries."""
        rows: list[dict[str, Any]] = self.head["defects"] if self.everything else []
        groups: dict[str, list[dict[str, Any]]] = {"hard": [], "suggestion": [], "settled": []}
        for row in rows:
            groups[row["severity"] if row["state"] == "open" else "settled"].append(row)
        shown = {name: group[:DEFECTS_SHOWN] for name, group in groups.items()}
        live = self._live([row for group in shown.values() for row in group])
        return {name: [self._shown(r, live) for r in group] for name, group in shown.items()}

    @cached_property
    def open_counts(self) -> Mapping[str, int]:
        counts = {"hard": 0, "suggestion": 0, "settled": 0}
        for row in self.head["defects"]:
            counts[row["severity"] if row["state"] == "open" else "settled"] += 1
        return counts

    def _live(self, rows: list[dict[str, Any]]) -> dict[int, Defect]:
        ids = [item["id"] for row in rows for item in row["items"]]
        found = Defect.objects.filter(project=self.project, pk__in=ids)
        return {d.pk: d for d in found}

    def _shown(self, row: dict[str, Any], live: dict[int, Defect]) -> ShownDefect:
        now = [live[i["id"]] for i in row["items"] if i["id"] in live]
        now = [d for d in now if not d.withdrawn]
        shown = ShownDefect(row, now)
        if shown.state_now == "open":
            shown.may_resolve = self._may(now, Defect.State.RESOLVED)
            shown.may_reject = self._may(now, Defect.State.REJECTED)
        elif now:
            shown.may_reopen = self._may(now, Defect.State.OPEN)
        return shown

    def _may(self, defects: list[Defect], state: str) -> bool:
        return bool(defects) and all(self._may_one(d, state) for d in defects)

    def _may_one(self, defect: Defect, state: str) -> bool:
        own = defect.reviewer_id == self.user.pk
        needed = "export" if state == Defect.State.RESOLVED else "sign_off"
        return ("review" if own else needed) in self._abilities

    @cached_property
    def _abilities(self) -> frozenset[str]:
        found: frozenset[str] = self.project.abilities  # type: ignore[attr-defined]
        return found

    @cached_property
    def claims(self) -> list[dict[str, Any]]:
        if not self.everything:
            return []
        number = (self.first_claim - 1) // CLAIMS_SHOWN
        rows = self.report.claims_page(number)
        return [
            {
                **row,
                "verdict_word": value(row["verdict"], self.language),
                "judged": _judged(row, self.language),
            }
            for row in rows
        ]

    @property
    def claims_total(self) -> int:
        return int(self.head["counts"]["claims"]["total"])

    @property
    def last_claim(self) -> int:
        return min(self.first_claim + CLAIMS_SHOWN - 1, self.claims_total)

    @property
    def next_claim(self) -> int | None:
        return self.last_claim + 1 if self.last_claim < self.claims_total else None

    @property
    def earlier_claim(self) -> int | None:
        return max(1, self.first_claim - CLAIMS_SHOWN) if self.first_claim > 1 else None

    @cached_property
    def sources(self) -> list[dict[str, Any]]:
        rows = self.head["sources"][:SOURCES_SHOWN]
        return [row | {"trust_words": _counted(row["trust"], self.language)} for row in rows]

    @property
    def agreement(self) -> str:
        return agreement(self.head, self.language)

    @property
    def limits(self) -> list[str]:
        return list(limit_lines(self.head, self.language, str))

    @cached_property
    def lacks(self) -> list[reporting.Lack]:
        return reporting.lacks(self.report)

    @cached_property
    def changed_since(self) -> int:
        return reporting.changed_since(self.report)

    @cached_property
    def changes(self) -> tuple[int, Changes] | None:
        return reporting.changes_of(self.report)

    @cached_property
    def signatures(self) -> list[dict[str, Any]]:
        """Give both slots: who signed, or whether this person may."""
        signed = {s.role: s for s in self.report.sign_offs.select_related("by")}
        return [
            {
                "role": role,
                "label": SignOff.Role(role).label,
                "signed": signed.get(role),
                "may": may_sign(self.user, role, self.project)
                and all(s.by_id != self.user.pk for s in signed.values()),
            }
            for role in SignOff.Role.values
        ]


def _counted(counts: Mapping[str, int], language: str) -> str:
    return ", ".join(f"{value(name, language)} {count}" for name, count in counts.items())


def _judged(row: dict[str, Any], language: str) -> dict[str, str]:
    """Give what people said of a claim's evidence, each value once."""
    given = standing_assessments(row)
    return {
        field: ", ".join(
            value(v, language) for v in dict.fromkeys(a[field] for a in given if a[field])
        )
        for field in ("support", "trust")
    } | {"who": ", ".join(dict.fromkeys(v["reviewer"] for v in row["verdicts"]))}
