"""Write the sources, receipts and rejections of a project as JSON Lines. Formats 1 to 3."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from search.importing import receipt_lines
from sources.exchange.bibtex import write_bibtex
from sources.exchange.ris import write_ris
from sources.importing.loading import source_lines
from sources.importing.rejections import rejection_lines
from sources.models import Project, User
from sources.recording import Entry, record
from workbench.lib.jsonl import write_lines

LINES: dict[str, Callable[[Project], Iterator[dict[str, Any]]]] = {
    "sources": source_lines,
    "search_log": receipt_lines,
    "rejected_sources": rejection_lines,
}
REFERENCES: dict[str, Callable[[list[dict[str, Any]]], str]] = {
    "ris": write_ris,
    "bibtex": write_bibtex,
}
FOLDER = "phase2"  # all three, as their writers keep them


def file_name(kind: str) -> str:
    """Give the name that a file of a kind has in such a folder."""
    return f"{kind}.jsonl"


def write_records(project: Project, kind: str, target: Path | IO[bytes]) -> int:
    """Write all records of a kind, sorted by id; give how many. A path is replaced at once."""
    return write_lines(target, LINES[kind](project))


def write_folder(project: Project, folder: Path) -> dict[str, int]:
    """Write the three files into a folder, which is made where it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    return {kind: write_records(project, kind, folder / file_name(kind)) for kind in LINES}


def references(project: Project, name: str) -> tuple[str, int]:
    """Give the sources of a project in a format of references, and how many they are."""
    lines = list(source_lines(project))
    return REFERENCES[name](lines), len(lines)


def note_export(project: Project, counts: dict[str, int], by: User | None) -> None:
    """Write into the audit trail that records left the workbench."""
    record(project, [Entry("export.records", "export", project.slug, new=counts)], by=by)
