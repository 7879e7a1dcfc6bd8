"""Propose a mapping for a ledger of unknown keys. It proposes; a person looks and decides."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from workbench.lib.archives import ArchiveError, Tree
from workbench.lib.json_errors import JsonError
from workbench.lib.texts import Text

from . import naming, rules, shapes
from .documents import parse, read_lines
from .problems import Log
from .proposing_evidence import Tables, evidence_fields
from .values import objects

JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")
LOOKED_AT = 64 * 2**20  # bytes of one file; larger ones are looked at by their first lines
FIRST_LINES = 2_000
DEEPEST = 3
ENOUGH = 5  # points from which a list of records is taken for claims
_DISCRIMINATORS = ("type", "event", "event_type", "record_type", "kind")
_NAME = re.compile(r"[^-\w]+")
_QUESTIONS = ("question", "query", "input_prompt", "prompt", "topic")


@dataclass(slots=True)
class Candidate:
    """Records that may be claims, and how they would be mapped."""

    file: str
    records: str
    where: dict[str, Any]
    fields: dict[str, Any]
    score: int
    texts: frozenset[str]
    uses: frozenset[str]  # other files that its look-ups need


@dataclass(slots=True)
class Proposal:
    """A mapping, or none, and what the other files are."""

    mapping: dict[str, Any] | None = None
    kinds: dict[str, Text] = field(default_factory=dict)


def propose(tree: Tree, name: str, log: Log) -> Proposal:
    """Look at every file; give a mapping for those that hold claims, and name the others."""
    documents: dict[str, Any] = {}
    proposal = Proposal()
    for entry in tree.entries:
        try:
            found = _load(tree, entry.path, entry.size, log)
        except ArchiveError as fault:
            log.error(rules.MEMBER, entry.path, fault=fault)
            continue
        if isinstance(found, Text):
            proposal.kinds[entry.path] = found
        elif found is not None:
            documents[entry.path] = found
    tables = Tables(documents)
    candidates = []
    for path, root in documents.items():
        best = max(_candidates(path, root, tables), key=lambda c: c.score, default=None)
        if best is not None and best.score >= ENOUGH:
            candidates.append(best)
        else:
            lines = path.endswith(JSON_SUFFIXES[1:])
            kind = naming.kind_of_records(objects(root)) if lines else naming.kind_of_document(root)
            proposal.kinds[path] = kind
    if candidates:
        proposal.mapping = _choose(candidates, documents, name, tree, proposal.kinds)
    return proposal


def propose_for(path: Path, name: str) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """Give the proposed mapping of an upload, or None with the report that says what it is."""
    from .reading import known_documents, open_upload
    from .report import report_of

    log, kinds, mapping = Log(), {}, None
    try:
        with open_upload(path) as tree:
            if known := known_documents(tree):
                log.error(rules.KNOWN_DIALECT, name, files=tuple(known[:5]))
            else:
                found = propose(tree, name, log)
                kinds, mapping = found.kinds, found.mapping
            for member, kind in kinds.items():
                log.notice(rules.NOT_CLAIMS, name if tree.kind == "file" else member, kind=kind)
    except ArchiveError as fault:
        log.error(rules.ARCHIVE, name, fault=fault)
    if mapping is None and not log.errors:
        log.error(rules.UNREADABLE_KIND, name)
    return mapping, report_of(ok=False, dialect="", log=log) | {"unreadable": True}


def _load(tree: Tree, path: str, size: int, log: Log) -> Any:
    """Give the parsed document, or a Text that names what cannot be one."""
    if path.startswith("source_cache/"):
        return None
    if path.endswith(JSON_SUFFIXES[1:]):
        rows = []
        for _number, row in read_lines(tree, path, Log()):
            rows.append(row)
            if len(rows) >= FIRST_LINES:
                break
        return rows
    if size > LOOKED_AT:
        return naming.UNKNOWN
    data = tree.read(path)
    if not path.endswith(".json") and data.lstrip()[:1] not in (b"{", b"["):
        return naming.kind_of_text(path, data.decode("utf-8", "replace"))
    try:
        return parse(data).value
    except JsonError as fault:
        if not path.endswith(".json"):
            return naming.kind_of_text(path, data.decode("utf-8", "replace"))
        log.error(rules.JSON, path, fault=fault)
        return None


def _candidates(path: str, root: Any, tables: Tables) -> Iterator[Candidate]:
    for place, records in _lists(root, ""):
        for where, part in _partitions(records):
            found = _candidate(path, place, where, part, tables)
            if found is not None:
                yield found


def _lists(value: Any, place: str, depth: int = 0) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Give every list of objects with its path, and objects that may be single records."""
    if isinstance(value, list):
        rows = objects(value)
        if rows and len(rows) * 2 > len(value):
            yield f"{place}[]" if place else "[]", rows
        return
    if not isinstance(value, dict):
        return
    if any(shapes.CLAIM_TEXT.get(key, 0) >= shapes.STRONG for key in value):
        yield place, [value]
    if depth < DEEPEST:
        for key, inner in value.items():
            if "." not in key and "[" not in key:
                yield from _lists(inner, f"{place}.{key}" if place else key, depth + 1)


