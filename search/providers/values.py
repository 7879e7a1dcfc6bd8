"""Take results apart: addresses, dates, names, what an error body says. Pure."""

import html
import json
import re
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from sources.dois import fold_doi
from sources.retractions import Reading, Standing, verdict
from sources.retractions.dates import from_parts, month_number, span_of
from sources.retractions.reading import as_dict, as_list, as_text, first_text, plain
from workbench.lib.xmltext import XmlError, parse_xml, text_of

from .base import DAYS, Query, Response
from .errors import BadKey, Limited, NoAnswer, Refused, Spent

LONGEST_TITLE, LONGEST_SNIPPET, LONGEST_URL = 1000, 4000, 4000
MOST_AUTHORS = 200
_ADDRESS = re.compile(r"https?://[^\s<>\"\x00-\x1f\x7f]+", re.IGNORECASE)
_RELATIVE = re.compile(
    r"(?:about |over )?(\d{1,3}|an?)\+? (sec(?:ond)?|min(?:ute)?|hour|day|week|month|year)s? ago",
    re.IGNORECASE,
)
_ENGLISH = re.compile(
    r"([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4})|(\d{1,2}) ([A-Za-z]{3,9})\.? (\d{4})"
)
_KEY_ECHOED = re.compile(r"(api[-_ ]?key|user_id)(\"?\s*[:=]\s*\"?)[^\",\s&]+", re.IGNORECASE)
_HTML = re.compile(r"<(?:!doctype html|html)\b", re.IGNORECASE)
_HTML_TITLE = re.compile(r"<title[^>]*>([^<]{0,200})", re.IGNORECASE)
NEEDS_LOOK = "needs_look"
MOST = 2_147_483_647


def title_of(value: Any) -> str:
    """Give a title without tags, entities and line ends."""
    return plain(first_text(value))[:LONGEST_TITLE]


def snippet_of(value: Any) -> str:
    """Give an extract: tags stripped first, then entities undone; on one line."""
    return plain(first_text(value))[:LONGEST_SNIPPET]


def address_of(value: Any) -> str:
    """Give an http(s) address as the provider wrote it; "" for anything else."""
    text = as_text(value)
    return text if len(text) <= LONGEST_URL and _ADDRESS.fullmatch(text) else ""


def names_of(values: Iterable[str]) -> tuple[str, ...]:
    """Give names, none of them empty."""
    return tuple(name[:300] for each in values if (name := plain(each)))[:MOST_AUTHORS]


def count_of(value: Any) -> int | None:
    """Give a whole number from 0 on, also from a text; None where there is none."""
    text = as_text(value)
    if not (text.isascii() and text.isdigit()) or len(text) > 10:
        return None
    return min(int(text), MOST)


def day_of(value: Any) -> str:
    """Give a date of ISO form or ``YYYYMMDD``, as exact as it is; "" where it is none."""
    text = as_text(value)
    if len(text) == 8 and text.isascii() and text.isdigit():
        text = from_parts(text[:4], text[4:6], text[6:])
    text = text.split("T")[0].split(" ")[0].replace("/", "-")
    return from_parts(*text.split("-")) if span_of(text) is None else text


def spoken_date(value: Any, query: Query) -> str:
    """Give a date as search engines write it: ISO, "Mar 3, 2024", "2 days ago"; "" if unknown.

    What is relative counts from ``query.now``; weeks and more are not known to the day.
    """
    text = as_text(value)
    if found := _RELATIVE.fullmatch(text.strip()):
        return _back(found, query)
    if found := _ENGLISH.fullmatch(text.strip()):
        month = month_number(found[1] or found[5])
        return from_parts(found[3] or found[6], month, found[2] or found[4]) if month else ""
    return day_of(text)


