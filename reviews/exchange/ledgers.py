"""Read a foreign ledger through its mapping, record by record."""

import posixpath
from collections.abc import Iterator
from typing import Any

from sources.capture_depth import capture_depth
from sources.source_cache import (
    CACHE_FOLDER,
    SnapshotError,
    UrlError,
    encode_text,
    metadata,
    normalize_url,
    snapshot_ref,
)
from workbench.lib.archives import Tree
from workbench.lib.json_errors import JsonError

from . import rules
from .cache import TreeSnapshots
from .documents import Unusable, parse, read_json, read_lines
from .evidence_files import claim_id, make_source
from .ledger_items import consumed_keys, each_of, first, items_of, leftover
from .mapping import Mapping
from .package import Package, Spool
from .paths import Found, walk
from .problems import Log
from .reading import Progress, keep_files, link_snapshots, no_progress
from .records import (
    ClaimRecord,
    DimensionRecord,
    EvidenceRecord,
    SnapshotRecord,
    SourceRecord,
)
from .refs import split_refs
from .scoping import merge_claims, merge_sources, note_twins
from .values import objects, shorten, text_of

_LINES = (".jsonl", ".ndjson")
_CACHE = f"{CACHE_FOLDER}/"
_LIMITS = {"kind": 100, "polarity": 100, "topic_tag": 300, "key_question": 200, "dimension": 200}
EVERY = 500  # records between two words about progress


class Documents:
    """The parsed files of an upload, for look-ups by id."""

    def __init__(self, tree: Tree) -> None:
        self.unanswered: set[str] = set()  # members that look up in files which cannot be read
        self._tree = tree
        self._roots: dict[str, Any] = {}
        self._tables: dict[tuple[str, str, str], dict[str, list[dict[str, Any]]]] = {}

    def give(self, path: str, root: Any) -> None:
        """Keep a document that was parsed already."""
        self._roots = {path: root}
        self._tables = {key: rows for key, rows in self._tables.items() if key[0] != path}

    def lookup(
        self, here: str, file: str, list_path: str, key: str, value: str
    ) -> list[dict[str, Any]]:
        """Give the objects of a list whose ``key`` is, or lists, the value."""
        path = self._place(here, file)
        if path is None or self._root(path) is None:
            self.unanswered.add(here)
            return []
        where = (path, list_path, key)
        if where not in self._tables:
            self._tables[where] = self._table(path, list_path, key)
        return self._tables[where].get(value, [])

    def _place(self, here: str, file: str) -> str | None:
        if not file:
            return here
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(here), file))
        return next((path for path in (beside, file) if path in self._tree), None)

    def _table(self, path: str, list_path: str, key: str) -> dict[str, list[dict[str, Any]]]:
        table: dict[str, list[dict[str, Any]]] = {}
        for row in objects(at(self._root(path), list_path)):
            for name in split_ids(row.get(key)):
                table.setdefault(name, []).append(row)
        return table

    def _root(self, path: str) -> Any:
        if path not in self._roots:
            try:
                if path.endswith(_LINES):
                    quiet = Log()
                    self._roots[path] = [row for _, row in read_lines(self._tree, path, quiet)]
                else:
                    self._roots[path] = parse(self._tree.read(path)).value
            except JsonError:
                self._roots[path] = None
        return self._roots[path]


def split_ids(value: object) -> list[str]:
    """Give the ids that a value holds, as text."""
    items = value if isinstance(value, list) else [value]
    return [text_of(item).strip() for item in items if isinstance(item, str | int)]


def at(root: Any, path: str) -> Any:
    """Give what stands at a plain dotted path; the root for an empty one."""
    for key in path.removesuffix("[]").split(".") if path.removesuffix("[]") else []:
        root = root.get(key) if isinstance(root, dict) else None
    return root


def records_of(root: Any, path: str) -> list[Any]:
    """Give the records at a path: the items of a list, or the one object."""
    value = at(root, path)
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


