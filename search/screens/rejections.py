"""What the pages of rejections and of the discovery library show. Queries do not grow with rows."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from search import screening
from search.actions.rejecting import UNDOABLE
from search.models import Receipt
from search.screens.filtering import said
from sources import admission
from sources.models import AuditEvent, Project, Rejection, Source, User
from sources.recording import ENGINE
from sources.scoring.bands import ADMITTED_FROM
from workbench.lib.keyset import Page, SortKey, Turn, page

PAGE = 50
LATEST = (SortKey("pk", descending=True),)
STATES = ("standing", "reopened", "all")
KINDS = ("all", "low", "leads", "conflict")
_SNIPPET = Source.AccessStatus.SNIPPET_ONLY


@dataclass(frozen=True, slots=True)
class Filters:
    """Which rejections are wanted; the address is the whole state."""

    q: str = ""  # in title, address, id or reason
    rule: str = ""
    state: str = "standing"
    by: str = ""  # "rules" or "people"

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "Filters":
        """Read them from an address."""
        state, by = given.get("state", ""), given.get("by", "")
        return cls(
            q=said(given.get("q", "")),
            rule=said(given.get("rule", "")),
            state=state if state in STATES else "standing",
            by=by if by in {"rules", "people"} else "",
        )

    def over(self, rows: QuerySet[Rejection]) -> QuerySet[Rejection]:
        """Keep the rejections that are wanted."""
        if self.state != "all":
            rows = rows.filter(state=self.state)
        if self.rule:
            rows = rows.filter(rule=self.rule)
        if self.by == "rules":
            rows = rows.filter(rejected_by=ENGINE)
        elif self.by == "people":
            rows = rows.exclude(rejected_by=ENGINE)
        if self.q:
            words = Q(title__icontains=self.q) | Q(url__icontains=self.q)
            rows = rows.filter(words | Q(external_id=self.q) | Q(reason__icontains=self.q))
        return rows

    def asked(self) -> str:
        """Give them as the query of an address; what is usual is left out."""
        usual = asdict(Filters())
        return urlencode({k: v for k, v in asdict(self).items() if v and v != usual[k]})


@dataclass(frozen=True, slots=True)
class Told:
    """A receipt of a source: the row of the log, or the id alone where the log lacks it."""

    name: str
    row: Receipt | None


@dataclass(frozen=True, slots=True)
class RejectionRow:
    """One rejection with its words."""

    row: Rejection
    rule: str
    score: str
    receipts: list[Told]
    undo: int | None  # number of the user's own event that can be taken back


@dataclass(frozen=True, slots=True)
class RejectionPage:
    """A page of rejections and what leads on from it."""

    rows: list[RejectionRow]
    page: Page
    total: int  # of the project, whatever the filter
    rules: list[tuple[str, str, int]]  # name, words, how many stand


def rule_word(rule: str, language: str) -> str:
    """Say a rule; one of a file is given as it is written there."""
    text = admission.RULES.get(rule) or screening.RULES.get(rule)
    return text.render(language) if text else rule


def rejections(
    project: Project, user: User, wanted: Filters, turn: Turn, language: str
) -> RejectionPage:
    """Give one page of a project's rejections, the latest first."""
    mine = Rejection.objects.filter(project=project)
    found = page(wanted.over(mine), LATEST, turn, size=PAGE, columns=("pk",))
    keys = [row["pk"] for row in found.rows]
    rows = sorted(
        Rejection.objects.filter(pk__in=keys).select_related("source", "reopened_by"),
        key=lambda row: -row.pk,
    )
    receipts = _receipts(project, {str(each) for row in rows for each in row.receipt_ids})
    undoable = _undoable(project, user, rows)
    counts = mine.filter(state=Rejection.State.STANDING).values("rule").annotate(count=Count("pk"))
    by_rule = [(row["rule"], row["count"]) for row in counts.order_by("-count", "rule")]
    return RejectionPage(
        rows=[
            RejectionRow(
                row=row,
                rule=rule_word(row.rule, language),
                score=_score(row.score),
                receipts=[Told(str(n), receipts.get(str(n))) for n in row.receipt_ids[:10]],
                undo=undoable.get(row.pk),
            )
            for row in rows
        ],
        page=found,
        total=mine.count(),
        rules=[(rule, rule_word(rule, language), count) for rule, count in by_rule],
    )


def _score(score: Decimal | None) -> str:
    return "" if score is None else admission.said(score)


def _receipts(project: Project, names: Iterable[str]) -> dict[str, Receipt]:
    rows = Receipt.objects.filter(project=project, external_id__in=list(names)[:1_000])
    return {row.external_id: row for row in rows}


