"""Cited sources, and the immutable texts captured of them."""

from typing import Self

from django.db import models
from django.utils.translation import gettext_lazy as _

from .projects import Project


class SourceQuerySet(models.QuerySet["Source"]):
    def for_project(self, project: Project) -> Self:
        return self.filter(project=project)


class Source(models.Model):
    """A citable record of a project, known by its external id."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="sources")
    external_id = models.CharField(max_length=500)
    raw_id = models.CharField(max_length=500)  # as in the file, before scoping by file
    origin = models.CharField(max_length=500, blank=True)  # the file it came from
    url = models.TextField(blank=True)  # as given, even where it is no address
    normalized_url = models.TextField(blank=True)  # formats.md section 5; empty: not normal
    title = models.TextField(blank=True)
    titles = models.JSONField(default=list, blank=True)  # every title the files gave it
    quality = models.CharField(max_length=100, blank=True)  # as declared, never corrected
    published_at = models.CharField(max_length=100, blank=True)  # as given: "2026-Q1", "2025-02"
    content_hash = models.CharField(max_length=64)
    batch = models.ForeignKey(
        "sources.ImportBatch", models.SET_NULL, null=True, related_name="sources"
    )
    extra = models.JSONField(default=dict, blank=True)

    objects = SourceQuerySet.as_manager()

    class Meta:
        verbose_name = _("source")
        verbose_name_plural = _("sources")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["project", "external_id"], name="source_id_once"),
        ]
        indexes = [models.Index(fields=["project", "normalized_url"], name="source_by_url")]

    def __str__(self) -> str:
        return self.title or self.external_id


class SnapshotQuerySet(models.QuerySet["Snapshot"]):
    def versions_of(self, project: Project, normalized_url: str) -> Self:
        """Give every stored version of an address, the oldest first."""
        return self.filter(project=project, normalized_url=normalized_url).order_by("pk")


class Snapshot(models.Model):
    """The immutable text of one URL at one moment, addressed by its content hash.

    The text itself is the blob ``content_hash``; offsets everywhere are its code points.
    Versions of one URL are rows that share ``url_hash``.
    """

    class Depth(models.TextChoices):
        FULL = "full", _("Full text")
        ABSTRACT_ONLY = "abstract_only", _("Abstract only")
        PAYWALL = "paywall", _("Behind a paywall")
        ERROR_PAGE = "error_page", _("Error page")
        CAPTCHA = "captcha", _("Robot check")
        TOO_SHORT = "too_short", _("Too short")
        NO_TEXT = "no_text", _("No text")

    project = models.ForeignKey(Project, models.CASCADE, related_name="snapshots")
    url_hash = models.CharField(max_length=64)
    content_hash = models.CharField(max_length=64)
    normalized_url = models.TextField()
    depth = models.CharField(max_length=14, choices=Depth, default=Depth.FULL)
    depth_reason = models.CharField(max_length=300, blank=True)  # the rule or words that told
    characters = models.PositiveIntegerField(default=0)  # code points
    captured_at = models.DateTimeField(null=True, blank=True)
    meta = models.JSONField(default=dict, blank=True)  # as in .meta.json, and unknown keys
    batch = models.ForeignKey(
        "sources.ImportBatch", models.SET_NULL, null=True, related_name="snapshots"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = SnapshotQuerySet.as_manager()

    class Meta:
        verbose_name = _("snapshot")
        verbose_name_plural = _("snapshots")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "url_hash", "content_hash"], name="snapshot_version_once"
            ),
        ]
        indexes = [
            models.Index(fields=["project", "content_hash"], name="snapshot_by_content"),
        ]

    def __str__(self) -> str:
        return f"{self.normalized_url} · {self.content_hash[:12]}"

    @property
    def ref(self) -> str:
        """Its name in a source cache. Formats section 5."""
        return f"source_cache/{self.url_hash}/{self.content_hash}.md"