def read_ledger(
    tree: Tree, spool: Spool, name: str, mapping: Mapping, *, progress: Progress = no_progress
) -> Package:
    """Read every file of an upload that the mapping is for."""
    log = Log()
    package = Package(tree, spool, name, log, dialect=f"mapping:{mapping.name}"[:40])
    for notice in tree.notices:
        log.notice(rules.TOLERATED, name, notice=notice)
    reader = _Reader(package, mapping)
    for entry in tree.entries:
        if mapping.takes(package.shown(entry.path)) and not entry.path.startswith(_CACHE):
            reader.read(entry.path, progress)
    package.sources = merge_sources(reader.sources, log)
    note_twins(package.sources.values(), log)
    package.claims = merge_claims(reader.claims, log)
    package.dimensions = [
        DimensionRecord(name, position=number)
        for number, name in enumerate(
            dict.fromkeys(claim.dimension for claim in package.claims if claim.dimension), start=1
        )
    ]
    for claim in package.claims:
        if claim.dimension and claim.key_question:
            held = next(d for d in package.dimensions if d.external_id == claim.dimension)
            held.key_questions.setdefault(claim.key_question, "")
    link_snapshots(package)
    # Texts that lie beside the ledger, as in an export; those inside it came first.
    cache = TreeSnapshots(tree)
    cache.read_all(log)
    package.snapshots = {**cache.records, **package.snapshots}
    keep_files(package, leave_out=cache.reproducible)
    return package


