"""Write lines of search_log.jsonl as receipts. A receipt that is there is never changed."""

from collections.abc import Iterator, Sequence
from itertools import batched
from typing import Any

from search import exchange_rules as rules
from search.exchange import ROW, ReceiptLine, receipt_line
from search.models import Receipt
from sources.exchange.keys import Json
from sources.importing.context import Bringing
from sources.importing.loading import by_code_points
from sources.importing.staging import CHUNK
from sources.models import Project

KIND = "receipts"


class Receipts:
    """The receipts of a project, being compared and written part by part."""

    def __init__(self, bringing: Bringing) -> None:
        self.bringing = bringing
        rows = Receipt.objects.filter(project=bringing.project).order_by()
        fields = rows.values_list("external_id", "content_hash")
        self._known = dict(fields.iterator(chunk_size=CHUNK)) if bringing.project else {}

    def bring(self, lines: Sequence[ReceiptLine]) -> None:
        """Plan lines, and write the new ones unless this is a dry run."""
        differing = [
            line.id
            for line in lines
            if line.id in self._known and self._known[line.id] != line.content_hash
        ]
        held = self._rows(differing)
        new: list[ReceiptLine] = []
        for line in lines:
            if line.id not in self._known:
                new.append(line)
                self._known[line.id] = line.content_hash
                self.bringing.tally(KIND, "new")
            elif line.id not in held or _says_the_same(held[line.id], line):
                self.bringing.tally(KIND, "same")
            else:
                self.bringing.tally(KIND, "conflict")
                self.bringing.log.error(
                    rules.RECEIPT_CHANGED, line.file, line=line.number, path="receipt_id",
                    skips=KIND, id=line.id,
                )  # fmt: skip
        if self.bringing.batch is not None:
            self._create(new)

    def _rows(self, names: Sequence[str]) -> dict[str, Receipt]:
        found: dict[str, Receipt] = {}
        for part in batched(names, CHUNK):
            rows = Receipt.objects.filter(project=self.bringing.project, external_id__in=part)
            found |= {row.external_id: row for row in rows}
        return found

    def _create(self, lines: Sequence[ReceiptLine]) -> None:
        batch = self.bringing.batch
        if batch is None:
            return
        Receipt.objects.bulk_create(
            [
                Receipt(
                    project_id=batch.project_id, external_id=line.id, batch=batch,
                    content_hash=line.content_hash, **line.columns,
                )
                for line in lines
            ],
            batch_size=CHUNK,
        )  # fmt: skip


def _says_the_same(row: Receipt, line: ReceiptLine) -> bool:
    if _line(row) == dict(line.raw):
        return True
    return all(getattr(row, name) == value for name, value in line.columns.items())


def _line(row: Any) -> dict[str, Json]:
    return receipt_line({name: getattr(row, name) for name in ROW})


def receipt_lines(project: Project) -> Iterator[dict[str, Json]]:
    """Give the lines of search_log.jsonl, sorted by id."""
    rows = Receipt.objects.filter(project=project).order_by(by_code_points("external_id"))
    for values in rows.values_list(*ROW).iterator(chunk_size=CHUNK):
        yield receipt_line(dict(zip(ROW, values, strict=True)))
