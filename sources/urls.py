"""Addresses of new projects and of members."""

from django.urls import path

from . import views

urlpatterns = [
    path("projects/new/", views.project_new, name="project-new"),
    path("p/<slug:slug>/plan/", views.plan, name="plan"),
    path("p/<slug:slug>/members/", views.members, name="members"),
    path("p/<slug:slug>/members/<int:pk>/remove/", views.member_remove, name="member-remove"),
]
