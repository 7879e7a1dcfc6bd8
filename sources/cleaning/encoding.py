"""Text that was decoded as what it is not, and back. Pure. Rulebook section 5, step 5.

At most two tries, the likelier one first: UTF-8 that was read as GBK, UTF-8 that was read as a
Western encoding (by ftfy), GBK that was read as Latin-1.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Literal, NamedTuple

import ftfy
from ftfy.badness import is_bad

from sources.quotes.scripts import simplify

type Outcome = Literal["", "repaired", "unresolved"]

MAX_TRIES = 2
_READ = 200_000  # characters of a text that are tried; more is no snippet
# What GBK holds; of Latin-1 only a few signs.
_RUN = re.compile("[^\x00-\xa3\xa5\xa6\xa9-\xaf\xb2-\xb6\xb8-\xd6\xd8-\xf6\xf8-\xff]{2,}")
_WESTERN = re.compile("[\u0080-\u00ff]")
_LATIN_RUN = re.compile("[\u00a1-\u00fe]{4,}")
# What decoders leave where they failed: the sign for it, and that sign's bytes read as GBK.
_LOST = re.compile("\ufffd|锟斤拷|锟斤")
_IDEOGRAPH = re.compile("[\u4e00-\u9fff]")
_LEAST = 3  # ideographs that a run must give
_ENOUGH = 8  # ideographs, from which rare ones say something
_RARE = 0.5  # share of rare ones: such a text is no Chinese
_SEEN = 400  # characters of a text by which it is judged
_SHARE = 0.7  # of a repaired text's ideographs that must be common ones


class Repaired(NamedTuple):
    """A text after the tries, and what came of them."""

    text: str
    outcome: Outcome


def repair(text: str) -> Repaired:
    """Undo a wrong decoding where it shows; the text stays as it is where no try succeeds."""
    if text.isascii() or len(text) > _READ:
        return Repaired(text, "unresolved" if is_damaged(text) else "")
    for attempt in _attempts(text)[:MAX_TRIES]:
        if (better := attempt(text)) is not None:
            return Repaired(better, "unresolved" if is_damaged(better) else "repaired")
    return Repaired(text, "unresolved" if is_damaged(text) else "")


def _attempts(text: str) -> list[Callable[[str], str | None]]:
    attempts: list[Callable[[str], str | None]] = []
    if _IDEOGRAPH.search(text):
        attempts.append(_from_gbk)
    if _LATIN_RUN.search(text) and not _IDEOGRAPH.search(text):
        attempts.append(_from_latin)
    if _WESTERN.search(text) and is_bad(text):
        attempts.append(_from_western)
    return attempts


def _from_western(text: str) -> str | None:
    better = ftfy.fix_encoding(text)
    return better if better != text and not is_bad(better) else None


def _from_gbk(text: str) -> str | None:
    """Undo UTF-8 read as GBK, run by run: what stands between them is right as it is."""
    changed = False

    def undone(found: re.Match[str]) -> str:
        nonlocal changed
        run = found[0]
        try:
            better = run.encode("gb18030").decode("utf-8")
        except UnicodeError:
            return run
        if not _is_likelier(better, run):
            return run
        changed = True
        return better

    result = _RUN.sub(undone, text)
    return result if changed else None


def _from_latin(text: str) -> str | None:
    """Undo GBK read as Latin-1, run by run."""
    changed = False

    def undone(found: re.Match[str]) -> str:
        nonlocal changed
        raw = found[0].encode("latin-1")
        try:
            better = raw.decode("gbk")
        except UnicodeError:
            return found[0]
        ideographs = len(_IDEOGRAPH.findall(better))
        if ideographs < _LEAST or _common(better) < _SHARE or _is_utf8(raw):
            return found[0]
        changed = True
        return better

    result = _LATIN_RUN.sub(undone, text)
    return result if changed else None


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeError:
        return False
    return True


def _is_likelier(better: str, before: str) -> bool:
    return _common(better) >= _SHARE and _common(better) > _common(before)


def is_damaged(text: str) -> bool:
    """Tell whether a text has lost characters, or looks as if it was read by the wrong code."""
    if _LOST.search(text):
        return True
    head = text[:_SEEN]
    ideographs = _IDEOGRAPH.findall(head)
    if len(ideographs) < _ENOUGH:
        return _WESTERN.search(head) is not None and is_bad(head)
    if not _mostly_rare(ideographs):
        return False
    # Traditional characters are no sign of anything.
    return _mostly_rare(list(simplify("".join(ideographs))))


def _mostly_rare(ideographs: list[str]) -> bool:
    rare = len(ideographs) - sum(map(_everyday().__contains__, ideographs))
    return rare >= _RARE * len(ideographs)


def _common(text: str) -> float:
    """Give the share of a text's signs that are everyday ideographs (GB 2312, level 1) or signs."""
    if not text:
        return 0.0
    return sum(map(_everyday().__contains__, text)) / len(text)


@cache
def _everyday() -> frozenset[str]:
    """Give the signs, wide digits and letters of GB 2312, and its ideographs of the first level."""
    rows = (0xA1, 0xA3, *range(0xB0, 0xD8))
    codes = (bytes((row, cell)) for row in rows for cell in range(0xA1, 0xFF))
    return frozenset("".join(code.decode("gb2312", "ignore") for code in codes))
