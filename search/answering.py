"""Answer a queued search: follow its routes, ask, and write a receipt for every dialogue.

May be killed at any moment and run again: a dialogue whose receipt stands is not held again. What
was asked and not yet written is asked once more.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction

from search import receipts
from search.asking import Answer, ask
from search.models import Profile, Receipt, Route, book_of
from search.plans import Plan
from search.providers import PROVIDERS, Query
from search.providers.values import with_sites
from search.routes import Ask, Book, Outcome, RouteError, Walked, follow, routes_used, service_label
from search.sending import Means
from sources.models import BlacklistRule, Project
from sources.running import CannotBeDone, Running
from workbench.lib.texts import Text

GROUND = "openrouter"
NO_PROJECT = Text("The project of this search is gone.", "此检索的项目已不存在。")
_STOPS = 1.0  # seconds between two looks whether a person stopped the search


@dataclass(slots=True)
class Found:
    """What a run came to, over all its routes."""

    receipts: list[Receipt] = field(default_factory=list)
    walked: list[Walked] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Give it as the result of the job."""
        said = [notice for each in self.receipts for notice in each.said.get("notices", [])]
        warnings = [warning for each in self.walked for warning in each.warnings]
        fallbacks = [fallback for each in self.walked for fallback in each.fallbacks]
        return {
            "ok": all(each.answered for each in self.walked),
            "routes_used": routes_used(self.walked),
            "receipts": [each.external_id for each in self.receipts],
            "fallbacks": [
                {"from": each.source, "to": each.used, "reason": each.reason} for each in fallbacks
            ],
            "failures": [each.failure for each in self.walked if each.failure],
            "warnings": list(
                dict.fromkeys(
                    [
                        *(each.text() for each in fallbacks),
                        *(each.advice() for each in fallbacks),
                        *warnings,
                        *said,
                    ]
                )
            ),
        }


def run(running: Running) -> dict[str, Any]:
    """Do the job: search what its arguments say."""
    return search(running)


def search(running: Running, means: Means | None = None) -> dict[str, Any]:
    """Follow every route of a run, and give what it came to. Raises CannotBeDone."""
    project = running.job.project
    if project is None:
        raise CannotBeDone(NO_PROJECT)
    plan = Plan.read(running.args)
    means = means or Means()
    means = replace(means, rest=partial(rest_in_steps, running, means.rest))
    return _Run(running, project, plan, means).go()


def load_book() -> Book:
    """Give all routes and profiles as they stand. Two queries. Raises RouteError."""
    return book_of(Route.objects.all(), Profile.objects.all())


def blocked_hosts() -> tuple[str, ...]:
    """Give the hosts that active rules of the blacklist block, for engines that leave them out."""
    rules = BlacklistRule.objects.filter(
        state=BlacklistRule.State.ACTIVE,
        effect=BlacklistRule.Effect.BLOCK,
        scope__in=[BlacklistRule.Scope.HOST, BlacklistRule.Scope.HOST_AND_SUBDOMAINS],
        unless="",
    )
    return tuple(rules.order_by("pattern_key").values_list("pattern_key", flat=True)[:300])


def rest_in_steps(running: Running, rest: Callable[[float], None], seconds: float) -> None:
    """Rest in short steps, so that a person can still stop the search."""
    while seconds > 0:
        running.progress(running.job.stage, running.job.done, running.job.total)
        rest(min(seconds, _STOPS))
        seconds -= _STOPS


class _Run:
    """One run: its plan, and what stands of it already."""

    def __init__(self, running: Running, project: Project, plan: Plan, means: Means) -> None:
        self._running, self._project, self._plan, self._means = running, project, plan, means
        self._standing = {each.step: each for each in Receipt.objects.of_job(running.job)}
        self._found = Found()

    def go(self) -> dict[str, Any]:
        if self._plan.ground:
            self._ground()
            return self._found.as_dict()
        try:
            book = load_book()
            slugs, language, profile = self._plan.routes_in(book)
        except RouteError as fault:
            raise CannotBeDone.because(fault) from None
        self._plan = replace(self._plan, language=language, profile=profile)
        exclude = blocked_hosts()
        for number, slug in enumerate(slugs):
            self._running.progress("asking", number, len(slugs), force=True)
            self._follow(book, slug, exclude)
        self._running.progress("asking", len(slugs), len(slugs))
        return self._found.as_dict()

    def _follow(self, book: Book, slug: str, exclude: tuple[str, ...]) -> None:
        walk = follow(book, slug, strict=self._plan.strict)
        try:
            step = next(walk)
            while True:
                step = walk.send(self._outcome(step, exclude))
        except StopIteration as end:
            self._found.walked.append(end.value)
        except RouteError as fault:
            raise CannotBeDone.because(fault) from None

    def _outcome(self, step: Ask, exclude: tuple[str, ...]) -> Outcome:
        """Give what stands of a dialogue, or hold it."""
        receipt = self._standing.get(step.key) or self._hold(step, exclude)
        self._found.receipts.append(receipt)
        answered = receipt.status != Receipt.Status.FAILED
        return Outcome(receipt.external_id, answered=answered, reason=receipt.failure_reason)

    def _hold(self, step: Ask, exclude: tuple[str, ...]) -> Receipt:
        now = self._means.now()
        query = self._plan.query(now, step.sites, exclude, dict(step.options))
        answer = ask(step.provider, query, self._means)
        entered = self._entered(
            now,
            step.provider,
            query,
            mode=step.route.mode,
            route=step.route.slug,
            step=step.key,
            fallback_of=step.fallback_of,
            routes_version=step.route.version,
            is_lead=bool(step.fallback_of),
        )
        return self._write(entered, answer)

    def _ground(self) -> None:
        now = self._means.now()
        self._running.progress("asking", 0, 1, force=True)
        receipt = self._standing.get(GROUND)
        if receipt is None:
            options = {"model": self._plan.model} if self._plan.model else {}
            query = self._plan.query(now, (), (), options)
            answer = ask(GROUND, query, self._means)
            more: dict[str, Any] = {"mode": "deep", "route": "ground", "step": GROUND}
            entered = self._entered(now, GROUND, query, is_lead=True, **more)
            receipt = self._write(entered, answer)
        self._found.receipts.append(receipt)
        walked = Walked(answered=receipt.status != Receipt.Status.FAILED)
        if walked.answered:
            walked.routes_used = ["ground"]
        else:
            label, reason = service_label(GROUND), receipt.failure_reason
            walked.failure = f"ground: {label} unavailable: {reason}"
        self._found.walked.append(walked)

    def _entered(self, now: datetime, provider: str, query: Query, **more: Any) -> receipts.Entered:
        plan = self._plan
        return receipts.Entered(
            at=now,
            tool=plan.tool,
            query=with_sites(query),
            provider=PROVIDERS[provider].slug,
            purpose=plan.purpose,
            profile=plan.profile,
            round=plan.round,
            language=plan.language,
            request=plan.limits(query),
            links={
                "job_id": self._running.job.pk,
                "dimension_id": plan.dimension,
                "replay_of_id": plan.replay_of,
            },
            **more,
        )

    def _write(self, entered: receipts.Entered, answer: Answer) -> Receipt:
        with transaction.atomic():
            self._running.hold()
            by = self._running.job.created_by
            return receipts.write(self._project, entered, answer, by=by)
