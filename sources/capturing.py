"""Fetch one address into an immutable snapshot. May be killed at any moment and run again.

Cache first: an address with a snapshot is not fetched again unless a person asks for a new
version. A job writes one ``Capture``; with it, in one transaction, the snapshot, what became of the
sources of that address, and the audit trail. Blobs are on the disk before a row names them.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from sources import access, following, politeness
from sources.archived import Copy, archived_copy
from sources.canonical import canonical_url
from sources.extracting import Extracted
from sources.extraction import EXTRACTOR
from sources.models import Capture, Job, Override, Project, Snapshot, Source, User
from sources.network import open_door
from sources.recording import Entry, hold_chain, record
from sources.running import CannotBeDone, Later, Running
from sources.source_cache import metadata, snapshot_ref, url_hash
from sources.texts import blobs
from workbench.lib.http import Door, HttpError, Request, Response
from workbench.lib.texts import Text

LONGEST_WAIT = 20.0  # seconds that a worker waits for a host's turn; above, the job goes back
NO_PROJECT = Text("The job names no project.", "任务没有指明项目。")
ACCEPT = "text/html,application/xhtml+xml,application/pdf,application/xml;q=0.9,*/*;q=0.8"
# Of the extraction; the text itself is the snapshot's blob.
_KEPT = frozenset(
    {"kind", "title", "authors", "published", "language", "excerpt", "encoding", "article",
     "pages", "printed", "by", "notes"}
)  # fmt: skip
_ACCESS = Override.Field.ACCESS_STATUS
# As they came over the wire; the bytes that are kept are those behind them.
_WIRE = frozenset({"content-encoding", "transfer-encoding", "set-cookie"})


@dataclass(frozen=True, slots=True)
class Means:
    """What a capture needs of the world; tests replace it."""

    door: Callable[[], Door] = open_door
    now: Callable[[], datetime] = timezone.now
    rest: Callable[[float], None] = time.sleep  # seconds
    copy: Callable[[str], Copy | None] = archived_copy


@dataclass(frozen=True, slots=True)
class _Got:
    """What a fetch brought, before it is written down."""

    verdict: access.Verdict
    at: datetime
    response: Response | None = None
    detail: str = ""
    found: Extracted = field(default_factory=lambda: Extracted("other"))
    raw_hash: str = ""
    text_hash: str = ""
    copy: Copy | None = None


def run(running: Running, means: Means | None = None) -> dict[str, Any]:
    """Do the job; gives what ``manage.py fetch`` prints. Formats section 10."""
    job, project = running.job, running.job.project
    if project is None:
        raise CannotBeDone(NO_PROJECT)
    url, again = str(running.args["url"]), bool(running.args.get("again"))
    written = Capture.objects.filter(job=job).select_related("snapshot").first()
    if written is not None:
        return told(written)
    if not again and (known := kept(project, url)) is not None:
        return known
    got = _fetch(running, url, means or Means())
    with transaction.atomic():
        # First in line for the project's trail, then the last look whether the job is ours.
        hold_chain(project)
        running.hold()
        if not again and (known := kept(project, url)) is not None:
            return known  # another job was quicker
        capture = _write(project, job, url, got)
        running.hold()
    return told(capture)


def kept(project: Project, url: str) -> dict[str, Any] | None:
    """Give the latest snapshot of a normal address as the command prints it, if there is one."""
    rows = Snapshot.objects.filter(project=project, url_hash=url_hash(url))
    snapshot = rows.order_by("-pk").first()
    if snapshot is None:
        return None
    capture = snapshot.captures.order_by("-pk").first()
    return _shown(snapshot, capture)


def told(capture: Capture) -> dict[str, Any]:
    """Give a capture as the command prints it."""
    if capture.snapshot is not None:
        return _shown(capture.snapshot, capture)
    verdict = access.Verdict(capture.outcome, capture.code, capture.status)
    said = [verdict.message("en")]
    if capture.archived_url:
        said.append(f"Archived copy of {capture.archived_at}: {capture.archived_url}")
    return {"ok": False, "code": verdict.shown_code, "message": " ".join(said)}


def _shown(snapshot: Snapshot, capture: Capture | None) -> dict[str, Any]:
    found = capture.found if capture is not None else {}
    final = capture.final_url if capture is not None else snapshot.normalized_url
    return {
        "ok": True,
        "snapshot_ref": snapshot.ref,
        "access_status": access.access_status_of(snapshot.depth),
        "depth": snapshot.depth,
        "canonical_url": canonical_url(final),
        "title": found.get("title", ""),
        "authors": found.get("authors", []),
        "published": found.get("published", ""),
        "text_chars": snapshot.characters,
    }


def _fetch(running: Running, url: str, means: Means) -> _Got:
    with means.door() as door:
        running.progress("waiting")
        if not politeness.may_fetch(url, door, means.now()):
            return _Got(access.ROBOTS, means.now())
        _wait(running, url, means)
        running.progress("fetching")
        try:
            response = door.fetch(Request(url, headers={"accept": ACCEPT}))
        except HttpError as fault:
            detail = f"{fault.host}: {fault.detail}".strip(": ")
            return _Got(access.verdict_of_fault(fault), means.now(), detail=detail)
    at = means.now()
    verdict = access.verdict_of_status(response.status)
    raw_hash = blobs().put(response.body) if response.body else ""
    if verdict.outcome != access.OPEN:
        copy = means.copy(url) if verdict.outcome == access.GONE else None
        return _Got(verdict, at, response, raw_hash=raw_hash, copy=copy)
    running.progress("extracting")
    found = EXTRACTOR.extract(response.body, response.header("content-type"), response.url)
    text_hash = blobs().put(found.text.encode())
    return _Got(verdict, at, response, found=found, raw_hash=raw_hash, text_hash=text_hash)


def _wait(running: Running, url: str, means: Means) -> None:
    """Wait for the host's turn. Raises Later where that is too far away to hold a worker."""
    left = politeness.reserve(politeness.host_of(url), means.now(), longest=LONGEST_WAIT)
    if left > LONGEST_WAIT:
        raise Later(means.now() + timedelta(seconds=left))
    while left > 0:
        running.progress("waiting")
        pause = min(left, 1.0)
        means.rest(pause)
        left -= pause


