"""Odd values in the files that explain the evidence: each is named, none stops the import."""

import json
from pathlib import Path
from typing import Any

import pytest

from reviews.exchange.package import Package, Spool
from reviews.exchange.reading import open_upload
from reviews.exchange.recognising import read_upload
from sources.models import Project

from .bringing import bring, row
from .report_files import GAZETTE, PORT, document, report, write

MISSING, VALUE, CHOICE = "PART_MISSING", "PART_VALUE", "PART_CHOICE"
UNKNOWN, REPEATED, MIXED = "PART_UNKNOWN_ID", "PART_REPEATED", "PART_MIXED"
UNIT, ROUTE = "content_units[0]", "claim_routing_table.d1.c1"
U8 = {"unit": "u8"}


def read(path: Path) -> Package:
    with open_upload(path) as tree, Spool() as spool:
        return read_upload(tree, spool, path.name)


def odd(folder: Path, name: str, value: Any) -> list[tuple[str, str]]:
    """Read a good report with one file of it as given; give (rule, JSON path) of what is odd."""
    report(folder)
    write(folder / name, value)
    notices = read(folder).log.notices
    found = [n for n in notices if n.rule.id.startswith("PART_")]
    assert {n.file for n in found} <= {name}
    for notice in found:
        for language in ("en", "zh"):
            said = notice.to_json(language)
            assert said["message"]
            assert said["hint"]
    return [(n.rule.id, n.path) for n in found]


def citation(**given: Any) -> dict[str, Any]:
    good = {"index": 1, "id": "port", "url": PORT, "title": "Port", "quality": "primary"}
    return good | {"aliases": ["p1"]} | given


def planned(**given: Any) -> dict[str, Any]:
    good = {"id": "d1", "name": "Ports", "depth": "moderate", "key_questions": ["How much?"]}
    return good | {"depends_on": [], "dependency_inputs": []} | given


def unit(**given: Any) -> dict[str, Any]:
    refs = [{"claim_id": "d1.c1", "role": "primary_support"}]
    element = {"id": "e1", "label": "Ports", "evidence_refs": refs}
    good = {"id": "u1", "role": "primary", "elements": [element], "evidence_subset": ["d1.c1"]}
    return good | given


