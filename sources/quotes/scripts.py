"""Traditional Chinese characters and their Simplified ones."""

import re
from functools import cache

from opencc import OpenCC

# The blocks of Han characters that have Traditional forms (Unicode 16, Blocks.txt).
_HAN_BLOCKS = ((0x3400, 0x4DC0), (0x4E00, 0xA000), (0x20000, 0x2EE60), (0x30000, 0x323B0))


def simplify(text: str) -> str:
    """Give a text in Simplified characters, with the same length."""
    if text.isascii() or not _traditional().search(text):
        return text
    return text.translate(to_simplified())


@cache
def _traditional() -> re.Pattern[str]:
    # The look for one is many times as fast as the table.
    return re.compile(f"[{''.join(map(chr, to_simplified()))}]")


@cache
def to_simplified() -> dict[int, str]:
    """Give a table for ``str.translate``, one character for one, so offsets stay.

    Converting character by character leaves the phrase rules of OpenCC out: both sides of a
    comparison are folded alike, and phrases would make the length depend on the context.
    """
    characters = [chr(code) for low, high in _HAN_BLOCKS for code in range(low, high)]
    converted = OpenCC("t2s").convert("\n".join(characters)).split("\n")
    return {
        ord(before): after
        for before, after in zip(characters, converted, strict=True)
        if before != after and len(after) == 1
    }
