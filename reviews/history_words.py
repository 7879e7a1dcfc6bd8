"""Words for what the audit trail holds of claims: its events and the fields they changed."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from reviews.models import Assessment, Defect, Finding, Verdict

EVENTS: Mapping[str, str | Promise] = {
    "verdict.given": _("gave a verdict"),
    "verdict.changed": _("changed the verdict"),
    "evidence.assessed": _("assessed evidence"),
    "finding.dismissed": _("dismissed a finding"),
    "finding.confirmed": _("confirmed a finding"),
    "finding.open": _("reopened a finding"),
    "defect.recorded": _("recorded a defect"),
    "defect.changed": _("changed a defect"),
    "defect.withdrawn": _("withdrew a defect"),
    "claim.marked": _("marked the claim"),
    "claim.snoozed": _("put the claim off"),
    "claim.revealed": _("revealed the machine's view"),
    "claim.changed": _("imported a new version"),
    "claim.dropped": _("imported a report without this claim"),
    "claim.returned": _("imported a report with this claim again"),
    "verdict.stale": _("made a verdict stale"),
    "action.undone": _("took an action back"),
}

FIELDS: Mapping[str, str | Promise] = {
    "decision": _("decision"),
    "provisional": _("verdict before the reveal"),
    "note": _("note"),
    "support": _("support"),
    "trust": _("trust"),
    "aspects": _("what fails"),
    "start": _("passage from"),
    "end": _("passage to"),
    "outcome": _("verification"),
    "outcome_note": _("what was looked at"),
    "state": _("state"),
    "reason": _("reason"),
    "severity": _("severity"),
    "severity_reason": _("reason of the severity"),
    "text": _("what is wrong"),
    "action": _("change that clears it"),
    "is_key": _("key claim"),
    "key_reason": _("reason of the mark"),
    "until": _("until"),
    "withdrawn": _("withdrawn"),
    "stale": _("stale"),
    "revealed_at": _("revealed"),
    "reviewer": pgettext_lazy("field", "reviewer"),
}

# A claim has fields of the same names that hold something else.
CLAIM_FIELDS: Mapping[str, str | Promise] = {"text": _("text")}

_DECISIONS = dict(Verdict.Decision.choices)
VALUES: Mapping[str, Mapping[str, str | Promise]] = {
    "decision": _DECISIONS,
    "provisional": _DECISIONS,
    "support": dict(Assessment.Support.choices),
    "trust": dict(Assessment.Trust.choices),
    "aspects": dict(Assessment.Aspect.choices),
    "outcome": dict(Assessment.Outcome.choices),
    "severity": dict(Defect.Severity.choices),
    "state": dict(Finding.State.choices) | dict(Defect.State.choices),
}
