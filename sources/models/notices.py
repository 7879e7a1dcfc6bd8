"""What publishers and registries say of retracted, corrected and doubted works."""

from django.db import models
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from sources.retractions.words import silence_text

from .sources import Source


class NoticeProvider(models.TextChoices):
    RETRACTION_WATCH = "retraction_watch", "Retraction Watch"
    CROSSREF = "crossref", "Crossref"
    PUBMED = "pubmed", "PubMed"
    EUROPE_PMC = "europepmc", "Europe PMC"
    OPENALEX = "openalex", "OpenAlex"


class RetractionRecord(models.Model):
    """One provider's statement about one work. Statements of several stand side by side."""

    provider = models.CharField(max_length=16, choices=NoticeProvider)
    record_key = models.CharField(max_length=300)  # natural key within the provider
    doi = models.CharField(max_length=300, blank=True)  # of the work, folded
    pmid = models.CharField(max_length=20, blank=True)
    title = models.TextField(blank=True)
    journal = models.CharField(max_length=500, blank=True)
    nature = models.CharField(max_length=40)  # "retraction", "expression_of_concern", …
    stated_as = models.CharField(max_length=200, blank=True)  # the provider's own word
    noticed_on = models.CharField(max_length=10, blank=True)  # date with its precision
    notice_doi = models.CharField(max_length=300, blank=True)
    notice_pmid = models.CharField(max_length=20, blank=True)
    reasons = models.JSONField(default=list, blank=True)
    second_opinion = models.BooleanField(default=False)  # coarse: never decides alone
    raw = models.JSONField(default=dict, blank=True)
    content_hash = models.CharField(max_length=64, blank=True)  # of all that it says
    retrieved_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)  # the provider no longer says so

    class Meta:
        verbose_name = _("notice of a retraction")
        verbose_name_plural = _("notices of retractions")
        ordering = ["doi", "noticed_on"]
        constraints = [
            models.UniqueConstraint(fields=["provider", "record_key"], name="notice_once"),
        ]
        indexes = [
            models.Index(fields=["doi"], name="notice_by_doi"),
            models.Index(fields=["pmid"], name="notice_by_pmid"),
        ]

    def __str__(self) -> str:
        return f"{self.provider}: {self.nature} {self.doi or self.pmid}"


class RetractionCheck(models.Model):
    """When one provider was asked about one work, and whether it answered.

    "Not asked" is not "clean": a source without a row has not been asked about.
    """

    class Outcome(models.TextChoices):
        NOTHING = "nothing", _("Nothing said")
        NOTICES = "notices", _("Notices")
        UNKNOWN_WORK = "unknown_work", _("Does not know the work")
        FAILED = "failed", _("No answer")

    source = models.ForeignKey(Source, models.CASCADE, related_name="retraction_checks")
    provider = models.CharField(max_length=16, choices=NoticeProvider)
    asked_for = models.CharField(max_length=320)  # "doi:10.…" or "pmid:…"
    outcome = models.CharField(max_length=12, choices=Outcome)
    detail = models.CharField(max_length=500, blank=True)  # why there was no answer
    asked_at = models.DateTimeField()

    class Meta:
        verbose_name = _("check for retraction")
        verbose_name_plural = _("checks for retraction")
        ordering = ["source", "provider"]
        constraints = [
            models.UniqueConstraint(fields=["source", "provider"], name="retraction_check_once"),
        ]

    def __str__(self) -> str:
        return f"{self.source_id} {self.provider}: {self.outcome}"

    @property
    def said(self) -> str:
        """Why there was no answer, in the reader's language; "" where there was one."""
        # Here, since the door loads the HTTP client, which web pages can do without.
        from workbench.lib.http.words import WORDS

        return silence_text(self.detail, WORDS, get_language() or "en")


class NoticeAcknowledgement(models.Model):
    """A person has seen a notice about a source of a project and says why it may stay."""

    source = models.ForeignKey(Source, models.CASCADE, related_name="acknowledgements")
    notice = models.ForeignKey(RetractionRecord, models.CASCADE, related_name="acknowledgements")
    reason = models.TextField()
    by = models.ForeignKey("sources.User", models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("acknowledged notice")
        verbose_name_plural = _("acknowledged notices")
        ordering = ["source", "-pk"]

    def __str__(self) -> str:
        return f"{self.source_id}: {self.notice_id}"


class NoticeBatch(models.Model):
    """One reading of a provider's whole table: what it held, what it changed, who brought it."""

    class State(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("import of notices", "Waiting")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        REFUSED = "refused", pgettext_lazy("import of notices", "Refused")

    provider = models.CharField(max_length=16, choices=NoticeProvider)
    name = models.CharField(max_length=300)  # of the file, as the user knows it
    path = models.TextField(blank=True)  # where it lies while it is read
    sha256 = models.CharField(max_length=64, blank=True)
    options = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    counts = models.JSONField(default=dict, blank=True)  # rows, new, changed, same, withdrawn, …
    problems = models.JSONField(default=list, blank=True)  # of rows, the first ones
    by = models.ForeignKey("sources.User", models.PROTECT, null=True, related_name="+")
    job = models.ForeignKey("sources.Job", models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("import of notices")
        verbose_name_plural = _("imports of notices")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.provider}: {self.name} ({self.state})"


class NoticeChange(models.Model):
    """What a table said otherwise than before. Written once, never changed."""

    class Kind(models.TextChoices):
        CHANGED = "changed", pgettext_lazy("notice", "Changed")
        WITHDRAWN = "withdrawn", pgettext_lazy("notice", "Withdrawn")
        RETURNED = "returned", pgettext_lazy("notice", "Returned")

    batch = models.ForeignKey(NoticeBatch, models.CASCADE, related_name="changes")
    record_key = models.CharField(max_length=300)
    kind = models.CharField(max_length=9, choices=Kind)
    old = models.JSONField(null=True)  # what it said of nature, date, work and notice
    new = models.JSONField(null=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("change of a notice")
        verbose_name_plural = _("changes of notices")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["record_key"], name="notice_change_by_record")]

    def __str__(self) -> str:
        return f"{self.record_key}: {self.kind}"


class ProviderPause(models.Model):
    """Until when a provider is not asked: its allowance is spent, or it does not answer."""

    provider = models.CharField(max_length=40, unique=True)  # slug
    until = models.DateTimeField()
    reason = models.CharField(max_length=300)
    since = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("pause of a provider")
        verbose_name_plural = _("pauses of providers")

    def __str__(self) -> str:
        return f"{self.provider}: {self.until:%Y-%m-%d %H:%M}"
