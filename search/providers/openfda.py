"""openFDA: approvals, labels and adverse event reports. Pure. Providers, section 7."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

from sources.retractions.reading import as_dict, as_list, as_text, first_text

from . import values, words
from .base import PAGES, Dialogue, Hit, Hits, Key, Query, Request, Response, keeping
from .errors import NoAnswer, ProviderError, Refused

PAGE = 1000
_KEY = Key("openfda", "api_key", "query", required=False)
_NEXT = re.compile(r"<([^<>]+)>\s*;\s*rel=\"?next\"?", re.IGNORECASE)
_WORD = re.compile(r"[^\W_][\w-]{3,}")
MOST_WORDS = 6
_MALFORMED = ("token_mgr_error", "parse")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One of openFDA's lists: which fields name a drug, which one is the date."""

    path: str
    fields: tuple[str, ...]
    dated: str
    hit: Callable[[Any], Hit]


@dataclass(frozen=True, slots=True)
class OpenFda:
    """openFDA; ``endpoints`` is its option: drugsfda, label and event, joined by "+"."""

    slug: str = "openfda"
    label: str = "openFDA"
    service: str = "openfda"
    gap: float = 0.25  # 240 a minute

    def search(self, query: Query) -> Dialogue:
        """Ask each list in turn; what is wanted is shared out among them."""
        names = query.options.get("endpoints", "drugsfda+label").split("+")
        chosen = [name for name in names if name in ENDPOINTS]
        found = Hits()
        for place, name in enumerate(chosen):
            wanted = -(-(query.limit - len(found)) // (len(chosen) - place))
            with keeping(found):
                yield from self._list(ENDPOINTS[name], query, wanted, found)
        if "event" in chosen:
            found.said.notices.append(words.reports())
        if query.sites:
            found.said.notices.append(words.no_sites(self.label))
        return found

    def _list(self, endpoint: Endpoint, query: Query, wanted: int, found: Hits) -> Dialogue:
        held, following = 0, ""
        for _ in range(PAGES):
            response = yield _request(endpoint, query, wanted - held, following)
            more, following = read(response, endpoint)
            found.extend(more)
            held += len(more)
            if held == len(more) and more.said.total is not None:
                found.said.total = (found.said.total or 0) + more.said.total
            if held >= wanted or not more or not following:
                break
        return found


def read(response: Response, endpoint: Endpoint) -> tuple[Hits, str]:
    """Read one answer: results, and the mark of the next page. Raises ProviderError.

    404 with NOT_FOUND is an answer: nothing matches.
    """
    if response.status == 404 and "NOT_FOUND" in values.codes_of(_quietly(response)):
        return Hits(), ""
    if response.status == 500:
        raise _malformed(response) or NoAnswer(values.message_of(response), status=500)
    values.check(response)
    body = values.object_of(response)
    if not isinstance(body.get("results"), list):
        raise NoAnswer(values.message_of(response), status=response.status)
    hits = Hits([endpoint.hit(as_dict(each)) for each in as_list(body["results"])])
    total = as_dict(as_dict(body.get("meta")).get("results")).get("total")
    hits.said.total = values.count_of(total)
    hits.said.remaining = response.header("x-ratelimit-remaining")[:20]
    return hits, _mark(response.header("link"))


def _quietly(response: Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return None


def _malformed(response: Response) -> ProviderError | None:
    """A query that cannot be read is told as a fault of the server; once more will not help."""
    details = as_text(as_dict(as_dict(_quietly(response)).get("error")).get("details"))
    if any(details.lower().lstrip("[").startswith(sign) for sign in _MALFORMED):
        return Refused(details, status=500)
    return None


def _mark(link: str) -> str:
    found = _NEXT.search(link)
    if found is None:
        return ""
    return dict(parse_qsl(urlsplit(found[1]).query)).get("search_after", "")


def _request(endpoint: Endpoint, query: Query, wanted: int, mark: str) -> Request:
    params = {
        "search": _expression(endpoint, query),
        "limit": str(min(max(wanted, 1), PAGE)),
    }
    if mark:
        params |= {"skip": "0", "search_after": mark}
    return Request("openfda", endpoint.path, tuple(params.items()), key=_KEY)


def _expression(endpoint: Endpoint, query: Query) -> str:
    """Look for the text and each of its longer words in the fields that name a drug.

    A text with a colon is an expression already.
    """
    text = query.text
    if ":" not in text:
        plain = text.replace('"', " ").replace("\\", " ")
        words_ = _WORD.findall(plain)
        terms = list(dict.fromkeys([" ".join(plain.split()), *words_]))[: MOST_WORDS + 1]
        terms = terms if len(words_) > 1 else terms[:1]
        text = " OR ".join(f'{name}:"{term}"' for term in terms for name in endpoint.fields)
    low, high = values.window_of(query)
    if low or high:
        first = f"{low:%Y%m%d}" if low else "19000101"
        last = f"{high:%Y%m%d}" if high else "29991231"
        text = f"({text}) AND {endpoint.dated}:[{first} TO {last}]"
    return text


# --- Their records -------------------------------------------------------------------------------


def _application(item: Any) -> Hit:
    number = as_text(item.get("application_number"))
    products = [as_dict(each) for each in as_list(item.get("products"))]
    names = list(dict.fromkeys(as_text(each.get("brand_name")) for each in products))
    parts = [_ingredients(each) for each in products[:3]]
    digits = "".join(sign for sign in number if sign.isdigit())
    page = "https://www.accessdata.fda.gov/scripts/cder/daf/index.cfm"
    return Hit(
        provider=OPENFDA.slug,
        title=values.title_of(f"{', '.join(name for name in names if name)} ({number})"),
        url=f"{page}?event=overview.process&ApplNo={digits}" if digits else "",
        snippet=values.snippet_of("; ".join([*dict.fromkeys(filter(None, parts))])),
        published=_approved(item),
        authors=values.names_of([as_text(item.get("sponsor_name"))]),
        venue="Drugs@FDA",
        raw_id=number[:200],
    )


def _ingredients(product: Any) -> str:
    named = [as_dict(each) for each in as_list(product.get("active_ingredients"))]
    parts = [
        " ".join(filter(None, [as_text(each.get("name")), as_text(each.get("strength"))]))
        for each in named
    ]
    form, status = as_text(product.get("dosage_form")), as_text(product.get("marketing_status"))
    return ", ".join(part for part in [*parts, form, status] if part)


def _approved(item: Any) -> str:
    """Give the day of the first approval; of what was submitted last where it is not told."""
    listed = [as_dict(each) for each in as_list(item.get("submissions"))]
    days = {True: [""], False: [""]}
    for each in listed:
        first = each.get("submission_type") == "ORIG" and each.get("submission_status") == "AP"
        days[first].append(values.day_of(each.get("submission_status_date")))
    approved = sorted(day for day in days[True] if day)
    return approved[0] if approved else max(days[False])


def _label(item: Any) -> Hit:
    drug = as_dict(item.get("openfda"))
    brand, generic = first_text(drug.get("brand_name")), first_text(drug.get("generic_name"))
    name = brand or generic or first_text(item.get("spl_product_data_elements"))[:200]
    other = f" ({generic})" if generic and generic.lower() != name.lower() else ""
    number = as_text(item.get("set_id"))
    page = "https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid="
    sections = ("indications_and_usage", "purpose", "description", "active_ingredient")
    told = next((text for each in sections if (text := first_text(item.get(each)))), "")
    return Hit(
        provider=OPENFDA.slug,
        title=values.title_of(f"{name}{other}: label" if name else "Label"),
        url=f"{page}{quote(number, safe='')}" if number else "",
        snippet=values.snippet_of(told),
        published=values.day_of(item.get("effective_time")),
        authors=values.names_of([first_text(drug.get("manufacturer_name"))]),
        venue="DailyMed",
        raw_id=number[:200] or as_text(item.get("id"))[:200],
    )


def _event(item: Any) -> Hit:
    number = as_text(item.get("safetyreportid")) or as_text(item.get("safetyreport"))
    patient = as_dict(item.get("patient"))
    drugs = [
        as_text(as_dict(each).get("medicinalproduct")) for each in as_list(patient.get("drug"))
    ]
    effects = [
        as_text(as_dict(each).get("reactionmeddrapt")) for each in as_list(patient.get("reaction"))
    ]
    serious = "serious; " if as_text(item.get("serious")) == "1" else ""
    page = "https://api.fda.gov/drug/event.json?search=safetyreportid:%22"
    reactions = ", ".join(filter(None, effects))
    return Hit(
        provider=OPENFDA.slug,
        title=values.title_of(f"Adverse event report {number}: {reactions}"),
        url=f"{page}{quote(number, safe='')}%22" if number else "",
        snippet=values.snippet_of(f"{serious}{', '.join(filter(None, drugs))}: {reactions}"),
        published=values.day_of(item.get("receivedate")) or values.day_of(item.get("receiptdate")),
        venue="FAERS",
        raw_id=number[:200],
    )


_NAMES = ("openfda.brand_name", "openfda.generic_name", "openfda.substance_name")
ENDPOINTS = {
    "drugsfda": Endpoint(
        "/drug/drugsfda.json",
        (*_NAMES[:2], "products.brand_name", "products.active_ingredients.name"),
        "submissions.submission_status_date",
        _application,
    ),
    "label": Endpoint("/drug/label.json", _NAMES, "effective_time", _label),
    "event": Endpoint(
        "/drug/event.json",
        ("patient.drug.medicinalproduct", "patient.drug.openfda.generic_name"),
        "receivedate",
        _event,
    ),
}
OPENFDA = OpenFda()
