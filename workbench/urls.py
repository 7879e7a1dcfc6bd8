"""Where every address leads. Each app names its own pages."""

from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.urls import include, path
from django.views.generic import RedirectView

from . import accounts, errors, health, hints, home

# One door: the admin's own would not know of the lock after wrong passwords.
sign_in = login_not_required(RedirectView.as_view(pattern_name="sign-in", query_string=True))

urlpatterns = [
    path("", home.home, name="home"),
    path("healthz", health.healthz, name="healthz"),
    path("hints/<slug:hint>/done/", hints.hint_done, name="hint-done"),
    path("accounts/", include(accounts.urlpatterns)),
    path("admin/login/", sign_in),
    path("admin/", admin.site.urls),
    path("", include("reviews.urls")),
    path("", include("sources.urls")),
]

handler400 = errors.bad_request
handler403 = errors.permission_denied
handler404 = errors.not_found
handler500 = errors.server_error
