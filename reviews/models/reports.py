"""Frozen review reports and who signed them off."""

import hashlib
import json
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from sources.models import Project, User
from sources.texts import blobs
from workbench.lib.blobs import BlobDamaged


class ReviewReport(models.Model):
    """The review of a project at a moment. Written once; a later one has the next number.

    Its content is the blob ``sha256``, so that the hash proves what was signed.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="review_reports")
    number = models.PositiveIntegerField()  # 1 is the project's first
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField(default=0)  # bytes of the content
    verdict = models.CharField(max_length=6)  # pass | revise, by rule
    head = models.JSONField(default=dict)  # the content without the claims
    pages = models.JSONField(default=list)  # [first byte, bytes, SHA-256] of each hundred claims
    chain_length = models.PositiveBigIntegerField(default=0)  # of the audit trail when built
    built_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    built_at = models.DateTimeField()

    class Meta:
        verbose_name = _("review report")
        verbose_name_plural = _("review reports")
        ordering = ["project", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="report_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.project_id} v{self.number}: {self.verdict}"

    def content(self) -> dict[str, Any]:
        """Read the whole report. Raises BlobError where the stored bytes are not those built."""
        return dict(json.loads(blobs().get_text(self.sha256)))

    def claims_page(self, number: int) -> list[dict[str, Any]]:
        """Read one page of claims, 0 the first. Raises BlobError if its bytes were changed."""
        if not 0 <= number < len(self.pages):
            return []
        start, size, sha256 = self.pages[number]
        data = blobs().get_part(self.sha256, start, size)
        if hashlib.sha256(data).hexdigest() != sha256:
            raise BlobDamaged(self.sha256)
        return list(json.loads(b"[" + data + b"]"))


class SignOff(models.Model):
    """One signature under one report."""

    class Role(models.TextChoices):
        LEAD = "lead", _("Lead")
        EDITOR = "editor", _("Editor")

    report = models.ForeignKey(ReviewReport, models.CASCADE, related_name="sign_offs")
    role = models.CharField(max_length=6, choices=Role)
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    note = models.TextField(blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("sign-off")
        verbose_name_plural = _("sign-offs")
        constraints = [
            models.UniqueConstraint(fields=["report", "role"], name="sign_off_once"),
            models.UniqueConstraint(fields=["report", "by"], name="sign_off_two_people"),
        ]

    def __str__(self) -> str:
        return f"{self.report_id} {self.role}"
