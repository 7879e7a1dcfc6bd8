"""The site's tables in the administration: forms, history, files in and out. Admins alone."""

import re
import uuid
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import models, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST
from import_export.admin import ImportExportMixin
from import_export.forms import ExportForm, ImportForm
from import_export.tmp_storages import BaseStorage

from .actions import tables
from .admin_tools import ModelAdmin, ReadOnlyAdmin, marked_field
from .models import Domain, Journal, Publisher, Subject, TableChange, User
from .models.tables import TableRow
from .table_formats import FORMATS, JsonlFormat, UnreadableTable
from .table_resources import (
    DomainResource,
    JournalResource,
    PublisherResource,
    SubjectResource,
)
from .table_rows import key_of
from .uploads import UNFINISHED

MAX_FILE = 20 * 2**20  # bytes of a table's file
_NAME = re.compile(r"[0-9a-f]{32}\Z")


class UploadFolder(BaseStorage):
    """Keep a file between its preview and its import on the data disk, for its admin alone.

    The sweep removes it where nobody comes back.
    """

    def save(self, data: bytes) -> None:
        folder = Path(settings.UPLOAD_DIR)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.name = uuid.uuid4().hex
        with self._place().open("xb") as target:
            self._place().chmod(0o600)
            target.write(data)

    def read(self) -> bytes:
        """Give the file. Raises FileNotFoundError, also for a name that is none of ours."""
        return self._place().read_bytes()

    def remove(self) -> None:
        self._place().unlink(missing_ok=True)

    def _place(self) -> Path:
        if not _NAME.match(str(self.name)):
            raise FileNotFoundError(self.name)
        return Path(settings.UPLOAD_DIR) / f"{self.name}{UNFINISHED}"


