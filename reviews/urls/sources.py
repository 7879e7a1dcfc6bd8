"""Addresses of sources: the list, the record of one, what people change about it."""

from django.urls import path

from reviews.views import fetch_posts, notice_posts, source_list, source_posts
from reviews.views import sources as source_views

urlpatterns = [
    path("p/<slug:slug>/sources/", source_list.source_list, name="sources"),
    path("p/<slug:slug>/sources/<int:pk>/", source_views.source_page, name="source"),
    path(
        "p/<slug:slug>/sources/<int:pk>/override/",
        source_posts.source_override,
        name="source-override",
    ),
    path(
        "p/<slug:slug>/sources/<int:pk>/comment/",
        source_posts.source_comment,
        name="source-comment",
    ),
    path("p/<slug:slug>/sources/<int:pk>/coi/", source_posts.source_conflict, name="source-coi"),
    path(
        "p/<slug:slug>/sources/<int:pk>/findings/<int:finding_pk>/",
        source_posts.source_finding,
        name="source-finding",
    ),
    path(
        "p/<slug:slug>/sources/<int:pk>/notices/<int:notice_pk>/",
        notice_posts.notice_acknowledge,
        name="source-notice",
    ),
    path(
        "p/<slug:slug>/acknowledgements/<int:pk>/end/",
        notice_posts.acknowledgement_end,
        name="acknowledgement-end",
    ),
    path("p/<slug:slug>/sources/<int:pk>/check/", notice_posts.source_check, name="source-check"),
    path("p/<slug:slug>/sources/<int:pk>/fetch/", fetch_posts.source_fetch, name="source-fetch"),
    path("p/<slug:slug>/overrides/<int:pk>/", source_posts.override_decide, name="override-decide"),
]
