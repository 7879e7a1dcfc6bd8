"""Show what came from outside: links, texts, numbers, dates. Everything is escaped."""

import json
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django import template
from django.utils import formats, timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from sources.capture_depth import reason_in
from sources.models import Job
from workbench.lib.showing import character_name, code_point, language_of, pieces, safe_address

register = template.Library()

# Icon of each state: a shape beside the hue, so that no state is told by colour alone.
# U+FE0E keeps them text where a system would draw an emoji.
ICONS = {
    "located": "✔",
    "attention": "⚠\ufe0e",
    "defect": "✖",
    "unknown": "○",
    "stale": "↻",
    "plain": "",
}


@register.filter
def marked(text: Any) -> SafeString:
    """Escape a text and put a visible mark for each invisible or direction-turning character."""
    return format_html_join(
        "",
        "{}",
        ((_unseen(piece) if unseen else piece,) for piece, unseen in pieces(str(text or ""))),
    )


def _unseen(character: str) -> SafeString:
    name = code_point(character)
    return format_html(
        '<bdi class="unseen" title="{}">{}</bdi>', f"{name} {character_name(character)}", name
    )


@register.simple_tag
def data_link(address: str | None, text: str | None = None) -> SafeString:
    """Link to an address from data: http and https only, else the address as text."""
    address = address or ""
    label = marked(text or address)
    safe = safe_address(address)
    if safe is None:
        shown = marked(address) if text else ""
        if not shown:
            return format_html('<span class="dead-link" dir="auto">{}</span>', label)
        return format_html(
            '<span dir="auto">{}</span> <span class="dead-link" dir="auto">{}</span>', label, shown
        )
    return format_html(
        '<a href="{}" rel="noopener noreferrer nofollow" target="_blank" class="data-link{}"'
        ' dir="auto" title="{}">{}</a>',
        safe,
        " named" if text and text != address else "",  # print adds the address to such a link
        safe,
        label,
    )


@register.filter
def plain(value: Any) -> SafeString:
    """Write plain data (of an audit event) as readable text, one field a line."""
    return marked(json.dumps(value, ensure_ascii=False, indent=1, default=str))


@register.filter
def fault(job: Job) -> str:
    """Say what went wrong with a job."""
    return job.error_in(get_language() or "en")


@register.filter
def why_depth(reason: str) -> str:
    """Say what told that a capture is no full text."""
    return reason_in(reason, get_language() or "en")


@register.filter
def language(text: Any) -> str:
    """Guess the language tag of a text, for ``lang``; the screens' own where nothing tells."""
    return language_of(str(text or "")) or "en"


@register.filter
def number(value: Any) -> SafeString | str:
    """Write a number the way of the screens' language; the raw one is its title."""
    if value is None or isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return "–" if value is None else str(value)
    shown = f"{value:,}"
    if shown == str(value):
        return shown
    return format_html('<span title="{}">{}</span>', str(value), shown)


@register.filter
def count(value: int) -> SafeString | str:
    """Write a count for a table's cell; zero is quiet, so that the others are seen."""
    return number(value) if value else format_html('<span class="quiet">{}</span>', 0)


def _date_format() -> str:
    return "Y年n月j日" if (get_language() or "").startswith("zh") else "j M Y"


@register.filter
def moment(value: date | datetime | None) -> SafeString | str:
    """Write a date or time in the screens' language; the raw one is its title."""
    if value is None:
        return "–"
    local = value
    if isinstance(value, datetime):
        local = timezone.localtime(value) if timezone.is_aware(value) else value
        raw = local.isoformat()[:19]
        shown = formats.date_format(local, f"{_date_format()} H:i")
    else:
        raw = value.isoformat()
        shown = formats.date_format(value, _date_format())
    return format_html('<time datetime="{}" title="{}">{}</time>', raw, raw, shown)


@register.inclusion_tag("workbench/_chip.html")
def chip(kind: str, word: Any, value: Any = "", reason: Any = "") -> dict[str, Any]:
    """Show a state as icon, word and value; with a reason it opens in place."""
    return {"kind": kind, "icon": ICONS[kind], "word": word, "value": value, "reason": reason}


@register.inclusion_tag("workbench/_progress.html")
def progress(done: int, total: int, label: str = "") -> dict[str, Any]:
    """Show a bar with its counts."""
    return {"done": done, "total": total, "label": label or _("Audited")}
