"""What a reviewer does: one verb a function, keyword-only, ``by`` the acting user.

Each is one transaction with its audit events, and refuses with an ``ActionRefused``.
"""

from .assessing import assess_evidence
from .deciding import decide_finding, mark_key
from .drafting import save_draft
from .errors import ActionRefused, ClaimChanged, Conflict, NotAllowed
from .revealing import reveal
from .undoing import undo
from .verdicts import DefectInput, VerdictInput, give_verdict, snooze_claim, snooze_many

__all__ = [
    "ActionRefused",
    "ClaimChanged",
    "Conflict",
    "DefectInput",
    "NotAllowed",
    "VerdictInput",
    "assess_evidence",
    "decide_finding",
    "give_verdict",
    "mark_key",
    "reveal",
    "save_draft",
    "snooze_claim",
    "snooze_many",
    "undo",
]
