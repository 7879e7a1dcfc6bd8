"""Rules V006 and V050 to V053: the key findings."""

from reviews.contracts import evidence_rules as rules
from reviews.contracts.values import has_length, is_filled, is_one_of, length
from reviews.contracts.violations import Findings


def check_findings(
    key_findings: object, claim_ids: set[str], findings: Findings, *, quick: bool
) -> None:
    """Note what is wrong with the key findings; a wrong number of them hides the rest."""
    shortest, longest = (1, 3) if quick else (2, 6)
    if not isinstance(key_findings, list) or not shortest <= len(key_findings) <= longest:
        found = len(key_findings) if isinstance(key_findings, list) else "–"
        findings.add(
            rules.FINDINGS, "key_findings", shortest=shortest, longest=longest, found=found
        )
        return
    for index, finding in enumerate(key_findings):
        path = f"key_findings[{index}]"
        if not isinstance(finding, dict):
            findings.add(rules.FINDING_OBJECT, path)
            continue
        text = finding.get("finding")
        fits = has_length(text, 10, 300)
        findings.require(fits, rules.FINDING_TEXT, f"{path}.finding", length=length(text))
        _check_claims(finding.get("claim_ids"), claim_ids, f"{path}.claim_ids", findings)


def _check_claims(named: object, claim_ids: set[str], path: str, findings: Findings) -> None:
    if not is_filled(named):
        findings.add(rules.FINDING_CLAIMS, path)
        return
    for index, claim_id in enumerate(named):
        if not is_one_of(claim_id, claim_ids):
            findings.add(rules.FINDING_CLAIM, f"{path}[{index}]", found=claim_id)
