"""Rules V007 and the first half of V008: what was used of other dimensions, and the plan."""

from collections.abc import Mapping

from reviews.contracts import evidence_rules as rules
from reviews.contracts.values import (
    CLAIM_ID,
    DIMENSION_ID,
    is_all,
    is_filled,
    is_one_of,
    is_text,
    objects,
)
from reviews.contracts.violations import Findings


def check_usage(document: Mapping[str, object], dimension: str | None, findings: Findings) -> None:
    """Note what is wrong with ``upstream_usage``, which only version 1.2 must have (V007)."""
    usage = document.get("upstream_usage")
    if not isinstance(usage, list):
        if usage is not None or document.get("schema_version") == "1.2":
            findings.add(rules.USAGE_ARRAY, "upstream_usage")
        return
    seen: set[str] = set()
    for index, item in enumerate(usage):
        path = f"upstream_usage[{index}]"
        if not isinstance(item, dict):
            findings.add(rules.USAGE_OBJECT, path)
            continue
        _check_upstream_id(item.get("dimension_id"), dimension, seen, path, findings)
        need = item.get("needed_for")
        known = is_one_of(need, rules.NEEDS)
        findings.require(known, rules.USAGE_NEED, f"{path}.needed_for", found=need)
        _check_consumed(item, path, findings)
        for field in ("scope_changes", "skipped_searches"):
            _check_notes(item.get(field), f"{path}.{field}", findings)


def _check_upstream_id(
    upstream: object, dimension: str | None, seen: set[str], path: str, findings: Findings
) -> None:
    path = f"{path}.dimension_id"
    if not is_all(upstream, DIMENSION_ID):
        findings.add(rules.USAGE_DIMENSION, path, found=upstream)
    elif upstream == dimension:
        findings.add(rules.USAGE_SELF, path)
    elif upstream in seen:
        findings.add(rules.USAGE_REPEATED, path, found=upstream)
    else:
        seen.add(upstream)


def _check_consumed(item: Mapping[str, object], path: str, findings: Findings) -> None:
    consumed = item.get("consumed_claim_ids")
    upstream = item.get("dimension_id")
    path = f"{path}.consumed_claim_ids"
    if not is_filled(consumed):
        findings.add(rules.USAGE_CONSUMED, path)
        return
    for index, claim_id in enumerate(consumed):
        place = f"{path}[{index}]"
        if not is_all(claim_id, CLAIM_ID):
            findings.add(rules.USAGE_CLAIM_ID, place, found=claim_id)
        elif isinstance(upstream, str) and not claim_id.startswith(f"{upstream}."):
            findings.add(rules.USAGE_CLAIM_FOREIGN, place, found=claim_id, upstream=upstream)


def _check_notes(notes: object, path: str, findings: Findings) -> None:
    if not is_filled(notes):
        findings.add(rules.USAGE_NOTES, path)
        return
    for index, note in enumerate(notes):
        findings.require(is_text(note), rules.USAGE_NOTE_BLANK, f"{path}[{index}]")


def check_plan(
    document: Mapping[str, object],
    plan: object,
    dimension: str | None,
    findings: Findings,
    *,
    upstream_given: bool,
) -> None:
    """Note where the use of other dimensions departs from the plan (V008, and V009 for quick)."""
    usage = document.get("upstream_usage")
    quick = document.get("mode") == "quick"
    if quick and is_filled(usage):
        findings.add(rules.QUICK_USES_UPSTREAM, "upstream_usage")
    if plan is None:
        return
    if quick:
        findings.add(rules.MODE_PLANNED, "mode")
    inputs = _planned_inputs(plan, dimension, findings)
    if inputs is None or not isinstance(usage, list):
        return
    planned, used = _needs(inputs), _needs(usage)
    if not _equal(planned, used):
        findings.add(rules.PLAN_DIFFERS, "upstream_usage", planned=planned, found=used)
    if planned and not upstream_given:
        findings.add(rules.UPSTREAM_NEEDED, "upstream_usage")


def _planned_inputs(plan: object, dimension: str | None, findings: Findings) -> list[object] | None:
    if not isinstance(plan, dict):
        findings.add(rules.PLAN_OBJECT, "")
        return None
    dimensions = plan.get("dimensions")
    if not isinstance(dimensions, list):
        findings.add(rules.PLAN_DIMENSIONS, "")
        return None
    planned = next((item for item in objects(dimensions) if item.get("id") == dimension), None)
    if planned is None:
        findings.add(rules.PLAN_LACKS_DIMENSION, "dimension_id", found=dimension)
        return None
    inputs = planned.get("dependency_inputs")
    if not isinstance(inputs, list):
        findings.add(rules.PLAN_INPUTS, "dimension_id")
        return None
    return inputs


def _needs(items: list[object]) -> dict[str, object]:
    return {
        upstream: item.get("needed_for")
        for item in objects(items)
        if isinstance(upstream := item.get("dimension_id"), str)
    }


def _equal(planned: dict[str, object], used: dict[str, object]) -> bool:
    try:
        return planned == used
    except RecursionError:
        return False
