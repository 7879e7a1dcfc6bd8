"""Lines of sources, receipts and rejections, as the writers of such files make them."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

type Line = dict[str, Any]


def source(number: int = 42, **changes: Any) -> Line:
    """Give a well-formed line with every key of the format, in its order."""
    url = f"https://www.nejm.org/doi/full/10.1056/NEJMoa{number}"
    return {
        "id": f"src_{number:03}", "tier": 1, "score": 8.6, "type": "journal",
        "source_type": "paper", "url": url, "raw_url": url,
        "canonical_url": url.replace("www.", ""), "doi": f"10.1056/NEJMoa{number}",
        "title": f"Trial {number} 的结果", "authors": ["Li Lei", "Han Meimei"], "year": 2025,
        "venue": "NEJM", "impact_factor": 176.0, "accessed_at": "2026-04-20",
        "abstract": "A trial.", "key_data": {"cagr": "23%"}, "used_in": ["ch01", "ch03.sec2"],
        "authority": 3.0, "recency": 2.0, "primacy": 2.0, "verifiability": 2.0, "coi": 1.0,
        "conflict_of_interest": None, "blacklist_checked": True, "retraction_checked": True,
        "search_receipt_ids": ["srch_0001"], "access_status": "opened_original",
        "evidence_locator": "Table 2", "independence_cluster": "cluster_trial_001",
        "dead_link": False, "failure_reason": None, "notes": "NEJM 2025 原文",
    } | changes  # fmt: skip


def receipt(number: int = 1, **changes: Any) -> Line:
    return {
        "receipt_id": f"srch_{number:04}", "timestamp": "2026-04-20T09:14:00Z",
        "tool": "search-cli", "mode": "scholar", "query_or_url": "semaglutide 肥胖",
        "purpose": "ch01", "result_count": 10, "opened_urls": ["https://example.org/a"],
        "status": "ok", "failure_reason": None,
    } | changes  # fmt: skip


def rejection(number: int = 7, **changes: Any) -> Line:
    url = f"https://baijiahao.baidu.com/s?id={number}"
    return {
        "id": f"src_{number:03}", "url": url, "raw_url": url, "title": "重磅发布", "score": 2.5,
        "rejection_rule": "blacklist_domain", "rejection_reason": "baijiahao.baidu.com",
        "search_receipt_ids": ["srch_0001"], "rejected_at": "2026-04-20T10:00:00Z",
        "rejected_by": "engine",
    } | changes  # fmt: skip


MESSY: list[Line] = [
    {"id": 7, "title": "A number as id", "authors": "Smith J, Lee K", "year": "2024年", "url": ""},
    {"title": "No id", "url": "https://example.org/no-id", "doi": "https://doi.org/10.1000/ABC"},
    {"id": "s1", "raw_url": "https://example.org/1", "impact_factor": "12.5", "dead_link": "yes"},
    {"id": "s2", "url": "https://example.org/2", "authors": [{"name": "王芳"}, "Li"], "year": 2e3},
    {
        "id": "s3",
        "doi": "DOI: 10.1000/x",
        "title": "A DOI",
        "access_status": "opened",
        "tier": None,
    },
    {"id": "s4", "url": " https://example.org/4?a=b ", "used_in": "ch01, ch02", "key_data": []},
    {"id": " s5 ", "url": "notaurl", "title": None, "my_key": {"x": [1, None, "值"]}, "score": "8"},
]


def write(path: Path, lines: Iterable[Mapping[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    return path


def read(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
