"""Print how fast numbers are read, and what the ledger says of claims with a human verdict."""

import json
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from sources.quantities import ledger, number_values, parse_quantities

REAL = Path(__file__).resolve().parents[2] / "shared" / "real"
LIMIT = 1_000_000  # code points of each language


def main() -> None:
    rows = [
        json.loads(line)
        for line in (REAL / "labelled_claims/citation_claims.jsonl").read_text("utf-8").splitlines()
    ]
    english = " ".join(row["source_text"] or "" for row in rows)[:LIMIT]
    report = REAL / "ledgers/emmmdty__deep-research-agent/live-route-real/report.md"
    chinese = (report.read_text("utf-8") * 20)[:LIMIT]
    for name, text in (("English pages", english), ("Chinese report", chinese)):
        print(f"{name:16} number_values    {_rate(number_values, text):5.2f} MB/s")
        print(f"{name:16} parse_quantities {_rate(parse_quantities, text):5.2f} MB/s")
    print(f"{'1 1 1 1 ...':16} parse_quantities {_rate(parse_quantities, '1 ' * 25_000):5.2f} MB/s")

    relations: dict[str, Counter[str]] = {}
    begin = time.process_time()
    for row in rows:
        counts = relations.setdefault(row["ground_truth"], Counter())
        found = ledger(row["claim_text"], row["source_text"] or "")
        counts.update(entry.relation for entry in found)
    spent = time.process_time() - begin
    print(
        f"ledger of {len(rows)} claims against whole pages: {spent / len(rows) * 1000:.1f} ms each"
    )
    for verdict, counts in relations.items():
        total = counts.total()
        shares = ", ".join(f"{kind} {count / total:.0%}" for kind, count in counts.most_common())
        print(f"{verdict:20} {total:4} numbers: {shares}")


def _rate(read: Callable[[str], object], text: str) -> float:
    best = min(_seconds(read, text) for _ in range(3))
    return len(text.encode("utf-8", "surrogatepass")) / best / 1e6


def _seconds(read: Callable[[str], object], text: str) -> float:
    begin = time.process_time()
    read(text)
    return time.process_time() - begin


if __name__ == "__main__":
    main()
