"""Read what the audit screen posts. Everything in it may be hostile."""

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from reviews.actions import ActionRefused, DefectInput, VerdictInput
from reviews.defects import BY_CODE
from reviews.models import Defect, Verdict

MAX_TEXT = 20_000  # characters of one field
MAX_NUMBER = 2**31 - 1


def text(post: QueryDict, name: str, limit: int = MAX_TEXT) -> str:
    """Give a posted text. Raises ActionRefused where it is too long or holds a NUL."""
    value = post.get(name, "")
    if len(value) > limit:
        raise ActionRefused(
            "too-long", _("The text has more than %d characters. Shorten it.") % limit
        )
    if "\x00" in value:
        raise ActionRefused("unknown-value", _("The text holds a character that cannot be kept."))
    return value.replace("\r\n", "\n")


def number(post: Mapping[str, Any], name: str) -> int | None:
    """Give a posted whole number, 0 to 2,147,483,647; None where there is none."""
    value = str(post.get(name, ""))
    if not value.isascii() or not value.isdigit() or len(value) > 10:
        return None
    return min(int(value), MAX_NUMBER)


def claim_version(post: QueryDict) -> int:
    """Give the version of the claim that the form showed. Raises ActionRefused without one."""
    version = number(post, "claim_version")
    if version is None:
        raise ActionRefused(
            "claim-version-missing",
            _("The form does not say which version of the claim it showed. Reload the page."),
        )
    return version


def day(post: QueryDict, name: str) -> date:
    """Give a posted date. Raises ActionRefused."""
    try:
        return date.fromisoformat(post.get(name, "")[:10])
    except ValueError:
        raise ActionRefused("date-unknown", _("Give the day as 2026-12-31.")) from None


def defects(post: QueryDict) -> tuple[DefectInput, ...]:
    """Give the chosen defects with their fields."""
    codes = [code for code in dict.fromkeys(post.getlist("defect")) if code in BY_CODE]
    return tuple(
        DefectInput(
            code=code,
            severity=text(post, f"{code}-severity", 20),
            severity_reason=text(post, f"{code}-severity_reason"),
            text=text(post, f"{code}-text"),
            action=text(post, f"{code}-action"),
            evidence_id=number(post, f"{code}-evidence"),
        )
        for code in codes
    )


def dismissals(post: QueryDict) -> dict[int, str]:
    """Give the reasons that dismiss red checks, by finding."""
    found = {}
    for name in post:
        if name.startswith("dismiss-") and (key := number({"n": name[8:]}, "n")) is not None:
            found[key] = text(post, name)
    return found


def verdict(post: QueryDict) -> VerdictInput:
    """Give the verdict that the form holds."""
    return VerdictInput(
        decision=text(post, "decision", 20),
        note=text(post, "note"),
        defects=defects(post),
        dismissals=dismissals(post),
        active_ms=number(post, "active_ms") or 0,
        provisional=_provisional(post),
    )


def _provisional(post: QueryDict) -> str:
    given = text(post, "provisional", 20)
    return given if given in Verdict.Decision.values else ""


def said(given: VerdictInput) -> dict[str, Any]:
    """Give the parts of a verdict that two tabs may differ in, for comparison."""
    return {
        "decision": given.decision,
        "note": given.note.strip(),
        "defects": sorted(
            [d.code, d.text.strip(), d.action.strip(), d.severity_reason.strip()]
            for d in given.defects
        ),
    }


def stored(current: Verdict | None, held: list[Defect]) -> dict[str, Any]:
    """Give the same parts of a stored verdict."""
    return {
        "decision": current.decision if current else "",
        "note": current.note if current else "",
        "defects": sorted([d.code, d.text, d.action, d.severity_reason] for d in held),
    }


def shown_before(post: QueryDict) -> dict[str, Any] | None:
    """Give what the form held when it was rendered; None where that cannot be read."""
    try:
        value = json.loads(post.get("was", "")[: 10 * MAX_TEXT])
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def body(post: QueryDict) -> dict[str, Any]:
    """Give a draft: field name to text, or to a list of chosen values."""
    # No database keeps a NUL in JSON; the rest of the draft is worth keeping.
    return {
        _kept(name)[:80]: _kept(values[0]) if len(values) == 1 else [_kept(v) for v in values]
        for name, values in post.lists()
        if name not in {"csrfmiddlewaretoken", "slot", "form_version"}
    }


def _kept(text: Any) -> str:
    return str(text).replace("\x00", "")
