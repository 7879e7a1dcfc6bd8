"""Write what a dialogue came to: one receipt, its calls and results, all or nothing."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models.functions import Length

from search import screening
from search.asking import Answer
from search.exchange import ORDER, receipt_line
from search.models import Call, Receipt, Record, Result
from search.providers import Hit, as_result
from search.records import gather
from sources import following
from sources.canonical import canonical_url
from sources.exchange.lines import line_hash
from sources.models import Project, User
from sources.recording import Entry, hold_chain, record

NAMED = "srch_{:04d}"
_NUMBERED = r"^srch_[0-9]{1,9}$"
# Keys that every line of ours has, though there is nothing to say.
_ALWAYS: dict[str, Any] = {"purpose": "", "opened_urls": [], "failure_reason": ""}


@dataclass(frozen=True, slots=True)
class Entered:
    """What a receipt says of the search itself."""

    at: datetime
    tool: str
    mode: str
    query: str
    route: str
    provider: str
    purpose: str = ""
    profile: str = ""
    round: int | None = None
    language: str = ""
    fallback_of: str = ""
    step: str = ""
    routes_version: int = 0
    request: dict[str, Any] = field(default_factory=dict)
    is_lead: bool = False
    links: dict[str, Any] = field(default_factory=dict)  # job_id, dimension_id, replay_of_id


def next_id(project: Project) -> str:
    """Give the next free number of a project's receipts; its chain must be held."""
    numbered = Receipt.objects.filter(project=project, external_id__regex=_NUMBERED)
    longest = numbered.annotate(length=Length("external_id")).order_by("-length", "-external_id")
    last = longest.values_list("external_id", flat=True).first()
    return NAMED.format(int(last.removeprefix("srch_")) + 1 if last else 1)


def write(project: Project, entered: Entered, answer: Answer, *, by: User | None) -> Receipt:
    """Write a receipt with calls and results, in the caller's transaction."""
    hold_chain(project)
    receipt = Receipt(
        project=project,
        external_id=next_id(project),
        at=entered.at.replace(microsecond=0),
        tool=entered.tool,
        mode=entered.mode,
        query_or_url=entered.query,
        purpose=entered.purpose,
        result_count=len(answer.hits),
        status=answer.status,
        failure_reason=answer.reason,
        route=entered.route,
        provider=entered.provider,
        profile=entered.profile,
        round=entered.round,
        language=entered.language,
        fallback_of=entered.fallback_of,
        step=entered.step,
        request=entered.request,
        said=answer.hits.said.as_dict(),
        result_hash=hash_of(answer.hits),
        routes_version=entered.routes_version,
        by=by,
        **entered.links,
    )
    receipt.given = {n: value for n, value in _ALWAYS.items() if not getattr(receipt, n)}
    receipt.content_hash = line_hash(line_of(receipt))
    receipt.save()
    Call.objects.bulk_create(
        [
            Call(
                receipt=receipt,
                number=number,
                **{name: getattr(call, name) for name in _CALL},
            )
            for number, call in enumerate(answer.calls, start=1)
        ]
    )
    found = gather(project, receipt.external_id, answer.hits, is_lead=entered.is_lead)
    Result.objects.bulk_create(
        [
            _result(receipt, hit, row, is_lead=entered.is_lead)
            for hit, row in zip(answer.hits, found, strict=True)
        ],
        batch_size=500,
    )
    new = {
        "provider": entered.provider,
        "route": entered.route,
        "status": answer.status,
        "results": len(answer.hits),
    }
    record(project, [Entry("receipt.written", "receipt", receipt.external_id, new=new)], by=by)
    if any(row.state == screening.OPEN for row in found):
        following.follow(project, following.RECORDS, by=by)
    return receipt


_CALL = (
    "attempt", "service", "method", "url", "body", "at", "ms", "status", "outcome", "error",
    "response_hash", "response_bytes",
)  # fmt: skip
_HIT = (
    "rank", "provider", "title", "url", "snippet", "published", "venue", "doi", "pmid", "pmcid",
    "cited_by", "patent_number", "trial_id", "raw_id", "standing",
)  # fmt: skip


def _result(receipt: Receipt, hit: Hit, row: Record, *, is_lead: bool) -> Result:
    return Result(
        receipt=receipt,
        record=row,
        authors=list(hit.authors),
        canonical_url=canonical_url(hit.url) if hit.url else "",
        is_lead=is_lead,
        **{name: getattr(hit, name) for name in _HIT},
    )


def hash_of(hits: Iterable[Hit]) -> str:
    """Hash results in their order: the same search with the same answer has the same hash."""
    said = [as_result(hit) for hit in hits]
    text = json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def line_of(receipt: Receipt) -> dict[str, Any]:
    """Give the line of search_log.jsonl."""
    row = {name: getattr(receipt, name) for name in _ROW}
    return receipt_line(row)


_RENAMED = {"receipt_id": "external_id", "timestamp": "at"}
_ROW = ("given", "extra", *(_RENAMED.get(name, name) for name in ORDER))


def results_of(receipts: Sequence[Receipt]) -> list[dict[str, Any]]:
    """Give the results of receipts as commands print them, in order. One query."""
    order = {receipt.pk: place for place, receipt in enumerate(receipts)}
    rows = Result.objects.filter(receipt__in=list(order)).order_by("rank")
    found = []
    for row in sorted(rows, key=lambda row: order[row.receipt_id]):
        shown = as_result(hit_of(row))
        found.append(shown | ({"fallback_result": True} if row.is_lead else {}))
    return found


def hit_of(row: Result) -> Hit:
    """Give a row as the rules read it."""
    return Hit(authors=tuple(row.authors), **{name: getattr(row, name) for name in _HIT})
