"""Independence clusters: who shares an origin, why, and what people say about it."""

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from reviews.screens import clusters as screen
from reviews.screens.telling import tell
from sources.actions import clustering
from sources.actions.errors import ActionRefused
from sources.models import Cluster, Project, Source, User
from sources.pages import own_path, project_for, signed_in
from workbench.lib.keyset import Turn


@require_safe
def clusters(request: HttpRequest, slug: str) -> HttpResponse:
    """List the clusters with their members and links, page by page."""
    project, user = project_for(request, slug), signed_in(request)
    wanted = screen.Filters.of(request.GET)
    found = screen.cluster_page(project, wanted, Turn.asked(request.GET), get_language() or "en")
    asked = request.GET.copy()
    for name in ("after", "before", "last"):
        asked.pop(name, None)
    values = {
        "project": project,
        "wanted": wanted,
        "found": found,
        "asked": asked.urlencode(),
        "here": request.get_full_path(),
        "changes": [tell(event) for event in screen.own_changes(project, user)],
    }
    return render(request, "reviews/clusters.html", values)


@require_POST
def cluster_change(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Split, join, lock or unlock a cluster, or choose its origin."""
    project, by = project_for(request, slug, "edit_sources"), signed_in(request)
    cluster = get_object_or_404(Cluster.objects.select_related("project"), pk=pk, project=project)
    chosen = [int(key) for key in request.POST.getlist("source") if _is_key(key)]
    sources = list(Source.objects.filter(project=project, cluster=cluster, pk__in=chosen))
    return _tried(request, project, lambda: _change(request, cluster, sources, by))


def _is_key(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 16


def _change(request: HttpRequest, cluster: Cluster, sources: list[Source], by: User) -> str:
    version = request.POST.get("base_version", "")
    base = int(version) if _is_key(version) else -1
    reason, name = _reason(request), {"name": cluster.name}
    match request.POST.get("do", ""):
        case "split":
            clustering.split_cluster(
                cluster=cluster, sources=sources, reason=reason, by=by, base_version=base
            )
            return _("Sources were split from cluster %(name)s.") % name
        case "origin":
            if len(sources) != 1:
                raise ActionRefused("one-origin", _("Choose one member as the origin."))
            clustering.choose_origin(
                cluster=cluster, source=sources[0], reason=reason, by=by, base_version=base
            )
            return _("The origin of cluster %(name)s was chosen.") % name
        case "lock" | "unlock" as do:
            locked = do == "lock"
            clustering.lock_cluster(
                cluster=cluster, locked=locked, reason=reason, by=by, base_version=base
            )
            if locked:
                return _("Cluster %(name)s is locked.") % name
            return _("Cluster %(name)s is unlocked.") % name
        case "join":
            member = cluster.sources.first()
            others = _named(cluster.project, request.POST.get("with", ""))
            given = [member, *others] if member else others
            clustering.join_sources(project=cluster.project, sources=given, reason=reason, by=by)
            return _("The sources are in one cluster now.")
    raise ActionRefused("unknown-value", _("Choose what to do with the cluster."))


def _reason(request: HttpRequest) -> str:
    return request.POST.get("reason", "")[:2_000].replace("\x00", "")


def _named(project: Project, text: str) -> list[Source]:
    sources, unknown = screen.named_sources(project, text[:5_000].replace("\x00", ""))
    if unknown:
        raise ActionRefused(
            "unknown-source",
            _("No source or cluster has the id %(names)s.") % {"names": ", ".join(unknown[:5])},
        )
    return sources


@require_POST
def clusters_join(request: HttpRequest, slug: str) -> HttpResponse:
    """Join sources, named by their ids, into one cluster."""
    project, by = project_for(request, slug, "edit_sources"), signed_in(request)

    def do() -> str:
        sources = _named(project, request.POST.get("with", ""))
        reason = _reason(request)
        clustering.join_sources(project=project, sources=sources, reason=reason, by=by)
        return _("The sources are in one cluster now.")

    return _tried(request, project, do)


@require_POST
def clusters_undo(request: HttpRequest, slug: str) -> HttpResponse:
    """Take one's own change of clusters back."""
    project, by = project_for(request, slug, "edit_sources"), signed_in(request)
    number = request.POST.get("event", "")

    def do() -> str:
        event = int(number) if _is_key(number) else 0
        clustering.take_back(project=project, number=event, by=by)
        return _("Taken back.")

    return _tried(request, project, do)


@require_POST
def clusters_propose(request: HttpRequest, slug: str) -> HttpResponse:
    """Let the clusters be proposed anew, in the background."""
    project, by = project_for(request, slug, "edit_sources"), signed_in(request)

    def do() -> str:
        clustering.propose_again(project=project, by=by)
        return _("The sources will be compared again, in the background.")

    return _tried(request, project, do)


def _tried(request: HttpRequest, project: Project, do: Callable[[], str]) -> HttpResponse:
    """Do it and say so, or say why it was not done; then go back to the list."""
    try:
        messages.success(request, do())
    except ActionRefused as refused:
        if refused.code == "not-allowed":
            raise PermissionDenied(refused.message) from None
        messages.error(request, refused.message)
    back = own_path(request.POST.get("next", ""))
    return HttpResponseRedirect(back or reverse("clusters", args=[project.slug]))
