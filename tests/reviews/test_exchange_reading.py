"""Reading report directories and evidence files into records."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from reviews.exchange.evidence_files import dialect_of
from reviews.exchange.package import Package, Spool
from reviews.exchange.reading import open_upload
from reviews.exchange.recognising import Unrecognised, read_upload
from reviews.exchange.refs import split_refs

from .report_files import PORT, PORT_TEXT, claim, document, ref_of, report, source, write


def read(path: Path, mapping: Any = None) -> Package:
    with open_upload(path) as tree, Spool() as spool:
        return read_upload(tree, spool, path.name, mapping)


def rules_of(package: Package) -> list[str]:
    return [problem.rule.id for problem in package.log.notices]


def test_report_directory_gives_claims_sources_snapshots_and_question(tmp_path: Path) -> None:
    package = read(report(tmp_path))

    assert package.dialect == "evidence-1.2"
    assert [c.raw_id for c in package.claims] == ["d1.c1", "d1.c2", "d1.c3"]
    assert len(package.sources) == 2
    assert len(package.snapshots) == 2
    assert package.question == "Compare two ports."
    assert not package.log.errors


def test_zip_of_a_report_reads_as_the_directory_does(tmp_path: Path) -> None:
    folder = report(tmp_path / "report")
    archive = tmp_path / "report.zip"
    with zipfile.ZipFile(archive, "w") as target:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                target.write(path, f"report/{path.relative_to(folder)}")

    package = read(archive)

    assert [c.content_hash() for c in package.claims] == [
        c.content_hash() for c in read(folder).claims
    ]


def test_key_claims_are_those_of_key_findings_and_primary_units(tmp_path: Path) -> None:
    package = read(report(tmp_path))

    reasons = {c.raw_id: c.key_reason for c in package.claims}
    assert reasons == {"d1.c1": "key_findings", "d1.c2": "primary_unit u1", "d1.c3": ""}


def test_plan_names_the_dimension_and_its_questions(tmp_path: Path) -> None:
    package = read(report(tmp_path))

    (dimension,) = package.dimensions
    assert dimension.name == "Ports"
    assert dimension.key_questions == {"kq1": "How much?", "kq2": "Why?"}


def test_claim_knows_its_sentence_in_the_report(tmp_path: Path) -> None:
    package = read(report(tmp_path))

    context = package.claims[1].context
    assert context["path"] == "stitched.md"
    assert "63.5 %" in context["sentence"]


def test_markers_that_lead_nowhere_are_counted(tmp_path: Path) -> None:
    package = read(report(tmp_path))

    (lost,) = [p for p in package.log.notices if p.rule.id == "UNRESOLVED_MARKERS"]
    assert lost.values["count"] == 1
    assert lost.values["examples"] == ("nobody",)


def test_second_list_of_references_is_reported(tmp_path: Path) -> None:
    folder = report(tmp_path)
    text = "# R\n\n## References\n\n1. a\n\n## References\n\n1. b\n"
    (folder / "report.md").write_text(text, encoding="utf-8")

    package = read(folder)

    assert "SECOND_REFERENCES" in rules_of(package)


def test_every_other_member_is_kept_and_the_cache_is_not_kept_twice(tmp_path: Path) -> None:
    package = read(report(tmp_path))

    assert [file.path for file in package.files] == [
        "outline.json",
        "plan.json",
        "request.md",
        "stitched.md",
        "sub_reports/d1.evidence.json",
    ]


def test_changed_snapshot_is_an_error_that_names_its_file(tmp_path: Path) -> None:
    folder = report(tmp_path)
    body = folder / ref_of(PORT, PORT_TEXT)
    body.write_bytes(PORT_TEXT.replace("416", "461").encode())

    package = read(folder)

    (error,) = package.log.errors
    assert error.rule.id == "SNAPSHOT_DAMAGED"
    assert error.file == ref_of(PORT, PORT_TEXT)


def test_snapshot_with_other_line_ends_says_so(tmp_path: Path) -> None:
    folder = report(tmp_path)
    body = folder / ref_of(PORT, PORT_TEXT)
    body.write_bytes(PORT_TEXT.replace("\n", "\r\n").encode())

    package = read(folder)

    assert "CRLF → LF" in package.log.errors[0].to_json()["message"]


def test_broken_json_names_its_place_and_spares_the_other_file(tmp_path: Path) -> None:
    folder = report(tmp_path)
    (folder / "sub_reports" / "d2.evidence.json").write_text('{"claims": [\n{]', encoding="utf-8")

    package = read(folder)

    (error,) = package.log.errors
    assert (error.rule.id, error.file, error.line) == ("JSON", "sub_reports/d2.evidence.json", 2)
    assert len(package.claims) == 3


@pytest.mark.parametrize(
    ("broken", "rule"),
    [
        ([], "ROOT"),
        ({"dimension_id": "d2", "sources": []}, "NO_CLAIMS"),
        ({"dimension_id": "d2", "claims": [5], "sources": []}, "CLAIM_NOT_OBJECT"),
        ({"dimension_id": "d2", "claims": [{"id": "x"}], "sources": []}, "CLAIM_WITHOUT_TEXT"),
    ],
)
def test_structural_faults_are_errors(tmp_path: Path, broken: Any, rule: str) -> None:
    folder = report(tmp_path)
    write(folder / "sub_reports" / "d2.evidence.json", broken)

    package = read(folder)

    assert [error.rule.id for error in package.log.errors] == [rule]


def test_broken_contract_rules_are_no_errors_but_go_with_their_claim(tmp_path: Path) -> None:
    made = document()
    made["claims"][1]["kind"] = "rumour"
    made["claims"][1]["evidence"][0]["snippet"] = "words that are nowhere"
    made["headline"] = "no"

    package = read(report(tmp_path, made))

    assert not package.log.errors
    found = package.claims[1].violations
    assert [v["rule"] for v in found] == ["V025", "V036"]
    assert found[1]["evidence"] == 1
    assert found[1]["message_zh"]
    assert [v["rule"] for v in package.dimensions[0].extra["violations"]] == ["V003"]


def test_evidence_without_quote_title_date_or_snapshot_is_read(tmp_path: Path) -> None:
    made = document()
    made["claims"] = [claim(1, "A claim of five words", [{"source_id": "port"}])]
    made["sources"] = [{"id": "port"}]

    package = read(report(tmp_path, made, with_cache=False))

    assert not package.log.errors
    (item,) = package.claims[0].evidence
    assert (item.source_ref, item.snippet, item.snapshot) == ("port", "", None)


def test_unknown_keys_stay_as_extra(tmp_path: Path) -> None:
    made = document()
    made["claims"][0]["confidence"] = 0.8
    made["claims"][0]["evidence"][0]["page"] = 7
    made["sources"][0]["publisher"] = "Port"
    made["run"] = {"id": 1}

    package = read(report(tmp_path, made))

    assert package.claims[0].extra == {"confidence": 0.8}
    assert package.claims[0].evidence[0].extra == {"page": 7}
    assert next(iter(package.sources.values())).extra == {"publisher": "Port"}
    assert package.dimensions[0].extra["run"] == {"id": 1}


def test_dangling_source_is_kept_without_one(tmp_path: Path) -> None:
    made = document()
    made["claims"][0]["evidence"][0]["source_id"] = "S-9x"

    package = read(report(tmp_path, made))

    item = package.claims[0].evidence[0]
    assert (item.source, item.source_ref) == (None, "S-9x")
    assert "DANGLING_SOURCE" in rules_of(package)


def test_number_is_resolved_through_citations(tmp_path: Path) -> None:
    made = document()
    made["claims"][0]["evidence"][0]["source_id"] = 1
    folder = report(tmp_path, made)
    write(folder / "citations.json", {"citations": [{"index": 1, "id": "gazette", "url": "x"}]})

    package = read(folder)

    assert package.claims[0].evidence[0].source is not None
    assert package.claims[0].evidence[0].source[0] == "gazette"


def test_several_footnotes_in_one_reference_become_several_items(tmp_path: Path) -> None:
    made = document()
    made["claims"][1]["evidence"][0]["source_id"] = "[^port][^gazette]"

    package = read(report(tmp_path, made))

    assert [e.source_ref for e in package.claims[1].evidence] == ["port", "gazette"]
    assert "SPLIT_REFS" in rules_of(package)


def test_address_with_a_password_is_kept_raw_and_named(tmp_path: Path) -> None:
    made = document()
    made["sources"].append(source("odd", "https://me:secret@example.org/"))

    package = read(report(tmp_path, made))

    odd = next(s for s in package.sources.values() if s.raw_id == "odd")
    assert (odd.url, odd.normalized_url) == ("https://me:secret@example.org/", "")
    assert "ODD_URL" in rules_of(package)


def test_one_source_with_two_titles_keeps_both(tmp_path: Path) -> None:
    second = document() | {"dimension_id": "d2", "claims": []}
    second["sources"] = [source("port", PORT) | {"title": "Another title"}]
    second["claims"] = [claim(1, "Another claim", []) | {"id": "d2.c1"}]

    package = read(report(tmp_path, document(), second))

    port = next(s for s in package.sources.values() if s.raw_id == "port")
    assert port.titles == ["Title of port", "Another title"]
    assert "SOURCE_DIFFERS" in rules_of(package)


def test_addresses_that_differ_in_tracking_only_are_named_not_merged(tmp_path: Path) -> None:
    made = document()
    made["sources"].append(source("again", f"{PORT}?utm_source=mail"))

    package = read(report(tmp_path, made))

    assert len(package.sources) == 3
    assert rules_of(package).count("SAME_PAGE") == 1


@pytest.mark.parametrize(
    ("change", "dialect"),
    [
        ({}, "evidence-1.2"),
        ({"schema_version": "1.1"}, "evidence-1.1"),
        ({"schema_version": None}, "standalone"),
        ({"schema_version": "1.1", "writing_context": ["a note"]}, "simplified-1.1"),
        ({"claims": {}}, None),
        ({"sources": None}, None),
    ],
)
def test_dialect_is_told_by_what_the_file_holds(change: dict[str, Any], dialect: str) -> None:
    made = {k: v for k, v in (document() | change).items() if v is not None}

    assert dialect_of(made) == dialect


def test_byte_order_mark_and_fence_are_accepted_and_named(tmp_path: Path) -> None:
    text = "```json\n" + json.dumps(document()) + "\n```\n"
    path = tmp_path / "d1.evidence.json"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())

    package = read(path)

    assert len(package.claims) == 3
    assert rules_of(package).count("TOLERATED") == 2


def test_gbk_file_is_read_and_named(tmp_path: Path) -> None:
    made = document()
    made["claims"][0]["text"] = "云屿港 2024 年供应岸电 41.6 万千瓦时"
    path = tmp_path / "d1.evidence.json"
    path.write_bytes(json.dumps(made, ensure_ascii=False).encode("gb18030"))

    package = read(path)

    assert package.claims[0].text.startswith("云屿港")
    assert "TOLERATED" in rules_of(package)


def test_upload_without_claims_is_named_as_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text("@article{a, title={B}}\n", encoding="utf-8")

    with pytest.raises(Unrecognised) as caught:
        read(tmp_path)

    said = [problem.to_json()["message"] for problem in caught.value.log.notices]
    assert said == ["A bibliography (BibTeX), no claims."]
    assert caught.value.proposal is None


@pytest.mark.parametrize(
    ("value", "refs"),
    [
        (4, ["4"]),
        ("S001", ["S001"]),
        ("[^1][^4]", ["1", "4"]),
        ("[1, 4]", ["1", "4"]),
        ("a_slug", ["a_slug"]),
        (
            "https://a.example/x, https://b.example/y.",
            ["https://a.example/x", "https://b.example/y"],
        ),
        (
            "https://w.example/Power_(ports) https://b.example/",
            ["https://w.example/Power_(ports)", "https://b.example/"],
        ),
        (["a", {"id": "b"}], ["a", "b"]),
        (None, []),
        ("", []),
    ],
)
def test_references_are_read_in_all_their_forms(value: Any, refs: list[str]) -> None:
    assert split_refs(value) == refs


@pytest.mark.shared
def test_real_report_directory_reads_whole(shared: Path) -> None:
    package = read(shared / "real" / "report_dir")

    assert (len(package.claims), len(package.sources), len(package.snapshots)) == (8, 5, 6)
    assert package.counts["sub_reports/d2.evidence.json"]["evidence"] == 7
    assert not package.log.errors
    assert not any(c.violations for c in package.claims)


@pytest.mark.shared
def test_real_dialects_are_told_apart(shared: Path) -> None:
    folder = shared / "real" / "ledgers" / "dialects"

    dialects = {path.name: read(path).dialect for path in folder.iterdir()}

    assert dialects == {
        "simplified_1.1_fallback.evidence.json": "simplified-1.1",
        "standalone.evidence.json": "standalone",
    }
