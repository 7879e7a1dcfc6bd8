"""Patterns that look for a plain word first: most texts hold none of them. Pure.

A look for a dozen words in lower case is many times as fast as a pattern of alternatives.
"""

import re
from collections.abc import Iterator


class Hinted:
    """A pattern, and words of which every match holds one, in lower case."""

    def __init__(self, pattern: str, hints: str, flags: re.RegexFlag = re.IGNORECASE) -> None:
        self.pattern = re.compile(pattern, flags)
        self.hints = tuple(hint.replace("_", " ") for hint in hints.split())

    def search(self, text: str, folded: str) -> re.Match[str] | None:
        """Find the first match; ``folded`` is the text in lower case."""
        return self.pattern.search(text) if self.may_be_in(folded) else None

    def finditer(self, text: str, folded: str) -> Iterator[re.Match[str]]:
        """Give the matches."""
        return self.pattern.finditer(text) if self.may_be_in(folded) else iter(())

    def may_be_in(self, folded: str) -> bool:
        """Tell whether a text in lower case may hold a match."""
        for hint in self.hints:  # noqa: SIM110 - a generator costs as much as the look itself
            if hint in folded:
                return True
        return False
