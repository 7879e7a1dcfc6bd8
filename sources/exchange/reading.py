"""Read files of JSON Lines into records, each known by its id, none of them twice. Pure."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from sources.exchange import rules
from workbench.lib import jsonl
from workbench.lib.jsonl import ByteLines
from workbench.lib.problems import Log, Rule

LINE_BYTES = 16 * 2**20


class Record(Protocol):
    """A line that was read."""

    number: int
    file: str


type ReadLine[T] = Callable[[Mapping[str, Any], int], T | None]
type Told = tuple[str, str]  # id and content hash


@dataclass(frozen=True, slots=True)
class Twice:
    """The rules that speak of lines that stand twice in a file."""

    same: Rule
    other: Rule
    path: str = "id"


def objects(stream: ByteLines, file: str, log: Log, kind: str) -> Iterator[tuple[int, Any]]:
    """Give number and object of each good line; bad ones become errors of the log."""
    for line in jsonl.read_lines(stream, line_bytes=LINE_BYTES, allow_gb18030=True):
        for notice in line.notices:
            log.notice(rules.TOLERATED, file, line=line.number, notice=notice)
        if line.error is not None:
            log.error(rules.JSON, file, line=line.number, skips=kind, fault=line.error)
        elif line.value is not None:
            yield line.number, line.value


def once[T: Record](
    records: Iterator[T],
    tell: Callable[[T], Told],
    twice: Twice,
    log: Log,
    kind: str,
    same: Callable[[], None],
) -> Iterator[T]:
    """Leave out records that a file has before; ``same`` is called for each that is equal.

    One id with other content is an error.
    """
    seen: dict[str, tuple[int, str]] = {}
    for record in records:
        name, content_hash = tell(record)
        first, known = seen.setdefault(name, (record.number, content_hash))
        if first == record.number:
            yield record
        elif known == content_hash:
            log.notice(twice.same, record.file, line=record.number, first=first)
            same()
        else:
            log.error(
                twice.other, record.file, line=record.number, path=twice.path, skips=kind, id=name,
                first=first,
            )  # fmt: skip
