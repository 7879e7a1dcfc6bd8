"""Take over the table of Retraction Watch: looked over whole first, then written part by part.

May be killed at any moment and run again: what is written already is found to be the same. Rows
that the table holds no more are marked as withdrawn and kept.
"""

import hashlib
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from sources.models import (
    NoticeBatch,
    NoticeChange,
    NoticeProvider,
    Project,
    RetractionRecord,
    Source,
)
from sources.retractions import Statement
from sources.retractions.retraction_watch import EMPTY, Passed, Problem, encoding_of, read_table
from sources.running import CannotBeDone, Running
from workbench.lib.notices import InputError
from workbench.lib.texts import Text

from .records import digest, said_of, to_record, write
from .tabled import match_project

CHUNK = 1_000  # rows in one transaction
PROBLEMS_KEPT = 100
# Fewer rows may go at once without a question; the table loses some now and then.
_MANY, _SHARE = 100, 0.2
_TABLE = NoticeProvider.RETRACTION_WATCH

UNREADABLE = Text(
    "{file} cannot be read: {reason}. Nothing was imported.",
    "无法读取 {file}：{reason}。未导入任何内容。",
)
TOO_MANY_GONE = Text(
    "{gone} of {known} known notices are missing from this table. Nothing was imported. If the "
    "file is only a part, import it with --keep-missing; if they were really withdrawn, with "
    "--accept-withdrawals.",
    "现有 {known} 条声明中有 {gone} 条不在此表中。未导入任何内容。如果文件只是一部分，请加 "
    "--keep-missing 导入；如果确已撤销，请加 --accept-withdrawals。",
)

type Tell = Callable[[str, int, int], None]


@dataclass(slots=True)
class Plan:
    """What a table would change. Keys are those of records."""

    rows: int = 0
    new: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    returned: set[str] = field(default_factory=set)
    withdrawn: set[str] = field(default_factory=set)
    known: int = 0  # standing before
    same: int = 0
    twice: int = 0  # rows of a record that stood before in the file
    left_out: int = 0
    problems: list[dict[str, Any]] = field(default_factory=list)
    sha256: str = ""

    @property
    def counts(self) -> dict[str, int]:
        """Give how many rows, for reports."""
        return {
            "rows": self.rows,
            "new": len(self.new),
            "changed": len(self.changed),
            "same": self.same,
            "returned": len(self.returned),
            "withdrawn": len(self.withdrawn),
            "twice": self.twice,
            "left_out": self.left_out,
        }


def run(running: Running, tell: Tell | None = None) -> dict[str, Any]:
    """Do the job: import the table of a batch. Progress: ``reading``, ``writing``, ``matching``."""
    batch = NoticeBatch.objects.get(pk=running.args["batch"])

    def progress(stage: str, done: int, total: int) -> None:
        running.progress(stage, done, total)
        if tell is not None:
            tell(stage, done, total)

    try:
        plan = look_over(Path(batch.path), progress)
        refuse_many(plan, batch.options)
    except CannotBeDone as reason:
        batch.state, batch.finished_at = NoticeBatch.State.REFUSED, timezone.now()
        batch.counts = {"refused": reason.render("en"), "refused_zh": reason.render("zh")}
        batch.save(update_fields=["state", "finished_at", "counts"])
        raise
    if batch.state != NoticeBatch.State.RUNNING:  # else an earlier try wrote a part already
        batch.counts, batch.problems = plan.counts, plan.problems
    batch.state, batch.sha256 = NoticeBatch.State.RUNNING, plan.sha256
    batch.save(update_fields=["state", "sha256", "counts", "problems"])
    _write(batch, plan, running, progress)
    batch.state, batch.finished_at = NoticeBatch.State.DONE, timezone.now()
    batch.path = ""
    batch.save(update_fields=["state", "finished_at", "path"])
    return {**batch.counts, "standings": _match(progress)}


def look_over(path: Path, tell: Tell) -> Plan:
    """Read a table whole and tell what it would change; nothing is written. CannotBeDone."""
    plan = Plan()
    rows = RetractionRecord.objects.filter(provider=_TABLE)
    known = {
        key: (said, gone is not None)
        for key, said, gone in rows.values_list("record_key", "content_hash", "withdrawn_at")
    }
    seen: set[str] = set()
    try:
        plan.sha256 = _sha256(path)
        for each in _read(path, known):
            if isinstance(each, Problem):
                _note(plan, each)
                continue
            plan.rows += 1
            tell("reading", plan.rows, 0)
            if each.key in seen:
                plan.twice += 1
                continue
            seen.add(each.key)
            _place(plan, each, known.get(each.key))
    except OSError as fault:
        reason = fault.strerror or str(fault)
        raise CannotBeDone(UNREADABLE, file=path.name, reason=reason) from fault
    except InputError as fault:
        raise CannotBeDone.because(fault) from fault
    if not seen:
        raise CannotBeDone(EMPTY)
    plan.known = sum(not gone for _said, gone in known.values())
    plan.withdrawn = {key for key, (_said, gone) in known.items() if not gone and key not in seen}
    return plan


