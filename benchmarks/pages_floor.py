"""The floor that pages are measured against: a bare view of the same rows, and its save.

Served by the same server with the same settings and middleware, to the same signed-in session.
Never part of the product.
"""

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template import Context, Template
from django.urls import include, path
from django.views.decorators.http import require_POST, require_safe

from reviews.models import Claim

PAGE = Template("""<!doctype html><title>Claims</title>
<table>
{% for row in rows %}
<tr>
  <td>{{ row.external_id }}</td><td>{{ row.text }}</td><td>{{ row.state }}</td>
  <td>{{ row.open_errors }}</td><td>{{ row.open_warnings }}</td><td>{{ row.risk }}</td>
</tr>
{% endfor %}
</table>
<a href="?after={{ rows.49.id }}">next</a>""")
FIELDS = ("id", "external_id", "text", "state", "open_errors", "open_warnings", "risk")


@require_safe
def rows(request: HttpRequest, project: int) -> HttpResponse:
    risk, pk = float(request.GET.get("risk", 99)), int(request.GET.get("pk", 0))
    place = Q(risk_order__lte=risk) & (Q(risk_order__lt=risk) | Q(risk_order=risk, pk__gt=pk))
    found = Claim.objects.filter(place, project=project, current=True)
    page = list(found.order_by("-risk_order", "pk").values(*FIELDS)[:50])
    return HttpResponse(PAGE.render(Context({"rows": page})))


@require_POST
def save(request: HttpRequest, project: int) -> HttpResponse:
    claim, version = int(request.POST["claim"]), int(request.POST["version"])
    Claim.objects.filter(pk=claim, version=version).update(key_reason=request.POST["note"])
    return redirect("floor", project)


urlpatterns = [
    path("floor/<int:project>/", rows, name="floor"),
    path("floor/<int:project>/save/", save),
    path("", include("workbench.urls")),
]
