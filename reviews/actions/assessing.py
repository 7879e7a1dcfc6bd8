"""Assess evidence, set its passage by hand, record an independent verification."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from reviews import standing
from reviews.models import Assessment, Evidence
from sources.models import User
from sources.recording import record

from .errors import ActionRefused
from .rows import begin, check_seen, content, entry, save_row

_CHOICES = {
    "support": frozenset(Assessment.Support.values) | {""},
    "trust": frozenset(Assessment.Trust.values) | {""},
    "outcome": frozenset(Assessment.Outcome.values) | {""},
}


def _checked(evidence: Evidence, values: dict[str, Any]) -> dict[str, Any]:
    for name, allowed in _CHOICES.items():
        if name in values and values[name] not in allowed:
            raise ActionRefused(
                "unknown-value", _("“%s” is no value of this field.") % values[name]
            )
    if "aspects" in values:
        unknown = set(values["aspects"]) - set(Assessment.Aspect.values)
        if unknown:
            raise ActionRefused("unknown-value", _("“%s” is no aspect.") % ", ".join(unknown))
        values["aspects"] = sorted(values["aspects"])
    if values.get("start") is not None or values.get("end") is not None:
        start, end = values.get("start"), values.get("end")
        length = evidence.snapshot.characters if evidence.snapshot else 0
        if start is None or end is None or not 0 <= start < end <= length:
            raise ActionRefused(
                "passage-outside",
                _("The passage must lie within the snapshot's %d characters.") % length,
            )
    return values


def _judges(mine: Assessment, values: dict[str, Any]) -> bool:
    """Tell whether the claim's text is judged now: its support, or the rest where none is given."""
    if "support" in values:
        return True
    return not mine.support and not values.keys().isdisjoint(("trust", "outcome"))


@transaction.atomic
def assess_evidence(
    *,
    evidence: Evidence,
    by: User,
    base_version: int | None = None,
    claim_version: int | None = None,
    **values: Any,
) -> Assessment:
    """Set support, trust class, aspects, passage, outcome or note of one's own assessment.

    Only the named fields are written; one that was stale stands again once its support is judged.
    ``claim_version`` is that of the claim that the page showed, None for the one that stands.
    Raises Conflict where another tab saved in between, ClaimChanged where an import did.
    """
    claim = evidence.claim
    begin(by, "review", claim.project)
    check_seen(claim, claim.version if claim_version is None else claim_version)
    values = _checked(evidence, values)
    mine, created = Assessment.objects.get_or_create(evidence=evidence, reviewer=by)
    if _judges(mine, values):
        values |= {"claim_version": claim.version, "stale": False, "stale_reason": ""}
    old, new = save_row(mine, base_version=None if created else base_version, values=values)
    if created:
        old = {}
    if old != content(mine):
        label = f"{claim.external_id}#{evidence.position}"
        record(
            claim.project,
            [entry("evidence.assessed", mine, label, old=None if created else old, new=new)],
            by=by,
        )
        standing.refresh([claim.pk])
    return mine
