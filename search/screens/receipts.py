"""What the pages of receipts show: searches page by page, and one with all that it holds."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from search.comparing import Comparison
from search.models import Call, Profile, Receipt, Result, Route
from search.providers import PROVIDERS
from search.providers.errors import WORDS
from search.replaying import can_replay, compared
from search.screens.filtering import said
from sources.models import Dimension, Job, Project
from workbench.lib.http.words import WORDS as HTTP_WORDS
from workbench.lib.keyset import Page, SortKey, Turn, page

PAGE = 50
RESULTS = 100  # of one page
LATEST = (SortKey("pk", descending=True),)
BY_RANK = (SortKey("rank"),)
STATUSES = ("all", "ok", "partial", "failed")
ROUNDS = ("1", "2", "3", "4", "none")
RUNS = ("search", "replay")  # kinds of jobs that leave receipts
MOST_RUNS = 5  # shown at once
_LONGEST_JOB = 15  # digits


@dataclass(frozen=True, slots=True)
class Filters:
    """Which receipts are wanted; the address is the whole state."""

    status: str = "all"
    round: str = ""  # "1" to "4", or "none"
    dimension: str = ""  # its id
    route: str = ""
    job: str = ""  # number of the run
    q: str = ""

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "Filters":
        """Read them from an address."""
        status, number, job = (given.get(name, "") for name in ("status", "round", "job"))
        is_number = job.isascii() and job.isdecimal() and len(job) <= _LONGEST_JOB
        return cls(
            status=status if status in STATUSES else "all",
            round=number if number in ROUNDS else "",
            dimension=said(given.get("dimension", "")),
            route=said(given.get("route", "")),
            job=job if is_number else "",
            q=said(given.get("q", "")),
        )

    def over(self, rows: QuerySet[Receipt]) -> QuerySet[Receipt]:
        """Keep the receipts that are wanted."""
        if self.status != "all":
            rows = rows.filter(status=self.status)
        if self.round:
            rows = rows.filter(round=None if self.round == "none" else int(self.round))
        if self.dimension:
            rows = rows.filter(dimension__external_id=self.dimension)
        if self.route:
            rows = rows.filter(route=self.route)
        if self.job:
            rows = rows.filter(job=int(self.job))
        if self.q:
            words = Q(query_or_url__icontains=self.q) | Q(purpose__icontains=self.q)
            rows = rows.filter(words | Q(external_id=self.q))
        return rows

    def asked(self, **other: str) -> str:
        """Give them as the query of an address; what is usual is left out."""
        usual = asdict(Filters())
        given = asdict(self) | other
        return urlencode({name: v for name, v in given.items() if v and v != usual[name]})


@dataclass(frozen=True, slots=True)
class ReceiptRow:
    """One receipt with its words."""

    row: Receipt
    way: str  # route in the reader's language
    provider: str
    is_replay: bool


@dataclass(frozen=True, slots=True)
class ReceiptPage:
    """A page of receipts and what leads on from it."""

    rows: list[ReceiptRow]
    page: Page
    counts: Mapping[str, int]  # by status, under the other filters
    dimensions: list[tuple[str, str]]
    routes: list[tuple[str, str]]


def receipts_page(project: Project, wanted: Filters, turn: Turn) -> ReceiptPage:
    """Give one page of receipts, the latest first. The number of queries does not grow."""
    mine = Receipt.objects.for_project(project)
    found = page(wanted.over(mine), LATEST, turn, size=PAGE, columns=("pk",))
    keys = [row["pk"] for row in found.rows]
    rows = Receipt.objects.filter(pk__in=keys).select_related("by", "dimension").order_by("-pk")
    others = Filters(**(asdict(wanted) | {"status": "all"}))
    counted = others.over(mine).order_by().values("status").annotate(count=Count("pk"))
    counts = {row["status"]: row["count"] for row in counted}
    names = _route_names()
    dimensions = Dimension.objects.filter(project=project).values_list("external_id", "name")
    return ReceiptPage(
        rows=[
            ReceiptRow(
                row=row,
                way=names.get(row.route, row.route),
                provider=provider_name(row.provider),
                is_replay=row.replay_of_id is not None,
            )
            for row in rows
        ],
        page=found,
        counts={**counts, "all": sum(counts.values())},
        dimensions=[(name, title or name) for name, title in dimensions],
        routes=list(names.items()),
    )


def runs_of(project: Project, wanted: Filters) -> list[Job]:
    """Give the searches that wait or run, and the one that the address names, if it failed."""
    mine = Job.objects.filter(project=project, kind__in=RUNS)
    unfinished = Q(state__in=[Job.State.QUEUED, Job.State.RUNNING])
    if wanted.job:
        unfinished |= Q(pk=int(wanted.job), state__in=[Job.State.FAILED, Job.State.CANCELLED])
    return list(mine.filter(unfinished).order_by("-pk")[:MOST_RUNS])


def run_done(project: Project, wanted: Filters) -> Job | None:
    """Give the run that the address names, once it is done."""
    if not wanted.job:
        return None
    done = Job.objects.filter(project=project, kind__in=RUNS, state=Job.State.DONE)
    return done.filter(pk=int(wanted.job)).first()


def _route_names() -> dict[str, str]:
    return {row.slug: row.label for row in Route.objects.all()} | {"ground": _("Grounded model")}


def provider_name(slug: str) -> str:
    """Give a provider's own name; one that we do not have as it is written."""
    return PROVIDERS[slug].label if slug in PROVIDERS else slug


