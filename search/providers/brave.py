"""Brave: an index of the web of its own. Pure. Providers, section 4."""

from dataclasses import dataclass
from typing import Any

from sources.retractions.reading import as_dict, as_list, as_text

from . import values, words
from .base import Dialogue, Hit, Hits, Key, Query, Request, Response, keeping
from .errors import BadKey, Limited, NoAnswer, ProviderError, Spent

LONGEST, MOST_WORDS = 400, 50
PAGE, LAST_PAGE = 20, 9  # ``offset`` counts pages
_RANGES = {"d": "pd", "w": "pw", "m": "pm", "y": "py"}
_LANGUAGES = {"zh": "zh-hans"}
_LONG = 3600.0  # a window longer than that is an allowance, not a pace


@dataclass(frozen=True, slots=True)
class Brave:
    """Brave's web search."""

    slug: str = "brave"
    label: str = "Brave"
    service: str = "brave"
    gap: float = 1.0

    def search(self, query: Query) -> Dialogue:
        """Ask page after page, ten at most."""
        found, text = Hits(), _fitting(values.with_sites(query))
        for page in range(LAST_PAGE + 1):
            with keeping(found):
                response = yield self._request(query, text, page, query.limit - len(found))
                more = self.read(response, query)
            found.extend(more)
            found.said = found.said if page else more.said
            if len(found) >= query.limit or len(more) < PAGE:
                break
        if text != values.with_sites(query):
            found.said.notices.append(words.altered(text))
        return found

    def _request(self, query: Query, text: str, page: int, wanted: int) -> Request:
        params = {
            "q": text,
            "count": str(PAGE if page else min(max(wanted, 1), PAGE)),
            "text_decorations": "false",
            "result_filter": "web",
        }
        if page:
            params["offset"] = str(page)
        if language := values.language_of(query):
            params["search_lang"] = _LANGUAGES.get(language, language)
        if limit := _time(query):
            params["freshness"] = limit
        key = Key("brave", "X-Subscription-Token")
        return Request("brave", "/res/v1/web/search", tuple(params.items()), key=key)

    def read(self, response: Response, query: Query) -> Hits:
        """Read one answer; without ``web`` nothing was found. Raises ProviderError."""
        if not response.ok:
            raise_error(response)
        body = values.object_of(response)
        if body.get("type") != "search" and "query" not in body:
            raise NoAnswer(values.message_of(response), status=response.status)
        listed = as_list(as_dict(body.get("web")).get("results"))
        hits = Hits([self._hit(as_dict(each), query) for each in listed])
        if altered := as_text(as_dict(body.get("query")).get("altered")):
            hits.said.altered = altered
            hits.said.notices.append(words.altered(altered))
        hits.said.remaining = response.header("x-ratelimit-remaining")[:60]
        return hits

    def _hit(self, item: Any, query: Query) -> Hit:
        site = as_dict(item.get("profile")).get("name") or as_dict(item.get("meta_url")).get(
            "hostname"
        )
        age = values.day_of(item.get("page_age")) or values.spoken_date(item.get("age"), query)
        return Hit(
            provider=self.slug,
            title=values.title_of(item.get("title")),
            url=values.address_of(item.get("url")),
            snippet=values.snippet_of(item.get("description")),
            published=age,
            venue=values.title_of(site),
        )


def raise_error(response: Response) -> None:
    """Raise what an error body says: 422 may be a bad key, 429 a pace or a spent month."""
    said, status = values.message_of(response), response.status
    try:
        codes = values.codes_of(response.json())
    except ValueError:
        codes = set()
    fault: ProviderError | None = None
    if "SUBSCRIPTION_TOKEN_INVALID" in codes or ("VALIDATION" in codes and "token" in said.lower()):
        fault = BadKey(said, status=status)
    elif status == 429:
        seconds = _rest(response)
        long = "QUOTA_LIMITED" in codes or (seconds is not None and seconds > _LONG)
        kind = Spent if long else Limited
        fault = kind(said, seconds=seconds, status=status)
    if fault is not None:
        raise fault
    values.check(response)


def _rest(response: Response) -> float | None:
    """Give the seconds of the first window in which nothing remains; one without limit is none."""

    def numbers(name: str) -> list[int]:
        parts = [part.strip() for part in response.header(name).split(",")]
        return [int(part) for part in parts if part.isascii() and part.isdigit()]

    limits, left = numbers("x-ratelimit-limit"), numbers("x-ratelimit-remaining")
    resets = numbers("x-ratelimit-reset")
    for place, seconds in enumerate(resets):
        limit = limits[place] if place < len(limits) else 1
        remaining = left[place] if place < len(left) else 0
        if limit > 0 and remaining == 0:
            return float(seconds)
    return None


def _fitting(text: str) -> str:
    """Cut a query to what Brave takes."""
    return " ".join(text[:LONGEST].split()[:MOST_WORDS])


def _time(query: Query) -> str:
    if query.time_range and not (query.year_low or query.year_high):
        return _RANGES[query.time_range]
    low, high = values.window_of(query)
    if low is None and high is None:
        return ""
    first = low.isoformat() if low else "1990-01-01"
    if high is None:
        high = query.now.date() if query.now else None
    return f"{first}to{high.isoformat()}" if high else ""


BRAVE = Brave()
