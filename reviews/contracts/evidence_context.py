"""Rules V060 to V066: what writers should know besides the claims."""

from collections.abc import Mapping

from reviews.contracts import evidence_rules as rules
from reviews.contracts.values import (
    CONTEXT_ID,
    KEY_QUESTION_ID,
    are_unique_strings,
    has_length,
    is_all,
    is_one_of,
    length,
)
from reviews.contracts.violations import Findings, Rule


def check_context(
    document: Mapping[str, object],
    dimension: str | None,
    source_ids: set[str],
    findings: Findings,
) -> None:
    """Note what is wrong with ``writing_context``, which may be missing but not null."""
    contexts = document.get("writing_context", [])
    if not isinstance(contexts, list):
        findings.add(rules.CONTEXT_ARRAY, "writing_context")
        return
    seen: set[str] = set()
    for index, context in enumerate(contexts):
        path = f"writing_context[{index}]"
        if not isinstance(context, dict):
            findings.add(rules.CONTEXT_OBJECT, path)
            continue
        _check_id(context.get("id"), dimension, seen, f"{path}.id", findings)
        _check_words(context, path, findings)
        _check_sources(context.get("source_ids", []), source_ids, f"{path}.source_ids", findings)
        _check_questions(context.get("applies_to", []), f"{path}.applies_to", findings)


def _check_id(
    context_id: object, dimension: str | None, seen: set[str], path: str, findings: Findings
) -> None:
    if not is_all(context_id, CONTEXT_ID):
        findings.add(rules.CONTEXT_ID, path, found=context_id)
    elif dimension is not None and not context_id.startswith(f"{dimension}."):
        findings.add(rules.CONTEXT_FOREIGN, path, found=context_id, dimension=dimension)
    elif context_id in seen:
        findings.add(rules.CONTEXT_REPEATED, path, found=context_id)
    else:
        seen.add(context_id)


def _check_words(context: Mapping[str, object], path: str, findings: Findings) -> None:
    kind = context.get("kind")
    known = is_one_of(kind, rules.CONTEXT_KINDS)
    findings.require(known, rules.CONTEXT_KIND, f"{path}.kind", found=kind)
    for field, longest, rule in (
        ("text", 500, rules.CONTEXT_TEXT),
        ("use", 300, rules.CONTEXT_USE),
    ):
        value = context.get(field)
        fits = has_length(value, 10, longest)
        findings.require(fits, rule, f"{path}.{field}", length=length(value))


def _check_sources(ids: object, known: set[str], path: str, findings: Findings) -> None:
    for place, source_id in _items(ids, rules.CONTEXT_SOURCES, path, findings):
        if not is_one_of(source_id, known):
            findings.add(rules.CONTEXT_SOURCE_UNKNOWN, place, found=source_id)


def _check_questions(ids: object, path: str, findings: Findings) -> None:
    for place, question in _items(ids, rules.CONTEXT_QUESTIONS, path, findings):
        if not is_all(question, KEY_QUESTION_ID):
            findings.add(rules.CONTEXT_QUESTION, place, found=question)


def _items(ids: object, rule: Rule, path: str, findings: Findings) -> list[tuple[str, object]]:
    if not isinstance(ids, list):
        findings.add(rule, path)
        return []
    findings.require(are_unique_strings(ids), rule, path)
    return [(f"{path}[{index}]", item) for index, item in enumerate(ids)]
