"""The form of a search: what is looked for, where, and within which limits."""

import re
from collections.abc import Mapping
from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Column, Layout, Row
from django import forms
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from search.coverage import ROUND_NAMES
from search.models import Profile, Route
from search.plans import LONGEST, MOST, YEARS, Plan, PlanError
from search.providers.base import RANGES
from sources.models import Dimension, Project
from sources.models.projects import language_tag

MOST_HOSTS = 100  # that a search leaves out
WINDOW = 3  # years back, unless a person says otherwise: rulebook section 6
_RANGES = dict(
    zip(
        RANGES,
        (
            gettext_lazy("the last day"),
            gettext_lazy("the last week"),
            gettext_lazy("the last month"),
            gettext_lazy("the last year"),
        ),
        strict=True,
    )
)
_STRICT = {"": None, "yes": True, "no": False}
# Where a fault of a plan is shown.
_FIELD = {"query": "q", "years": "year_low", "routes": "way"}


class SearchForm(forms.Form):
    """A search of a project. Its fields have the names that links to it carry."""

    q = forms.CharField(
        label=gettext_lazy("Query"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto", "spellcheck": "false"}),
    )
    way = forms.ChoiceField(label=gettext_lazy("Route or profile"))
    limit = forms.IntegerField(
        label=gettext_lazy("Results of each provider"), min_value=1, max_value=MOST, initial=10
    )
    year_low = forms.IntegerField(
        label=gettext_lazy("From year"), min_value=YEARS[0], max_value=YEARS[1], required=False
    )
    year_high = forms.IntegerField(
        label=gettext_lazy("To year"), min_value=YEARS[0], max_value=YEARS[1], required=False
    )
    time_range = forms.ChoiceField(
        label=gettext_lazy("Range of time"),
        choices=[("", gettext_lazy("as the years say")), *_RANGES.items()],
        required=False,
    )
    language = forms.CharField(
        label=gettext_lazy("Language of the query"),
        max_length=35,
        validators=[language_tag],
        widget=forms.TextInput(attrs={"list": "languages", "autocomplete": "off"}),
        help_text=gettext_lazy("en, zh or another language tag."),
        required=False,
    )
    round = forms.ChoiceField(label=gettext_lazy("Round"), required=False)
    dimension = forms.ChoiceField(label=gettext_lazy("Dimension"), required=False)
    exclude = forms.CharField(
        label=gettext_lazy("Hosts to leave out"),
        max_length=2_000,
        widget=forms.TextInput(attrs={"dir": "ltr", "spellcheck": "false"}),
        help_text=gettext_lazy("Separated by spaces. Not every provider can do that."),
        required=False,
    )
    claim = forms.CharField(
        label=gettext_lazy("For the claim"),
        max_length=500,
        help_text=gettext_lazy("Its id, as d1.c3, where evidence for one claim is looked for."),
        required=False,
    )
    purpose = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=2_000,
        widget=forms.TextInput(attrs={"dir": "auto"}),
        help_text=gettext_lazy("Stands in the receipt."),
        required=False,
    )
    strict = forms.ChoiceField(
        label=gettext_lazy("If the first provider fails"),
        choices=[
            ("", gettext_lazy("as the route says")),
            ("yes", gettext_lazy("fail loudly")),
            ("no", gettext_lazy("ask the others; what they find are leads")),
        ],
        required=False,
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._dimensions = {
            row.external_id: row for row in Dimension.objects.filter(project=project)
        }
        routes = [(f"route:{row.slug}", _said(row)) for row in Route.objects.all()]
        profiles = [(f"profile:{row.slug}", _said(row)) for row in Profile.objects.all()]
        groups = [(str(_("Routes")), routes), (str(_("Profiles of routes")), profiles)]
        choices: Any = self.fields
        choices["way"].choices = groups
        language = "zh" if _is_chinese() else "en"
        choices["round"].choices = [
            ("", _("no round")),
            *((str(number), f"R{number} {name.render(language)}")
              for number, name in ROUND_NAMES.items()),
        ]  # fmt: skip
        choices["dimension"].choices = [
            ("", _("no dimension")),
            *((name, str(row)[:100]) for name, row in self._dimensions.items()),
        ]
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.layout = Layout(
            "q",
            Row(Column("way"), Column("strict")),
            Row(
                Column("year_low"), Column("year_high"), Column("time_range"), Column("limit"),
            ),
            Row(Column("round"), Column("dimension"), Column("language")),
            Row(Column("exclude"), Column("claim")),
            "purpose",
        )  # fmt: skip

    def plan(self) -> Plan | None:
        """Give the search that is asked for; None, with errors in the form, where it cannot be."""
        said = self.cleaned_data
        kind, _colon, slug = said["way"].partition(":")
        dimension = self._dimensions.get(said["dimension"])
        plan = Plan(
            text=said["q"].strip(),
            limit=said["limit"],
            year_low=said["year_low"],
            year_high=said["year_high"],
            time_range=said["time_range"],
            language=said["language"],
            round=int(said["round"]) if said["round"] else None,
            purpose=said["purpose"],
            strict=_STRICT[said["strict"]],
            claim=said["claim"],
            exclude=_hosts(said["exclude"]),
            dimension=dimension.pk if dimension else None,
            **{kind: slug},
        )
        try:
            plan.check()
        except PlanError as fault:
            text = fault.render("zh" if _is_chinese() else "en")
            self.add_error(_FIELD.get(fault.code, fault.code), text)
            return None
        return plan


def initial_of(given: Mapping[str, str]) -> dict[str, Any]:
    """Read what a link to the form fills in; without a window of time it has the usual one."""
    names = SearchForm.base_fields
    found: dict[str, Any] = {
        name: given[name].replace("\x00", "")[:LONGEST] for name in names if given.get(name)
    }
    if route := given.get("route"):
        found.setdefault("way", f"route:{route}")
    if profile := given.get("profile"):
        found.setdefault("way", f"profile:{profile}")
    if not any(name in given for name in ("year_low", "year_high", "time_range")):
        found["year_low"] = timezone.now().year - WINDOW
    return found


def _hosts(text: str) -> tuple[str, ...]:
    found = re.split(r"[\s,;，；、]+", text)
    return tuple(dict.fromkeys(host.lower() for host in found if host))[:MOST_HOSTS]


def _said(row: Route | Profile) -> str:
    return row.label if row.label == row.slug else f"{row.label} ({row.slug})"


def _is_chinese() -> bool:
    return (get_language() or "").startswith("zh")
