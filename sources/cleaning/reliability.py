"""How far a source can be relied on: S, A, B or C. Pure. Rulebook section 5 (decided).

S: an original of tier 1; A: tier 2; B: tier 3; C: tier 4, anonymous or unknown. The tier comes from
the page's own publisher, by the same tables and rules as the score of a source.
"""

import re

from sources.clustering.reprints import names_body, reprint_lines
from sources.identifiers import identifiers_of
from sources.scoring.facts import SourceFacts, Tables
from sources.scoring.names import place_of
from sources.scoring.placing import place
from sources.scoring.tiers import tier_of

from .base import Context, Item, Reliability
from .normal import plain
from .starter import JOURNAL_DOIS

# A line that says whose text it is holds one of these.
_HINTS = (
    "转载", "转自", "摘自", "原载", "原刊", "首发", "originally", "first ", "reprinted",
    "republished", "reproduced", "syndicated", "reposted",
)  # fmt: skip
_MARK = re.compile(r"10\.\d{4}|doi|pmid|pubmed|pmc|nature\.com|arxiv|patent|archive", re.IGNORECASE)
_OF_TIER: dict[int, Reliability] = {1: "S", 2: "A", 3: "B", 4: "C"}


def rated(item: Item, context: Context) -> Item:
    """Give the item with its reliability."""
    if any(each.reason == "anonymous_source" for each in item.downranks):
        return item._replace(reliability="C")
    if item.reliability:
        return item
    tier = _tier(item.url, context.tables) if item.url else 4
    grade = _OF_TIER[tier]
    if grade == "S" and reprint_of(item):
        grade = "A"
    return item._replace(reliability=grade)


def _tier(url: str, tables: Tables) -> int:
    host, path = place_of(url)
    # What an unknown host publishes has a tier by an identifier in its address alone.
    told = tables.domain(host, path) is not None or _MARK.search(url) is not None
    if host and not told:
        return 4
    names = identifiers_of({"url": url})
    doi = next((name.value for name in names if name.scheme == "doi"), "")
    venue = next((name for start, name in JOURNAL_DOIS if doi.startswith(start)), "")
    facts = SourceFacts(
        url=url, doi=doi, venue=venue, schemes=tuple(sorted({name.scheme for name in names}))
    )
    return tier_of(facts, place(facts, tables)).tier


def reprint_of(item: Item) -> str:
    """Give the words by which a text says that it is another's; empty for its own page's name."""
    text = plain(item.text)
    folded = f"{text}\n{item.title}".lower()
    if not any(map(folded.__contains__, _HINTS)):
        return ""
    host, _path = place_of(item.url)
    for line in reprint_lines(text, item.title):
        own = names_body(line.name, host=host, venue="", title=item.title, address=item.url)
        if line.strong and not own:
            return line.words
    return ""
