"""Sources as works, and tables of notices, for tests."""

import shutil
from pathlib import Path
from typing import Any

from sources.actions.retractions import import_table
from sources.models import NoticeBatch, Project, Source, SourceIdentifier
from sources.noticing import table
from sources.running import perform
from tests.factories import SourceFactory
from tests.sources.retractions.recorded import FOLDER

OLD = FOLDER / "retraction_watch" / "table_2024.csv"
NEW = FOLDER / "retraction_watch" / "table_2026.csv"


def a_source(project: Project, doi: str = "", *pmids: str, **fields: Any) -> Source:
    source = SourceFactory(project=project, doi=doi, **fields)
    for pmid in pmids:
        SourceIdentifier.objects.create(source=source, scheme="pmid", value=pmid, found_in="pmid")
    return source


def brought(path: Path, **options: bool) -> NoticeBatch:
    """Import a table here and now."""
    batch = import_table(path=path, by=None, nudge=False, **options)
    assert batch.job is not None
    perform(batch.job.pk, table.run)
    batch.refresh_from_db()
    return batch


def changed_copy(tmp_path: Path, *replaced: tuple[str, str], without: str = "") -> Path:
    """Copy the newer table with some texts replaced, and without the row of a record."""
    path = tmp_path / "table.csv"
    shutil.copy(NEW, path)
    text = path.read_text(encoding="utf-8")
    for old, new in replaced:
        assert old in text
        text = text.replace(old, new)
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith(f"{without},")]
    path.write_text("".join(lines) if without else text, encoding="utf-8")
    return path
