"""The one mapper from records to the frozen facts that checks read."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from sources.models import Project, Snapshot, Source
from sources.quantities import LedgerRow

from .checks.base import ClaimFacts, ContractViolation, EvidenceFacts, SourceFacts
from .models import Claim, Evidence


def evidence_keys(items: Iterable[Evidence]) -> dict[int, str]:
    """Name the evidence items of one claim by their row; equal content has an equal name.

    Further copies of an item within the claim are numbered: each row has a name of its own.
    """
    seen = Counter[str]()
    keys = {}
    for item in items:
        name = item.content_hash[:16] or str(item.position)
        seen[name] += 1
        keys[item.pk] = name if seen[name] == 1 else f"{name}.{seen[name]}"
    return keys


def claims_with_facts(
    project: Project, claims: Sequence[Claim]
) -> list[tuple[Claim, dict[str, Evidence], ClaimFacts]]:
    """Give each claim with its evidence by key and its facts. Four queries whatever the number."""
    items: dict[int, list[Evidence]] = defaultdict(list)
    rows = Evidence.objects.filter(claim__in=claims, current=True).order_by("claim", "position")
    for evidence in rows.select_related("source", "snapshot"):
        items[evidence.claim_id].append(evidence)
    cited = {e.source for rows in items.values() for e in rows if e.source is not None}
    titles, captured = _titles_of(project, cited), _captured(project, cited)
    known = {source.pk: _source_facts(source, titles, captured) for source in cited}
    given = []
    for claim in claims:
        mine = items[claim.pk]
        keys = evidence_keys(mine)
        facts = ClaimFacts(
            id=claim.external_id,
            text=claim.text,
            kind=claim.kind,
            polarity=claim.polarity,
            is_key=claim.is_key,
            evidence=tuple(
                _evidence_facts(e, keys[e.pk], known.get(e.source_id or 0)) for e in mine
            ),
            violations=tuple(_violation(v, mine, keys) for v in claim.violations),
            report_urls=tuple(project.report_urls),
        )
        given.append((claim, {keys[e.pk]: e for e in mine}, facts))
    return given


def _titles_of(project: Project, sources: Iterable[Source]) -> dict[str, tuple[str, ...]]:
    """Give every title that an address carries in the project, in order of import."""
    urls = {s.normalized_url for s in sources if s.normalized_url}
    found: dict[str, dict[str, None]] = defaultdict(dict)
    rows = Source.objects.filter(project=project, normalized_url__in=urls).order_by("pk")
    for url, titles in rows.values_list("normalized_url", "titles"):
        for title in titles:
            found[url][" ".join(str(title).split())] = None
    return {url: tuple(t for t in titles if t) for url, titles in found.items()}


def _captured(project: Project, sources: Iterable[Source]) -> set[str]:
    urls = {s.normalized_url for s in sources if s.normalized_url}
    rows = Snapshot.objects.filter(project=project, normalized_url__in=urls)
    return set(rows.values_list("normalized_url", flat=True).distinct())


def _source_facts(
    source: Source, titles: dict[str, tuple[str, ...]], captured: set[str]
) -> SourceFacts:
    return SourceFacts(
        id=source.external_id,
        url=source.url,
        title=source.title,
        quality=source.quality,
        published_at=source.published_at,
        url_titles=titles.get(source.normalized_url, ()),
        has_snapshot=source.normalized_url in captured,
    )


def _evidence_facts(evidence: Evidence, key: str, source: SourceFacts | None) -> EvidenceFacts:
    location: dict[str, Any] = evidence.location
    flags = location.get("flags", ())
    return EvidenceFacts(
        key=key,
        position=evidence.position,
        snippet=evidence.snippet,
        quote_type=evidence.quote_type,
        source_ref=evidence.source_ref,
        source=source,
        snapshot_ref=evidence.snapshot_ref,
        depth=evidence.snapshot.depth if evidence.snapshot else "",
        grade=evidence.grade,
        start=evidence.start,
        end=evidence.end,
        folded=tuple(location.get("folded", ())),
        numbers_equal=location.get("numbers_equal"),
        number_mismatch=bool(location.get("number_mismatch")),
        cut_start="cut_start" in flags,
        cut_end="cut_end" in flags,
        passage=location.get("passage", ""),
        context=location.get("context", ""),
        head=location.get("head", ""),
        ledger=tuple(LedgerRow.from_json(row) for row in evidence.ledger),
    )


def _violation(
    stored: dict[str, Any], evidence: list[Evidence], keys: dict[int, str]
) -> ContractViolation:
    """Tie a stored violation to its evidence; ``evidence`` in it is a 1-based position."""
    position = stored.get("evidence")
    mine = next((e for e in evidence if e.position == position), None)
    return ContractViolation(
        rule=str(stored.get("rule", "")),
        message=str(stored.get("message", "")),
        path=str(stored.get("path", "")),
        message_zh=str(stored.get("message_zh", "")),
        evidence_key=keys[mine.pk] if mine else "",
    )
