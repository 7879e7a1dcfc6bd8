"""Short ways to write the facts of an example. Pure."""

from dataclasses import replace
from typing import Any

from reviews.checks.base import ClaimFacts, EvidenceFacts, SourceFacts

_SOURCE = SourceFacts(
    id="annual_report",
    url="https://port-authority.fi/report",
    title="Annual report of the port",
    quality="primary",
    has_snapshot=True,
)
_EVIDENCE = EvidenceFacts(
    key="e1",
    position=1,
    snippet="",
    quote_type="direct",
    source_ref="annual_report",
    source=_SOURCE,
    depth="full",
    grade="exact",
    numbers_equal=True,
)


def source(**changes: Any) -> SourceFacts:
    """Give an ordinary primary source with the changes named."""
    return replace(_SOURCE, **changes)


def evidence(snippet: str = "", **changes: Any) -> EvidenceFacts:
    """Give a quote that was found word for word, with the changes named."""
    changes.setdefault("passage", snippet)
    changes.setdefault("context", changes["passage"])
    made = replace(_EVIDENCE, snippet=snippet, **changes)
    if made.source is not None and "source_ref" not in changes:
        made = replace(made, source_ref=made.source.id)
    return made


def claim(text: str, *pieces: EvidenceFacts, **changes: Any) -> ClaimFacts:
    """Give a factual claim that rests on the pieces of evidence, numbered in order."""
    numbered = tuple(
        replace(piece, key=f"e{number}", position=number)
        for number, piece in enumerate(pieces, start=1)
    )
    made = ClaimFacts(id="d1.c1", text=text, kind="factual", evidence=numbered)
    return replace(made, **changes)
