"""Records of the lowest app: people, projects, sources and their worth, jobs, the audit trail."""

from .blacklisting import BlacklistHit, BlacklistLift, BlacklistRule, Rejection
from .captures import Capture, FetchHost
from .clusters import Cluster, ClusterLink
from .jobs import IdempotencyKey, ImportBatch, ImportMapping, Job, ReportFile
from .notices import (
    NoticeAcknowledgement,
    NoticeBatch,
    NoticeChange,
    NoticeProvider,
    ProviderPause,
    RetractionCheck,
    RetractionRecord,
)
from .people import Membership, User
from .projects import Dimension, KeyQuestion, Project
from .records import AuditChain, AuditEvent
from .scores import Band, Override, Score, SourceFinding
from .sources import Snapshot, Source, SourceIdentifier
from .tables import Domain, Journal, Publisher, PublisherClass, SourceType, Subject, TableChange

__all__ = [
    "AuditChain",
    "AuditEvent",
    "Band",
    "BlacklistHit",
    "BlacklistLift",
    "BlacklistRule",
    "Capture",
    "Cluster",
    "ClusterLink",
    "Dimension",
    "Domain",
    "FetchHost",
    "IdempotencyKey",
    "ImportBatch",
    "ImportMapping",
    "Job",
    "Journal",
    "KeyQuestion",
    "Membership",
    "NoticeAcknowledgement",
    "NoticeBatch",
    "NoticeChange",
    "NoticeProvider",
    "Override",
    "Project",
    "ProviderPause",
    "Publisher",
    "PublisherClass",
    "Rejection",
    "ReportFile",
    "RetractionCheck",
    "RetractionRecord",
    "Score",
    "Snapshot",
    "Source",
    "SourceFinding",
    "SourceIdentifier",
    "SourceType",
    "Subject",
    "TableChange",
    "User",
]
