"""Tavily: a search of the web for machines. Pure. Providers, section 2."""

from dataclasses import dataclass
from typing import Any

from sources.retractions.reading import as_dict, as_list, as_text

from . import values, words
from .base import Dialogue, Hit, Hits, Key, Query, Request, Response
from .errors import NoAnswer, Spent

LONGEST = 400  # characters of a query
MOST = 20  # results
_RANGES = {"d": "day", "w": "week", "m": "month", "y": "year"}
_SPENT = frozenset({432, 433})  # the plan's limit, the limit of paying as one goes


@dataclass(frozen=True, slots=True)
class Tavily:
    """Tavily; ``search_depth``, ``topic`` and ``time_range`` are its options."""

    slug: str = "tavily"
    label: str = "Tavily"
    service: str = "tavily"
    gap: float = 0.6  # 100 a minute with a key for development

    def search(self, query: Query) -> Dialogue:
        """Ask once; it gives no pages."""
        response = yield self._request(query)
        found = self.read(response, query)
        if len(query.text) > LONGEST:
            found.said.notices.append(words.altered(query.text[:LONGEST]))
        return found

    def _request(self, query: Query) -> Request:
        body: dict[str, Any] = {
            "query": query.text[:LONGEST],
            "search_depth": query.options.get("search_depth", "basic"),
            "topic": query.options.get("topic", "general"),
            "max_results": min(query.limit, MOST),
            "include_usage": True,
        }
        if query.sites:
            body["include_domains"] = list(query.sites[:300])
        if query.exclude:
            body["exclude_domains"] = list(query.exclude[:150])
        body |= _time(query)
        key = Key("tavily", "Authorization", prefix="Bearer ")
        return Request("tavily", "/search", body=values.compact(body), key=key)

    def read(self, response: Response, query: Query) -> Hits:
        """Read the answer. Raises ProviderError."""
        if response.status in _SPENT:
            raise Spent(values.message_of(response), status=response.status)
        values.check(response)
        body = values.object_of(response)
        if not isinstance(body.get("results"), list):
            raise NoAnswer(values.message_of(response), status=response.status)
        hits = Hits([self._hit(as_dict(each), query) for each in as_list(body["results"])])
        hits.said.request_id = as_text(body.get("request_id"))[:100]
        spent = values.count_of(as_dict(body.get("usage")).get("credits"))
        hits.said.cost = "" if spent is None else f"{spent} credits"
        return hits

    def _hit(self, item: Any, query: Query) -> Hit:
        return Hit(
            provider=self.slug,
            title=values.title_of(item.get("title")),
            url=values.address_of(item.get("url")),
            snippet=values.snippet_of(item.get("content")),
            published=_published(item.get("published_date"), query),
        )


def _time(query: Query) -> dict[str, str]:
    if query.year_low or query.year_high:
        low, high = values.window_of(query)
        told = {"start_date": low, "end_date": high}
        return {name: day.isoformat() for name, day in told.items() if day}
    asked = _RANGES.get(query.time_range) or query.options.get("time_range", "")
    return {"time_range": asked} if asked else {}


def _published(value: Any, query: Query) -> str:
    """Read an ISO date or one as e-mail writes it: "Tue, 03 Sep 2024 07:00:00 GMT"."""
    text = as_text(value)
    parts = text.partition(",")[2].split() if "," in text else []
    return (
        values.spoken_date(" ".join(parts[:3]), query) if len(parts) >= 3 else values.day_of(text)
    )


TAVILY = Tavily()
