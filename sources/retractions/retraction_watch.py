"""The table of Retraction Watch, row by row, in both of its vintages. Pure.

Source: providers, section 11. The file of 2024 has a ``+`` before each reason and PubMed ids as
floats; the one of 2026 has one more column, without a name.
"""

import codecs
import csv
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from sources.dois import fold_doi
from workbench.lib.notices import InputError, shown
from workbench.lib.texts import Text

from .dates import from_american
from .reading import as_pmid
from .statements import RETRACTION_WATCH, Statement, fold_nature

COLUMNS = (
    "Record ID",
    "RetractionDate",
    "RetractionDOI",
    "RetractionPubMedID",
    "OriginalPaperDOI",
    "OriginalPaperPubMedID",
    "RetractionNature",
)
# Columns that a statement has a place for; the others are kept as they are.
_TAKEN = frozenset({*COLUMNS, "Title", "Journal", "Reason"})
_FIELD_BYTES = 2**20  # a list of three thousand authors has 60,000

NO_TABLE = Text(
    en="The file is no table of Retraction Watch: the column {column} is missing. "
    "Nothing was imported.",
    zh="这不是 Retraction Watch 数据表：缺少列 {column}。未导入任何内容。",
)
BROKEN = Text(
    en="Line {line}: the table cannot be read further ({reason}). Nothing was imported; "
    "download the file again.",
    zh="第 {line} 行：数据表无法继续读取（{reason}）。未导入任何内容；请重新下载文件。",
)
EMPTY = Text(
    en="The table holds no rows. Nothing was imported.", zh="数据表没有任何行。未导入任何内容。"
)
NO_ID = Text(
    en="Line {line}: the row has no Record ID and was left out.",
    zh="第 {line} 行：没有 Record ID，已略过。",
)
NO_NATURE = Text(
    en="Line {line}: record {record} does not say what it is (RetractionNature); it was left out.",
    zh="第 {line} 行：记录 {record} 没有注明类型（RetractionNature），已略过。",
)
NO_DATE = Text(
    en="Line {line}: the date “{date}” of record {record} cannot be read; it counts as unknown.",
    zh="第 {line} 行：记录 {record} 的日期“{date}”无法识别，按未知处理。",
)

PROBLEMS: Mapping[str, Text] = {"no-id": NO_ID, "no-nature": NO_NATURE, "no-date": NO_DATE}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something odd about one row: the row was left out, or read in part."""

    line: int
    code: str  # of PROBLEMS
    values: Mapping[str, str]
    left_out: bool

    def render(self, language: str) -> str:
        """Give the message in a language."""
        return PROBLEMS[self.code].render(language, line=self.line, **self.values)


@dataclass(frozen=True, slots=True)
class Passed:
    """A row of a record that was not asked for."""

    key: str


def encoding_of(path: Path) -> str:
    """Tell how a table is written: UTF-8 with or without its mark, else Latin-1."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    with path.open("rb") as file:
        try:
            while chunk := file.read(2**20):
                decoder.decode(chunk)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return "latin-1"
    return "utf-8-sig"


def read_table(
    stream: TextIO, *, only: Container[str] | None = None
) -> Iterator[Statement | Problem | Passed]:
    """Give each row as a statement, or what is odd about it; a row in part gives both.

    ``only`` names records that are wanted; of others only their names and oddities are told, which
    is quicker. The stream must have been opened with ``newline=""``: notes hold line ends. Rows are
    not kept, so a file of any size needs the memory of one row. Raises InputError for a file that
    is none.
    """
    csv.field_size_limit(_FIELD_BYTES)
    rows = csv.reader(line.replace("\x00", "") for line in stream)
    try:
        header = [name.strip() for name in next(rows, [])]
        missing = next((column for column in COLUMNS if column not in header), None)
        if missing is not None:
            raise InputError("no-table", NO_TABLE, {"column": missing})
        begun = rows.line_num + 1
        for cells in rows:
            yield from _read_row(header, cells, begun, only)
            begun = rows.line_num + 1
    except csv.Error as fault:
        values = {"line": rows.line_num, "reason": str(fault)}
        raise InputError("broken-table", BROKEN, values) from None


def _read_row(
    header: list[str], cells: list[str], line: int, only: Container[str] | None
) -> Iterator[Statement | Problem | Passed]:
    row = {name: cell.strip() for name, cell in zip(header, cells, strict=False) if name}
    if not any(row.values()):
        return  # separators only, as at the end of some copies
    record = row.get("Record ID", "").removesuffix(".0")
    nature = fold_nature(row.get("RetractionNature", ""))
    if not record or len(record) > 40:
        yield Problem(line, "no-id", {}, left_out=True)
        return
    if not nature:
        values = {"record": shown(record)}
        yield Problem(line, "no-nature", values, left_out=True)
        return
    written = row.get("RetractionDate", "")
    date = from_american(written)
    if written and not date:
        values = {"record": shown(record), "date": shown(written, 30)}
        yield Problem(line, "no-date", values, left_out=False)
    if only is None or record in only:
        yield _statement(row, record, nature, date)
    else:
        yield Passed(record)


def _statement(row: Mapping[str, str], record: str, nature: str, date: str) -> Statement:
    return Statement(
        provider=RETRACTION_WATCH,
        key=record,
        nature=nature,
        stated_as=row["RetractionNature"][:200],
        doi=fold_doi(row.get("OriginalPaperDOI", "")),  # "unavailable" folds to nothing
        pmid=as_pmid(row.get("OriginalPaperPubMedID", "")),
        date=date,
        notice_doi=fold_doi(row.get("RetractionDOI", "")),
        notice_pmid=as_pmid(row.get("RetractionPubMedID", "")),
        title=row.get("Title", ""),
        journal=row.get("Journal", "")[:500],
        reasons=_reasons(row.get("Reason", "")),
        told_by=record,
        asserted_by=("retraction-watch",),
        raw={name: cell for name, cell in row.items() if cell and name not in _TAKEN},
    )


def _reasons(text: str) -> tuple[str, ...]:
    pieces = (piece.strip().removeprefix("+").strip() for piece in text.split(";"))
    return tuple(piece for piece in pieces if piece)
