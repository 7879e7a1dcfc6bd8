"""Ask all providers about the works of a project. May be killed at any moment and run again.

What was asked and answered stands in ``RetractionCheck``, so a job that is taken up again goes on
where it stopped. A provider that rests until a moment is left out, and asked by a later job.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from sources.models import Project, ProviderPause, RetractionCheck
from sources.network import open_door
from sources.running import CannotBeDone, Running
from workbench.lib.http import Door

from .asking import ASKERS, Answer, Answers, Asker, Target
from .matching import Work, asked_for, sources_named, works_of
from .records import Kept, keep
from .settling import settle
from .tabled import NO_PROJECT, match_project, write_checks
from .talking import Conversation, Means, Skipped, base_url

RETRY_FAILED = timedelta(hours=1)
_OUTCOME = RetractionCheck.Outcome
_ANSWERED = frozenset({_OUTCOME.NOTHING, _OUTCOME.NOTICES})

type OpenDoor = Callable[[Asker], Door]


@dataclass(frozen=True, slots=True)
class Age:
    """How old an answer may be before its work is asked about again."""

    answered: datetime  # answers from before are due
    failed: datetime

    @classmethod
    def of(cls, begun: datetime, *, everything: bool) -> "Age":
        """Give the ages for a job that began then: all of it, or what the schedule says."""
        if everything:
            return cls(begun, begun)
        days = max(1, settings.RETRACTION_DAYS)
        return cls(begun - timedelta(days=days), begun - RETRY_FAILED)

    def is_due(self, check: RetractionCheck | None, name: str) -> bool:
        """Tell whether a work known by a name must be asked about, given the last check of it."""
        if check is None or check.asked_for != name:
            return True
        since = self.failed if check.outcome == _OUTCOME.FAILED else self.answered
        return check.asked_at < since


def run(running: Running) -> dict[str, Any]:
    """Do the job: match a project's sources with the table, then ask every provider."""
    project = running.job.project
    if project is None:
        raise CannotBeDone(NO_PROJECT)
    age = Age.of(running.job.created_at, everything=bool(running.args.get("everything")))
    return check_project(project, age, only=running.args.get("sources"), running=running)


def check_project(
    project: Project,
    age: Age,
    *,
    only: Collection[int] | None = None,
    running: Running | None = None,
    doors: OpenDoor | None = None,
    means: Means | None = None,
) -> dict[str, Any]:
    """Match with the table, then ask every provider about the works that are due.

    ``only`` are keys of sources, where not all of the project are meant. Progress goes through
    ``matching`` and one stage a provider. Gives for each provider how many works were asked about,
    and when it is asked again if it was left out.
    """
    if running is not None:
        running.progress("matching")
    match_project(project, only)
    told: dict[str, Any] = {}
    for asker in ASKERS:
        check = _Check(project, asker, age, only, running, means)
        told[asker.provider] = check.go(doors or _door)
    return told


def _door(asker: Asker) -> Door:
    return open_door([base_url(asker.provider)], keep=True)


