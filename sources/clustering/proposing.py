"""Propose links of sources that share an origin. Pure. Rulebook section 3, ``same_origin``."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from sources.clustering.facts import RULES, ClusterFacts, Link, Pair, link, pair
from sources.clustering.identities import by_identity, told_apart
from sources.clustering.near import fold, near_pairs
from sources.clustering.titles import MIN_TITLE, link_of_line, link_of_titles, other_issue

MIN_TEXT = 160  # weight of a text: code points, ideographs twice
_LINES_OF_A_HOST = 3  # pages of one host that share a line: it is furniture of the site


def propose(sources: Sequence[ClusterFacts], apart: Iterable[Pair] = ()) -> list[Link]:
    """Give the links of sources that share an origin, one for a pair, sorted by pair.

    Pairs that a person keeps apart are never linked, and others are linked around them.
    """
    kept = frozenset(apart)
    best: dict[Pair, Link] = {}
    for found in _all(sources, kept):
        held = best.get(found.pair)
        if held is None or RULES.index(found.rule) < RULES.index(held.rule):
            best[found.pair] = found
    return [best[each] for each in sorted(best)]


def _all(sources: Sequence[ClusterFacts], apart: frozenset[Pair]) -> Iterator[Link]:
    yield from by_identity(sources, apart)
    yield from _by_text(sources, apart)
    yield from _by_title(sources, apart)
    yield from _by_address_named(sources, apart)


def _by_text(sources: Sequence[ClusterFacts], apart: frozenset[Pair]) -> Iterator[Link]:
    known = {source.key: source for source in sources}

    def allowed(first: int, second: int) -> bool:
        left, right = known[first], known[second]
        if pair(first, second) in apart or told_apart(left, right):
            return False
        # A site words its notices alike; with other numbers it is another notice.
        return left.host != right.host or not other_issue(left, right)

    bodies = {key: fold(text) for key, text in without_furniture(sources).items()}
    abstracts = {source.key: fold(source.abstract) for source in sources if source.abstract}
    for of, texts in (("text", bodies), ("abstract", abstracts)):
        for near in near_pairs(texts, allowed, min_length=MIN_TEXT):
            yield link(
                known[near.first], known[near.second], "near_identical", share=near.share, of=of
            )


def _by_title(sources: Sequence[ClusterFacts], apart: frozenset[Pair]) -> Iterator[Link]:
    known = {source.key: source for source in sources}

    def allowed(first: int, second: int) -> bool:
        if pair(first, second) in apart or told_apart(known[first], known[second]):
            return False
        return link_of_titles(known[first], known[second]) is not None

    titles = {source.key: fold(source.title) for source in sources if source.title}
    for near in near_pairs(titles, allowed, min_length=MIN_TITLE):
        found = link_of_titles(known[near.first], known[near.second])
        if found is not None:
            yield Link(*found.pair, found.rule, {**found.facts, "titles": near.share})


def _by_address_named(sources: Sequence[ClusterFacts], apart: frozenset[Pair]) -> Iterator[Link]:
    at = {_bare(source.address): source for source in sources if source.address}
    for copy in sources:
        for line in copy.lines:
            origin = at.get(_bare(line.name)) if "://" in line.name else None
            if origin is None or origin.key == copy.key or pair(origin.key, copy.key) in apart:
                continue
            if found := link_of_line(copy, origin):
                yield found


def _bare(address: str) -> str:
    return address.partition("://")[2].removeprefix("www.").rstrip("/").casefold()


def without_furniture(sources: Iterable[ClusterFacts]) -> dict[int, str]:
    """Give the texts of captures without the lines that several pages of their host share.

    Menus and footers make pages of one site alike; copies on several sites keep all their lines.
    """
    by_host: dict[str, list[ClusterFacts]] = defaultdict(list)
    for source in sources:
        if source.body:
            by_host[source.host].append(source)
    kept: dict[int, str] = {}
    for host, pages in by_host.items():
        shared = _shared_lines(pages) if host and len(pages) >= _LINES_OF_A_HOST else set()
        for page in pages:
            lines = page.body.splitlines() if shared else [page.body]
            kept[page.key] = "\n".join(line for line in lines if line.strip() not in shared)
    return kept


def _shared_lines(pages: Iterable[ClusterFacts]) -> set[str]:
    pages_of: dict[str, set[str]] = defaultdict(set)
    for page in pages:
        for line in page.body.splitlines():
            if line.strip():
                pages_of[line.strip()].add(page.address or str(page.key))
    return {line for line, at in pages_of.items() if len(at) >= _LINES_OF_A_HOST}
