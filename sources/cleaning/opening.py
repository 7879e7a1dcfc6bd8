"""Bytes of an input file as a JSON document, however dirty its texts are. Pure.

The texts are what is to be cleaned, so NUL, half characters and bytes of another encoding are let
in here; the document around them must be JSON.
"""

import codecs
import json
import re
from collections.abc import Mapping

from workbench.lib.json_errors import JsonError, Limits, Reason
from workbench.lib.jsontext import parse_text
from workbench.lib.texts import Text

LIMITS = Limits()
_RUN = re.compile(rb"[\x80-\xff]+")
_WIDE = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

GB18030 = Text("The file is not UTF-8; it was read as GB18030", "文件不是 UTF-8，已按 GB18030 读取")
MIXED = Text(
    "The file is not UTF-8 throughout (first at byte {byte}); what is not was read as GB18030, and "
    "lost characters became U+FFFD",
    "文件并非全为 UTF-8（首处在第 {byte} 字节）；其余按 GB18030 读取，无法读取的字符以 U+FFFD 代替",
)

type Notices = tuple[tuple[Text, Mapping[str, object]], ...]


def open_document(data: bytes) -> tuple[object, Notices]:
    """Give the document and what was tolerated. Raises JsonError with the place of a fault."""
    if len(data) > LIMITS.size:
        raise JsonError(Reason.TOO_LARGE, limit=LIMITS.size, size=len(data))
    text, notices = _decoded(data)
    try:
        return json.loads(text), notices
    except (ValueError, RecursionError):
        # Only the strict reader tells where it is; it also takes a Markdown fence off.
        return parse_text(text, limits=Limits(allow_nul=True)).value, notices


def _decoded(data: bytes) -> tuple[str, Notices]:
    if data.startswith(_WIDE):
        return data.decode("utf-32" if data.startswith(_WIDE[:2]) else "utf-16", "replace"), ()
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError as fault:
        byte = fault.start
    runs = _RUN.findall(data)
    good = sum(map(_is_utf8, runs))
    if good * 2 < len(runs):
        try:
            return data.decode("gb18030"), ((GB18030, {}),)
        except UnicodeDecodeError:
            pass
    mixed = _RUN.sub(lambda run: _read(run[0]).encode(), data).decode("utf-8", "replace")
    return mixed, ((MIXED, {"byte": byte}),)


def _is_utf8(run: bytes) -> bool:
    try:
        run.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _read(run: bytes) -> str:
    for encoding in ("utf-8", "gb18030"):
        try:
            return run.decode(encoding)
        except UnicodeDecodeError:
            continue
    return run.decode("utf-8", "replace")
