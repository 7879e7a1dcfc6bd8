"""Admit the sources of a project, or turn them away with a record. May be killed and run again.

What a source's score, blacklist and notices come to is read from its row; receipts are rows of
this app. A person's decision stands: what one re-opened is not turned away again by the same rule
and facts, and what one turned away stays away until it is re-opened.
"""

import logging
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone

from search.models import Receipt
from sources import admission
from sources.admission import AdmissionFacts, Decision, Turned
from sources.following import STANDING, follow
from sources.models import (
    AuditChain,
    BlacklistHit,
    BlacklistRule,
    Project,
    Rejection,
    Source,
)
from sources.noticing.settling import facts_of_notice, open_retractions
from sources.recording import ENGINE, Entry, hold_chain, record
from sources.retractions import Notice
from sources.running import CannotBeDone, Running
from workbench.lib.texts import Text

log = logging.getLogger(__name__)

CHUNK = 1_000  # sources in one transaction
_BATCH = 500
_EVENTS = {
    "admitted": "source.admitted",
    "candidate": "source.candidate",
    "rejected": "source.rejected",
}
NO_PROJECT = Text("The job names no project.", "任务没有指明项目。")
NO_LONGER = Text("Its rule no longer holds.", "该规则已不再成立。")
OTHER_FACTS = Text("Its rule reads other facts now.", "该规则所依据的事实已变化。")
_FIELDS = (
    "pk", "external_id", "title", "url", "doi", "blacklist", "retraction", "score", "tier",
    "strong_coi", "conflict_of_interest", "receipt_ids", "access_status", "dead_link", "status",
)  # fmt: skip


def run(running: Running) -> dict[str, Any]:
    """Do the job: admit the project's sources, then let the checks of claims follow."""
    project = running.job.project
    if project is None:
        raise CannotBeDone(NO_PROJECT)
    return admit(project, running=running)


def admit(
    project: Project, *, source_ids: Iterable[int] | None = None, running: Running | None = None
) -> dict[str, Any]:
    """Bring the admission of all sources of a project, or of some, up to date.

    Gives how many have each status now, how many changed, and what was logged (the first lines).
    """
    known = set(Receipt.objects.filter(project=project).values_list("external_id", flat=True))
    sources = Source.objects.filter(project=project)
    if source_ids is not None:
        sources = sources.filter(pk__in=list(source_ids))
    total, done, last = sources.count(), 0, 0
    events = AuditChain.objects.filter(project=project).values_list("length", flat=True).first()
    found = _Found()
    while True:
        with transaction.atomic():
            if running is not None:
                running.hold()
            hold_chain(project)
            rows = list(sources.filter(pk__gt=last).order_by("pk").only(*_FIELDS)[:CHUNK])
            if rows:
                _admit_chunk(project, rows, known, found)
        if not rows:
            break
        last, done = rows[-1].pk, done + len(rows)
        if running is not None:
            running.progress("admitting", done, total)
    # Also where admission stays as it is: bands and clusters may have changed.
    follow(project, STANDING)
    figures = {"changed": found.changed, "log": found.lines[:200], "events": events or 0}
    return {**found.statuses, **figures}


def decision_of(source: Source) -> Decision:
    """Give what the rules make of one source as it stands. For a page; nothing is written."""
    known = Receipt.objects.filter(
        project=source.project_id, external_id__in=[str(each) for each in source.receipt_ids]
    )
    given = _Given.of(source.project, [source], set(known.values_list("external_id", flat=True)))
    return admission.decide(given.facts(source))


@dataclass(slots=True)
class _Found:
    statuses: Counter[str] = field(default_factory=Counter)
    changed: int = 0
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Given:
    """What else is known of a chunk of sources, by their keys."""

    receipts: set[str]
    hits: Mapping[int, list[tuple[str, str, str]]]  # kind, effect, pattern
    retracted: Mapping[int, Sequence[Notice]]  # and not acknowledged; all notices that stand
    passed: Mapping[int, list[Turned]]

    @classmethod
    def of(cls, project: Project, rows: Sequence[Source], receipts: set[str]) -> "_Given":
        """Read it. Eight queries for 500 sources."""
        keys = [row.pk for row in rows]
        hits: dict[int, list[tuple[str, str, str]]] = defaultdict(list)
        for source, kind, effect, pattern in BlacklistHit.objects.filter(
            source__in=keys, current=True
        ).values_list("source", "rule__kind", "effect", "rule__pattern"):
            hits[source].append((kind, effect, pattern))
        named = [row.pk for row in rows if row.retraction == Source.Standing.RETRACTED]
        retracted = open_retractions(project, named) if named else {}
        passed: dict[int, list[Turned]] = defaultdict(list)
        for source, rule, facts in Rejection.objects.filter(
            source__in=keys, state=Rejection.State.REOPENED, reopened_by__isnull=False
        ).values_list("source", "rule", "facts"):
            passed[source or 0].append((rule, facts))
        return cls(receipts, hits, retracted, passed)

    def facts(self, row: Source) -> AdmissionFacts:
        """Give what the rules of admission read of a source."""
        kind, patterns = self._blacklist(row)
        return AdmissionFacts(
            url=row.url,
            doi=row.doi,
            blacklist=kind,
            patterns=patterns,
            retracted=row.pk in self.retracted,
            notices=tuple(facts_of_notice(each) for each in self.retracted.get(row.pk, ())),
            score=row.score,
            tier=row.tier,
            strong_coi=row.strong_coi,
            conflict=row.conflict_of_interest,
            receipts=self.known_receipts(row),
            access_status=row.access_status,
            dead_link=row.dead_link,
            passed=tuple(self.passed.get(row.pk, ())),
        )

    def known_receipts(self, row: Source) -> tuple[str, ...]:
        """Give the receipts of a source that the log of searches holds."""
        return tuple(str(each) for each in row.receipt_ids if str(each) in self.receipts)

    def _blacklist(self, row: Source) -> tuple[str, tuple[str, ...]]:
        """Give the kind that blocks a source, with the patterns that hit it."""
        if not row.blacklist:
            return "", ()
        of_kind = [(effect, pattern) for kind, effect, pattern in self.hits.get(row.pk, ())
                   if kind == row.blacklist]  # fmt: skip
        blocking = [pattern for effect, pattern in of_kind if effect == BlacklistRule.Effect.BLOCK]
        if of_kind and not blocking:
            return "", ()  # it warns or downranks
        return row.blacklist, tuple(sorted(set(blocking)))