class _Reader:
    def __init__(self, package: Package, mapping: Mapping) -> None:
        self.sources: list[SourceRecord] = []
        self.claims: list[ClaimRecord] = []
        self._package = package
        self._mapping = mapping
        self._documents = Documents(package.tree)
        self._made: dict[tuple[str, ...], SourceRecord] = {}

    def read(self, path: str, progress: Progress) -> None:
        shown, before = self._package.shown(path), len(self.claims)
        try:
            for number, line, place, record in self._records(path, shown):
                if number % EVERY == 0:
                    progress("reading", number, 0)
                self._take(record, path, shown, line, place)
        except Unusable:
            return
        if path not in self._documents.unanswered:
            self._package.listing.add(shown)
        if len(self.claims) == before and shown not in self._package.log.spoilt:
            self._package.log.notice(rules.NOTHING_MAPPED, shown, records=self._mapping.records)

    def _records(self, path: str, shown: str) -> Iterator[tuple[int, int | None, str, Any]]:
        log, prefix = self._package.log, self._mapping.records.removesuffix("[]")
        if path.endswith(_LINES) or self._is_lines(path):
            for number, (line, record) in enumerate(
                read_lines(self._package.tree, path, log, shown)
            ):
                for item in records_of(record, prefix):
                    yield number, line, "", item
            return
        root = read_json(self._package.tree, path, log, shown)
        self._documents.give(path, root)
        self._read_question(root, path)
        for number, item in enumerate(records_of(root, prefix)):
            yield number, None, f"{prefix}[{number}]", item

    def _is_lines(self, path: str) -> bool:
        if path.endswith(".json"):
            return False
        with self._package.tree.open(path) as stream:
            first = stream.readline(1 << 20)
        return first.lstrip(b"\xef\xbb\xbf ").startswith(b"{") and first.rstrip().endswith(b"}")

    def _read_question(self, root: Any, path: str) -> None:
        if self._mapping.question and not self._package.question:
            found = next(iter(walk(root, self._mapping.question, self._lookup(path))), None)
            self._package.question = text_of(found.value).strip() if found else ""

    def _lookup(self, path: str) -> Any:
        return lambda *wanted: self._documents.lookup(path, *wanted)

    def _take(self, record: Any, path: str, shown: str, line: int | None, place: str) -> None:
        log, package = self._package.log, self._package
        if not isinstance(record, dict):
            log.error(rules.CLAIM_NOT_OBJECT, shown, line=line, path=place, skips="claims")
            return
        if any(at(record, key) != value for key, value in self._mapping.where.items()):
            package.count(shown, "other records")
            return
        found = {
            target: values
            for target in self._mapping.fields
            if (values := self._values(target, record, path))
        }
        text = text_of(first(found, "claim.text"))
        if not text.strip():
            log.error(rules.CLAIM_WITHOUT_TEXT, shown, line=line, path=place, skips="claims")
            return
        claim = ClaimRecord(
            raw_id=claim_id(text_of(first(found, "claim.id")), text, shown, place, log),
            origin=shown,
            text=text,
        )
        for name, limit in _LIMITS.items():
            setattr(claim, name, shorten(text_of(first(found, f"claim.{name}")), limit))
        consumed = consumed_keys(found)
        claim.extra = leftover(record, consumed, whole=True)
        for item in items_of(found):
            claim.evidence += self._evidence(item, record, consumed, shown, place)
        self.claims.append(claim)
        package.count(shown, "claims")
        package.count(shown, "evidence", len(claim.evidence))

    def _values(self, target: str, record: dict[str, Any], path: str) -> list[Found]:
        for alternative in self._mapping.fields[target]:
            values = list(walk(record, alternative, self._lookup(path)))
            if not target.startswith("claim."):
                values = [each for value in values for each in each_of(value)]
            if values:
                return values
        return []

    def _evidence(
        self,
        item: dict[str, Found],
        record: dict[str, Any],
        consumed: dict[int, set[str]],
        shown: str,
        place: str,
    ) -> list[EvidenceRecord]:
        values = {target: text_of(found.value) for target, found in item.items()}
        extra: dict[str, Any] = {}
        source_extra: dict[str, Any] = {}
        for target, found in item.items():
            if found.holder is not None and found.holder is not record:
                held = leftover(found.holder, consumed)
                (source_extra if target.startswith("source.") else extra).update(held)
        for key in extra.keys() & source_extra.keys():
            del source_extra[key]
        if identifier := values.get("evidence.id"):
            extra["id"] = identifier
        refs = split_refs(values.get("source.url") or values.get("evidence.source_ref", ""))
        items = []
        for ref in refs or [""]:
            source = self._source(values, ref, source_extra, shown, place)
            made = EvidenceRecord(
                source_ref=shorten(
                    values.get("evidence.source_ref") or (source.raw_id if source else ref), 500
                ),
                source=source.key if source else None,
                snippet=values.get("evidence.snippet", ""),
                quote_type=shorten(values.get("evidence.quote_type", ""), 100),
                snapshot_ref=values.get("evidence.snapshot_ref", ""),
                extra=extra,
            )
            if values.get("snapshot.text", "").strip():
                self._snapshot(made, values, source, shown, place)
            items.append(made)
        return items

    def _source(
        self, values: dict[str, str], ref: str, extra: dict[str, Any], shown: str, place: str
    ) -> SourceRecord | None:
        url = ref if values.get("source.url") or "://" in ref else ""
        raw_id, title = values.get("source.id", ""), values.get("source.title", "")
        if not (url or raw_id or title):
            return None
        stated = {
            "url": url,
            "title": title,
            "quality": shorten(values.get("source.quality", ""), 100),
            "published_at": shorten(values.get("source.published_at", ""), 100),
        }
        # Most ledgers repeat a source beside each of its claims, word for word.
        same = (shown, raw_id, *stated.values())
        if not extra and same in self._made:
            return self._made[same]
        log = self._package.log
        source = make_source(raw_id, shown, place, log, **stated, extra=extra)
        self.sources.append(source)
        if not extra:
            self._made[same] = source
        return source

    def _snapshot(
        self,
        item: EvidenceRecord,
        values: dict[str, str],
        source: SourceRecord | None,
        shown: str,
        place: str,
    ) -> None:
        text = values["snapshot.text"]
        address = values.get("snapshot.url") or (source.url if source else "")
        try:
            normal = normalize_url(address)
            body, ref = encode_text(text), snapshot_ref(normal, text)
        except (UrlError, SnapshotError) as fault:
            self._package.log.notice(rules.TEXT_NOT_KEPT, shown, path=place, fault=fault)
            item.extra = {**item.extra, "snapshot_text": text}
            return
        item.snapshot, item.snapshot_ref = (ref.url_hash, ref.content_hash), str(ref)
        if item.snapshot in self._package.snapshots:
            return
        depth, reason = capture_depth(text)
        meta: dict[str, Any] = dict(metadata(normal, ref))
        if captured := values.get("snapshot.captured_at"):
            meta["captured_at"] = captured
        self._package.snapshots[item.snapshot] = SnapshotRecord(
            *item.snapshot,
            normalized_url=normal,
            characters=len(text),
            depth=depth,
            depth_reason=reason,
            meta=meta,
            spooled=self._package.spool.add(body),
        )
        if depth != "full":
            self._package.log.notice(
                rules.POOR_CAPTURE, shown, path=place, url=normal, depth=depth, reason=reason
            )
