"""Write lines of sources.jsonl as sources: new and changed ones, with their identifiers."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import batched
from typing import Any

from sources.exchange import rules
from sources.exchange.lines import SourceLine
from sources.exchange.planning import KnownSource, Planned, compare, merged, needs_row, twins
from sources.identity import identity_of, row_fields, row_more
from sources.importing.context import Bringing
from sources.importing.loading import lines_of
from sources.importing.staging import CHUNK
from sources.models import Project, Source, SourceIdentifier
from sources.recording import Entry
from workbench.lib.rows import rewrite

KIND = "sources"
# What a line sets of a source; an undo puts it back.
COLUMNS = (
    "url", "normalized_url", "canonical_url", "canonical_key", "doi", "title", "titles", "type",
    "source_type", "topic_type", "authors", "year", "venue", "impact_factor", "accessed_at",
    "abstract", "key_data", "used_in", "conflict_of_interest", "funding_statement", "disclosure",
    "strong_coi", "access_status", "evidence_locator", "dead_link", "failure_reason", "notes",
    "receipt_ids", "published_at", "quality", "stated", "given", "extra", "line_hash",
    "line_batch_id", "version",
)  # fmt: skip


class Sources:
    """The sources of a project, being compared and written part by part."""

    def __init__(self, bringing: Bringing) -> None:
        self.bringing = bringing
        self.known = load_known(bringing.project)
        self._seen = {each.canonical_key: name for name, each in self.known.items()}
        self._seen.pop("", None)

    def bring(self, lines: Sequence[SourceLine]) -> None:
        """Plan lines, and write them unless this is a dry run."""
        planned = self._plan(lines)
        for each in planned:
            self.bringing.tally(KIND, each.state)
        for line, other, same in twins([p.line for p in planned if p.state == "new"], self._seen):
            self.bringing.log.notice(
                rules.TWIN, line.file, line=line.number, id=line.id, other=other, same=same
            )
        if self.bringing.batch is not None:
            self._create([each for each in planned if each.state == "new"])
            self._change([each for each in planned if each.state == "changed"])

    def _plan(self, lines: Sequence[SourceLine]) -> list[Planned]:
        looked_at = [line for line in lines if needs_row(line, self.known.get(line.id))]
        rows = self._rows([self.known[line.id].pk for line in looked_at])
        written = lines_of(list(rows.values())) if rows else {}
        planned = []
        for line in lines:
            held = self.known.get(line.id)
            if held is None:
                planned.append(Planned(line, "new"))
                continue
            row = rows.get(held.pk)
            state = "same" if row is None else compare(line, row, written.get(held.pk))
            if state == "conflict":
                self.bringing.log.error(
                    rules.ID_TAKEN, line.file, line=line.number, path="id", skips=KIND, id=line.id,
                    title=row.title or row.url if row is not None else "",
                )  # fmt: skip
            elif state == "changed" and self.bringing.keep_old:
                state = "kept"
            planned.append(Planned(line, state, held.pk, row))
        return planned

    def _rows(self, pks: list[int]) -> dict[int, Source]:
        found: dict[int, Source] = {}
        for part in batched(pks, CHUNK):
            found |= {row.pk: row for row in Source.objects.filter(pk__in=part)}
        return found

    def _create(self, planned: list[Planned]) -> None:
        batch = self.bringing.batch
        if batch is None:
            return
        rows = [
            Source(
                project_id=batch.project_id, external_id=each.line.id,
                raw_id=each.line.id if each.line.has_id else "", origin=each.line.file,
                batch=batch, line_batch=batch, line_hash=each.line.line_hash,
                titles=[each.line.columns["title"]] if each.line.columns.get("title") else [],
                **each.line.columns,
            )
            for each in planned
        ]  # fmt: skip
        Source.objects.bulk_create(rows, batch_size=CHUNK)
        pairs = zip(rows, planned, strict=True)
        put_identifiers((row.pk, each.line.identifiers) for row, each in pairs)
        for row in rows:
            self.known[row.external_id] = KnownSource(row.pk, row.line_hash, row.canonical_key)
            self.bringing.urls.add(row.normalized_url)

    def _change(self, planned: list[Planned]) -> None:
        batch, rows, old, entries = self.bringing.batch, [], {}, []
        for each in planned:
            row = each.row
            old[str(row.pk)] = {name: getattr(row, name) for name in COLUMNS}
            self.bringing.urls.add(row.normalized_url)
            columns = merged(each.line, row)
            differing = [name for name, value in columns.items() if getattr(row, name) != value]
            for name, value in columns.items():
                setattr(row, name, value)
            title = columns.get("title")
            row.titles = row.titles if not title or title in row.titles else [*row.titles, title]
            row.line_hash, row.line_batch = each.line.line_hash, batch
            row.version += 1
            rows.append(row)
            new = {name: _plain(columns[name]) for name in differing if name in _TOLD}
            was = {name: _plain(old[str(row.pk)][name]) for name in new}
            entries.append(Entry("source.changed", "source", row.external_id, old=was, new=new))
            self.bringing.urls.add(row.normalized_url)
        self.bringing.keep(KIND, old)
        rewrite(Source, rows, COLUMNS)
        identify(rows)
        self.bringing.changed_sources |= {row.pk for row in rows}
        self.bringing.tell(entries)


# Of a changed source the trail says these values; of the others only that they changed.
_TOLD = frozenset({*COLUMNS} - {"abstract", "given", "extra", "titles", "canonical_key"})


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool | list | dict | None) else str(value)


def load_known(project: Project | None) -> dict[str, KnownSource]:
    """Give what a project has, by public id."""
    if project is None:
        return {}
    rows = Source.objects.filter(project=project).order_by()
    fields = rows.values_list("external_id", "pk", "line_hash", "canonical_key")
    return {
        name: KnownSource(pk, line_hash, key)
        for name, pk, line_hash, key in fields.iterator(chunk_size=5_000)
    }


def put_identifiers(found: Iterable[tuple[int, Iterable[Any]]]) -> None:
    """Create the identifiers of sources that have none yet."""
    rows = [
        SourceIdentifier(source_id=pk, scheme=each.scheme, value=each.value, found_in=each.found_in)
        for pk, identifiers in found
        for each in identifiers
    ]
    SourceIdentifier.objects.bulk_create(rows, batch_size=CHUNK, ignore_conflicts=True)


def identify(rows: Sequence[Source], *, save: bool = False) -> None:
    """Read anew who sources are; ``save`` writes the columns that tell it, too.

    Sources must be whole rows. Three queries for each thousand, and one more to save.
    """
    for part in batched(rows, CHUNK):
        found = {row.pk: identity_of(row_fields(row), row_more(row)) for row in part}
        if save:
            for row in part:
                identity = found[row.pk]
                row.canonical_url, row.canonical_key = (
                    identity.canonical_url,
                    identity.canonical_key,
                )
                row.doi = identity.doi
            rewrite(Source, part, ("canonical_url", "canonical_key", "doi"))
        _replace_identifiers({pk: identity.identifiers for pk, identity in found.items()})


def _replace_identifiers(wanted: Mapping[int, Iterable[Any]]) -> None:
    held = SourceIdentifier.objects.filter(source__in=list(wanted)).order_by()
    before: dict[int, set[tuple[str, str, str]]] = {}
    for pk, *rest in held.values_list("source_id", "scheme", "value", "found_in"):
        before.setdefault(pk, set()).add((rest[0], rest[1], rest[2]))
    differing = {
        pk: list(found)
        for pk, found in wanted.items()
        if before.get(pk, set()) != {(i.scheme, i.value, i.found_in) for i in found}
    }
    if differing:
        held.filter(source__in=list(differing)).delete()
        put_identifiers(differing.items())
