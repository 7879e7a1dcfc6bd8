"""Snapshots of a report directory, verified, read one at a time."""

from collections import OrderedDict
from collections.abc import Iterator

from sources.capture_depth import capture_depth
from sources.source_cache import (
    CACHE_FOLDER,
    RefError,
    Snapshot,
    SnapshotError,
    SnapshotRef,
    SourceCacheError,
    check_snapshot,
    encode_metadata,
    metadata,
    normalize_url,
    parse_ref,
)
from sources.source_cache_texts import MISSING, OTHER_PAGE
from workbench.lib.archives import ArchiveError, Tree

from .problems import Log
from .records import SnapshotKey, SnapshotRecord
from .rules import ORPHAN_CACHE_FILE, POOR_CAPTURE, SNAPSHOT_DAMAGED

HELD_CHARACTERS = 16_000_000  # of texts kept at hand while evidence files are checked
_FULL = "full"


class TreeSnapshots:
    """The ``source_cache`` of a tree, as validators and the importer ask for it."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._held: OrderedDict[SnapshotKey, Snapshot] = OrderedDict()
        self._characters = 0
        self._faults: dict[SnapshotKey, SourceCacheError] = {}
        self.records: dict[SnapshotKey, SnapshotRecord] = {}
        self.reproducible: set[str] = set()  # members that a Snapshot row gives back exactly

    def verify(self, ref: SnapshotRef, *, url: str | None = None) -> Snapshot:
        """Give the verified snapshot, or raise ``SourceCacheError``."""
        snapshot = self._load(ref)
        captured = snapshot.metadata["normalized_url"]
        if url is not None and (cited := normalize_url(url)) != captured:
            raise SnapshotError(OTHER_PAGE, captured=captured, cited=cited)
        return snapshot

    def fault(self, key: SnapshotKey) -> SourceCacheError | None:
        """Give why a snapshot cannot be used, if it was looked at and cannot."""
        return self._faults.get(key)

    def read_all(self, log: Log) -> None:
        """Verify every snapshot of the cache; note the damaged ones and the poor captures."""
        for ref in self._refs(log):
            key = (ref.url_hash, ref.content_hash)
            try:
                if key not in self.records:
                    self._load(ref)
            except SourceCacheError as fault:
                log.error(SNAPSHOT_DAMAGED, str(ref), skips="snapshots", fault=fault)
                continue
            record = self.records[key]
            if record.depth != _FULL:
                log.notice(
                    POOR_CAPTURE,
                    str(ref),
                    url=record.normalized_url,
                    depth=record.depth,
                    reason=record.depth_reason,
                )

    def _refs(self, log: Log) -> Iterator[SnapshotRef]:
        prefix = f"{CACHE_FOLDER}/"
        for entry in self._tree.entries:
            if not entry.path.startswith(prefix):
                continue
            stem, meta = entry.path.removesuffix(".meta.json"), entry.path.endswith(".meta.json")
            if meta and f"{stem}.md" in self._tree:
                continue
            partner = entry.path.removesuffix(".md") + ".meta.json"
            try:
                ref = parse_ref(entry.path)
            except RefError:
                ref = None
            if ref is None or partner not in self._tree:
                log.notice(ORPHAN_CACHE_FILE, entry.path)
            else:
                yield ref

    def _load(self, ref: SnapshotRef) -> Snapshot:
        key = (ref.url_hash, ref.content_hash)
        if held := self._held.get(key):
            self._held.move_to_end(key)
            return held
        if fault := self._faults.get(key):
            raise fault
        try:
            snapshot = self._read(ref)
        except SourceCacheError as fault:
            self._faults[key] = fault
            raise
        self._hold(key, snapshot)
        return snapshot

    def _read(self, ref: SnapshotRef) -> Snapshot:
        body_path = str(ref)
        meta_path = body_path.removesuffix(".md") + ".meta.json"
        if body_path not in self._tree or meta_path not in self._tree:
            raise SnapshotError(MISSING, path=body_path)
        try:
            body, fields = self._tree.read(body_path), self._tree.read(meta_path)
        except ArchiveError as fault:
            raise SnapshotError(fault.text, **fault.values) from fault
        snapshot = check_snapshot(ref, body, fields)
        self._describe(ref, snapshot, fields)
        return snapshot

    def _describe(self, ref: SnapshotRef, snapshot: Snapshot, fields: bytes) -> None:
        depth, reason = capture_depth(snapshot.text)
        url = str(snapshot.metadata["normalized_url"])
        key = (ref.url_hash, ref.content_hash)
        self.records[key] = SnapshotRecord(
            *key,
            normalized_url=url,
            characters=len(snapshot.text),
            depth=depth,
            depth_reason=reason,
            meta=snapshot.metadata,
            member=str(ref),
        )
        self.reproducible.add(str(ref))
        if fields == encode_metadata(metadata(url, ref)):
            self.reproducible.add(str(ref).removesuffix(".md") + ".meta.json")

    def _hold(self, key: SnapshotKey, snapshot: Snapshot) -> None:
        self._held[key] = snapshot
        self._characters += len(snapshot.text)
        while self._characters > HELD_CHARACTERS and len(self._held) > 1:
            _, dropped = self._held.popitem(last=False)
            self._characters -= len(dropped.text)
