"""How much of real pages and PDFs is extracted, how right, and how fast."""

import json
import os
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import html5lib

from sources.extracting import Extracted, extract
from sources.extraction import EXTRACTOR

PAGES = Path(__file__).resolve().parents[2] / "shared/real/pages"
UNSEEN = {
    "script", "style", "template", "head", "iframe", "noframes", "datalist", "defs", "metadata",
    "annotation", "annotation-xml", "title",
}  # fmt: skip
# Of noscript a browser with scripts shows nothing; to us it is text, as to any reader without.
RUNS = 3


def main() -> None:
    """Print the figures. Times are of this process, where a worker asks a child of its own."""
    extract(b"<p>loads the libraries", "text/html")
    read = list(read_pages(PAGES / "html"))
    recalls = [recall(body, found.text) for _name, body, found, *_ in read]
    print(f"pages: {len(read)}")
    print(f"visible text found: {pooled(recalls):.4f} of characters, worst {worst(read, recalls)}")
    for name, judge in (("title", title_is_right), ("day", day_is_right)):
        judged = [(page, judge(found, stated)) for page, _body, found, stated, _ in read]
        told = [(page, right) for page, right in judged if right is not None]
        wrong = [page for page, right in told if not right]
        print(f"{name} right: {len(told) - len(wrong)} of {len(told)} {wrong or ''}")
    words = [words_in(found, stated) for _page, _body, found, stated, _ in read]
    print(f"words of the stated excerpt in the article: {pooled(words):.3f}")
    times = sorted(1000 * seconds for *_, seconds in read)
    print(f"page: median {statistics.median(times):.0f} ms, slowest {times[-1]:.0f} ms")
    print(f"to ask a child: {1000 * asking():.1f} ms more")
    for path in sorted((PAGES / "pdf").glob("*.pdf")):
        found, seconds = timed(path.read_bytes(), "application/pdf")
        said = (
            f"{len(found.text)} characters, {len(found.pages)} pages" if found.text else "no_text"
        )
        print(f"{path.name}: {said} {found.reason} {1000 * seconds:.0f} ms")


def read_pages(
    folder: Path, runs: int = RUNS
) -> Iterator[tuple[str, bytes, Extracted, dict[str, Any], float]]:
    """Give each page's name, bytes, extraction, what is stated of it, and the seconds."""
    for page in sorted(folder.iterdir()):
        body = (page / "source.html").read_bytes()
        stated = page / "expected-metadata.json"
        told = json.loads(stated.read_text(encoding="utf-8")) if stated.exists() else {}
        found, seconds = timed(body, "text/html", runs)
        yield page.name, body, found, told, seconds


def timed(body: bytes, kind: str, runs: int = RUNS) -> tuple[Extracted, float]:
    """Extract some times; give the quickest."""
    best = float("inf")
    for _ in range(runs):
        began = time.perf_counter()
        found = extract(body, kind)
        best = min(best, time.perf_counter() - began)
    return found, best


def asking() -> float:
    """Give the seconds that a page costs more in a child than here."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workbench.settings")
    body, kind = b"some words of a text " * 5_000, "text/plain"
    EXTRACTOR.extract(body, kind)
    times = []
    for _ in range(20):
        began = time.perf_counter()
        EXTRACTOR.extract(body, kind)
        times.append(time.perf_counter() - began)
    EXTRACTOR.close()
    return statistics.median(times) - timed(body, kind)[1]


def recall(body: bytes, text: str) -> tuple[int, int]:
    """Give how many characters of the independent walk stand in a text, in its order; and all."""
    wanted = squeezed(text)
    found = total = at = 0
    # Saved as UTF-8, whatever the pages declare.
    tree = html5lib.parse(body.decode("utf-8"), namespaceHTMLElements=False)
    for piece in visible(tree):
        said = squeezed(piece)
        total += len(said)
        place = wanted.find(said, at, at + len(said) + 2000)
        if place < 0:
            place = wanted.find(said)
        if place >= 0:
            found, at = found + len(said), place + len(said)
    return found, total


def visible(element: Any) -> Iterator[str]:
    """Give the pieces of text of a tree that are not hidden."""
    if isinstance(element.tag, str) and is_seen(element):
        if element.text:
            yield element.text
        for child in element:
            yield from visible(child)
            if child.tail:
                yield child.tail


def is_seen(element: Any) -> bool:
    """Tell whether an element is shown, by what it says itself."""
    style = "".join((element.get("style") or "").lower().split())
    hidden = "hidden" in element.attrib or "display:none" in style or "visibility:hidden" in style
    return element.tag.rpartition("}")[2] not in UNSEEN and not hidden


def squeezed(text: str) -> str:
    """Give a text without white space, and without what no stored text has."""
    return "".join(text.split()).replace("\x00", "").replace("\ufffd", "")


def pooled(recalls: list[tuple[int, int]]) -> float:
    """Give the share over all pages."""
    return sum(found for found, _ in recalls) / sum(total for _, total in recalls)


def worst(read: list[Any], recalls: list[tuple[int, int]]) -> str:
    """Name the page of which most is missing."""
    share, name = min(
        (found / total, page[0]) for page, (found, total) in zip(read, recalls, strict=True)
    )
    return f"{share:.4f} ({name})"


def title_is_right(found: Extracted, stated: dict[str, Any]) -> bool | None:
    """Tell whether the title is the stated one, which may end in the name of the site."""
    if not stated.get("title"):
        return None
    ours, theirs = (letters(text) for text in (found.title, stated["title"]))
    return len(ours) > 5 and (
        ours == theirs or (theirs.startswith(ours) and 2 * len(ours) > len(theirs))
    )


def day_is_right(found: Extracted, stated: dict[str, Any]) -> bool | None:
    """Tell whether the day is the stated one."""
    said = stated.get("publishedTime")
    return None if not said else found.published == said[:10]


def words_in(found: Extracted, stated: dict[str, Any]) -> tuple[int, int]:
    """Give how many of the stated excerpt's words are in the article, and all of them."""
    said = str(stated.get("excerpt") or "").rstrip("…. ")
    words = [letters(word) for word in said.split() if letters(word)]
    article = letters(found.article_text)
    return sum(word in article for word in words), len(words)


def letters(text: str) -> str:
    """Give letters and digits alone, folded."""
    return "".join(character for character in text.casefold() if character.isalnum())


if __name__ == "__main__":
    main()