def _back(found: "re.Match[str]", query: Query) -> str:
    if query.now is None:
        return ""
    number = 1 if found[1].lower() in {"a", "an"} else int(found[1])
    unit = found[2].lower()[:3]
    now = query.now
    if unit == "yea":
        return from_parts(now.year - number)
    if unit == "mon":
        months = now.year * 12 + now.month - 1 - number
        return from_parts(months // 12, months % 12 + 1)
    if unit == "wee":
        return (now - timedelta(weeks=number)).date().isoformat()[:7]
    hours = {"sec": 0.0, "min": number / 60, "hou": float(number), "day": 24.0 * number}[unit]
    return (now - timedelta(hours=hours)).date().isoformat()


def window_of(query: Query) -> tuple[date | None, date | None]:
    """Give the first and last day that a query allows; the narrower of years and range."""
    low = date(query.year_low, 1, 1) if query.year_low else None
    high = date(query.year_high, 12, 31) if query.year_high else None
    if query.time_range and query.now is not None:
        since = query.now.date() - timedelta(days=DAYS[query.time_range])
        low = max(low, since) if low else since
    return low, high


def standing_of(reading: Reading) -> str:
    """Give the standing of a record by what its provider says of it; "" where nothing is said.

    A second opinion decides nothing: it is "needs_look".
    """
    about = [
        each
        for each in reading.statements
        if (each.doi and each.doi == reading.doi) or (each.pmid and each.pmid == reading.pmid)
    ]
    found = verdict(about, asked=reading.told)
    if found.standing not in {Standing.NOT_ASKED, Standing.CLEAN}:
        return found.standing.value
    return NEEDS_LOOK if found.needs_look else ""


def doi_of(query: Query) -> str:
    """Give the DOI that a query is, alone or in an address; "" where it is words."""
    text = query.text.strip()
    bare = text[4:].strip() if text[:4].lower() == "doi:" else text
    return "" if any(sign.isspace() for sign in bare) else fold_doi(text)


def language_of(query: Query) -> str:
    """Give the language of a query by its two letters, lower case; "" where none is asked for."""
    return query.language.split("-")[0].lower()


def with_sites(query: Query) -> str:
    """Give the text with ``site:`` operators, for engines that read them."""
    sites = [f"site:{site}" for site in query.sites]
    inside = sites[0] if len(sites) == 1 else f"({' OR '.join(sites)})" if sites else ""
    return " ".join([query.text, inside] if inside else [query.text])


# --- Errors --------------------------------------------------------------------------------------


def json_of(response: Response) -> Any:
    """Read a body as JSON, whatever its declared type. Raises NoAnswer."""
    try:
        return response.json()
    except ValueError:
        raise NoAnswer(message_of(response), status=response.status) from None


def object_of(response: Response) -> dict[str, Any]:
    """Read a body that must be a JSON object. Raises NoAnswer."""
    found = json_of(response)
    if not isinstance(found, dict):
        raise NoAnswer(f"no object but {type(found).__name__}", status=response.status)
    return found


def message_of(response: Response) -> str:
    """Give what an error body says, in whatever of the known forms it comes."""
    head = response.head()
    if not head.strip():
        return "empty answer"
    if _HTML.search(head):
        title = _HTML_TITLE.search(head)
        return html.unescape(title[1]).strip() if title else "an HTML page"
    said = _said_in_json(response) if head.lstrip()[:1] in {"{", "["} else ""
    if not said and head.lstrip().startswith("<"):
        said = _said_in_xml(response.body)
    return scrub(said or head)


def scrub(text: str) -> str:
    """Hide keys and addresses of callers that services echo in errors."""
    return _KEY_ECHOED.sub(r"\1\2***", text)


def _said_in_json(response: Response) -> str:
    try:
        return _message(response.json(), 0)
    except (ValueError, RecursionError):
        return ""


_WORDED = ("message", "detail", "error", "errors", "msg", "reason", "code")


def _message(value: Any, depth: int) -> str:
    """Find the sentence in an error object; the first of a list of them."""
    if depth > 4:
        return ""
    if isinstance(value, str | int):
        return as_text(value)
    if isinstance(value, list):
        return next((said for each in value if (said := _message(each, depth + 1))), "")
    found = as_dict(value)
    return next((said for n in _WORDED if (said := _message(found.get(n), depth + 1))), "")


def _said_in_xml(body: bytes) -> str:
    try:
        root = parse_xml(body)
    except XmlError:
        return ""
    return next((t for tag in ("errMsg", "ERROR") if (t := text_of(root.find(f".//{tag}")))), "")


def check(response: Response) -> None:
    """Raise the error that a status tells of. Bodies of 2xx may still hold one."""
    status = response.status
    if response.ok:
        return
    said = message_of(response)
    if status in {401, 403, 407}:
        raise BadKey(said, status=status)
    if status == 402:
        raise Spent(said, status=status)
    if status == 429:
        raise Limited(said, status=status)
    if status >= 500 or status < 300:
        raise NoAnswer(said, status=status)
    raise Refused(said, status=status)


def codes_of(body: Any) -> set[str]:
    """Give the codes of an error object, wherever they stand: ``error``, ``errors`` or its top."""
    found = as_dict(body)
    entries = [found, as_dict(found.get("error")), *map(as_dict, as_list(found.get("errors")))]
    return {as_text(each.get(name)) for each in entries for name in ("code", "tag")} - {""}


def compact(value: Any) -> str:
    """Write a request's body."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
