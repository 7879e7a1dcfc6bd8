"""From positions in a folded text back to the original."""

from bisect import bisect_right
from dataclasses import dataclass, field


@dataclass(slots=True)
class Offsets:
    """Pieces of a folded text: copied and replaced ones in turn, the first is a copied one.

    A copied piece has its length in both texts. A replaced one is taken as a whole: there is no
    telling which half of ﬁ is the i.
    """

    folded: list[int] = field(default_factory=lambda: [0])
    original: list[int] = field(default_factory=lambda: [0])

    def add(self, folded: int, original: int, *, after: tuple[int, int]) -> None:
        """Append a replaced piece that begins at the two positions and ends at ``after``."""
        self.folded += (folded, after[0])
        self.original += (original, after[1])

    def start(self, position: int) -> int:
        """Give where the character at a folded position begins in the original."""
        piece = bisect_right(self.folded, position) - 1
        if piece % 2:
            return self.original[piece]
        return self.original[piece] + position - self.folded[piece]

    def end(self, position: int) -> int:
        """Give where the character before a folded position ends in the original."""
        piece = bisect_right(self.folded, position - 1) - 1
        if piece % 2:
            return self.original[piece + 1]
        return self.original[piece] + position - self.folded[piece]
