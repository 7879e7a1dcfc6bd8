"""Evidence files of the known dialects: JSON in, records out. Formats section 6."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sources.source_cache import UrlError, normalize_url

from . import rules
from .problems import Log
from .records import ClaimRecord, DimensionRecord, EvidenceRecord, SourceRecord, fingerprint
from .refs import Scope, split_refs
from .values import Fields, objects, shorten, strings, text_of

_STRICT_CLAIM = re.compile(r"d\d+\.c\d+")
_PLACE = re.compile(r"claims\[(\d+)\](?:\.evidence\[(\d+)\])?")


@dataclass(slots=True)
class EvidenceFile:
    """What one evidence file holds."""

    path: str
    dialect: str
    dimension: DimensionRecord
    sources: list[SourceRecord] = field(default_factory=list)
    claims: list[ClaimRecord] = field(default_factory=list)
    places: dict[int, ClaimRecord] = field(default_factory=dict)  # index in the file -> claim


def dialect_of(document: object) -> str | None:
    """Tell the dialect of a JSON document by what it holds; None if it is not a known one."""
    if not isinstance(document, dict) or not isinstance(document.get("claims"), list):
        return None
    claims = objects(document["claims"])
    evidence = [item for claim in claims[:50] for item in objects(claim.get("evidence"))]
    if not isinstance(document.get("sources"), list):
        return None
    if not (any("source_id" in item for item in evidence) or "dimension_id" in document):
        return None
    version = document.get("schema_version")
    if version == "1.2":
        return "evidence-1.2"
    if version is None:
        return "standalone"
    if _is_simplified(document, claims):
        return "simplified-1.1"
    if version != "1.1" and any(item.get("snapshot_ref") for item in evidence):
        return "evidence-1.2"
    return "evidence-1.1"


def _is_simplified(document: Mapping[str, Any], claims: list[dict[str, Any]]) -> bool:
    findings = objects(document.get("key_findings"))
    if any("text" in item and "finding" not in item for item in findings):
        return True
    if strings(document.get("writing_context")):
        return True
    ids = [claim.get("id") for claim in claims]
    return bool(ids) and not any(isinstance(i, str) and _STRICT_CLAIM.match(i) for i in ids)


def read_evidence(document: dict[str, Any], path: str, dialect: str, log: Log) -> EvidenceFile:
    """Take an evidence document apart; its sources are not yet tied to its evidence."""
    fields = Fields(document, path, "", log)
    claims, sources = fields.take("claims"), fields.take("sources")
    dimension = _dimension(fields, path)
    file = EvidenceFile(path, dialect, dimension)
    file.sources = read_sources(sources, path, log)
    for index, data in enumerate(claims if isinstance(claims, list) else []):
        claim = _claim(data, path, f"claims[{index}]", dimension.external_id, log)
        if claim is not None:
            file.claims.append(claim)
            file.places[index] = claim
    _mark_key_findings(file)
    return file


def _dimension(fields: Fields, path: str) -> DimensionRecord:
    name = path.rsplit("/", 1)[-1].split(".", 1)[0]
    external_id = shorten(fields.text("dimension_id", 200).strip() or name, 200)
    findings, context = fields.take("key_findings"), fields.take("writing_context")
    return DimensionRecord(
        external_id,
        name=fields.text("dimension_name", 500),
        headline=fields.text("headline"),
        key_findings=findings if isinstance(findings, list) else [],
        writing_context=context if isinstance(context, list) else [],
        file_path=path,
        extra=fields.extra,
    )


def read_sources(value: object, path: str, log: Log, key: str = "sources") -> list[SourceRecord]:
    """Read a list of sources; what is no object is named and left out."""
    found = []
    for index, data in enumerate(value if isinstance(value, list) else []):
        place = f"{key}[{index}]"
        if not isinstance(data, dict):
            log.notice(rules.SOURCE_NOT_OBJECT, path, path=place)
            continue
        found.append(_source(data, path, place, log))
    return found


def _source(data: dict[str, Any], path: str, place: str, log: Log) -> SourceRecord:
    fields = Fields(data, path, place, log)
    raw_id = text_of(fields.take("id")).strip()
    url = fields.text("url")
    title = fields.text("title")
    return make_source(
        raw_id,
        path,
        place,
        log,
        url=url,
        title=title,
        quality=fields.text("quality", 100),
        published_at=fields.text("published_at", 100),
        extra=fields.extra,
    )


def make_source(
    raw_id: str,
    origin: str,
    place: str,
    log: Log,
    *,
    url: str = "",
    title: str = "",
    quality: str = "",
    published_at: str = "",
    extra: dict[str, Any] | None = None,
) -> SourceRecord:
    """Make a source record; an address that is none is kept as it was given, with a notice."""
    normal = ""
    if url.strip():
        try:
            normal = normalize_url(url)
        except UrlError as fault:
            log.notice(rules.ODD_URL, origin, path=place, url=url, fault=fault)
    name = raw_id or normal or url.strip() or f"s-{fingerprint(title)[:8]}"
    return SourceRecord(
        raw_id=shorten(name, 400),
        origin=origin,
        url=url,
        normalized_url=normal,
        title=title,
        titles=[title] if title else [],
        quality=quality,
        published_at=published_at,
        extra=extra or {},
    )


def _claim(data: object, path: str, place: str, dimension: str, log: Log) -> ClaimRecord | None:
    if not isinstance(data, dict):
        log.error(rules.CLAIM_NOT_OBJECT, path, path=place, skips="claims")
        return None
    fields = Fields(data, path, place, log)
    text = fields.text("text")
    if not text.strip():
        log.error(rules.CLAIM_WITHOUT_TEXT, path, path=place, skips="claims")
        return None
    evidence = fields.take("evidence")
    claim = ClaimRecord(
        raw_id=claim_id(text_of(fields.take("id")), text, path, place, log),
        origin=path,
        text=text,
        kind=fields.text("kind", 100),
        polarity=fields.text("polarity", 100),
        topic_tag=fields.text("topic_tag", 300),
        key_question=fields.text("answers_key_question", 200),
        dimension=dimension,
    )
    if evidence is not None and not isinstance(evidence, list):
        fields.extra["evidence"] = evidence
    for index, item in enumerate(evidence if isinstance(evidence, list) else []):
        claim.evidence += _evidence(item, path, f"{place}.evidence[{index}]", log)
    claim.extra = fields.extra
    return claim


def claim_id(given: str, text: str, path: str, place: str, log: Log) -> str:
    """Give the id of a claim; one without gets a name that its text alone decides."""
    if given.strip():
        return shorten(given.strip(), 200)
    made = f"t-{fingerprint(text)[:8]}"
    log.notice(rules.NO_ID, path, path=place, id=made)
    return made


def _evidence(data: object, path: str, place: str, log: Log) -> list[EvidenceRecord]:
    if not isinstance(data, dict):
        text = data if isinstance(data, str) else ""
        return [EvidenceRecord(snippet=text, extra={} if text else {"raw": data})]
    fields = Fields(data, path, place, log)
    given = fields.take("source_id")
    fields.take("snapshot_chosen")  # our own note in an export, not the file's
    refs = split_refs(given)
    base = EvidenceRecord(
        snippet=fields.text("snippet"),
        quote_type=fields.text("quote_type", 100),
        snapshot_ref=fields.text("snapshot_ref"),
        extra=fields.extra,
    )
    return for_each_source(base, given, refs, path, place, log)


def for_each_source(
    base: EvidenceRecord, given: object, refs: list[str], path: str, place: str, log: Log
) -> list[EvidenceRecord]:
    """Give one item of evidence for each reference; a lone one stays as it is."""
    if len(refs) > 1:
        log.notice(rules.SPLIT_REFS, path, path=place, ref=text_of(given), count=len(refs))
        base.extra = {**base.extra, "source_id": given}
    return [replace(base, source_ref=shorten(ref, 500)) for ref in refs or [""]]


def _mark_key_findings(file: EvidenceFile) -> None:
    named = {
        claim
        for finding in objects(file.dimension.key_findings)
        for key in ("claim_ids", "supporting_claim_ids")
        for claim in strings(finding.get(key))
    }
    for claim in file.claims:
        if claim.raw_id in named:
            claim.key_reason = "key_findings"


def tie_sources(file: EvidenceFile, scope: Scope, log: Log) -> list[SourceRecord]:
    """Let each evidence point to its source; gives sources known by their address alone."""
    made: list[SourceRecord] = []
    for index, claim in file.places.items():
        for number, item in enumerate(claim.evidence):
            if not item.source_ref:
                continue
            item.source = scope.resolve(item.source_ref)
            if item.source is None and item.source_ref.startswith(("http://", "https://")):
                source = make_source("", file.path, "", log, url=item.source_ref)
                scope.add([source])
                made.append(source)
                item.source = source.key
            if item.source is None:
                place = f"claims[{index}].evidence[{number}].source_id"
                log.notice(rules.DANGLING_SOURCE, file.path, path=place, ref=item.source_ref)
    return made


def keep_violations(file: EvidenceFile, violations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Hand each contract violation to the claim it is about; gives those of the file itself."""
    rest = []
    for violation in violations:
        found = _PLACE.match(violation["path"])
        claim = file.places.get(int(found[1])) if found else None
        if found is None or claim is None:
            rest.append(violation)
            continue
        if found[2] is not None:
            violation["evidence"] = int(found[2]) + 1
        claim.violations.append(violation)
    return rest
