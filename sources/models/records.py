"""The audit trail: append-only, chained by hash for each project."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from .projects import Project


class AuditChain(models.Model):
    """The end of a project's chain; locked while an event is added."""

    project = models.OneToOneField(Project, models.CASCADE, related_name="chain", primary_key=True)
    length = models.PositiveBigIntegerField(default=0)
    last_hash = models.CharField(max_length=64, default="0" * 64)

    def __str__(self) -> str:
        return f"{self.project_id}: {self.length}"


class AuditEvent(models.Model):
    """One thing somebody did. Written once by ``sources.recording``, never changed."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="events")
    number = models.PositiveBigIntegerField()  # 1 is the first of the project
    at = models.DateTimeField(_("when"))
    client_at = models.DateTimeField(null=True)
    user = models.ForeignKey("sources.User", models.PROTECT, null=True, related_name="+")
    actor = models.CharField(_("who"), max_length=150)  # user name, or "engine"
    action = models.CharField(_("action"), max_length=60)  # "verdict.given"
    object_type = models.CharField(max_length=40)
    object_id = models.CharField(max_length=300)  # external id where there is one
    old = models.JSONField(null=True)
    new = models.JSONField(null=True)
    reason = models.TextField(blank=True)
    rule_version = models.CharField(max_length=40, blank=True)
    request_id = models.CharField(max_length=64, blank=True)
    batch_id = models.CharField(max_length=64, blank=True)
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("audit event")
        verbose_name_plural = _("audit events")
        ordering = ["project", "number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="event_number_once"),
        ]
        indexes = [
            models.Index(fields=["project", "object_type", "object_id"], name="event_by_object"),
            models.Index(fields=["request_id"], name="event_by_request"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.actor} {self.action} {self.object_id}"
