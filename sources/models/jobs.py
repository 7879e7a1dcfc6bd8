"""Work in the background, and what an import brought. The row is the truth, a message a nudge."""

import uuid
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Self

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from .projects import Project

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from .people import User

# Above the longest silence of a living worker (a thread of it renews the lease every 10 s), short
# enough that work of a dead one is taken up while its user still waits.
LEASE = timedelta(seconds=60)
MAX_ATTEMPTS = 5
# A job that rests after a fault has its next nudge in the future; clocks of two machines that
# differ by less than this do not make a new job look like one.
CLOCK_SKEW = timedelta(seconds=5)


class JobQuerySet(models.QuerySet["Job"]):
    def visible_to(self, user: "User | AnonymousUser") -> Self:
        """Keep jobs of the user's projects, and the user's own that belong to no project.

        An admin sees all of the latter: they are the site's.
        """
        if not user.is_authenticated:
            return self.none()
        own = Q(project=None) if user.is_admin else Q(project=None, created_by=user)
        return self.filter(Q(project__in=Project.objects.visible_to(user)) | own)

    def claim(self, pk: int, *, now: datetime) -> "Job | None":
        """Take a job that is queued, or whose worker died; None if there is nothing to do."""
        due = Q(state=Job.State.QUEUED, nudged_at__lte=now + CLOCK_SKEW)
        free = due | Q(state=Job.State.RUNNING, beat_at__lt=now - LEASE)
        token = uuid.uuid4().hex
        taken = self.filter(free, pk=pk).update(
            state=Job.State.RUNNING,
            beat_at=now,
            started_at=now,
            token=token,
            attempts=F("attempts") + 1,
        )
        return self.get(pk=pk) if taken else None

    def lost(self, *, now: datetime, queued_for: timedelta = timedelta(seconds=20)) -> Self:
        """Keep jobs that need another nudge: queued too long, or their worker is silent."""
        silent = Q(state=Job.State.RUNNING, beat_at__lt=now - LEASE)
        return self.filter(Q(state=Job.State.QUEUED) | silent, nudged_at__lt=now - queued_for)


