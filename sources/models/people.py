"""Who works here, and in what role."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _

from workbench.lib.showing import language_of


class User(AbstractUser):
    """A person with a sign-in, and how the screens should look to that person."""

    class Theme(models.TextChoices):
        AUTO = "auto", _("As the system")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    language = models.CharField(
        _("language"),
        max_length=10,
        blank=True,
        choices=[("en", "English"), ("zh-hans", "简体中文")],
        help_text=_("Of the screens. Empty: the browser's."),
    )
    theme = models.CharField(_("theme"), max_length=5, choices=Theme, default=Theme.AUTO)
    text_size = models.PositiveSmallIntegerField(_("text size"), default=100)  # per cent
    hints_done = models.JSONField(default=list, blank=True, editable=False)  # ids of seen hints
    pane_split = models.PositiveSmallIntegerField(default=42, editable=False)  # per cent, audit

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")

    def get_full_name(self) -> str:
        """Give the name in its own order: the family name first where it is in Chinese."""
        if language_of(self.last_name + self.first_name) == "zh":
            return self.last_name + self.first_name
        return super().get_full_name()

    @property
    def is_admin(self) -> bool:
        """Whether the person has the site role ``admin``."""
        return bool(self.is_active and self.is_superuser)


class Membership(models.Model):
    """One role of one person in one project; a person may hold several."""

    class Role(models.TextChoices):
        REVIEWER = "reviewer", _("Reviewer")
        EDITOR = "editor", _("Editor")
        LEAD = "lead", _("Lead")

    project = models.ForeignKey(
        "sources.Project", models.CASCADE, related_name="memberships", verbose_name=_("project")
    )
    user = models.ForeignKey(
        User, models.CASCADE, related_name="memberships", verbose_name=_("user")
    )
    role = models.CharField(_("role"), max_length=10, choices=Role)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = [
            models.UniqueConstraint(
                fields=["project", "user", "role"], name="membership_role_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.get_role_display()} · {self.project}"
