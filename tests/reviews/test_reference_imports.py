"""References of reference managers go in and out beside the lines that say more."""

from pathlib import Path

import pytest

from reviews.reporting.record_exports import references
from sources.importing.loading import source_lines
from sources.models import Project, Source

from .bringing import bring, said
from .record_lines import source, write

pytestmark = pytest.mark.django_db

RIS = """TY  - JOUR
ID  - zot1
AU  - Smith, John
AU  - 王芳
TI  - A title
PY  - 2024
DA  - 2024/05/01
T2  - The Lancet
DO  - 10.1016/S0140-6736(97)11096-0
UR  - https://www.thelancet.com/a?x=1;y=2
KW  - vaccines
ER  -
"""
BIBTEX = r"""@article{mueller2020,
  title = {The {DNA} of M{\"u}ller \& Sons},
  author = {M{\"u}ller, Anna and Li, Lei},
  journal = {Nature}, year = 2020, doi = {10.1038/x_y}, volume = {7},
  url = {https://example.org/a_b?c=1&d=2}
}
@misc{arx, title = {A preprint}, eprint = {2301.00001v2}, archiveprefix = {arXiv}}
"""


@pytest.mark.parametrize("name", ["refs.ris", "refs.txt"])
def test_ris_brings_sources(project: Project, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(RIS, encoding="utf-8")

    batch = bring(project, path)

    assert (batch.dialect, batch.report["created"]) == ("ris", {"sources": 1})
    row = Source.objects.get(project=project)
    assert (row.external_id, row.type, row.year, row.published_at) == (
        "zot1", "journal", 2024, "2024-05-01",
    )  # fmt: skip
    assert row.authors == ["Smith, John", "王芳"]
    assert row.url == "https://www.thelancet.com/a?x=1;y=2"
    assert row.doi == "10.1016/s0140-6736(97)11096-0"
    assert (
        row.extra["ris"]["keywords"] == ["vaccines"] or row.extra["ris"]["keywords"] == "vaccines"
    )


def test_bibtex_brings_sources(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"
    path.write_text(BIBTEX, encoding="utf-8")

    batch = bring(project, path)

    assert (batch.dialect, batch.report["created"]) == ("bibtex", {"sources": 2})
    first = Source.objects.get(external_id="mueller2020")
    assert first.title == "The DNA of Müller & Sons"
    assert first.authors == ["Müller, Anna", "Li, Lei"]
    assert (first.doi, first.url) == ("10.1038/x_y", "https://example.org/a_b?c=1&d=2")
    assert first.extra["bibtex"] == {"volume": "7"}
    second = Source.objects.get(external_id="arx")
    assert set(second.identifiers.values_list("value", flat=True)) == {"2301.00001", "2301.00001v2"}


@pytest.mark.parametrize("name", ["ris", "bibtex"])
def test_references_of_an_export_change_nothing(
    project: Project, tmp_path: Path, name: str
) -> None:
    lines = [
        source(1, notes="one\ntwo", published_at="2025-02"),
        source(2, id="with, blank {x}", type="trial", title="50% of A & B_c ^ ~ \\ {x}"),
        {"id": "s3", "title": "only a title"},
    ]
    bring(project, write(tmp_path / "sources.jsonl", lines))
    before = list(source_lines(project))
    text, count = references(project, name)
    path = tmp_path / f"refs.{name}"
    path.write_text(text, encoding="utf-8")

    batch = bring(project, path)

    assert count == 3
    assert batch.report["unchanged"] == {"sources": 3}, (batch.report["changed"], text)
    assert list(source_lines(project)) == before


def test_what_references_leave_unsaid_stays(project: Project, tmp_path: Path) -> None:
    bring(project, write(tmp_path / "sources.jsonl", [source(1)]))
    path = tmp_path / "refs.ris"
    path.write_text("TY  - JOUR\nID  - src_001\nTI  - New title\nDO  - 10.1056/NEJMoa1\nER  - \n")

    batch = bring(project, path)

    assert batch.report["changed"] == {"sources": 1}
    [line] = source_lines(project)
    assert line == source(1, title="New title")


def test_what_cannot_be_read_is_named(project: Project, tmp_path: Path) -> None:
    (tmp_path / "cut.ris").write_text("TY  - JOUR\nTI  - A\nER  - \nTY  - JOUR\nTI  - cut off\n")
    (tmp_path / "bad.bib").write_text("@article{a, title={A}}\n@article{a, title={B}}\n")

    cut = bring(project, tmp_path / "cut.ris")
    bad = bring(project, tmp_path / "bad.bib")

    assert said(cut, "errors") == ["REFERENCE"]
    assert [(error["line"], error["rule"]) for error in bad.report["errors"]] == [(2, "REFERENCE")]
    assert not Source.objects.exists()
