"""Hold a dialogue with a provider: politely, three tries, and no longer than it is worth.

A rate limit or a time-out waits 5 s and is tried three times, a ``Retry-After`` is obeyed up to a
minute; then the provider is left alone for a while. Rulebook section 6; providers, section 0.
"""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.conf import settings
from django.utils import timezone

from sources.models import NoticeProvider, RetractionCheck
from sources.retractions import NotAnswered
from workbench.lib.http import (
    Credential,
    Door,
    Pace,
    PermanentHttpError,
    Request,
    Response,
    TransientHttpError,
    retry_after,
)

from .asking import Answer, Answers, Asker, Target

log = logging.getLogger(__name__)

TRIES = 3
WAIT = 5.0  # seconds before another try
LONGEST = 60.0  # seconds of Retry-After that are waited for; above that the work goes on later
DOWN = timedelta(hours=1)  # a provider that does not answer is left alone
LONGEST_PAUSE = timedelta(hours=48)  # whatever a server asks for
REFUSALS = 5  # one after another, and the provider is left alone
TOOL = "evidence-workbench"
_SPENT = {NoticeProvider.OPENALEX: frozenset({402, 409, 429})}
_TOO_LARGE = frozenset({"body-bytes", "wire-bytes", "inflation", "url-too-long"})


class Skipped(Exception):
    """The provider is asked no more for now; ``until`` is when again, ``reason`` a code."""

    def __init__(self, until: datetime, reason: str) -> None:
        super().__init__(reason)
        self.until, self.reason = until, reason


class _Busy(Exception):
    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds  # as the server asks; None where it does not say


class _Again(Exception):
    """Another try may go better; the text is a code."""


class _Refused(Exception):
    """These works cannot be asked about like this; the text is a code."""


@dataclass(frozen=True, slots=True)
class Means:
    """What a conversation needs of the world; tests replace it."""

    rest: Callable[[float], None]  # seconds; may raise to end the work
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = timezone.now


class Conversation:
    """Everything that is asked of one provider in one job."""

    def __init__(self, asker: Asker, door: Door, means: Means) -> None:
        self._asker, self._door, self._means = asker, door, means
        unhurried = settings.FETCH_HOST_DELAY > 0
        self._pace = Pace(asker.gap if unhurried else 0.0)
        self._unhurried = unhurried
        self._refusals = 0

    def ask(self, targets: Sequence[Target]) -> Answers:
        """Ask about works, at most ``asker.most``; each gets an answer. Raises Skipped."""
        try:
            answers = self._try(targets)
        except _Refused as refused:
            if len(targets) > 1:  # one of them spoils it for all
                middle = len(targets) // 2
                return self.ask(targets[:middle]) | self.ask(targets[middle:])
            self._refusals += 1
            if self._refusals >= REFUSALS:
                raise self._skipped(str(refused)) from None
            failed = Answer(RetractionCheck.Outcome.FAILED, detail=str(refused))
            return dict.fromkeys(targets, failed)
        self._refusals = 0
        return answers

    def _try(self, targets: Sequence[Target]) -> Answers:
        reason = ""
        for attempt in range(1, TRIES + 1):
            pause = WAIT
            try:
                return self._talk(targets)
            except _Busy as busy:
                reason = "rate-limit"
                pause = WAIT if busy.seconds is None else busy.seconds
                if pause > LONGEST:
                    raise self._skipped(reason, timedelta(seconds=pause)) from None
            except _Again as fault:
                reason = str(fault)
            if attempt < TRIES:
                self._rest(pause)
        raise self._skipped(reason)

    def _talk(self, targets: Sequence[Target]) -> Answers:
        dialogue = self._asker.ask(targets, base_url(self._asker.provider))
        try:
            request = next(dialogue)
            while True:
                request = dialogue.send(self._send(request))
        except StopIteration as done:
            answers: Answers = done.value
            return answers
        except NotAnswered as fault:
            raise _Again(f"no-answer: {fault}") from None
        except RecursionError:
            raise _Again("no-answer: nested too deeply") from None

    def _send(self, request: Request) -> Response:
        self._rest(self._pace.wait(self._means.clock()))
        try:
            response = self._door.fetch(with_names(self._asker, request))
        except TransientHttpError as fault:
            raise _Again(fault.code) from None
        except PermanentHttpError as fault:
            if fault.code in _TOO_LARGE:
                raise _Refused(fault.code) from None
            raise self._skipped(fault.code) from None
        self._pace.learn(response)
        self._check(response)
        return response

    def _check(self, response: Response) -> None:
        status = response.status
        if status in _SPENT.get(NoticeProvider(self._asker.provider), frozenset({429})):
            raise _Busy(retry_after(response, self._means.now()))
        if status >= 500:
            raise _Again(f"status {status}")
        if status in {401, 402, 403, 407, 451}:
            raise self._skipped(f"status {status}")
        if status >= 400 and status != 404:
            raise _Refused(f"status {status}")

    def _rest(self, seconds: float) -> None:
        if seconds > 0 and self._unhurried:
            self._means.rest(seconds)

    def _skipped(self, reason: str, pause: timedelta = DOWN) -> Skipped:
        until = self._means.now() + min(pause, LONGEST_PAUSE)
        values = {"provider": self._asker.provider, "reason": reason, "until": until.isoformat()}
        log.warning("provider skipped", extra=values)
        return Skipped(until, reason[:300])


def base_url(provider: str) -> str:
    """Give the configured base URL of a provider, without a slash at its end."""
    return str(settings.PROVIDER_BASE_URLS[provider]).rstrip("/")


def with_names(asker: Asker, request: Request) -> Request:
    """Add who asks, and the provider's key where there is one; the key as a credential."""
    url = request.url
    if asker.identify:
        contact = {"email": settings.CONTACT_EMAIL} if settings.CONTACT_EMAIL else {}
        url = f"{url}&{urlencode({'tool': TOOL, **contact})}"
    key = settings.PROVIDER_KEYS.get(asker.provider, "")
    credentials = (Credential(asker.key_name, key, "query"),) if asker.key_name and key else ()
    return replace(request, url=url, credentials=credentials)
