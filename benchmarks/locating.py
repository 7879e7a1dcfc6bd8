"""Places found and times of locating quotes, on the real pairs beside the repository."""

import json
import statistics
import time
from collections import Counter, defaultdict
from pathlib import Path

from sources.quotes import Location, SnapshotIndex, locate

PAIRS = Path(__file__).resolve().parents[2] / "shared/real/text/quote_pairs.jsonl"
EXACT_PLACE = {
    "exact", "line_wrap", "whitespace", "nfd",  # the contract, or nearly
    "typographic", "zero_width", "case", "ligature", "soft_hyphen", "hyphen_linebreak",
    "fullwidth", "cjk_spaced",
}  # fmt: skip
type Pair = dict[str, object]


def main() -> None:
    """Print how well and how fast the pairs are located."""
    pairs = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    found = [(pair, locate(SnapshotIndex(pair["doc"]), pair["snippet"])) for pair in pairs]
    print_grades(found)
    print_places(found)
    print_negatives(found)
    for language in ("en", "zh"):
        for size in (10_000, 100_000, 1_000_000):
            print_times(pairs, language, size)


def print_grades(found: list[tuple[Pair, Location]]) -> None:
    """Print the grades of each category."""
    grades: dict[object, Counter[str]] = defaultdict(Counter)
    for pair, location in found:
        grades[pair["cat"]][location.grade] += 1
    for category, counts in grades.items():
        print(f"{category:18}", ", ".join(f"{grade} {n}" for grade, n in counts.most_common()))


def print_places(found: list[tuple[Pair, Location]]) -> None:
    """Print how many passages stand at their true place."""
    findable = [(pair, location) for pair, location in found if pair["findable"]]
    exact = [overlap(*item) == 1 for item in findable if item[0]["cat"] in EXACT_PLACE]
    rest = [overlap(*item) for item in findable if item[0]["cat"] not in EXACT_PLACE]
    print(f"true place exactly: {sum(exact)} of {len(exact)}")
    print(f"overlap >= .9 of the rest: {sum(x >= 0.9 for x in rest)} of {len(rest)}")
    for pair, location in findable:
        if overlap(pair, location) < (1 if pair["cat"] in EXACT_PLACE else 0.9):
            print("  missed", pair["id"], pair["cat"], location.grade, overlap(pair, location))


def print_negatives(found: list[tuple[Pair, Location]]) -> None:
    """Print what became of altered numbers and of quotes of another page."""
    wrong = [location for pair, location in found if not pair["findable"] and location.located]
    caught = sum(
        location.number_mismatch for pair, location in found if pair["cat"] == "neg_number"
    )
    print(f"located though wrong: {len(wrong)}; altered numbers pointed out: {caught}")


def overlap(pair: Pair, location: Location) -> float:
    """Give the share of true and found passage that both have in common, 0 to 1."""
    if location.start is None or location.end is None:
        return 0.0
    start, end = int(str(pair["start"])), int(str(pair["end"]))
    common = min(end, location.end) - max(start, location.start)
    return max(0, common) / (max(end, location.end) - min(start, location.start))


def print_times(pairs: list[Pair], language: str, size: int) -> None:
    """Print the times to build an index of so many characters and to look a quote up in it."""
    chosen = [pair for pair in pairs if pair["lang"] == language]
    filler = "\n\n".join(dict.fromkeys(str(pair["doc"]) for pair in chosen))
    filler *= size // len(filler) + 1
    built: list[float] = []
    times: dict[str, list[float]] = defaultdict(list)
    # Half of a large text repeats the other half, so that two places are found and compared.
    shared = SnapshotIndex(filler[:size])
    for pair in chosen:
        index = shared if size > 200_000 else SnapshotIndex((str(pair["doc"]) + filler)[:size])
        began = time.perf_counter()
        index.prepare()
        built.append(time.perf_counter() - began)
        location = locate(index, str(pair["snippet"]))
        best = min(timed(index, str(pair["snippet"])) for _ in range(3))
        times[location.grade].append(best)
        times["all"].append(best)
    build = statistics.median(built[:1] if index is shared else built)
    print(f"{language} {size:>9,} index {build * 1000:.0f} ms; median ms:", end=" ")
    print(
        ", ".join(f"{grade} {statistics.median(all_) * 1000:.2f}" for grade, all_ in times.items())
    )
    print(f"{'':14} worst {max(times['all']) * 1000:.1f} ms")


def timed(index: SnapshotIndex, snippet: str) -> float:
    """Give the seconds of one look-up."""
    began = time.perf_counter()
    locate(index, snippet)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
