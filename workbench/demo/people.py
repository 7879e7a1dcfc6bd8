"""The people of the demo: one sign-in for the newcomer, two reviewers who were there before."""

import os
import secrets
from pathlib import Path

from django.conf import settings

from sources.models import User

NEWCOMER = "demo"
COLLEAGUES = (("li.lei", "雷", "李"), ("wang.fang", "芳", "王"))

# Read aloud and typed by hand: no letter that looks like another one.
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_GROUPS, _GROUP = 4, 4


def newcomer() -> User:
    """Give the user ``demo``, an admin so that every screen can be seen; made on first use."""
    user, made = User.objects.get_or_create(
        username=NEWCOMER, defaults={"is_staff": True, "is_superuser": True}
    )
    if made:
        user.set_password(_stored_password())
        user.save(update_fields=["password"])
    return user


def colleagues() -> list[User]:
    """Give the two earlier reviewers; nobody can sign in as them."""
    found = []
    for username, first, last in COLLEAGUES:
        user, made = User.objects.get_or_create(
            username=username, defaults={"first_name": first, "last_name": last}
        )
        if made:
            user.set_unusable_password()
            user.save(update_fields=["password"])
        found.append(user)
    return found


def password_of(user: User) -> str:
    """Give the password that was made for the newcomer; empty once the user has another one."""
    password = _stored_password()
    return password if user.check_password(password) else ""


def _stored_password() -> str:
    """Read the password of this installation, or make it; only the owner may read the file."""
    path = Path(settings.DATA_DIR) / "demo_password"
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip()
    groups = ("".join(secrets.choice(_LETTERS) for _ in range(_GROUP)) for _ in range(_GROUPS))
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write("-".join(groups))
    return path.read_text(encoding="ascii").strip()
