"""What the page of screening shows: records of searches, page by page."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from urllib.parse import urlencode, urlsplit

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from search import screening
from search.cleaning import MARK
from search.models import Record, Result
from search.screens.fetched import Fetched, fetched_of
from search.screens.filtering import said
from sources.cleaning.words import FLAGS
from sources.models import AuditEvent, Dimension, Project, User
from workbench.lib.keyset import Page, SortKey, Turn, page

PAGE = 50
OLDEST = (SortKey("pk"),)
STATES = ("open", "kept", "down", "dropped", "duplicate", "all")
ROUNDS = ("1", "2", "3", "4")


@dataclass(frozen=True, slots=True)
class Filters:
    """Which records are wanted; the address is the whole state."""

    state: str = "open"
    round: str = ""  # "1" to "4"
    dimension: str = ""  # its id
    by: str = ""  # "machine", "people", or "conflict": one origin that contradicts itself
    receipt: str = ""
    q: str = ""

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "Filters":
        """Read them from an address."""
        state, number, by = (given.get(name, "") for name in ("state", "round", "by"))
        return cls(
            state=state if state in STATES else "open",
            round=number if number in ROUNDS else "",
            dimension=said(given.get("dimension", "")),
            by=by if by in {"machine", "people", "conflict"} else "",
            receipt=said(given.get("receipt", "")),
            q=said(given.get("q", "")),
        )

    def over(self, rows: QuerySet[Record]) -> QuerySet[Record]:
        """Keep the records that are wanted."""
        if self.state != "all":
            rows = rows.filter(state=self.state)
        if self.by == "conflict":
            rows = rows.filter(proposed_facts__has_key="conflicts")
        elif self.by:
            rows = rows.filter(by__isnull=self.by == "machine").exclude(state=screening.OPEN)
        where: dict[str, object] = {}
        if self.round:
            where["receipt__round"] = int(self.round)
        if self.dimension:
            where["receipt__dimension__external_id"] = self.dimension
        if self.receipt:
            where["receipt__external_id"] = self.receipt
        if where:
            rows = rows.filter(pk__in=Result.objects.filter(**where).values("record"))
        if self.q:
            words = Q(title__icontains=self.q) | Q(url__icontains=self.q)
            rows = rows.filter(words | Q(venue__icontains=self.q) | Q(doi=self.q.lower()))
        return rows

    def asked(self, **other: str) -> str:
        """Give them as the query of an address; what is usual is left out."""
        usual = asdict(Filters())
        given = asdict(self) | other
        return urlencode({name: v for name, v in given.items() if v and v != usual[name]})


@dataclass(frozen=True, slots=True)
class Seen:
    """Where a record was found: a search of one round."""

    receipt: str
    round: int | None
    route: str
    rank: int
    claim: str | None  # that the search looked for evidence of


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What cleaning says of a record beside its proposal."""

    reliability: str  # S, A, B or C
    flags: list[str]  # in words
    conflicts: list[tuple[int, str]]  # records that say otherwise, with the origin that is shared


@dataclass(frozen=True, slots=True)
class ScreeningRow:
    """One record with its words."""

    row: Record
    host: str
    seen: list[Seen]
    rounds: list[int]
    why: str  # of what was decided
    proposal: str  # of the machine, if it says otherwise than what stands
    cleaned: Cleaned | None  # what cleaning says of it
    fetched: Fetched | None  # of the page of the source that it became
    undo: int | None  # number of the user's own event that can be taken back


@dataclass(frozen=True, slots=True)
class ScreeningPage:
    """A page of records and what leads on from it."""

    rows: list[ScreeningRow]
    page: Page
    counts: Mapping[str, int]  # by state, under the other filters
    dimensions: list[tuple[str, str]]


