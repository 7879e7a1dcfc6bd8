"""Read the bytes of a page as text: by what decodes cleanly, not by what a header says. Pure."""

import codecs
import re
from collections.abc import Iterator

from charset_normalizer import from_bytes

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# What is declared under one name and written in a larger set.
_MEANT = {
    "gb2312": "gb18030", "gbk": "gb18030", "hz": "gb18030", "iso8859-1": "cp1252",
    "ascii": "cp1252", "big5": "big5hkscs", "shift_jis": "cp932", "euc_kr": "cp949",
    "iso8859-9": "cp1254", "iso8859-11": "cp874",
}  # fmt: skip
# Servers say these of whatever they send, and every byte is a letter in them.
_WEAK = frozenset({"cp1252", "cp1254", "iso8859-15", "latin_1"})
_WIDE = frozenset({"gb18030", "big5hkscs", "big5", "cp932", "shift_jis", "euc_jp", "cp949"})
_NEVER = frozenset(
    {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "utf_7", "mbcs"}
)
_META = re.compile(
    rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([a-zA-Z0-9_:.-]{2,40})""", re.IGNORECASE
)
_XML = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([a-zA-Z0-9_:.-]{2,40})""")
_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([a-zA-Z0-9_:.-]{2,40})""", re.IGNORECASE)
_LOOKED = 64 * 2**10  # bytes that the detector reads
_ENOUGH = 24  # bytes that are no ASCII: what is told from fewer is chance
_ASCII = bytes(range(128))
_ODD = re.compile("[\ufffd\x80-\x9f\ue000-\uf8ff]")


def decode(body: bytes, content_type: str = "") -> tuple[str, str]:
    """Give the text and the character set that it was read in. Never fails."""
    for mark, name in _BOMS:
        if body.startswith(mark):
            return body.decode(name, "replace"), name
    try:
        return body.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        pass
    best: tuple[float, str, str] | None = None
    for name in _candidates(body, content_type):
        text = body.decode(name, "replace")
        odd = len(_ODD.findall(text)) / max(1, _foreign(text))
        if odd == 0:
            return text, name
        if best is None or odd < best[0]:
            best = odd, text, name
    assert best is not None  # noqa: S101  # for the types: UTF-8 is always tried
    return best[1], best[2]


def _foreign(text: str) -> int:
    """Count what is no ASCII: the only part that a wrong set would spoil."""
    return len(text) - len(text.encode("ascii", "ignore"))


def _candidates(body: bytes, content_type: str) -> Iterator[str]:
    declared = list(dict.fromkeys(_declared(body, content_type)))
    strong = [name for name in declared if name not in _WEAK]
    yield from strong
    if not strong:
        found = _detected(body)
        if found and (found in _WIDE or not declared):
            yield found
    yield from (name for name in declared if name in _WEAK)
    yield "utf-8"
    yield "cp1252"


def _declared(body: bytes, content_type: str) -> Iterator[str]:
    """Give what the header and the document say, the document first where both say something."""
    head = body[:4096]
    for found in (_XML.search(head), _META.search(head)):
        if found and (name := _known(found[1].decode("ascii"))):
            yield name
    if (stated := _CHARSET.search(content_type)) and (name := _known(stated[1])):
        yield name


def _known(name: str) -> str:
    try:
        found = codecs.lookup(name).name
        b"a".decode(found)
    except (LookupError, ValueError, UnicodeError):
        return ""
    if found.replace("-", "_") in _NEVER or found.startswith(("utf-16", "utf-32")):
        return ""  # a document whose declaration can be read so is written in neither
    return _MEANT.get(found, found)


def _detected(body: bytes) -> str:
    head = body[:_LOOKED]
    if len(head.translate(None, _ASCII)) < _ENOUGH:
        return ""
    found = from_bytes(head).best()
    return _known(found.encoding) if found else ""
