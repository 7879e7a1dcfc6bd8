"""Exa: a search of the web by meaning. Pure. Providers, section 3."""

from dataclasses import dataclass
from typing import Any

from sources.retractions.reading import as_dict, as_list, as_text, first_text

from . import values
from .base import Dialogue, Hit, Hits, Key, Query, Request, Response
from .errors import NoAnswer, Spent

MOST = 100
_SPENT = frozenset({"NO_MORE_CREDITS", "API_KEY_BUDGET_EXCEEDED"})


@dataclass(frozen=True, slots=True)
class Exa:
    """Exa; ``type`` and ``category`` are its options."""

    slug: str = "exa"
    label: str = "Exa"
    service: str = "exa"
    gap: float = 0.1  # ten a second

    def search(self, query: Query) -> Dialogue:
        """Ask once, with extracts: without them it gives no snippet."""
        response = yield self._request(query)
        return self.read(response)

    def _request(self, query: Query) -> Request:
        body: dict[str, Any] = {
            "query": query.text,
            "type": query.options.get("type", "auto"),
            "numResults": min(query.limit, MOST),
            "contents": {"highlights": True},
        }
        if category := query.options.get("category"):
            body["category"] = category
        if query.sites:
            body["includeDomains"] = list(query.sites)
        elif query.exclude:
            body["excludeDomains"] = list(query.exclude)
        low, high = values.window_of(query)
        body |= {"startPublishedDate": f"{low}T00:00:00.000Z"} if low else {}
        body |= {"endPublishedDate": f"{high}T23:59:59.999Z"} if high else {}
        return Request("exa", "/search", body=values.compact(body), key=Key("exa", "x-api-key"))

    def read(self, response: Response) -> Hits:
        """Read the answer. Raises ProviderError."""
        if not response.ok:
            said = values.message_of(response)
            if response.status == 402 or _SPENT & values.codes_of(_quietly(response)):
                raise Spent(said, status=response.status)
        values.check(response)
        body = values.object_of(response)
        if not isinstance(body.get("results"), list):
            raise NoAnswer(values.message_of(response), status=response.status)
        hits = Hits([self._hit(as_dict(each)) for each in as_list(body["results"])])
        hits.said.request_id = as_text(body.get("requestId"))[:100]
        hits.said.altered = as_text(body.get("autopromptString"))
        total = as_dict(body.get("costDollars")).get("total")
        if isinstance(total, int | float) and not isinstance(total, bool):
            hits.said.cost = f"{total:g} USD"
        return hits

    def _hit(self, item: Any) -> Hit:
        author = as_text(item.get("author"))
        author = author[3:] if author[:3].lower() == "by " else author
        extract = first_text(item.get("highlights")) or as_text(item.get("summary"))
        return Hit(
            provider=self.slug,
            title=values.title_of(item.get("title")),
            url=values.address_of(item.get("url")),
            snippet=values.snippet_of(extract or as_text(item.get("text"))),
            published=_published(item.get("publishedDate")),
            authors=values.names_of([author]),
            raw_id=as_text(item.get("id"))[:200],
        )


def _published(value: Any) -> str:
    """Give the date; the first of January is a placeholder, of which only the year is told."""
    day = values.day_of(value)
    return day[:4] if day.endswith("-01-01") else day


def _quietly(response: Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return None


EXA = Exa()
