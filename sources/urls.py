"""Addresses of a project's settings, members and history."""

from django.urls import path

from . import views

urlpatterns = [
    path("projects/new/", views.project_new, name="project-new"),
    path("p/<slug:slug>/edit/", views.project_edit, name="project-edit"),
    path("p/<slug:slug>/members/", views.members, name="members"),
    path("p/<slug:slug>/members/<int:pk>/remove/", views.member_remove, name="member-remove"),
    path("p/<slug:slug>/history/", views.project_history, name="history"),
]
