"""What came of asking for a page, and how each host wants to be asked."""

from typing import Self

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from .jobs import Job
from .projects import Project
from .sources import Snapshot


class CaptureQuerySet(models.QuerySet["Capture"]):
    def of(self, project: Project, normalized_url: str) -> Self:
        """Give what came of asking for an address in a project, the latest first."""
        return self.filter(project=project, normalized_url=normalized_url).order_by("-pk")


class Capture(models.Model):
    """One answer to one fetch, or why there was none. Never changed once it is written.

    The bytes are the blob ``raw_hash``; what was read of them beside the text is ``found``.
    """

    class Outcome(models.TextChoices):
        OPEN = "open", pgettext_lazy("fetch", "Fetched")
        BLOCKED = "blocked", pgettext_lazy("fetch", "Blocked")
        GONE = "gone", pgettext_lazy("fetch", "Gone")
        UNKNOWN = "unknown", pgettext_lazy("fetch", "Unknown")
        REFUSED = "refused", pgettext_lazy("fetch", "Not fetched by us")

    project = models.ForeignKey(Project, models.CASCADE, related_name="captures")
    # A job writes one capture, however often it is run.
    job = models.OneToOneField(Job, models.SET_NULL, null=True, related_name="capture")
    snapshot = models.ForeignKey(
        Snapshot, models.CASCADE, null=True, blank=True, related_name="captures"
    )
    normalized_url = models.TextField()  # as asked; formats.md section 5
    url_hash = models.CharField(max_length=64)
    outcome = models.CharField(max_length=8, choices=Outcome)
    code = models.CharField(max_length=40, blank=True)  # why, where it is not open
    detail = models.CharField(max_length=300, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)  # of the last answer
    hops = models.JSONField(default=list, blank=True)  # [address, status], redirects first
    headers = models.JSONField(default=list, blank=True)  # [name, value] of the last answer
    address = models.CharField(max_length=45, blank=True)  # numeric, of the last host dialled
    raw_hash = models.CharField(max_length=64, blank=True)  # of the body, decoded of its coding
    raw_bytes = models.PositiveIntegerField(default=0)
    found = models.JSONField(default=dict, blank=True)  # what extraction gave beside the text
    archived_url = models.TextField(blank=True)  # a copy proposed for what is gone
    archived_at = models.CharField(max_length=10, blank=True)  # its day
    fetched_at = models.DateTimeField()

    objects = CaptureQuerySet.as_manager()

    class Meta:
        verbose_name = _("capture")
        verbose_name_plural = _("captures")
        ordering = ["pk"]
        indexes = [models.Index(fields=["project", "url_hash"], name="capture_by_url")]

    def __str__(self) -> str:
        return f"{self.normalized_url} · {self.outcome}"

    @property
    def final_url(self) -> str:
        """Where the redirects ended."""
        return self.hops[-1][0] if self.hops else self.normalized_url


class FetchHost(models.Model):
    """When a host may be asked next, whichever worker asks, and what its robots.txt says."""

    host = models.CharField(max_length=300, unique=True)  # with its port
    next_at = models.DateTimeField()
    robots = models.TextField(blank=True)
    robots_at = models.DateTimeField(null=True, blank=True)  # when it was read

    class Meta:
        verbose_name = _("host that is fetched from")
        verbose_name_plural = _("hosts that are fetched from")

    def __str__(self) -> str:
        return self.host
