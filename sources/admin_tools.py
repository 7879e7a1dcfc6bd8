"""What the admin pages of all apps share."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from .templatetags.show import data_link, marked

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    TabularInline = admin.TabularInline[Any, Any]
else:
    ModelAdmin = admin.ModelAdmin
    TabularInline = admin.TabularInline


class ReadOnlyAdmin(ModelAdmin):
    """Show rows; nobody adds, changes or deletes them here. History stays what it is."""

    show_full_result_count = False  # counts every row of a large table a second time
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


@admin.display(description="URL")
def url_link(row: Any) -> str:
    """Show a row's address by the one tag for links from data."""
    return data_link(getattr(row, "normalized_url", "") or getattr(row, "url", ""))


def marked_field(name: str, description: Any, *, limit: int = 0) -> Any:
    """Give a display function for a text from outside, its invisible characters marked."""

    @admin.display(description=description)
    def shown(row: Any) -> str:
        text = str(getattr(row, name))
        cut = bool(limit) and len(text) > limit
        return marked(text[:limit] + "…" if cut else text)

    shown.__name__ = f"{name}_shown"
    return shown
