"""Make text and addresses from outside fit to be shown. Pure; escaping is the template's work."""

import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import urlsplit

MAX_ADDRESS = 2000  # characters; browsers cut or refuse longer ones

# Not of a category that tells it, yet blank: fillers, the empty Braille cell, the grapheme joiner.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_LAYOUT = frozenset("\n\t")
# What is_unseen finds though Python calls it printable.
_PRINTABLE_UNSEEN = re.compile(f"[{''.join(sorted(_BLANK))}\U000e0000-\U000e0fff]")
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_KANA = re.compile("[\u3040-\u30ff]")
_HANGUL = re.compile("[\u1100-\u11ff\uac00-\ud7af]")
_LETTER = re.compile(r"[^\W\d_]")
_LANGUAGE_SAMPLE = 2000  # characters that are looked at to tell a language


def safe_address(address: str) -> str | None:
    """Give the address if it may become a link: http or https with a host, no user name."""
    if not address or len(address) > MAX_ADDRESS:
        return None
    if any(is_unseen(c) or c.isspace() or c == "\\" for c in address):
        return None
    try:
        parts = urlsplit(address)
        host, user = parts.hostname, parts.username
        _ = parts.port
    except ValueError:
        return None
    if parts.scheme.lower() not in {"http", "https"} or not host or user is not None:
        return None
    return address


def is_unseen(character: str) -> bool:
    """Tell whether a character shows nothing of itself, or turns the text around it."""
    if character in _LAYOUT:
        return False
    return (
        character in _BLANK
        or 0xE0000 <= ord(character) <= 0xE0FFF
        or unicodedata.category(character) in _UNSEEN_CATEGORIES
    )


def is_plain(text: str) -> bool:
    """Tell whether a text of one line holds no unseen character: nearly every one, and quickly."""
    return text.isprintable() and not _PRINTABLE_UNSEEN.search(text)


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Cut a text into runs that are shown as they are, and single unseen characters (True)."""
    if text and is_plain(text):
        yield text, False
        return
    begin = 0
    for at, character in enumerate(text):
        if is_unseen(character):
            if begin < at:
                yield text[begin:at], False
            yield character, True
            begin = at + 1
    if begin < len(text):
        yield text[begin:], False


def code_point(character: str) -> str:
    """Name a character by its number, as ``U+202E``."""
    return f"U+{ord(character):04X}"


def character_name(character: str) -> str:
    """Give the Unicode name of a character; its number where it has none."""
    return unicodedata.name(character, "") or code_point(character)


def language_of(text: str) -> str:
    """Guess the language tag by script: zh, ja, ko or en; empty where there are no letters."""
    sample = text[:_LANGUAGE_SAMPLE]
    han = len(_HAN.findall(sample))
    kana = len(_KANA.findall(sample))
    hangul = len(_HANGUL.findall(sample))
    letters = len(_LETTER.findall(sample))
    if not letters:
        return ""
    # One ideograph says about as much as three Latin letters.
    weight = letters / 4
    if hangul > weight:
        return "ko"
    if kana > 0.1 * (han + kana) and han + kana > weight:
        return "ja"
    return "zh" if han > weight else "en"
