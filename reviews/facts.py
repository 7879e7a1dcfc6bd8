"""The one mapper from records to the frozen facts that checks read."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import batched
from typing import Any

from reviews.checks.base import ClaimFacts, ContractViolation, EvidenceFacts, SourceFacts
from reviews.models import Claim, Evidence
from sources.models import BlacklistHit, BlacklistRule, Project, Rejection, Snapshot, Source
from sources.quantities import LedgerRow
from sources.scoring.facts import SourceFacts as ScoredFacts
from sources.scoring.kinds import is_preprint

AT_ONCE = 10_000  # keys in one statement
# As the checks call what stands of a work.
_RETRACTIONS: dict[str, str] = {
    Source.Standing.RETRACTED: "retracted",
    Source.Standing.CONCERN: "concern",
    Source.Standing.CORRECTED: "correction",
}


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
    """Give each claim with its evidence by key and its facts. Five queries whatever the number."""
    items: dict[int, list[Evidence]] = defaultdict(list)
    rows = Evidence.objects.filter(claim__in=claims, current=True).order_by("claim", "position")
    for evidence in rows.select_related("source__cluster", "snapshot"):
        items[evidence.claim_id].append(evidence)
    cited = {e.source for rows in items.values() for e in rows if e.source is not None}
    known = source_facts(project, cited)
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


def source_facts(project: Project, sources: Collection[Source]) -> dict[int, SourceFacts]:
    """Give the facts of sources by their keys. Five queries whatever the number.

    Their clusters should have been read with them.
    """
    keys = [source.pk for source in sources]
    known = _Known(
        titles=_titles_of(project, sources),
        captured=_captured(project, sources),
        hits=_hits_of(keys),
        rejections=_rejections_of(keys),
    )
    return {source.pk: _source_facts(source, known) for source in sources}


def digest(sources: Iterable[SourceFacts]) -> str:
    """Hash what checks read of a claim's sources, so that another fact gives another hash."""
    said = sorted({repr(each) for each in sources})
    return hashlib.sha256("\n".join(said).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class _Known:
    """What other rows say of some sources."""

    titles: dict[str, tuple[str, ...]]  # by address
    captured: set[str]  # addresses
    hits: dict[int, list[tuple[str, str, str]]]  # kind, effect, pattern of rules, by source
    rejections: dict[int, str]  # rules, by source


def _hits_of(keys: Sequence[int]) -> dict[int, list[tuple[str, str, str]]]:
    found: dict[int, list[tuple[str, str, str]]] = defaultdict(list)
    for part in _parts(keys):
        rows = BlacklistHit.objects.filter(source__in=part, current=True)
        columns = ("source", "rule__kind", "effect", "rule__pattern")
        for source, kind, effect, pattern in rows.values_list(*columns):
            found[source].append((kind, effect, pattern))
    return found


def _blocked_by(source: Source, known: _Known) -> tuple[str, ...]:
    """Give the rules that block a source: by their patterns, or by their kind without any.

    Hits of another kind may have been lifted: they do not count.
    """
    if not source.blacklist:
        return ()
    hits = known.hits.get(source.pk)
    if hits is None:
        return (source.blacklist,)
    wins = (source.blacklist, BlacklistRule.Effect.BLOCK)
    return tuple(sorted({pattern for kind, effect, pattern in hits if (kind, effect) == wins}))


def _rejections_of(keys: Sequence[int]) -> dict[int, str]:
    found: dict[int, str] = {}
    for part in _parts(keys):
        rows = Rejection.objects.filter(source__in=part, state=Rejection.State.STANDING)
        found |= {source: rule for source, rule in rows.values_list("source", "rule") if source}
    return found


def _parts(keys: Sequence[int]) -> Iterator[list[int]]:
    for part in batched(sorted(keys), AT_ONCE):
        yield list(part)


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


def _source_facts(source: Source, known: _Known) -> SourceFacts:
    return SourceFacts(
        id=source.external_id,
        url=source.url,
        title=source.title,
        quality=source.quality,
        published_at=source.published_at,
        url_titles=known.titles.get(source.normalized_url, ()),
        cluster=source.cluster.name if source.cluster is not None else "",
        has_snapshot=source.normalized_url in known.captured,
        retraction=_RETRACTIONS.get(source.retraction, ""),
        blacklisted_by=_blocked_by(source, known),
        band=source.band,
        tier=source.tier,
        access_status=source.access_status,
        # Admitted or candidate makes no difference to a claim.
        status=source.status if source.status == Source.Status.REJECTED else "",
        rejected_by=known.rejections.get(source.pk, ""),
        source_type=source.source_type,
        is_preprint=is_preprint(ScoredFacts(doi=source.doi)),
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
