"""Give evidence that names no snapshot the one that was fetched of its source's address.

As an import does: the version that holds the quote, else the last. Run again it changes nothing.
"""

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from reviews.importing.claims import CHOSEN, with_choice
from reviews.importing.links import Versions
from reviews.models import Claim, Evidence
from sources.models import Project, Snapshot, Source

BATCH = 500


def link_fetched(project: Project) -> int:
    """Link what waits for a snapshot, or chose one that a later version may better; give how many.

    Their evidence is to be located, and their claims to be checked anew.
    """
    waiting = list(_waiting(project).select_related("claim"))
    if not waiting:
        return 0
    sources = Source.objects.filter(pk__in={item.source_id for item in waiting})
    versions = Versions.of(project, sources)
    changed = []
    for item in waiting:
        chosen = versions.choose(item.source_id, item.snippet)
        if chosen is None or chosen.pk == item.snapshot_id:
            continue
        item.snapshot, item.extra, item.located_at = chosen, with_choice(item.extra, True), None
        changed.append(item)
    for at in range(0, len(changed), BATCH):
        _save(changed[at : at + BATCH])
    return len(changed)


@transaction.atomic
def _save(items: list[Evidence]) -> None:
    Evidence.objects.bulk_update(items, ["snapshot", "extra", "located_at"])
    claims = Claim.objects.filter(pk__in={item.claim_id for item in items})
    claims.update(checked_at=None)


def _waiting(project: Project) -> "QuerySet[Evidence]":
    """Keep evidence without a snapshot, or with one we chose that does not hold its quote."""
    items = Evidence.objects.filter(
        claim__project=project, claim__current=True, current=True, snapshot_ref=""
    ).exclude(source__normalized_url="")
    kept = Snapshot.objects.filter(
        project=project, normalized_url=OuterRef("source__normalized_url")
    )
    later = kept.filter(pk__gt=OuterRef("snapshot"))
    missed = ~Q(grade=Evidence.Grade.EXACT) & Q(**{f"extra__{CHOSEN}": True})
    return items.filter(
        (Q(snapshot=None) & Exists(kept)) | (Q(snapshot__isnull=False) & missed & Exists(later))
    ).order_by(F("pk"))
