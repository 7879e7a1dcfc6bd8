"""Serper: Google's web, scholar, patents and news. Pure. Providers, section 1."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sources.retractions.reading import as_dict, as_text

from . import values, words
from .base import Dialogue, Hit, Hits, Key, Query, Request, Response, keeping
from .errors import NoAnswer, Spent

PAGE = 10  # more in one answer is undocumented
_SEPARATOR = " - "
_LANGUAGES = {"zh": ("cn", "zh-cn"), "en": ("us", "en"), "ja": ("jp", "ja"), "ko": ("kr", "ko")}
_CUT = "…"


@dataclass(frozen=True, slots=True)
class Serper:
    """One of Serper's engines."""

    slug: str
    label: str
    engine: str  # the path
    listed: str = "organic"  # the key of the list
    service: str = "serper"
    gap: float = 0.1

    def search(self, query: Query) -> Dialogue:
        """Ask page after page; ten results each."""
        found = Hits()
        page = 1
        while True:
            with keeping(found):
                response = yield self._request(query, page)
                more = self.read(response, query)
            new = self._new(found, more)
            found.extend(new)
            self._hear(found, more)
            if len(found) >= query.limit or len(more) < PAGE or not new:
                break
            page += 1
        self._tell(found, query)
        return found

    def _request(self, query: Query, page: int) -> Request:
        body: dict[str, Any] = {"q": values.with_sites(query), "num": PAGE}
        country, language = _LANGUAGES.get(values.language_of(query), ("", ""))
        if language:
            body |= {"gl": country, "hl": language}
        if page > 1:
            body["page"] = page
        if limit := self._time(query):
            body["tbs"] = limit
        if self.engine == "scholar":
            body |= {"as_ylo": query.year_low} if query.year_low else {}
            body |= {"as_yhi": query.year_high} if query.year_high else {}
        key = Key("serper", "X-API-KEY")
        return Request("serper", f"/{self.engine}", body=values.compact(body), key=key)

    def _time(self, query: Query) -> str:
        if self.engine not in {"search", "news"}:
            return ""
        if query.time_range and not (query.year_low or query.year_high):
            return f"qdr:{query.time_range}"
        low, high = values.window_of(query)
        if low is None and high is None:
            return ""
        parts = ["cdr:1"]
        parts += [f"cd_min:{low:%m/%d/%Y}"] if low else []
        parts += [f"cd_max:{high:%m/%d/%Y}"] if high else []
        return ",".join(parts)

    def _tell(self, found: Hits, query: Query) -> None:
        """Say which limits this engine did not apply."""
        years = query.year_low or query.year_high
        if self.engine == "patents" and (years or query.time_range):
            found.said.notices.append(words.no_time(self.label))
        if self.engine == "scholar" and query.time_range:
            found.said.notices.append(words.no_time(self.label))

    def read(self, response: Response, query: Query) -> Hits:
        """Read one answer. Raises ProviderError."""
        if response.status == 400 and "credit" in values.message_of(response).lower():
            raise Spent(values.message_of(response), status=400)
        values.check(response)
        body = values.object_of(response)
        listed = body.get(self.listed)
        if not isinstance(listed, list):
            # An answer without results still echoes what was asked.
            if "searchParameters" not in body:
                raise NoAnswer(values.message_of(response), status=response.status)
            listed = []
        hits = Hits([self._hit(as_dict(each), query) for each in listed])
        if (spent := values.count_of(body.get("credits"))) is not None:
            hits.said.cost = f"{spent} credits"
        asked = as_text(as_dict(body.get("searchInformation")).get("showingResultsFor"))
        if asked:
            hits.said.altered = asked
        return hits

    def _new(self, found: Iterable[Hit], more: Hits) -> list[Hit]:
        """Leave out what an earlier page held: engines repeat the last one without end."""
        seen = {hit.url or hit.raw_id for hit in found}
        return [hit for hit in more if (hit.url or hit.raw_id) not in seen]

    def _hear(self, found: Hits, more: Hits) -> None:
        spent = [each.said.cost.split(" ")[0] for each in (found, more) if each.said.cost]
        if spent:
            found.said.cost = f"{sum(map(int, spent))} credits"
        found.said.altered = found.said.altered or more.said.altered

    def _hit(self, item: dict[str, Any] | Any, query: Query) -> Hit:
        if self.engine == "scholar":
            return _paper(self.slug, item)
        if self.engine == "patents":
            return _patent(self.slug, item)
        return Hit(
            provider=self.slug,
            title=values.title_of(item.get("title")),
            url=values.address_of(item.get("link")),
            snippet=values.snippet_of(item.get("snippet")),
            published=values.spoken_date(item.get("date"), query),
            venue=values.title_of(item.get("source")),
        )


def _paper(slug: str, item: Any) -> Hit:
    authors, venue = _publication(as_text(item.get("publicationInfo")))
    year = values.count_of(item.get("year"))
    return Hit(
        provider=slug,
        title=values.title_of(item.get("title")),
        url=values.address_of(item.get("link")) or values.address_of(item.get("pdfUrl")),
        snippet=values.snippet_of(item.get("snippet")),
        published=f"{year:04d}" if year and 1000 <= year <= 9999 else "",
        authors=authors,
        venue=venue,
        cited_by=values.count_of(item.get("citedBy")),
        raw_id=as_text(item.get("id"))[:200],
    )


def _publication(text: str) -> tuple[tuple[str, ...], str]:
    """Read "A Author, B Author… - Venue…, 2019 - host"; what is cut with "…" is a hint only."""
    parts = text.replace("\xa0", " ").split(_SEPARATOR)
    if len(parts) < 2:
        return (), ""
    listed = _SEPARATOR.join(parts[:-2]) if len(parts) > 2 else parts[0]
    middle = parts[-2] if len(parts) > 2 else ""
    venue = re.sub(r"(?:,\s*|^)\d{4}\s*$", "", middle).strip()
    authors = values.names_of(name.strip(f" {_CUT}") for name in listed.split(","))
    return authors, venue


def _patent(slug: str, item: Any) -> Hit:
    dates = (values.day_of(item.get(name)) for name in _PATENT_DATES)
    people = [as_text(item.get("inventor"))]
    return Hit(
        provider=slug,
        title=values.title_of(item.get("title")),
        url=values.address_of(item.get("link")),
        snippet=values.snippet_of(item.get("snippet")),
        published=next((day for day in dates if day), ""),
        authors=values.names_of(people),
        venue=values.title_of(item.get("assignee")),
        patent_number=as_text(item.get("publicationNumber"))[:40],
        raw_id=as_text(item.get("publicationNumber"))[:200],
    )


_PATENT_DATES = ("publicationDate", "grantDate", "filingDate", "priorityDate")

SERPER = (
    Serper("serper-search", "Serper", "search"),
    Serper("serper-scholar", "Serper Scholar", "scholar"),
    Serper("serper-patents", "Serper Patents", "patents"),
    Serper("serper-news", "Serper News", "news", listed="news"),
)
