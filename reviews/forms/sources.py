"""Forms of a source: an override of one value, the conflict of interest."""

from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from django import forms
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from sources.actions.declaring import MAX_TEXT, answers_of
from sources.actions.overriding import NO_CLUSTER, OverrideInput
from sources.models import Override, Source
from sources.scoring.coi_form import QUESTIONS
from sources.scoring.kinds import KINDS
from sources.scoring.marks import DIMENSIONS, RANGES

REASONS = (
    ("", _("another reason, in words")),
    ("reprint", _("a reprint of another source")),
    ("wrong_publisher", _("the publisher is another one")),
    ("wrong_date", _("the date is another one")),
    ("wrong_type", _("it is of another type")),
    ("method", _("the method is weaker or stronger than assumed")),
    ("conflict", _("a conflict of interest")),
)
MAX_CLUSTERS = 500


def _language() -> str:
    return get_language() or "en"


class OverrideForm(forms.Form):
    """One value in the place of a computed one. What fits the field is checked by the action."""

    field = forms.ChoiceField(label=_("Value to override"), choices=Override.Field.choices)
    value = forms.CharField(label=_("New value"), max_length=200)
    reason_code = forms.ChoiceField(label=_("Kind of reason"), choices=REASONS, required=False)
    reason = forms.CharField(
        label=_("Reason"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        help_text=_("At least 15 characters; 3 beside a reason of the list."),
    )
    link = forms.CharField(label=_("Link"), max_length=2000, required=False)
    until = forms.DateField(
        label=pgettext_lazy("override", "Until"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text=_("Ends by itself after this day. Empty: it stays."),
    )

    def __init__(self, *args: Any, source: Source, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.source = source
        self.fields["value"].widget.attrs |= {"list": "override-values", "autocomplete": "off"}
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.layout = Layout(
            "field", "value", "reason_code", "reason", Field("link", dir="ltr"), "until"
        )

    @property
    def given(self) -> OverrideInput:
        """Give what was asked for. Only for a valid form."""
        said = self.cleaned_data
        return OverrideInput(
            field=said["field"],
            value=said["value"],
            reason=said["reason"],
            reason_code=said["reason_code"],
            link=said["link"],
            until=said["until"],
        )

    def values(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Give each field's possible values with words, for the reader of the form."""
        clusters = self.source.project.clusters.order_by("name").values_list("name", flat=True)
        points = [(name, [(f"{RANGES[name][0]} … {RANGES[name][1]}", "")]) for name in DIMENSIONS]
        values = [
            *points,
            ("tier", [(n, "") for n in ("1", "2", "3", "4")]),
            ("type", [(name, text.render(_language())) for name, text in KINDS.items()]),
            ("access_status", [(v, str(label)) for v, label in Source.AccessStatus.choices]),
            ("cluster", [(NO_CLUSTER, ""), *((name, "") for name in clusters[:MAX_CLUSTERS])]),
        ]
        return [(str(Override.Field(name).label), listed) for name, listed in values]


class ConflictForm(forms.Form):
    """The questions about conflicts of interest, and the statements they rest on."""

    conflict_of_interest = forms.CharField(
        label=_("What the conflict is"),
        required=False,
        max_length=MAX_TEXT,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )
    funding_statement = forms.CharField(
        label=_("Funding statement, as printed"),
        required=False,
        max_length=MAX_TEXT,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )
    # Another name than the field's: a question is called "disclosure" too.
    disclosure_text = forms.CharField(
        label=_("Disclosure, as printed"),
        required=False,
        max_length=MAX_TEXT,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )
    strong_coi = forms.BooleanField(
        label=_("Strong conflict of interest: caps the score at 3.0"), required=False
    )
    base_version = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        language = _language()
        for name, (question, answers) in QUESTIONS.items():
            choices = [("", "–"), *((key, text.render(language)) for key, text in answers.items())]
            self.fields[name] = forms.ChoiceField(
                label=question.render(language), choices=choices, required=False
            )
        self.order_fields(
            [*QUESTIONS, "funding_statement", "disclosure_text", "conflict_of_interest"]
        )
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True

    @classmethod
    def of(cls, source: Source) -> "ConflictForm":
        """Give the form as the source stands."""
        return cls(
            initial={
                **answers_of(source),
                "conflict_of_interest": source.conflict_of_interest,
                "funding_statement": source.funding_statement,
                "disclosure_text": source.disclosure,
                "strong_coi": source.strong_coi,
                "base_version": source.version,
            }
        )

    @property
    def answers(self) -> dict[str, str]:
        """Give what was answered to each question. Only for a valid form."""
        return {name: self.cleaned_data[name] for name in QUESTIONS}

    @property
    def texts(self) -> dict[str, str]:
        """Give the statements by the fields of a source. Only for a valid form."""
        said = self.cleaned_data
        return {
            "conflict_of_interest": said["conflict_of_interest"],
            "funding_statement": said["funding_statement"],
            "disclosure": said["disclosure_text"],
        }