def _read(path: Path, only: Container[str]) -> Iterator[Statement | Problem | Passed]:
    with path.open(encoding=encoding_of(path), newline="") as stream:
        yield from read_table(stream, only=only)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _note(plan: Plan, problem: Problem) -> None:
    plan.left_out += problem.left_out
    if len(plan.problems) < PROBLEMS_KEPT:
        kept = {"line": problem.line, "code": problem.code, "values": dict(problem.values)}
        plan.problems.append(kept)


def _place(plan: Plan, row: Statement | Passed, known: tuple[str, bool] | None) -> None:
    if isinstance(row, Passed) or known is None:
        plan.new.add(row.key)
        return
    said, gone = known
    if gone:
        plan.returned.add(row.key)
    elif said != digest(row):
        plan.changed.add(row.key)
    else:
        plan.same += 1


def refuse_many(plan: Plan, options: dict[str, Any]) -> None:
    """Raise CannotBeDone where a large share would be withdrawn and nobody said that it may.

    With ``keep_missing`` nothing is withdrawn.
    """
    if options.get("keep_missing"):
        plan.withdrawn = set()
    gone = len(plan.withdrawn)
    if gone > _MANY and gone > _SHARE * plan.known and not options.get("accept_withdrawals"):
        raise CannotBeDone(TOO_MANY_GONE, gone=gone, known=plan.known)


# --- Writing ----------------------------------------------------------------------------------


def _write(batch: NoticeBatch, plan: Plan, running: Running, tell: Tell) -> None:
    wanted = plan.new | plan.changed | plan.returned
    total, done = len(wanted) + len(plan.withdrawn), 0
    for part in _parts(Path(batch.path), wanted):
        with transaction.atomic():
            running.hold()
            _put(batch, plan, part)
        done += len(part)
        tell("writing", done, total)
    gone = sorted(plan.withdrawn)
    for at in range(0, len(gone), CHUNK):
        with transaction.atomic():
            running.hold()
            _withdraw(batch, gone[at : at + CHUNK])
        tell("writing", done + at, total)


def _parts(path: Path, wanted: set[str]) -> Iterator[list[Statement]]:
    part: list[Statement] = []
    left = set(wanted)
    for each in _read(path, left) if wanted else ():
        if isinstance(each, Statement) and each.key in left:
            left.discard(each.key)  # of a record that stands twice, the first counts
            part.append(each)
            if len(part) == CHUNK:
                yield part
                part = []
    if part:
        yield part


def _put(batch: NoticeBatch, plan: Plan, part: list[Statement]) -> None:
    now = timezone.now()
    rows = [to_record(statement, now=now) for statement in part]
    again = [row.record_key for row in rows if row.record_key not in plan.new]
    before = _by_key(again)
    changes = []
    for row in rows:
        old = before.get(row.record_key)
        if old is None:
            continue
        returned = old.withdrawn_at is not None
        kind = NoticeChange.Kind.RETURNED if returned else NoticeChange.Kind.CHANGED
        changes.append(_change(batch, kind, old, row))
    write(rows)
    NoticeChange.objects.bulk_create(changes, batch_size=CHUNK)


def _withdraw(batch: NoticeBatch, keys: list[str]) -> None:
    before = _by_key(keys)
    changes = [
        _change(batch, NoticeChange.Kind.WITHDRAWN, before[key], None)
        for key in keys
        if key in before and before[key].withdrawn_at is None
    ]
    NoticeChange.objects.bulk_create(changes, batch_size=CHUNK)
    for at in range(0, len(keys), 500):
        rows = RetractionRecord.objects.filter(provider=_TABLE, record_key__in=keys[at : at + 500])
        rows.filter(withdrawn_at=None).update(withdrawn_at=timezone.now())


def _change(
    batch: NoticeBatch, kind: str, old: RetractionRecord, new: RetractionRecord | None
) -> NoticeChange:
    return NoticeChange(
        batch=batch,
        record_key=old.record_key,
        kind=kind,
        old=said_of(old),
        new=said_of(new) if new is not None else None,
    )


def _by_key(keys: list[str]) -> dict[str, RetractionRecord]:
    found: dict[str, RetractionRecord] = {}
    for at in range(0, len(keys), 500):
        rows = RetractionRecord.objects.filter(provider=_TABLE, record_key__in=keys[at : at + 500])
        found |= {row.record_key: row for row in rows}
    return found


def _match(tell: Tell) -> int:
    """Judge the sources of every project by the table; give how many changed their standing."""
    with_sources = Source.objects.order_by().values("project").distinct()
    projects = list(Project.objects.filter(pk__in=with_sources).order_by("pk"))
    changed = 0
    for number, project in enumerate(projects):
        tell("matching", number, len(projects))
        changed += match_project(project)
    return changed
