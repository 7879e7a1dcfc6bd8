"""Addresses of the list of claims, and what its page shows."""

import re

LIST = "/p/nsclc/claims/"

BULK = "/p/nsclc/claims/bulk/"

HTMX = {"HX-Request": "true"}


def shown(page: object) -> list[str]:
    return re.findall(r'<tr class="claim-row" data-id="([^"]*)"', page.content.decode())
