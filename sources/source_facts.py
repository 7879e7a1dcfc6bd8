"""The one mapper from a stored source to the facts that the rubric reads."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from .models import Source, SourceIdentifier
from .scoring.coi_form import CoiAnswers
from .scoring.facts import SourceFacts
from .scoring.reading import extra_facts, is_strong, schemes_of


def schemes_by_source(sources: Iterable[int]) -> dict[int, tuple[str, ...]]:
    """Give the schemes of the sources' own identifiers. One query."""
    found: dict[int, list[tuple[str, str]]] = defaultdict(list)
    rows = SourceIdentifier.objects.filter(source__in=list(sources)).order_by()
    for pk, scheme, found_in in rows.values_list("source_id", "scheme", "found_in"):
        found[pk].append((scheme, found_in))
    return {pk: schemes_of(pairs) for pk, pairs in found.items()}


def facts_of(
    source: Source, schemes: tuple[str, ...] = (), overrides: Mapping[str, str] | None = None
) -> SourceFacts:
    """Give the facts of a source; a person's type and access status stand above the stored ones."""
    set_by_hand = overrides or {}
    given = source.given if isinstance(source.given, dict) else {}
    extra = source.extra if isinstance(source.extra, dict) else {}
    stated = source.stated if isinstance(source.stated, dict) else {}
    return SourceFacts(
        url=source.url or source.normalized_url,
        canonical_url=source.canonical_url,
        title=source.title,
        abstract=source.abstract,
        type=source.type,
        source_type=source.source_type,
        kind=set_by_hand.get("type", ""),
        venue=source.venue or _text(extra.get("journal")),
        authors=_names(source.authors),
        doi=source.doi,
        schemes=schemes,
        impact_factor=_trimmed(source.impact_factor),
        published=source.published_at or _text(given.get("published_at")),
        year=source.year,
        access_status=set_by_hand.get("access_status", source.access_status),
        dead_link=source.dead_link,
        conflict_of_interest=source.conflict_of_interest,
        funding_statement=source.funding_statement,
        disclosure=source.disclosure,
        coi=CoiAnswers.read(source.coi_form),
        strong_coi=is_strong(
            source.strong_coi, source.coi_form, source.conflict_of_interest, stated.get("score")
        ),
        **extra_facts(extra),
    )


def _trimmed(number: Decimal | None) -> Decimal | None:
    """Give a figure as people write it: 4 and not 4.000, whatever a column keeps."""
    if number is None or not number % 1:
        return None if number is None else number.quantize(Decimal(1))
    return number.normalize()


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _names(authors: Any) -> tuple[str, ...]:
    if not isinstance(authors, list):
        return (authors,) if isinstance(authors, str) and authors else ()
    names = (each.get("name") if isinstance(each, dict) else each for each in authors)
    return tuple(name for name in names if isinstance(name, str) and name.strip())
