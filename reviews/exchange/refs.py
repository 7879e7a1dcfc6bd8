"""Source references as reports write them: ids, numbers, footnotes, addresses."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sources.source_cache import UrlError, normalize_url

from .records import SourceKey, SourceRecord
from .values import text_of

_URL = re.compile(r"https?://[^\s<>\"|]+")
_FOOTNOTE = re.compile(r"\[\^?([^\[\]]+)\]")
_NUMBERS = re.compile(r"\d+(?:\s*[,，、;；]\s*\d+)+")
_SEPARATORS = re.compile(r"\s*[,，、;；]\s*")
_TRAILING = ".,;:!?，。；：！？）)]}"


def split_refs(value: object) -> list[str]:
    """Give every reference in a value: ``"[^1][^4]"`` holds two, a list as many as its items."""
    if isinstance(value, list):
        return [ref for item in value for ref in split_refs(item)]
    if isinstance(value, dict):
        return split_refs(next((value[k] for k in ("id", "source_id", "url") if k in value), None))
    text = text_of(value).strip()
    if not text:
        return []
    urls = _URL.findall(text)
    if len(urls) > 1:
        return [_trim(url) for url in urls]
    if _FOOTNOTE.sub("", text).strip(" ,;，；、") == "":
        inside = [found.strip() for found in _FOOTNOTE.findall(text)]
        return [ref for each in inside for ref in _numbers(each)]
    return _numbers(text)


def _numbers(text: str) -> list[str]:
    return _SEPARATORS.split(text) if _NUMBERS.fullmatch(text) else [text]


def _trim(url: str) -> str:
    # A closing bracket belongs to the address if it was opened there: /wiki/Shore_power_(ports)
    while (
        url and url[-1] in _TRAILING and not (url[-1] == ")" and url.count("(") >= url.count(")"))
    ):
        url = url[:-1]
    return url


def normal_or_empty(url: str) -> str:
    """Give the normal form of an address, or nothing where it has none."""
    try:
        return normalize_url(url)
    except UrlError:
        return ""


@dataclass(slots=True)
class Scope:
    """The sources that a reference of one file may mean."""

    by_id: dict[str, SourceKey] = field(default_factory=dict)
    by_url: dict[str, SourceKey] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)  # report number or alias -> id
    others: Mapping[str, SourceKey] = field(default_factory=dict)  # ids of other files

    def add(self, sources: Iterable[SourceRecord]) -> None:
        """Let sources of the file answer to their id and address; the first of equals does."""
        for source in sources:
            self.by_id.setdefault(source.raw_id, source.key)
            if source.normalized_url:
                self.by_url.setdefault(source.normalized_url, source.key)

    def resolve(self, ref: str) -> SourceKey | None:
        """Give the source that a reference means, or None."""
        if found := self.by_id.get(ref):
            return found
        if found := self.by_url.get(normal_or_empty(ref)):
            return found
        alias = self.aliases.get(ref)
        if alias is not None and (found := self.by_id.get(alias) or self.others.get(alias)):
            return found
        return self.others.get(ref)
