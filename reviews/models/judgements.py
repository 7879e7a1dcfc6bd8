"""What people decided: assessments of evidence, verdicts on claims, defects."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from sources.models import Dimension, Project, User

from .claims import Claim, Evidence, Finding


class Assessment(models.Model):
    """One reviewer's judgement of one piece of evidence. Rulebook section 7, A1 and A2."""

    class Support(models.TextChoices):
        FULL = "full", _("full")
        PARTIAL = "partial", _("partly")
        NONE = "none", _("none")
        CONTRADICTS = "contradicts", _("contradicts")

    class Trust(models.TextChoices):
        TRUSTED_PRIMARY = "trusted_primary", _("trusted primary")
        PROFESSIONAL_SECONDARY = "professional_secondary", _("professional secondary")
        WEAK_UNTRUSTED = "weak_untrusted", _("weak, untrusted")
        UNUSABLE = "unusable", _("unusable")

    class Aspect(models.TextChoices):
        """What fails where support is below full."""

        SUBJECT = "subject", _("subject")
        CONDITION = "condition", _("reference or condition")
        NUMBER = "number", _("number")
        DATE = "date", _("date")
        SCOPE = "scope", _("scope")
        GEOGRAPHY = "geography", _("geography or industry")
        COMPARATOR = "comparator", _("comparator")
        CAUSE = "cause", _("cause")
        UNCERTAINTY = "uncertainty", _("uncertainty")

    class Outcome(models.TextChoices):
        """Of the independent verification of a weak source (A4)."""

        VERIFIED = "verified", _("verified")
        PARTIALLY_VERIFIED = "partially_verified", _("partially verified")
        UNVERIFIED = "unverified", _("unverified")
        CONTRADICTED = "contradicted", _("contradicted")

    evidence = models.ForeignKey(Evidence, models.CASCADE, related_name="assessments")
    reviewer = models.ForeignKey(User, models.PROTECT, related_name="assessments")
    support = models.CharField(max_length=12, choices=Support, blank=True)
    trust = models.CharField(max_length=24, choices=Trust, blank=True)
    aspects = models.JSONField(default=list, blank=True)
    start = models.PositiveIntegerField(null=True)  # a passage set by hand, code points
    end = models.PositiveIntegerField(null=True)
    outcome = models.CharField(max_length=20, choices=Outcome, blank=True)
    outcome_note = models.TextField(blank=True)  # what was looked at, with addresses
    note = models.TextField(blank=True)
    claim_version = models.PositiveIntegerField(default=1)  # whose text it was judged against
    stale = models.BooleanField(default=False)
    stale_reason = models.CharField(max_length=300, blank=True)
    version = models.PositiveIntegerField(default=1)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("assessment")
        constraints = [
            models.UniqueConstraint(fields=["evidence", "reviewer"], name="assessment_once"),
            models.CheckConstraint(
                condition=Q(start__isnull=True, end__isnull=True) | Q(start__lt=models.F("end")),
                name="assessment_passage_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.evidence_id} {self.support} {self.trust}"


class Verdict(models.Model):
    """One reviewer's decision on one claim. Empty decision: withdrawn, kept for its history."""

    class Decision(models.TextChoices):
        PASS = "pass", _("Pass")
        REVISE = "revise", _("Revise")
        CANNOT_JUDGE = "cannot_judge", _("Cannot judge")

    claim = models.ForeignKey(Claim, models.CASCADE, related_name="verdicts")
    reviewer = models.ForeignKey(User, models.PROTECT, related_name="verdicts")
    decision = models.CharField(max_length=12, choices=Decision, blank=True)
    provisional = models.CharField(max_length=12, choices=Decision, blank=True)  # before reveal
    revealed_at = models.DateTimeField(null=True, blank=True)
    note = models.TextField(blank=True)
    claim_version = models.PositiveIntegerField(default=1)  # what it rests on
    stale = models.BooleanField(default=False)
    stale_reason = models.CharField(max_length=300, blank=True)
    active_ms = models.PositiveIntegerField(default=0)  # metrics.md section 2
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("verdict")
        verbose_name_plural = _("verdicts")
        ordering = ["-updated_at"]
        constraints = [
            models.UniqueConstraint(fields=["claim", "reviewer"], name="verdict_once"),
        ]
        indexes = [models.Index(fields=["reviewer", "-updated_at"], name="verdict_by_reviewer")]

    def __str__(self) -> str:
        return f"{self.claim_id} {self.decision}"


class Snooze(models.Model):
    """A reviewer puts a claim off until a date: no verdict."""

    claim = models.ForeignKey(Claim, models.CASCADE, related_name="snoozes")
    reviewer = models.ForeignKey(User, models.CASCADE, related_name="snoozes")
    until = models.DateField()
    note = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("snooze")
        constraints = [
            models.UniqueConstraint(fields=["claim", "reviewer"], name="snooze_once"),
        ]

    def __str__(self) -> str:
        return f"{self.claim_id} → {self.until}"


class Defect(models.Model):
    """A problem in the review file. Recorded by a person, hence confirmed. Rulebook section 7."""

    class Severity(models.TextChoices):
        HARD = "hard", _("Hard defect")
        SUGGESTION = "suggestion", _("Suggestion")

    class State(models.TextChoices):
        OPEN = "open", _("Open")
        RESOLVED = "resolved", _("Resolved")
        REJECTED = "rejected", _("Rejected")

    project = models.ForeignKey(Project, models.CASCADE, related_name="defects")
    claim = models.ForeignKey(Claim, models.CASCADE, null=True, related_name="defects")
    dimension = models.ForeignKey(Dimension, models.SET_NULL, null=True, related_name="defects")
    evidence = models.ForeignKey(Evidence, models.SET_NULL, null=True, related_name="+")
    finding = models.ForeignKey(Finding, models.SET_NULL, null=True, related_name="defects")
    reviewer = models.ForeignKey(User, models.PROTECT, related_name="defects")
    code = models.CharField(max_length=20)  # H1…H9, S1…S4, or a project's own
    severity = models.CharField(max_length=10, choices=Severity)
    severity_reason = models.TextField(blank=True)  # where it differs from what is proposed
    text = models.TextField(blank=True)  # what is wrong
    action = models.TextField(blank=True)  # the smallest change that clears it
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    state_reason = models.TextField(blank=True)
    withdrawn = models.BooleanField(default=False)  # undone by its reviewer; kept for history
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("defect")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["claim", "reviewer", "code"],
                condition=Q(withdrawn=False, claim__isnull=False),
                name="defect_code_once",
            ),
        ]
        indexes = [models.Index(fields=["project", "severity", "state"], name="defect_by_state")]

    def __str__(self) -> str:
        return f"{self.code} {self.severity} ({self.state})"
