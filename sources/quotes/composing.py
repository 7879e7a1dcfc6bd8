"""Unicode normal form C with the way back to the original positions."""

import re
import unicodedata
from functools import cache

from sources.quotes.offsets import Offsets


def compose(text: str) -> tuple[str, Offsets | None]:
    """Bring a text to NFC; the offsets are None where it is so already."""
    if unicodedata.is_normalized("NFC", text):
        return text, None
    pattern = _clusters(text)
    parts: list[str] = []
    offsets = Offsets()
    done = length = 0
    for match in pattern.finditer(text):
        piece = unicodedata.normalize("NFC", match[0])
        if piece == match[0]:
            continue
        parts += (text[done : match.start()], piece)
        length += match.start() - done
        done = match.end()
        offsets.add(length, match.start(), after=(length + len(piece), done))
        length += len(piece)
    parts.append(text[done:])
    return "".join(parts), offsets


def _clusters(text: str) -> re.Pattern[str]:
    # Built from the characters of this very text: a table of all Unicode would be far larger.
    joining, changing = [], []
    for character in set(text):
        if unicodedata.combining(character) or character in _second_halves():
            joining.append(character)
        elif not unicodedata.is_normalized("NFC", character):
            changing.append(character)
    alternatives = []
    if joining:
        joined = _set_of(joining)
        alternatives.append(f"[^{joined}]?[{joined}]+")
    if changing:
        alternatives.append(f"[{_set_of(changing)}]")
    return re.compile("|".join(alternatives), re.DOTALL)


def _set_of(characters: list[str]) -> str:
    return "".join(f"\\U{ord(character):08x}" for character in sorted(characters))


@cache
def _second_halves() -> frozenset[str]:
    # Characters without a combining class that still join the one before them.
    halves = {chr(code) for code in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))}
    for code in range(0xC0, 0x20000):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            second = chr(int(parts[1], 16))
            if not unicodedata.combining(second):
                halves.add(second)
    return frozenset(halves)
