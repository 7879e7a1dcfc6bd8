"""Pages of a project that need no claim: a new one, its plan, its members."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from . import actions
from .actions import planning
from .forms import MemberForm, PlanForm, ProjectForm
from .models import Membership, Project
from .pages import project_for, signed_in
from .permissions import can_create_project
from .research_plan import PlanTextError, write_plan

read_or_post = require_http_methods(["GET", "HEAD", "POST"])


@read_or_post
def project_new(request: HttpRequest) -> HttpResponse:
    """Begin a project."""
    user = signed_in(request)
    if not can_create_project(user):
        raise PermissionDenied
    form = ProjectForm(request.POST or None)
    if request.method == "POST":
        slug = request.POST.get("slug", "").replace("\x00", "")
        begun = Project.objects.filter(slug=slug, created_by=user).first()
        if begun and _posted_again(request, begun):
            return redirect("project", begun.slug)
        if form.is_valid():
            slug = form.cleaned_data["slug"]
            try:
                actions.create_project(slug=slug, fields=form.project_fields(), by=user)
            except actions.ActionRefused as refused:
                form.add_error("slug", refused.message)
            else:
                messages.success(request, _("The project “%s” was created.") % slug)
                return redirect("project", slug)
    return form_page(request, "sources/project_form.html", form)


def _posted_again(request: HttpRequest, project: Project) -> bool:
    """Tell whether this is a double click of the post that made the project."""
    form = ProjectForm(request.POST, instance=project)
    before = actions.project_content(Project.objects.get(pk=project.pk))
    return form.is_valid() and actions.project_content(form.instance) == before


@read_or_post
def plan(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a project's dimensions and key questions; an editor changes them as lines of text."""
    action = "search" if request.method == "POST" else "read"
    project = project_for(request, slug, action)
    parts = planning.plan_of(project)
    standing = write_plan(parts)
    form = PlanForm(request.POST or None, initial={"text": standing, "seen": standing})
    values: dict[str, object] = {"project": project, "parts": parts, "standing": ""}
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        try:
            changed = planning.change_plan(
                project=project, seen=said["seen"], text=said["text"], by=signed_in(request)
            )
        except PlanTextError as fault:
            form.add_error("text", fault.render(get_language() or "en"))
        except actions.ActionRefused as refused:
            form.add_error(None, refused.message)
            if refused.code == "conflict":
                values["standing"] = standing
                return render(request, "sources/plan.html", {"form": form, **values}, status=409)
        else:
            word = _("The plan was saved.") if changed else _("The plan says this already.")
            messages.success(request, word)
            return redirect("plan", slug)
    return form_page(request, "sources/plan.html", form, **values)


@read_or_post
def members(request: HttpRequest, slug: str) -> HttpResponse:
    """List members and roles; a lead adds and removes them."""
    action = "edit_project" if request.method == "POST" else "read"
    project = project_for(request, slug, action)
    form = MemberForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        person, role = form.cleaned_data["username"], form.cleaned_data["role"]
        values = {"user": person.get_username(), "role": Membership.Role(role).label}
        if actions.add_member(project=project, user=person, role=role, by=signed_in(request)):
            messages.success(request, _("%(user)s is now %(role)s.") % values)
        else:
            messages.info(request, _("%(user)s has the role %(role)s already.") % values)
        return redirect("members", slug)
    rows = project.memberships.select_related("user").order_by("user__username", "role")
    return form_page(request, "sources/members.html", form, project=project, memberships=rows)


@require_POST
def member_remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take a role from a person."""
    project = project_for(request, slug, "edit_project")
    try:
        gone = actions.remove_member(project=project, membership_id=pk, by=signed_in(request))
    except actions.ActionRefused as refused:
        messages.error(request, refused.message)
    else:
        if gone:
            values = {"user": gone.user.get_username(), "role": gone.get_role_display()}
            messages.success(request, _("%(user)s no longer has the role %(role)s.") % values)
    return redirect("members", slug)


def form_page(
    request: HttpRequest, template: str, form: ProjectForm | MemberForm | PlanForm, **values: object
) -> HttpResponse:
    """Show a form; 422 where it has errors."""
    status = 422 if form.errors else 200
    return render(request, template, {"form": form, **values}, status=status)
