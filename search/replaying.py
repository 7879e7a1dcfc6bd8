"""Ask once more what a receipt asked: the same provider, query and limits; then compare.

The replay is a receipt of its own, linked to the first one, which stays as it is.
"""

from dataclasses import replace
from functools import partial
from typing import Any

from django.db import transaction

from search import receipts, screening
from search.answering import blocked_hosts, rest_in_steps
from search.asking import ask
from search.comparing import Comparison, Listed, compare
from search.models import Receipt, Result
from search.providers import PROVIDERS, Query
from search.providers.base import RANGES
from search.providers.values import with_sites
from search.sending import Means
from sources import sweeping
from sources.models import Job, Project, User
from sources.running import CannotBeDone, Running
from workbench.lib.texts import Text

TASK, KIND = "search.tasks.replay_receipt", "replay"
STEP = "replay"
GONE = Text("The receipt of this search is gone.", "此检索的回执已不存在。")
NO_PROVIDER = Text(
    "This search cannot be asked again here: there is no provider “{name}”.",
    "无法在此重做该检索：没有检索接口“{name}”。",
)
_FOUND = ("title", "url", "doi", "pmid", "pmcid", "patent_number", "trial_id", "raw_id")


def can_replay(receipt: Receipt) -> bool:
    """Tell whether a receipt says enough to ask again: its query, and a provider that we have."""
    opened = receipt.mode == "extract"
    return bool(receipt.provider in PROVIDERS and receipt.query_or_url.strip() and not opened)


def begin(receipt: Receipt, *, by: User | None, tool: str, nudge: bool = True) -> Job:
    """Queue a replay; gives the one that waits or runs, if any. In the caller's transaction."""
    Project.objects.select_for_update().get(pk=receipt.project_id)
    args = {"receipt": receipt.pk, "tool": tool}
    unfinished = [Job.State.QUEUED, Job.State.RUNNING]
    standing = Job.objects.filter(project=receipt.project_id, kind=KIND, state__in=unfinished)
    if job := standing.filter(args__receipt=receipt.pk).order_by("pk").first():
        return job
    job = Job.objects.create(
        project=receipt.project, kind=KIND, task=TASK, args=args, created_by=by
    )
    if nudge:
        transaction.on_commit(lambda: sweeping.nudge(job))
    return job


def run(running: Running) -> dict[str, Any]:
    """Do the job: ask again what its receipt asked."""
    return replay(running)


def replay(running: Running, means: Means | None = None) -> dict[str, Any]:
    """Ask again, write the receipt, and give what it came to. Raises CannotBeDone."""
    means = means or Means()
    means = replace(means, rest=partial(rest_in_steps, running, means.rest))
    rows = Receipt.objects.select_related("project").filter(project=running.job.project)
    first = rows.filter(pk=running.args["receipt"]).first()
    if first is None:
        raise CannotBeDone(GONE)
    if not can_replay(first):
        raise CannotBeDone(NO_PROVIDER, name=first.provider)
    running.progress("asking", 0, 1, force=True)
    again = Receipt.objects.of_job(running.job).first() or _ask(running, first, means)
    found = compared(again)
    return {
        "ok": again.status != Receipt.Status.FAILED,
        "routes_used": [again.route] if again.status != Receipt.Status.FAILED else [],
        "receipts": [again.external_id],
        "replay_of": first.external_id,
        "fallbacks": [],
        "failures": [again.failure_reason] if again.status == Receipt.Status.FAILED else [],
        "warnings": [str(each) for each in again.said.get("notices", [])],
        "differences": found.counts() if found else None,
    }


def _ask(running: Running, first: Receipt, means: Means) -> Receipt:
    now = means.now()
    query = query_of(first)
    exclude = tuple(dict.fromkeys([*query.exclude, *blocked_hosts()]))
    query = replace(query, now=now, exclude=exclude)
    answer = ask(first.provider, query, means)
    entered = receipts.Entered(
        at=now,
        tool=str(running.args.get("tool") or first.tool),
        mode=first.mode,
        query=with_sites(query),
        route=first.route,
        provider=first.provider,
        purpose=first.purpose,
        profile=first.profile,
        round=first.round,
        language=first.language,
        fallback_of=first.fallback_of,
        step=STEP,
        routes_version=first.routes_version,
        request=dict(first.request),
        is_lead=bool(first.fallback_of) or first.mode == "deep",
        links={
            "job_id": running.job.pk,
            "dimension_id": first.dimension_id,
            "replay_of_id": first.pk,
        },
    )
    with transaction.atomic():
        running.hold()
        return receipts.write(first.project, entered, answer, by=running.job.created_by)


def query_of(receipt: Receipt) -> Query:
    """Give what a receipt asked. An imported line holds no limits: it is asked for as many."""
    request = dict(receipt.request)
    span = str(request.get("time_range", ""))
    return Query(
        text=str(request.get("text") or receipt.query_or_url).strip(),
        exclude=tuple(map(str, request.get("exclude") or ())),
        limit=int(request.get("limit") or receipt.result_count or 10),
        year_low=request.get("year_low"),
        year_high=request.get("year_high"),
        time_range=span if span in RANGES else "",
        language=receipt.language,
        sites=tuple(map(str, request.get("sites", ()))),
        options={str(name): str(value) for name, value in request.get("options", {}).items()},
    )


def compared(receipt: Receipt) -> Comparison | None:
    """Compare a replay with what it replays; None for no replay, or one without an answer."""
    first = receipt.replay_of
    failed = Receipt.Status.FAILED
    if first is None or failed in {receipt.status, first.status}:
        return None
    partial_ = Receipt.Status.PARTIAL in {receipt.status, first.status}
    return compare(_listed(first), _listed(receipt), partial=partial_)


def _listed(receipt: Receipt) -> list[Listed]:
    rows = Result.objects.filter(receipt=receipt).order_by("rank")
    return [Listed(_key(row), row.rank, row.title, row.url, row.standing) for row in rows]


def _key(row: Result) -> str:
    """Give what is the same for the same thing: its record, which knows it by all its names."""
    if row.record_id is not None:
        return f"record {row.record_id}"
    return screening.keys_of({name: getattr(row, name) for name in _FOUND})[0]
