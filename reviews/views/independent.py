"""Look for independent evidence of a claim."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from reviews.models import Claim
from reviews.screens.independent import drawer_of
from sources.pages import project_for


@require_safe
def claim_independent(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show queries for a claim, and what was searched for it before."""
    project = project_for(request, slug)
    claim = get_object_or_404(Claim.objects.select_related("dimension"), pk=pk, project=project)
    values = {"project": project, "claim": claim, "drawer": drawer_of(project, claim)}
    return render(request, "reviews/_independent.html", values)
