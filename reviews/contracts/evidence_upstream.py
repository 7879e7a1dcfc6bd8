"""The second half of rule V008: the evidence of the dimensions that were used."""

from collections.abc import Iterable, Sequence

from reviews.contracts import evidence_rules as rules
from reviews.contracts.values import DIMENSION_ID, is_all
from reviews.contracts.violations import Findings

# The format is lenient where it only walks: a string yields its characters, an object its keys.
_WALKABLE = (list, str, dict)


def check_upstream(usage: object, upstream: Sequence[object], findings: Findings) -> None:
    """Note bad upstream files, and consumed claims that no key finding there rests on."""
    usable = _usable_claims(upstream, findings)
    if not isinstance(usage, list):
        return
    for index, item in enumerate(usage):
        if not isinstance(item, dict):
            continue
        path = f"upstream_usage[{index}]"
        name = item.get("dimension_id")
        claims = usable.get(name) if isinstance(name, str) else None
        if claims is None:
            findings.add(rules.UPSTREAM_MISSING, f"{path}.dimension_id", found=name)
            continue
        for place, claim_id in enumerate(_walk(item.get("consumed_claim_ids"))):
            if isinstance(claim_id, str) and claim_id not in claims:
                findings.add(
                    rules.UPSTREAM_CLAIM,
                    f"{path}.consumed_claim_ids[{place}]",
                    upstream=name,
                    found=claim_id,
                )


def _usable_claims(upstream: Sequence[object], findings: Findings) -> dict[str, set[str]]:
    usable: dict[str, set[str]] = {}
    for index, document in enumerate(upstream):
        path = f"upstream[{index}]"
        if not isinstance(document, dict):
            findings.add(rules.UPSTREAM_OBJECT, path)
            continue
        name = document.get("dimension_id")
        if not is_all(name, DIMENSION_ID):
            findings.add(rules.UPSTREAM_DIMENSION, f"{path}.dimension_id", found=name)
        elif name in usable:
            findings.add(rules.UPSTREAM_REPEATED, f"{path}.dimension_id", found=name)
        else:
            claims = _declared(document, path, findings)
            usable[name] = claims & _named_by_findings(document, path, findings)
    return usable


def _declared(document: dict[str, object], path: str, findings: Findings) -> set[str]:
    claims = _array(document, "claims", path, findings)
    ids = (claim.get("id") for claim in claims if isinstance(claim, dict))
    return {claim_id for claim_id in ids if isinstance(claim_id, str)}


def _named_by_findings(document: dict[str, object], path: str, findings: Findings) -> set[str]:
    named: set[str] = set()
    for index, finding in enumerate(_array(document, "key_findings", path, findings)):
        if isinstance(finding, dict):
            place = f"{path}.key_findings[{index}]"
            ids = _array(finding, "claim_ids", place, findings)
            named.update(claim_id for claim_id in ids if isinstance(claim_id, str))
    return named


def _array(holder: dict[str, object], name: str, path: str, findings: Findings) -> Iterable[object]:
    value = holder.get(name, [])
    if not isinstance(value, _WALKABLE):
        findings.add(rules.UPSTREAM_ARRAY, f"{path}.{name}")
    return _walk(value)


def _walk(value: object) -> Iterable[object]:
    return value if isinstance(value, _WALKABLE) else ()
