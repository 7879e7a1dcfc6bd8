"""Write a report directory of any size: claims, evidence and snapshots that hold their quotes."""

import json
import random
from pathlib import Path

from sources.source_cache import encode_metadata, metadata, normalize_url, snapshot_ref

WORDS = (
    "median",
    "survival",
    "trial",
    "cohort",
    "dose",
    "arm",
    "months",
    "patients",
    "hazard",
    "ratio",
    "market",
    "share",
    "growth",
    "revenue",
    "port",
    "power",
    "supply",
    "berth",
    "rate",
    "quarter",
)
PER_FILE = 1_000  # claims of one dimension
SNAPSHOTS_PER_FILE = 100


def write_report(
    folder: Path,
    *,
    claims: int = 20_000,
    evidence: int = 50_000,
    snapshots: int = 2_000,
    snapshot_bytes: int = 50_000,
    seed: int = 1,
) -> Path:
    """Write the report; the same arguments give the same bytes."""
    made = random.Random(seed)
    pages = [_page(folder, made, number, snapshot_bytes) for number in range(snapshots)]
    files = max(1, claims // PER_FILE)
    for number in range(files):
        mine = _some(pages, number, files)
        count = claims // files + (number < claims % files)
        items = evidence // files + (number < evidence % files)
        _evidence_file(folder, made, number + 1, count, items, mine)
    plan = {
        "dimensions": [
            {"id": f"d{n + 1}", "name": f"Part {n + 1}", "key_questions": ["What?", "Why?"]}
            for n in range(files)
        ]
    }
    (folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    (folder / "request.md").write_text("What do the figures say?\n", encoding="utf-8")
    return folder


type Page = tuple[str, str, list[str]]  # address, reference, sentences


def _some(pages: list[Page], number: int, files: int) -> list[Page]:
    share = max(1, len(pages) // files)
    return pages[number * share : (number + 1) * share] or pages[:SNAPSHOTS_PER_FILE]


def _page(folder: Path, made: random.Random, number: int, size: int) -> Page:
    sentences: list[str] = []
    length = 0
    while length < size:
        words = " ".join(made.choice(WORDS) for _ in range(12))
        sentence = f"In {made.randint(2000, 2025)} {words} of {made.randint(1, 9999) / 10} %."
        sentences.append(sentence)
        length += len(sentence) + 1
    url = f"https://site{number % 97}.example.org/page/{number}"
    text = "\n".join(sentences)
    normal = normalize_url(url)
    ref = snapshot_ref(normal, text)
    body = folder / str(ref)
    body.parent.mkdir(parents=True, exist_ok=True)
    body.write_bytes(text.encode())
    (body.parent / ref.metadata_name).write_bytes(encode_metadata(metadata(normal, ref)))
    return url, str(ref), made.sample(sentences, 60)


def _evidence_file(
    folder: Path, made: random.Random, number: int, count: int, items: int, pages: list[Page]
) -> None:
    claims = []
    for position in range(1, count + 1):
        share = items // count + (position <= items % count)
        chosen = [made.randrange(len(pages)) for _ in range(share)]
        quotes = [made.choice(pages[page][2]) for page in chosen]
        claims.append(
            {
                "id": f"d{number}.c{position}",
                "text": f"Claim {position}: {quotes[0]}" if quotes else f"Claim {position} alone",
                "kind": "factual",
                "polarity": "support",
                "topic_tag": "figures",
                "answers_key_question": f"kq{position % 2 + 1}",
                "evidence": [
                    {
                        "source_id": f"s_{page}",
                        "snippet": quote,
                        "quote_type": "direct",
                        "snapshot_ref": pages[page][1],
                    }
                    for page, quote in zip(chosen, quotes, strict=True)
                ],
            }
        )
    document = {
        "schema_version": "1.2",
        "mode": "initial",
        "dimension_id": f"d{number}",
        "upstream_usage": [],
        "headline": f"What part {number} says",
        "key_findings": [
            {"finding": "The first of its findings", "claim_ids": [f"d{number}.c1"]},
            {"finding": "The second of its findings", "claim_ids": [f"d{number}.c2"]},
        ],
        "claims": claims,
        "sources": [
            {"id": f"s_{n}", "url": page[0], "title": f"Page {n}", "quality": "primary"}
            for n, page in enumerate(pages)
        ],
    }
    path = folder / "sub_reports" / f"d{number}.evidence.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
