"""Forms of a text: width, quotation marks, white space, entities. Pure; never its meaning."""

import re
from functools import lru_cache

from .encoding import repair
from .markup import decode

_NEAR = 16  # signs on either side of one, among which the nearest letter or digit is looked for
_CACHED = 4_000  # characters of a text whose plain form is remembered

_LETTERS = {
    code + 0xFEE0: code
    for first, last in (("0", "9"), ("A", "Z"), ("a", "z"))
    for code in range(ord(first), ord(last) + 1)
}
_LETTER = re.compile("[０-９Ａ-Ｚａ-ｚ]")
_SIGNS = {chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F) if not chr(code).isalnum()}
_SIGN = re.compile("[" + re.escape("".join(sign for sign in _SIGNS if sign not in "（）")) + "]")
_BRACKETS = re.compile("（([^（）\n\u2e80-\ufe4f\uff00-\uffef]{0,200})）")
_OF_NUMBERS = "％＋－．／＝＜＞＄＃"
_DOUBLE = re.compile("[“”„‟＂«»「」〝〞]")
_SINGLE = re.compile("[‘’‚‛＇『』]")
_BLANKS = re.compile("[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\v\f\r]+")
_LINES = re.compile("\r\n?|[\u0085\u2028\u2029]")
# Controls, half characters, marks that no reader sees; the joiner stays between pictures.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064"
    "\u2066-\u206f\ufeff\ufff9-\ufffb]|(?<![\u2600-\u27bf\ufe0f\U0001f000-\U0001faff])\u200d"
    "|\u200d(?![\u2600-\u27bf\U0001f000-\U0001faff])"
)
# Those of them that no wrong decoding makes.
_NEVER = re.compile("[\x00-\x08\x0e-\x1f\x7f\u200b\u2060-\u2064\ufeff]")
_HALF = re.compile("[\ud800-\udfff]")


def visible(text: str) -> str:
    """Give a text without controls and marks that no decoding explains."""
    return text if text.isprintable() else _NEVER.sub("", text)


def plain(text: str) -> str:
    """Give the form in which steps read a text; it is never shown."""
    return _plain(text) if len(text) <= _CACHED else _make_plain(text)


def _make_plain(text: str) -> str:
    return unify_space(unify_quotes(unify_width(decode(repair(visible(text)).text))))


_plain = lru_cache(maxsize=20_000)(_make_plain)


def unify_space(text: str) -> str:
    """Trim lines, leave empty ones out, make one blank of many; nothing invisible stays."""
    if text.isprintable() and "  " not in text:
        return text.strip(" ")
    text = _HALF.sub("\ufffd", _UNSEEN.sub("", _LINES.sub("\n", text)))
    lines = (_BLANKS.sub(" ", line).strip(" ") for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def unify_quotes(text: str) -> str:
    """Make straight quotation marks of all others; titles in 《》 are none."""
    if text.isascii():
        return text
    return _SINGLE.sub("'", _DOUBLE.sub('"', text))


def unify_width(text: str) -> str:
    """Make letters and digits half-width, and signs that stand in a Latin run or beside digits."""
    if text.isascii():
        return text
    if _LETTER.search(text):
        text = text.translate(_LETTERS)
    if not _SIGN.search(text) and "（" not in text:
        return text
    lines = [_line(line) for line in text.split("\n")]
    return "\n".join(lines)


def _line(line: str) -> str:
    if "（" in line:
        line = _BRACKETS.sub(_bracket, line)
    return _SIGN.sub(_sign, line)


def _sign(found: re.Match[str]) -> str:
    """Make a sign half-width between Latin letters or digits, at the end of such, in a number."""
    sign, line, at = found[0], found.string, found.start()
    if sign in _OF_NUMBERS and (line[at - 1 : at].isdigit() or line[at + 1 : at + 2].isdigit()):
        return _SIGNS[sign]
    if _last_kind(line[max(0, at - _NEAR) : at]) != "latin":
        return sign
    after = line[at + 1 : at + 1 + _NEAR]
    return sign if _last_kind(after[::-1]) == "wide" else _SIGNS[sign]


def _bracket(found: re.Match[str]) -> str:
    """Make a pair of brackets half-width where nothing around it is Chinese."""
    line = found.string
    before, after = line[max(0, found.start() - _NEAR) : found.start()], line[found.end() :][:_NEAR]
    around = _last_kind(before), _last_kind(after[::-1])
    if "wide" in around or around == ("", ""):
        return found[0]
    return f"({found[1]})"


def _last_kind(text: str) -> str:
    return next((_kind(sign) for sign in reversed(text) if sign.isalnum()), "")


def _kind(sign: str) -> str:
    return "latin" if sign < "\u2e80" else "wide"