def _partitions(
    records: Sequence[dict[str, Any]],
) -> Iterator[tuple[dict[str, Any], Sequence[dict[str, Any]]]]:
    """Give all records, and those of each type where records of several types are mixed."""
    yield {}, records
    for key in _DISCRIMINATORS:
        parts: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for record in records[:FIRST_LINES]:
            if isinstance(value := record.get(key), str):
                parts[value].append(record)
        shapes_of = {frozenset(part[0]) for part in parts.values()}
        if len(parts) > 1 and len(shapes_of) > 1:
            for value, part in parts.items():
                yield {key: value}, part


def _candidate(
    path: str,
    place: str,
    where: dict[str, Any],
    records: Sequence[dict[str, Any]],
    tables: Tables,
) -> Candidate | None:
    text, weight = shapes.claim_text(records)
    if not text:
        return None
    prefix, _, key = text.rpartition(".")
    inner = [_at(record, prefix) for record in records] if prefix else list(records)
    own = [record for record in inner if isinstance(record, dict)]
    fields: dict[str, Any] = {}
    if found := shapes.first_key(records, shapes.CLAIM_ID):
        fields["claim.id"] = found
    elif found := shapes.first_key(own, shapes.CLAIM_ID):
        fields["claim.id"] = f"{prefix}.{found}"
    fields["claim.text"] = text
    for target, names in (
        ("claim.kind", shapes.KIND),
        ("claim.polarity", shapes.POLARITY),
        ("claim.topic_tag", shapes.TOPIC),
        ("claim.dimension", shapes.DIMENSION),
    ):
        name = shapes.first_key(records, names, urls=False)
        if name and name != key and name not in where:
            fields[target] = name
    evidence = evidence_fields(records, path, tables, claim_id=fields.get("claim.id", ""))
    if weight < shapes.STRONG and not evidence.fields:
        return None
    fields |= evidence.fields
    texts = frozenset(value for record in records if isinstance(value := _at(record, text), str))
    # A list of many claims tells more than a lone object with a fitting key.
    score = weight + evidence.score + (1 if len(records) > 1 else 0) + ("claim.id" in fields)
    return Candidate(path, place, where, fields, score, texts, evidence.files)


def _at(record: Any, path: str) -> Any:
    for key in path.split("."):
        record = record.get(key) if isinstance(record, dict) else None
    return record


def _choose(
    candidates: list[Candidate],
    documents: Mapping[str, Any],
    name: str,
    tree: Tree,
    kinds: dict[str, Text],
) -> dict[str, Any]:
    """Make one mapping: of the best file, and of those that go with it."""
    best = max(candidates, key=lambda each: (each.score, -len(each.uses), len(each.texts)))
    files, fields = [best.file], dict(best.fields)
    for other in candidates:
        if other is best:
            continue
        if other.file in best.uses:
            kinds[other.file] = _about(naming.EVIDENCE, best.file)
        elif other.texts and len(other.texts & best.texts) * 5 >= 4 * len(other.texts):
            kinds[other.file] = _about(naming.COPY, best.file)
        elif (other.records, other.where) == (best.records, best.where):
            files.append(other.file)
            fields = _either(fields, other.fields)
        else:
            kinds[other.file] = naming.OTHER_KEYS
    for path in best.uses:
        kinds[path] = _about(naming.EVIDENCE, best.file)
    mapping: dict[str, Any] = {"name": _mapping_name(name), "records": best.records}
    if tree.kind != "file":
        mapping["files"] = list(dict.fromkeys(_pattern(path) for path in files))
    if best.where:
        mapping["where"] = best.where
    if question := _question(documents[best.file]):
        mapping["question"] = question
    return mapping | {"fields": fields}


def _about(text: Text, other: str) -> Text:
    return Text(text.en.format(other=other), text.zh.format(other=other))


def _either(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    merged = dict(one)
    for target, path in other.items():
        held = merged.get(target, path)
        paths = held if isinstance(held, list) else [held]
        merged[target] = held if path in paths else [*paths, path]
    return merged


def _pattern(path: str) -> str:
    folder, _, name = path.rpartition("/")
    parts = name.split(".")
    if len(parts) < 3:
        return path
    return f"{folder}/*.{'.'.join(parts[-2:])}" if folder else f"*.{'.'.join(parts[-2:])}"


def _mapping_name(name: str) -> str:
    stem = PurePosixPath(name).name.split(".", 1)[0]
    return (_NAME.sub("-", stem).strip("-") or "mapping")[:60]


def _question(root: Any) -> str:
    if not isinstance(root, dict):
        return ""
    for prefix, holder in (("", root), ("job.", root.get("job")), ("meta.", root.get("meta"))):
        if isinstance(holder, dict):
            for key in _QUESTIONS:
                if isinstance(holder.get(key), str) and holder[key].strip():
                    return f"{prefix}{key}"
    return ""
