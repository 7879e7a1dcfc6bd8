"""Words for what the audit trail holds: its events, the fields they changed, their values.

Every action that the workbench records has a sentence here or in the words of a lower app.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from reviews.models import Assessment, Defect, Finding, SignOff, Verdict
from sources import history_words as lower

SENTENCES: Mapping[str, Promise] = {
    **lower.SENTENCES,
    "import.started": _("%(who)s started import %(what)s"),
    "import.declined": _("%(who)s chose to import nothing of import %(what)s"),
    "import.done": _("Import %(what)s of %(who)s was written"),
    "import.undone": _("%(who)s undid import %(what)s"),
    "mapping.saved": _("%(who)s saved mapping %(what)s"),
    "claim.changed": _("An import of %(who)s changed claim %(what)s"),
    "claim.dropped": _("An import of %(who)s no longer holds claim %(what)s"),
    "claim.returned": _("An import of %(who)s holds claim %(what)s again"),
    "verdict.stale": _("An import of %(who)s made a verdict on %(what)s stale"),
    "assessment.stale": _("An import of %(who)s made an assessment of %(what)s stale"),
    "verdict.given": _("%(who)s gave a verdict on %(what)s"),
    "verdict.changed": _("%(who)s changed the verdict on %(what)s"),
    "evidence.assessed": _("%(who)s assessed evidence %(what)s"),
    "finding.dismissed": _("%(who)s dismissed a finding on %(what)s"),
    "finding.confirmed": _("%(who)s confirmed a finding on %(what)s"),
    "finding.open": _("%(who)s reopened a finding on %(what)s"),
    "defect.recorded": _("%(who)s recorded a defect of %(what)s"),
    "defect.changed": _("%(who)s changed a defect of %(what)s"),
    "defect.withdrawn": _("%(who)s withdrew a defect of %(what)s"),
    "defect.resolved": _("%(who)s marked a defect of %(what)s as resolved"),
    "defect.rejected": _("%(who)s rejected a defect of %(what)s"),
    "defect.reopened": _("%(who)s reopened a defect of %(what)s"),
    "claim.marked": _("%(who)s marked claim %(what)s"),
    "claim.snoozed": _("%(who)s put claim %(what)s off"),
    "claim.revealed": _("%(who)s revealed the machine's view of %(what)s"),
    "action.undone": _("%(who)s took back a change of %(what)s"),
    "request.undone": _("%(who)s took back an action of their own"),
    "job.cancelled": _("%(who)s cancelled job %(what)s"),
    "job.retried": _("%(who)s tried a job once more, as job %(what)s"),
    "report.built": _("%(who)s built review report %(what)s"),
    "report.signed": _("%(who)s signed review report %(what)s"),
    "export.started": _("%(who)s asked for an export of %(what)s"),
    "export.records": _("%(who)s exported records of %(what)s"),
    "export.done": _("The export of %(what)s for %(who)s was made"),
}

# Fields whose values end the sentence, after a colon.
DETAILS: Mapping[str, tuple[str, ...]] = {
    **lower.DETAILS,
    "import.started": ("name",),
    "import.declined": ("name",),
    "import.done": ("name",),
    "import.undone": ("name",),
    "verdict.given": ("decision",),
    "verdict.changed": ("decision",),
    "verdict.stale": ("reviewer",),
    "assessment.stale": ("reviewer",),
    "evidence.assessed": ("support", "trust"),
    "defect.recorded": ("severity",),
    "claim.marked": ("is_key",),
    "claim.snoozed": ("until",),
    "claim.revealed": ("provisional",),
    "job.cancelled": ("kind",),
    "job.retried": ("kind",),
    "report.built": ("verdict",),
    "report.signed": ("role",),
}

# The first word of an action, for choosing among them.
KINDS: Mapping[str, Promise] = {
    "verdict": _("Verdicts"),
    "evidence": _("Assessments of evidence"),
    "assessment": _("Stale assessments"),
    "finding": _("Decisions on findings"),
    "defect": _("Defects"),
    "claim": _("Claims"),
    "action": _("Changes taken back"),
    "request": _("Actions taken back"),
    "import": _("Imports"),
    "mapping": _("Mappings"),
    "report": _("Review reports"),
    "export": _("Exports"),
    "job": _("Jobs"),
    **lower.KINDS,
}

FIELDS: Mapping[str, str | Promise] = {
    **lower.FIELDS,
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
    "state_reason": pgettext_lazy("field", "reason of the state"),
    "reason": _("reason"),
    "facts_changed": pgettext_lazy("field", "facts changed"),
    "severity": _("severity"),
    "severity_reason": _("reason of the severity"),
    "text": _("what is wrong"),
    "action": _("change that clears it"),
    "is_key": _("key claim"),
    "key_reason": _("reason of the mark"),
    "until": _("until"),
    "withdrawn": _("withdrawn"),
    "stale": _("stale"),
    "stale_reason": pgettext_lazy("field", "why stale"),
    "revealed_at": _("revealed"),
    "reviewer": pgettext_lazy("field", "reviewer"),
    "name": pgettext_lazy("field", "name"),
    "kind": pgettext_lazy("field", "kind"),
    "of": pgettext_lazy("field", "after job"),
    "job": pgettext_lazy("field", "job"),
    "number": pgettext_lazy("field", "number"),
    "verdict": _("verdict"),
    "names": pgettext_lazy("field", "names of people"),
    "files": pgettext_lazy("records", "files"),
    "target": pgettext_lazy("field", "written to"),
    "version": pgettext_lazy("field", "version"),
    "removed": pgettext_lazy("records", "removed"),
    "restored": pgettext_lazy("records", "restored"),
    "created": pgettext_lazy("records", "new"),
    "changed": pgettext_lazy("records", "changed"),
    "unchanged": pgettext_lazy("records", "identical"),
    "skipped": pgettext_lazy("records", "left out"),
    "claims": pgettext_lazy("records", "claims"),
    "evidence": pgettext_lazy("records", "items of evidence"),
    "sources": pgettext_lazy("records", "sources"),
    "snapshots": pgettext_lazy("records", "snapshots"),
    "dimensions": pgettext_lazy("records", "dimensions"),
    "key_questions": pgettext_lazy("records", "key questions"),
}

# A claim has fields of the same names that hold something else.
CLAIM_FIELDS: Mapping[str, str | Promise] = {"text": _("text")}

_DECISIONS = dict(Verdict.Decision.choices)
VALUES: Mapping[str, Mapping[Any, str | Promise]] = {
    **lower.VALUES,
    "decision": _DECISIONS | dict(Finding.State.choices),
    "provisional": _DECISIONS,
    "verdict": _DECISIONS,
    "support": dict(Assessment.Support.choices),
    "trust": dict(Assessment.Trust.choices),
    "aspects": dict(Assessment.Aspect.choices),
    "outcome": dict(Assessment.Outcome.choices),
    "severity": dict(Defect.Severity.choices),
    "state": dict(Finding.State.choices) | dict(Defect.State.choices),
    "is_key": {True: _("key claim"), False: _("not key")},
    "role": {**lower.VALUES["role"], **dict(SignOff.Role.choices)},
    "names": {
        "full": _("in full"),
        "initials": _("initials"),
        "pseudonyms": _("pseudonyms"),
    },
    "kind": {
        "import_check": _("Check of an upload"),
        "import": _("Import"),
        "export": _("Export"),
    },
}
