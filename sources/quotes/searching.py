"""One search for a quote: what every grade needs to know about it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from sources.quotes import tables
from sources.quotes.comparing import needed_folds
from sources.quotes.folding import Folded, fold
from sources.quotes.index import SnapshotIndex
from sources.quotes.location import Flag, Fold, Location, Span
from sources.quotes.occurrences import MOST_RANKED, cuts, places, rank

_SHORT = 12  # characters; a Chinese one counts as two
_LONGEST_TITLE = 2000


@dataclass(frozen=True, slots=True)
class Search:
    """A quote with its folded form, and the snapshot that it is looked for in.

    ``inner`` are the spans of the folded quote to try: all of it, then without the one pair of
    quotation marks around it.
    """

    index: SnapshotIndex
    snippet: str
    claim: str
    article: Sequence[Span]
    quote: Folded
    inner: tuple[Span, ...]
    flags: frozenset[Flag]
    most: int | None  # occurrences that are listed, None for all

    @property
    def bare(self) -> Span:
        """Give the span of the quote without quotation marks around it."""
        return self.inner[-1]

    @property
    def bare_text(self) -> str:
        """Give the folded quote without quotation marks around it."""
        return self.quote.text[slice(*self.bare)]

    @property
    def short(self) -> bool:
        """Tell whether other passages would resemble the quote by chance."""
        return "too_short" in self.flags

    def rank(self, spans: Sequence[Span]) -> tuple[Span, ...]:
        """Order occurrences, the best first."""
        return rank(
            self.index.text,
            spans,
            snippet=self.snippet,
            claim=self.claim,
            article=self.article,
            most=None if self.most is None else MOST_RANKED,
        )

    def listed(self, spans: Iterable[Span]) -> list[Span]:
        """Take as many spans as are listed, and one more where the list has to be cut."""
        return list(islice(spans, None if self.most is None else self.most + 1))

    def matches(self, text: str, quote: str, inner: Span) -> list[Span]:
        """Find a span of the quote in a text with the positions of the tolerant one."""
        needle, tolerant = quote[slice(*inner)], self.index.tolerant
        return self.listed(
            tolerant.span(at, at + len(needle))
            for at in places(text, needle)
            if self.same_hyphens(inner, at)
        )

    def same_hyphens(self, inner: Span, at: int) -> bool:
        """Tell whether the hyphens left out stand on both sides; re-sign is not resign.

        Where a line ends on one side, the other may do without.
        """
        start, end = inner
        ours, our_breaks = self.quote.hyphens_in(start, end)
        theirs, their_breaks = self.index.tolerant.hyphens_in(at, at + end - start)
        return ours <= theirs | their_breaks and theirs <= ours | our_breaks

    def folds_between(self, inner: Span, passage: Span, *, equal: bool) -> frozenset[Fold]:
        """Name what had to be folded to bring a span of the quote to a passage."""
        snippet = self.snippet[slice(*self.quote.span(*inner))]
        text = self.index.text[slice(*passage)]
        return needed_folds(snippet, text, tables.TOLERANT, equal=equal)

    def finish(self, location: Location) -> Location:
        """Cut the list where it is too long, and add the flags, in the order of the alphabet."""
        flags: set[Flag] = {*self.flags, *location.flags}
        if location.start is not None and location.end is not None:
            flags.update(cuts(self.index.text, location.start, location.end))
        occurrences = location.occurrences[: self.most]
        if len(occurrences) < len(location.occurrences):
            flags.add("more_occurrences")
        return replace(location, occurrences=occurrences, flags=tuple(sorted(flags)))


def begin(
    index: SnapshotIndex,
    snippet: str,
    *,
    claim: str,
    title: str,
    article: Sequence[Span],
    most: int | None,
) -> Search:
    """Fold a quote and flag what can be told without the snapshot."""
    quote = fold(snippet, tables.TOLERANT)
    inner = tuple(dict.fromkeys(((0, len(quote.text)), _without_quotes(quote.text))))
    flags: set[Flag] = set()
    if title.strip():
        name = fold(title[:_LONGEST_TITLE], tables.TOLERANT).text
        if name[slice(*_without_quotes(name))] == quote.text[slice(*inner[-1])]:
            flags.add("equals_title")
    if weight(" ".join(snippet[: 100 * _SHORT].split())[:_SHORT]) < _SHORT:
        flags.add("too_short")
    return Search(index, snippet, claim, article, quote, inner, frozenset(flags), most)


def weight(text: str) -> int:
    """Count the characters of a text, Chinese ones twice."""
    return len(text) + sum(character >= "\u2e80" for character in text)


def _without_quotes(quote: str) -> Span:
    # Both kinds of quotation marks are plain after folding.
    start, end = 0, len(quote)
    if end > 2 and quote[0] == quote[-1] and quote[0] in "\"'":
        start, end = 1, end - 1
        while start < end and quote[start] == " ":
            start += 1
        while start < end and quote[end - 1] == " ":
            end -= 1
    return start, end
