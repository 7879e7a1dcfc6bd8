"""How fast a server wants to be asked: gaps between requests, and how long to rest."""

import math
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from .messages import Response

_SPAN = re.compile(r"^\s*(\d+)\s*(ms|s|m|h)?\s*$")
_SECONDS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "h": 3600.0}


def retry_after(response: Response, now: datetime) -> float | None:
    """Give the seconds that ``Retry-After`` asks for; None where it is absent or unreadable."""
    said = response.header("retry-after").strip()
    if not said:
        return None
    if said.isascii() and said.isdigit():
        return float(said[:9])
    try:
        moment = parsedate_to_datetime(said)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def gap_of(response: Response) -> float | None:
    """Give the seconds between requests that ``x-rate-limit-*`` headers allow, None if unsaid.

    ``x-rate-limit-limit: 10`` and ``x-rate-limit-interval: 1s`` allow ten a second.
    """
    limit = response.header("x-rate-limit-limit").strip()
    span = _SPAN.match(response.header("x-rate-limit-interval") or "1s")
    if not (limit.isascii() and limit.isdigit()) or span is None or int(limit[:9]) == 0:
        return None
    gap = int(span[1][:9]) * _SECONDS[span[2] or ""] / int(limit[:9])
    return gap if math.isfinite(gap) else None


class Pace:
    """When the next request may go. Learns from answers; never faster than its own gap."""

    def __init__(self, gap: float) -> None:
        self._least = self._gap = gap  # seconds
        self._next = 0.0  # on the caller's clock

    def wait(self, now: float) -> float:
        """Give the seconds to wait from ``now``, and count the request that follows."""
        pause = max(0.0, self._next - now)
        self._next = now + pause + self._gap
        return pause

    def learn(self, response: Response) -> None:
        """Take over what the server says of its limits."""
        said = gap_of(response)
        if said is not None:
            self._gap = max(self._least, said)
