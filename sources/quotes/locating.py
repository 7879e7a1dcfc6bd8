"""Locating a quote: the grades in their order (text.md section 2)."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from sources.quotes import tables
from sources.quotes.comparing import needed_folds
from sources.quotes.elided import Parts, find_parts
from sources.quotes.folding import fold
from sources.quotes.index import SnapshotIndex
from sources.quotes.location import Flag, Fold, Location, Span
from sources.quotes.occurrences import MOST_OCCURRENCES, cuts, places
from sources.quotes.partial import aligned, longest_part, seeds
from sources.quotes.scripts import simplify
from sources.quotes.searching import Search, begin


def locate(
    index: SnapshotIndex,
    snippet: str,
    *,
    claim: str = "",
    title: str = "",
    article: Sequence[Span] = (),
    most: int | None = MOST_OCCURRENCES,
) -> Location:
    """Find a quote in a snapshot and say how it was found; the first grade that fits wins.

    ``claim`` decides between several occurrences, ``title`` is the source's title, and
    ``article`` are the spans of the snapshot that come before its furniture. ``most`` occurrences
    are listed, with None all; the flag ``more_occurrences`` says where there are more. The grade
    ``not_checkable`` is never given here: it is for what is no full text.
    """
    search = begin(index, snippet, claim=claim, title=title, article=article, most=most)
    found = _exact(search)
    # Punctuation alone is no quote that could differ from its passage.
    if found is None and any(map(str.isalnum, search.quote.text)):
        found = _normalised(search) or _interleaved(search) or _guides(search)
    return search.finish(found or Location("absent"))


def _guides(search: Search) -> Location | None:
    hits = seeds(search)
    # Equal but for the script says more than a fragment does, so it comes before the fragment.
    return (
        aligned(search, hits)
        or _script(search)
        or aligned(search, hits, script=True)
        or longest_part(search, hits)
    )


def _exact(search: Search) -> Location | None:
    quote = fold(search.snippet, tables.CONTRACT).text
    contract, text = search.index.contract, search.index.text
    spans = (contract.span(at, at + len(quote)) for at in places(contract.text, quote))
    found = search.listed(spans)
    if not found:
        return None
    ranked = search.rank(found)
    start, end = ranked[0]
    folded = needed_folds(search.snippet.strip(), text[start:end], tables.CONTRACT, equal=True)
    # The words are the same, yet 1.4 is not the number of a page that says 21.4.
    whole = "cut_number" not in cuts(text, start, end)
    return Location("exact", start, end, ranked, tuple(sorted(folded)), numbers_equal=whole)


def _normalised(search: Search) -> Location | None:
    quote = search.quote.text
    for inner in search.inner:
        found = search.matches(search.index.tolerant.text, quote, inner)
        if found:
            spans = search.rank(found)
            folded = search.folds_between(inner, spans[0], equal=True)
            if inner != search.inner[0]:
                folded |= {"quotes"}
            # Equal after folding, and no fold changes a number: the guard is met.
            return Location(
                "normalised", *spans[0], spans, tuple(sorted(folded)), numbers_equal=True
            )
    return None


def _interleaved(search: Search) -> Location | None:
    tolerant = search.index.tolerant
    for inner in search.inner:
        quote = search.quote.text[slice(*inner)]
        elided = find_parts(tolerant.text, quote, every=search.most is None)
        if elided is None:
            continue
        ours = tuple((start + inner[0], end + inner[0]) for start, end in elided.quote)
        passages: dict[Span, Parts] = {}
        for parts in elided.found:
            if all(map(search.same_hyphens, ours, (start for start, _ in parts))):
                span = tolerant.span(parts[0][0], parts[-1][1])
                passages[span] = parts
        if passages:
            flags: tuple[Flag, ...] = ("more_occurrences",) if elided.more else ()
            return replace(_with_gaps(search, ours, passages), flags=flags)
    return None


def _with_gaps(search: Search, ours: Parts, passages: dict[Span, Parts]) -> Location:
    spans = search.rank(tuple(passages))
    parts = [search.index.tolerant.span(*part) for part in passages[spans[0]]]
    folded: frozenset[Fold] = frozenset()
    for mine, part in zip(ours, parts, strict=True):
        folded |= search.folds_between(mine, part, equal=True)
    gaps = tuple((before[1], after[0]) for before, after in pairwise(parts))
    return Location(
        "interleaved", *spans[0], spans, tuple(sorted(folded)), numbers_equal=True, gaps=gaps
    )


def _script(search: Search) -> Location | None:
    quote = simplify(search.quote.text)
    for inner in search.inner:
        found = search.matches(search.index.simplified, quote, inner)
        if found:
            spans = search.rank(found)
            folded: set[Fold] = {"script", *search.folds_between(inner, spans[0], equal=False)}
            return Location("script", *spans[0], spans, tuple(sorted(folded)), numbers_equal=True)
    return None
