"""Print how fast raw evidence is cleaned, and how fast 10,000 results are de-duplicated.

``python -m benchmarks.cleaning [--items N]`` makes results in the likeness of real ones, half
English and half Chinese: search hits of one subject by many hosts, pieces of pages with menus,
scripts and counts, escaped and scanned texts, and one in five a near-copy of another. Aims: at
least 2,000 items a second through all steps, cleaned in batches as searches bring them; 10,000
de-duplicated in less than 10 s. Time is that
of the process, beside the time by the clock.
"""

import argparse
import random
import resource
import time
from collections.abc import Callable

from sources.cleaning import STEPS, Items, clean
from sources.cleaning.reading import read_input
from sources.cleaning.writing import output

SEED = 20_260_420
COPIES = 5  # one item in so many is a near-copy
HOSTS = 700
_CONSONANTS, _VOWELS = "bcdfghklmnprstvw", "aeiou"


def main() -> None:
    """Clean batches, then one large one, step by step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--batch", type=int, default=500, help="items cleaned together")
    given = parser.parse_args()
    maker = Maker(random.Random(SEED))
    # What is loaded and built once: patterns, tables, the characters of two scripts.
    warm = read_input(maker.document(50))
    clean(warm.items, warm.context)
    document = maker.document(given.items)
    raw = document["raw_evidence_items"]
    assert isinstance(raw, list)
    characters = sum(len(item["snippet"]) for item in raw) / len(raw)
    print(f"{len(raw)} items of {characters:.0f} characters on average")

    spent: dict[str, float] = {}
    for first in range(0, len(raw), given.batch):
        part = {**document, "raw_evidence_items": raw[first : first + given.batch]}
        by_step(part, spent, quiet=True)
    total = sum(spent.values())
    rate = len(raw) / total
    print(f"\nin batches of {given.batch}:")
    for name, seconds in spent.items():
        print(f"  {name:<28}{1e6 * seconds / len(raw):7.0f} us an item")
    print(f"cleaned: {rate:,.0f} items/s ({'good' if rate >= 2_000 else 'TOO SLOW'}: aim 2,000)")

    print(f"\nall {len(raw)} together:")
    spent = {}
    items = by_step(document, spent)
    dedupe = spent["dedupe"]
    merged = sum(len(item.merged) for item in items)
    print(f"de-duplicated: {dedupe:.1f} s ({'good' if dedupe < 10 else 'TOO SLOW'}: aim 10 s)")
    print(f"cleaned: {len(raw) / sum(spent.values()):,.0f} items/s")
    print(f"near-copies made {maker.copies}, merged {merged}")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"most memory: {memory} MB")


def by_step(document: object, spent: dict[str, float], *, quiet: bool = False) -> Items:
    """Read, clean step by step and write; add the seconds of each."""
    (read, clock, busy) = measured(lambda: read_input(document))
    spent["read"] = spent.get("read", 0) + busy
    items = read.items
    for step in STEPS:
        items, clock, busy = measured(lambda step=step, items=items: step.run(items, read.context))
        spent[step.id] = spent.get(step.id, 0) + busy
        if not quiet:
            print(f"  {step.id:<28}{busy:6.2f} s, {clock:6.2f} by the clock  {told(items)}")
    _made, clock, busy = measured(lambda: output(items, language="en"))
    spent["write"] = spent.get("write", 0) + busy
    return items


def told(items: Items) -> str:
    """Say how many items a step has left."""
    kept = sum(item.is_kept for item in items)
    down = sum(bool(item.downranks) for item in items if item.is_kept)
    return f"kept {kept}, of them ranked lower {down}"


def measured[T](work: Callable[[], T]) -> tuple[T, float, float]:
    """Give a result, the seconds by the clock and those of this process."""
    clock, busy = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - clock, time.process_time() - busy


class Maker:
    """Makes results: words as frequent as in real texts, each text on the subject."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.copies = 0
        self._english = [self._word() for _ in range(6_000)]
        self._chinese = [self._pair() for _ in range(4_000)]
        self._weights = [1 / (rank + 8) for rank in range(6_000)]

    def document(self, count: int) -> dict[str, object]:
        """Give an input of so many items."""
        items: list[dict[str, str]] = []
        self.copies = 0
        for number in range(count):
            if number % COPIES == COPIES - 1:
                item = self._copy(items[number - self.chance.randint(1, COPIES - 1)], number)
                self.copies += 1
            else:
                item = self._item(number)
            items.append(item)
        return {
            "raw_evidence_items": items,
            "primary_subject": "司美格鲁肽减重",
            "subject_aliases": ["semaglutide weight loss"],
            "cleaning_goal": "research",
        }

    def _item(self, number: int) -> dict[str, str]:
        chinese = number % 2 == 0
        text = self._chinese_text() if chinese else self._english_text()
        title = (self._some(self._chinese, 8) if chinese else self._some(self._english, 8)).title()
        shape = number % 20
        if shape < 3:
            text = self._page(text)
        elif shape == 3:
            text = text.replace(" ", "&nbsp;").replace("，", "&#65292;")
        elif shape == 4:
            text = f"... {text[3:-6]}..."
        host = int(HOSTS * self.chance.random() ** 2)
        return {
            "source_url": f"https://www.site{host}.example/news/{number}",
            "title": title,
            "snippet": text,
            "publish_date": f"20{self.chance.randint(20, 25)}-0{self.chance.randint(1, 9)}-11",
        }

    def _copy(self, item: dict[str, str], number: int) -> dict[str, str]:
        text = item["snippet"]
        at = self.chance.randint(len(text) // 4, len(text) // 2)
        added = "据悉" if number % 2 else " now"
        return item | {
            "source_url": f"https://copy{number % 90}.example/{number}",
            "snippet": text[:at] + added + text[at:],
        }

    def _english_text(self) -> str:
        parts = ["Semaglutide weight loss " + self._some(self._english, 14)]
        parts += [self._some(self._english, self.chance.randint(10, 20)) for _ in range(2)]
        return ". ".join(part.capitalize() for part in parts) + f" by {self._figure()} %."

    def _chinese_text(self) -> str:
        parts = ["司美格鲁肽减重" + self._some(self._chinese, 9, "")]
        parts += [self._some(self._chinese, self.chance.randint(8, 14), "") for _ in range(3)]
        return "，".join(parts[:2]) + "。" + "，".join(parts[2:]) + f"，达{self._figure()}%。"

    def _page(self, text: str) -> str:
        return (
            "<div class='nav'><a href='/'>首页</a> | <a href='/news'>新闻</a></div>"
            "<script>var _hmt = _hmt || []; (function() { hm.src = 'x'; })();</script>"
            f"<div class='article'><p>{text}</p><p>阅读 1234 点赞 56</p></div>"
            "<div class='related'>推荐阅读</div><footer>© 2025 版权所有</footer>"
        )

    def _figure(self) -> str:
        return f"{self.chance.randint(1, 99)}.{self.chance.randint(0, 9)}"

    def _some(self, words: list[str], count: int, between: str = " ") -> str:
        weights = self._weights[: len(words)]
        return between.join(self.chance.choices(words, weights, k=count))

    def _word(self) -> str:
        parts = self.chance.randint(1, 4)
        pick = self.chance.choice
        return "".join(pick(_CONSONANTS) + pick(_VOWELS) for _ in range(parts)) + pick("nrst")

    def _pair(self) -> str:
        # Everyday characters: the first level of GB 2312.
        def sign() -> str:
            row, cell = self.chance.randint(0xB0, 0xD6), self.chance.randint(0xA1, 0xFE)
            return bytes((row, cell)).decode("gb2312")

        return sign() + sign()


if __name__ == "__main__":
    main()
