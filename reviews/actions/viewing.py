"""Keep a query of a list under a name. A reader's own state: it leaves no audit event."""

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from reviews.models import SavedView
from sources.models import Project, User

from .errors import ActionRefused, NotAllowed
from .rows import require

MAX_VIEWS = 100  # of one person in one project
MAX_NAME = 80


def _named(name: str) -> str:
    name = " ".join(name.split())
    if not name:
        raise ActionRefused("name-missing", _("Give the view a name."))
    if len(name) > MAX_NAME or "\x00" in name:
        raise ActionRefused("name-too-long", _("A name has at most %d characters.") % MAX_NAME)
    return name


def _taken(name: str) -> ActionRefused:
    return ActionRefused(
        "name-taken", _("You have a view “%s” already. Choose another name.") % name
    )


def save_view(
    *,
    project: Project,
    name: str,
    query: str,
    sort: str,
    shared: bool = False,
    list_name: str = "claims",
    by: User,
) -> SavedView:
    """Keep a query under a name; private until it is shared."""
    require(by, "read", project)
    name = _named(name)
    own = SavedView.objects.filter(project=project, owner=by, list_name=list_name)
    if own.count() >= MAX_VIEWS:
        raise ActionRefused("too-many", _("You have %d views here. Delete one first.") % MAX_VIEWS)
    try:
        with transaction.atomic():
            return SavedView.objects.create(
                project=project,
                owner=by,
                list_name=list_name,
                name=name,
                query=query,
                sort=sort,
                shared=shared,
            )
    except IntegrityError:
        raise _taken(name) from None


def change_view(*, view: SavedView, name: str, shared: bool, by: User) -> SavedView:
    """Rename a view of one's own, share it with the project, or take it back."""
    if view.owner_id != by.pk:
        raise NotAllowed
    view.name, view.shared = _named(name), shared
    try:
        with transaction.atomic():
            view.save(update_fields=["name", "shared"])
    except IntegrityError:
        raise _taken(view.name) from None
    return view


def delete_view(*, view: SavedView, by: User) -> None:
    """Forget a view of one's own."""
    if view.owner_id != by.pk:
        raise NotAllowed
    view.delete()