def outline(*units: Any, **given: Any) -> dict[str, Any]:
    routes = {"d1.c1": {"primary": "u1", "secondary": []}}
    units = units or (unit(),)
    good = {"schema_version": "2.0", "content_units": [*units], "claim_routing_table": routes}
    return good | given


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("citations.json", {"citations": [citation()], "total_citations": 1}),
        ("citations.json", {"citations": [citation(id=7, index="1", url=None)]}),
        ("plan.json", {"dimensions": [planned()]}),
        ("outline.json", outline()),
    ],
)
def test_good_part_is_passed_in_silence(tmp_path: Path, name: str, value: Any) -> None:
    assert odd(tmp_path, name, value) == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([], [(VALUE, "")]),
        ({}, [(MISSING, "")]),
        ({"citations": {}}, [(VALUE, "citations")]),
        ({"citations": ["port"]}, [(VALUE, "citations[0]")]),
        ({"citations": [{"index": 1}]}, [(MISSING, "citations[0]")]),
        ({"citations": [citation(id=["port"])]}, [(VALUE, "citations[0].id")]),
        ({"citations": [citation(id=" ")]}, [(VALUE, "citations[0].id")]),
        ({"citations": [citation(index=1.5)]}, [(VALUE, "citations[0].index")]),
        ({"citations": [citation(index=True)]}, [(VALUE, "citations[0].index")]),
        ({"citations": [citation(aliases="p1")]}, [(VALUE, "citations[0].aliases")]),
        ({"citations": [citation(aliases=["p1", 2])]}, [(VALUE, "citations[0].aliases[1]")]),
        ({"citations": [citation(url=3)]}, [(VALUE, "citations[0].url")]),
        ({"citations": [citation(title={})]}, [(VALUE, "citations[0].title")]),
        ({"citations": [citation(quality="good")]}, [(CHOICE, "citations[0].quality")]),
        (
            {"citations": [citation(), citation(index=2, aliases=[])]},
            [(REPEATED, "citations[1].id")],
        ),
        (
            {"citations": [citation(), citation(id="gazette", url=GAZETTE, aliases=["p1"])]},
            [(REPEATED, "citations[1].index"), (REPEATED, "citations[1].aliases[0]")],
        ),
        ({"citations": [citation()], "total_citations": 3}, [(VALUE, "total_citations")]),
    ],
)
def test_odd_citations_are_named(
    tmp_path: Path, value: Any, expected: list[tuple[str, str]]
) -> None:
    assert odd(tmp_path, "citations.json", value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("plan", [(VALUE, "")]),
        ({"notes": ""}, [(MISSING, "")]),
        ({"dimensions": []}, [(VALUE, "dimensions")]),
        ({"dimensions": [planned(), 5]}, [(VALUE, "dimensions[1]")]),
        ({"dimensions": [planned(), planned()]}, [(REPEATED, "dimensions[1].id")]),
        ({"dimensions": [planned(id="x" * 201)]}, [(VALUE, "dimensions[0].id")]),
        ({"dimensions": [planned(name=None)]}, [(MISSING, "dimensions[0]")]),
        ({"dimensions": [planned(name=["Ports"])]}, [(VALUE, "dimensions[0].name")]),
        ({"dimensions": [planned(depth="deep")]}, [(CHOICE, "dimensions[0].depth")]),
        ({"dimensions": [planned(key_questions="Why?")]}, [(VALUE, "dimensions[0].key_questions")]),
        ({"dimensions": [planned(key_questions=[])]}, [(VALUE, "dimensions[0].key_questions")]),
        (
            {"dimensions": [planned(key_questions=["Why?", 2])]},
            [(VALUE, "dimensions[0].key_questions[1]")],
        ),
        ({"dimensions": [planned(depends_on=["d9"])]}, [(UNKNOWN, "dimensions[0].depends_on[0]")]),
        (
            {"dimensions": [planned(dependency_inputs=[{"dimension_id": "d9"}])]},
            [(UNKNOWN, "dimensions[0].dependency_inputs[0].dimension_id")],
        ),
        (
            {"dimensions": [planned(dependency_inputs={"d1": 1})]},
            [(VALUE, "dimensions[0].dependency_inputs")],
        ),
    ],
)
def test_odd_plan_is_named(tmp_path: Path, value: Any, expected: list[tuple[str, str]]) -> None:
    assert odd(tmp_path, "plan.json", value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (7, [(VALUE, "")]),
        (outline(schema_version="3"), [(CHOICE, "schema_version")]),
        (outline(sections=[]), [(MIXED, "sections")]),
        ({"schema_version": "2.0", "claim_routing_table": {}}, [(MISSING, "")]),
        ({"schema_version": "1.0", "claim_routing_table": {}}, [(MISSING, "")]),
        (
            outline("u1"),
            [(VALUE, "content_units[0]"), (UNKNOWN, "claim_routing_table.d1.c1.primary")],
        ),
        (
            outline(unit(id=1)),
            [(VALUE, "content_units[0].id"), (UNKNOWN, "claim_routing_table.d1.c1.primary")],
        ),
        (outline(unit(), unit()), [(REPEATED, "content_units[1].id")]),
        (outline(unit(role="main")), [(CHOICE, "content_units[0].role")]),
        (outline(unit(evidence_subset="d1.c1")), [(VALUE, "content_units[0].evidence_subset")]),
        (
            outline(unit(evidence_subset=["d9.c1"])),
            [(UNKNOWN, f"{UNIT}.evidence_subset[0]")],
        ),
        (outline(unit(elements={})), [(VALUE, "content_units[0].elements")]),
        (
            outline(unit(elements=[{"evidence_refs": [{"claim_id": "d1.c99"}]}])),
            [(UNKNOWN, "content_units[0].elements[0].evidence_refs[0].claim_id")],
        ),
        (
            outline(unit(elements=[{"evidence_refs": [{"role": "counter"}]}])),
            [(MISSING, "content_units[0].elements[0].evidence_refs[0]")],
        ),
        (outline(claim_routing_table=[]), [(VALUE, "claim_routing_table")]),
        (
            outline(claim_routing_table={"d7.c1": {"primary": "u1"}}),
            [(UNKNOWN, "claim_routing_table.d7.c1")],
        ),
        (outline(claim_routing_table={"d1.c1": "u1"}), [(VALUE, "claim_routing_table.d1.c1")]),
        (outline(claim_routing_table={"d1.c1": {}}), [(MISSING, "claim_routing_table.d1.c1")]),
        (
            outline(
                claim_routing_table={"d1.c1": {"primary": "u1", "secondary": [{"unit": "u8"}]}}
            ),
            [(UNKNOWN, "claim_routing_table.d1.c1.secondary[0].unit")],
        ),
        (
            {
                "schema_version": "1.0",
                "sections": [{"id": "s1", "blocks": [{"evidence_refs": [{"claim_id": "d8.c1"}]}]}],
                "claim_routing_table": {"d1.c1": {"primary": "s9"}},
            },
            [
                (UNKNOWN, "sections[0].blocks[0].evidence_refs[0].claim_id"),
                (UNKNOWN, "claim_routing_table.d1.c1.primary"),
            ],
        ),
    ],
)
def test_odd_outline_is_named(tmp_path: Path, value: Any, expected: list[tuple[str, str]]) -> None:
    assert odd(tmp_path, "outline.json", value) == expected


