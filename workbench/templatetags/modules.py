"""Tell the browser at which addresses the scripts lie that other scripts import."""

from typing import Any

from django import template
from django.template import Context
from django.utils.csp import CONTEXT_KEY

from workbench.statics import module_addresses

register = template.Library()


@register.inclusion_tag("workbench/_import_map.html", takes_context=True)
def import_map(context: Context) -> dict[str, Any]:
    """Show the import map of our modules; it must stand before the first module of a page."""
    # As text: a nonce that nobody has read yet counts as false.
    return {"addresses": module_addresses(), "nonce": str(context.get(CONTEXT_KEY, ""))}
