"""Show the machine's view of a sealed claim, after a first judgement without it."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from reviews.models import Claim, Verdict
from sources.models import User
from sources.recording import Entry, record

from .errors import ActionRefused
from .rows import begin, check_seen


@transaction.atomic
def reveal(
    *, claim: Claim, provisional: str, by: User, claim_version: int | None = None
) -> Verdict:
    """Store what a reviewer would decide unaided, and that the machine's view was shown then.

    The first provisional verdict stands for good. It cannot be undone: what was seen was seen.
    ``claim_version`` is that of the claim that the page showed, None for the one that stands:
    raises ClaimChanged where an import came in between.
    """
    begin(by, "review", claim.project)
    check_seen(claim, claim.version if claim_version is None else claim_version)
    if provisional not in Verdict.Decision.values:
        raise ActionRefused(
            "provisional-missing", _("Choose a verdict first; then the machine's view opens.")
        )
    mine, _created = Verdict.objects.select_for_update().get_or_create(claim=claim, reviewer=by)
    if mine.revealed_at is not None:
        return mine
    mine.provisional = mine.provisional or provisional
    mine.revealed_at = timezone.now()
    mine.version += 1
    mine.save(update_fields=["provisional", "revealed_at", "version"])
    # The object is no "verdict", so that undo does not find it.
    shown = {"provisional": mine.provisional, "revealed_at": mine.revealed_at.isoformat()}
    record(claim.project, [Entry("claim.revealed", "reveal", claim.external_id, new=shown)], by=by)
    return mine
