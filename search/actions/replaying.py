"""Replay a receipt. A verb of people: keyword-only, ``by`` the acting user."""

from django.db import transaction
from django.utils.translation import gettext as _

from search import replaying
from search.models import Receipt
from sources.actions.errors import ActionRefused, require
from sources.models import Job, User
from sources.permissions import can


@transaction.atomic
def replay_receipt(*, receipt: Receipt, by: User) -> Job:
    """Queue the same search once more; give its job, or the one that does so already."""
    require(can(by, "search", receipt.project))
    if not replaying.can_replay(receipt):
        raise ActionRefused(
            "no-replay", _("This receipt cannot be replayed: it names no provider that we have.")
        )
    return replaying.begin(receipt, by=by, tool="project-search")
