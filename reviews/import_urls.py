"""Addresses of imports and of background jobs."""

from django.urls import path

from . import import_posts, import_views, job_views

BATCH = "p/<slug:slug>/imports/<uuid:key>/"

urlpatterns = [
    path("p/<slug:slug>/import/", import_posts.upload, name="import"),
    path("p/<slug:slug>/imports/", import_views.import_list, name="imports"),
    path(BATCH, import_views.import_page, name="batch"),
    *(
        path(f"{BATCH}{name}/", import_views.step_page(name), name=f"batch-{name}")
        for name in ("recognise", "check", "decide", "import", "result")
    ),
    path(f"{BATCH}mapping/", import_posts.map_keys, name="batch-mapping"),
    path(f"{BATCH}choose/", import_posts.choose, name="batch-choose"),
    path(f"{BATCH}undo/", import_posts.undo, name="batch-undo"),
    path(f"{BATCH}errors.jsonl", import_views.errors_file, name="batch-errors"),
    path("jobs/<int:pk>/", job_views.job_page, name="job"),
    path("jobs/<int:pk>/cancel/", job_views.job_cancel, name="job-cancel"),
    path("jobs/<int:pk>/retry/", job_views.job_retry, name="job-retry"),
]
