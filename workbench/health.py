"""Tell a load balancer whether this process can serve."""

from django.contrib.auth.decorators import login_not_required
from django.db import connection
from django.db.utils import OperationalError
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe


@login_not_required
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 while the database answers, else 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except OperationalError:
        return JsonResponse({"ok": False, "database": "unreachable"}, status=503)
    return JsonResponse({"ok": True})
