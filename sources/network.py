"""The door to the network, as the operator's settings want it."""

from collections.abc import Iterable

from django.conf import settings

from workbench.lib.http import USER_AGENT, Door, Policy


def open_door(base_urls: Iterable[str] = (), *, keep: bool = False) -> Door:
    """Give a door to the public internet, the named exceptions and configured base URLs.

    APIs are told how to reach the operator, where the settings say so. ``keep`` as in Door.
    """
    return Door(
        Policy.allowing(settings.FETCH_ALLOW, base_urls), user_agent=user_agent(), keep=keep
    )


def user_agent() -> str:
    """Give the name under which we ask, with the contact address if there is one."""
    contact = settings.CONTACT_EMAIL
    return f"{USER_AGENT} (mailto:{contact})" if contact else USER_AGENT
