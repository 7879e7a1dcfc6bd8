"""Ids of claims and sources: one for each, the same at every import."""

import time
from pathlib import Path

from reviews.exchange.package import Spool
from reviews.exchange.problems import Log
from reviews.exchange.reading import open_upload
from reviews.exchange.recognising import read_upload
from reviews.exchange.scoping import name_claims
from reviews.models import Claim
from sources.models import Project, Source

from .bringing import bring, row
from .report_files import PORT, claim, document, report, source, write


def test_one_id_for_two_texts_is_scoped_by_file_and_stays_so(
    project: Project, tmp_path: Path
) -> None:
    second = document() | {"dimension_id": "d2"}
    second["claims"] = [claim(1, "Quite another claim", []), claim(9, "A ninth claim", [])]

    bring(project, report(tmp_path / "a", document(), second))

    names = set(Claim.objects.values_list("external_id", flat=True))
    both = {"d1.evidence/d1.c1", "d2.evidence/d1.c1"}
    assert names == {*both, "d1.c2", "d1.c3", "d1.c9"}

    second["headline"] = "Another headline of it"
    batch = bring(project, report(tmp_path / "b", document(), second))

    assert set(Claim.objects.values_list("external_id", flat=True)) == names
    assert "claims" not in batch.report["changed"]


def test_id_that_a_later_file_uses_for_another_text_is_scoped(
    project: Project, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a"))
    other = document() | {"dimension_id": "d7"}
    other["claims"] = [claim(1, "Quite another claim", [])]
    path = write(tmp_path / "other.evidence.json", other)

    bring(project, path)

    assert row(project, "d1.c1").text.startswith("The port supplied")
    assert row(project, "other.evidence/d1.c1").text == "Quite another claim"


def test_one_source_id_for_two_addresses_is_two_sources(project: Project, tmp_path: Path) -> None:
    second = document() | {"dimension_id": "d2"}
    second["claims"] = [claim(1, "Another claim", []) | {"id": "d2.c1"}]
    second["sources"] = [source("port", "https://other.example.org/")]

    bring(project, report(tmp_path, document(), second))

    ports = Source.objects.filter(raw_id="port").values_list("external_id", "url")
    assert dict(ports) == {
        "d1.evidence/port": PORT,
        "d2.evidence/port": "https://other.example.org/",
    }


def test_corrected_address_changes_the_source_in_place(project: Project, tmp_path: Path) -> None:
    bring(project, report(tmp_path / "a"))
    before = Source.objects.get(external_id="gazette").pk
    made = document()
    made["sources"][1]["url"] = "https://gazette.example.org/moved"

    batch = bring(project, report(tmp_path / "b", made))

    assert Source.objects.get(external_id="gazette").pk == before
    assert batch.report["changed"]["sources"] == 1


def test_an_id_that_stands_for_very_many_claims_is_numbered_in_no_time(
    project: Project, tmp_path: Path
) -> None:
    made = document() | {"key_findings": []}
    made["claims"] = [claim(1, f"Text number {n} of many", []) for n in range(4_000)]
    package_path = report(tmp_path, made)
    began = time.monotonic()

    with open_upload(package_path) as tree, Spool() as spool:
        package = read_upload(tree, spool, "report")
        names = name_claims(package.claims, [], Log())

    assert names[:3] == ["d1.c1", "d1.c1#2", "d1.c1#3"]
    assert names[-1] == "d1.c1#4000"
    assert time.monotonic() - began < 20