class TableImportForm(ImportForm):
    """The file and its format."""

    def clean_import_file(self) -> Any:
        """Refuse a file that is no table's for its size."""
        found = self.cleaned_data["import_file"]
        if found.size > MAX_FILE:
            raise forms.ValidationError(
                _("The file is larger than %d MB. Nothing was imported.") % (MAX_FILE // 2**20)
            )
        return found


class LinesField(forms.CharField):
    """A list of texts, one a line."""

    widget = forms.Textarea(attrs={"rows": 3, "cols": 60})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(map(str, value)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        lines = str(value or "").splitlines()
        return [line.strip() for line in lines if line.strip()]

    def validate(self, value: Any) -> None:
        """Leave it to the model: an empty list is a list."""

    def run_validators(self, value: Any) -> None:
        """Leave it to the model, for the same reason."""


# Its attributes have other types than Django's, which only a checker minds.
_ImportExport: Any = ImportExportMixin


class TableAdmin(_ImportExport, ModelAdmin):
    """What the tables share: every change is a verb of ``actions.tables``, with its history."""

    formats = list(FORMATS)
    import_form_class = TableImportForm
    export_form_class = ExportForm
    tmp_storage_class = UploadFolder
    skip_admin_log = True
    to_encoding = None
    list_per_page = 100
    show_full_result_count = False
    formfield_overrides = {models.JSONField: {"form_class": LinesField}}

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Show a list as lines."""
        if isinstance(db_field, models.JSONField):
            return LinesField(
                label=db_field.verbose_name.capitalize(),
                required=False,
                help_text=_("One a line."),
            )
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    # Changes.

    def save_model(self, request: HttpRequest, obj: TableRow, form: Any, change: bool) -> None:
        tables.save_row(row=obj, by=_user(request))

    def delete_model(self, request: HttpRequest, obj: TableRow) -> None:
        tables.remove_rows(rows=[obj], by=_user(request))

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        tables.remove_rows(rows=list(queryset), by=_user(request))

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        """Lead to what is kept of the row's changes."""
        row = self.get_object(request, object_id)
        if row is None or not self.has_view_permission(request, row):
            raise PermissionDenied
        query = urlencode({"table": self.model._meta.model_name, "row_key": key_of(row)})
        return HttpResponseRedirect(f"{reverse('admin:sources_tablechange_changelist')}?{query}")

    # Files in.

    def has_import_permission(self, request: HttpRequest) -> bool:
        return self.has_add_permission(request) and self.has_change_permission(request)

    def add_data_read_fail_error_to_form(self, form: Any, e: Exception) -> None:
        if isinstance(e, UnreadableTable):
            form.add_error("import_file", str(e))
        else:
            super().add_data_read_fail_error_to_form(form, e)

    @method_decorator(require_POST)
    def process_import(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        """Import the file that was looked over; all of it, or nothing."""
        if not self.has_import_permission(request):
            raise PermissionDenied
        form = self.create_confirm_form(request)
        formats, number = self.get_import_formats(), ""
        if form.is_valid():
            number = form.cleaned_data["format"]
        if number not in map(str, range(len(formats))):
            return self._again(request, _("This form is damaged. Upload the file again."))
        storage = UploadFolder(name=form.cleaned_data["import_file_name"])
        try:
            dataset = formats[int(number)]().create_dataset(storage.read())
        except FileNotFoundError:
            return self._again(request, _("The file is gone. Upload it again."))
        except UnreadableTable as fault:
            return self._again(request, str(fault))
        result = self.process_dataset(dataset, form, request, **kwargs)
        storage.remove()
        if result.has_errors() or result.has_validation_errors():
            return self._again(
                request, _("The table changed in the meantime. Nothing was imported.")
            )
        done: HttpResponse = self.process_result(result, request)
        return done

    def process_dataset(self, dataset: Any, form: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Write the rows with their history in one transaction."""
        name = str(form.cleaned_data.get("original_file_name") or "")[:300]
        resource = self.choose_import_resource_class(form, request)()
        with transaction.atomic():
            result = resource.import_data(
                dataset,
                dry_run=False,
                use_transactions=True,
                rollback_on_validation_errors=True,
                user=request.user,
            )
            if not (result.has_errors() or result.has_validation_errors()):
                tables.note_import(
                    changes=resource.changes, rows=resource.rows, name=name, by=_user(request)
                )
        return result

    def _again(self, request: HttpRequest, text: str) -> HttpResponse:
        messages.error(request, text)
        label, name = self.get_model_info()
        return HttpResponseRedirect(reverse(f"admin:{label}_{name}_import"))

    # Files out.

    def has_export_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def get_export_data(
        self, file_format: Any, request: HttpRequest, queryset: Any, **kwargs: Any
    ) -> bytes:
        """Give the file: JSONL with numbers and lists as they are, the others as texts."""
        if not self.has_export_permission(request):
            raise PermissionDenied
        native = isinstance(file_format, JsonlFormat)
        data = self.get_data_for_export(request, queryset, force_native_type=native, **kwargs)
        return bytes(file_format.export_data(data))


def _user(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


class JournalAdmin(TableAdmin):
    """Journals. An impact factor entered here stands above the authority band."""

    resource_classes = [JournalResource]
    list_display = ["title", "impact_factor", "impact_year", "authority_band", "tier",
                    "changed_by", "changed_at"]  # fmt: skip
    list_select_related = ["changed_by"]
    list_filter = ["tier", "authority_band"]
    search_fields = ["title", "title_key", "note"]
    fields = ["title", "issns", "aliases", "impact_factor", "impact_year", "impact_source",
              "authority_band", "tier", "note"]  # fmt: skip


class PublisherAdmin(TableAdmin):
    """Publishing bodies by their names."""

    resource_classes = [PublisherResource]
    list_display = ["name", "publisher_class", "tier", "authority", "changed_by", "changed_at"]
    list_select_related = ["changed_by"]
    list_filter = ["publisher_class", "tier"]
    search_fields = ["name", "name_key", "note"]
    fields = ["name", "aliases", "publisher_class", "tier", "authority", "note"]


class DomainAdmin(TableAdmin):
    """Hosts, or paths of them, and what is published there."""

    resource_classes = [DomainResource]
    list_display = ["host", "path_prefix", "publisher", "publisher_class", "tier", "authority",
                    "source_type", "changed_by", "changed_at"]  # fmt: skip
    list_select_related = ["changed_by", "publisher"]
    list_filter = ["publisher_class", "tier", "source_type"]
    search_fields = ["host", "path_prefix", "publisher__name", "note"]
    autocomplete_fields = ["publisher"]
    fields = ["host", "path_prefix", "with_subdomains", "publisher", "publisher_class", "tier",
              "authority", "source_type", "note"]  # fmt: skip


class SubjectAdmin(TableAdmin):
    """Companies and products that a project evaluates."""

    resource_classes = [SubjectResource]
    list_display = ["name", "kind", "project", "changed_by", "changed_at"]
    list_select_related = ["changed_by", "project"]
    list_filter = ["kind"]
    search_fields = ["name", "project__slug"]
    autocomplete_fields = ["project"]
    fields = ["project", "kind", "name", "aliases", "domains", "note"]


class TableChangeAdmin(ReadOnlyAdmin):
    """Who changed which row of a table, from what to what. The number is the tables' version."""

    list_display = ["pk", "at", "by", "table", "row_key_shown", "reason_shown"]
    row_key_shown = staticmethod(marked_field("row_key", gettext_lazy("row")))
    reason_shown = staticmethod(marked_field("reason", gettext_lazy("reason"), limit=120))
    list_filter = ["table"]
    list_select_related = ["by"]
    search_fields = ["row_key", "reason", "by__username"]

    def lookup_allowed(self, lookup: str, value: Any, request: Any = None) -> bool:
        """Let a row's page lead to its history."""
        return lookup == "row_key" or super().lookup_allowed(lookup, value, request)


PAGES = (
    (Journal, JournalAdmin),
    (Publisher, PublisherAdmin),
    (Domain, DomainAdmin),
    (Subject, SubjectAdmin),
    (TableChange, TableChangeAdmin),
)