def _undoable(project: Project, user: User, rows: Iterable[Rejection]) -> dict[int, int]:
    """Give by rejection the number of the user's own last decision, if it can be taken back."""
    decided = {row.external_id or "" for row in rows} | {
        row.source.external_id for row in rows if row.source
    }
    events = AuditEvent.objects.filter(
        project=project, user=user, action__in=UNDOABLE, object_id__in=list(decided)
    )
    last: dict[int, tuple[int, str]] = {}
    for number, action, new in events.order_by("number").values_list("number", "action", "new"):
        last[int(dict(new or {})["rejection"])] = (number, action)
    undone = AuditEvent.objects.filter(
        project=project, action="rejection.undone", object_id__in=list(decided)
    )
    done = {dict(new or {}).get("event") for new in undone.values_list("new", flat=True)}
    states = {row.pk: row.state for row in rows}
    return {
        pk: number
        for pk, (number, action) in last.items()
        if number not in done and _fits(action, states.get(pk, ""))
    }


def _fits(action: str, state: str) -> bool:
    return state == ("reopened" if action == "rejection.reopened" else "standing")


# --- The discovery library --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LibraryFilters:
    """Which part of the discovery library is wanted."""

    q: str = ""
    kind: str = "all"

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "LibraryFilters":
        """Read them from an address."""
        kind = given.get("kind", "")
        return cls(said(given.get("q", "")), kind if kind in KINDS else "all")

    def asked(self) -> str:
        """Give them as the query of an address; what is usual is left out."""
        return urlencode(
            {k: v for k, v in (("q", self.q), ("kind", self.kind)) if v and v != "all"}
        )


@dataclass(frozen=True, slots=True)
class LibraryRow:
    """A source that carries no conclusion, and why."""

    source: Source
    score: str
    reasons: list[str]
    receipts: list[Told]
    rejection: Rejection | None  # that stands


@dataclass(frozen=True, slots=True)
class LibraryPage:
    """A page of the library and what leads on from it."""

    rows: list[LibraryRow]
    page: Page
    counts: dict[str, int]  # of each part


_LOW = Q(score__lt=ADMITTED_FROM) | Q(band="discovery")
_PARTS: Mapping[str, Q] = {
    "all": _LOW | Q(access_status=_SNIPPET),
    "low": _LOW & ~Q(access_status=_SNIPPET),
    "leads": Q(access_status=_SNIPPET),
    "conflict": Q(strong_coi=True) & _LOW,
}


def library(project: Project, wanted: LibraryFilters, turn: Turn, language: str) -> LibraryPage:
    """Give one page of what is below 4.0 or was never read, the latest first."""
    mine = Source.objects.for_project(project)
    rows: QuerySet[Source] = mine.filter(_PARTS[wanted.kind])
    if wanted.q:
        words = Q(title__icontains=wanted.q) | Q(url__icontains=wanted.q)
        rows = rows.filter(words | Q(external_id=wanted.q))
    found = page(rows, LATEST, turn, size=PAGE, columns=("pk",))
    keys = [row["pk"] for row in found.rows]
    sources = sorted(mine.filter(pk__in=keys), key=lambda row: -row.pk)
    standing = {
        row.source_id: row
        for row in Rejection.objects.filter(source__in=keys, state=Rejection.State.STANDING)
    }
    receipts = _receipts(project, {str(n) for row in sources for n in row.receipt_ids})
    counts = mine.aggregate(**{name: Count("pk", filter=part) for name, part in _PARTS.items()})
    return LibraryPage(
        rows=[
            LibraryRow(
                source=row,
                score=_score(row.score),
                reasons=_reasons(row, standing.get(row.pk), language),
                receipts=[Told(str(n), receipts.get(str(n))) for n in row.receipt_ids[:10]],
                rejection=standing.get(row.pk),
            )
            for row in sources
        ],
        page=found,
        counts=counts,
    )


def _reasons(source: Source, rejection: Rejection | None, language: str) -> list[str]:
    reasons = []
    if source.access_status == _SNIPPET:
        reasons.append(_("only a search snippet was seen"))
    if source.tier == 4:
        reasons.append(_("tier 4: an entrance, never support"))
    if source.strong_coi:
        reasons.append(_("a strong conflict of interest"))
    elif source.score is not None and source.score < ADMITTED_FROM:
        reasons.append(_("scores below 4.0"))
    if rejection is not None and rejection.rule not in {admission.LOW_SCORE, admission.STRONG_COI}:
        reasons.append(rule_word(rejection.rule, language))
    return reasons


def words_of_states() -> dict[str, Any]:
    """Give the words of the choices of the filter of rejections."""
    return {
        "standing": _("standing"),
        "reopened": _("re-opened"),
        "all": _("standing and re-opened"),
    }
