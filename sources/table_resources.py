"""The site's tables in and out of files, for django-import-export.

Rows are known by their natural key. A file changes or adds rows and never removes any; one bad
row, and nothing of the file is written.
"""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from import_export import fields, resources, widgets

from .models import Domain, Journal, Project, Publisher, Subject, User
from .models.tables import TableRow
from .scoring.names import fold_host, fold_name
from .table_formats import ABSENT
from .table_rows import FIELDS, RowChange, change_of, content_of
from .templatetags.show import marked

BATCH = 500
SHOWN_WHOLE = 2_000  # rows of which the preview shows every value
_TRUE = frozenset({"1", "true", "yes", "是", "y"})
_FALSE = frozenset({"0", "false", "no", "否", "n"})


class TextWidget(widgets.Widget):
    """A text, trimmed; nothing is the empty text."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> str:
        return "" if value is None else str(value).strip()

    def render(self, value: Any, obj: Any = None, **kwargs: Any) -> str:
        return "" if value is None else str(value)


class NumberWidget(widgets.Widget):
    """A number, or nothing."""

    def __init__(self, whole: bool = False) -> None:
        super().__init__()
        self.whole = whole

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> Decimal | int | None:
        if value is None or (isinstance(value, str) and not value.strip()):
            return None
        refused = _("“%s” is no number.") % value
        if isinstance(value, bool):
            raise ValidationError(refused)
        try:
            found = Decimal(str(value).strip())
        except InvalidOperation:
            raise ValidationError(refused) from None
        if not found.is_finite() or abs(found) >= 10**9:
            raise ValidationError(refused)
        if not self.whole:
            return found
        if found != found.to_integral_value():
            raise ValidationError(_("“%s” is no whole number.") % value)
        return int(found)

    def render(self, value: Any, obj: Any = None, **kwargs: Any) -> Any:
        if kwargs.get("force_native_type"):
            return value
        if value is None:
            return ""
        return format(value.normalize(), "f") if isinstance(value, Decimal) else str(value)


class ListWidget(widgets.Widget):
    """Several names: a list in JSONL, else one text with a semicolon between them."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> list[Any]:
        if value is None:
            return []
        if isinstance(value, list):
            return value
        parts = str(value).replace("；", ";").replace("\n", ";").split(";")
        return [part.strip() for part in parts if part.strip()]

    def render(self, value: Any, obj: Any = None, **kwargs: Any) -> Any:
        names = value or []
        return list(names) if kwargs.get("force_native_type") else "; ".join(map(str, names))


