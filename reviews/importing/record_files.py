"""Read files of records into records that wait to be written; write those that do."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from reviews.exchange import record_rules
from reviews.exchange.reading import Progress
from reviews.exchange.record_files import BIBTEX, RECEIPTS, REJECTIONS, RIS, RecordFiles
from search import exchange_rules
from search.exchange import read_receipt
from search.importing import Receipts
from sources.exchange import rules
from sources.exchange.bibtex import read_bibtex
from sources.exchange.lines import SourceLine, read_line
from sources.exchange.reading import Twice, objects, once
from sources.exchange.references import MOST_BYTES, TOO_LARGE, BadReferences
from sources.exchange.rejections import read_rejection
from sources.exchange.ris import read_ris
from sources.importing.context import Bringing
from sources.importing.rejections import Rejections
from sources.importing.sources import Sources
from sources.importing.staging import CHUNK, Staging
from workbench.lib.archives import ArchiveError, Tree
from workbench.lib.json_errors import JsonError
from workbench.lib.jsontext import decode_text
from workbench.lib.problems import Log

type Reader = Callable[[Staged, Tree, str, str], Iterator[Any]]

RECORD_KINDS = {RECEIPTS: "receipts", REJECTIONS: "rejections"}  # all others are sources
_SOURCES_TWICE = Twice(rules.LINE_TWICE, rules.ID_TWICE)
_RECEIPTS_TWICE = Twice(exchange_rules.LINE_TWICE, exchange_rules.RECEIPT_TWICE, "receipt_id")


@dataclass(slots=True)
class Staged:
    """The records of an upload by kind, on disk, with what was said of them."""

    files: RecordFiles
    log: Log
    parts: dict[str, Staging[Any]] = field(default_factory=dict)
    repeated: dict[str, int] = field(default_factory=dict)  # lines that stand twice, by kind
    read: dict[str, dict[str, int]] = field(default_factory=dict)  # file → kind → records


def kind_of_records(kind: str) -> str:
    """Give the name under which records of a file are counted."""
    return RECORD_KINDS.get(kind, "sources")


def stage(
    tree: Tree, name: str, files: RecordFiles, stack: ExitStack, known: frozenset[str],
    progress: Progress,
) -> Staged:  # fmt: skip
    """Read all files; ``known`` are ids of sources of which the raw line is wanted, too."""
    staged = Staged(files, Log())
    for notice in tree.notices:
        staged.log.notice(rules.TOLERATED, name, notice=notice)
    for path in files.others:
        staged.log.notice(record_rules.LEFT_ALONE, path)
    for kind, path in files.members.items():
        shown = name if tree.kind == "file" else path
        waiting: Staging[Any] = stack.enter_context(Staging())
        records = _READERS[kind](staged, tree, path, shown)
        waiting.fill(_slim(_told(records, tree, path, progress), known))
        staged.parts[kind] = waiting
        staged.read[shown] = {kind_of_records(kind): waiting.count + staged.repeated.get(kind, 0)}
        if not waiting.count and shown not in staged.log.spoilt:
            staged.log.notice(record_rules.NO_RECORDS, shown)
    return staged


def _told(records: Iterator[Any], tree: Tree, path: str, progress: Progress) -> Iterator[Any]:
    """Tell how far the reading is, by the place in the file that lines have reached."""
    done = 0
    for done, record in enumerate(records, start=1):
        if done % CHUNK == 0:
            progress("reading", done, 0)
        yield record
    progress("reading", done, done)


def _slim(records: Iterator[Any], known: frozenset[str]) -> Iterator[Any]:
    """Drop the raw lines of sources that the project does not have: nothing compares them."""
    for record in records:
        if isinstance(record, SourceLine) and record.id not in known:
            record.raw = {}
        yield record


def _lines(staged: Staged, tree: Tree, path: str, shown: str, kind: str) -> Iterator[Any]:
    try:
        with tree.open(path) as stream:
            yield from objects(stream, shown, staged.log, kind)
    except ArchiveError as fault:
        staged.log.error(rules.MEMBER, shown, skips=kind, fault=fault)


def _sources(staged: Staged, tree: Tree, path: str, shown: str) -> Iterator[Any]:
    lines = (
        line
        for number, raw in _lines(staged, tree, path, shown, "sources")
        if (line := read_line(raw, number=number, file=shown, log=staged.log)) is not None
    )
    return once(
        _named_apart(lines), lambda line: (line.id, line.line_hash), _SOURCES_TWICE,
        staged.log, "sources", _repeats(staged, "sources"),
    )  # fmt: skip


def _references(kind: str) -> Reader:
    """Give the reader of a format of references."""

    def read(staged: Staged, tree: Tree, path: str, shown: str) -> Iterator[Any]:
        return once(
            _named_apart(_reference_lines(staged, tree, path, shown, kind)),
            lambda line: (line.id, line.line_hash), _SOURCES_TWICE, staged.log, "sources",
            _repeats(staged, kind),
        )  # fmt: skip

    return read


def _reference_lines(
    staged: Staged, tree: Tree, path: str, shown: str, kind: str
) -> Iterator[SourceLine]:
    log = staged.log
    try:
        with tree.open(path) as stream:
            data = stream.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise BadReferences(TOO_LARGE, limit=MOST_BYTES // 2**20)
        text, notices = decode_text(data)
        for notice in notices:
            log.notice(rules.TOLERATED, shown, notice=notice)
        for found in _FORMATS[kind](text):
            if found.fault is not None:
                log.error(
                    rules.REFERENCE, shown, line=found.number, skips="sources", fault=found.fault
                )
                continue
            line = read_line(found.line, number=found.number, file=shown, log=log, partial=True)
            if line is not None:
                yield line
    except (ArchiveError, JsonError, BadReferences) as fault:
        log.error(rules.REFERENCE, shown, skips="files", fault=fault)


_FORMATS = {RIS: read_ris, BIBTEX: read_bibtex}


def _named_apart(lines: Iterator[SourceLine]) -> Iterator[SourceLine]:
    """Give lines without ids names of their own where they seem to be one source."""
    seen: dict[str, str] = {}
    for line in lines:
        if not line.has_id:
            number, name = 1, line.id
            while seen.setdefault(line.id, line.line_hash) != line.line_hash:
                number += 1
                line.id = f"{name}-{number}"
        yield line


def _receipts(staged: Staged, tree: Tree, path: str, shown: str) -> Iterator[Any]:
    lines = (
        line
        for number, raw in _lines(staged, tree, path, shown, "receipts")
        if (line := read_receipt(raw, number=number, file=shown, log=staged.log)) is not None
    )
    return once(
        lines, lambda line: (line.id, line.content_hash), _RECEIPTS_TWICE, staged.log, "receipts",
        _repeats(staged, RECEIPTS),
    )  # fmt: skip


def _rejections(staged: Staged, tree: Tree, path: str, shown: str) -> Iterator[Any]:
    return (
        line
        for number, raw in _lines(staged, tree, path, shown, "rejections")
        if (line := read_rejection(raw, number=number, file=shown, log=staged.log)) is not None
    )


def _repeats(staged: Staged, kind: str) -> Callable[[], None]:
    def again() -> None:
        staged.repeated[kind] = staged.repeated.get(kind, 0) + 1

    return again


_READERS: dict[str, Reader] = {
    "sources": _sources,
    RIS: _references(RIS),
    BIBTEX: _references(BIBTEX),
    RECEIPTS: _receipts,
    REJECTIONS: _rejections,
}


def bring(staged: Staged, bringing: Bringing) -> None:
    """Compare all records with the project, and write them unless this is a dry run."""
    for kind, waiting in staged.parts.items():
        writer: Receipts | Rejections | Sources
        if kind == RECEIPTS:
            writer = Receipts(bringing)
        elif kind == REJECTIONS:
            writer = Rejections(bringing)
        else:
            writer = Sources(bringing)
        for part in waiting.parts():
            writer.bring(part)
        if again := staged.repeated.get(kind):
            bringing.tally(kind_of_records(kind), "same", again)
    for kind, number in staged.log.skipped.items():
        bringing.counts["skipped"][kind] += number