def test_claims_of_a_file_that_could_not_be_read_are_not_called_unknown(tmp_path: Path) -> None:
    report(tmp_path)
    write(tmp_path / "outline.json", outline(unit(evidence_subset=["d2.c1"])))
    (tmp_path / "sub_reports" / "d2.evidence.json").write_text("{", encoding="utf-8")

    assert "PART_UNKNOWN_ID" not in [n.rule.id for n in read(tmp_path).log.notices]


def test_hostile_parts_are_read_without_a_crash(tmp_path: Path) -> None:
    for number, value in enumerate(([[]], {"a": {"b": [None]}}, None, True, 1e9, "x")):
        folder = report(tmp_path / str(number))
        for name, keys in (
            ("citations.json", ("citations",)),
            ("plan.json", ("dimensions",)),
            ("outline.json", ("content_units", "claim_routing_table")),
        ):
            write(folder / name, dict.fromkeys(keys, value))
        assert read(folder).claims


def test_many_odd_values_of_a_kind_are_counted(tmp_path: Path) -> None:
    write(report(tmp_path) / "citations.json", {"citations": list(range(40))})

    said = [n.to_json() for n in read(tmp_path).log.notices if n.file == "citations.json"]

    assert [n["rule"] for n in said] == [VALUE] * 5 + ["MORE_OF_THIS"]
    assert said[0]["message"] == "Expected here: an object in braces. Found: 0."
    assert "35" in said[-1]["message"]


@pytest.mark.django_db
def test_odd_parts_stop_no_import_and_the_first_of_equals_counts(
    project: Project, tmp_path: Path
) -> None:
    folder = report(tmp_path, document())
    plan = {"dimensions": [planned(), planned(name="Another name"), None]}
    write(folder / "plan.json", plan)

    batch = bring(project, folder)

    assert batch.state == "imported"
    assert row(project, "d1.c1").dimension.name == "Ports"
    stored = json.dumps(batch.report["notices"], ensure_ascii=False)
    assert "dimensions[1].id" in stored
    assert "请在文件中" in stored


@pytest.mark.shared
def test_a_real_report_has_no_odd_part(shared: Path) -> None:
    notices = read(shared / "real" / "report_dir").log.notices

    assert [n.to_json() for n in notices if n.rule.id.startswith("PART_")] == []
