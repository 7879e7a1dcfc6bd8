"""Addresses of the audit: a project's page and what leads on from it."""

from django.urls import path

from reviews.urls import clusters as cluster_urls
from reviews.urls import imports as import_urls
from reviews.urls import lists as list_urls
from reviews.urls import reports as report_urls
from reviews.urls import rules as rule_urls
from reviews.urls import sources as source_urls
from reviews.views import audit as audit_views
from reviews.views import audit_posts
from reviews.views import history as history_views
from reviews.views import independent as independent_views
from reviews.views import projects as project_views
from reviews.views import snapshots as snapshot_views
from reviews.views import version_changes as change_views

audit = [
    path("p/<slug:slug>/review/", audit_views.review, name="review"),
    path("p/<slug:slug>/claims/<int:pk>/verdict/", audit_posts.give_verdict, name="claim-verdict"),
    path("p/<slug:slug>/claims/<int:pk>/later/", audit_posts.put_off, name="claim-later"),
    path("p/<slug:slug>/claims/<int:pk>/reveal/", audit_posts.reveal, name="claim-reveal"),
    path("p/<slug:slug>/claims/<int:pk>/key/", audit_posts.mark_key, name="claim-key"),
    path("p/<slug:slug>/claims/<int:pk>/draft/", audit_posts.keep_draft, name="claim-draft"),
    path(
        "p/<slug:slug>/claims/<int:pk>/history/", history_views.claim_history, name="claim-history"
    ),
    path(
        "p/<slug:slug>/claims/<int:pk>/independent/",
        independent_views.claim_independent,
        name="claim-independent",
    ),
    path("p/<slug:slug>/evidence/<int:pk>/", audit_views.evidence_reader, name="evidence-reader"),
    path("p/<slug:slug>/evidence/<int:pk>/assess/", audit_posts.assess, name="evidence-assess"),
    path(
        "p/<slug:slug>/evidence/<int:pk>/elsewhere/",
        audit_views.evidence_elsewhere,
        name="evidence-elsewhere",
    ),
    path("p/<slug:slug>/findings/<int:pk>/decide/", audit_posts.decide, name="finding-decide"),
    path("p/<slug:slug>/undo/", audit_posts.undo, name="undo"),
    path("pane-split/", audit_posts.pane_split, name="pane-split"),
    path(
        "p/<slug:slug>/snap/<str:prefix>/changes",
        change_views.snapshot_changes,
        name="snapshot-changes",
    ),
    path("p/<slug:slug>/snap/<str:prefix>", snapshot_views.snapshot_page, name="snapshot"),
    path(
        "p/<slug:slug>/snap/<str:prefix>/find", snapshot_views.snapshot_find, name="snapshot-find"
    ),
    path(
        "p/<slug:slug>/snap/<str:prefix>/text", snapshot_views.snapshot_chunk, name="snapshot-text"
    ),
    path(
        "p/<slug:slug>/snap/<str:prefix>/bytes",
        snapshot_views.snapshot_bytes,
        name="snapshot-bytes",
    ),
    path("p/<slug:slug>/reading/<str:prefix>", snapshot_views.source_reading, name="reading"),
]

urlpatterns = [
    path("p/<slug:slug>/", project_views.project_page, name="project"),
    path("p/<slug:slug>/edit/", project_views.project_edit, name="project-edit"),
    path("p/<slug:slug>/history/", history_views.project_history, name="history"),
    *audit,
    *import_urls.urlpatterns,
    *list_urls.urlpatterns,
    *report_urls.urlpatterns,
    *source_urls.urlpatterns,
    *cluster_urls.urlpatterns,
    *rule_urls.urlpatterns,
]
