"""Real pages and PDFs beside the repository, read as well as an independent reader does."""

import pytest

from benchmarks.extracting import day_is_right, pooled, read_pages, recall, title_is_right, words_in
from sources.extracting import extract

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def read(shared):
    return list(read_pages(shared / "real/pages/html", runs=1))


def test_what_an_independent_walk_finds_is_in_the_text(read):
    for name, body, found, *_ in read:
        assert pooled([recall(body, found.text)]) >= 0.99, name


def test_stated_titles_and_days_are_right(read):
    for judge in (title_is_right, day_is_right):
        judged = [judge(found, stated) for _, _, found, stated, _ in read]
        told = [right for right in judged if right is not None]
        assert sum(told) >= 0.9 * len(told)


def test_the_words_of_stated_excerpts_are_in_the_article(read):
    assert pooled([words_in(found, stated) for _, _, found, stated, _ in read]) >= 0.95


def test_every_pdf_has_text_or_the_reason_why_not(shared):
    for path in (shared / "real/pages/pdf").glob("*.pdf"):
        found = extract(path.read_bytes(), "application/pdf")
        assert bool(found.text) != bool(found.reason), path.name
