"""Hold a dialogue with one provider to its end: three tries, and what came of it.

A rate limit or a time-out waits 5 s and is tried three times, a ``Retry-After`` is obeyed up to a
minute; above that the provider is left alone until then. Rulebook section 6.
"""

import logging
from dataclasses import dataclass, field
from datetime import timedelta

from django.conf import settings

from search.providers import PROVIDERS, Hits, Provider, Query, Request, Response, errors, run
from search.sending import Means, Sender, Sent
from sources.noticing.checking import pause
from sources.noticing.talking import LONGEST, LONGEST_PAUSE, TRIES, WAIT
from workbench.lib.http import retry_after

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a provider gave: results, or why there are none, and every call."""

    hits: Hits
    calls: tuple[Sent, ...]
    fault: errors.ProviderError | None = None
    reason: str = field(default="")

    @property
    def status(self) -> str:
        """The receipt's: ok, partial or failed."""
        if self.fault is None:
            return "ok"
        return "partial" if self.hits else "failed"


def ask(slug: str, query: Query, means: Means) -> Answer:
    """Hold a dialogue with the provider of that name; as ``talk``."""
    return talk(PROVIDERS[slug], query, means)


def talk(provider: Provider, query: Query, means: Means) -> Answer:
    """Hold a dialogue, and try again where that may help. What ``means.rest`` raises ends it."""
    sender = Sender(provider.gap, means)
    try:
        return _Dialogue(provider, query, sender, means).hold()
    finally:
        sender.close()
        for call in sender.calls:
            log.info(
                "provider asked",
                extra={
                    "provider": provider.slug,
                    "status": call.status,
                    "ms": call.ms,
                    "out": call.outcome,
                },
            )


class _Dialogue:
    """One dialogue, over all its tries. What was answered well is not asked again."""

    def __init__(self, provider: Provider, query: Query, sender: Sender, means: Means) -> None:
        self._provider, self._query = provider, query
        self._sender, self._means = sender, means
        self._answered: dict[Request, Response] = {}
        self._latest: Request | None = None

    def hold(self) -> Answer:
        fault: errors.ProviderError | None = None
        for attempt in range(1, TRIES + 1):
            self._sender.attempt = attempt
            try:
                hits = run(self._provider, self._query, self._send)
            except errors.ProviderError as raised:
                fault = raised
                self._sender.failed(fault)
                if self._latest is not None:
                    self._answered.pop(self._latest, None)
                seconds = self._pause(fault)
                if seconds is None or attempt == TRIES:
                    break
                if seconds > 0 and settings.FETCH_HOST_DELAY > 0:
                    self._means.rest(seconds)
            else:
                return Answer(hits, tuple(self._sender.calls))
        assert fault is not None  # noqa: S101  # for the types: the loop ran
        so_far = fault.so_far if isinstance(fault.so_far, Hits) else Hits()
        return Answer(so_far, tuple(self._sender.calls), fault, fault.reason("en"))

    def _send(self, request: Request) -> Response:
        if request in self._answered:
            return self._answered[request]
        self._latest = request
        response = self._sender.send(request)
        self._answered[request] = response
        return response

    def _pause(self, fault: errors.ProviderError) -> float | None:
        """Give the seconds before another try; None where none would help."""
        said = getattr(fault, "seconds", None)
        limited = isinstance(fault, errors.Limited | errors.Spent)
        if said is None and limited and self._sender.last is not None:
            said = retry_after(self._sender.last, self._means.now())
        if limited and said is not None and (said > LONGEST or not fault.again):
            self._leave_alone(said, fault)
            return None
        if not fault.again:
            return None
        return WAIT if said is None else said

    def _leave_alone(self, seconds: float, fault: errors.ProviderError) -> None:
        longest = min(seconds, LONGEST_PAUSE.total_seconds())
        until = self._means.now() + timedelta(seconds=longest)
        service = self._latest.service if self._latest is not None else self._provider.service
        pause(service, until, fault.reason("en"))
        fault.detail = f"{fault.detail}; asked again from {until:%Y-%m-%d %H:%M} UTC".lstrip("; ")
        log.warning(
            "provider left alone",
            extra={"provider": service, "until": until.isoformat(), "reason": fault.code},
        )
