"""Ask each host no faster than it likes, and only for what its robots.txt leaves open.

The row of a host is shared by all workers. ``WORKBENCH_FETCH_HOST_DELAY=0`` switches the pace off,
``WORKBENCH_FETCH_ROBOTS=0`` the robots.
"""

from datetime import datetime, timedelta
from urllib.parse import urlsplit
from zlib import crc32

from django.conf import settings
from django.db import transaction
from protego import Protego

from workbench.lib.http import USER_AGENT, Door, HttpError, Limits, Request
from workbench.lib.turns import take_turn

from .models import FetchHost

ROBOTS_AGE = timedelta(days=1)
LONGEST_DELAY = 30.0  # seconds between two requests, whatever a host asks for
ROBOTS_LIMITS = Limits(total_s=15.0, read_s=10.0, wire_bytes=2**20, body_bytes=2**20)
KEPT = 500_000  # characters of a robots.txt: what its standard has readers read
_AGENT = USER_AGENT.partition("/")[0]


def host_of(url: str) -> str:
    """Name the host and port of a normal address."""
    return urlsplit(url).netloc


@transaction.atomic
def reserve(host: str, now: datetime, *, longest: float) -> float:
    """Take the host's next free moment and give the seconds until then.

    Where it is further away than ``longest`` seconds nothing is taken.
    """
    if settings.FETCH_HOST_DELAY <= 0:
        return 0.0
    take_turn("host", crc32(host.encode()))
    row, _made = FetchHost.objects.get_or_create(host=host, defaults={"next_at": now})
    turn = max(now, row.next_at)
    wait = (turn - now).total_seconds()
    if wait <= longest:
        row.next_at = turn + timedelta(seconds=_delay(row.robots))
        row.save(update_fields=["next_at"])
    return wait


def _delay(robots: str) -> float:
    asked = _parsed(robots).crawl_delay(_AGENT) if robots and settings.FETCH_ROBOTS else None
    return max(settings.FETCH_HOST_DELAY, min(asked or 0.0, LONGEST_DELAY))


def may_fetch(url: str, door: Door, now: datetime) -> bool:
    """Tell whether the host's robots.txt lets us fetch a normal address; asked once a day.

    What cannot be read forbids nothing: each page is fetched because a person asked for it.
    """
    if not settings.FETCH_ROBOTS:
        return True
    row = FetchHost.objects.filter(host=host_of(url)).first()
    if row is None or row.robots_at is None or row.robots_at < now - ROBOTS_AGE:
        row = _read(url, door, now)
    return not row.robots or bool(_parsed(row.robots).can_fetch(url, _AGENT))


def _read(url: str, door: Door, now: datetime) -> FetchHost:
    parts = urlsplit(url)
    try:
        answer = door.fetch(Request(f"{parts.scheme}://{parts.netloc}/robots.txt"), ROBOTS_LIMITS)
        text = answer.text()[:KEPT].replace("\x00", "") if answer.ok else ""
    except HttpError:
        text = ""
    row, _made = FetchHost.objects.update_or_create(
        host=host_of(url),
        defaults={"robots": text, "robots_at": now},
        create_defaults={"robots": text, "robots_at": now, "next_at": now},
    )
    return row


def _parsed(robots: str) -> Protego:
    return Protego.parse(robots)
