"""Site administration: routes and profiles, and what was searched, which is read-only."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from search import routing
from sources.admin_tools import ModelAdmin, ReadOnlyAdmin, TabularInline, marked_field
from sources.models import User
from sources.table_admin import LinesField

from .models import Call, GlossaryTerm, Profile, ProviderPace, Receipt, Result, Route

SHOWN_OF_CALLS = ("number", "attempt", "service", "url_shown", "at", "ms", "status", "outcome")


class NamedAdmin(ModelAdmin):
    """Routes and profiles: every change is kept in the history of tables."""

    formfield_overrides = {models.JSONField: {"form_class": LinesField}}

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Show a list as lines."""
        if isinstance(db_field, models.JSONField):
            return LinesField(
                label=db_field.verbose_name.capitalize(),
                required=not db_field.blank,
                help_text=db_field.help_text or _("One a line."),
            )
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        routing.save_row(row=obj, by=_user(request))

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        routing.remove_rows(rows=[obj], by=_user(request))

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        routing.remove_rows(rows=list(queryset), by=_user(request))


def _user(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


@admin.register(Route)
class RouteAdmin(NamedAdmin):
    """Which providers are asked for what. docs/searching.md explains the steps."""

    list_display = ["slug", "name", "name_zh", "mode", "specialized", "strict", "version",
                    "changed_by", "changed_at"]  # fmt: skip
    list_select_related = ["changed_by"]
    fields = ["slug", "name", "name_zh", "mode", "first", "then", "specialized", "strict",
              "position", "note"]  # fmt: skip
    search_fields = ["slug", "name", "name_zh"]


@admin.register(Profile)
class ProfileAdmin(NamedAdmin):
    """Routes that are followed together."""

    list_display = ["slug", "name", "name_zh", "language", "version", "changed_by", "changed_at"]
    list_select_related = ["changed_by"]
    fields = ["slug", "name", "name_zh", "routes", "language", "position", "note"]
    search_fields = ["slug", "name", "name_zh"]


class CallInline(TabularInline):
    """Calls of a receipt."""

    model = Call
    extra = 0
    can_delete = False
    fields = SHOWN_OF_CALLS
    url_shown = staticmethod(marked_field("url", _("address"), limit=300))
    readonly_fields = SHOWN_OF_CALLS

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Receipt)
class ReceiptAdmin(ReadOnlyAdmin):
    """Searches, each with its calls. Written once."""

    list_display = ["external_id_shown", "project", "at", "route", "provider", "query_shown",
                    "result_count", "status"]  # fmt: skip
    external_id_shown = staticmethod(marked_field("external_id", _("receipt")))
    query_shown = staticmethod(marked_field("query_or_url", _("query"), limit=120))
    reason_shown = staticmethod(marked_field("failure_reason", _("reason"), limit=500))
    list_select_related = ["project"]
    list_filter = ["status", "route", "provider"]
    search_fields = ["external_id", "query_or_url"]
    fields = ["project", "external_id_shown", "at", "tool", "mode", "route", "provider",
              "query_shown", "result_count", "status", "reason_shown", "job", "replay_of",
              "result_hash", "routes_version"]  # fmt: skip
    inlines = [CallInline]


@admin.register(Result)
class ResultAdmin(ReadOnlyAdmin):
    """What searches found."""

    list_display = ["receipt", "rank", "title_shown", "provider", "published", "is_lead"]
    title_shown = staticmethod(marked_field("title", _("title"), limit=120))
    snippet_shown = staticmethod(marked_field("snippet", _("extract"), limit=2000))
    url_shown = staticmethod(marked_field("url", _("address"), limit=500))
    list_select_related = ["receipt"]
    list_filter = ["provider", "is_lead"]
    search_fields = ["doi", "pmid", "trial_id"]
    fields = ["receipt", "rank", "provider", "title_shown", "url_shown", "snippet_shown",
              "published", "doi", "pmid", "trial_id", "patent_number", "cited_by", "standing",
              "is_lead", "record"]  # fmt: skip


@admin.register(ProviderPace)
class ProviderPaceAdmin(ReadOnlyAdmin):
    """When each service is asked next."""

    list_display = ["service", "next_at", "gap"]


@admin.register(GlossaryTerm)
class GlossaryTermAdmin(ReadOnlyAdmin):
    """Terms of all projects; each project changes its own on its page of ready queries."""

    list_display = ["project", "position", "en_shown", "zh_shown", "mesh_shown"]
    en_shown = staticmethod(marked_field("en", _("English")))
    zh_shown = staticmethod(marked_field("zh", _("Chinese")))
    mesh_shown = staticmethod(marked_field("mesh", _("MeSH heading")))
    list_select_related = ["project"]
    search_fields = ["en", "zh", "mesh"]
    fields = ["project", "position", "en_shown", "zh_shown", "mesh_shown", "also"]
