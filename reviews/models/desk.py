"""A reader's own state: drafts, frozen queues, saved views. Never part of the record."""

import secrets
from datetime import timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _

from sources.models import Project, User

CURSOR_LIFE = timedelta(hours=24)
CURSOR_SIZE = 5000  # ids frozen at once; at their end the next come by the same query


def short_key() -> str:
    return secrets.token_urlsafe(9)


class Draft(models.Model):
    """Text not yet saved: one for each user, claim, slot and form version."""

    user = models.ForeignKey(User, models.CASCADE, related_name="drafts")
    claim = models.ForeignKey("reviews.Claim", models.CASCADE, related_name="drafts")
    slot = models.CharField(max_length=60)  # "verdict", "finding:12"
    form_version = models.PositiveIntegerField(default=0)
    body = models.JSONField(default=dict)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("draft")
        constraints = [
            models.UniqueConstraint(fields=["user", "claim", "slot"], name="draft_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.claim_id} {self.slot}"


class QueueCursor(models.Model):
    """The order of a queue, frozen when it was opened; "next" walks it."""

    key = models.CharField(max_length=16, unique=True, default=short_key)
    user = models.ForeignKey(User, models.CASCADE, related_name="cursors")
    project = models.ForeignKey(Project, models.CASCADE, related_name="+")
    query = models.TextField(blank=True)
    sort = models.CharField(max_length=20, default="-risk")
    ids = models.JSONField(default=list)  # claim pks in order
    before = models.PositiveIntegerField(default=0)  # claims of the query in earlier stretches
    total = models.PositiveIntegerField(default=0)  # of the whole query
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["user", "-created_at"], name="cursor_by_user")]

    def __str__(self) -> str:
        return self.key


class SavedView(models.Model):
    """A named query of a list; private until shared."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="views")
    owner = models.ForeignKey(User, models.CASCADE, related_name="views")
    name = models.CharField(_("name"), max_length=80)
    list_name = models.CharField(max_length=20, default="claims")
    query = models.TextField(blank=True)
    sort = models.CharField(max_length=20, blank=True)
    shared = models.BooleanField(_("shared with the project"), default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("saved view")
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "owner", "list_name", "name"], name="view_name_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name
