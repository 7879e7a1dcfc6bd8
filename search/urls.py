"""Addresses of searches, of screening, of what was turned away and of the discovery library."""

from django.urls import path

from search.views import coverage as coverage_views
from search.views import receipts as receipt_views
from search.views import rejections as views
from search.views import screening as screening_views
from search.views import searches as search_views
from search.views import wording as wording_views

urlpatterns = [
    path("p/<slug:slug>/search/", search_views.search_new, name="search-new"),
    path("p/<slug:slug>/receipts/", receipt_views.receipts, name="receipts"),
    path("p/<slug:slug>/receipts/<int:pk>/", receipt_views.receipt, name="receipt"),
    path(
        "p/<slug:slug>/receipts/<int:pk>/replay/",
        receipt_views.receipt_replay,
        name="receipt-replay",
    ),
    path("p/<slug:slug>/queries/", wording_views.queries, name="queries"),
    path("p/<slug:slug>/queries/read/", wording_views.queries_read, name="queries-read"),
    path("p/<slug:slug>/glossary/", wording_views.glossary, name="glossary"),
    path("p/<slug:slug>/coverage/", coverage_views.matrix, name="coverage"),
    path("p/<slug:slug>/coverage/reason/", coverage_views.gap, name="coverage-gap"),
    path("p/<slug:slug>/screening/", screening_views.records, name="screening"),
    path("p/<slug:slug>/screening/accept/", screening_views.records_accept, name="records-accept"),
    path("p/<slug:slug>/screening/<int:pk>/", screening_views.record_screen, name="record-screen"),
    path("p/<slug:slug>/screening/<int:pk>/undo/", screening_views.record_undo, name="record-undo"),
    path("p/<slug:slug>/rejections/", views.rejections, name="rejections"),
    path("p/<slug:slug>/rejections/undo/", views.rejection_undo, name="rejections-undo"),
    path(
        "p/<slug:slug>/rejections/<int:pk>/reopen/",
        views.rejection_reopen,
        name="rejection-reopen",
    ),
    path("p/<slug:slug>/admission/again/", views.admission_again, name="admission-again"),
    path("p/<slug:slug>/discovery/", views.discovery, name="discovery"),
]
