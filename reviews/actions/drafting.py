"""Keep text that is not saved yet. Drafts are a reader's own state and leave no audit event."""

from typing import Any

from reviews.models import Claim, Draft
from sources.models import User

from .errors import ActionRefused
from .rows import require

MAX_DRAFT = 100_000  # characters of all fields together


def save_draft(
    *, claim: Claim, slot: str, body: dict[str, Any], form_version: int, by: User
) -> Draft | None:
    """Store a draft, or forget it where every field is empty."""
    require(by, "review", claim.project)
    if sum(len(str(value)) for value in body.values()) > MAX_DRAFT:
        raise ActionRefused("draft-too-long", "The draft is longer than 100,000 characters.")
    if not any(body.values()):
        Draft.objects.filter(user=by, claim=claim, slot=slot).delete()
        return None
    draft, _ = Draft.objects.update_or_create(
        user=by, claim=claim, slot=slot[:60], defaults={"body": body, "form_version": form_version}
    )
    return draft
