"""Routes and profiles that admins may change, and the pace that workers share."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from search import routes as rules
from sources.models.projects import language_tag
from sources.models.tables import TableRow

_slug = RegexValidator(r"^[a-z][a-z0-9_-]*\Z", _("Give lower-case letters, digits, - and _."))


def validate_lines(value: object) -> None:
    """Raise ValidationError unless it is a list of texts, none of them empty."""
    fits = isinstance(value, list) and all(
        isinstance(line, str) and 0 < len(line.strip()) <= 300 for line in value
    )
    if not fits:
        raise ValidationError(_("Give one a line, none of them empty."))


class Named(TableRow):
    """What routes and profiles share: a name for commands, and names for people."""

    slug = models.CharField(_("slug"), max_length=40, unique=True, validators=[_slug])
    name = models.CharField(_("name"), max_length=80)
    name_zh = models.CharField(_("Chinese name"), max_length=80, blank=True)
    position = models.PositiveSmallIntegerField(_("position"), default=100)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.slug

    @property
    def label(self) -> str:
        """The name in the reader's language."""
        chinese = (get_language() or "").startswith("zh")
        return (self.name_zh if chinese else "") or self.name


class Route(Named):
    """Which providers are asked for one kind of thing, and which when they fail."""

    class Mode(models.TextChoices):
        ACADEMIC = "academic", _("Academic")
        SCHOLAR = "scholar", _("Scholar")
        PATENTS = "patents", _("Patents")
        NEWS = "news", _("News")
        EXTRACT = "extract", _("Page")
        GENERAL = "general", _("General")
        DEEP = "deep", _("Grounded model")

    mode = models.CharField(_("mode of the receipt"), max_length=10, choices=Mode)
    first = models.JSONField(
        _("asked first"),
        default=list,
        validators=[validate_lines],
        help_text=_("All of them are asked: a provider, or a route with site:example.org."),
    )
    then = models.JSONField(
        _("then"),
        default=list,
        blank=True,
        validators=[validate_lines],
        help_text=_("Where none of the first answers: these in order, until one does."),
    )
    specialized = models.BooleanField(_("specialised"), default=False)
    strict = models.BooleanField(
        _("strict"),
        default=False,
        help_text=_("Fails loudly instead of asking the others, unless a person allows it."),
    )

    class Meta:
        verbose_name = _("route")
        verbose_name_plural = _("routes")
        ordering = ["position", "slug"]

    def clean(self) -> None:
        """Refuse steps that lead nowhere or back."""
        known = {*Route.objects.exclude(pk=self.pk).values_list("slug", flat=True), self.slug}
        problems: dict[str, Any] = {}
        for name in ("first", "then"):
            lines = getattr(self, name)
            for line in lines if isinstance(lines, list) else ():
                try:
                    rules.read_step(str(line), known)
                except rules.RouteError as fault:
                    problems.setdefault(name, []).append(fault.render(get_language() or "en"))
        if not self.first:
            problems.setdefault("first", []).append(_("Give one a line, none of them empty."))
        if problems:
            raise ValidationError(problems)
        rows = [*Route.objects.exclude(pk=self.pk), self]
        try:
            rules.check_book(book_of(rows, ()))
        except rules.RouteError as fault:
            raise ValidationError({"first": fault.render(get_language() or "en")}) from fault


class Profile(Named):
    """Routes that are followed together, under one name."""

    routes = models.JSONField(_("routes"), default=list, validators=[validate_lines])
    language = models.CharField(_("language"), max_length=35, blank=True, validators=[language_tag])

    class Meta:
        verbose_name = _("profile of routes")
        verbose_name_plural = _("profiles of routes")
        ordering = ["position", "slug"]

    def clean(self) -> None:
        """Refuse routes that are not there."""
        known = set(Route.objects.values_list("slug", flat=True))
        listed = self.routes if isinstance(self.routes, list) else []
        unknown = [str(slug) for slug in listed if slug not in known]
        if unknown or not listed:
            text = _("There is no such route: %(names)s.")
            names = {"names": ", ".join(unknown) or "–"}
            raise ValidationError({"routes": ValidationError(text, params=names)})


def book_of(routes: Any, profiles: Any) -> rules.Book:
    """Give rows as the rules read them. Raises RouteError."""
    rows = list(routes)
    known = {row.slug for row in rows}
    found = {}
    for row in rows:
        first, then = (
            tuple(rules.read_step(str(line), known) for line in lines)
            for lines in (row.first, row.then)
        )
        found[row.slug] = rules.Route(
            row.slug, row.mode, first, then, row.specialized, row.strict, row.version
        )
    sets = {
        row.slug: rules.Profile(row.slug, tuple(map(str, row.routes)), row.language, row.version)
        for row in profiles
    }
    return rules.Book(found, sets)


class ProviderPace(models.Model):
    """When the next request to a service may go, whichever worker sends it."""

    service = models.CharField(max_length=40, unique=True)
    next_at = models.DateTimeField()
    gap = models.FloatField(default=0)  # seconds that the service itself asks for

    class Meta:
        verbose_name = _("pace of a provider")
        verbose_name_plural = _("paces of providers")

    def __str__(self) -> str:
        return f"{self.service}: {self.next_at:%H:%M:%S}"
