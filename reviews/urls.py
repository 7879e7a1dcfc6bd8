"""Addresses of the audit: a project's page and what leads on from it."""

from django.urls import path

from . import project_views

urlpatterns = [
    path("p/<slug:slug>/", project_views.project_page, name="project"),
]
