"""Where every address leads. Each app names its own pages."""

from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import include, path
from django.views.generic import RedirectView

from . import accounts, errors, health, hints, home


@login_not_required
def admin_sign_in(request: HttpRequest) -> HttpResponseBase:
    """Lead to the one door: the admin's own would not know of the lock after wrong passwords.

    Whoever is signed in came here for want of the site role; the door would send them back.
    """
    if request.user.is_authenticated and not admin.site.has_permission(request):
        raise PermissionDenied
    return RedirectView.as_view(pattern_name="sign-in", query_string=True)(request)


urlpatterns = [
    path("", home.home, name="home"),
    path("healthz", health.healthz, name="healthz"),
    path("hints/<slug:hint>/done/", hints.hint_done, name="hint-done"),
    path("accounts/", include(accounts.urlpatterns)),
    path("admin/login/", admin_sign_in),
    path("admin/", admin.site.urls),
    path("", include("reviews.urls")),
    path("", include("search.urls")),
    path("", include("sources.urls")),
]

handler400 = errors.bad_request
handler403 = errors.permission_denied
handler404 = errors.not_found
handler500 = errors.server_error