# --- One receipt ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CallRow:
    """One call, with what its outcome means."""

    row: Call
    is_good: bool
    outcome: str


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One result, and what became of it."""

    row: Result
    host: str
    state: str  # of its record
    state_word: str


@dataclass(frozen=True, slots=True)
class ReceiptShown:
    """One receipt with all that it holds."""

    row: Receipt
    way: str
    profile: str
    provider: str
    facts: list[tuple[str, str]]  # filters: years, range, sites, options
    said: list[tuple[str, str]]  # by the provider
    notices: list[str]
    dropped: list[str]
    calls: list[CallRow]
    ms: int  # of all calls
    results: list[ResultRow]
    page: Page
    failed: Receipt | None  # that this one stood in for
    stood_in: list[Receipt]  # that stood in for this one
    replays: list[Receipt]
    comparison: Comparison | None  # with what it replays
    may_replay: bool


def shown(receipt: Receipt, turn: Turn, language: str) -> ReceiptShown:
    """Put one receipt in words."""
    calls = list(receipt.calls.order_by("number"))
    found = page(receipt.results.all(), BY_RANK, turn, size=RESULTS, columns=("pk",))
    keys = [row["pk"] for row in found.rows]
    rows = Result.objects.filter(pk__in=keys).select_related("record").order_by("rank")
    mine = Receipt.objects.filter(project=receipt.project_id)
    heard = dict(receipt.said)
    return ReceiptShown(
        row=receipt,
        way=_route_names().get(receipt.route, receipt.route),
        profile=_profile_name(receipt.profile),
        provider=provider_name(receipt.provider),
        facts=_facts(receipt.request),
        said=_said(heard),
        notices=[str(each) for each in heard.get("notices", [])],
        dropped=[str(each) for each in heard.get("dropped", [])],
        calls=[CallRow(call, call.outcome == "ok", _outcome(call, language)) for call in calls],
        ms=sum(call.ms for call in calls),
        results=[_result(row) for row in rows],
        page=found,
        failed=mine.filter(external_id=receipt.fallback_of).first()
        if receipt.fallback_of
        else None,
        stood_in=list(mine.filter(fallback_of=receipt.external_id).order_by("pk")[:10]),
        replays=list(receipt.replays.order_by("-pk")[:20]),
        comparison=compared(receipt),
        may_replay=can_replay(receipt),
    )


def _profile_name(slug: str) -> str:
    row = Profile.objects.filter(slug=slug).first() if slug else None
    return row.label if row else slug


def _facts(request: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Give the limits of a search, with their names."""
    options = request.get("options") or {}
    named = {
        _("Results wanted"): request.get("limit"),
        _("From year"): request.get("year_low"),
        _("To year"): request.get("year_high"),
        _("Range of time"): request.get("time_range"),
        _("Sites"): ", ".join(map(str, request.get("sites") or [])),
        _("Hosts left out"): ", ".join(map(str, request.get("exclude") or [])),
        _("Options"): ", ".join(f"{name}={value}" for name, value in options.items()),
        _("Strict"): {True: _("yes"), False: _("no")}.get(request.get("strict") or False)
        if "strict" in request
        else "",
    }
    return [(name, str(value)) for name, value in named.items() if value not in (None, "")]


def _said(heard: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Give what the provider said of the search, with names."""
    grounded = {True: _("yes"), False: _("no: the model cited no page")}
    named = {
        _("Query as it was run"): heard.get("translated"),
        _("Query as it was corrected"): heard.get("altered"),
        _("Results known"): heard.get("total"),
        _("Cost"): heard.get("cost"),
        _("Left of the allowance"): heard.get("remaining"),
        _("Request id"): heard.get("request_id"),
        _("Grounded"): grounded.get(heard["grounded"]) if "grounded" in heard else None,
    }
    return [(name, str(value)) for name, value in named.items() if value not in (None, "")]


def _outcome(call: Call, language: str) -> str:
    """Say what a call came to."""
    if call.outcome == "ok":
        return _("answered")
    text = WORDS.get(call.outcome) or HTTP_WORDS.get(call.outcome)
    if text is None or "{" in text.en:
        return call.outcome
    return text.render(language).rstrip(".。")


def _result(row: Result) -> ResultRow:
    try:
        host = urlsplit(row.canonical_url or row.url).hostname or ""
    except ValueError:
        host = ""
    record = row.record
    return ResultRow(
        row=row,
        host=host,
        state=record.state if record else "",
        state_word=record.get_state_display() if record else "",
    )


def words_of_statuses() -> dict[str, Any]:
    """Give the words of the chips above the list."""
    return {"all": _("All"), **{str(value): word for value, word in Receipt.Status.choices}}
