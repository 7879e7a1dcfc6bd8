"""Foreign ledgers: proposed mappings, and what they read."""

import json
from pathlib import Path
from typing import Any

import pytest

from reviews.exchange.mapping import Mapping, MappingError
from reviews.exchange.package import Package, Spool
from reviews.exchange.paths import PathError, parse_path
from reviews.exchange.proposing import propose_for
from reviews.exchange.reading import open_upload
from reviews.exchange.recognising import Unrecognised, read_upload


def read(path: Path, mapping: Any = None) -> Package:
    with open_upload(path) as tree, Spool() as spool:
        package = read_upload(tree, spool, path.name, mapping)
        for snapshot in package.snapshots.values():
            assert package.body(snapshot)
        return package


def proposed(path: Path) -> dict[str, Any]:
    mapping, _report = propose_for(path, path.name)
    assert mapping is not None
    return mapping


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".jsonl":
        text = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in value)
    else:
        text = json.dumps(value, ensure_ascii=False)
    path.write_text(text, encoding="utf-8")
    return path


ROWS = [
    {
        "id": f"row_{n}",
        "claim_text": f"Claim number {n} of the ledger says something.",
        "source_url": f"https://page.example.org/{n}",
        "source_text": f"Claim number {n} is said here, at some length, for everybody to read.",
        "ground_truth": "Supported",
    }
    for n in range(3)
]


