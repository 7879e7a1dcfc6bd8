"""Write lines of rejected_sources.jsonl as rejections, and turn candidates away by them."""

from collections.abc import Iterator, Sequence
from itertools import batched
from typing import Any

from django.utils import timezone

from sources.exchange import rules
from sources.exchange.keys import Json
from sources.exchange.rejections import ROW, RejectionLine, rejection_key, rejection_line
from sources.importing.context import Bringing
from sources.importing.loading import by_code_points, lines_of
from sources.importing.staging import CHUNK
from sources.models import Project, Rejection, Source
from sources.recording import Entry
from workbench.lib.rows import rewrite

KIND = "rejections"
STRONG_COI = "strong_coi"  # the one rule whose sources stay listed. Rulebook section 2
COLUMNS = (
    "external_id", "url", "title", "rule", "reason", "receipt_ids", "score", "rejected_at",
    "rejected_by", "record", "content_hash", "reopened_at", "reopen_reason", "state", "source_id",
    "version",
)  # fmt: skip
State = Rejection.State


class Rejections:
    """The rejections of a project, being compared and written part by part."""

    def __init__(self, bringing: Bringing) -> None:
        self.bringing = bringing
        self._known: dict[tuple[str, str], int] = {}  # 0: of this very file
        self._hashes: set[str] = set()  # of lines that are here
        self._sources: dict[str, tuple[int, str]] = {}  # id or canonical key → pk, status
        self._rejected: set[int] = set()  # sources that a rejection stands against
        if bringing.project is not None:
            self._load(bringing.project)

    def _load(self, project: Project) -> None:
        rows = Rejection.objects.filter(project=project).order_by("pk")
        fields = ("pk", "source_id", "external_id", "url", "title", "rule", "content_hash", "state")
        for row in rows.values_list(*fields).iterator(chunk_size=CHUNK):
            pk, source, name, url, title, rule, content_hash, state = row
            self._known[rejection_key(name, url, title, rule)] = pk
            self._hashes.add(content_hash)
            if source is not None and state == State.STANDING:
                self._rejected.add(source)
        found = Source.objects.filter(project=project).order_by()
        sources = found.values_list("pk", "external_id", "canonical_url", "status")
        for pk, name, address, status in sources.iterator(chunk_size=CHUNK):
            self._sources[name] = (pk, status)
            if address:
                self._sources.setdefault(address, (pk, status))

    def bring(self, lines: Sequence[RejectionLine]) -> None:
        """Plan lines, and write them unless this is a dry run."""
        new: list[RejectionLine] = []
        changed: list[tuple[RejectionLine, Rejection]] = []
        looked_at = [line for line in lines if self._differs(line)]
        rows = {row.pk: row for row in self._rows(looked_at)}
        written = _written(list(rows.values()))
        for line in lines:
            row = rows.get(self._known.get(line.key, 0))
            if line.columns["content_hash"] in self._hashes:
                self.bringing.tally(KIND, "same")
            elif row is None:
                self._known[line.key] = 0
                new.append(line)
                self.bringing.tally(KIND, "new")
            elif written[row.pk] == dict(line.raw):
                self.bringing.tally(KIND, "same")
            elif self.bringing.keep_old:
                self.bringing.tally(KIND, "kept")
            else:
                changed.append((line, row))
                self.bringing.tally(KIND, "changed")
            self._hashes.add(line.columns["content_hash"])
        if self.bringing.batch is not None:
            self._create(new)
            self._change(changed)

    def _differs(self, line: RejectionLine) -> bool:
        is_here = line.columns["content_hash"] in self._hashes
        return not is_here and bool(self._known.get(line.key))

    def _rows(self, lines: Sequence[RejectionLine]) -> Iterator[Rejection]:
        pks = [self._known[line.key] for line in lines]
        for part in batched(pks, CHUNK):
            yield from Rejection.objects.filter(pk__in=part)

    def _create(self, lines: Sequence[RejectionLine]) -> None:
        batch = self.bringing.batch
        if batch is None or not lines:
            return
        turned_away: list[int] = []
        rows = []
        for line in lines:
            values = _values(line)
            source = self._source(line, values["state"], turned_away)
            rows.append(
                Rejection(project_id=batch.project_id, batch=batch, source_id=source, **values)
            )
        Rejection.objects.bulk_create(rows, batch_size=CHUNK)
        self._turn_away(turned_away)

    def _source(self, line: RejectionLine, state: str, turned_away: list[int]) -> int | None:
        """Give the source that a line is about, unless another rejection stands against it."""
        found = self._sources.get(line.columns["external_id"]) or self._sources.get(
            line.canonical_url
        )
        if found is None or state != State.STANDING:
            return found[0] if found else None
        pk, status = found
        name = line.columns["external_id"] or line.canonical_url
        if pk in self._rejected:
            self.bringing.log.notice(rules.REJECTED_TWICE, line.file, line=line.number, id=name)
            return None
        if status == Source.Status.ADMITTED and line.columns["rule"] != STRONG_COI:
            self.bringing.log.notice(rules.ADMITTED_HERE, line.file, line=line.number, id=name)
            return None
        self._rejected.add(pk)
        if line.columns["rule"] != STRONG_COI:
            turned_away.append(pk)
        return pk

    def _turn_away(self, pks: Sequence[int]) -> None:
        """Reject candidates that a line says were rejected."""
        for part in batched(pks, CHUNK):
            rows = Source.objects.filter(pk__in=part, status=Source.Status.CANDIDATE)
            names = dict(rows.values_list("pk", "external_id"))
            rows.update(status=Source.Status.REJECTED)
            self.bringing.keep("turned_away", {str(pk): {} for pk in names})
            self.bringing.changed_sources |= names.keys()
            self.bringing.tell(
                Entry(
                    "source.rejected", "source", name,
                    old={"status": Source.Status.CANDIDATE}, new={"status": Source.Status.REJECTED},
                )
                for name in names.values()
            )  # fmt: skip

    def _change(self, pairs: Sequence[tuple[RejectionLine, Rejection]]) -> None:
        old, entries = {}, []
        for line, row in pairs:
            old[str(row.pk)] = {name: getattr(row, name) for name in COLUMNS}
            new = _values(line)
            if row.state == State.REOPENED:
                # Opened again here: a file does not close it.
                del new["state"], new["reopened_at"], new["reopen_reason"]
            for name, value in new.items():
                setattr(row, name, value)
            row.version += 1
            entries.append(Entry("rejection.changed", "rejection", row.external_id or row.url))
        self.bringing.keep(KIND, old)
        rewrite(Rejection, [row for _line, row in pairs], COLUMNS)
        self.bringing.tell(entries)


