"""Hints for newcomers: each is shown until the person puts it away, and then never again."""

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from sources.models import User
from sources.pages import own_path, signed_in

HINTS = frozenset({"audit"})


@require_POST
def hint_done(request: HttpRequest, hint: str) -> HttpResponse:
    """Put a hint away for good; htmx gets nothing in its place."""
    if hint not in HINTS:
        raise Http404
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=signed_in(request).pk)
        if hint not in user.hints_done:
            user.hints_done = [*user.hints_done, hint]
            user.save(update_fields=["hints_done"])
    if request.htmx:  # type: ignore[attr-defined]
        return HttpResponse()
    return HttpResponseRedirect(own_path(request.POST.get("next", "")) or reverse("home"))
