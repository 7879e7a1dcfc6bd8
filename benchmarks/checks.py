"""Print how often each wording and number check speaks, on claims that people have judged.

Run as ``python -m benchmarks.checks [--show CHECK]``; a check that speaks as often under supported
claims as under unsupported ones is noise.
"""

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from reviews.checks import BY_ID
from reviews.checks.base import ClaimFacts, EvidenceFacts
from reviews.checks.samples import claim, evidence
from sources.passages import Sentences, rank
from sources.quantities import ledger

REAL = Path(__file__).resolve().parents[2] / "shared" / "real"
MEASURED = (
    "strong-words",
    "causal-mismatch",
    "preclinical-dropped",
    "hedge-dropped",
    "forecast-premise",
    "number-ledger",
    "context-as-claim",
    "citation-ids",
    "retracted-source",
)
PASSAGES = 5
LABELS = {"Supported": "supported", "Partially supported": "partly", "Not supported": "not"}


def facts_of(text: str, page: str) -> ClaimFacts:
    """Give a claim with the five passages of its page that resemble it most."""
    sentences = Sentences.of_text(page)
    pieces: list[EvidenceFacts] = []
    for found in rank(text, sentences, limit=PASSAGES):
        near = sentences.spans[max(0, found.index - 1) : found.index + 2]
        passage, context = page[found.start : found.end], page[near[0][0] : near[-1][1]]
        rows = ledger(text, passage, context)
        pieces.append(
            evidence(
                passage, quote_type="paraphrase", context=context, ledger=rows, head=page[:600]
            )
        )
    return claim(text, *pieces)


def judged() -> Iterator[tuple[str, ClaimFacts]]:
    """Read the claims of Wikipedia pages with the cited page and a person's judgement."""
    path = REAL / "labelled_claims" / "citation_claims.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield LABELS.get(row["ground_truth"], "?"), facts_of(row["claim_text"], row["source_text"])


def wice() -> Iterator[tuple[str, ClaimFacts]]:
    """Read the claims of WiCE's development half."""
    path = REAL / "text" / "wice_dev.jsonl"
    names = {"supported": "supported", "partially_supported": "partly", "not_supported": "not"}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        page = "\n".join(row.get("evidence") or row.get("sentences"))
        yield names.get(row["label"], row["label"]), facts_of(row["claim"], page)


def report() -> Iterator[tuple[str, ClaimFacts]]:
    """Read the claims of the report directory; all are meant to be sound but for planted ones."""
    base = REAL / "report_dir"
    for path in sorted((base / "sub_reports").glob("*.evidence.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        for found in document["claims"]:
            pieces = []
            for item in found["evidence"]:
                page = (base / item["snapshot_ref"]).read_text(encoding="utf-8")
                made = facts_of(found["text"], page).evidence[:1]
                pieces.extend(made)
            yield "report", claim(found["text"], *pieces, kind=found["kind"])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--show", default="", help="print what this check says")
    options = parser.parse_args()
    for name, rows in (
        ("labelled_claims", judged()),
        ("wice_dev", wice()),
        ("report_dir", report()),
    ):
        measure(name, list(rows), options.show)


def measure(name: str, rows: list[tuple[str, ClaimFacts]], show: str) -> None:
    """Print the share of claims of each label under which each check speaks."""
    totals = Counter(label for label, _facts in rows)
    spoken: dict[str, Counter[str]] = defaultdict(Counter)
    began = time.perf_counter()
    for label, facts in rows:
        for check_id in MEASURED:
            found = [
                f for f in BY_ID[check_id].run(facts) if f.severity != "info" or check_id[0] == "c"
            ]
            for code in {f.code for f in found}:
                spoken[f"{check_id}: {code}"][label] += 1
            if found:
                spoken[check_id][label] += 1
            if found and check_id == show:
                print(f"[{label}] {facts.text}")
                for f in found:
                    print("   ", f.code, dict(f.params))
                for piece in facts.evidence[:2]:
                    print("      >", piece.passage[:300].replace("\n", " "))
    spent = time.perf_counter() - began
    print(f"\n{name}: {len(rows)} claims, {spent / max(1, len(rows)) * 1000:.1f} ms each")
    print(" " * 40 + "".join(f"{label:>12} ({totals[label]})" for label in totals))
    for key in sorted(spoken):
        shares = "".join(f"{spoken[key][label] / totals[label]:>15.1%}" for label in totals)
        print(f"{key:40}{shares}")


if __name__ == "__main__":
    main()
