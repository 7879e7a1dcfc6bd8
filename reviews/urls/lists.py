"""Addresses of the list of claims, its changes in bulk, its saved views."""

from django.urls import path

from reviews.views import bulk as bulk_views
from reviews.views import lists as list_views
from reviews.views import saved_views

urlpatterns = [
    path("p/<slug:slug>/claims/", list_views.claim_list, name="claims"),
    path("p/<slug:slug>/claims/peek/", list_views.claim_peek, name="claim-peek"),
    path("p/<slug:slug>/claims/bulk/", bulk_views.claims_bulk, name="claims-bulk"),
    path("p/<slug:slug>/views/", saved_views.views_menu, name="views"),
    path("p/<slug:slug>/views/new/", saved_views.view_save, name="view-save"),
    path("p/<slug:slug>/views/<int:pk>/", saved_views.open_view, name="view"),
    path("p/<slug:slug>/views/<int:pk>/change/", saved_views.view_change, name="view-change"),
]