def _values(line: RejectionLine) -> dict[str, Any]:
    columns = dict(line.columns)
    columns["rejected_at"] = columns["rejected_at"] or timezone.now()
    columns["state"] = State.REOPENED if columns["reopened_at"] else State.STANDING
    return columns


def rejection_lines(project: Project) -> Iterator[dict[str, Json]]:
    """Give the lines of rejected_sources.jsonl, sorted by id, address and rule."""
    rows = Rejection.objects.filter(project=project)
    rows = rows.order_by(
        by_code_points("external_id"), by_code_points("url"), by_code_points("rule"), "pk"
    )
    for part in batched(rows.iterator(chunk_size=CHUNK), CHUNK):
        written = _written(part)
        yield from (written[row.pk] for row in part)


def _written(rows: Sequence[Rejection]) -> dict[int, dict[str, Json]]:
    """Give the lines of some rejections, by primary key."""
    from_here = [row.source_id for row in rows if row.source_id and not row.record]
    sources: dict[int, dict[str, Json]] = {}
    for part in batched(from_here, CHUNK):
        sources |= lines_of(list(Source.objects.filter(pk__in=part)))
    return {
        row.pk: rejection_line(
            {name: getattr(row, name) for name in ROW}, sources.get(row.source_id or 0)
        )
        for row in rows
    }
