"""Where review files lie in a report directory, and what its manifest says. Pure."""

import posixpath
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from workbench.lib.archives import ArchiveError
from workbench.lib.archives.names import clean_name, same_file_key

# The second where a file that was imported has the first name.
MANIFESTS = ("workbench.json", "workbench.export.json")
FORMAT = "evidence-workbench-export"
SCHEMA_VERSION = "1.0"
REVIEW_ENDINGS = (".review.md", ".review.json")

_EVIDENCE_ENDINGS = (".evidence_subset.json", ".evidence.json", ".jsonl", ".ndjson", ".json")
_UNSAFE = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|%]+|^[.~]+|[. ]+$')
_LONGEST = 100  # characters of a name; its bytes stay below what file systems take

type Kind = Literal["report", "snapshot", "review"]


@dataclass(frozen=True, slots=True)
class Place:
    """The two files of one review, without their endings."""

    folder: str
    stem: str

    @property
    def path(self) -> str:
        return posixpath.join(self.folder, self.stem)

    @property
    def markdown(self) -> str:
        """Give the path of the Markdown file."""
        return f"{self.path}.review.md"

    @property
    def twin(self) -> str:
        """Give the path of the JSON file."""
        return f"{self.path}.review.json"


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file of an export as the manifest lists it."""

    path: str
    kind: Kind
    sha256: str
    size: int
    captured_at: str = ""

    def to_json(self) -> dict[str, Any]:
        """Give the entry of the manifest."""
        row: dict[str, Any] = {
            "path": self.path,
            "kind": self.kind,
            "sha256": self.sha256,
            "size": self.size,
        }
        return row | {"captured_at": self.captured_at} if self.captured_at else row


def place_review(name: str, beside: str, taken: Collection[str]) -> Place:
    """Place a review beside its evidence file; ``taken`` are paths (of ``same_file_key``).

    Where a file that was imported, or another review, has the name, ours is told by a suffix.
    """
    folder = posixpath.dirname(beside)
    stem = safe_stem(name)
    place, number = Place(folder, stem), 1
    while any(same_file_key(path) in taken for path in (place.markdown, place.twin)):
        suffix = ".workbench" if number == 1 else f".workbench{number}"
        place, number = Place(folder, f"{stem}{suffix}"), number + 1
    return place


def stem_of(origin: str) -> str:
    """Give the name of a file without folder and without the ending of its format."""
    name = posixpath.basename(origin)
    for ending in _EVIDENCE_ENDINGS:
        if name.endswith(ending) and len(name) > len(ending):
            return name[: -len(ending)]
    return name


def safe_stem(name: str) -> str:
    """Give a name that every system takes for a file; "review" where nothing of it is left."""
    stem = _UNSAFE.sub("_", " ".join(name.split()))[:_LONGEST].strip(" .")
    while len(stem.encode(errors="replace")) > 200:
        stem = stem[:-1]
    stem = stem.encode("utf-8", "replace").decode()
    try:
        return clean_name(stem)
    except ArchiveError:
        return "review"


def manifest_name(taken: Iterable[str]) -> str:
    """Give the path of the manifest beside the files of an export."""
    used = {same_file_key(path) for path in taken}
    return next((name for name in MANIFESTS if name not in used), MANIFESTS[-1])


def manifest(
    project: Mapping[str, Any],
    files: Iterable[ListedFile],
    *,
    tool: str,
    names: str,
    dialects: list[str],
    mapping: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """Give what ``workbench.json`` holds: the project, and every file with its hash."""
    return {
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "tool": tool,
        "project": dict(project),
        "names": names,
        "dialects": dialects,
        "mapping": mapping,
        "files": [file.to_json() for file in sorted(files, key=lambda each: each.path)],
    }