class Job(models.Model):
    """One piece of background work: queued, claimed under a lease, settled once."""

    class State(models.TextChoices):
        QUEUED = "queued", _("Queued")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")
        CANCELLED = "cancelled", _("Cancelled")

    project = models.ForeignKey(Project, models.CASCADE, null=True, related_name="jobs")
    kind = models.CharField(max_length=40)  # "import", "check"
    task = models.CharField(max_length=120)  # dotted name of the Celery task that does it
    args = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    stage = models.CharField(max_length=60, blank=True)  # "reading", "locating"
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    result = models.JSONField(default=dict, blank=True)
    error = models.TextField(blank=True)
    error_zh = models.TextField(blank=True)  # the same in Chinese; empty in rows of older versions
    attempts = models.PositiveSmallIntegerField(default=0)
    cancel_requested = models.BooleanField(default=False)
    token = models.CharField(max_length=32, blank=True)  # of the claim that holds it
    created_by = models.ForeignKey("sources.User", models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    nudged_at = models.DateTimeField(auto_now_add=True)  # last message, or when a rest ends
    started_at = models.DateTimeField(null=True)
    beat_at = models.DateTimeField(null=True)  # last sign of life of its worker
    finished_at = models.DateTimeField(null=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["state", "nudged_at"],
                name="job_unfinished",
                condition=Q(state__in=["queued", "running"]),
            ),
            models.Index(fields=["project", "-id"], name="job_by_project"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}: {self.state}"

    def error_in(self, language: str) -> str:
        """Give the error in a language, where it is kept in it."""
        return (self.error_zh if language.lower().startswith("zh") else "") or self.error

    @property
    def is_finished(self) -> bool:
        return self.state in {self.State.DONE, self.State.FAILED, self.State.CANCELLED}


class ImportMappingQuerySet(models.QuerySet["ImportMapping"]):
    def visible_to(self, user: "User | AnonymousUser") -> Self:
        """Keep mappings of the user's projects and of the whole site; all for an admin."""
        if not user.is_authenticated:
            return self.none()
        if user.is_admin:
            return self
        return self.filter(Q(project__in=Project.objects.visible_to(user)) | Q(project=None))

    def usable_in(self, project: Project | None) -> Self:
        """Keep mappings of a project and of the whole site; None for those of the site alone."""
        return self.filter(Q(project=project) | Q(project=None) if project else Q(project=None))

    def named(self, name: str, project: Project | None) -> "ImportMapping | None":
        """Give the mapping of a name: the project's own, else that of the whole site."""
        found = self.usable_in(project).filter(name=name)
        return found.order_by(F("project").asc(nulls_last=True)).first()


class ImportMapping(models.Model):
    """How the keys of a foreign ledger become ours, saved under a name.

    It belongs to the project in which it was saved; without one it is the whole site's, and an
    admin's to change.
    """

    project = models.ForeignKey(
        Project,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="mappings",
        verbose_name=_("project"),
        help_text=_("Empty: for the whole site."),
    )
    name = models.SlugField(_("name"), max_length=80)
    spec = models.JSONField(_("mapping"))
    created_by = models.ForeignKey("sources.User", models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ImportMappingQuerySet.as_manager()

    class Meta:
        verbose_name = _("import mapping")
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="mapping_name_once"),
            models.UniqueConstraint(
                fields=["name"], condition=Q(project=None), name="site_mapping_name_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ImportBatch(models.Model):
    """One upload of a report or ledger: what it held, what it changed, who decided."""

    class State(models.TextChoices):
        UPLOADED = "uploaded", _("Uploaded")
        CHECKED = "checked", _("Checked")
        REFUSED = "refused", _("Refused")
        IMPORTED = "imported", _("Imported")
        UNDONE = "undone", _("Undone")

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, models.CASCADE, related_name="batches")
    name = models.CharField(max_length=300)  # of the file or folder, as the user knows it
    path = models.TextField(blank=True)  # where it waits; emptied when it is done with
    sha256 = models.CharField(max_length=64, blank=True)  # of the upload, or of a folder's list
    size = models.PositiveBigIntegerField(default=0)
    dialect = models.CharField(max_length=40, blank=True)
    mapping = models.JSONField(null=True, blank=True)
    options = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.UPLOADED)
    report = models.JSONField(default=dict, blank=True)  # formats.md section 10
    by = models.ForeignKey("sources.User", models.PROTECT, null=True, related_name="+")
    check_job = models.ForeignKey(Job, models.SET_NULL, null=True, related_name="+")
    import_job = models.ForeignKey(Job, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    imported_at = models.DateTimeField(null=True)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("import")
        verbose_name_plural = _("imports")
        ordering = ["-pk"]
        constraints = [
            # Ten uploads of one file at once give one import and nine pointers to it.
            models.UniqueConstraint(
                fields=["project", "sha256"],
                condition=Q(state="imported"),
                name="one_import_of_an_upload",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} → {self.project_id}: {self.state}"


class ReportFile(models.Model):
    """A file of the report directory as it was imported, byte for byte."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="report_files")
    path = models.CharField(max_length=700)  # within the report directory
    sha256 = models.CharField(max_length=64)  # its blob
    size = models.PositiveBigIntegerField()
    batch = models.ForeignKey(ImportBatch, models.CASCADE, related_name="files")
    current = models.BooleanField(default=True)

    class Meta:
        verbose_name = _("report file")
        ordering = ["path"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "path"],
                condition=Q(current=True),
                name="one_current_file_at_a_path",
            ),
        ]

    def __str__(self) -> str:
        return self.path


class IdempotencyKey(models.Model):
    """A rendered form's key: the second post of it gives the first one's answer."""

    key = models.CharField(max_length=64)
    user = models.ForeignKey("sources.User", models.CASCADE, related_name="+")
    action = models.CharField(max_length=60)
    answer = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="idempotency_key_once"),
        ]

    def __str__(self) -> str:
        return self.key
