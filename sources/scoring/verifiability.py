"""Verifiability, 0 to 2 points. Pure. Rulebook section 2, table "verifiability"."""

from collections.abc import Mapping
from decimal import Decimal

from workbench.lib.texts import Text

from .facts import SourceFacts
from .marks import Mark, Rule
from .placing import OFFICIAL, Place
from .tiers import CLASSES

WITH_DATA = Decimal("2.0")
FULL_TEXT = Decimal("1.5")
PARTLY = Decimal("1.0")
URL_ONLY = Decimal("0.5")
NONE = Decimal(0)
VOUCHED = 2  # hosts of these tiers and better keep their addresses

RULES: Mapping[str, Rule] = {
    "doi_and_data": Rule(
        "2.0", Text("DOI, and raw data to download → 2.0", "有 DOI 且原始数据可下载 → 2.0")
    ),
    "posted_results": Rule(
        "2.0", Text("Registry record with posted results → 2.0", "登记记录已公布结果 → 2.0")
    ),
    "full_text": Rule(
        "1.5",
        Text("{anchor}, and the full text was opened → 1.5", "{anchor}，且已打开全文 → 1.5"),
    ),
    "paywalled": Rule("1.0", Text("{anchor}, behind a paywall → 1.0", "{anchor}，需付费 → 1.0")),
    "abstract_only": Rule(
        "1.0", Text("{anchor}, only the abstract was opened → 1.0", "{anchor}，仅打开摘要 → 1.0")
    ),
    "access_unknown": Rule(
        "1.0",
        Text(
            "{anchor}; nothing says whether the full text can be reached → 1.0",
            "{anchor}；未说明能否打开全文 → 1.0",
        ),
    ),
    "url_only": Rule(
        "0.5", Text("A URL and no unique identifier → 0.5", "仅有 URL，无唯一标识 → 0.5")
    ),
    "never_opened": Rule(
        "0.5",
        Text("Known from a search snippet, never opened → 0.5", "仅见于检索摘要，未打开 → 0.5"),
    ),
    "dead_link": Rule("0", Text("Dead link → 0", "链接失效 → 0")),
    "failed": Rule(
        "0",
        Text("It could not be opened, so nothing can be verified → 0", "无法打开，无从验证 → 0"),
    ),
    "no_address": Rule("0", Text("Neither a URL nor an identifier → 0", "既无 URL 也无标识 → 0")),
}


def verifiability(facts: SourceFacts, place: Place) -> Mark:
    """Mark whether a reader can check the source. Rulebook section 2."""
    stopped = _stopped(facts, place)
    if stopped is not None:
        return stopped
    if facts.doi and facts.raw_data:
        return Mark(WITH_DATA, "doi_and_data")
    if facts.results_posted and place.kind.name == "registry_record":
        return Mark(WITH_DATA, "posted_results")
    anchor = _anchor(facts, place)
    if not anchor:
        return Mark(URL_ONLY, "url_only", {}, ("identifier",))
    read = {"anchor": anchor}
    match facts.access_status:
        case "opened_original":
            return Mark(FULL_TEXT, "full_text", read, ("raw_data",))
        case "opened_abstract":
            return Mark(PARTLY, "abstract_only", read, ("open_full_text",))
        case "paywalled":
            return Mark(PARTLY, "paywalled", read, ("open_full_text",))
        case _:
            return Mark(PARTLY, "access_unknown", read, ("open_full_text",), unknown=True)


def _stopped(facts: SourceFacts, place: Place) -> Mark | None:
    """Mark what cannot be verified whatever else is known."""
    if facts.dead_link:
        return Mark(NONE, "dead_link", {}, ("live_address",))
    if facts.access_status == "failed":
        return Mark(NONE, "failed", {}, ("open_full_text",))
    if not (place.host or facts.url.startswith(("http://", "https://")) or _identified(facts)):
        return Mark(NONE, "no_address", {}, ("identifier",))
    if facts.access_status == "snippet_only":
        return Mark(URL_ONLY, "never_opened", {}, ("open_full_text",), unknown=True)
    return None


def _identified(facts: SourceFacts) -> bool:
    return bool(facts.doi or facts.schemes)


def _anchor(facts: SourceFacts, place: Place) -> str:
    """Give what makes the address last: an identifier, or a host that the tables vouch for."""
    if facts.doi:
        return "DOI"
    if facts.schemes:
        return facts.schemes[0].upper().replace("_", " ")
    tier = place.row_tier or CLASSES.get(place.publisher_class)
    vouched = place.publisher_class in OFFICIAL or (tier is not None and tier <= VOUCHED)
    return place.host if place.host and place.domain is not None and vouched else ""
