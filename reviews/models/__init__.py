"""Records of the audit: claims, evidence, findings, judgements, and the reader's own state."""

from .claims import Claim, ClaimVersion, Evidence, Finding
from .desk import Draft, QueueCursor, SavedView
from .judgements import Assessment, Defect, Snooze, Verdict
from .reports import ReviewReport, SignOff

__all__ = [
    "Assessment",
    "Claim",
    "ClaimVersion",
    "Defect",
    "Draft",
    "Evidence",
    "Finding",
    "QueueCursor",
    "ReviewReport",
    "SavedView",
    "SignOff",
    "Snooze",
    "Verdict",
]