# --- Writing ----------------------------------------------------------------------------------


def _admit_chunk(
    project: Project, rows: Sequence[Source], receipts: set[str], found: _Found
) -> None:
    given = _Given.of(project, rows, receipts)
    standing = {
        each.source_id: each
        for each in Rejection.objects.filter(
            source__in=[row.pk for row in rows], state=Rejection.State.STANDING
        )
    }
    writing = _Writing(project)
    for row in rows:
        decision = admission.decide(given.facts(row))
        status = writing.take(row, decision, standing.get(row.pk), given.known_receipts(row))
        found.statuses[status] += 1
        if decision.log_line:
            found.lines.append(decision.log_line)
    writing.save()
    found.changed += len(writing.entries)


class _Writing:
    """What a chunk of decisions changes, written at once."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._now = timezone.now()
        self._statuses: dict[str, list[int]] = defaultdict(list)
        self._new: list[Rejection] = []
        self._changed: list[Rejection] = []
        self.entries: list[Entry] = []

    def take(
        self, row: Source, decision: Decision, held: Rejection | None, receipts: Sequence[str]
    ) -> str:
        """Note what a decision changes; give the status that the source has now."""
        if held is not None and not is_ours(held):
            # A person's or a file's: it stands until a person re-opens it.
            status: str = row.status if held.rule == admission.STRONG_COI else "rejected"
            self._set_status(row, status, held.rule, receipts, held.reason)
            return status
        if held is not None and (held.rule, held.facts) != (decision.rule, dict(decision.facts)):
            self._close(held, OTHER_FACTS if held.rule == decision.rule else NO_LONGER)
            held = None
        reason = decision.reason(self._project.language)
        if decision.rule and held is None:
            self._new.append(self._rejection(row, decision, reason))
            if decision.status != "rejected":
                new = {"rule": decision.rule}
                entry = Entry("source.rejection_kept", "source", row.external_id, new=new)
                self.entries.append(entry)
            log.info(decision.log_line, extra={"source": row.pk, "project": self._project.pk})
        self._set_status(row, decision.status, decision.rule, receipts, reason)
        return decision.status

    def _set_status(
        self, row: Source, status: str, rule: str, receipts: Sequence[str], reason: str
    ) -> None:
        if row.status == status:
            return
        new: dict[str, Any] = {"status": status, "receipts": list(receipts)}
        if rule:
            new["rule"] = rule
        self.entries.append(
            Entry(
                _EVENTS[status],
                "source",
                row.external_id,
                old={"status": row.status},
                new=new,
                reason=reason,
                rule_version=admission.VERSION,
            )
        )
        self._statuses[status].append(row.pk)

    def _close(self, held: Rejection, why: Text) -> None:
        held.state = Rejection.State.REOPENED
        held.reopened_at = self._now
        held.reopen_reason = why.render(self._project.language)
        held.version += 1
        self._changed.append(held)

    def _rejection(self, row: Source, decision: Decision, reason: str) -> Rejection:
        return Rejection(
            project=self._project,
            source=row,
            external_id=row.external_id,
            title=row.title,
            url=row.url,
            rule=decision.rule,
            reason=reason,
            facts=dict(decision.facts),
            receipt_ids=list(row.receipt_ids),
            score=row.score,
            rejected_at=self._now,
            rejected_by=ENGINE,
        )

    def save(self) -> None:
        """Write it, with its audit events."""
        # Closed first: a source has one standing rejection at most.
        fields = ["state", "reopened_at", "reopen_reason", "version"]
        Rejection.objects.bulk_update(self._changed, fields, batch_size=_BATCH)
        Rejection.objects.bulk_create(self._new, batch_size=_BATCH)
        for status, keys in self._statuses.items():
            Source.objects.filter(pk__in=keys).update(status=status)
        if self.entries:
            record(self._project, self.entries, by=None)


def is_ours(rejection: Rejection) -> bool:
    """Tell whether the rules here wrote a rejection, not a person or an imported file."""
    return rejection.rejected_by == ENGINE and rejection.batch_id is None
