"""What admins know of journals, publishers, hosts and evaluated companies. Rows, not code."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from sources.scoring.names import fold_host, fold_issn, fold_name

from .projects import Project

_POINTS = (MinValueValidator(0), MaxValueValidator(3))
_TIERS = (MinValueValidator(1), MaxValueValidator(4))
_LONGEST = 300  # characters of a name


def validate_names(value: object) -> None:
    """Raise ValidationError unless it is a list of names."""
    fits = isinstance(value, list) and all(
        isinstance(name, str) and len(name.strip()) > 0 and len(name) <= _LONGEST for name in value
    )
    if not fits:
        raise ValidationError(_("Give a list of names, none of them empty."))


def validate_issns(value: object) -> None:
    """Raise ValidationError unless it is a list of ISSNs."""
    validate_names(value)
    for issn in value if isinstance(value, list) else ():
        if not fold_issn(issn):
            raise ValidationError(_("“%(issn)s” is no ISSN."), params={"issn": issn})


def validate_hosts(value: object) -> None:
    """Raise ValidationError unless it is a list of hosts."""
    validate_names(value)
    for host in value if isinstance(value, list) else ():
        _validate_host(host)


def _validate_host(host: str) -> None:
    key = fold_host(host)
    if "." not in key or any(sign in key for sign in "/:@?# "):
        raise ValidationError(
            _("“%(host)s” is no host. Give it without https:// and path."), params={"host": host}
        )


class SourceType(models.TextChoices):
    """Formats section 1, ``source_type``."""

    PAPER = "paper", _("Paper")
    REGULATOR = "regulator", _("Regulator")
    TRIAL_REGISTRY = "trial_registry", _("Trial registry")
    PATENT = "patent", _("Patent")
    FILING = "filing", _("Filing")
    DATABASE = "database", _("Database")
    CONSULTING = "consulting", _("Consulting")
    MEDIA = "media", _("Media")
    OTHER = "other", _("Other")


class PublisherClass(models.TextChoices):
    """What a publisher or host is, as the authority table of rulebook section 2 sees it."""

    REGULATOR = "regulator", _("Regulator")
    EXCHANGE = "exchange", _("Stock exchange or securities regulator")
    REGISTRY = "registry", _("Trial registry")
    PATENT_OFFICE = "patent_office", _("Patent office or database")
    JOURNAL = "journal", _("Journal or index of journals")
    TOP_CONSULTING = "top_consulting", _("Top consulting")
    DATA_VENDOR = "data_vendor", _("Market data vendor")
    BROKER = "broker", _("Broker")
    ASSOCIATION = "association", _("Industry association")
    PROFESSIONAL_MEDIA = "professional_media", _("Professional media")
    PREPRINT = "preprint", _("Preprint server")
    CONFERENCE = "conference", _("Conference abstracts")
    COMPANY = "company", _("Company")
    ACADEMIC = "academic", _("University or institute")
    GOVERNMENT = "government", _("Government")
    SELF_MEDIA = "self_media", _("Self-media")
    ENCYCLOPEDIA = "encyclopedia", _("Wikipedia and the like")
    OTHER = "other", _("Other")


class TableRow(models.Model):
    """What every row of a site table carries: who changed it last, and when."""

    note = models.TextField(_("note"), blank=True)
    version = models.PositiveIntegerField(default=1, editable=False)
    changed_by = models.ForeignKey(
        "sources.User", models.PROTECT, null=True, blank=True, related_name="+", editable=False
    )
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True

    def _refuse_double(self, key_field: str, shown_field: str) -> None:
        """Raise ValidationError if another row has the same folded name."""
        key = {key_field: getattr(self, key_field)}
        others = type(self)._default_manager.exclude(pk=self.pk).filter(**key)
        if (other := others.first()) is not None:
            text = _("“%(row)s” is in the table already.")
            raise ValidationError({shown_field: ValidationError(text, params={"row": other})})


class Journal(TableRow):
    """A journal. An impact factor entered by an admin stands above the authority band."""

    title = models.CharField(_("title"), max_length=300)
    title_key = models.CharField(max_length=300, unique=True, editable=False)  # folded title
    issns = models.JSONField(_("ISSNs"), default=list, blank=True, validators=[validate_issns])
    aliases = models.JSONField(
        _("other names"), default=list, blank=True, validators=[validate_names]
    )
    impact_factor = models.DecimalField(
        _("impact factor"),
        max_digits=7,
        decimal_places=3,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
    )
    impact_year = models.PositiveSmallIntegerField(_("year of the figure"), null=True, blank=True)
    impact_source = models.CharField(_("source of the figure"), max_length=300, blank=True)
    authority_band = models.DecimalField(
        _("authority band"),
        max_digits=2,
        decimal_places=1,
        null=True,
        blank=True,
        validators=_POINTS,
    )  # points, 0 to 3, where no figure is known
    tier = models.PositiveSmallIntegerField(
        _("tier"), null=True, blank=True, validators=_TIERS
    )  # empty: what the rule for articles gives

    class Meta:
        verbose_name = _("journal")
        verbose_name_plural = _("journals")
        ordering = ["title"]

    def __str__(self) -> str:
        return self.title

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save with the folded title."""
        self.title_key = fold_name(self.title)[:_LONGEST]
        super().save(*args, **kwargs)

    def clean(self) -> None:
        """Refuse a title that folds to nothing or to that of another row."""
        self.title_key = fold_name(self.title)[:_LONGEST]
        if not self.title_key:
            raise ValidationError({"title": _("The title has no letters.")})
        self._refuse_double("title_key", "title")


