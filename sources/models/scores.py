"""What a source is worth: computed marks, people's overrides, and what checks raised."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .sources import Source


class Band(models.TextChoices):
    """What a source may carry. Rulebook section 2."""

    CORE = "core", _("Core")
    CORROBORATE = "corroborate", _("Corroborate")
    REFERENCE = "reference", _("Reference")
    DISCOVERY = "discovery", _("Discovery")


class Score(models.Model):
    """A computed score, never edited. Older ones stay as the history of a source.

    ``marks`` holds for each dimension, and for the tier, ``{"value", "rule", "facts", "more",
    "unknown"}``, and ``kind`` ``{"value", "content"}``; numbers in JSON are strings of decimals.
    """

    source = models.ForeignKey(Source, models.CASCADE, related_name="scores")
    current = models.BooleanField(default=True)
    marks = models.JSONField(default=dict)
    tier = models.PositiveSmallIntegerField()
    tier_rule = models.CharField(max_length=60)
    raw = models.DecimalField(max_digits=6, decimal_places=3)  # sum of the dimensions
    value = models.DecimalField(max_digits=6, decimal_places=3)  # after weight, cap, strong COI
    band = models.CharField(max_length=11, choices=Band)
    rubric_version = models.CharField(max_length=40)
    tables_version = models.PositiveBigIntegerField(default=0)  # highest TableChange
    facts_hash = models.CharField(max_length=64)  # of the facts, topic and date it rests on
    topic_type = models.CharField(max_length=12, blank=True)
    as_of = models.DateField()
    computed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("score")
        verbose_name_plural = _("scores")
        ordering = ["source", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["source"], condition=Q(current=True), name="one_current_score"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source_id}: {self.value}"


class Override(models.Model):
    """A person's replacement of an automatic value. The automatic value stays visible."""

    class Field(models.TextChoices):
        AUTHORITY = "authority", _("Authority")
        RECENCY = "recency", _("Recency")
        PRIMACY = "primacy", _("Primacy")
        VERIFIABILITY = "verifiability", _("Verifiability")
        COI = "coi", _("Conflict of interest")
        TIER = "tier", _("Tier")
        CLUSTER = "cluster", _("Cluster")
        TYPE = "type", _("Type")
        ACCESS_STATUS = "access_status", _("Access status")

    class State(models.TextChoices):
        WAITING = "waiting", _("Waits for a second person")
        ACTIVE = "active", _("Active")
        REFUSED = "refused", _("Refused")
        ENDED = "ended", _("Ended")  # undone, replaced or expired

    source = models.ForeignKey(Source, models.CASCADE, related_name="overrides")
    field = models.CharField(max_length=14, choices=Field)
    value = models.CharField(max_length=200)
    base = models.CharField(max_length=200)  # the automatic value when it was made
    base_changed = models.BooleanField(default=False)  # since; to be confirmed by a person
    reason = models.TextField()
    reason_code = models.CharField(max_length=40, blank=True)
    link = models.TextField(blank=True)
    until = models.DateField(null=True, blank=True)  # ends by itself after this day
    state = models.CharField(max_length=8, choices=State, default=State.ACTIVE)
    by = models.ForeignKey("sources.User", models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    second_by = models.ForeignKey("sources.User", models.PROTECT, null=True, related_name="+")
    second_at = models.DateTimeField(null=True)
    second_reason = models.TextField(blank=True)
    ended_at = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name = _("override")
        verbose_name_plural = _("overrides")
        ordering = ["source", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["source", "field"], condition=Q(state="active"), name="one_active_override"
            ),
            models.UniqueConstraint(
                fields=["source", "field"],
                condition=Q(state="waiting"),
                name="one_waiting_override",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source_id} {self.field} = {self.value} ({self.state})"


class SourceFinding(models.Model):
    """What a check raised about a source. A person confirms or dismisses it."""

    class State(models.TextChoices):
        OPEN = "open", _("Open")
        CONFIRMED = "confirmed", _("Confirmed")
        DISMISSED = "dismissed", _("Dismissed")
        OUTDATED = "outdated", _("Outdated")

    class Severity(models.TextChoices):
        ERROR = "error", _("Error")
        WARNING = "warning", _("Warning")
        INFO = "info", _("Note")

    source = models.ForeignKey(Source, models.CASCADE, related_name="findings")
    code = models.CharField(max_length=60)  # "score_mismatch", "unknown_authority"
    fingerprint = models.CharField(max_length=64)  # code and what it is about
    severity = models.CharField(max_length=8, choices=Severity)
    params = models.JSONField(default=dict, blank=True)  # fill the words of the code
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    decision = models.CharField(max_length=10, blank=True)  # stays while the finding is outdated
    facts_changed = models.BooleanField(default=False)
    decided_by = models.ForeignKey("sources.User", models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)
    reason = models.TextField(blank=True)
    version = models.PositiveIntegerField(default=1)
    raised_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("finding about a source")
        verbose_name_plural = _("findings about sources")
        ordering = ["source", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["source", "fingerprint"], name="source_finding_once"),
        ]
        indexes = [models.Index(fields=["code", "state"], name="source_finding_by_code")]

    def __str__(self) -> str:
        return f"{self.source_id} {self.code} ({self.state})"
