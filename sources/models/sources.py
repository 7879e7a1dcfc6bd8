"""Cited sources, and the immutable texts captured of them."""

from decimal import Decimal
from typing import Self

from django.db import models
from django.db.models import Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from .projects import Project


class SourceQuerySet(models.QuerySet["Source"]):
    def for_project(self, project: Project) -> Self:
        return self.filter(project=project)


class Source(models.Model):
    """A citable record of a project, known by its external id."""

    class AccessStatus(models.TextChoices):
        """Formats section 1."""

        OPENED_ORIGINAL = "opened_original", _("Original opened")
        OPENED_ABSTRACT = "opened_abstract", _("Abstract opened")
        PAYWALLED = "paywalled", _("Behind a paywall")
        FAILED = "failed", _("Could not be opened")
        SNIPPET_ONLY = "snippet_only", _("Search snippet only")

    class Status(models.TextChoices):
        """Rulebook section 3."""

        CANDIDATE = "candidate", _("Candidate")
        ADMITTED = "admitted", _("Admitted")
        REJECTED = "rejected", pgettext_lazy("source", "Rejected")

    class Standing(models.TextChoices):
        """The most severe notice that stands; "not asked" is not "clean"."""

        NOT_ASKED = "not_asked", _("Not asked")
        CLEAN = "clean", _("No notice")
        CORRECTED = "corrected", _("Corrected")
        CONCERN = "concern", _("Expression of concern")
        RETRACTED = "retracted", _("Retracted")

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
    extra = models.JSONField(default=dict, blank=True)  # keys that no format names

    # Formats section 1, as read; ``given`` keeps a value whose reading differs from its writing.
    type = models.CharField(max_length=40, blank=True)  # journal | trial | regulatory | …
    source_type = models.CharField(max_length=40, blank=True)  # paper | regulator | …
    topic_type = models.CharField(max_length=12, blank=True)  # overrides the project's
    canonical_url = models.TextField(blank=True)
    canonical_key = models.CharField(max_length=64, blank=True)  # SHA-256 of it: a short index
    doi = models.CharField(max_length=300, blank=True)  # folded
    authors = models.JSONField(default=list, blank=True)
    year = models.SmallIntegerField(null=True, blank=True)
    venue = models.TextField(blank=True)
    impact_factor = models.DecimalField(max_digits=7, decimal_places=3, null=True, blank=True)
    accessed_at = models.CharField(max_length=100, blank=True)
    abstract = models.TextField(blank=True)
    key_data = models.JSONField(default=dict, blank=True)
    used_in = models.JSONField(default=list, blank=True)
    conflict_of_interest = models.TextField(blank=True)
    funding_statement = models.TextField(blank=True)
    disclosure = models.TextField(blank=True)
    coi_form = models.JSONField(default=dict, blank=True)  # answers, who, when
    strong_coi = models.BooleanField(default=False)
    access_status = models.CharField(max_length=20, choices=AccessStatus, blank=True)
    evidence_locator = models.TextField(blank=True)
    dead_link = models.BooleanField(default=False)
    failure_reason = models.TextField(blank=True)
    notes = models.TextField(blank=True)
    receipt_ids = models.JSONField(default=list, blank=True)
    stated = models.JSONField(default=dict, blank=True)  # score, tier, cluster, checks of the file
    given = models.JSONField(default=dict, blank=True)
    line_hash = models.CharField(max_length=64, blank=True)  # of its line of sources.jsonl, if any
    line_batch = models.ForeignKey(
        "sources.ImportBatch", models.SET_NULL, null=True, blank=True, related_name="+"
    )  # the import that brought that line

    # Kept by the work that computes them, so that a list needs no joins. Effective values.
    status = models.CharField(max_length=9, choices=Status, default=Status.CANDIDATE)
    tier = models.PositiveSmallIntegerField(null=True, blank=True)
    score = models.DecimalField(max_digits=6, decimal_places=3, null=True, blank=True)
    score_raw = models.DecimalField(max_digits=6, decimal_places=3, null=True, blank=True)
    # The score, or -100: a key to page by, never null.
    score_order = models.GeneratedField(
        expression=Coalesce("score", Value(Decimal(-100))),
        output_field=models.DecimalField(max_digits=6, decimal_places=3),
        db_persist=True,
    )
    band = models.CharField(max_length=11, blank=True)
    retraction = models.CharField(max_length=12, choices=Standing, default=Standing.NOT_ASKED)
    blacklist = models.CharField(max_length=20, blank=True)  # kind of the rule that blocks it
    judged_key = models.CharField(max_length=64, blank=True)  # of what its judgements rest on
    open_findings = models.PositiveSmallIntegerField(default=0)
    cluster = models.ForeignKey(
        "sources.Cluster", models.SET_NULL, null=True, blank=True, related_name="sources"
    )
    version = models.PositiveIntegerField(default=1)  # for conditional saves

    objects = SourceQuerySet.as_manager()

    class Meta:
        verbose_name = _("source")
        verbose_name_plural = _("sources")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["project", "external_id"], name="source_id_once"),
        ]
        indexes = [
            models.Index(fields=["project", "normalized_url"], name="source_by_url"),
            models.Index(fields=["project", "canonical_key"], name="source_by_canonical"),
            models.Index(fields=["project", "-score_order", "id"], name="source_by_score_order"),
            models.Index(fields=["project", "status", "id"], name="source_by_status"),
        ]

    def __str__(self) -> str:
        return self.title or self.external_id


class SourceIdentifier(models.Model):
    """One identifier of a source: scheme and folded value, such as ``nct`` NCT01234567."""

    source = models.ForeignKey(Source, models.CASCADE, related_name="identifiers")
    scheme = models.CharField(max_length=20)  # doi, pmid, pmcid, nct, patent, …
    value = models.CharField(max_length=300)
    found_in = models.CharField(max_length=40)  # the field that told

    class Meta:
        verbose_name = _("identifier")
        verbose_name_plural = _("identifiers")
        ordering = ["source", "scheme", "value"]
        constraints = [
            models.UniqueConstraint(
                fields=["source", "scheme", "value"], name="source_identifier_once"
            ),
        ]
        indexes = [models.Index(fields=["scheme", "value"], name="source_by_identifier")]

    def __str__(self) -> str:
        return f"{self.scheme}:{self.value}"


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
