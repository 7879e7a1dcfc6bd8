"""A small report directory for tests, whole or with whatever a test changes."""

import json
from pathlib import Path
from typing import Any

from sources.source_cache import encode_metadata, metadata, normalize_url, snapshot_ref

PORT = "https://port.example.org/annual-2024"
GAZETTE = "https://gazette.example.org/2025/shore-power?page=2"
PORT_TEXT = (
    "# Annual report\n\nIn 2024 the port supplied 416 MWh of shore power, 12.3 % more than before. "
    "The connection rate was 63.5 %.\n"
)
GAZETTE_TEXT = (
    "Ships at Lindhavn drew 416 MWh from the quay in 2024, the harbour master said. "
    "The port has 14 berths, up from nine a year earlier.\n"
)


def ref_of(url: str, text: str) -> str:
    return str(snapshot_ref(normalize_url(url), text))


def put_snapshot(folder: Path, url: str, text: str) -> str:
    ref = snapshot_ref(normalize_url(url), text)
    body = folder / str(ref)
    body.parent.mkdir(parents=True, exist_ok=True)
    body.write_bytes(text.encode())
    meta = encode_metadata(metadata(normalize_url(url), ref))
    (body.parent / ref.metadata_name).write_bytes(meta)
    return str(ref)


def source(name: str, url: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "url": url, "title": f"Title of {name}", "quality": "primary", **more}


def evidence(name: str, snippet: str, ref: str, **more: Any) -> dict[str, Any]:
    return {
        "source_id": name,
        "snippet": snippet,
        "quote_type": "direct",
        "snapshot_ref": ref,
        **more,
    }


def claim(number: int, text: str, items: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "id": f"d1.c{number}",
        "text": text,
        "kind": "factual",
        "polarity": "support",
        "topic_tag": "volume",
        "answers_key_question": "kq1",
        "evidence": items,
        **more,
    }


def document() -> dict[str, Any]:
    """Give an evidence document that keeps the contract."""
    port, gazette = ref_of(PORT, PORT_TEXT), ref_of(GAZETTE, GAZETTE_TEXT)
    return {
        "schema_version": "1.2",
        "mode": "initial",
        "dimension_id": "d1",
        "upstream_usage": [],
        "headline": "Both ports publish their figures",
        "key_findings": [
            {"finding": "The port supplied 416 MWh", "claim_ids": ["d1.c1"]},
            {"finding": "Ships drew 416 MWh in Lindhavn", "claim_ids": ["d1.c1"]},
        ],
        "claims": [
            claim(
                1,
                "The port supplied 416 MWh of shore power in 2024",
                [
                    evidence("port", "the port supplied 416 MWh of shore power", port),
                    evidence("gazette", "drew 416 MWh from the quay in 2024", gazette),
                ],
            ),
            claim(
                2,
                "The connection rate was 63.5 %",
                [evidence("port", "The connection rate was 63.5 %", port)],
            ),
            claim(
                3,
                "Lindhavn has 14 berths",
                [evidence("gazette", "The port has 14 berths", gazette)],
            ),
        ],
        "sources": [source("port", PORT), source("gazette", GAZETTE)],
    }


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def report(folder: Path, *documents: dict[str, Any], with_cache: bool = True) -> Path:
    """Write a report directory; without documents it holds the good one."""
    for each in documents or (document(),):
        write(folder / "sub_reports" / f"{each['dimension_id']}.evidence.json", each)
    (folder / "request.md").write_text("# Request\n\nCompare two ports.\n", encoding="utf-8")
    write(
        folder / "plan.json",
        {
            "dimensions": [
                {
                    "id": "d1",
                    "name": "Ports",
                    "depth": "moderate",
                    "key_questions": ["How much?", "Why?"],
                    "dependency_inputs": [],
                }
            ]
        },
    )
    write(
        folder / "outline.json",
        {
            "schema_version": "2.0",
            "content_units": [{"id": "u1", "role": "primary"}, {"id": "u2", "role": "supporting"}],
            "claim_routing_table": {"d1.c2": {"primary": "u1"}, "d1.c3": {"primary": "u2"}},
        },
    )
    (folder / "stitched.md").write_text(
        "# Ports\n\nFirst words. The connection rate was 63.5 %.[^port] More.[^nobody]\n",
        encoding="utf-8",
    )
    if with_cache:
        put_snapshot(folder, PORT, PORT_TEXT)
        put_snapshot(folder, GAZETTE, GAZETTE_TEXT)
    return folder
