"""Why an action was not done. Each says what, and what to do; nothing was changed."""

from django.utils.translation import gettext as _


class ActionRefused(Exception):
    """The action breaks a rule; ``code`` names it for the page, the text is for the user."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def require(allowed: bool) -> None:
    """Raise ActionRefused unless it is allowed."""
    if not allowed:
        raise ActionRefused("not-allowed", _("Your role in this project does not allow this."))
