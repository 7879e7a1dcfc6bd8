"""The first page after sign-in: what each of your projects waits for."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from sources.models import Project


def home(request: HttpRequest) -> HttpResponse:
    """List the user's projects with what is left to do."""
    projects = Project.objects.visible_to(request.user)
    return render(request, "workbench/home.html", {"projects": projects})
