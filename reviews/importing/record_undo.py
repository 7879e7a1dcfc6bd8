"""Take an import of sources, receipts or rejections back, while nothing rests on it."""

import json
from itertools import islice
from typing import Any

from django.utils import timezone

from reviews import checking
from reviews.importing.rows import chunks, claims_citing
from reviews.models import Evidence
from search.models import Receipt
from sources.following import CLUSTERS, FACTS, SOURCES, follow
from sources.importing import undo
from sources.importing.undo import Kept, Resting
from sources.models import ImportBatch, Source, User
from sources.recording import Entry, record
from sources.texts import blobs


def is_of_records(batch: ImportBatch) -> bool:
    """Tell whether an import brought records of these kinds."""
    return "undo_records" in batch.report


def resting(batch: ImportBatch) -> list[Resting]:
    """Give what stands in the way of undoing; empty if nothing does."""
    found = undo.resting(batch, _kept(batch))
    cited = Evidence.objects.filter(source__batch=batch, current=True)
    pairs = cited.values_list("source__external_id", "claim__external_id").distinct()
    found += [Resting("evidence", name, claim) for name, claim in pairs[: undo.LISTED]]
    return found + _named_receipts(batch)


def _named_receipts(batch: ImportBatch) -> list[Resting]:
    """Find sources that were admitted by receipts of this import, and came by another."""
    names = set(Receipt.objects.filter(batch=batch).values_list("external_id", flat=True))
    if not names:
        return []
    admitted = Source.objects.filter(project=batch.project_id, status=Source.Status.ADMITTED)
    rows = admitted.exclude(batch=batch).values_list("external_id", "receipt_ids")
    held = (
        Resting("source", name, ", ".join(map(str, names.intersection(ids))))
        for name, ids in rows.iterator()
        if names.intersection(map(str, ids))
    )
    return list(islice(held, undo.LISTED))


def _kept(batch: ImportBatch) -> Kept:
    found: Kept = json.loads(blobs().get_text(batch.report["undo_records"]))
    return found


def take_back(batch: ImportBatch, by: User) -> None:
    """Undo an import in the caller's transaction; the caller looked for what rests on it."""
    urls = set(Source.objects.filter(batch=batch).values_list("normalized_url", flat=True))
    gone: dict[str, Any]
    gone, restored = undo.take_back(batch, _kept(batch))
    receipts = Receipt.objects.filter(batch=batch)
    gone["receipts"] = receipts.count()
    receipts.delete()
    for part in chunks(sorted(restored)):
        urls.update(Source.objects.filter(pk__in=part).values_list("normalized_url", flat=True))
    for part in chunks(sorted(claims_citing(batch.project, restored, urls))):
        checking.forget(batch.project, part)
    batch.state, batch.undone_at = ImportBatch.State.UNDONE, timezone.now()
    batch.save(update_fields=["state", "undone_at"])
    entry = Entry(
        "import.undone", "import", str(batch.pk),
        old={"name": batch.name, "sha256": batch.sha256},
        new={"removed": gone, "restored": len(restored)},
    )  # fmt: skip
    record(batch.project, [entry], by=by, batch_id=str(batch.key))
    follow(batch.project, FACTS, CLUSTERS, SOURCES, by=by)