class YesNoWidget(widgets.Widget):
    """True or false; nothing is true, as in the form."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> bool:
        if value is None or value == "":
            return True
        word = str(value).strip().lower()
        if word not in _TRUE | _FALSE:
            raise ValidationError(_("“%s” is neither true nor false.") % value)
        return word in _TRUE

    def render(self, value: Any, obj: Any = None, **kwargs: Any) -> Any:
        return bool(value) if kwargs.get("force_native_type") else str(bool(value)).lower()


class NamedRowWidget(widgets.Widget):
    """A row of another table by its name; the names are read once for a file."""

    def __init__(self, model: Any, key: Any, name: str) -> None:
        super().__init__()
        self._model, self._key, self._name = model, key, name
        self._known: dict[str, Any] | None = None

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> Any:
        if value is None or not str(value).strip():
            return None
        if self._known is None:
            self._known = {
                self._key(getattr(each, self._name)): each for each in self._model.objects.all()
            }
        found = self._known.get(self._key(str(value).strip()))
        if found is None:
            raise ValidationError(_("“%s” is not known here.") % value)
        return found

    def render(self, value: Any, obj: Any = None, **kwargs: Any) -> str:
        return str(getattr(value, self._name)) if value is not None else ""


class _Difference:
    """What a row of the preview shows: each value, and what it was where it was another."""

    def __init__(self, resource: "TableResource", instance: Any, new: bool) -> None:
        self._resource, self._new = resource, new
        self._old = self._read(instance)
        self._now: list[str] = []

    def compare_with(self, _resource: "TableResource", instance: Any) -> None:
        """Take the row as it will be."""
        self._now = self._read(instance) if instance is not None else []

    def as_html(self) -> list[str]:
        """Give one piece of markup for each column; texts are escaped, odd characters marked."""
        if self._resource.terse:
            return []
        return [
            marked(now)
            if self._new or old == now
            else format_html("<del>{}</del> <ins>{}</ins>", marked(old), marked(now))
            for old, now in zip(self._old, self._now, strict=False)
        ]

    def _read(self, instance: Any) -> list[str]:
        columns = self._resource.get_import_fields()
        return [str(column.export(instance)) for column in columns]


class TableResource(resources.ModelResource):
    """What the tables share. ``changes`` and ``rows`` tell after an import what it did."""

    _meta: Any

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.changes: list[RowChange] = []
        self.rows: list[TableRow] = []
        self.terse = False  # a preview of so many rows shows what happens to each, no values
        self._held: dict[Any, TableRow] = {}
        self._seen: dict[Any, int] = {}
        self._old: dict[str, Any] | None = None

    # What a table says of its own.

    def row_key(self, row: Mapping[str, Any]) -> Any:
        """Give the natural key that a row of a file names."""
        raise NotImplementedError

    def instance_key(self, instance: Any) -> Any:
        """Give the natural key of a stored row."""
        raise NotImplementedError

    # What django-import-export asks.

    def get_queryset(self) -> QuerySet[Any]:
        found: QuerySet[Any] = super().get_queryset()
        return found.order_by("pk")

    def before_import(self, dataset: Any, **kwargs: Any) -> None:
        known = [column.column_name for column in self.get_import_fields()]
        if unknown := [name for name in dataset.headers if name not in known]:
            raise ValidationError(
                _("Unknown columns: %(unknown)s. Known are: %(known)s.")
                % {"unknown": ", ".join(unknown), "known": ", ".join(known)}
            )
        self._held = {self.instance_key(row): row for row in self.get_queryset()}
        self.terse = len(dataset) > SHOWN_WHOLE

    def before_import_row(self, row: dict[str, Any], **kwargs: Any) -> None:
        for name in [name for name, value in row.items() if value is ABSENT]:
            del row[name]
        key, number = self.row_key(row), int(kwargs.get("row_number") or 0)
        if first := self._seen.get(key):
            raise ValidationError(_("Row %d of the file names the same.") % first)
        self._seen[key] = number

    def get_instance(self, instance_loader: Any, row: dict[str, Any]) -> TableRow | None:
        return self._held.get(self.row_key(row))

    def after_init_instance(self, instance: Any, new: bool, row: Any, **kwargs: Any) -> None:
        self._old = None if new else content_of(instance)

    def validate_instance(
        self, instance: Any, import_validation_errors: Any = None, validate_unique: bool = True
    ) -> None:
        errors: dict[str, Any] = dict(import_validation_errors or {})
        try:
            instance.full_clean(
                exclude=list(errors), validate_unique=False, validate_constraints=False
            )
        except ValidationError as fault:
            errors = fault.update_error_dict(errors)
        if errors:
            raise ValidationError(errors)

    def skip_row(self, instance: Any, original: Any, *others: Any, **kwargs: Any) -> bool:
        # A new row that says nothing looks unchanged.
        return self._old is not None and bool(
            super().skip_row(instance, original, *others, **kwargs)
        )

    def before_save_instance(self, instance: Any, row: Any, **kwargs: Any) -> None:
        by = kwargs.get("user")
        instance.changed_by = by if isinstance(by, User) else None
        instance.changed_at = timezone.now()
        instance.version += 1 if self._old is not None else 0

    def after_save_instance(self, instance: Any, row: Any, **kwargs: Any) -> None:
        if (change := change_of(instance, self._old)) is not None:
            self.changes.append(change)
            self.rows.append(instance)

    def get_bulk_update_fields(self) -> list[str]:
        folded = {Journal: ["title_key"], Publisher: ["name_key"]}.get(self._meta.model, [])
        return [*FIELDS[self._meta.model], *folded, "version", "changed_by", "changed_at"]

    @classmethod
    def get_diff_class(cls) -> type[_Difference]:
        return _Difference


def _column(name: str, widget: widgets.Widget) -> fields.Field:
    return fields.Field(attribute=name, column_name=name, widget=widget)


class _Meta:
    use_bulk = True
    batch_size = BATCH
    skip_unchanged = True
    report_skipped = False
    clean_model_instances = True


class JournalResource(TableResource):
    """Journals by their title."""

    title = _column("title", TextWidget())
    issns = _column("issns", ListWidget())
    aliases = _column("aliases", ListWidget())
    impact_factor = _column("impact_factor", NumberWidget())
    impact_year = _column("impact_year", NumberWidget(whole=True))
    impact_source = _column("impact_source", TextWidget())
    authority_band = _column("authority_band", NumberWidget())
    tier = _column("tier", NumberWidget(whole=True))
    note = _column("note", TextWidget())

    class Meta(_Meta):
        model = Journal
        fields = export_order = FIELDS[Journal]
        import_id_fields = ("title",)

    def row_key(self, row: Mapping[str, Any]) -> str:
        return fold_name(str(row.get("title") or ""))

    def instance_key(self, instance: Journal) -> str:
        return instance.title_key


class PublisherResource(TableResource):
    """Publishers by their name."""

    name = _column("name", TextWidget())
    aliases = _column("aliases", ListWidget())
    publisher_class = _column("publisher_class", TextWidget())
    tier = _column("tier", NumberWidget(whole=True))
    authority = _column("authority", NumberWidget())
    note = _column("note", TextWidget())

    class Meta(_Meta):
        model = Publisher
        fields = export_order = FIELDS[Publisher]
        import_id_fields = ("name",)

    def row_key(self, row: Mapping[str, Any]) -> str:
        return fold_name(str(row.get("name") or ""))

    def instance_key(self, instance: Publisher) -> str:
        return instance.name_key


class DomainResource(TableResource):
    """Hosts by host and path."""

    host = _column("host", TextWidget())
    path_prefix = _column("path_prefix", TextWidget())
    with_subdomains = _column("with_subdomains", YesNoWidget())
    publisher = _column("publisher", NamedRowWidget(Publisher, fold_name, "name"))
    publisher_class = _column("publisher_class", TextWidget())
    tier = _column("tier", NumberWidget(whole=True))
    authority = _column("authority", NumberWidget())
    source_type = _column("source_type", TextWidget())
    note = _column("note", TextWidget())

    class Meta(_Meta):
        model = Domain
        fields = export_order = FIELDS[Domain]
        import_id_fields = ("host",)

    def get_queryset(self) -> QuerySet[Domain]:
        return super().get_queryset().select_related("publisher")

    def row_key(self, row: Mapping[str, Any]) -> tuple[str, str]:
        host = str(row.get("host") or "")
        return fold_host(host) or host, str(row.get("path_prefix") or "").strip()

    def instance_key(self, instance: Domain) -> tuple[str, str]:
        return instance.host, instance.path_prefix


class SubjectResource(TableResource):
    """Evaluated companies and products by project, kind and name."""

    project = _column("project", NamedRowWidget(Project, str, "slug"))
    kind = _column("kind", TextWidget())
    name = _column("name", TextWidget())
    aliases = _column("aliases", ListWidget())
    domains = _column("domains", ListWidget())
    note = _column("note", TextWidget())

    class Meta(_Meta):
        model = Subject
        fields = export_order = FIELDS[Subject]
        import_id_fields = ("project", "kind", "name")

    def get_queryset(self) -> QuerySet[Subject]:
        return super().get_queryset().select_related("project")

    def row_key(self, row: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(str(row.get(name) or "").strip() for name in ("project", "kind", "name"))

    def instance_key(self, instance: Subject) -> tuple[str, ...]:
        return instance.project.slug, instance.kind, instance.name
