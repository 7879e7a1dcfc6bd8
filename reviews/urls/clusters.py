"""Addresses of independence clusters."""

from django.urls import path

from reviews.views import clusters

urlpatterns = [
    path("p/<slug:slug>/clusters/", clusters.clusters, name="clusters"),
    path("p/<slug:slug>/clusters/join/", clusters.clusters_join, name="clusters-join"),
    path("p/<slug:slug>/clusters/undo/", clusters.clusters_undo, name="clusters-undo"),
    path("p/<slug:slug>/clusters/propose/", clusters.clusters_propose, name="clusters-propose"),
    path("p/<slug:slug>/clusters/<int:pk>/change/", clusters.cluster_change, name="cluster-change"),
]
