"""What may not be used: rules, what they hit, and what a person lifted for one source."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .projects import Project
from .sources import Source


class BlacklistRule(models.Model):
    """A rule of rulebook section 4: draft, then its impact is looked at, then active."""

    class Kind(models.TextChoices):
        DOMAIN = "blacklist_domain", _("Blacklisted place")
        PRESS_COPY = "press_copy", _("Press copy")
        STALE = "stale", _("Out of date")
        WIKIPEDIA = "wikipedia", _("Wikipedia")
        ANONYMOUS = "anonymous", _("Anonymous")
        RETRACTED = "retracted", _("Retracted")

    class Scope(models.TextChoices):
        EXACT = "exact", _("This address")
        PREFIX = "prefix", _("Path begins with")
        HOST = "host", _("Host")
        HOST_AND_SUBDOMAINS = "host_and_subdomains", _("Host and subdomains")
        PUBLISHER = "publisher", _("Publisher")
        DOI_PREFIX = "doi_prefix", _("DOI begins with")
        TITLE_WORDS = "title_words", _("Words in the title")
        JUDGED = "judged", _("Facts of the source")

    class Effect(models.TextChoices):
        BLOCK = "block", _("Block")
        DOWNRANK = "downrank", _("Downrank")
        WARN = "warn", _("Warn")
        ALLOW = "allow", _("Allow")

    class Unless(models.TextChoices):
        """A fact about a source under which the rule does not hit it."""

        SIGNED = "signed", _("an author is named")
        VERIFIED_EXPERT = "verified_expert", _("the author is a named, verified expert")
        ORIGINAL = "original", _("the platform marks it as original")
        KNOWN_PUBLISHER = "known_publisher", _("its publisher stands in the table of publishers")

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        WAITING = "waiting", _("Waits for a second admin")
        ACTIVE = "active", _("Active")
        OFF = "off", _("Switched off")

    kind = models.CharField(_("kind"), max_length=20, choices=Kind, default=Kind.DOMAIN)
    scope = models.CharField(_("scope"), max_length=20, choices=Scope)
    pattern = models.TextField(_("pattern"))  # as entered
    pattern_key = models.CharField(max_length=600, editable=False)  # as compared
    effect = models.CharField(_("effect"), max_length=8, choices=Effect, default=Effect.BLOCK)
    level = models.CharField(_("level"), max_length=2, blank=True)  # D1 to D3 of a downrank
    unless = models.CharField(_("unless"), max_length=20, choices=Unless, blank=True)
    reason = models.TextField(_("reason"))
    evidence_link = models.TextField(_("link to the evidence"), blank=True)
    owner = models.ForeignKey("sources.User", models.PROTECT, null=True, related_name="+")
    review_on = models.DateField(_("look at it again on"), null=True, blank=True)
    ends_on = models.DateField(_("ends after"), null=True, blank=True)
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.DRAFT)
    created_by = models.ForeignKey("sources.User", models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    asked_by = models.ForeignKey("sources.User", models.PROTECT, null=True, related_name="+")
    asked_at = models.DateTimeField(null=True)  # since when it waits for a second admin
    activated_by = models.ForeignKey("sources.User", models.PROTECT, null=True, related_name="+")
    activated_at = models.DateTimeField(null=True)
    impact = models.JSONField(default=dict, blank=True)  # what it would hit, when last looked at
    impact_at = models.DateTimeField(null=True)
    hits = models.PositiveIntegerField(default=0)
    last_hit_at = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name = _("blacklist rule")
        verbose_name_plural = _("blacklist rules")
        ordering = ["pattern_key", "scope"]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "scope", "pattern_key"],
                condition=Q(state="active"),
                name="active_rule_once",
            ),
        ]
        indexes = [models.Index(fields=["state", "scope"], name="blacklist_by_state")]

    def __str__(self) -> str:
        return f"{self.effect} {self.scope} {self.pattern}"


class BlacklistHit(models.Model):
    """One source that a rule hit, as long as it does; the log of what the rule did."""

    rule = models.ForeignKey(BlacklistRule, models.CASCADE, related_name="hit_rows")
    source = models.ForeignKey(Source, models.CASCADE, related_name="blacklist_hits")
    effect = models.CharField(max_length=8, choices=BlacklistRule.Effect)
    matched = models.JSONField(default=dict)  # facts that fired, and the trace
    rules_version = models.PositiveBigIntegerField(default=0)  # highest TableChange of a rule
    at = models.DateTimeField(auto_now_add=True)
    current = models.BooleanField(default=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("hit of a blacklist rule")
        verbose_name_plural = _("hits of blacklist rules")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["rule", "source"], condition=Q(current=True), name="blacklist_hit_once"
            ),
        ]
        indexes = [models.Index(fields=["rule", "at"], name="blacklist_hit_by_rule")]

    def __str__(self) -> str:
        return f"{self.rule_id} hits {self.source_id}"


class BlacklistLift(models.Model):
    """A person's decision that a hit does not hold for one source."""

    source = models.ForeignKey(Source, models.CASCADE, related_name="blacklist_lifts")
    kind = models.CharField(max_length=20, choices=BlacklistRule.Kind)
    rule = models.ForeignKey(BlacklistRule, models.SET_NULL, null=True, related_name="lifts")
    reason = models.TextField()
    by = models.ForeignKey("sources.User", models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("lifted hit")
        verbose_name_plural = _("lifted hits")
        ordering = ["source", "-pk"]

    def __str__(self) -> str:
        return f"{self.source_id} {self.kind} lifted"


class Rejection(models.Model):
    """What was turned away: rule, reason, receipt, who. One line of rejected_sources.jsonl."""

    class State(models.TextChoices):
        STANDING = "standing", _("Standing")
        REOPENED = "reopened", _("Re-opened")

    project = models.ForeignKey(Project, models.CASCADE, related_name="rejections")
    source = models.ForeignKey(Source, models.SET_NULL, null=True, related_name="rejections")
    external_id = models.CharField(max_length=500, blank=True)  # of the source
    title = models.TextField(blank=True)
    url = models.TextField(blank=True)
    rule = models.CharField(max_length=40)  # "low_score", "retracted", "blacklist_domain"
    reason = models.TextField(blank=True)
    facts = models.JSONField(default=dict, blank=True)  # what the rule read
    receipt_ids = models.JSONField(default=list, blank=True)
    score = models.DecimalField(max_digits=6, decimal_places=3, null=True)
    rejected_at = models.DateTimeField()
    rejected_by = models.CharField(max_length=150)  # "engine" or a user name
    record = models.JSONField(default=dict, blank=True)  # the line as it came, if it came by file
    content_hash = models.CharField(max_length=64, blank=True)  # of that line
    extra = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=8, choices=State, default=State.STANDING)
    reopened_by = models.ForeignKey("sources.User", models.PROTECT, null=True, related_name="+")
    reopened_at = models.DateTimeField(null=True)
    reopen_reason = models.TextField(blank=True)
    batch = models.ForeignKey(
        "sources.ImportBatch", models.SET_NULL, null=True, related_name="rejections"
    )
    version = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name = _("rejection")
        verbose_name_plural = _("rejections")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["source"],
                condition=Q(state="standing") & Q(source__isnull=False),
                name="one_standing_rejection",
            ),
        ]
        indexes = [models.Index(fields=["project", "rule"], name="rejection_by_rule")]

    def __str__(self) -> str:
        return f"{self.external_id or self.url}: {self.rule}"
