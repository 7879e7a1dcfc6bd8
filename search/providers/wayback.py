"""The Wayback Machine: archived copies of an address. Pure. Providers, section 14."""

import json
import re
from dataclasses import dataclass

from sources.retractions.dates import from_parts
from sources.retractions.reading import as_dict, as_list, as_text

from . import values, words
from .base import Dialogue, Hit, Hits, Query, Request, Response
from .errors import Blocked, Limited, NoAnswer, NotUnderstood

REST = 60.0  # seconds after being told to ask less
_COLUMNS = ("urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length")
_STAMP = re.compile(r"\d{8,14}")


@dataclass(frozen=True, slots=True)
class Wayback:
    """Looks up an address: the copy nearest in time, else the list of all copies."""

    slug: str = "wayback"
    label: str = "Wayback Machine"
    service: str = "wayback"
    gap: float = 2.5  # 24 a minute

    def search(self, query: Query) -> Dialogue:
        """Ask for the nearest copy; only the list knows that there is none."""
        page = values.address_of(query.text.strip())
        if not page:
            raise NotUnderstood(wanted="http(s) addresses")
        params = [("url", page)]
        if query.year_high or query.year_low:
            params.append(("timestamp", str(query.year_high or query.year_low)))
        response = yield Request("wayback-available", "/wayback/available", tuple(params))
        found = self.read_nearest(response, page)
        if not found:
            response = yield Request(
                "wayback",
                "/cdx/search/cdx",
                (
                    ("url", page),
                    ("output", "json"),
                    ("filter", "statuscode:200"),
                    ("limit", f"-{max(query.limit, 1)}"),
                ),
            )
            found = self.read_list(response)
        if not found:
            found.said.notices.append(words.unknown_name(self.label, page))
        return found

    def read_nearest(self, response: Response, page: str) -> Hits:
        """Read the answer about the nearest copy. Raises ProviderError."""
        _check(response)
        body = values.object_of(response)
        if "archived_snapshots" not in body:
            raise NoAnswer(values.message_of(response), status=response.status)
        nearest = as_dict(as_dict(body["archived_snapshots"]).get("closest"))
        stamp = as_text(nearest.get("timestamp"))
        if not nearest.get("available") or not _STAMP.fullmatch(stamp):
            return Hits()
        return Hits([self._hit(page, stamp, values.address_of(nearest.get("url")))])

    def read_list(self, response: Response) -> Hits:
        """Read the list of copies, rows of text or of JSON; the newest first.

        Raises ProviderError. An empty answer, and 404, are an answer: there is none.
        """
        if response.status == 404:
            return Hits()
        _check(response)
        text = response.text().strip()
        if text.startswith("<"):
            raise NoAnswer(values.message_of(response), status=response.status)
        rows = _json_rows(text) if text.startswith("[") else _text_rows(text)
        seen: dict[tuple[str, str], Hit] = {}
        for row in rows:
            named = dict(zip(_COLUMNS, row, strict=False))
            stamp, page = named.get("timestamp", ""), named.get("original", "")
            if _STAMP.fullmatch(stamp) and page:
                seen.setdefault((stamp, page), self._hit(page, stamp, ""))
        if text and not seen and not text.startswith("["):
            raise NoAnswer(values.message_of(response), status=response.status)
        return Hits([seen[key] for key in sorted(seen, reverse=True)])

    def _hit(self, page: str, stamp: str, copy: str) -> Hit:
        found = copy or values.address_of(f"https://web.archive.org/web/{stamp}/{page}")
        return Hit(
            provider=self.slug,
            title=values.title_of(page),
            url=re.sub(r"\Ahttp://", "https://", found),
            published=from_parts(stamp[:4], stamp[4:6], stamp[6:8]),
            venue=self.label,
            raw_id=stamp,
        )


def _check(response: Response) -> None:
    if response.status == 429:
        raise Limited(values.message_of(response), seconds=REST, status=429)
    said = response.head()
    if response.header("x-archive-wayback-runtime-error") or "Blocked Site" in said:
        raise Blocked(said, status=response.status)
    values.check(response)


def _text_rows(text: str) -> list[list[str]]:
    """Rows up to the blank line; behind it stands a mark of the next page."""
    head = text.split("\n\n")[0]
    return [parts for line in head.splitlines() if len(parts := line.split(" ")) >= 3]


def _json_rows(text: str) -> list[list[str]]:
    try:
        rows = as_list(json.loads(text))
    except (ValueError, RecursionError):
        raise NoAnswer("a list that cannot be read") from None
    return [
        [as_text(cell) for cell in as_list(row)] for row in rows[1:]
    ]  # the first one names them


WAYBACK = Wayback()
