"""Load what a project has, for the comparison that an import makes."""

from collections import defaultdict
from typing import Any

from reviews.exchange.known import (
    Known,
    KnownClaim,
    KnownEvidence,
    KnownSource,
    derived_hash,
    is_machine_reason,
)
from reviews.exchange.planning import dimension_hash
from reviews.exchange.records import SnapshotKey
from reviews.models import Claim, Evidence
from sources.models import Dimension, KeyQuestion, Project, ReportFile, Snapshot, Source

CHUNK = 2_000


def load_known(project: Project | None) -> Known:
    """Give what the project has. Seven queries; the texts of snapshots are not read."""
    if project is None:
        return Known()
    dimensions = list(Dimension.objects.filter(project=project))
    questions = list(
        KeyQuestion.objects.filter(dimension__project=project).select_related("dimension")
    )
    return Known(
        claims=_claims(project, {d.pk: d.external_id for d in dimensions}, questions),
        sources=_sources(project),
        evidence=_evidence(project),
        snapshots=_snapshots(project),
        dimensions={d.external_id: (d.pk, dimension_hash(d)) for d in dimensions},
        questions={(q.dimension.external_id, q.external_id): (q.pk, q.text) for q in questions},
        files=dict(
            ReportFile.objects.filter(project=project, current=True).values_list("path", "sha256")
        ),
    )


def _claims(
    project: Project, dimensions: dict[int, str], questions: list[KeyQuestion]
) -> dict[str, KnownClaim]:
    asked = {question.pk: question.external_id for question in questions}
    rows = Claim.objects.filter(project=project).values_list(
        "pk",
        "external_id",
        "raw_id",
        "origin",
        "text",
        "content_hash",
        "current",
        "position",
        "is_key",
        "key_reason",
        "dimension_id",
        "key_question_id",
        "violations",
        "context",
    )
    found = {}
    for row in rows.iterator(chunk_size=CHUNK):
        pk, name, raw_id, origin, text, content_hash, current, position, *rest = row
        is_key, reason, dimension, question, violations, context = rest
        found[name] = KnownClaim(
            pk,
            name,
            raw_id,
            origin,
            text,
            content_hash,
            current,
            position,
            derived_hash(
                (is_key, reason),
                dimensions.get(dimension, ""),
                asked.get(question, ""),
                violations,
                context,
            ),
            key_by_hand=not is_machine_reason(reason),
            is_key=is_key,
            key_reason=reason,
        )
    return found


def _sources(project: Project) -> dict[str, KnownSource]:
    fields = ("pk", "external_id", "raw_id", "origin", "normalized_url", "url", "content_hash")
    rows = Source.objects.filter(project=project).values_list(*fields)
    return {
        name: KnownSource(pk, name, raw_id, origin, normal or url.strip(), content_hash)
        for pk, name, raw_id, origin, normal, url, content_hash in rows
    }


def _evidence(project: Project) -> dict[int, list[KnownEvidence]]:
    fields: tuple[Any, ...] = ("claim_id", "pk", "position", "content_hash")
    rows = (
        Evidence.objects.filter(claim__project=project, current=True)
        .order_by()
        .values_list(*fields, "source_id", "snapshot_id")
    )
    found: dict[int, list[KnownEvidence]] = defaultdict(list)
    for claim, pk, position, content_hash, source, snapshot in rows.iterator(chunk_size=CHUNK):
        found[claim].append(KnownEvidence(pk, position, content_hash, source, snapshot))
    return dict(found)


def _snapshots(project: Project) -> dict[SnapshotKey, int]:
    rows = Snapshot.objects.filter(project=project)
    return {
        (url, content): pk
        for pk, url, content in rows.values_list("pk", "url_hash", "content_hash")
    }
