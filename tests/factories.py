"""Records for tests: a small report of one project, each part made by one call."""

import hashlib
from typing import Any

import factory
from django.contrib.auth.hashers import make_password
from django.utils import timezone
from factory.django import DjangoModelFactory

from reviews.models import Assessment, Claim, Defect, Evidence, Finding, Snooze, Verdict
from reviews.sealing import seal_of
from search.models import Receipt
from sources.models import (
    Cluster,
    Dimension,
    ImportBatch,
    ImportMapping,
    Job,
    KeyQuestion,
    Membership,
    Project,
    Rejection,
    ReportFile,
    Snapshot,
    Source,
    User,
)
from sources.texts import store_text

PASSWORD = "a long walk by the sea"


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class UserFactory(DjangoModelFactory):
    class Meta:
        model = User

    username = factory.Sequence(lambda n: f"person{n}")
    password = factory.LazyFunction(lambda: make_password(PASSWORD))
    language = "en"


class ProjectFactory(DjangoModelFactory):
    class Meta:
        model = Project

    slug = factory.Sequence(lambda n: f"project-{n}")
    title = factory.LazyAttribute(lambda made: f"Research {made.slug}")
    question = "Does drug X lengthen overall survival?"
    language = "en"


class MembershipFactory(DjangoModelFactory):
    class Meta:
        model = Membership

    project = factory.SubFactory(ProjectFactory)
    user = factory.SubFactory(UserFactory)
    role = Membership.Role.REVIEWER


class DimensionFactory(DjangoModelFactory):
    class Meta:
        model = Dimension

    project = factory.SubFactory(ProjectFactory)
    external_id = factory.Sequence(lambda n: f"d{n + 1}")
    name = factory.LazyAttribute(lambda made: f"Dimension {made.external_id}")
    position = factory.Sequence(lambda n: n + 1)


class KeyQuestionFactory(DjangoModelFactory):
    class Meta:
        model = KeyQuestion

    dimension = factory.SubFactory(DimensionFactory)
    external_id = factory.Sequence(lambda n: f"kq{n + 1}")
    text = "How long do patients live?"
    position = factory.Sequence(lambda n: n + 1)


class JobFactory(DjangoModelFactory):
    class Meta:
        model = Job

    project = factory.SubFactory(ProjectFactory)
    kind = "import"
    task = "reviews.tasks.run_import"


class ImportBatchFactory(DjangoModelFactory):
    class Meta:
        model = ImportBatch

    project = factory.SubFactory(ProjectFactory)
    name = "report.zip"
    sha256 = factory.Sequence(lambda n: sha256(f"upload {n}"))


class ImportMappingFactory(DjangoModelFactory):
    class Meta:
        model = ImportMapping

    name = factory.Sequence(lambda n: f"mapping-{n}")
    spec = factory.LazyFunction(lambda: {"records": "", "fields": {"claim.text": "claim"}})


class ReportFileFactory(DjangoModelFactory):
    class Meta:
        model = ReportFile

    project = factory.SubFactory(ProjectFactory)
    batch = factory.SubFactory(ImportBatchFactory, project=factory.SelfAttribute("..project"))
    path = factory.Sequence(lambda n: f"file-{n}.md")
    sha256 = factory.LazyAttribute(lambda made: store_text(made.path))
    size = factory.LazyAttribute(lambda made: len(made.path))


class SourceFactory(DjangoModelFactory):
    class Meta:
        model = Source

    project = factory.SubFactory(ProjectFactory)
    external_id = factory.Sequence(lambda n: f"S-{n + 1:03d}")
    raw_id = factory.SelfAttribute("external_id")
    url = factory.LazyAttribute(lambda made: f"https://journal.example.org/{made.external_id}")
    normalized_url = factory.SelfAttribute("url")
    title = factory.LazyAttribute(lambda made: f"Trial {made.external_id}")
    content_hash = factory.LazyAttribute(lambda made: sha256(made.external_id))


class ReceiptFactory(DjangoModelFactory):
    class Meta:
        model = Receipt

    project = factory.SubFactory(ProjectFactory)
    external_id = factory.Sequence(lambda n: f"srch_{n:04}")
    at = factory.LazyFunction(timezone.now)
    tool = "search"
    query_or_url = "osimertinib AND resistance"
    route = "pubmed"
    provider = "pubmed"
    status = "ok"
    result_count = 1
    content_hash = factory.Sequence(lambda n: f"{n:064x}")


class RejectionFactory(DjangoModelFactory):
    class Meta:
        model = Rejection

    project = factory.SubFactory(ProjectFactory)
    external_id = factory.Sequence(lambda n: f"src_{n + 1:03d}")
    title = factory.LazyAttribute(lambda made: f"Page {made.external_id}")
    url = factory.LazyAttribute(lambda made: f"https://journal.example.org/{made.external_id}")
    rule = "low_score"
    rejected_by = "engine"
    rejected_at = factory.LazyFunction(timezone.now)


