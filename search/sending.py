"""Send what a provider asks: through the door, in turn with all workers, each call noted.

The limits of a service hold for all workers together: whoever wants to send takes the next place
in a row of the database. A key is added here and nowhere else, and is taken out of all that comes
back.
"""

import hashlib
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from urllib.parse import urlencode
from zlib import crc32

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from search.models import ProviderPace
from search.providers import Request, errors
from sources.network import open_door
from sources.noticing.checking import paused_until
from workbench.lib.http import Credential, Door, HttpError, Limits, Response, TransientHttpError
from workbench.lib.http import Request as DoorRequest
from workbench.lib.http.pacing import gap_of
from workbench.lib.http.words import WORDS
from workbench.lib.turns import take_turn

log = logging.getLogger(__name__)

SLOW = Limits(total_s=240.0, read_s=120.0)
LONGEST_TURN = 120.0  # seconds that a place in the row may lie ahead
HIDDEN = b"***"

type OpenDoor = Callable[[str], Door]


@dataclass(frozen=True, slots=True)
class Means:
    """What sending needs of the world; tests replace it."""

    rest: Callable[[float], None] = time.sleep  # seconds; may raise to end the work
    now: Callable[[], datetime] = timezone.now
    door: OpenDoor = field(default=lambda service: open_door([base_url(service)], keep=True))


@dataclass(slots=True)
class Sent:
    """One call, as it is kept."""

    service: str
    method: str
    url: str
    body: str
    at: datetime
    attempt: int
    ms: int = 0
    status: int | None = None
    outcome: str = "ok"
    error: str = ""
    response_hash: str = ""
    response_bytes: int = 0


def base_url(service: str) -> str:
    """Give the configured base URL of a service, without a slash at its end."""
    return str(settings.PROVIDER_BASE_URLS[service]).rstrip("/")


def key_name(service: str) -> str:
    """Give the variable of the environment that holds a service's key."""
    return f"{service.upper().replace('-', '_')}_API_KEY"


def address_of(request: Request) -> str:
    """Give the address of a request, without its key and without who asks."""
    query = f"?{urlencode(request.params, safe=',:/*')}" if request.params else ""
    return f"{base_url(request.service)}{request.path}{query}"


class Sender:
    """Sends the requests of one dialogue, and keeps what was sent."""

    def __init__(self, gap: float, means: Means) -> None:
        self.calls: list[Sent] = []
        self.last: Response | None = None
        self.attempt = 1
        self._gap, self._means = gap, means
        self._doors: dict[str, Door] = {}

    def close(self) -> None:
        """Close the connections that were kept."""
        for door in self._doors.values():
            door.close()

    def send(self, request: Request) -> Response:
        """Ask once. Raises ProviderError where no answer comes, or none may be asked for."""
        secrets = credentials_of(request)
        until = paused_until(request.service, self._means.now())
        if until is not None:
            raise errors.Resting(until=f"{until:%Y-%m-%d %H:%M} UTC")
        self._take_turn(request.service)
        method = "POST" if request.body else "GET"
        call = Sent(
            request.service, method, address_of(request), request.body, self._means.now(),
            self.attempt,
        )  # fmt: skip
        self.calls.append(call)
        self.last = None
        response = self._fetched(request, secrets, call)
        call.status, call.ms = response.status, round(response.seconds * 1000)
        call.response_hash = hashlib.sha256(response.body).hexdigest()
        call.response_bytes = len(response.body)
        self.last = response
        self._learn(request.service, response)
        return response

    def failed(self, fault: errors.ProviderError) -> None:
        """Note at the last call what its answer turned out to be."""
        if isinstance(fault, errors.NoKey | errors.Resting):
            return  # nothing was sent
        if self.calls and self.calls[-1].outcome == "ok":
            self.calls[-1].outcome, self.calls[-1].error = fault.code, fault.reason("en")[:500]

    def _fetched(self, request: Request, secrets: tuple[Credential, ...], call: Sent) -> Response:
        headers = {"accept": "application/json, text/xml;q=0.9, */*;q=0.8"}
        headers |= {"content-type": "application/json"} if request.body else {}
        wanted = DoorRequest(
            call.url,
            method="POST" if request.body else "GET",
            headers=headers,
            body=request.body.encode(),
            credentials=secrets,
        )
        began = time.monotonic()
        try:
            door = self._doors.setdefault(request.service, self._means.door(request.service))
            response = door.fetch(wanted, SLOW if request.slow else None)
        except HttpError as fault:
            call.ms = round((time.monotonic() - began) * 1000)
            words = WORDS[fault.code].en.rstrip(".") if fault.code in WORDS else fault.code
            again = isinstance(fault, TransientHttpError)
            raised = errors.Unreachable(f"{fault.code}: {words}", again=again)
            call.outcome, call.error = fault.code[:20], raised.reason("en")[:500]
            raise raised from None
        return without_secrets(response)

    def _take_turn(self, service: str) -> None:
        if settings.FETCH_HOST_DELAY <= 0:
            return
        seconds = reserve(service, self._gap, self._means.now())
        if seconds > 0:
            self._means.rest(seconds)

    def _learn(self, service: str, response: Response) -> None:
        said = gap_of(response)
        if said is not None and said > self._gap and settings.FETCH_HOST_DELAY > 0:
            self._gap = min(said, LONGEST_TURN)
            ProviderPace.objects.filter(service=service).update(gap=self._gap)


def credentials_of(request: Request) -> tuple[Credential, ...]:
    """Give the secrets that a request needs. Raises NoKey where one is missing.

    Another base URL than the provider's own may be a proxy that adds the key itself.
    """
    found = []
    own = settings.PROVIDER_BASE_URLS[request.service] == settings.PROVIDER_HOMES[request.service]
    if (key := request.key) is not None:
        if value := settings.PROVIDER_KEYS.get(key.service, ""):
            found.append(Credential(key.name, key.prefix + value, key.place))
        elif key.required and own:
            raise errors.NoKey(name=key_name(key.service))
    if request.contact:
        if settings.CONTACT_EMAIL:
            found.append(Credential(request.contact, settings.CONTACT_EMAIL, "query"))
        elif request.contact_required and own:
            raise errors.NoKey(name="WORKBENCH_CONTACT_EMAIL")
    return tuple(found)


def without_secrets(response: Response) -> Response:
    """Take secrets out of an answer that echoes them: bytes and headers.

    The operator's address goes out with every request, as who asks, and is no part of an answer.
    """
    body, headers = response.body, response.headers
    for secret in filter(None, (*response.secrets, settings.CONTACT_EMAIL)):
        body = body.replace(secret.encode(), HIDDEN)
        headers = tuple((name, value.replace(secret, HIDDEN.decode())) for name, value in headers)
    if body is response.body and headers == response.headers:
        return response
    return replace(response, body=body, headers=headers)


@transaction.atomic
def reserve(service: str, gap: float, now: datetime) -> float:
    """Take the next place in a service's row; give the seconds until it is our turn."""
    take_turn("pace", crc32(service.encode()))
    pace, _made = ProviderPace.objects.select_for_update().get_or_create(
        service=service, defaults={"next_at": now}
    )
    latest = now + timedelta(seconds=LONGEST_TURN)
    turn = min(max(now, pace.next_at), latest)
    pace.next_at = turn + timedelta(seconds=max(gap, pace.gap))
    pace.save(update_fields=["next_at"])
    return (turn - now).total_seconds()
