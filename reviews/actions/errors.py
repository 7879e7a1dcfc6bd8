"""Why an action was not done. Each says what, and what to do; nothing was changed."""

from django.utils.translation import gettext as _


class ActionRefused(Exception):
    """The action breaks a rule; ``code`` names it for the page, the text is for the user."""

    def __init__(self, code: str, message: str, **details: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details


class NotAllowed(ActionRefused):
    """The user's role does not allow it."""

    def __init__(self) -> None:
        super().__init__("not-allowed", _("Your role in this project does not allow this."))


class ClaimChanged(ActionRefused):
    """An import changed the claim since the page showed it: nobody judges what he did not see."""

    def __init__(self) -> None:
        super().__init__(
            "claim-changed",
            _(
                "An import changed this claim while you read it. Your text is kept; read the claim "
                "as it is now, then save again."
            ),
        )


class Conflict(ActionRefused):
    """Somebody, or the same person elsewhere, saved in between. ``current`` is what stands."""

    def __init__(self, current: object) -> None:
        super().__init__(
            "conflict",
            _("This was changed in the meantime. Your text is kept; compare, then save again."),
        )
        self.current = current