class _Check:
    """One provider's part of a job."""

    def __init__(
        self,
        project: Project,
        asker: Asker,
        age: Age,
        only: Collection[int] | None,
        running: Running | None,
        means: Means | None,
    ) -> None:
        self._project, self._asker, self._age, self._running = project, asker, age, running
        self._only = only
        self._means = means or Means(rest=self._rest)
        self._done = self._total = 0

    def go(self, doors: OpenDoor) -> dict[str, Any]:
        """Ask about all that is due, part by part."""
        paused = paused_until(self._asker.provider, self._means.now())
        if paused is not None:
            return {"asked": 0, "again": paused.isoformat()}
        due = self._due()
        self._total = len(due)
        if not due:
            return {"asked": 0}
        with doors(self._asker) as door:
            conversation = Conversation(self._asker, door, self._means)
            for part in _parts(due, self._asker.most):
                self._tell()
                try:
                    answers = conversation.ask(list(part))
                except Skipped as skipped:
                    pause(self._asker.provider, skipped.until, skipped.reason)
                    self._keep_silence(part, skipped.reason)
                    again = skipped.until.isoformat()
                    return {"asked": self._done, "again": again, "reason": skipped.reason}
                self._keep(part, answers)
                self._done += len(part)
        self._tell()
        return {"asked": self._done}

    def _due(self) -> dict[Target, list[Work]]:
        """Give the works that are due, those of one name together."""
        provider = self._asker.provider
        checks = {
            check.source_id: check
            for check in RetractionCheck.objects.filter(
                source__project=self._project, provider=provider
            )
        }
        due: dict[Target, list[Work]] = defaultdict(list)
        for work in works_of(self._project, self._only):
            name = asked_for(work, provider)
            if name and self._age.is_due(checks.get(work.source), name):
                scheme, _, value = name.partition(":")
                due[Target(**{scheme: value})].append(work)
        return due

    def _keep(self, part: Mapping[Target, Sequence[Work]], answers: Answers) -> None:
        """Write answers down and judge the sources, all or nothing; then those of other projects.

        What a notice says of another work may concern other projects. They are judged in
        transactions of their own: two jobs would wait for one another's chains.
        """
        ours = {work.source for works in part.values() for work in works}
        with transaction.atomic():
            if self._running is not None:
                self._running.hold()
            kept = self._write(part, answers)
            concerned = sources_named(kept.dois, kept.pmids)
            settle(self._project, ours | concerned.pop(self._project.pk, set()))
        for project in Project.objects.filter(pk__in=concerned).order_by("pk"):
            settle(project, concerned[project.pk])

    def _write(self, part: Mapping[Target, Sequence[Work]], answers: Answers) -> Kept:
        now = self._means.now()
        kept = keep(
            self._asker.provider,
            [each for answer in answers.values() for each in answer.statements],
            answered={name for answer in answers.values() for name in answer.names},
            now=now,
        )
        self._check(part, answers, now)
        return kept

    def _check(
        self, part: Mapping[Target, Sequence[Work]], answers: Answers, now: datetime
    ) -> None:
        """Note who was asked about; a failed try does not take an earlier answer away."""
        provider = self._asker.provider
        keys = [work.source for works in part.values() for work in works]
        rows = RetractionCheck.objects.filter(source__in=keys, provider=provider)
        stored = {row.source_id: row for row in rows}
        fresh = []
        for target, works in part.items():
            answer = answers[target]
            for work in works:
                name, old = asked_for(work, provider), stored.get(work.source)
                stands = old is not None and old.asked_for == name and old.outcome in _ANSWERED
                if answer.outcome == _OUTCOME.FAILED and stands and old is not None:
                    old.detail = answer.detail[:500]
                    fresh.append(old)
                else:
                    fresh.append(_check_of(work, provider, name, answer, now))
        write_checks(fresh)

    def _keep_silence(self, part: Mapping[Target, Sequence[Work]], reason: str) -> None:
        failed = Answer(_OUTCOME.FAILED, detail=reason)
        self._keep(part, dict.fromkeys(part, failed))

    def _tell(self) -> None:
        if self._running is not None:
            self._running.progress(self._asker.provider, self._done, self._total)

    def _rest(self, seconds: float) -> None:
        """Rest in short steps, so that a person can still stop the job."""
        ends = time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0:
            self._tell()
            time.sleep(min(left, 1.0))


def _check_of(
    work: Work, provider: str, name: str, answer: Answer, now: datetime
) -> RetractionCheck:
    return RetractionCheck(
        source_id=work.source,
        provider=provider,
        asked_for=name,
        outcome=answer.outcome,
        detail=answer.detail[:500],
        asked_at=now,
    )


def _parts(
    due: Mapping[Target, Sequence[Work]], most: int
) -> Iterator[dict[Target, Sequence[Work]]]:
    listed = sorted(due, key=lambda target: (target.doi, target.pmid))
    for at in range(0, len(listed), most):
        yield {target: due[target] for target in listed[at : at + most]}


# --- Pauses -----------------------------------------------------------------------------------


def paused_until(provider: str, now: datetime) -> datetime | None:
    """Tell until when a provider is left alone; None where it may be asked."""
    pauses = ProviderPause.objects.filter(provider=provider, until__gt=now)
    return pauses.values_list("until", flat=True).first()


def pause(provider: str, until: datetime, reason: str) -> None:
    """Leave a provider alone until a moment."""
    values = {"until": until, "reason": reason[:300]}
    ProviderPause.objects.update_or_create(provider=provider, defaults=values)


def resting(providers: Collection[str]) -> set[str]:
    """Give those of the providers that rest now."""
    pauses = ProviderPause.objects.filter(provider__in=list(providers), until__gt=timezone.now())
    return set(pauses.values_list("provider", flat=True))
