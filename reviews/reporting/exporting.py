"""Export a project as the report directory that it came from, with its reviews.

Formats sections 5 and 7; docs/formats.md.
"""

import hashlib
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from reviews.report.files import ListedFile, manifest, manifest_name
from reviews.reporting.loading import project_names, stamp
from reviews.reporting.review_writing import tool_version, write_reviews
from sources.models import ImportBatch, Project, ReportFile, Snapshot
from sources.source_cache import SnapshotRef, encode_metadata, metadata
from sources.texts import blobs
from workbench.lib.archives import write_directory, write_zip
from workbench.lib.archives.names import same_file_key
from workbench.lib.archives.writing import Content
from workbench.lib.json_output import to_json
from workbench.lib.notices import Spoken
from workbench.lib.texts import Text

PROJECT_FIELDS = ("slug", "title", "question", "language", "primary_subject", "topic_type")
CHUNK = 2_000

type Tell = Callable[[str, int, int], None]


NOT_EMPTY = Text("{target} exists and is not empty.", "{target} 已存在，且不为空。")
NO_FOLDER = Text("There is no folder {folder}. Make it first.", "没有文件夹 {folder}，请先建立。")
EXISTS = Text(
    en="{target} exists. Choose another name, or remove it.",
    zh="{target} 已存在，请换一个名称或将其删除。",
)
NOT_A_FOLDER = Text(
    en="{target} exists and is not an empty folder. Choose another name.",
    zh="{target} 已存在，且不是空文件夹，请换一个名称。",
)


class ExportRefused(Spoken):
    """The target is in the way; its text says what to do."""


@dataclass(slots=True)
class Export:
    """What an export will write, each file with its hash, before any of it is written."""

    project: Project
    entries: dict[str, Content] = field(default_factory=dict)
    files: list[ListedFile] = field(default_factory=list)
    verdicts: dict[str, str] = field(default_factory=dict)  # review -> verdict

    def add(self, file: ListedFile, content: Content) -> None:
        """List a file with where its bytes come from."""
        self.entries[file.path] = content
        self.files.append(file)

    def summary(self) -> dict[str, Any]:
        """Give the counts that a command prints and a page shows."""
        kinds = {"report": 0, "snapshot": 0, "review": 0}
        for file in self.files:
            kinds[file.kind] += 1
        size = sum(file.size for file in self.files)
        return {"files": kinds, "bytes": size, "verdicts": self.verdicts}


def nobody(stage: str, done: int, total: int) -> None:
    """Tell nobody."""


def export_project(
    project: Project,
    target: Path,
    *,
    names: str = "full",
    as_zip: bool = False,
    tell: Tell = nobody,
) -> dict[str, Any]:
    """Write a project to a new directory or zip, which appears only when it is complete.

    ``names`` is one of ``reviews.report.names.MODES``. Raises ExportRefused for a target that is
    there, BlobError where a stored file is missing or damaged, ArchiveError for a path that no
    reader would take.
    """
    _require_free(target, as_zip)
    with tempfile.TemporaryDirectory(prefix="reviews-") as folder:
        export = gather(project, Path(folder), names, tell)
        entries = _telling(export.entries, tell)
        if as_zip:
            write_zip(target, entries)
        else:
            try:
                write_directory(target, entries)
            except FileExistsError as fault:
                raise ExportRefused(NOT_EMPTY, target=target) from fault
    return export.summary()


def _telling(entries: dict[str, Content], tell: Tell) -> Iterator[tuple[str, Content]]:
    """Give the entries so that each one read from the store tells how far the writing is."""
    total, numbers = len(entries), count(1)
    tell("writing", 0, total)

    def told(read: Callable[[], bytes]) -> bytes:
        tell("writing", next(numbers), total)
        return read()

    for path, content in entries.items():
        yield path, content if isinstance(content, bytes | Path) else partial(told, content)


def _require_free(target: Path, as_zip: bool) -> None:
    if not target.parent.is_dir():
        raise ExportRefused(NO_FOLDER, folder=target.parent)
    if as_zip and (target.exists() or target.is_symlink()):
        raise ExportRefused(EXISTS, target=target)
    if target.is_dir() and not target.is_symlink() and not any(target.iterdir()):
        return
    if target.exists() or target.is_symlink():
        raise ExportRefused(NOT_A_FOLDER, target=target)


def gather(project: Project, folder: Path, names: str, tell: Tell = nobody) -> Export:
    """List every file of an export; reviews are written below ``folder`` now."""
    export, store = Export(project), blobs()
    for path, sha256, size in _report_files(project):
        export.add(ListedFile(path, "report", sha256, size), partial(store.get, sha256))
    _add_snapshots(export)
    shown = project_names(project, names)
    for number, written in enumerate(write_reviews(project, folder, shown, export.entries)):
        for file, place in written.files:
            export.add(file, place)
        export.verdicts[written.files[0][0].path] = written.head["verdict"]
        tell("reviews", number + 1, 0)
    dialects, mapping = _how_imported(project)
    listed = manifest(
        _about(project),
        export.files,
        tool=tool_version(),
        names=names,
        dialects=dialects,
        mapping=mapping,
    )
    export.entries[manifest_name(export.entries)] = (to_json(listed, indent=1) + "\n").encode()
    return export


def _report_files(project: Project) -> Any:
    rows = ReportFile.objects.filter(project=project, current=True).order_by("path")
    return rows.values_list("path", "sha256", "size").iterator(chunk_size=CHUNK)


def _add_snapshots(export: Export) -> None:
    """Add both files of each snapshot, but where the imported bytes of one are kept."""
    store, held = blobs(), {same_file_key(path) for path in export.entries}
    rows = Snapshot.objects.filter(project=export.project).order_by("url_hash", "content_hash")
    fields = ("url_hash", "content_hash", "normalized_url", "captured_at", "meta__captured_at")
    for url_hash, content_hash, url, captured, stated in rows.values_list(*fields).iterator(
        chunk_size=CHUNK
    ):
        ref = SnapshotRef(url_hash, content_hash)
        body, path = str(ref), str(ref).removesuffix(".md") + ".meta.json"
        if body not in held:
            size, when = store.size(content_hash), stamp(captured) or str(stated or "")
            file = ListedFile(body, "snapshot", content_hash, size, when)
            export.add(file, partial(store.get, content_hash))
        if path not in held:
            data = encode_metadata(metadata(url, ref))
            sha256 = hashlib.sha256(data).hexdigest()
            export.add(ListedFile(path, "snapshot", sha256, len(data)), data)


def _about(project: Project) -> dict[str, Any]:
    values: dict[str, Any] = {name: getattr(project, name) for name in PROJECT_FIELDS}
    for name in ("time_frame_start", "time_frame_end", "as_of"):
        day = getattr(project, name)
        values[name] = day.isoformat() if day else None
    return values


def _how_imported(project: Project) -> tuple[list[str], dict[str, Any] | None]:
    """Give the dialects of the files, and the mapping if all ledgers share one."""
    batches = ImportBatch.objects.filter(
        project=project, state=ImportBatch.State.IMPORTED, files__current=True
    ).distinct()
    dialects, mappings = set(), []
    for batch in batches.order_by("pk"):
        dialects.add(batch.dialect)
        if batch.mapping and batch.mapping not in mappings:
            mappings.append(batch.mapping)
    return sorted(dialects - {""}), mappings[0] if len(mappings) == 1 else None
