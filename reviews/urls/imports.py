"""Addresses of imports and of background jobs."""

from django.urls import path

from reviews.views import import_posts
from reviews.views import imports as import_views
from reviews.views import jobs as job_views
from reviews.views import record_exports as export_views

BATCH = "p/<slug:slug>/imports/<uuid:key>/"

urlpatterns = [
    path("p/<slug:slug>/import/", import_posts.upload, name="import"),
    path("p/<slug:slug>/imports/", import_views.import_list, name="imports"),
    path("p/<slug:slug>/exports/", export_views.record_exports, name="record-exports"),
    path("p/<slug:slug>/exports/<str:records>/", export_views.record_export, name="record-export"),
    path(BATCH, import_views.import_page, name="batch"),
    *(
        path(f"{BATCH}{name}/", import_views.step_page(name), name=f"batch-{name}")
        for name in ("recognise", "check", "decide", "import", "result")
    ),
    path(f"{BATCH}mapping/", import_posts.map_keys, name="batch-mapping"),
    path(f"{BATCH}choose/", import_posts.choose, name="batch-choose"),
    path(f"{BATCH}undo/", import_posts.undo, name="batch-undo"),
    path(f"{BATCH}errors.jsonl", import_views.errors_file, name="batch-errors"),
    path("p/<slug:slug>/jobs/", job_views.job_list, name="jobs"),
    path("jobs/<int:pk>/", job_views.job_page, name="job"),
    path("jobs/<int:pk>/cancel/", job_views.job_cancel, name="job-cancel"),
    path("jobs/<int:pk>/retry/", job_views.job_retry, name="job-retry"),
]
