"""What a project calls its things in both languages, for queries."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from search.glossary import LONGEST, Term
from sources.models import Project


class GlossaryTerm(models.Model):
    """One line of a project's glossary; the page and the command replace all of them at once."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="glossary")
    position = models.PositiveIntegerField()
    en = models.CharField(max_length=LONGEST, blank=True)
    zh = models.CharField(max_length=LONGEST, blank=True)
    mesh = models.CharField(max_length=LONGEST, blank=True)
    also = models.JSONField(default=list, blank=True)

    class Meta:
        verbose_name = _("term of a glossary")
        verbose_name_plural = _("terms of glossaries")
        ordering = ["project", "position"]
        constraints = [
            models.UniqueConstraint(fields=["project", "position"], name="term_place_once"),
        ]

    def __str__(self) -> str:
        return self.en or self.zh

    def as_term(self) -> Term:
        """Give it as the rules read it."""
        return Term(self.en, self.zh, self.mesh, tuple(map(str, self.also)))


def terms_of(project: Project) -> list[Term]:
    """Give a project's glossary in its order. One query."""
    return [row.as_term() for row in GlossaryTerm.objects.filter(project=project)]
