"""Rules V010 to V017: the sources of a piece of evidence."""

import re
from dataclasses import dataclass, field

from reviews.contracts import evidence_rules as rules
from reviews.contracts.values import is_one_of, is_text, matches
from reviews.contracts.violations import Findings
from sources.source_cache import UrlError, normalize_url

_SOURCE_ID = re.compile(r"[a-z][a-z0-9_]*")
_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")


@dataclass(slots=True)
class KnownSources:
    """What claims may refer to. Of two sources with one id the later's facts count."""

    ids: set[str] = field(default_factory=set)
    urls: dict[str, str] = field(default_factory=dict)  # id -> URL, only those with a normal form
    qualities: dict[str, str] = field(default_factory=dict)  # id -> quality, only known ones


def check_sources(sources: object, findings: Findings) -> KnownSources:
    """Note what is wrong with the sources and give those that claims may refer to."""
    known = KnownSources()
    for index, source in enumerate(sources if isinstance(sources, list) else ()):
        path = f"sources[{index}]"
        if isinstance(source, dict):
            _check_source(source, path, known, findings)
        else:
            findings.add(rules.SOURCE_OBJECT, path)
    return known


def _check_source(
    source: dict[str, object], path: str, known: KnownSources, findings: Findings
) -> None:
    source_id = source.get("id")
    if not matches(source_id, _SOURCE_ID):
        findings.add(rules.SOURCE_ID, f"{path}.id", found=source_id)
    elif source_id in known.ids:
        findings.add(rules.SOURCE_REPEATED, f"{path}.id", found=source_id)
    else:
        known.ids.add(source_id)
    url = source.get("url")
    if _check_url(url, f"{path}.url", findings) and isinstance(source_id, str):
        known.urls[source_id] = str(url)
    findings.require(is_text(source.get("title")), rules.SOURCE_TITLE, f"{path}.title")
    quality = source.get("quality")
    if not is_one_of(quality, rules.QUALITIES):
        findings.add(rules.SOURCE_QUALITY, f"{path}.quality", found=quality)
    elif isinstance(source_id, str):
        known.qualities[source_id] = str(quality)
    date = source.get("published_at")
    dated = date is None or matches(date, _DATE)
    findings.require(dated, rules.SOURCE_DATE, f"{path}.published_at", found=date)


def _check_url(url: object, path: str, findings: Findings) -> bool:
    if not isinstance(url, str) or not url:
        findings.add(rules.SOURCE_URL, path)
        return False
    try:
        normalize_url(url)
    except UrlError as error:
        findings.add(rules.SOURCE_URL_INVALID, path, reason=error)
        return False
    return True
