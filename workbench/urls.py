"""Where every address leads. Each app names its own pages."""

from django.contrib import admin
from django.urls import include, path

from . import accounts, errors, health, home

urlpatterns = [
    path("", home.home, name="home"),
    path("healthz", health.healthz, name="healthz"),
    path("accounts/", include(accounts.urlpatterns)),
    path("admin/", admin.site.urls),
]

handler400 = errors.bad_request
handler403 = errors.permission_denied
handler404 = errors.not_found
handler500 = errors.server_error
