"""Records of the lowest app: people, projects, sources, jobs and the audit trail."""

from .jobs import IdempotencyKey, ImportBatch, ImportMapping, Job, ReportFile
from .people import Membership, User
from .projects import Dimension, KeyQuestion, Project
from .records import AuditChain, AuditEvent
from .sources import Snapshot, Source

__all__ = [
    "AuditChain",
    "AuditEvent",
    "Dimension",
    "IdempotencyKey",
    "ImportBatch",
    "ImportMapping",
    "Job",
    "KeyQuestion",
    "Membership",
    "Project",
    "ReportFile",
    "Snapshot",
    "Source",
    "User",
]
