"""A search-grounded model: pages that it cites, never its prose. Pure. Providers, section 12."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sources.retractions.reading import as_dict, as_list, as_text

from . import values, words
from .base import Dialogue, Hit, Hits, Key, Query, Request, Response
from .errors import BadKey, Limited, NoAnswer, ProviderError, Refused, Spent

MODEL = "google/gemini-3.1-flash-lite-preview"
PATH = "/api/v1/chat/completions"
_OWN_MARK = ("?utm_source=openai", "&utm_source=openai")
_KINDS: dict[int, type[ProviderError]] = {
    400: Refused, 401: BadKey, 402: Spent, 403: BadKey, 404: Refused, 429: Limited
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ground:
    """A model that searches, by OpenRouter; ``model`` is its option."""

    slug: str = "openrouter"
    label: str = "OpenRouter"
    service: str = "openrouter"
    gap: float = 0.5

    def search(self, query: Query) -> Dialogue:
        """Ask one question; each page that is cited is a result."""
        response = yield _request(query)
        return self.read(response)

    def read(self, response: Response) -> Hits:
        """Read an answer, whole or as a stream. Raises ProviderError, also where it came with 200.

        Without citations it is ungrounded, which is no success and no fault: ``said.grounded``.
        """
        chunks = _chunks(response)
        for chunk in chunks:
            _raise_error(chunk, response.status)
        values.check(response)
        if not any("choices" in chunk for chunk in chunks):
            raise NoAnswer(values.message_of(response), status=response.status)
        cited: dict[str, Hit] = {}
        for hit in (hit for chunk in chunks for hit in self._cited(chunk)):
            # The same page may be cited again and again; the first with a title tells most.
            if hit.url and (hit.url not in cited or not cited[hit.url].title):
                cited[hit.url] = hit
        hits = Hits(list(cited.values()))
        hits.said.grounded = bool(hits)
        hits.said.notices.append(words.leads() if hits else words.ungrounded())
        hits.said.request_id = as_text(chunks[0].get("id"))[:100]
        cost = next((c for chunk in reversed(chunks) if (c := _cost(chunk)) is not None), None)
        hits.said.cost = "" if cost is None else f"{cost:g} USD"
        return hits

    def _cited(self, chunk: Any) -> Iterator[Hit]:
        for choice in as_list(chunk.get("choices")):
            for part in (as_dict(choice).get("message"), as_dict(choice).get("delta")):
                for each in as_list(as_dict(part).get("annotations")):
                    if as_dict(each).get("type") == "url_citation":
                        yield self._hit(as_dict(as_dict(each).get("url_citation")))
        # As Perplexity tells them, asked directly.
        for each in as_list(chunk.get("search_results")):
            yield self._hit(as_dict(each))
        for url in as_list(chunk.get("citations")):
            yield self._hit({"url": url})

    def _hit(self, item: Any) -> Hit:
        url = as_text(item.get("url"))
        for mark in _OWN_MARK:
            url = url.removesuffix(mark)
        return Hit(
            provider=self.slug,
            title=values.title_of(item.get("title")),
            url=values.address_of(url),
            snippet=values.snippet_of(item.get("content") or item.get("snippet")),
            published=values.day_of(item.get("date")),
        )


def _request(query: Query) -> Request:
    tool: dict[str, Any] = {"max_results": min(query.limit, 20)}
    if query.sites:
        tool["allowed_domains"] = list(query.sites)
    elif query.exclude:
        tool["excluded_domains"] = list(query.exclude)
    body = {
        "model": query.options.get("model") or MODEL,
        "messages": [{"role": "user", "content": query.text}],
        "tools": [{"type": "openrouter:web_search", "parameters": tool}],
    }
    key = Key("openrouter", "Authorization", prefix="Bearer ")
    return Request("openrouter", PATH, body=values.compact(body), key=key, slow=True)


def _chunks(response: Response) -> list[Any]:
    """Give the objects of an answer: one, or those of a stream of events."""
    text = response.text().lstrip()
    if not text.startswith((":", "data:", "event:", "id:")):
        try:
            return [as_dict(response.json())]
        except ValueError:
            values.check(response)
            raise NoAnswer(values.message_of(response), status=response.status) from None
    chunks, over = [], False
    for line in text.splitlines():
        data = line.removeprefix("data:").strip() if line.startswith("data:") else ""
        over = over or data == "[DONE]"
        if data and data != "[DONE]":
            try:
                chunks.append(as_dict(json.loads(data, strict=False)))
            except (ValueError, RecursionError):
                raise NoAnswer("the stream is cut", status=response.status) from None
    faults = any(as_dict(chunk.get("error")) for chunk in chunks)
    if not chunks or not (over or faults):
        raise NoAnswer("the stream has no end", status=response.status)
    return chunks


def _raise_error(chunk: Any, status: int) -> None:
    choices = (as_dict(each) for each in as_list(chunk.get("choices")))
    for error in (as_dict(chunk.get("error")), *(as_dict(each.get("error")) for each in choices)):
        if not error:
            continue
        code = values.count_of(error.get("code")) or status
        said = [as_text(error.get("message")), as_text(as_dict(error.get("metadata")).get("raw"))]
        kind = _KINDS.get(code, NoAnswer)
        raise kind(values.scrub(": ".join(part for part in said if part)), status=code)


def _cost(chunk: Any) -> float | None:
    cost = as_dict(chunk.get("usage")).get("cost")
    cost = as_dict(cost).get("total_cost") if isinstance(cost, dict) else cost
    return float(cost) if isinstance(cost, int | float) and not isinstance(cost, bool) else None


GROUND = Ground()
