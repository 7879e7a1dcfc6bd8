"""What stands around the evidence in a report directory: plan, outline, citations, request."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from workbench.lib.archives import Tree
from workbench.lib.json_errors import JsonError

from . import rules
from .documents import Unusable, parse, read_text
from .odd_parts import check_citations, check_plan, note_root
from .problems import Log
from .records import ClaimRecord, DimensionRecord
from .values import objects, strings, text_of

_REQUEST_HEADING = re.compile(r"^#{1,6}\s.*$", re.MULTILINE)
_REQUEST_NOTE = re.compile(
    r"^(?:启动时间|开始时间|时间|started(?: at)?|start time|date)\s*[:：].*$", re.IGNORECASE | re.M
)
_EVIDENCE = re.compile(r"(?:.*/)?[^/]+\.evidence\.json")
_SUBSET = re.compile(r"(?:content_units|sections)/[^/]+\.evidence_subset\.json")
PLAN, OUTLINE, CITATIONS = "plan.json", "outline.json", "citations.json"
_CHECKS = {PLAN: check_plan, CITATIONS: check_citations}
REPORT_TEXTS = ("stitched.md", "report.md")


@dataclass(slots=True)
class Surroundings:
    """The parts of a report directory that explain its evidence."""

    question: str = ""
    plan: Any = None
    dimensions: dict[str, DimensionRecord] = field(default_factory=dict)
    outline: dict[str, Any] | None = None
    routed: dict[str, str] = field(default_factory=dict)  # claim id -> primary unit
    aliases: dict[str, str] = field(default_factory=dict)  # report number or alias -> source id
    citations: list[dict[str, Any]] = field(default_factory=list)
    has_citations: bool = False  # the file is there and lists them
    texts: dict[str, str] = field(default_factory=dict)  # stitched.md, report.md


def evidence_members(tree: Tree) -> list[str]:
    """Give the evidence files of a tree; the subsets of units only where there is nothing else."""
    paths = [entry.path for entry in tree.entries]
    found = [path for path in paths if _EVIDENCE.fullmatch(path)]
    return found or [path for path in paths if _SUBSET.fullmatch(path)]


def read_surroundings(tree: Tree, log: Log) -> Surroundings:
    """Read what is there of the parts; a broken one is kept as a file and named."""
    around = Surroundings()
    around.question = _question(_text(tree, "request.md", log))
    around.plan = _json(tree, PLAN, log) or {}
    for dimension in _planned(around.plan):
        around.dimensions.setdefault(dimension.external_id, dimension)
    around.outline = _json(tree, OUTLINE, log)
    around.routed = _primary_routes(around.outline or {})
    cited = (_json(tree, CITATIONS, log) or {}).get("citations")
    around.citations, around.has_citations = objects(cited), isinstance(cited, list)
    around.aliases = _aliases(around.citations)
    around.texts = {name: _text(tree, name, log) for name in REPORT_TEXTS if name in tree}
    return around


def _text(tree: Tree, path: str, log: Log) -> str:
    if path not in tree:
        return ""
    try:
        return read_text(tree, path, log)
    except Unusable:
        return ""


def _json(tree: Tree, path: str, log: Log) -> dict[str, Any] | None:
    """Give an object; these files explain claims, so that a broken one stops no import."""
    if path not in tree:
        return None
    try:
        value = parse(tree.read(path)).value
    except JsonError as fault:
        log.notice(rules.UNUSED_PART, path, line=fault.line, part=path, fault=fault)
        return None
    if not isinstance(value, dict):
        note_root(value, path, log)
        return None
    if check := _CHECKS.get(path):
        check(value, path, log)
    return dict(value)


def _question(text: str) -> str:
    body = _REQUEST_NOTE.sub("", _REQUEST_HEADING.sub("", text))
    return re.sub(r"\n{3,}", "\n\n", body).strip()


def _planned(plan: Any) -> Iterable[DimensionRecord]:
    for position, data in enumerate(objects(plan.get("dimensions")), start=1):
        name = text_of(data.get("id")).strip()
        if not name or len(name) > 200:
            continue
        questions = strings(data.get("key_questions"))
        yield DimensionRecord(
            name,
            name=text_of(data.get("name"))[:500],
            depth=text_of(data.get("depth"))[:20],
            position=position,
            key_questions={f"kq{n}": text for n, text in enumerate(questions, start=1)},
        )


def _primary_routes(outline: dict[str, Any]) -> dict[str, str]:
    parts = objects(outline.get("content_units")) or objects(outline.get("sections"))
    has_roles = "content_units" in outline
    # Sections (outline 1.0) have no roles: every one of them carries the report.
    primary = {
        part["id"]
        for part in parts
        if isinstance(part.get("id"), str) and (not has_roles or part.get("role") == "primary")
    }
    table = outline.get("claim_routing_table")
    if not has_roles or not isinstance(table, dict):
        return {}
    return {
        claim: route["primary"]
        for claim, route in table.items()
        if isinstance(route, dict)
        and isinstance(route.get("primary"), str)
        and route["primary"] in primary
    }


def cited_id(citation: dict[str, Any]) -> str:
    """Give the id of a citation, which may be a number; empty where there is none."""
    name = citation.get("id")
    return text_of(name).strip() if isinstance(name, str | int) else ""


def _aliases(citations: list[dict[str, Any]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for citation in citations:
        name = cited_id(citation)
        if not name:
            continue
        for alias in (citation.get("index"), *strings(citation.get("aliases"))):
            if alias is not None:
                found.setdefault(text_of(alias), name)
    return found


def mark_routed(claims: Iterable[ClaimRecord], routed: dict[str, str]) -> None:
    """Make claims that a primary unit rests on key claims. Rulebook section 1."""
    for claim in claims:
        if not claim.key_reason and claim.raw_id in routed:
            claim.key_reason = f"primary_unit {routed[claim.raw_id]}"


def merge_plan(dimension: DimensionRecord, planned: DimensionRecord | None) -> None:
    """Give a dimension of an evidence file what the plan says of it."""
    if planned is None:
        return
    dimension.name = planned.name or dimension.name
    dimension.depth = planned.depth
    dimension.position = planned.position
    dimension.key_questions = dict(planned.key_questions)