def records_page(
    project: Project, user: User, wanted: Filters, turn: Turn, language: str
) -> ScreeningPage:
    """Give one page of records, the oldest first. The number of queries does not grow."""
    mine = Record.objects.for_project(project)
    found = page(wanted.over(mine), OLDEST, turn, size=PAGE, columns=("pk",))
    rows = _rows([row["pk"] for row in found.rows])
    others = Filters(**(asdict(wanted) | {"state": "all"}))
    counted = others.over(mine).order_by().values("state").annotate(count=Count("pk"))
    counts = {row["state"]: row["count"] for row in counted}
    dimensions = Dimension.objects.filter(project=project).values_list("external_id", "name")
    return ScreeningPage(
        rows=said_of(project, user, rows, language),
        page=found,
        counts={**counts, "all": sum(counts.values())},
        dimensions=[(name, title or name) for name, title in dimensions],
    )


def _rows(keys: Sequence[int]) -> list[Record]:
    rows = Record.objects.filter(pk__in=keys).select_related("by", "source", "duplicate_of")
    return sorted(rows, key=lambda row: row.pk)


def one_row(project: Project, user: User, key: int, language: str) -> ScreeningRow:
    """Give one record as the page shows it."""
    return said_of(project, user, _rows([key]), language)[0]


def said_of(
    project: Project, user: User, rows: Sequence[Record], language: str
) -> list[ScreeningRow]:
    """Put records in words. Some queries, whatever the number."""
    seen: dict[int, list[Seen]] = defaultdict(list)
    results = Result.objects.filter(record__in=[row.pk for row in rows]).order_by("receipt", "rank")
    columns = ("record", "receipt__external_id", "receipt__round", "receipt__route", "rank",
               "receipt__request__claim")  # fmt: skip
    for record, *where in results.values_list(*columns):
        seen[record or 0].append(Seen(*where))
    undoable = _undoable(project, user, rows)
    fetched = fetched_of(project, [row.source for row in rows if row.source], language)
    return [
        ScreeningRow(
            row=row,
            host=_host(row.canonical_url or row.url),
            seen=seen[row.pk][:10],
            rounds=sorted({each.round for each in seen[row.pk] if each.round}),
            why=screening.reason_word(row.reason_code, row.proposed_facts, language),
            proposal=_proposal(row, language),
            cleaned=_cleaned(row, language),
            fetched=fetched.get(row.source_id or 0),
            undo=undoable.get(row.pk),
        )
        for row in rows
    ]


def _proposal(row: Record, language: str) -> str:
    if not row.proposed_state or row.proposed_state == row.state:
        return ""
    said = screening.reason_word(row.proposed_code, row.proposed_facts, language)
    more = [row.proposed_facts.get("level"), said, row.proposed_facts.get("words")]
    return " · ".join(str(each) for each in more if each)


def _cleaned(row: Record, language: str) -> Cleaned | None:
    facts = row.proposed_facts
    if MARK not in facts:
        return None
    flags = [FLAGS[flag].render(language) for flag in facts.get("flags", ()) if flag in FLAGS]
    conflicts = [(int(pk), str(origin)) for pk, origin in facts.get("conflicts", ())]
    return Cleaned(str(facts[MARK]), flags, conflicts)


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _undoable(project: Project, user: User, rows: Sequence[Record]) -> dict[int, int]:
    """Give by record the number of the user's own last decision, if it still stands."""
    names = [str(row.pk) for row in rows]
    events = AuditEvent.objects.filter(project=project, object_type="record", object_id__in=names)
    last: dict[str, tuple[int, bool, int]] = {}
    columns = ("number", "object_id", "user", "action", "new")
    for number, name, who, action, new in events.order_by("number").values_list(*columns):
        mine = who == user.pk and action == "record.screened"
        last[name] = (number, mine, int(dict(new or {}).get("version", 0)))
    return {
        row.pk: last[str(row.pk)][0]
        for row in rows
        if str(row.pk) in last and last[str(row.pk)][1:] == (True, row.version)
    }


def choices(language: str) -> dict[str, object]:
    """Give the reasons that a person may choose from, in words."""
    return {
        "levels": screening.LEVELS,
        "down_reasons": [
            (code, level, text.render(language))
            for code, (level, text) in screening.DOWN_REASONS.items()
        ],
        "drop_reasons": [
            (code, text.render(language)) for code, text in screening.DROP_REASONS.items()
        ],
        "state_words": {
            **{str(value): label for value, label in Record.State.choices},
            "all": _("All"),
        },
    }
