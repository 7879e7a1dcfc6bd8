"""Say something about a source. A comment is an event of its trail: nobody edits or erases it."""

from django.db import transaction
from django.utils.translation import gettext as _

from sources.models import Source, User
from sources.permissions import can
from sources.recording import Entry, hold_chain, record

from .errors import ActionRefused, require

COMMENTED = "source.commented"
MAX_TEXT = 5_000  # characters


@transaction.atomic
def comment_source(*, source: Source, text: str, by: User) -> None:
    """Write a comment to the trail of a source."""
    project = source.project
    require(can(by, "review", project))
    said = text.strip()
    if not said or "\x00" in said:
        raise ActionRefused("comment-missing", _("Write what you want to say."))
    if len(said) > MAX_TEXT:
        raise ActionRefused("too-long", _("A comment has at most %d characters.") % MAX_TEXT)
    hold_chain(project)
    record(project, [Entry(COMMENTED, "source", source.external_id, reason=said)], by=by)