class ClusterFactory(DjangoModelFactory):
    """A cluster. ``member=`` puts a source into it, as its origin."""

    class Meta:
        model = Cluster
        skip_postgeneration_save = True

    project = factory.SubFactory(ProjectFactory)
    name = factory.Sequence(lambda n: f"K{n + 1}")

    @factory.post_generation
    def member(self: Cluster, create: bool, source: Source | None, **_: Any) -> None:
        if source is not None:
            Source.objects.filter(pk=source.pk).update(cluster=self)
            Cluster.objects.filter(pk=self.pk).update(origin=source)


class SnapshotFactory(DjangoModelFactory):
    """A capture. ``text=`` is what it holds; it is kept as a blob."""

    class Meta:
        model = Snapshot

    class Params:
        text = "Median overall survival was 21.4 months with X and 16.2 months without."

    project = factory.SubFactory(ProjectFactory)
    normalized_url = factory.Sequence(lambda n: f"https://journal.example.org/page-{n}")
    url_hash = factory.LazyAttribute(lambda made: sha256(made.normalized_url))
    content_hash = factory.LazyAttribute(lambda made: store_text(made.text))
    characters = factory.LazyAttribute(lambda made: len(made.text))


class ClaimFactory(DjangoModelFactory):
    class Meta:
        model = Claim

    project = factory.SubFactory(ProjectFactory)
    external_id = factory.Sequence(lambda n: f"d1.c{n + 1}")
    raw_id = factory.SelfAttribute("external_id")
    position = factory.Sequence(lambda n: n + 1)
    text = "Drug X lengthens median overall survival to 21.4 months."
    kind = "factual"
    content_hash = factory.LazyAttribute(lambda made: sha256(f"{made.external_id} {made.text}"))
    seal = factory.LazyAttribute(lambda made: seal_of(made.project.slug, made.external_id))


def _its_source(made: Any) -> Source:
    return SourceFactory(project=made.claim.project)


def _its_snapshot(made: Any) -> Snapshot:
    url = made.source.normalized_url if made.source else "https://journal.example.org/"
    held = Snapshot.objects.versions_of(made.claim.project, url).last()
    return held or SnapshotFactory(project=made.claim.project, normalized_url=url)


class EvidenceFactory(DjangoModelFactory):
    """A piece of evidence with a source and a snapshot of its own; pass None for neither."""

    class Meta:
        model = Evidence

    claim = factory.SubFactory(ClaimFactory)
    source = factory.LazyAttribute(_its_source)
    snapshot = factory.LazyAttribute(_its_snapshot)
    position = factory.LazyAttribute(lambda made: made.claim.evidence.count() + 1)
    snippet = "Median overall survival was 21.4 months"
    quote_type = "direct"
    source_ref = factory.LazyAttribute(lambda made: made.source.external_id if made.source else "")
    snapshot_ref = factory.LazyAttribute(lambda made: made.snapshot.ref if made.snapshot else "")
    content_hash = factory.LazyAttribute(lambda made: sha256(made.snippet))


class FindingFactory(DjangoModelFactory):
    class Meta:
        model = Finding

    claim = factory.SubFactory(ClaimFactory)
    fingerprint = factory.Sequence(lambda n: sha256(f"finding {n}"))
    check_id = "number-ledger"
    check_version = 1
    code = "number-different"
    severity = Finding.Severity.ERROR


class AssessmentFactory(DjangoModelFactory):
    class Meta:
        model = Assessment

    evidence = factory.SubFactory(EvidenceFactory)
    reviewer = factory.SubFactory(UserFactory)
    support = Assessment.Support.FULL
    trust = Assessment.Trust.TRUSTED_PRIMARY


class VerdictFactory(DjangoModelFactory):
    class Meta:
        model = Verdict

    claim = factory.SubFactory(ClaimFactory)
    reviewer = factory.SubFactory(UserFactory)
    decision = Verdict.Decision.PASS


class SnoozeFactory(DjangoModelFactory):
    class Meta:
        model = Snooze

    claim = factory.SubFactory(ClaimFactory)
    reviewer = factory.SubFactory(UserFactory)
    until = factory.Faker("future_date")


class DefectFactory(DjangoModelFactory):
    class Meta:
        model = Defect

    project = factory.SelfAttribute("claim.project")
    claim = factory.SubFactory(ClaimFactory)
    reviewer = factory.SubFactory(UserFactory)
    code = "H1"
    severity = Defect.Severity.HARD
    text = "The number differs from the source."
    action = "Write 21.4 months."
