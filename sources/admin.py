"""Site administration: people, projects, and what happened. History is read-only."""

from functools import partial
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.db import models, transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from workbench.lib.blobs import BlobError

from . import sweeping
from .actions.projects import follow_change, project_content
from .admin_tools import ModelAdmin, ReadOnlyAdmin, TabularInline, marked_field, url_link
from .models import (
    AuditEvent,
    Dimension,
    ImportBatch,
    ImportMapping,
    Job,
    KeyQuestion,
    Membership,
    Project,
    ReportFile,
    Snapshot,
    Source,
    User,
)
from .recording import Entry, record
from .table_admin import PAGES as TABLE_PAGES
from .templatetags.show import marked
from .texts import read_text

TEXT_SHOWN = 200_000  # characters of a snapshot; a browser stays quick

admin.site.site_header = _("Evidence Workbench: administration")
admin.site.site_title = _("Evidence Workbench")
admin.site.index_title = _("Administration")
for table, page in TABLE_PAGES:
    admin.site.register(table, page)
# Roles live in memberships; groups would be a second, unused way to give rights.
admin.site.unregister(Group)


class MembershipInline(TabularInline):
    """Roles of people in a project."""

    model = Membership
    extra = 0
    autocomplete_fields = ["user"]


if TYPE_CHECKING:
    BaseUserAdmin = UserAdmin[User]
else:
    BaseUserAdmin = UserAdmin


@admin.register(User)
class PersonAdmin(BaseUserAdmin):
    """Accounts: password, site role, look. Somebody who leaves is made inactive."""

    list_display = [
        "username",
        "first_name",
        "last_name",
        "is_active",
        "is_superuser",
        "last_login",
    ]
    list_filter = ["is_active", "is_superuser"]
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("Person"), {"fields": ("first_name", "last_name", "email")}),
        (_("Site role"), {"fields": ("is_active", "is_staff", "is_superuser")}),
        (_("Look"), {"fields": ("language", "theme", "text_size")}),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    readonly_fields = ("last_login", "date_joined")

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


@admin.register(Project)
class ProjectAdmin(ModelAdmin):
    """Projects and their members. Changes enter the project's audit trail."""

    list_display = ["slug", "title_shown", "language", "topic_type", "as_of", "created_at"]
    title_shown = staticmethod(marked_field("title", _("title")))
    list_filter = ["topic_type"]
    search_fields = ["slug", "title"]
    inlines = [MembershipInline]
    readonly_fields = ["created_by", "created_at"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        # Links and the audit trail name a project by its slug; the places of claims follow the
        # share, which the project's own settings see to.
        return [*self.readonly_fields, *(["slug", "sealed_share"] if obj else [])]

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Project, form: Any, change: bool) -> None:
        by = request.user if isinstance(request.user, User) else None
        old = project_content(Project.objects.get(pk=obj.pk)) if change else None
        if not change:
            obj.created_by = by
        obj.save()
        new = project_content(obj)
        if new != old:
            action = "project.edited" if change else "project.created"
            record(obj, [Entry(action, "project", obj.slug, old=old, new=new)], by=by)
            follow_change(obj, [name for name in new if (old or {}).get(name) != new[name]], by=by)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        before = {each.pk: each for each in form.instance.memberships.select_related("user")}
        formset.save()
        after = {each.pk: each for each in form.instance.memberships.select_related("user")}
        entries = [
            _membership_entry("removed", each)
            for pk, each in before.items()
            if pk not in after or _said(after[pk]) != _said(each)
        ] + [
            _membership_entry("added", each)
            for pk, each in after.items()
            if pk not in before or _said(before[pk]) != _said(each)
        ]
        if entries:
            by = request.user if isinstance(request.user, User) else None
            record(form.instance, entries, by=by)


def _said(membership: Membership) -> tuple[str, str]:
    return membership.user.get_username(), membership.role


def _membership_entry(what: str, membership: Membership) -> Entry:
    name, role = _said(membership)
    values: dict[str, Any] = {"new" if what == "added" else "old": {"role": role}}
    return Entry(f"membership.{what}", "membership", name, **values)


class KeyQuestionInline(TabularInline):
    """Key questions of a dimension, as imported."""

    model = KeyQuestion
    extra = 0
    can_delete = False
    fields = ("external_id", "text")
    readonly_fields = ("external_id", "text")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Dimension)
class DimensionAdmin(ReadOnlyAdmin):
    list_display = ["external_id", "name_shown", "project", "nature", "topic_type"]
    name_shown = staticmethod(marked_field("name", _("name"), limit=120))
    list_filter = ["nature", "topic_type"]
    list_select_related = ["project"]
    search_fields = ["external_id", "name", "project__slug"]
    inlines = [KeyQuestionInline]


