"""Read JSON and JSONL members of a tree; what was tolerated becomes notices."""

from collections.abc import Iterator
from typing import Any

from workbench.lib import jsonl, jsontext
from workbench.lib.archives import ArchiveError, Tree
from workbench.lib.json_errors import JsonError, Reason
from workbench.lib.notices import Notice

from .problems import Log
from .rules import JSON, MEMBER, TOLERATED

LINE_BYTES = 64 * 2**20  # a record with the whole text of a page in it


class Unusable(Exception):
    """A member could not be read; the log says why."""


def read_bytes(tree: Tree, path: str, log: Log, shown_as: str = "") -> bytes:
    """Give the bytes of a member, or note the error and raise Unusable."""
    try:
        return tree.read(path)
    except ArchiveError as fault:
        log.error(MEMBER, shown_as or path, skips="files", fault=fault)
        raise Unusable from fault


def read_json(tree: Tree, path: str, log: Log, shown_as: str = "") -> Any:
    """Give the value of a JSON member, or note the error and raise Unusable."""
    name = shown_as or path
    data = read_bytes(tree, path, log, name)
    try:
        parsed = parse(data)
    except JsonError as fault:
        log.error(JSON, name, skips="files", fault=fault)
        raise Unusable from fault
    _note(parsed.notices, name, log)
    return parsed.value


def parse(data: bytes) -> jsontext.Parsed:
    """Read a JSON text that may also be in a Chinese encoding; a notice says so."""
    try:
        return jsontext.parse(data)
    except JsonError as error:
        if error.reason not in {Reason.NOT_UTF8, Reason.WIDE_ENCODING}:
            raise
    text, notices = jsontext.decode_text(data)
    parsed = jsontext.parse_text(text)
    return jsontext.Parsed(parsed.value, (*notices, *parsed.notices))


def read_lines(tree: Tree, path: str, log: Log, shown_as: str = "") -> Iterator[tuple[int, Any]]:
    """Yield line number and object of each good line; bad ones become errors."""
    name = shown_as or path
    try:
        with tree.open(path) as stream:
            for line in jsonl.read_lines(stream, line_bytes=LINE_BYTES, allow_gb18030=True):
                _note(line.notices, name, log)
                if line.error is not None:
                    log.error(JSON, name, line=line.number, skips="lines", fault=line.error)
                elif line.value is not None:
                    yield line.number, line.value
    except ArchiveError as fault:
        log.error(MEMBER, name, skips="files", fault=fault)


def read_text(tree: Tree, path: str, log: Log, shown_as: str = "") -> str:
    """Give a text member as a reader sees it, in whatever encoding it is."""
    data = read_bytes(tree, path, log, shown_as)
    try:
        text, notices = jsontext.decode_text(data)
    except JsonError as fault:
        log.error(JSON, shown_as or path, skips="files", fault=fault)
        raise Unusable from fault
    _note(notices, shown_as or path, log)
    return text.replace("\r\n", "\n")


def _note(notices: tuple[Notice, ...], name: str, log: Log) -> None:
    for notice in notices:
        log.notice(TOLERATED, name, notice=notice)
