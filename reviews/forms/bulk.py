"""Read what is to be done with many claims."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from reviews.checks import BY_ID
from reviews.screens.bulk import LIMIT, Wanted

ACTIONS = (
    ("later", gettext_lazy("Put off")),
    ("dismiss", gettext_lazy("Dismiss a check")),
    ("key", gettext_lazy("Mark as key claims")),
    ("not_key", gettext_lazy("Take the key mark away")),
)
MIN_REASON = 3  # characters, as for a single claim
MAX_REASON = 500


class BulkForm(forms.Form):
    """One change for many claims: what, with which reason, of which query or ids."""

    action = forms.ChoiceField(choices=ACTIONS)
    until = forms.DateField(required=False)
    check = forms.CharField(required=False, max_length=60)
    reason = forms.CharField(required=False, max_length=MAX_REASON)
    everything = forms.BooleanField(required=False)
    q = forms.CharField(required=False, max_length=2000, strip=True)
    sort = forms.CharField(required=False, max_length=20)
    seen = forms.IntegerField(required=False, min_value=0, max_value=LIMIT)
    key = forms.CharField(required=False, max_length=64)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        action, reason = given.get("action"), given.get("reason", "").strip()
        if action == "later":
            until = given.get("until")
            if until is None or until <= timezone.localdate():
                raise ValidationError(_("Choose a day after today."))
        elif action and len(reason) < MIN_REASON:
            raise ValidationError(_("Give a reason of at least %d characters.") % MIN_REASON)
        if action == "dismiss" and given.get("check") not in BY_ID:
            raise ValidationError(_("Choose the check to dismiss."))
        if not given.get("everything") and not self.ids:
            raise ValidationError(_("No claim is selected. Tick some, or select the whole query."))
        return given

    @property
    def ids(self) -> list[str]:
        """Give the ticked claims, by their external ids."""
        ticked = self.data.getlist("claim") if hasattr(self.data, "getlist") else []
        return [str(name)[:300] for name in ticked[:LIMIT] if "\x00" not in str(name)]

    @property
    def wanted(self) -> Wanted:
        """Give what to do. Only for a valid form."""
        given = self.cleaned_data
        return Wanted(given["action"], given["until"], given["check"], given["reason"].strip())