def test_rows_with_source_and_text_are_mapped_and_read(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.jsonl", ROWS)

    mapping = proposed(path)
    package = read(path, mapping)

    assert mapping["fields"] == {
        "claim.id": "id",
        "claim.text": "claim_text",
        "source.url": "source_url",
        "snapshot.text": "source_text",
    }
    assert [c.raw_id for c in package.claims] == ["row_0", "row_1", "row_2"]
    assert package.claims[0].extra == {"ground_truth": "Supported"}
    assert len(package.snapshots) == 3
    assert package.claims[0].evidence[0].snapshot in package.snapshots


def test_unknown_ledger_without_mapping_is_refused_with_a_proposal(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.jsonl", ROWS)

    with pytest.raises(Unrecognised) as caught:
        read(path)

    assert caught.value.proposal == proposed(path)
    assert [e.rule.id for e in caught.value.log.errors] == ["UNKNOWN_DIALECT"]


def test_lists_of_addresses_become_one_item_each(tmp_path: Path) -> None:
    rows = [
        {
            "id": "c1",
            "claim": "Forty-two states began an action in June.",
            "source_urls": ["https://a.example.org/", "https://b.example.org/"],
            "source_tiers": ["primary", "secondary"],
        }
    ]
    path = write(tmp_path / "x.claims.json", {"claims": rows})

    package = read(path, proposed(path))

    qualities = {s.url: s.quality for s in package.sources.values()}
    assert qualities == {"https://a.example.org/": "primary", "https://b.example.org/": "secondary"}
    assert len(package.claims[0].evidence) == 2


def test_two_files_with_other_keys_share_one_mapping_and_never_join_on_ids(
    tmp_path: Path,
) -> None:
    url = "https://a.example.org/"
    first = {
        "claims": [{"id": "c1", "claim": "The first claim of the pair.", "source_urls": [url]}]
    }
    second = {"claims": [{"id": "c1", "text": "The second claim, unlike it.", "citation": url}]}
    write(tmp_path / "x.claims.json", first)
    write(tmp_path / "x.verification.json", second)

    package = read(tmp_path, proposed(tmp_path))

    assert [c.text for c in package.claims] == [
        "The first claim of the pair.",
        "The second claim, unlike it.",
    ]


BUNDLE = {
    "job": {"input_prompt": "Who is it?"},
    "sources": [
        {"source_id": "s1", "title": "About", "canonical_uri": "https://about.example.org/"}
    ],
    "evidence_fragments": [
        {"evidence_id": "e1", "source_id": "s1", "excerpt": "It was founded in 2021.", "page": 3},
        {"evidence_id": "e2", "source_id": "s1", "excerpt": "403 Forbidden"},
    ],
    "claims": [
        {"claim_id": "k1", "text": "It was founded in the year 2021.", "evidence_ids": ["e1"]},
        {"claim_id": "k2", "text": "Nobody knows who founded it.", "evidence_ids": ["e2", "e9"]},
    ],
}


def test_evidence_elsewhere_is_joined_by_id(tmp_path: Path) -> None:
    path = write(tmp_path / "bundle.json", BUNDLE)

    package = read(path, proposed(path))

    item = package.claims[0].evidence[0]
    assert item.snippet == "It was founded in 2021."
    assert item.source == ("s1", "https://about.example.org/")
    assert item.extra == {"id": "e1", "evidence_id": "e1", "page": 3}
    assert package.question == "Who is it?"


def test_evidence_that_is_nowhere_is_kept_by_its_id(tmp_path: Path) -> None:
    path = write(tmp_path / "bundle.json", BUNDLE)

    package = read(path, proposed(path))

    assert [e.extra["id"] for e in package.claims[1].evidence] == ["e2", "e9"]
    assert package.claims[1].evidence[1].source is None


def test_failed_fetch_stored_as_evidence_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "bundle.json", BUNDLE)

    package = read(path, proposed(path))

    assert [p.path for p in package.log.notices if p.rule.id == "FAILED_FETCH"] == ["k2"]


def test_claims_told_in_events_find_their_evidence_in_another_file(tmp_path: Path) -> None:
    write(
        tmp_path / "claims.jsonl",
        [
            {
                "type": "claim.created",
                "claim_id": "k1",
                "claim": {"text": "A report came out in July."},
            },
            {"type": "relation.added", "claim_id": "k1", "relation": {"evidence_id": "e1"}},
            {"type": "status.changed", "claim_id": "k1", "from": "draft", "to": "supported"},
        ],
    )
    card = {
        "id": "e1",
        "statement": "The office published its report.",
        "quote": "Published July 2026.",
        "source": {"url": "https://office.example.org/r", "title": "Report"},
    }
    write(tmp_path / "evidence" / "cards.jsonl", [card])

    package = read(tmp_path, proposed(tmp_path))

    (claim,) = package.claims
    assert claim.evidence[0].snippet == "Published July 2026."
    assert package.counts["claims.jsonl"]["other records"] == 2


def test_bad_lines_are_errors_with_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    good = json.dumps(ROWS[0])
    path.write_text(f'{good}\n{{"id": 1\n{{"id": "row_9"}}\n', encoding="utf-8")

    package = read(path, {"records": "[]", "fields": {"claim.text": "claim_text"}})

    assert [(e.rule.id, e.line) for e in package.log.errors] == [
        ("JSON", 2),
        ("CLAIM_WITHOUT_TEXT", 3),
    ]
    assert len(package.claims) == 1


def test_text_of_an_odd_address_stays_with_the_evidence(tmp_path: Path) -> None:
    row = ROWS[0] | {"source_url": "file:///kb/notes.md"}
    path = write(tmp_path / "rows.jsonl", [row])

    package = read(path, proposed(write(tmp_path / "all.jsonl", ROWS)))

    assert not package.snapshots
    assert package.claims[0].evidence[0].extra == {"snapshot_text": row["source_text"]}


def test_mapping_that_finds_nothing_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.jsonl", ROWS)

    with pytest.raises(Unrecognised) as caught:
        read(path, {"records": "claims[]", "fields": {"claim.text": "nothing"}})

    assert "NOTHING_MAPPED" in {e.rule.id for e in caught.value.log.errors}


@pytest.mark.parametrize(
    "spec",
    [
        [],
        {"fields": {}},
        {"fields": {"claim.text": 5}},
        {"fields": {"claim.text": "a..b"}},
        {"fields": {"claim.text": "a -> b"}},
        {"fields": {"claim.text": "a", "claim.colour": "b"}},
        {"fields": {"claim.text": []}},
        {"fields": {"claim.text": "a"}, "records": 3},
        {"fields": {"claim.text": "a"}, "files": "x"},
        {"fields": {"claim.text": "a"}, "where": []},
        {"fields": {"claim.text": "a"}, "name": "../x"},
        {"fields": {"claim.text": "a"}, "surprise": 1},
    ],
)
def test_unusable_mapping_is_refused_with_a_reason(spec: Any) -> None:
    with pytest.raises(MappingError) as caught:
        Mapping.read(spec)

    assert str(caught.value)


def test_path_with_too_many_lookups_is_refused() -> None:
    with pytest.raises(PathError):
        parse_path("a" + " -> :b[c].d" * 6)


KINDS = {
    "runs.jsonl": ('{"id": 1, "event_type": "x", "stage": "y"}\n', "A run log, no claims."),
    "refs.json": ('{"citations": [{"title": "A", "url": "u"}]}', "A bibliography, no claims."),
    "counts.json": ('{"total": 11, "supported": 8}', "A summary of counts, no claims."),
    "schema.json": ('{"$schema": "x", "properties": {}}', "A JSON schema, no claims."),
    "gate.json": ('{"gate_status": "blocked"}', "A decision about claims, not the claims."),
    "meta.json": ('{"session_id": "a"}', "Data about a run, no claims."),
    "dois.txt": (
        "10.1038/nature21056\n10.1126/science.aax2342\n",
        "A list of identifiers, no claims.",
    ),
    "a.yaml": ("name: x\n", "YAML, which is not read. Save it as JSON."),
}


@pytest.mark.parametrize("name", KINDS)
def test_file_without_claims_is_named_as_what_it_is(tmp_path: Path, name: str) -> None:
    text, kind = KINDS[name]
    (tmp_path / name).write_text(text, encoding="utf-8")

    mapping, report = propose_for(tmp_path / name, name)

    assert mapping is None
    assert [notice["message"] for notice in report["notices"]] == [kind]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("place", "claims", "evidence"),
    [
        ("labelled_claims/citation_claims.jsonl", 129, 129),
        ("ledgers/guzus__ai-research-arm", 267, 322),
        ("ledgers/emmmdty__deep-research-agent/demo-anthropic", 11, 11),
        ("ledgers/emmmdty__deep-research-agent/live-route-real", 261, 274),
        ("ledgers/emmmdty__deep-research-agent/ths-20260522", 8, 3),
        ("ledgers/MingTianYHS__deep-research", 1, 1),
        ("ledgers/BryanTegomoh__citation-audit/examples", 5, 5),
        ("ledgers/hummbl-dev__claim-evidence-ledger/examples", 1, 1),
    ],
)
def test_real_ledgers_read_through_their_proposed_mapping(
    shared: Path, place: str, claims: int, evidence: int
) -> None:
    path = shared / "real" / place

    package = read(path, proposed(path))

    assert not package.log.errors
    assert len(package.claims) == claims
    assert sum(len(claim.evidence) for claim in package.claims) == evidence


@pytest.mark.shared
@pytest.mark.parametrize(
    "place",
    [
        "Blevene__giga-research-skill",
        "linkml__linkml-reference-validator",
        "hummbl-dev__claim-evidence-ledger/schemas",
        "BryanTegomoh__citation-audit/examples/sample_bibtex.bib",
        "MingTianYHS__deep-research/logs",
    ],
)
def test_real_files_without_claims_are_named(shared: Path, place: str) -> None:
    path = shared / "real" / "ledgers" / place

    mapping, report = propose_for(path, path.name)

    assert mapping is None
    assert report["notices"]
    assert not any("not recognised" in notice["message"] for notice in report["notices"])
