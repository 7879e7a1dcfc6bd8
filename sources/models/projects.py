"""A piece of research, its dimensions and their key questions."""

from typing import TYPE_CHECKING, Self

from django.core.validators import MaxValueValidator, RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from .people import User

language_tag = RegexValidator(
    r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$", _("Give a language tag such as en or zh-Hans.")
)


class ProjectQuerySet(models.QuerySet["Project"]):
    def visible_to(self, user: "User | AnonymousUser") -> Self:
        """Keep the projects that the user is a member of; all for an admin."""
        if not user.is_authenticated:
            return self.none()
        if user.is_admin:
            return self
        return self.filter(pk__in=user.memberships.values("project"))


class Project(models.Model):
    """One piece of research under review. Rulebook section 1."""

    class TopicType(models.TextChoices):
        MARKET = "market", _("Market")
        REGULATORY = "regulatory", _("Regulatory")
        CLINICAL = "clinical", _("Clinical")
        MECHANISM = "mechanism", _("Mechanism")
        POLICY = "policy", _("Policy")
        HISTORICAL = "historical", _("Historical")

    slug = models.SlugField(_("slug"), max_length=80, unique=True)
    title = models.CharField(_("title"), max_length=300)
    question = models.TextField(_("original query"))
    language = models.CharField(
        _("language"), max_length=35, validators=[language_tag], help_text=_("BCP 47, as zh-Hans")
    )
    primary_subject = models.CharField(_("primary subject"), max_length=300, blank=True)
    time_frame_start = models.DateField(_("time frame from"), null=True, blank=True)
    time_frame_end = models.DateField(_("time frame to"), null=True, blank=True)
    topic_type = models.CharField(_("topic type"), max_length=12, choices=TopicType, blank=True)
    as_of = models.DateField(_("as of"), null=True, blank=True)
    report_urls = models.JSONField(
        _("addresses of the report itself"), default=list, blank=True
    )  # a source that is the report proves nothing
    sealed_share = models.PositiveSmallIntegerField(
        _("sealed share, per cent"),
        default=20,
        validators=[MaxValueValidator(100)],
        help_text=_("Share of claims that are judged before the machine's view is shown."),
    )
    created_by = models.ForeignKey(
        "sources.User", models.PROTECT, null=True, related_name="+", editable=False
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ProjectQuerySet.as_manager()

    class Meta:
        verbose_name = _("project")
        verbose_name_plural = _("projects")
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.title


class Dimension(models.Model):
    """A part of the research, such as ``d1`` or ``ch03.sec2``."""

    class Nature(models.TextChoices):
        CONTESTED = "contested", _("Contested")
        DESCRIPTIVE = "descriptive", _("Descriptive")

    project = models.ForeignKey(Project, models.CASCADE, related_name="dimensions")
    external_id = models.CharField(max_length=200)
    name = models.CharField(max_length=500, blank=True)
    headline = models.TextField(blank=True)
    depth = models.CharField(max_length=20, blank=True)
    nature = models.CharField(max_length=12, choices=Nature, default=Nature.CONTESTED)
    topic_type = models.CharField(max_length=12, choices=Project.TopicType, blank=True)
    position = models.PositiveIntegerField(default=0)
    key_findings = models.JSONField(default=list, blank=True)
    writing_context = models.JSONField(default=list, blank=True)
    file_path = models.CharField(max_length=500, blank=True)  # its evidence file in the report
    extra = models.JSONField(default=dict, blank=True)

    class Meta:
        verbose_name = _("dimension")
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["project", "external_id"], name="dimension_id_once"),
        ]

    def __str__(self) -> str:
        return f"{self.external_id} {self.name}".strip()


class KeyQuestion(models.Model):
    """A question that a dimension must answer, such as ``kq1``."""

    dimension = models.ForeignKey(Dimension, models.CASCADE, related_name="key_questions")
    external_id = models.CharField(max_length=200)
    text = models.TextField(blank=True)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("key question")
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["dimension", "external_id"], name="key_question_id_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.external_id} {self.text}".strip()
