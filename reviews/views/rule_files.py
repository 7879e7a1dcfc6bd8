"""Rules of the blacklist as files: out, and in with a preview of what would change."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from reviews.actions.blacklist import MOST, measure_rules
from reviews.forms.rules import RuleFileForm
from reviews.queries.rule_search import search_rules
from reviews.views.rules import administrator
from sources.actions import ActionRefused
from sources.actions.blacklist_files import (
    drop_file,
    import_rules,
    keep_file,
    kept_file,
)
from sources.exchange.rule_files import (
    FORMATS,
    MAX_BYTES,
    Defaults,
    RulePlan,
    read_rules,
    write_rules,
)
from sources.models import User
from sources.table_formats import UnreadableTable
from workbench.lib.querylang import QueryError

PAGE = "reviews/rules_import.html"
SHOWN = 200  # lines of a preview
TYPES = {"jsonl": "application/jsonl; charset=utf-8", "csv": "text/csv; charset=utf-8"}


@require_safe
def rules_export(request: HttpRequest, kind: str) -> HttpResponse:
    """Give the rules of a query as a file; those that are not switched off without one."""
    user = administrator(request)
    query = request.GET.get("q", "").strip() or "-is:off"
    try:
        rules = search_rules(user, query).rules()
    except QueryError as error:
        messages.error(request, str(error))
        return redirect("rules")
    response = HttpResponse(write_rules(rules, kind), content_type=TYPES[kind])
    response.headers["Content-Disposition"] = f'attachment; filename="blacklist.{kind}"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def rules_import(request: HttpRequest) -> HttpResponse:
    """Look a file of rules over, then bring it in."""
    user = administrator(request)
    if request.method != "POST":
        return render(request, PAGE, {"form": RuleFileForm()})
    if "token" in request.POST:
        return _bring(request, user)
    form = RuleFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return render(request, PAGE, {"form": form}, status=422)
    upload = form.cleaned_data["file"]
    if upload.size > MAX_BYTES:
        form.add_error("file", _("The file is larger than %d MB.") % (MAX_BYTES // 2**20))
        return render(request, PAGE, {"form": form}, status=422)
    data, kind = upload.read(), RuleFileForm.kind_of(upload.name or "")
    said = form.cleaned_data
    defaults = Defaults(user, said["review_on"], said["reason"], said["evidence_link"])
    try:
        plan = read_rules(data, kind, defaults)
    except UnreadableTable as fault:
        form.add_error("file", str(fault))
        return render(request, PAGE, {"form": form}, status=422)
    kept = {
        "token": keep_file(data),
        "kind": kind,
        "name": (upload.name or "")[:200],
        "reason": said["reason"],
        "evidence_link": said["evidence_link"],
        "review_on": said["review_on"].isoformat() if said["review_on"] else "",
    }
    return render(request, PAGE, {"kept": kept, **_preview(plan)})


def _preview(plan: RulePlan) -> dict[str, object]:
    # What is wrong comes first, what changes nothing last.
    order = {"error": 0, "replaces": 1, "changed": 2, "new": 3, "off": 4, "same": 5}
    lines = sorted(plan.lines, key=lambda line: (order[line.outcome], line.number))
    counts = plan.counts()
    return {
        "counts": counts,
        "lines": lines[:SHOWN],
        "more": max(0, len(lines) - SHOWN),
        "total": len(lines),
        "writes": counts["new"] + counts["replaces"] + counts["changed"],
    }


def _bring(request: HttpRequest, user: User) -> HttpResponse:
    token, kind = request.POST["token"], request.POST.get("kind", "")
    form = RuleFileForm(request.POST)
    form.fields["file"].required = False
    if kind not in FORMATS or not form.is_valid():
        messages.error(request, _("This form is damaged. Upload the file again."))
        return redirect("rules-import")
    said = form.cleaned_data
    defaults = Defaults(user, said["review_on"], said["reason"], said["evidence_link"])
    name = request.POST.get("name", "")[:200].replace("\x00", "")
    try:
        plan = read_rules(kept_file(token), kind, defaults)
        only_valid = request.POST.get("only_valid") == "1"
        done = import_rules(plan=plan, name=name, only_valid=only_valid, by=user)
    except (ActionRefused, UnreadableTable) as refused:
        if getattr(refused, "code", "") == "not-allowed":
            raise PermissionDenied from None
        messages.error(request, str(refused))
        return redirect("rules-import")
    drop_file(token)
    n = len(done.drafts)
    text = ngettext("%d draft was written.", "%d drafts were written.", n) % n
    if done.changed:
        changed = ngettext("%d rule was changed.", "%d rules were changed.", done.changed)
        text += " " + changed % done.changed
    messages.success(request, text)
    if done.drafts:
        measure_rules(rules=done.drafts[:MOST], by=user)
        messages.info(request, _("Their impact is being measured; then they can be let hold."))
    return redirect("rules")
