"""Passages and risk on labelled claims, with the speed: python -m benchmarks.claims."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from reviews.risk import Risk, assess
from sources import passages
from sources.passages import ClaimTerms, Sentences, rank

REPOSITORY = Path(__file__).resolve().parents[1]
REAL = REPOSITORY.parent / "shared" / "real"
WICE = REAL / "text" / "wice_dev.jsonl"
CITATIONS = REAL / "labelled_claims" / "citation_claims.jsonl"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A claim, its source, and what people said of it."""

    claim: str
    sentences: Sentences
    label: str  # supported | partially_supported | not_supported
    supporting: frozenset[int] = frozenset()  # sentences of any supporting set


def main() -> None:
    """Print the figures of every data set that is there."""
    wice = list(_wice())
    found = [each for each in wice if each.supporting]
    print(f"passages on {WICE.name}: {len(found)} claims with supporting sentences")
    print(f"  {'':22}recall@5  recall@10  MRR")
    _print_ranking("ours", found, _ours)
    _print_ranking("plain BM25, ours", found, _plain)
    _print_ranking("plain BM25, 1.2 0.75", found, _usual)
    for name, labelled in ((WICE.name, wice), (CITATIONS.name, list(_citations()))):
        _print_risk(name, labelled)
    _print_speed()


def _wice() -> Iterable[Labelled]:
    for record in _records(WICE):
        supporting = frozenset(index for each in record["supporting_sets"] for index in each)
        sentences = Sentences.of_list(record["sentences"])
        yield Labelled(record["claim"], sentences, record["label"], supporting)


def _citations() -> Iterable[Labelled]:
    for record in _records(CITATIONS):
        label = record["ground_truth"].lower().replace(" ", "_")
        yield Labelled(record["claim_text"], Sentences.of_text(record["source_text"]), label)


def _records(path: Path) -> Iterable[dict]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _ours(each: Labelled) -> list[int]:
    return [found.index for found in rank(each.claim, each.sentences, limit=len(each.sentences))]


def _plain(each: Labelled) -> list[int]:
    return _by_relevance(each, passages.K1, passages.B)


def _usual(each: Labelled) -> list[int]:
    return _by_relevance(each, 1.2, 0.75)


def _by_relevance(each: Labelled, k1: float, b: float) -> list[int]:
    scores = each.sentences.relevance(ClaimTerms.of(each.claim).all, k1=k1, b=b)
    return sorted(range(len(scores)), key=lambda index: -scores[index])


def _print_ranking(
    name: str, claims: Sequence[Labelled], ranked: Callable[[Labelled], list[int]]
) -> None:
    orders = [(ranked(each), each.supporting) for each in claims]
    recall = [
        _mean(len(wanted & {*order[:k]}) / len(wanted) for order, wanted in orders) for k in (5, 10)
    ]
    mrr = _mean(
        1 / next(rank for rank, index in enumerate(order, 1) if index in wanted)
        for order, wanted in orders
    )
    print(f"  {name:22}{recall[0]:.3f}     {recall[1]:.3f}      {mrr:.3f}")


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)


def _print_risk(name: str, claims: Sequence[Labelled]) -> None:
    risks = [(assess(each.claim, each.sentences), each.label) for each in claims]
    judged = [(risk.value, label) for risk, label in risks if risk.value is not None]
    faulty = [(value, label != "supported") for value, label in judged]
    clear = [(v, label == "not_supported") for v, label in judged if "partially" not in label]
    riskiest = sorted(faulty, reverse=True)[: len(faulty) // 5]
    print(
        f"risk on {name}: {len(judged)} claims, {len(risks) - len(judged)} without checkable text"
    )
    print(f"  AUC, not or partly supported against supported: {_auc(faulty):.3f}")
    print(f"  AUC, not supported against supported:           {_auc(clear):.3f}")
    print(
        f"  faulty in the riskiest fifth: {_mean(bad for _, bad in riskiest):.1%}"
        f" (base rate {_mean(bad for _, bad in faulty):.1%})"
    )
    plain = [
        (_on_coverage_alone(risk), label != "supported") for risk, label in risks if risk.terms
    ]
    print(f"  AUC with the weight of `together` on `coverage`: {_auc(plain):.3f}")


def _on_coverage_alone(risk: Risk) -> float:
    return (risk.value or 0.0) - risk.terms["together"] + risk.terms["coverage"]


def _auc(scored: Sequence[tuple[float, bool]]) -> float:
    bad = [score for score, is_bad in scored if is_bad]
    good = [score for score, is_bad in scored if not is_bad]
    wins = sum((b > g) + (b == g) / 2 for b in bad for g in good)
    return wins / (len(bad) * len(good))


def _print_speed() -> None:
    count = sum(1 for _ in _records(WICE))
    seconds = min(_seconds() for _ in range(3))
    print(
        f"assess_claims on {WICE.name}: {count / seconds:.0f} claims/s, {seconds:.1f} s with start"
        " (best of 3)"
    )


def _seconds() -> float:
    command = [sys.executable, "manage.py", "assess_claims", str(WICE)]
    started = time.perf_counter()
    subprocess.run(command, cwd=REPOSITORY, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
