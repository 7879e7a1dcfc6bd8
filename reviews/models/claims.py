"""Claims, their evidence as located, and what the checks raised."""

from typing import Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from sources.models import Dimension, ImportBatch, KeyQuestion, Project, Snapshot, Source


class ClaimQuerySet(models.QuerySet["Claim"]):
    def for_project(self, project: Project) -> Self:
        """Keep the claims of the current report; those that a later import dropped stay away."""
        return self.filter(project=project, current=True)


class Claim(models.Model):
    """An assertion of the report. Its public id is ``external_id`` (``d1.c5``)."""

    class State(models.TextChoices):
        """Where its audit stands, over all reviewers; kept by ``reviews.standing``."""

        OPEN = "open", _("Open")
        DONE = "done", _("Done")
        STALE = "stale", _("Stale")
        CONFLICT = "conflict", _("Conflict")

    project = models.ForeignKey(Project, models.CASCADE, related_name="claims")
    dimension = models.ForeignKey(Dimension, models.SET_NULL, null=True, related_name="claims")
    key_question = models.ForeignKey(KeyQuestion, models.SET_NULL, null=True, related_name="claims")
    external_id = models.CharField(max_length=300)
    raw_id = models.CharField(max_length=300, blank=True)  # as in the file, before scoping
    origin = models.CharField(max_length=500, blank=True)  # the file it came from
    position = models.PositiveIntegerField(default=0)  # order in the report, from 1
    text = models.TextField()
    kind = models.CharField(max_length=100, blank=True)  # factual | interpretive | projective
    polarity = models.CharField(max_length=100, blank=True)
    topic_tag = models.CharField(max_length=300, blank=True)
    is_key = models.BooleanField(default=False)
    key_reason = models.CharField(max_length=500, blank=True)
    violations = models.JSONField(default=list, blank=True)  # contract rules it breaks
    context = models.JSONField(default=dict, blank=True)  # report sentence around it, if found
    content_hash = models.CharField(max_length=64)  # of the claim and its evidence as imported
    version = models.PositiveIntegerField(default=1)  # raised when an import changes it
    current = models.BooleanField(default=True)
    batch = models.ForeignKey(ImportBatch, models.SET_NULL, null=True, related_name="claims")
    extra = models.JSONField(default=dict, blank=True)

    risk = models.FloatField(null=True)  # text.md section 4; None: no checkable text
    risk_terms = models.JSONField(default=dict, blank=True)
    # Risk, -1 without one, or in the sealed sample a place that tells nothing: see ``sealing``.
    risk_order = models.FloatField(default=-1.0)
    seal = models.BigIntegerField(default=0)  # ``sealing.seal_of``: low ones are sealed first
    passages = models.JSONField(default=list, blank=True)  # ranked, for evidence without quote
    checked_at = models.DateTimeField(null=True)
    sources_hash = models.CharField(max_length=64, blank=True)  # of what checks read of its sources

    # Kept by the actions in the same transaction, so that a list needs no joins.
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    open_errors = models.PositiveSmallIntegerField(default=0)
    open_warnings = models.PositiveSmallIntegerField(default=0)
    hard_defects = models.PositiveSmallIntegerField(default=0)
    summary = models.JSONField(default=dict, blank=True)  # what a list row shows

    objects = ClaimQuerySet.as_manager()

    class Meta:
        verbose_name = _("claim")
        verbose_name_plural = _("claims")
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["project", "external_id"], name="claim_id_once"),
        ]
        indexes = [
            models.Index(
                fields=["project", "-risk_order", "id"],
                name="claim_by_risk",
                condition=Q(current=True),
            ),
            models.Index(
                fields=["project", "position", "id"],
                name="claim_by_position",
                condition=Q(current=True),
            ),
            # Not partial: counting by state then never looks at a row.
            models.Index(fields=["project", "current", "state"], name="claim_by_state"),
        ]

    def __str__(self) -> str:
        return self.external_id


