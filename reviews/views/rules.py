"""The blacklist for administrators: the list of rules, one rule, its form."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from reviews.forms.rules import RuleForm
from reviews.queries.rule_search import RuleSearch, search_rules, to_blame
from reviews.screens import rule_listing as listing
from reviews.screens.job_progress import show
from reviews.screens.rule_desk import rule_desk
from reviews.views.list_place import language_now
from sources.actions import ActionRefused
from sources.actions.blacklist import RuleRefused, draft_rule, edit_rule
from sources.idempotency import form_key, once
from sources.models import BlacklistRule, User
from sources.pages import signed_in
from workbench.lib.keyset import Turn
from workbench.lib.querylang import QueryError

LIST, RULE, FORM = "reviews/rule_list.html", "reviews/rule.html", "reviews/rule_form.html"
EFFECTS = frozenset(BlacklistRule.Effect.values)


def administrator(request: HttpRequest) -> User:
    """Give the user if it is an administrator; PermissionDenied for everybody else."""
    user = signed_in(request)
    if not user.is_admin:
        raise PermissionDenied
    return user


def rule_of(pk: int) -> BlacklistRule:
    """Give a rule with its people, or Http404."""
    people = ("owner", "created_by", "asked_by", "activated_by")
    return get_object_or_404(BlacklistRule.objects.select_related(*people), pk=pk)


def number(text: str) -> int:
    """Read a number of a form; what is none matches no row."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 18 else -1


# --- The list -------------------------------------------------------------------------------------


def address_of(query: str, sort: str, **values: str) -> str:
    """Give an address of the list; empty values and the usual sort are left out."""
    named = {"q": query, "sort": "" if sort == listing.DEFAULT_SORT else sort, **values}
    said = urlencode({key: value for key, value in named.items() if value})
    return reverse("rules") + (f"?{said}" if said else "")


def _sorts(chosen: str) -> list[tuple[str, str, bool]]:
    words = {
        "pattern": pgettext("sort", "Pattern"),
        "-pattern": pgettext("sort", "Pattern, from the end"),
        "-hits": _("Most hits first"),
        "hits": _("Fewest hits first"),
        "-added": _("Latest first"),
        "added": _("Oldest first"),
    }
    return [(name, words[name], name == chosen) for name in listing.SORTS]


@require_safe
@vary_on_headers("HX-Request")
def rules(request: HttpRequest) -> HttpResponse:
    """List the rules that a query keeps, fifty a page. The address is the whole state."""
    user = administrator(request)
    query, sort = request.GET.get("q", "").strip(), listing.known(request.GET.get("sort", ""))
    values: dict[str, object] = {"query": query, "sort": sort, "sorts": _sorts(sort)}
    try:
        found = search_rules(user, query)
    except QueryError as error:
        at = min(error.position, len(query))
        values |= {
            "error": error.render(language_now()),
            "error_at": at,
            "error_parts": (query[:at], query[at : at + 1] or "␣", query[at + 1 :]),
        }
        return _answer(request, values, status=422)
    return _answer(request, {**values, **_found(request, found, sort)})


def _found(request: HttpRequest, found: RuleSearch, sort: str) -> dict[str, object]:
    query = found.query.to_text()
    rows, page = listing.rule_page(found, sort, Turn.asked(request.GET))
    counts = listing.rule_counts(found)
    values: dict[str, object] = {
        "rows": rows,
        "counts": counts,
        "chips": [
            (chip, address_of(chip.query, sort)) for chip in listing.rule_chips(found, counts)
        ],
        "first": address_of(query, sort),
        "last": address_of(query, sort, last="1"),
        "previous": address_of(query, sort, before=page.previous) if page.previous else "",
        "next": address_of(query, sort, after=page.next) if page.next else "",
        "asked": f"?{urlencode({'q': query})}" if query else "",
        "drafts": any(row.draft for row in rows),
        "here": address_of(query, sort),
    }
    if not rows and found.query.terms:
        values["blamed"] = [
            (term.to_text(), address_of(found.without(term).query.to_text(), sort))
            for term in to_blame(found)
        ]
    return values


def _answer(request: HttpRequest, values: dict[str, object], status: int = 200) -> HttpResponse:
    # On the way back htmx asks for the whole page, as it keeps none.
    whole = request.headers.get("HX-History-Restore-Request") == "true"
    part = "#list" if request.headers.get("HX-Request") == "true" and not whole else ""
    return render(request, LIST + part, values, status=status)


# --- One rule -------------------------------------------------------------------------------------


@require_safe
def rule(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one rule: what it says, its impact, its hits, its history."""
    user = administrator(request)
    found = rule_of(pk)
    desk = rule_desk(found, user)
    values: dict[str, Any] = {"rule": found, "desk": desk, "key": uuid4().hex}
    if desk.job is not None:
        values |= {"job": desk.job, "shown": show(desk.job, timezone.now())}
    return render(request, RULE, values)


@require_http_methods(["GET", "HEAD", "POST"])
def rule_new(request: HttpRequest) -> HttpResponse:
    """Write a rule, or a changed copy of another one."""
    user = administrator(request)
    copied = None
    if (copy := number(request.GET.get("copy", ""))) > 0:
        copied = rule_of(copy)
    initial = RuleForm.initial_of(copied, user)
    if request.GET.get("effect", "") in EFFECTS:
        initial["effect"] = request.GET["effect"]
    form = RuleForm(request.POST or None, initial=initial)

    def save() -> int:
        def do() -> dict[str, int]:
            return {"rule": draft_rule(given=form.given, by=user).pk}

        answer, _fresh = once(key=form_key(request), by=user, action="rule", do=do)
        return int(answer.get("rule", 0))

    return _saved(request, form, save, {"copied": copied})


@require_http_methods(["GET", "HEAD", "POST"])
def rule_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Change a rule; of one that holds, its words and days."""
    user = administrator(request)
    found = rule_of(pk)
    initial = RuleForm.initial_of(found, user)
    if request.GET.get("effect", "") in EFFECTS:
        initial["effect"] = request.GET["effect"]
    holds = found.state == BlacklistRule.State.ACTIVE
    form = RuleForm(request.POST or None, initial=initial, holds=holds)
    version = number(request.POST.get("base_version", ""))

    def save() -> int:
        return edit_rule(rule=found, given=form.given, base_version=version, by=user).pk

    base = request.POST.get("base_version", found.version)
    return _saved(request, form, save, {"rule": found, "base_version": base})


def _saved(
    request: HttpRequest, form: RuleForm, save: Callable[[], int], values: dict[str, object]
) -> HttpResponse:
    """Save a form that is filled in well, or show it with what is wrong."""
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            pk = save()
        except RuleRefused as refused:
            form.add_error(refused.field, refused.message)
        except ActionRefused as refused:
            form.add_error(None, refused.message)
            status = 409
        else:
            messages.success(request, _("The rule was saved."))
            return redirect("rule", pk)
    status = 422 if form.errors and status == 200 else status
    values |= {"form": form, "key": request.POST.get("key", uuid4().hex)}
    return render(request, FORM, values, status=status)
