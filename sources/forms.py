"""Forms for a project and its members."""

import json
from typing import TYPE_CHECKING, Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Column, Layout, Row, Submit
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from workbench.lib.showing import safe_address

from .actions import PROJECT_FIELDS, project_content
from .models import Membership, Project, User

if TYPE_CHECKING:
    ProjectModelForm = forms.ModelForm[Project]
else:
    ProjectModelForm = forms.ModelForm

RESERVED_SLUGS = frozenset({"new"})
MAX_REPORT_URLS = 50


class DateInput(forms.DateInput):
    """A date as browsers pick it."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class ProjectForm(ProjectModelForm):
    """Settings of a project. Without ``instance`` it begins one, and asks for its slug too."""

    report_urls = forms.CharField(
        label=gettext_lazy("Addresses of the report itself"),
        help_text=gettext_lazy("One a line. A source that is the report proves nothing."),
        widget=forms.Textarea(attrs={"rows": 2}),
        required=False,
    )

    class Meta:
        model = Project
        fields = ["slug", *PROJECT_FIELDS]
        widgets = {
            "question": forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
            "title": forms.TextInput(attrs={"dir": "auto"}),
            "time_frame_start": DateInput(),
            "time_frame_end": DateInput(),
            "as_of": DateInput(),
        }
        help_texts = {
            "slug": gettext_lazy("Part of every address of the project; it stays as it is."),
            "language": gettext_lazy("Of the report: en, zh-Hans or another language tag."),
            "as_of": gettext_lazy("The day for which the report claims to be true."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        begun = self.instance.pk is not None
        if begun:
            del self.fields["slug"]
            self.initial["report_urls"] = "\n".join(map(str, self.instance.report_urls))
            self.fields["seen"] = forms.CharField(
                widget=forms.HiddenInput, required=False, initial=json.dumps(self._standing())
            )
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.layout = Layout(
            *([] if begun else ["slug"]),
            "title",
            "question",
            Row(Column("language"), Column("topic_type")),
            "primary_subject",
            Row(Column("time_frame_start"), Column("time_frame_end")),
            Row(Column("as_of"), Column("sealed_share")),
            "report_urls",
            *(["seen"] if begun else []),
        )

    def _standing(self) -> dict[str, Any]:
        return project_content(self.instance)

    def clean_slug(self) -> str:
        slug = str(self.cleaned_data["slug"]).lower()
        if slug in RESERVED_SLUGS:
            raise ValidationError(_("This word is part of the workbench's own addresses."))
        if Project.objects.filter(slug=slug).exists():
            raise ValidationError(_("Another project has this slug. Choose a different one."))
        return slug

    def clean_report_urls(self) -> list[str]:
        lines = str(self.cleaned_data["report_urls"]).split()
        for line in lines:
            if safe_address(line) is None:
                raise ValidationError(
                    _("“%(line)s” is no http or https address."), params={"line": line[:200]}
                )
        if len(lines) > MAX_REPORT_URLS:
            raise ValidationError(_("Give at most %(most)d."), params={"most": MAX_REPORT_URLS})
        return lines

    def clean_seen(self) -> dict[str, Any]:
        try:
            seen = json.loads(self.cleaned_data["seen"] or "{}")
        except (ValueError, RecursionError):
            return {}
        return seen if isinstance(seen, dict) else {}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        start, end = cleaned.get("time_frame_start"), cleaned.get("time_frame_end")
        if start and end and end < start:
            self.add_error("time_frame_end", _("The time frame ends before it begins."))
        return cleaned

    def project_fields(self) -> dict[str, Any]:
        """Give the cleaned settings, without slug."""
        return {name: self.cleaned_data[name] for name in PROJECT_FIELDS}


class MemberForm(forms.Form):
    """Give a role to a person who has an account."""

    username = forms.CharField(label=gettext_lazy("User name"), max_length=150)
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Membership.Role.choices)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.layout = Layout(Row(Column("username"), Column("role")))
        self.helper.add_input(Submit("add", gettext_lazy("Add member")))

    def clean_username(self) -> User:
        name = self.cleaned_data["username"]
        user = User.objects.filter(username=name, is_active=True).first()
        if user is None:
            raise ValidationError(
                _("There is no user of this name. An administrator makes accounts.")
            )
        return user


class PlanForm(forms.Form):
    """A project's dimensions and key questions, as lines."""

    text = forms.CharField(
        label=gettext_lazy("Dimensions and key questions"),
        max_length=400_000,
        widget=forms.Textarea(attrs={"rows": 18, "dir": "auto", "spellcheck": "true"}),
        strip=False,  # spaces at the start of a line tell a key question
        required=False,
    )
    seen = forms.CharField(
        max_length=400_000, widget=forms.HiddenInput, strip=False, required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.form_tag = False
