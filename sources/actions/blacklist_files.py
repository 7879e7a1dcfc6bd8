"""Bring rules of the blacklist in from a file: as drafts, which do not hold yet."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from sources.exchange.rule_files import RulePlan
from sources.models import BlacklistRule, User
from sources.rule_history import content, tell_all
from sources.uploads import UNFINISHED

from .blacklist import REACH, require_admin
from .errors import ActionRefused

_BATCH = 500
_DRAFT, _ACTIVE = BlacklistRule.State.DRAFT, BlacklistRule.State.ACTIVE


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: new drafts, and rules that were changed in their words."""

    drafts: list[BlacklistRule]
    changed: int
    skipped: int  # lines that could not be read


@transaction.atomic
def import_rules(*, plan: RulePlan, name: str, only_valid: bool, by: User) -> Imported:
    """Write what a plan says, all of it or nothing; bad lines are left out only if so chosen."""
    require_admin(by)
    errors = plan.of("error")
    if errors and not only_valid:
        message = _("%d lines cannot be read. Nothing was imported.") % len(errors)
        raise ActionRefused("bad-lines", message)
    reason, batch = name[:300], uuid.uuid4().hex
    drafts = [BlacklistRule(**line.fields, created_by=by) for line in plan.of("new", "replaces")]
    BlacklistRule.objects.bulk_create(drafts, batch_size=_BATCH)
    told = ((rule, None, content(rule)) for rule in drafts)
    tell_all(told, by=by, reason=reason, batch_id=batch)
    changed = _change(plan, by=by, reason=reason, batch=batch)
    return Imported(drafts, changed, len(errors))


def _change(plan: RulePlan, *, by: User, reason: str, batch: str) -> int:
    wanted: dict[int, Mapping[str, Any]] = {
        line.rule: line.fields for line in plan.of("changed") if line.rule is not None
    }
    rules = list(
        BlacklistRule.objects.select_for_update(of=("self",))
        .filter(pk__in=wanted)
        .select_related("owner")
    )
    told = []
    for rule in rules:
        old, fields = content(rule), wanted[rule.pk]
        moved = any(fields[name] != getattr(rule, name) for name in REACH if name in fields)
        if moved and rule.state == _ACTIVE:
            raise ActionRefused(
                "conflict", _("The rules changed in the meantime. Nothing was imported.")
            )
        for name, value in fields.items():
            setattr(rule, name, value)
        if moved:
            rule.state, rule.impact, rule.impact_at = _DRAFT, {}, None
            rule.asked_by, rule.asked_at = None, None
        rule.version += 1
        told.append((rule, old, content(rule)))
    names = [
        "kind", "scope", "pattern", "pattern_key", "effect", "level", "unless", "reason",
        "evidence_link", "owner", "review_on", "ends_on", "state", "impact", "impact_at",
        "asked_by", "asked_at", "version",
    ]  # fmt: skip
    BlacklistRule.objects.bulk_update(rules, names, batch_size=_BATCH)
    tell_all(told, by=by, reason=reason, batch_id=batch)
    return len(rules)


# --- The file between its preview and its import --------------------------------------------------


def keep_file(data: bytes) -> str:
    """Keep a file until its admin decides; gives its token. The sweep removes it after a day."""
    folder = Path(settings.UPLOAD_DIR)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    token = uuid.uuid4().hex
    with _place(token).open("xb") as target:
        _place(token).chmod(0o600)
        target.write(data)
    return token


def kept_file(token: str) -> bytes:
    """Give a kept file. Raises ActionRefused where it is gone."""
    try:
        return _place(token).read_bytes()
    except OSError:
        raise ActionRefused("gone", _("The file is gone. Upload it again.")) from None


def drop_file(token: str) -> None:
    """Remove a kept file."""
    _place(token).unlink(missing_ok=True)


def _place(token: str) -> Path:
    name = token if len(token) == 32 and all(c in "0123456789abcdef" for c in token) else "none"
    return Path(settings.UPLOAD_DIR) / f"{name}{UNFINISHED}"