@admin.register(Source)
class SourceAdmin(ReadOnlyAdmin):
    url_link = staticmethod(url_link)
    list_display = ["external_id", "title_shown", "url_link", "quality", "published_at", "project"]
    title_shown = staticmethod(marked_field("title", _("title"), limit=120))
    list_select_related = ["project"]
    search_fields = ["external_id", "title", "url", "project__slug"]
    fields = ["project", "external_id", "raw_id", "origin", "url_link", "title_shown", "titles",
              "quality", "published_at", "content_hash", "batch", "extra"]  # fmt: skip
    readonly_fields = ["url_link", "title_shown"]


@admin.register(Snapshot)
class SnapshotAdmin(ReadOnlyAdmin):
    url_link = staticmethod(url_link)
    list_display = ["short_hash", "url_link", "depth", "characters", "captured_at", "project"]
    list_filter = ["depth"]
    list_select_related = ["project"]
    search_fields = ["content_hash", "normalized_url", "project__slug"]
    fields = ["project", "content_hash", "url_hash", "url_link", "depth", "depth_reason",
              "characters", "captured_at", "meta", "batch", "created_at", "text"]  # fmt: skip
    readonly_fields = ["url_link", "text"]

    @admin.display(description=_("content hash"), ordering="content_hash")
    def short_hash(self, row: Snapshot) -> str:
        return row.content_hash[:12]

    @admin.display(description=_("text"))
    def text(self, row: Snapshot) -> str:
        try:
            held = read_text(row.content_hash)
        except BlobError as fault:
            return str(fault)
        return marked(held[:TEXT_SHOWN] + ("…" if len(held) > TEXT_SHOWN else ""))


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    """Background work. A nudge sends the message of an unfinished job once more."""

    list_display = ["pk", "kind", "project", "state", "stage", "done", "total", "attempts",
                    "created_at", "beat_at", "finished_at"]  # fmt: skip
    list_filter = ["state", "kind"]
    list_select_related = ["project"]
    search_fields = ["=pk", "project__slug", "error"]
    actions = ["nudge_again"]
    exclude = ["token"]

    @admin.action(description=_("Nudge again"), permissions=["view"])
    def nudge_again(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        unfinished = list(queryset.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING])[:500])
        now = timezone.now()
        Job.objects.filter(pk__in=[job.pk for job in unfinished]).update(nudged_at=now)
        for job in unfinished:
            transaction.on_commit(partial(sweeping.nudge, job))
        count = len(unfinished)
        text = ngettext("%d job was nudged.", "%d jobs were nudged.", count) % count
        self.message_user(request, text, messages.SUCCESS if count else messages.WARNING)


@admin.register(ImportBatch)
class ImportBatchAdmin(ReadOnlyAdmin):
    list_display = ["name_shown", "project", "state", "dialect", "size", "by", "created_at"]
    name_shown = staticmethod(marked_field("name", _("name"), limit=120))
    list_filter = ["state", "dialect"]
    list_select_related = ["project", "by"]
    search_fields = ["name", "sha256", "project__slug"]
    exclude = ["path"]  # where the upload waits on the server is nobody's business


@admin.register(ReportFile)
class ReportFileAdmin(ReadOnlyAdmin):
    list_display = ["path_shown", "project", "size", "current", "batch"]
    path_shown = staticmethod(marked_field("path", _("path")))
    list_filter = ["current"]
    list_select_related = ["project", "batch"]
    search_fields = ["path", "sha256", "project__slug"]


@admin.register(ImportMapping)
class ImportMappingAdmin(ModelAdmin):
    """How foreign ledgers are read; saved by editors in a project, by admins for the whole site."""

    list_display = ["name", "project", "created_by", "created_at"]
    list_select_related = ["project", "created_by"]
    search_fields = ["name", "project__slug"]
    autocomplete_fields = ["project"]
    readonly_fields = ["created_by", "created_at"]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if not change:
            obj.created_by = request.user
        obj.save()


@admin.register(AuditEvent)
class AuditEventAdmin(ReadOnlyAdmin):
    list_display = ["project", "number", "at", "actor", "action", "object_id_shown"]
    object_id_shown = staticmethod(marked_field("object_id", _("object")))
    list_filter = ["action"]
    list_select_related = ["project"]
    search_fields = ["=object_id", "=actor", "=request_id", "project__slug"]
    ordering = ["-pk"]
