"""Searches and openings of pages: each leaves one immutable receipt, its calls and results."""

from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from sources.models import Dimension, ImportBatch, Job, Project

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from sources.models import User


class Immutable(models.Model):
    """A row that is written once."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert it. A row that is there is never changed."""
        if not self._state.adding:
            raise TypeError(f"A {self._meta.model_name} is written once.")
        super().save(*args, **kwargs)


class ReceiptQuerySet(models.QuerySet["Receipt"]):
    def for_project(self, project: Project) -> Self:
        return self.filter(project=project)

    def visible_to(self, user: "User | AnonymousUser") -> Self:
        """Keep receipts of the user's projects."""
        return self.filter(project__in=Project.objects.visible_to(user))

    def of_job(self, job: Job) -> Self:
        """Keep what a run has asked already, in order."""
        return self.filter(job=job).order_by("pk")


class Receipt(Immutable):
    """One search or opened URL, with its outcome: a line of search_log.jsonl. Formats section 2.

    Written once. A source names its receipts by ``external_id``.
    """

    class Status(models.TextChoices):
        OK = "ok", _("Answered")
        PARTIAL = "partial", _("Answered in part")
        FAILED = "failed", _("Failed")

    project = models.ForeignKey(Project, models.CASCADE, related_name="receipts")
    external_id = models.CharField(max_length=200)  # "srch_0001"
    at = models.DateTimeField(null=True)
    tool = models.CharField(max_length=40, blank=True)
    mode = models.CharField(max_length=40, blank=True)
    query_or_url = models.TextField(blank=True)
    purpose = models.TextField(blank=True)
    result_count = models.PositiveIntegerField(null=True)
    opened_urls = models.JSONField(default=list, blank=True)
    status = models.CharField(max_length=20, blank=True)
    failure_reason = models.TextField(blank=True)
    route = models.CharField(max_length=40, blank=True)
    provider = models.CharField(max_length=40, blank=True)
    profile = models.CharField(max_length=80, blank=True)
    round = models.PositiveSmallIntegerField(null=True)
    language = models.CharField(max_length=35, blank=True)
    fallback_of = models.CharField(max_length=200, blank=True)
    given = models.JSONField(default=dict, blank=True)  # values whose reading differs
    extra = models.JSONField(default=dict, blank=True)
    content_hash = models.CharField(max_length=64)
    batch = models.ForeignKey(ImportBatch, models.SET_NULL, null=True, related_name="receipts")
    # Of our own searches; empty in lines that were imported.
    job = models.ForeignKey(Job, models.SET_NULL, null=True, related_name="receipts")
    step = models.CharField(max_length=120, blank=True)  # its place in the run
    dimension = models.ForeignKey(Dimension, models.SET_NULL, null=True, related_name="receipts")
    request = models.JSONField(default=dict, blank=True)  # limits and options, for a replay
    said = models.JSONField(default=dict, blank=True)  # by the provider, of the search
    result_hash = models.CharField(max_length=64, blank=True)  # of the results in their order
    routes_version = models.PositiveIntegerField(default=0)
    by = models.ForeignKey(
        "sources.User",
        models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("searched by"),
    )
    replay_of = models.ForeignKey("self", models.SET_NULL, null=True, related_name="replays")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ReceiptQuerySet.as_manager()

    class Meta:
        verbose_name = _("receipt")
        verbose_name_plural = _("receipts")
        ordering = ["project", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["project", "external_id"], name="receipt_id_once"),
            # A run that is taken up again asks nothing twice.
            models.UniqueConstraint(
                fields=["job", "step"], condition=Q(job__isnull=False), name="step_of_a_run_once"
            ),
        ]

    def __str__(self) -> str:
        return self.external_id

    @property
    def status_word(self) -> str:
        """Its status for people; one of an imported line that is none of ours as it is written."""
        return str(dict(self.Status.choices).get(self.status, self.status))


class Call(Immutable):
    """One request of a search and what came back. Holds no key: a request only names its own."""

    receipt = models.ForeignKey(Receipt, models.CASCADE, related_name="calls")
    number = models.PositiveSmallIntegerField()  # from 1, in the order they were sent
    attempt = models.PositiveSmallIntegerField(default=1)
    service = models.CharField(max_length=40)
    method = models.CharField(max_length=4)
    url = models.TextField()
    body = models.TextField(blank=True)
    at = models.DateTimeField()
    ms = models.PositiveIntegerField(default=0)
    status = models.PositiveSmallIntegerField(null=True)  # of HTTP; none where nothing came
    outcome = models.CharField(max_length=20)  # "ok", or the code of the error
    error = models.TextField(blank=True)  # redacted
    response_hash = models.CharField(max_length=64, blank=True)
    response_bytes = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("call")
        verbose_name_plural = _("calls")
        ordering = ["receipt", "number"]
        constraints = [
            models.UniqueConstraint(fields=["receipt", "number"], name="call_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.receipt_id}/{self.number}"


class ResultQuerySet(models.QuerySet["Result"]):
    def for_project(self, project: Project) -> Self:
        return self.filter(receipt__project=project)

    def visible_to(self, user: "User | AnonymousUser") -> Self:
        """Keep results of the user's projects."""
        return self.filter(receipt__project__in=Project.objects.visible_to(user))


class Result(models.Model):
    """One result, normalised. Providers, section 0.6."""

    receipt = models.ForeignKey(Receipt, models.CASCADE, related_name="results")
    rank = models.PositiveIntegerField()
    provider = models.CharField(max_length=40)
    title = models.TextField(blank=True)
    url = models.TextField(blank=True)
    canonical_url = models.TextField(blank=True)
    snippet = models.TextField(blank=True)
    published = models.CharField(max_length=10, blank=True)  # "2010", "2010-02", "2010-02-06"
    authors = models.JSONField(default=list, blank=True)
    venue = models.TextField(blank=True)
    doi = models.CharField(max_length=300, blank=True)
    pmid = models.CharField(max_length=12, blank=True)
    pmcid = models.CharField(max_length=20, blank=True)
    cited_by = models.PositiveIntegerField(null=True)
    patent_number = models.CharField(max_length=40, blank=True)
    trial_id = models.CharField(max_length=40, blank=True)
    raw_id = models.CharField(max_length=200, blank=True)
    standing = models.CharField(max_length=12, blank=True)  # as the provider says
    # Of a fallback or a model: admitted only after the first provider or the original has it.
    is_lead = models.BooleanField(default=False)
    record = models.ForeignKey(
        "search.Record", models.SET_NULL, null=True, related_name="results"
    )  # what it is, whichever searches found it

    objects = ResultQuerySet.as_manager()

    class Meta:
        verbose_name = _("result")
        verbose_name_plural = _("results")
        ordering = ["receipt", "rank"]
        constraints = [
            models.UniqueConstraint(fields=["receipt", "rank"], name="result_rank_once"),
        ]
        indexes = [models.Index(fields=["doi"], name="result_by_doi", condition=~Q(doi=""))]

    def __str__(self) -> str:
        return f"{self.receipt_id}/{self.rank}"
