"""Know an export of this workbench again, so that its reviews do not come back as report files."""

import hashlib
from dataclasses import dataclass, field
from typing import Any

from reviews.report.files import FORMAT, MANIFESTS, REVIEW_ENDINGS
from workbench.lib.archives import Tree
from workbench.lib.json_errors import JsonError

from .documents import parse
from .values import objects, text_of

CHUNK = 256 * 1024
MAX_MANIFEST = 64 * 2**20  # bytes; a larger file of that name is no manifest of ours


@dataclass(frozen=True, slots=True)
class OwnExport:
    """What the manifest of an export says, as far as an import needs it."""

    question: str = ""
    mapping: dict[str, Any] | None = None
    ours: frozenset[str] = frozenset()  # files that the workbench wrote and nobody changed
    changed: list[str] = field(default_factory=list)  # reviews with other bytes than were written


def read_own_export(tree: Tree) -> OwnExport | None:
    """Read the manifest of an export; None where there is none, or it is not ours."""
    if tree.kind == "file":
        return None
    for entry in tree.entries:
        if entry.path in MANIFESTS and entry.size <= MAX_MANIFEST:
            data = _manifest(tree, entry.path)
            if data is not None:
                return _read(tree, entry.path, data)
    return None


def _manifest(tree: Tree, path: str) -> dict[str, Any] | None:
    try:
        data = parse(tree.read(path)).value
    except JsonError:
        return None
    return data if isinstance(data, dict) and data.get("format") == FORMAT else None


def _read(tree: Tree, name: str, data: dict[str, Any]) -> OwnExport:
    project, mapping = data.get("project"), data.get("mapping")
    ours, changed = _reviews(tree, data)
    return OwnExport(
        question=text_of(project.get("question")) if isinstance(project, dict) else "",
        mapping=mapping if isinstance(mapping, dict) else None,
        ours=frozenset({name, *ours}),
        changed=changed,
    )


def _reviews(tree: Tree, data: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Part the reviews listed: as they were written, and changed since."""
    ours: list[str] = []
    changed: list[str] = []
    for file in objects(data.get("files")):
        path = file.get("path")
        # A manifest is input too: it may hide nothing but what is a review by its name and hash.
        if not isinstance(path, str) or not path.endswith(REVIEW_ENDINGS) or path not in tree:
            continue
        (ours if _sha256(tree, path) == file.get("sha256") else changed).append(path)
    return ours, changed


def _sha256(tree: Tree, path: str) -> str:
    sha256 = hashlib.sha256()
    with tree.open(path) as stream:
        while chunk := stream.read(CHUNK):
            sha256.update(chunk)
    return sha256.hexdigest()
