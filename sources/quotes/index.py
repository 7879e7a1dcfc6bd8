"""What is worked out once for a snapshot, so that many quotes are looked up fast."""

import re
from functools import cached_property

from sources.quotes import tables
from sources.quotes.folding import Folded, fold
from sources.quotes.scripts import simplify

_CJK = re.compile(f"[{tables.CJK}]")
_MOST_PLACES = 256  # of one gram: beyond this it tells nothing about the place
_MOST_HITS = 4096
_MOST_PROBES = 400
_LONG_PIECE = 40
_MOST_LONG_PIECES = 16

type Hit = tuple[int, int]  # position in the quote, position in the text


class SnapshotIndex:
    """The text of a snapshot with its folded forms; each is built when first needed."""

    def __init__(self, text: str) -> None:
        self.text = text

    def prepare(self) -> None:
        """Build everything now, in a worker for example, so that no look-up has to."""
        _ = self.contract, self.tolerant, self.simplified, self.grams

    @cached_property
    def contract(self) -> Folded:
        """Give the text as the contract compares it."""
        return fold(self.text, tables.CONTRACT)

    @cached_property
    def tolerant(self) -> Folded:
        """Give the text with everything folded but the Chinese script."""
        return fold(self.text, tables.TOLERANT)

    @cached_property
    def simplified(self) -> str:
        """Give the tolerant text in Simplified characters, with the same positions."""
        return simplify(self.tolerant.text)

    @cached_property
    def grams(self) -> "Grams":
        """Give the places of short pieces of the simplified text."""
        return Grams(self.simplified)


class Grams:
    """Every block of a few characters of a text, by content.

    Blocks do not overlap in the text, but a quote is cut at every position, so each common
    stretch of at least ``2 * size - 1`` characters is found.
    """

    def __init__(self, text: str) -> None:
        sample = text[:: max(1, len(text) // 2000)]
        self.size = 3 if len(_CJK.findall(sample)) * 5 > len(sample) else 5
        self.text = text
        self.places: dict[str, list[int]] = {}
        for at in range(0, len(text) - self.size + 1, self.size):
            self.places.setdefault(text[at : at + self.size], []).append(at)

    def hits(self, quote: str) -> list[Hit]:
        """Give where pieces of a quote stand in the text, rare pieces first, a bounded number."""
        size, places = self.size, self.places
        found: list[tuple[int, list[int]]] = []
        for at in self._probes(len(quote)):
            known = places.get(quote[at : at + size])
            if known is not None:
                found.append((at, known))
        found.sort(key=lambda item: len(item[1]))
        hits: list[Hit] = []
        if found and len(found[0][1]) > _MOST_PLACES:
            hits = self._long_hits(quote)  # a text that repeats itself all over
        for at, known in found:
            if len(hits) >= _MOST_HITS or (hits and len(known) > _MOST_PLACES):
                break
            hits += [(at, place) for place in known[:_MOST_PLACES]]
        return hits

    def _long_hits(self, quote: str) -> list[Hit]:
        step = max(_LONG_PIECE, len(quote) // _MOST_LONG_PIECES)
        pieces = [(at, quote[at : at + _LONG_PIECE]) for at in range(0, len(quote), step)]
        places = [(at, self.text.find(piece)) for at, piece in pieces if len(piece) == _LONG_PIECE]
        return [(at, place) for at, place in places if place >= 0]

    def _probes(self, length: int) -> list[int]:
        # Of a very long quote only stretches are tried, each long enough to meet a block.
        stretch = 2 * self.size
        step = max(stretch, length // _MOST_PROBES)
        return [
            at
            for base in range(0, length, step)
            for at in range(base, min(base + stretch, length - self.size + 1))
        ]
