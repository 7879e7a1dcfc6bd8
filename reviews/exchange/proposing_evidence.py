"""Find where the evidence of foreign claims stands: beside them, in them, or elsewhere by id."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import shapes
from .values import objects, text_of

type Records = Sequence[Mapping[str, Any]]
type Place = tuple[str, str]  # file and path of a list

DEEPEST = 3  # look-ups in a row
ENOUGH = 0.5  # share of ids that must be found where they are looked up


@dataclass(frozen=True, slots=True)
class Table:
    """A list of objects that ids may point to."""

    file: str
    place: str
    rows: list[dict[str, Any]]
    holds_claims: bool = False


@dataclass(slots=True)
class Evidence:
    """Fields of a mapping for evidence, sources and snapshots."""

    fields: dict[str, str] = field(default_factory=dict)
    score: int = 0
    files: frozenset[str] = frozenset()

    def add(self, target: str, path: str, points: int = 0) -> None:
        """Note a field unless it is known."""
        if target not in self.fields:
            self.fields[target] = path
            self.score += points


class Tables:
    """Every list of objects of every document."""

    def __init__(self, documents: Mapping[str, Any]) -> None:
        self.all = [
            Table(path, place, rows, _holds_claims(place, rows))
            for path, root in documents.items()
            for place, rows in _lists(root, "")
        ]

    def holding(
        self, key: str, file: str, ids: set[str], passed: frozenset[Place]
    ) -> tuple[Table, str] | None:
        """Give the table and its key that most ids stand in, each once; None without one.

        A table of the file itself, and one that is called like the key, come first.
        """
        stem = key.lower().removesuffix("s").removesuffix("_id").removesuffix("id").strip("_")
        best: tuple[float, Table, str] | None = None
        for table in self.all:
            if (table.file, table.place) in passed or table.holds_claims:
                continue
            for id_key in shapes.keys_of(table.rows):
                if not shapes.are_ids(id_key, shapes.values_of(table.rows, id_key)):
                    continue
                held = [text_of(row[id_key]) for row in table.rows if row.get(id_key) is not None]
                share = len(ids & set(held)) / len(ids)
                if share < ENOUGH or len(set(held)) < len(held):
                    continue
                name = table.place.rsplit(".", 1)[-1] or table.file.rsplit("/", 1)[-1]
                share += 0.1 * (table.file == file) + 0.3 * bool(stem and name.startswith(stem))
                if best is None or share > best[0]:
                    best = (share, table, id_key)
        return (best[1], best[2]) if best else None


def _holds_claims(place: str, rows: list[dict[str, Any]]) -> bool:
    return "claims" in place.lower() or shapes.claim_text(rows)[1] > shapes.CLAIM_TEXT["statement"]


def _lists(value: Any, place: str, depth: int = 0) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    if isinstance(value, list):
        if rows := objects(value):
            yield place, rows
    elif isinstance(value, dict) and depth < DEEPEST:
        for key, inner in value.items():
            if "." not in key and "[" not in key:
                yield from _lists(inner, f"{place}.{key}" if place else key, depth + 1)


def evidence_fields(records: Records, file: str, tables: Tables, *, claim_id: str) -> Evidence:
    """Give the fields that lead from claims to their evidence and its sources."""
    found = Evidence()
    finder = _Finder(file, tables)
    finder.inside(found, records)
    finder.lists(found, records)
    finder.joins(found, records, "", frozenset())
    finder.beside(found, records)
    if not found.fields and claim_id:
        finder.reverse(found, records, claim_id)
    return found


class _Finder:
    def __init__(self, file: str, tables: Tables) -> None:
        self._file = file
        self._tables = tables

    def inside(self, found: Evidence, records: Records) -> None:
        """Look for a list of evidence objects in each record."""
        for key in shapes.EVIDENCE_LISTS:
            values = shapes.values_of(records, key)
            rows = [row for value in values for row in objects(value)]
            if rows and shapes.is_mostly(values, list):
                self.fields_of(found, rows, f"{key}[].", frozenset())

    def lists(self, found: Evidence, records: Records) -> None:
        """Look for lists of addresses, and lists beside them that say something of each."""
        for key in shapes.keys_of(records):
            values = [v for v in shapes.values_of(records, key) if isinstance(v, list)]
            items = [item for value in values for item in value]
            if not items or not shapes.is_mostly(items, str) or not shapes.are_urls(items):
                continue
            found.add("source.url", f"{key}[]", 3)
            sizes = [len(r.get(key) or []) for r in records[: shapes.SAMPLE]]
            for other in shapes.keys_of(records):
                beside = [r.get(other) for r in records[: shapes.SAMPLE]]
                if other == key or not all(isinstance(v, list) for v in beside):
                    continue
                if [len(v) for v in beside if isinstance(v, list)] == sizes:
                    target = "source.title" if "title" in other else "source.quality"
                    if any(word in other for word in ("title", "tier", "quality", "type")):
                        found.add(target, f"{other}[]")

    def beside(self, found: Evidence, records: Records) -> None:
        """Look for the source and the quote among the plain fields of a record."""
        self._plain(found, records, "", shapes.SNIPPET, title=shapes.TITLE[2:] + shapes.TITLE[:1])
        for key in shapes.SOURCE_OBJECTS:
            rows = [v for v in shapes.values_of(records, key) if isinstance(v, dict)]
            if rows:
                self._plain(found, rows, f"{key}.", shapes.SNIPPET, title=shapes.TITLE)

    def fields_of(
        self, found: Evidence, rows: Records, prefix: str, passed: frozenset[Place]
    ) -> None:
        """Look at evidence objects: their quote, their source, whatever they point to."""
        self._plain(found, rows, prefix, shapes.SNIPPET_INSIDE, title=shapes.TITLE)
        for key in shapes.SOURCE_OBJECTS:
            inner = [v for v in shapes.values_of(rows, key) if isinstance(v, dict)]
            if inner:
                self._plain(found, inner, f"{prefix}{key}.", (), title=shapes.TITLE)
        self.joins(found, rows, prefix, passed)

    def _plain(
        self,
        found: Evidence,
        rows: Records,
        prefix: str,
        snippet: tuple[str, ...],
        *,
        title: tuple[str, ...],
    ) -> None:
        key = shapes.first_key(rows, shapes.URL, urls=True)
        # Within a source object an address is one, whatever it looks like.
        if key or (prefix and (key := shapes.first_key(rows, shapes.ADDRESS))):
            found.add("source.url", prefix + key, 3)
        has_url = "source.url" in found.fields
        if key := shapes.first_key(rows, snippet, urls=False):
            found.add("evidence.snippet", prefix + key, 3)
        if key := shapes.first_key(rows, shapes.SNAPSHOT, urls=False):
            found.add("snapshot.text", prefix + key, 2)
        if (key := shapes.first_key(rows, title, urls=False)) and (has_url or prefix):
            found.add("source.title", prefix + key, 1)
        if not (has_url or prefix):
            return
        # A date or a grade beside the claim itself may be the claim's.
        if prefix and (key := shapes.first_key(rows, shapes.DATE)):
            found.add("source.published_at", prefix + key)
        if prefix and (key := shapes.first_key(rows, shapes.QUALITY)):
            found.add("source.quality", prefix + key)
        if prefix and (key := shapes.first_key(rows, shapes.QUOTE_TYPE)):
            found.add("evidence.quote_type", prefix + key)

    def joins(self, found: Evidence, rows: Records, prefix: str, passed: frozenset[Place]) -> None:
        """Follow ids to the lists in which they stand."""
        for key in sorted(filter(_is_reference, shapes.keys_of(rows)), key=_rank):
            values = shapes.values_of(rows, key)
            listed = shapes.is_mostly(values, list)
            flat = [i for v in values for i in (v if isinstance(v, list) else [v])]
            if not flat or not shapes.are_ids(key, flat) or shapes.are_urls(flat):
                continue
            path = f"{prefix}{key}{'[]' if listed else ''}"
            ids = {text_of(item) for item in flat}
            target = None
            if len(passed) < DEEPEST:
                target = self._tables.holding(key, self._file, ids, passed)
            if target is None:
                if "evidence" in key:
                    found.add("evidence.id", path, 1)
                elif "source" in key or "citation" in key:
                    found.add("evidence.source_ref", path, 1)
                continue
            self._follow(found, key, path, target, passed)

    def _follow(
        self,
        found: Evidence,
        key: str,
        path: str,
        target: tuple[Table, str],
        passed: frozenset[Place],
    ) -> None:
        table, id_key = target
        here = "" if table.file == self._file else table.file
        prefix = f"{path} -> {here}:{table.place}[{id_key}]."
        is_source = "source" in key or "citation" in key
        found.add("source.id" if is_source else "evidence.id", path, 1)
        if is_source:
            found.add("evidence.source_ref", path)
        if here:
            found.files |= {here}
        self.fields_of(found, table.rows, prefix, passed | {(table.file, table.place)})

    def reverse(self, found: Evidence, records: Records, claim_id: str) -> None:
        """Look for rows elsewhere that name the claim and point to evidence."""
        ids = {text_of(value) for value in shapes.values_of(records, claim_id)}
        for table in self._tables.all:
            rows = [row for row in table.rows if text_of(row.get(claim_id)) in ids]
            inner = [(key, v) for row in rows for key, v in row.items() if isinstance(v, dict)]
            here = "" if table.file == self._file else table.file
            prefix = f"{claim_id} -> {here}:{table.place}[{claim_id}]."
            for name in dict.fromkeys(key for key, _ in inner):
                part = [v for key, v in inner if key == name]
                self.joins(found, part, f"{prefix}{name}.", frozenset({(table.file, table.place)}))
            if found.fields:
                return


_REFERENCES = ("evidence", "source", "citation", "snapshot")


def _is_reference(key: str) -> bool:
    return any(word in key.lower() for word in _REFERENCES)


def _rank(key: str) -> int:
    return next(n for n, word in enumerate(_REFERENCES) if word in key.lower())
