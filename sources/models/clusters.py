"""Sources that share one origin. Rulebook section 3, ``same_origin``."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .projects import Project


class Cluster(models.Model):
    """An independence cluster of a project, such as K7. A source is in one at most."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="clusters")
    name = models.CharField(max_length=200)  # "K7", or as the file named it
    origin = models.ForeignKey(
        "sources.Source", models.SET_NULL, null=True, blank=True, related_name="+"
    )
    origin_chosen = models.BooleanField(default=False)  # by a person: proposals leave it alone
    locked = models.BooleanField(default=False)  # proposals leave it alone
    created_by = models.ForeignKey("sources.User", models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name = _("independence cluster")
        verbose_name_plural = _("independence clusters")
        ordering = ["project", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="cluster_name_once"),
        ]

    def __str__(self) -> str:
        return self.name


class ClusterLink(models.Model):
    """Why two sources are thought to share an origin, or why a person says they do not."""

    class State(models.TextChoices):
        PROPOSED = "proposed", _("Proposed")
        JOINED = "joined", _("Joined by a person")
        APART = "apart", _("Kept apart by a person")

    project = models.ForeignKey(Project, models.CASCADE, related_name="cluster_links")
    first = models.ForeignKey("sources.Source", models.CASCADE, related_name="+")
    second = models.ForeignKey("sources.Source", models.CASCADE, related_name="+")
    state = models.CharField(max_length=8, choices=State, default=State.PROPOSED)
    rule = models.CharField(max_length=40, blank=True)  # "same_registry_id", "near_identical"
    facts = models.JSONField(default=dict, blank=True)  # the id, the share, the reprint line
    reason = models.TextField(blank=True)
    by = models.ForeignKey("sources.User", models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("link of two sources")
        verbose_name_plural = _("links of sources")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="cluster_link_once"),
            # One order only, so that a pair has one row.
            models.CheckConstraint(
                condition=Q(first__lt=models.F("second")), name="cluster_link_ordered"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first_id} · {self.second_id}: {self.state}"
