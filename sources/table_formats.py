"""The files that tables come in and go out as: CSV, XLSX and JSONL, for django-import-export.

CSV and XLSX never hold a formula; JSONL holds every value as it is.
"""

import csv
import io
import json
import zipfile
from decimal import Decimal
from typing import Any

import tablib
from django.utils.translation import gettext as _
from import_export.formats.base_formats import XLSX as BASE_XLSX
from import_export.formats.base_formats import Format

from workbench.lib.json_errors import JsonError
from workbench.lib.jsonl import read_lines
from workbench.lib.jsontext import decode_text
from workbench.lib.spreadsheets import neutral_cell, plain_cell

MAX_ROWS = 50_000
MAX_COLUMNS = 100
MAX_INFLATED = 200 * 2**20  # bytes of an XLSX, unpacked
ABSENT = object()  # a key that a line does not have; its field stays as it is


class UnreadableTable(Exception):
    """The file cannot be read as a table; the text is for the user."""


class TableFormat(Format):
    """A file of bytes, whatever is in it."""

    title = ""
    extension = ""
    content_type = "application/octet-stream"
    encoding: str | None = None

    def __init__(self, encoding: str | None = None) -> None:
        self.encoding = encoding

    def get_title(self) -> str:
        """Give the name in the list of formats; the page guesses it from a file's extension."""
        return self.title

    def get_extension(self) -> str:
        return self.extension

    def get_content_type(self) -> str:
        return self.content_type

    def can_import(self) -> bool:
        return True

    def can_export(self) -> bool:
        return True


class CsvFormat(TableFormat):
    """Comma-separated values; UTF-8 with a byte order mark, as spreadsheet programs want it."""

    title = "csv"
    extension = "csv"
    content_type = "text/csv; charset=utf-8"

    def create_dataset(self, in_stream: bytes, **_options: Any) -> tablib.Dataset:
        """Read a file in UTF-8 or a Chinese encoding. Raises UnreadableTable."""
        try:
            text, _notices = decode_text(in_stream)
        except JsonError as fault:
            raise UnreadableTable(_("The file is no text in UTF-8 or GB18030.")) from fault
        text = text.removeprefix("\ufeff")
        separator = (
            ";" if text.partition("\n")[0].count(";") > text.partition("\n")[0].count(",") else ","
        )
        try:
            rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
        except csv.Error as fault:
            raise UnreadableTable(_("The file is no CSV: %s.") % fault) from fault
        return _dataset([[plain_cell(cell) for cell in row] for row in rows])

    def export_data(self, dataset: tablib.Dataset, **_options: Any) -> bytes:
        """Write the rows, formulas neutralised."""
        target = io.StringIO(newline="")
        writer = csv.writer(target, lineterminator="\r\n")
        writer.writerow(dataset.headers or [])
        writer.writerows([neutral_cell(value) for value in row] for row in dataset)
        return b"\xef\xbb\xbf" + target.getvalue().encode("utf-8", "replace")


class XlsxFormat(TableFormat):
    """A sheet of Excel's; formulas in it count by the value that was stored with them."""

    title = "xlsx"
    extension = "xlsx"
    content_type = BASE_XLSX.CONTENT_TYPE

    def create_dataset(self, in_stream: bytes, **_options: Any) -> tablib.Dataset:
        """Read the first sheet. Raises UnreadableTable."""
        import openpyxl

        refused = _("The file is no XLSX workbook.")
        try:
            with zipfile.ZipFile(io.BytesIO(in_stream)) as packed:
                if sum(part.file_size for part in packed.infolist()) > MAX_INFLATED:
                    raise UnreadableTable(_("The workbook is too large when unpacked."))
            book = openpyxl.load_workbook(io.BytesIO(in_stream), read_only=True, data_only=True)
            sheet = book.worksheets[0]
            rows = [
                [plain_cell(cell) for cell in row]
                for row in _bounded(sheet.iter_rows(values_only=True))
            ]
        except UnreadableTable:
            raise
        # openpyxl raises whatever its XML, zip or number readers do.
        except Exception as fault:
            raise UnreadableTable(refused) from fault
        return _dataset(rows)

    def export_data(self, dataset: tablib.Dataset, **_options: Any) -> bytes:
        """Write one sheet, formulas neutralised."""
        import openpyxl
        from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

        book = openpyxl.Workbook(write_only=True)
        sheet = book.create_sheet("table")
        for row in (dataset.headers or [], *dataset):
            cells = (neutral_cell(value) for value in row)
            sheet.append(
                [
                    ILLEGAL_CHARACTERS_RE.sub("\ufffd", cell) if isinstance(cell, str) else cell
                    for cell in cells
                ]
            )
        target = io.BytesIO()
        book.save(target)
        return target.getvalue()


class JsonlFormat(TableFormat):
    """One JSON object a line; a line changes only the keys that it has."""

    title = "jsonl"
    extension = "jsonl"
    content_type = "application/jsonl; charset=utf-8"

    def create_dataset(self, in_stream: bytes, **_options: Any) -> tablib.Dataset:
        """Read all lines. Raises UnreadableTable, which names the first bad one."""
        records: list[dict[str, Any]] = []
        for line in read_lines(io.BytesIO(in_stream), allow_gb18030=True):
            if line.error is not None:
                raise UnreadableTable(str(line.error))
            records.append(line.value or {})
            _check_size(len(records))
        names = list(dict.fromkeys(name for record in records for name in record))
        rows = [[record.get(name, ABSENT) for name in names] for record in records]
        return _dataset([names, *rows] if names else [], trimmed=False)

    def export_data(self, dataset: tablib.Dataset, **_options: Any) -> bytes:
        """Write one object a row, in the order of the columns."""
        lines = (
            json.dumps(dict(zip(dataset.headers, row, strict=True)), ensure_ascii=False,
                       allow_nan=False, default=_plain)
            for row in dataset
        )  # fmt: skip
        return "".join(f"{line}\n" for line in lines).encode()


FORMATS = (CsvFormat, XlsxFormat, JsonlFormat)


def _plain(value: object) -> object:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return str(value)


def _bounded(rows: Any) -> Any:
    for count, row in enumerate(rows):
        _check_size(count)
        yield row


def _check_size(count: int) -> None:
    if count > MAX_ROWS:
        raise UnreadableTable(_("The file has more than %d rows.") % MAX_ROWS)


def _dataset(rows: list[list[Any]], *, trimmed: bool = True) -> tablib.Dataset:
    """Make a data set of rows of which the first one names the columns."""
    while trimmed and rows and not any(cell not in (None, "") for cell in rows[-1]):
        rows.pop()  # what a spreadsheet program leaves behind
    if not rows:
        raise UnreadableTable(_("The file holds no rows."))
    _check_size(len(rows) - 1)
    headers = [str(cell or "").strip() for cell in rows[0]]
    while headers and not headers[-1]:
        headers.pop()
    if not headers or len(headers) > MAX_COLUMNS or "" in headers:
        raise UnreadableTable(_("The first row must name the columns."))
    if len(set(headers)) < len(headers):
        raise UnreadableTable(_("Two columns have the same name."))
    dataset = tablib.Dataset(headers=headers)
    for row in rows[1:]:
        if any(cell not in (None, "") for cell in row[len(headers) :]):
            raise UnreadableTable(_("A row has more cells than there are columns."))
        dataset.append((row + [None] * len(headers))[: len(headers)])
    return dataset
