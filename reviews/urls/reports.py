"""Addresses of the review report and of exports."""

from django.urls import path

from reviews.views import reports as views

BASE = "p/<slug:slug>/report"

urlpatterns = [
    path(f"{BASE}/", views.report_page, name="report"),
    path(f"{BASE}/build/", views.report_build, name="report-build"),
    path(f"{BASE}/defects/", views.report_defect, name="report-defect"),
    path(f"{BASE}/undo/", views.report_undo, name="report-undo"),
    path(f"{BASE}/<int:number>/sign/", views.report_sign, name="report-sign"),
    path(f"{BASE}/<int:number>/review.<str:kind>", views.report_download, name="report-download"),
    path(f"{BASE}/export/", views.export_start, name="export-start"),
    path(f"{BASE}/exports/", views.export_list, name="export-list"),
    path(f"{BASE}/exports/<int:pk>/", views.export_download, name="export-download"),
]
