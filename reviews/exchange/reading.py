"""Read an upload: tell its dialect by what it holds, and give its records."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from reviews.contracts.evidence import validate_evidence
from sources.capture_depth import capture_depth
from sources.source_cache import CACHE_FOLDER, RefError, parse_ref
from workbench.lib.archives import Limits, Tree, open_tree
from workbench.lib.json_errors import JsonError

from . import rules
from .cache import TreeSnapshots
from .contexts import add_contexts, index_text, note_markers
from .documents import Unusable, parse, read_json
from .evidence_files import (
    EvidenceFile,
    dialect_of,
    keep_violations,
    make_source,
    read_evidence,
    tie_sources,
)
from .odd_parts import check_outline
from .package import Package, Spool
from .problems import Log
from .records import ClaimRecord, DimensionRecord, EvidenceRecord, FileRecord, SourceKey
from .refs import Scope
from .report_files import (
    CITATIONS,
    OUTLINE,
    Surroundings,
    cited_id,
    evidence_members,
    mark_routed,
    merge_plan,
    read_surroundings,
)
from .scoping import merge_claims, merge_sources, note_twins
from .values import text_of

# Larger than the reader's own: a report of 5,000 snapshots, a ledger of some hundred megabytes.
LIMITS = Limits(entries=100_000, entry_bytes=512 * 2**20, total_bytes=4 * 2**30)
KEPT_BYTES = 64 * 2**20  # of one member that is kept beside its records
KEEP_TOP = frozenset({CACHE_FOLDER, "sub_reports", "content_units", "sections"})
CHUNK = 256 * 1024
_CONTRACT = frozenset({"evidence-1.1", "evidence-1.2"})
_PARTS = frozenset({"plan.json", "outline.json", "format.json", CITATIONS})

type Progress = Callable[[str, int, int], None]


def no_progress(stage: str, done: int, total: int) -> None:
    """Tell nobody."""


def open_upload(path: Path) -> Any:
    """Open an upload as a tree, with the limits of an import."""
    return open_tree(path, limits=LIMITS, keep_top=KEEP_TOP)


def known_documents(tree: Tree) -> list[str]:
    """Give the members that hold evidence in a dialect known by itself."""
    if named := evidence_members(tree):
        return named
    found = []
    for entry in tree.entries:
        path = entry.path
        if not path.endswith(".json") or path in _PARTS or path.startswith(f"{CACHE_FOLDER}/"):
            continue
        try:
            if dialect_of(parse(tree.read(path)).value):
                found.append(path)
        except JsonError:
            continue
    return found


def read_report(
    tree: Tree, spool: Spool, name: str, *, progress: Progress = no_progress
) -> Package:
    """Read a report directory, or a lone evidence file, whose documents are of known dialects."""
    log = Log()
    package = Package(tree, spool, name, log)
    for notice in tree.notices:
        log.notice(rules.TOLERATED, name, notice=notice)
    around = read_surroundings(tree, log)
    package.question = around.question
    cache = TreeSnapshots(tree)
    has_cache = any(entry.path.startswith(f"{CACHE_FOLDER}/") for entry in tree.entries)
    members = known_documents(tree)
    files = []
    for number, path in enumerate(members):
        progress("reading", number, len(members))
        file = _read_file(package, path, around, cache if has_cache else None, members)
        if file is not None:
            files.append(file)
    if has_cache:
        progress("reading", len(members), len(members))
        cache.read_all(log)
    package.snapshots = cache.records
    _assemble(package, files, around)
    keep_files(package, leave_out=cache.reproducible)
    return package


def _read_file(
    package: Package,
    path: str,
    around: Surroundings,
    cache: TreeSnapshots | None,
    members: Sequence[str],
) -> EvidenceFile | None:
    shown = package.shown(path)
    try:
        document = read_json(package.tree, path, package.log, shown)
    except Unusable:
        return None
    if not isinstance(document, dict):
        package.log.error(rules.ROOT, shown, skips="files", key="claims")
        return None
    if not isinstance(document.get("claims"), list):
        package.log.error(rules.NO_CLAIMS, shown, path="claims", skips="files", key="claims")
        return None
    dialect = dialect_of(document) or "evidence-1.1"
    file = read_evidence(document, shown, dialect, package.log)
    if dialect in _CONTRACT:
        _validate(package, file, document, around, cache, members)
    return file


def _validate(
    package: Package,
    file: EvidenceFile,
    document: dict[str, Any],
    around: Surroundings,
    cache: TreeSnapshots | None,
    members: Sequence[str],
) -> None:
    outcome = validate_evidence(
        document,
        snapshots=cache,
        plan=around.plan or None,
        upstream=_upstream(package.tree, document, around.plan, members),
    )
    found = [
        {
            "rule": violation.rule,
            "path": violation.path,
            "message": violation.message("en"),
            "message_zh": violation.message("zh"),
            "hint": violation.hint("en"),
            "hint_zh": violation.hint("zh"),
        }
        for violation in outcome.violations
    ]
    rest = keep_violations(file, found)
    if rest:
        file.dimension.extra["violations"] = rest
    for violation in outcome.violations:
        package.log.notice(
            rules.CONTRACT, file.path, path=violation.path, code=violation.rule, fault=violation
        )


def _upstream(
    tree: Tree, document: dict[str, Any], plan: Any, members: Sequence[str]
) -> list[object] | None:
    usage = document.get("upstream_usage")
    wanted = (
        [text_of(u.get("dimension_id")) for u in usage or () if isinstance(u, dict)]
        if (isinstance(usage, list))
        else []
    )
    dimensions = plan.get("dimensions") if isinstance(plan, dict) else None
    planned = [
        d
        for d in (dimensions if isinstance(dimensions, list) else ())
        if isinstance(d, dict) and d.get("id") == document.get("dimension_id")
    ]
    if not wanted and not any(d.get("dependency_inputs") for d in planned):
        return None
    found: list[object] = []
    for path in members:
        if path.rsplit("/", 1)[-1].split(".", 1)[0] in wanted:
            try:
                found.append(parse(tree.read(path)).value)
            except JsonError:
                continue
    return found


def _assemble(package: Package, files: Sequence[EvidenceFile], around: Surroundings) -> None:
    log = package.log
    cited = _cited_sources(around, log)
    if around.has_citations:
        package.listing.add(CITATIONS)
    everywhere: dict[str, SourceKey] = {source.raw_id: source.key for source in cited}
    for file in files:
        for source in file.sources:
            everywhere.setdefault(source.raw_id, source.key)
    sources = []
    claims: list[ClaimRecord] = []
    for file in files:
        scope = Scope(aliases=around.aliases, others=everywhere)
        scope.add(file.sources)
        made = tie_sources(file, scope, log)
        sources += [*file.sources, *made]
        claims += file.claims
        package.listing.add(file.path)
        package.count(file.path, "claims", len(file.claims))
        package.count(file.path, "sources", len(file.sources))
        package.count(file.path, "evidence", sum(len(claim.evidence) for claim in file.claims))
    used = {item.source for claim in claims for item in claim.evidence}
    held = {source.key for source in sources}
    # A source that only citations.json describes is brought in where evidence rests on it.
    sources += [each for each in cited if each.key in used and each.key not in held]
    package.sources = merge_sources(sources, log)
    note_twins(package.sources.values(), log)
    package.claims = merge_claims(claims, log)
    package.dialect = _one_name({file.dialect for file in files})
    if around.outline is not None:
        # Of a file that could not be read nobody knows which claims it holds.
        known = None if log.errors else {claim.raw_id for claim in claims}
        check_outline(around.outline, OUTLINE, log, known)
    _dimensions(package, files, around)
    mark_routed(package.claims, around.routed)
    link_snapshots(package)
    _read_report_texts(package, around)


def _cited_sources(around: Surroundings, log: Log) -> list[Any]:
    return [
        make_source(
            name,
            CITATIONS,
            f"citations[{number}]",
            log,
            url=text_of(citation.get("url")),
            title=text_of(citation.get("title")),
            quality=text_of(citation.get("quality"))[:100],
        )
        for number, citation in enumerate(around.citations)
        if (name := cited_id(citation))
    ]


def _one_name(dialects: set[str]) -> str:
    return next(iter(dialects)) if len(dialects) == 1 else "mixed" if dialects else ""


def _dimensions(package: Package, files: Sequence[EvidenceFile], around: Surroundings) -> None:
    held: dict[str, DimensionRecord] = {}
    for position, file in enumerate(files, start=len(around.dimensions) + 1):
        dimension = file.dimension
        dimension.position = position
        merge_plan(dimension, around.dimensions.get(dimension.external_id))
        if dimension.external_id in held:
            first = held[dimension.external_id]
            first.key_findings += dimension.key_findings
            first.writing_context += dimension.writing_context
            continue
        held[dimension.external_id] = dimension
    for name, planned in around.dimensions.items():
        if name not in held:
            package.log.notice(rules.DIMENSION_WITHOUT_FILE, "plan.json", id=name)
            held[name] = planned
    for claim in package.claims:
        if claim.key_question and claim.dimension in held:
            held[claim.dimension].key_questions.setdefault(claim.key_question, "")
    package.dimensions = sorted(held.values(), key=lambda each: each.position)


def link_snapshots(package: Package) -> None:
    """Let evidence point to the version that it names, whether the upload has it or not."""
    for claim in package.claims:
        for item in claim.evidence:
            _note_failed_fetch(package, claim, item)
            if not item.snapshot_ref or item.snapshot is not None:
                continue
            try:
                ref = parse_ref(item.snapshot_ref)
            except RefError:
                package.log.notice(rules.DANGLING_SNAPSHOT, claim.origin, ref=item.snapshot_ref)
                continue
            item.snapshot = (ref.url_hash, ref.content_hash)


def _note_failed_fetch(package: Package, claim: ClaimRecord, item: EvidenceRecord) -> None:
    depth, reason = capture_depth(item.snippet)
    if depth in {"error_page", "captcha"}:
        package.log.notice(rules.FAILED_FETCH, claim.origin, path=claim.raw_id, reason=reason)


def _read_report_texts(package: Package, around: Surroundings) -> None:
    reports = [index_text(path, text, around.aliases) for path, text in around.texts.items()]
    if reports:
        add_contexts(package.claims, reports)
    known = {source.raw_id for source in package.sources.values()}
    for path, text in around.texts.items():
        note_markers(path, text, known, around.aliases, package.log)


def keep_files(package: Package, leave_out: set[str]) -> None:
    """List every member that is kept byte for byte beside the records."""
    for entry in package.tree.entries:
        if entry.path in leave_out or entry.size > KEPT_BYTES:
            continue
        with package.tree.open(entry.path) as stream:
            sha256 = hashlib.sha256()
            while chunk := stream.read(CHUNK):
                sha256.update(chunk)
        package.files.append(FileRecord(package.shown(entry.path), entry.size, sha256.hexdigest()))