class ClaimVersion(models.Model):
    """What a claim said before an import changed it."""

    claim = models.ForeignKey(Claim, models.CASCADE, related_name="versions")
    version = models.PositiveIntegerField()
    content = models.JSONField()  # the claim's fields and evidence as they were
    content_hash = models.CharField(max_length=64)
    batch = models.ForeignKey(ImportBatch, models.SET_NULL, null=True, related_name="+")
    replaced_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["claim", "version"]
        constraints = [
            models.UniqueConstraint(fields=["claim", "version"], name="claim_version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.claim_id} v{self.version}"


class Evidence(models.Model):
    """One quoted or paraphrased support of a claim, located in one snapshot.

    Offsets are code points of the snapshot's text, half-open. An item that an import drops stays
    with ``current=False``: judgements rest on it.
    """

    class Grade(models.TextChoices):
        """Text.md section 2."""

        EXACT = "exact", _("exact")
        NORMALISED = "normalised", _("normalised")
        INTERLEAVED = "interleaved", _("interleaved")
        PARTIAL = "partial", _("partial")
        SCRIPT = "script", _("other script")
        ABSENT = "absent", _("absent")
        NOT_CHECKABLE = "not_checkable", _("not checkable")

    claim = models.ForeignKey(Claim, models.CASCADE, related_name="evidence")
    source = models.ForeignKey(Source, models.SET_NULL, null=True, related_name="evidence")
    snapshot = models.ForeignKey(Snapshot, models.SET_NULL, null=True, related_name="evidence")
    position = models.PositiveIntegerField()  # 1 is the first of its claim
    current = models.BooleanField(default=True)
    source_ref = models.CharField(max_length=500, blank=True)  # the id that the file gave
    snippet = models.TextField(blank=True)
    quote_type = models.CharField(max_length=100, blank=True)  # direct | paraphrase | numeric
    snapshot_ref = models.TextField(blank=True)  # as given, even where nothing answers to it
    content_hash = models.CharField(max_length=64)
    batch = models.ForeignKey(ImportBatch, models.SET_NULL, null=True, related_name="+")
    extra = models.JSONField(default=dict, blank=True)

    grade = models.CharField(max_length=14, choices=Grade, default=Grade.NOT_CHECKABLE)
    grade_reason = models.CharField(max_length=100, blank=True)  # why it is not checkable
    start = models.PositiveIntegerField(null=True)
    end = models.PositiveIntegerField(null=True)
    location = models.JSONField(default=dict, blank=True)  # occurrences, folded, gaps, flags
    ledger = models.JSONField(default=list, blank=True)  # rows of the number ledger
    support_proposal = models.CharField(max_length=12, blank=True)
    trust_proposal = models.CharField(max_length=24, blank=True)
    proposal_reasons = models.JSONField(default=list, blank=True)
    located_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("evidence")
        verbose_name_plural = _("evidence")
        ordering = ["claim", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["claim", "position"],
                condition=Q(current=True),
                name="evidence_position_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.claim_id} #{self.position}"


class Finding(models.Model):
    """What a check raised. A person confirms or dismisses it; a machine never does."""

    class State(models.TextChoices):
        OPEN = "open", _("Open")
        CONFIRMED = "confirmed", _("Confirmed")
        DISMISSED = "dismissed", _("Dismissed")
        OUTDATED = "outdated", _("Outdated")

    class Severity(models.TextChoices):
        ERROR = "error", _("Error")
        WARNING = "warning", _("Warning")
        INFO = "info", pgettext_lazy("severity", "Note")

    claim = models.ForeignKey(Claim, models.CASCADE, related_name="findings")
    evidence = models.ForeignKey(Evidence, models.CASCADE, null=True, related_name="findings")
    fingerprint = models.CharField(max_length=64)  # check, code, evidence, place
    check_id = models.CharField(max_length=60)
    check_version = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=80)
    severity = models.CharField(max_length=8, choices=Severity)
    params = models.JSONField(default=dict, blank=True)  # fill the check's message
    place = models.CharField(max_length=300, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    facts_changed = models.BooleanField(default=False)  # since a person decided
    decided_by = models.ForeignKey(
        "sources.User", models.PROTECT, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    decision = models.CharField(max_length=10, blank=True)  # kept while the finding is outdated
    reason = models.TextField(blank=True)
    version = models.PositiveIntegerField(default=1)  # for conditional saves
    raised_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("finding")
        verbose_name_plural = _("findings")
        ordering = ["claim", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["claim", "fingerprint"], name="finding_once"),
        ]
        indexes = [models.Index(fields=["check_id", "state"], name="finding_by_check")]

    def __str__(self) -> str:
        return f"{self.code} ({self.state})"
