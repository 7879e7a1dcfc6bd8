"""What a project's searches found, each thing once: what a person screens. Rulebook section 6."""

from typing import TYPE_CHECKING, Self

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from sources.models import Dimension, Project, Rejection, Source

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from sources.models import User


class RecordQuerySet(models.QuerySet["Record"]):
    def for_project(self, project: Project) -> Self:
        return self.filter(project=project)

    def visible_to(self, user: "User | AnonymousUser") -> Self:
        """Keep records of the user's projects."""
        return self.filter(project__in=Project.objects.visible_to(user))


class Record(models.Model):
    """One thing that searches found, however often: the results that name it point here.

    ``results`` keep what each search said; the texts here are those of the first that had any.
    """

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("record", "To screen")
        KEPT = "kept", pgettext_lazy("record", "Kept")
        DOWN = "down", pgettext_lazy("record", "Ranked down")
        DROPPED = "dropped", pgettext_lazy("record", "Dropped")
        DUPLICATE = "duplicate", pgettext_lazy("record", "Duplicate")

    class Level(models.TextChoices):
        """How far down: rulebook section 5."""

        D1 = "D1", "D1"
        D2 = "D2", "D2"
        D3 = "D3", "D3"

    project = models.ForeignKey(Project, models.CASCADE, related_name="records")
    title = models.TextField(blank=True)
    url = models.TextField(blank=True)
    canonical_url = models.TextField(blank=True)
    snippet = models.TextField(blank=True)
    published = models.CharField(max_length=10, blank=True)  # "2010", "2010-02", "2010-02-06"
    venue = models.TextField(blank=True)
    authors = models.JSONField(default=list, blank=True)
    doi = models.CharField(max_length=300, blank=True)
    standing = models.CharField(max_length=12, blank=True)  # the worst that a provider said
    is_lead = models.BooleanField(default=False)  # every result that names it is a lead
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    level = models.CharField(max_length=2, choices=Level, blank=True)
    reason_code = models.CharField(max_length=40, blank=True)
    reason = models.TextField(blank=True)
    # What the machine proposes; it stays beside whatever a person decides.
    proposed_state = models.CharField(max_length=9, choices=State, blank=True)
    proposed_code = models.CharField(max_length=40, blank=True)
    proposed_facts = models.JSONField(default=dict, blank=True)
    by = models.ForeignKey(  # nobody: the machine decided, or nothing is decided
        "sources.User",
        models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("screened by"),
    )
    decided_at = models.DateTimeField(null=True)
    duplicate_of = models.ForeignKey("self", models.SET_NULL, null=True, related_name="duplicates")
    source = models.ForeignKey(Source, models.SET_NULL, null=True, related_name="records")
    rejection = models.ForeignKey(Rejection, models.SET_NULL, null=True, related_name="+")
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = RecordQuerySet.as_manager()

    class Meta:
        verbose_name = _("record")
        verbose_name_plural = _("records")
        ordering = ["project", "pk"]
        indexes = [models.Index(fields=["project", "state", "id"], name="record_by_state")]

    def __str__(self) -> str:
        return self.title or self.url or str(self.pk)


class RecordKey(models.Model):
    """One thing by which a record is recognised: an identifier, or its canonical address."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="+")
    record = models.ForeignKey(Record, models.CASCADE, related_name="keys")
    key = models.CharField(max_length=64)  # SHA-256 of scheme and value

    class Meta:
        verbose_name = _("key of a record")
        verbose_name_plural = _("keys of records")
        constraints = [
            models.UniqueConstraint(fields=["project", "key"], name="record_key_once"),
        ]

    def __str__(self) -> str:
        return self.key


class Gap(models.Model):
    """Why a cell of the matrix of searches may stay empty: a person's coded reason."""

    class Code(models.TextChoices):
        NOT_APPLICABLE = "not_applicable", _("This round does not apply here")
        NOTHING_EXISTS = "nothing_exists", _("Searched elsewhere, nothing exists")
        NONE_NEWER = "none_newer", _("Nothing newer than what is kept")
        OUT_OF_REACH = "out_of_reach", _("The service cannot be reached from here")
        BLOCKED = "blocked", _("Waits for another dimension")
        OTHER = "other", pgettext_lazy("gap", "Another reason")

    project = models.ForeignKey(Project, models.CASCADE, related_name="search_gaps")
    dimension = models.ForeignKey(Dimension, models.CASCADE, null=True, related_name="search_gaps")
    round = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=20, choices=Code)
    reason = models.TextField(blank=True)
    by = models.ForeignKey("sources.User", models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)  # taken back, or replaced by another

    class Meta:
        verbose_name = _("reason of an empty cell")
        verbose_name_plural = _("reasons of empty cells")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.dimension_id or '–'} R{self.round}: {self.code}"
