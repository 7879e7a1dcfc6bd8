"""Short ways to clean things in tests."""

from typing import Any

from sources.cleaning import Item, clean
from sources.cleaning.reading import read_input
from sources.cleaning.writing import output

DATED = {"publish_date": "2026-03-01", "source_url": "https://some.example/a"}


def cleaned(subject: str, *raw: Any, **more: Any) -> tuple[Item, ...]:
    """Give the items after all steps."""
    document = {"raw_evidence_items": list(raw), "primary_subject": subject, "cleaning_goal": "x"}
    read = read_input({**document, **more})
    return clean(read.items, read.context)


def printed(subject: str, *raw: Any, language: str = "zh", **more: Any) -> dict[str, Any]:
    """Give the output as the command prints it."""
    return output(cleaned(subject, *raw, **more), language=language)


def one(subject: str, snippet: str, **fields: Any) -> Item:
    """Give the one item of a dated snippet after all steps."""
    return cleaned(subject, {**DATED, "snippet": snippet, **fields})[0]


def text(snippet: str, subject: str = "AI芯片", **fields: Any) -> str:
    """Give the cleaned text of a dated snippet."""
    item = one(subject, snippet, **fields)
    assert item.is_kept, item.drop
    return item.text


def reasons(item: Item) -> list[tuple[str, str]]:
    """Give the reasons to rank an item lower, with their levels."""
    return [(each.reason, each.level) for each in item.downranks]