class Publisher(TableRow):
    """A publishing body, by its names."""

    name = models.CharField(_("name"), max_length=300)
    name_key = models.CharField(max_length=300, unique=True, editable=False)
    aliases = models.JSONField(
        _("other names"), default=list, blank=True, validators=[validate_names]
    )
    publisher_class = models.CharField(_("class"), max_length=20, choices=PublisherClass)
    tier = models.PositiveSmallIntegerField(_("tier"), null=True, blank=True, validators=_TIERS)
    authority = models.DecimalField(
        _("authority"), max_digits=2, decimal_places=1, null=True, blank=True, validators=_POINTS
    )  # points; empty: what its class gives

    class Meta:
        verbose_name = _("publisher")
        verbose_name_plural = _("publishers")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save with the folded name."""
        self.name_key = fold_name(self.name)[:_LONGEST]
        super().save(*args, **kwargs)

    def clean(self) -> None:
        """Refuse a name that folds to nothing or to that of another row."""
        self.name_key = fold_name(self.name)[:_LONGEST]
        if not self.name_key:
            raise ValidationError({"name": _("The name has no letters.")})
        self._refuse_double("name_key", "name")


class Domain(TableRow):
    """A host, or a path of one, and what is published there: platform rules too."""

    host = models.CharField(_("host"), max_length=255)  # lower case, A-labels
    path_prefix = models.CharField(_("path begins with"), max_length=300, blank=True)
    with_subdomains = models.BooleanField(_("and its subdomains"), default=True)
    publisher = models.ForeignKey(
        Publisher, models.SET_NULL, null=True, blank=True, related_name="domains"
    )
    publisher_class = models.CharField(_("class"), max_length=20, choices=PublisherClass)
    tier = models.PositiveSmallIntegerField(_("tier"), null=True, blank=True, validators=_TIERS)
    authority = models.DecimalField(
        _("authority"), max_digits=2, decimal_places=1, null=True, blank=True, validators=_POINTS
    )
    source_type = models.CharField(
        _("source type"), max_length=20, choices=SourceType, blank=True
    )  # "Google Patents is a patent source"

    class Meta:
        verbose_name = _("domain")
        verbose_name_plural = _("domains")
        ordering = ["host", "path_prefix"]
        constraints = [
            models.UniqueConstraint(fields=["host", "path_prefix"], name="domain_once"),
        ]

    def __str__(self) -> str:
        return self.host + self.path_prefix

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save with the host as it is compared."""
        self.host = fold_host(self.host) or self.host
        super().save(*args, **kwargs)

    def clean(self) -> None:
        """Refuse what is no host, and a path that does not begin with a slash."""
        _validate_host_of(self)
        if self.path_prefix and not self.path_prefix.startswith("/"):
            raise ValidationError({"path_prefix": _("A path begins with a slash.")})


def _validate_host_of(row: Domain) -> None:
    try:
        _validate_host(row.host)
    except ValidationError as fault:
        raise ValidationError({"host": fault}) from fault
    row.host = fold_host(row.host)


class Subject(TableRow):
    """A company or product that a project evaluates: what it says of itself is no third party."""

    class Kind(models.TextChoices):
        COMPANY = "company", _("Company")
        PRODUCT = "product", _("Product")

    project = models.ForeignKey(Project, models.CASCADE, related_name="subjects")
    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    name = models.CharField(_("name"), max_length=300)
    aliases = models.JSONField(
        _("other names"), default=list, blank=True, validators=[validate_names]
    )
    domains = models.JSONField(
        _("its hosts"), default=list, blank=True, validators=[validate_hosts]
    )

    class Meta:
        verbose_name = _("evaluated company or product")
        verbose_name_plural = _("evaluated companies and products")
        ordering = ["project", "name"]
        constraints = [
            models.UniqueConstraint(fields=["project", "kind", "name"], name="subject_once"),
        ]

    def __str__(self) -> str:
        return self.name


class TableChange(models.Model):
    """One change of a site table or a blacklist rule: who, when, from what to what.

    The highest number is the version of the tables that a score rests on.
    """

    table = models.CharField(max_length=40)  # "journal", "blacklistrule"
    row_key = models.CharField(max_length=400)  # natural key, stays when the row is gone
    old = models.JSONField(null=True)
    new = models.JSONField(null=True)
    reason = models.TextField(blank=True)
    by = models.ForeignKey("sources.User", models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    batch_id = models.CharField(max_length=64, blank=True)

    class Meta:
        verbose_name = _("change of a table")
        verbose_name_plural = _("changes of tables")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["table", "row_key"], name="change_by_row")]

    def __str__(self) -> str:
        return f"{self.table} {self.row_key}"
