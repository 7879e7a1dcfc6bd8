"""The grade "partial": what guides the eye to a quote that is not there as it stands."""

from rapidfuzz.distance import Levenshtein

from sources.quotes import tables
from sources.quotes.approximate import Common, align, longest_common
from sources.quotes.comparing import differences, needed_folds
from sources.quotes.folding import fold
from sources.quotes.index import Hit
from sources.quotes.location import Location, MatchingPart, Span
from sources.quotes.numbers import number_values
from sources.quotes.scripts import simplify
from sources.quotes.searching import Search, weight

# The longest matching part is worth showing when it is a good share of the quote or long in
# itself: "in the first half of the" stands in many texts.
_PART_SHARE = 0.3
_PART_LEAST = 16
_PART_ENOUGH = 40


def seeds(search: Search) -> list[Hit]:
    """Give the pieces that a quote shares with the snapshot, whatever the script.

    A short quote has none: five letters resemble something on every page (field report
    hypothesis/h 2634).
    """
    return [] if search.short else search.index.grams.hits(simplify(search.bare_text))


def aligned(search: Search, hits: list[Hit], *, script: bool = False) -> Location | None:
    """Find the passage that differs from a quote in a fifth of its characters at most.

    With ``script``, characters that are Traditional on one side only do not count.
    """
    if search.short:
        return None
    tolerant = search.index.tolerant
    text, quote = tolerant.text, search.bare_text
    if script:
        text, quote = search.index.simplified, simplify(quote)
        if text == tolerant.text and quote == search.bare_text:
            return None
    passages = align(text, quote, hits)
    if not passages:
        return None
    by_span = {tolerant.span(found.start, found.end): found for found in passages}
    nearest = passages[0].edits
    best = [span for span, found in by_span.items() if found.edits == nearest]
    others = [span for span, found in by_span.items() if found.edits > nearest]
    spans = (*search.rank(best), *others)
    passage = by_span[spans[0]]
    inside = [hit for hit in hits if passage.start <= hit[1] < passage.end]
    common = longest_common(text, quote, inside)
    return _compared(search, spans, None if common is None else _part(search, common))


def longest_part(search: Search, hits: list[Hit]) -> Location | None:
    """Find the longest part of a quote that stands in the snapshot, if it is long enough."""
    index, quote = search.index, simplify(search.bare_text)
    common = longest_common(index.simplified, quote, hits)
    if common is None:
        return None
    length = weight(quote[common.quote_start : common.quote_start + common.length])
    if length < max(_PART_LEAST, min(_PART_ENOUGH, _PART_SHARE * weight(quote))):
        return None
    part = _part(search, common)
    snippet = search.snippet[part.quote_start : part.quote_end]
    passage = index.text[part.start : part.end]
    folded = needed_folds(snippet, passage, tables.TOLERANT)
    if fold(snippet, tables.TOLERANT).text != fold(passage, tables.TOLERANT).text:
        folded |= {"script"}
    end = common.start + common.length
    equal = number_values(quote) == number_values(index.simplified[common.start : end])
    return Location(
        "partial",
        part.start,
        part.end,
        ((part.start, part.end),),
        tuple(sorted(folded)),
        numbers_equal=equal,
        number_mismatch=not equal,
        part=part,
    )


def _compared(search: Search, spans: tuple[Span, ...], part: MatchingPart | None) -> Location:
    start, end = spans[0]
    snippet_start, snippet_end = search.quote.span(*search.bare)
    snippet, passage = search.snippet[snippet_start:snippet_end], search.index.text[start:end]
    folded = needed_folds(snippet, passage, tables.TOLERANT)
    ours, theirs = fold(snippet, tables.TOLERANT), fold(passage, tables.TOLERANT)
    if ours.text == theirs.text:
        # Only a hyphen inside a word is missing on one side; folding has hidden it.
        folds = tables.TOLERANT - {"line_hyphen"}
        ours, theirs = fold(snippet, folds), fold(passage, folds)
    edits = Levenshtein.distance(ours.text, theirs.text)
    simple = simplify(ours.text), simplify(theirs.text)
    if Levenshtein.distance(*simple) < edits:
        ours.text, theirs.text = simple
        folded |= {"script"}
    equal = number_values(ours.text) == number_values(theirs.text)
    return Location(
        "partial",
        start,
        end,
        spans,
        tuple(sorted(folded)),
        numbers_equal=equal,
        number_mismatch=not equal,
        edits=Levenshtein.distance(ours.text, theirs.text),
        part=part,
        differences=differences(ours, snippet, theirs, passage, start),
    )


def _part(search: Search, common: Common) -> MatchingPart:
    at = search.bare[0] + common.quote_start
    return MatchingPart(
        *search.quote.span(at, at + common.length),
        *search.index.tolerant.span(common.start, common.start + common.length),
    )