def _write(project: Project, job: Job, url: str, got: _Got) -> Capture:
    snapshot, is_new = _snapshot(project, url, got)
    answer = got.response
    capture = Capture.objects.create(
        project=project,
        job=job,
        snapshot=snapshot,
        normalized_url=url,
        url_hash=url_hash(url),
        outcome=got.verdict.outcome,
        code=got.verdict.code,
        detail=_storable(got.detail)[:300],
        status=answer.status if answer else None,
        hops=[[_storable(hop.url), hop.status] for hop in answer.hops] if answer else [],
        headers=_headers(answer) if answer else [],
        address=answer.address[:45] if answer else "",
        raw_hash=got.raw_hash,
        raw_bytes=len(answer.body) if answer else 0,
        found={name: value for name, value in asdict(got.found).items() if name in _KEPT},
        archived_url=got.copy.url if got.copy else "",
        archived_at=got.copy.day if got.copy else "",
        fetched_at=got.at,
    )
    _follow(project, capture, is_new=is_new, by=job.created_by)
    return capture


def _snapshot(project: Project, url: str, got: _Got) -> tuple[Snapshot | None, bool]:
    if got.verdict.outcome != access.OPEN:
        return None, False
    depth, reason = access.depth_of(got.found)
    ref = snapshot_ref(url, got.found.text)
    return Snapshot.objects.get_or_create(
        project=project,
        url_hash=ref.url_hash,
        content_hash=ref.content_hash,
        defaults={
            "normalized_url": url,
            "depth": depth,
            "depth_reason": reason[:300],
            "characters": len(got.found.text),
            "captured_at": got.at,
            "meta": metadata(url, ref),
        },
    )


def _headers(answer: Response) -> list[list[str]]:
    rows = ((name, value) for name, value in answer.headers if name not in _WIRE)
    return [[_storable(name)[:200], _storable(value)[:4000]] for name, value in rows][:200]


def _storable(text: str) -> str:
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def _follow(project: Project, capture: Capture, *, is_new: bool, by: User | None) -> None:
    """Tell the sources of the address, and the trail, what came of it."""
    entries = [_entry(capture)]
    sources = list(Source.objects.filter(project=project, normalized_url=capture.normalized_url))
    overridden = set(
        Override.objects.filter(
            source__in=sources, field=_ACCESS, state=Override.State.ACTIVE
        ).values_list("source", flat=True)
    )
    changed = False
    for source in sources:
        changes = _changes(capture)
        if source.pk in overridden or _knows_better(source, changes):
            changes.pop("access_status", None)
        old = {name: getattr(source, name) for name in changes}
        new = {name: value for name, value in changes.items() if value != old[name]}
        if not new:
            continue
        for name, value in new.items():
            setattr(source, name, value)
        source.version += 1
        source.save(update_fields=[*new, "version"])
        changed = True
        before = {name: old[name] for name in new}
        entries.append(Entry("source.fetched", "source", source.external_id, before, new))
    record(project, entries, by=by)
    # A new text may share its origin with others, and claims may be read in it.
    changes_told = [following.CLUSTERS, following.STANDING] if is_new else []
    if changed:
        changes_told += [following.FACTS, following.SOURCES, following.STANDING]
    following.follow(project, *changes_told, by=by)


def _changes(capture: Capture) -> dict[str, Any]:
    """Give what a capture says of a source: nothing where nobody answered."""
    if capture.outcome in {access.UNKNOWN, access.REFUSED}:
        return {}
    if capture.snapshot is None:
        verdict = access.Verdict(capture.outcome, capture.code, capture.status)
        status, reason = "paywalled" if capture.status == 402 else "failed", verdict.message()
    else:
        status = access.access_status_of(capture.snapshot.depth)
        told = f"{capture.snapshot.depth}: {capture.snapshot.depth_reason}"
        reason = told if status == "failed" else ""
    return {
        "access_status": status,
        "dead_link": capture.outcome == access.GONE,
        "failure_reason": reason,
        "accessed_at": capture.fetched_at.date().isoformat(),
    }


def _knows_better(source: Source, changes: dict[str, Any]) -> bool:
    """Tell whether somebody got further than we did: that we are turned away undoes nothing."""
    opened = {"opened_original", "opened_abstract", "paywalled"}
    return changes.get("access_status") == "failed" and source.access_status in opened


def _entry(capture: Capture) -> Entry:
    new: dict[str, Any] = {"outcome": capture.outcome}
    if capture.status:
        new["http_status"] = capture.status
    if capture.snapshot is not None:
        new |= {"snapshot": capture.snapshot.ref, "depth": capture.snapshot.depth}
    return Entry("page.fetched", "page", capture.normalized_url, new=new)
