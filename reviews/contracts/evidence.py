"""The contract of evidence.json 1.1 and 1.2: JSON in, violations out (formats.md section 6)."""

from collections import Counter
from collections.abc import Mapping, Sequence

from reviews.contracts import evidence_rules as rules
from reviews.contracts.evidence_claims import ClaimRules
from reviews.contracts.evidence_context import check_context
from reviews.contracts.evidence_findings import check_findings
from reviews.contracts.evidence_sources import check_sources
from reviews.contracts.evidence_upstream import check_upstream
from reviews.contracts.evidence_usage import check_plan, check_usage
from reviews.contracts.values import (
    DIMENSION_ID,
    has_length,
    is_filled,
    is_one_of,
    length,
    matches,
    objects,
)
from reviews.contracts.violations import Findings, Outcome
from sources.source_cache import Snapshots

SNAPSHOTS_REQUIRED_FROM = "1.2"


def validate_evidence(
    document: object,
    *,
    snapshots: Snapshots | None = None,
    plan: object = None,
    expected_mode: str | None = None,
    require_version: str | None = None,
    upstream: Sequence[object] | None = None,
) -> Outcome:
    """Give every violation of the evidence contract, or the figures of a good document.

    ``plan`` and the items of ``upstream`` are parsed JSON documents. None means not given; a
    given but empty ``upstream`` fails what it should have held.
    """
    findings = Findings()
    if not isinstance(document, dict):
        findings.add(rules.STRUCT, "")
        return Outcome(findings.all())
    _check_version(document, require_version, snapshots, findings)
    dimension = document.get("dimension_id")
    if not matches(dimension, DIMENSION_ID):
        findings.add(rules.DIMENSION_ID, "dimension_id", found=dimension)
        dimension = None
    _check_mode(document.get("mode"), expected_mode, findings)
    check_usage(document, dimension, findings)
    check_plan(document, plan, dimension, findings, upstream_given=upstream is not None)
    if upstream is not None:
        check_upstream(document.get("upstream_usage"), upstream, findings)
    if _check_shape(document, findings):
        _check_contents(document, dimension, snapshots, findings)
    violations = findings.all()
    if violations:
        return Outcome(violations)
    given = {
        "source_cache_verified": snapshots is not None,
        "plan_contract_verified": plan is not None,
        "expected_mode_verified": expected_mode is not None,
        "upstream_evidence_verified": upstream is not None,
    }
    return Outcome((), _stats(document, given))


def _check_version(
    document: Mapping[str, object],
    required: str | None,
    snapshots: Snapshots | None,
    findings: Findings,
) -> None:
    version = document.get("schema_version")
    known = is_one_of(version, rules.VERSIONS)
    findings.require(known, rules.VERSION_UNKNOWN, "schema_version", found=version)
    if required is not None and version != required:
        findings.add(rules.VERSION_REQUIRED, "schema_version", required=required, found=version)
    if version == SNAPSHOTS_REQUIRED_FROM and snapshots is None:
        findings.add(rules.CACHE_NEEDED, "schema_version")


def _check_mode(mode: object, expected: str | None, findings: Findings) -> None:
    known = mode is None or is_one_of(mode, rules.MODES)
    findings.require(known, rules.MODE_UNKNOWN, "mode", found=mode)
    if expected is not None and mode != expected:
        findings.add(rules.MODE_EXPECTED, "mode", expected=expected, found=mode)


def _check_shape(document: Mapping[str, object], findings: Findings) -> bool:
    headline = document.get("headline")
    fits = has_length(headline, 5, 200)
    findings.require(fits, rules.HEADLINE, "headline", length=length(headline))
    return findings.require(
        is_filled(document.get("claims")), rules.CLAIMS, "claims"
    ) and findings.require(is_filled(document.get("sources")), rules.SOURCES, "sources")


def _check_contents(
    document: Mapping[str, object],
    dimension: str | None,
    snapshots: Snapshots | None,
    findings: Findings,
) -> None:
    quick = document.get("mode") == "quick"
    sources = check_sources(document.get("sources"), findings)
    check_context(document, dimension, sources.ids, findings)
    claims = ClaimRules(
        findings=findings,
        sources=sources,
        dimension=dimension,
        snapshots=snapshots,
        refs_required=document.get("schema_version") == SNAPSHOTS_REQUIRED_FROM,
        quick=quick,
    )
    claim_ids = claims.check(document.get("claims"))
    check_findings(document.get("key_findings"), claim_ids, findings, quick=quick)


def _stats(document: Mapping[str, object], given: Mapping[str, bool]) -> dict[str, object]:
    claims = objects(document.get("claims"))
    evidence = [item for claim in claims for item in objects(claim.get("evidence"))]
    refs = {ref for item in evidence if isinstance(ref := item.get("snapshot_ref"), str)}
    questions = [claim.get("answers_key_question") for claim in claims]
    kinds = Counter(str(claim.get("kind")) for claim in claims)
    polarities = Counter(str(claim.get("polarity")) for claim in claims)
    return {
        "claims": len(claims),
        "sources": len(objects(document.get("sources"))),
        "key_findings": len(objects(document.get("key_findings"))),
        "snapshot_refs": len(refs),
        **given,
        "key_questions_answered": sorted({q for q in questions if isinstance(q, str)}),
        "extra_findings": questions.count(None),
        "kind_distribution": {kind: kinds[kind] for kind in sorted(rules.KINDS)},
        "polarity_distribution": {name: polarities[name] for name in sorted(rules.POLARITIES)},
    }
