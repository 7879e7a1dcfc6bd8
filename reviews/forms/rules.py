"""Forms of the blacklist: a rule, a decision about one, a file of rules, addresses to test."""

from typing import Any

from crispy_forms.bootstrap import InlineRadios
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Column, Field, Fieldset, Layout, Row
from django import forms
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from reviews.screens.rule_desk import review_default
from sources.blacklist.rules import LEVELS, Kind
from sources.exchange.rule_files import FORMATS
from sources.forms import DateInput
from sources.models import BlacklistRule, User
from sources.rule_input import MAX_REASON, RuleInput

MOST_URLS = 1_000
MAX_URL = 2_000

# What each scope means, with an example: the scope is chosen, never guessed from the pattern.
SCOPES = {
    "exact": (gettext_lazy("one page; tracking parameters do not count"), "https://news.cn/ad/1"),
    "prefix": (gettext_lazy("all pages whose address begins so"), "news.cn/ad/"),
    "host": (gettext_lazy("this host, with www. and mobile forms"), "baijiahao.baidu.com"),
    "host_and_subdomains": (gettext_lazy("the host and everything below it"), "zhihu.com"),
    "doi_prefix": (gettext_lazy("works registered under a prefix"), "10.1234"),
    "publisher": (gettext_lazy("a publisher or venue by its whole name"), "Acme Press"),
    "title_words": (
        gettext_lazy("these words in the title, one after another; join more with +"),
        "world first + AI",
    ),
    "judged": (
        gettext_lazy("the facts that a kind reads; the pattern is the kind's name"),
        "press_copy",
    ),
}


def _scope_choices() -> list[tuple[str, Any]]:
    made = []
    for scope in BlacklistRule.Scope:
        says, example = SCOPES[scope.value]
        words = format_html(
            '<b>{}</b> <span class="quiet">{}</span> <code>{}</code>', scope.label, says, example
        )
        made.append((scope.value, words))
    return made


class RuleForm(forms.Form):
    """One rule. What fits together is checked by the action, which names the field."""

    effect = forms.ChoiceField(
        label=gettext_lazy("Effect"),
        choices=BlacklistRule.Effect.choices,
        widget=forms.RadioSelect,
        initial="block",
    )
    level = forms.ChoiceField(
        label=gettext_lazy("Level of a downrank"),
        choices=[("", "–"), *((level, level) for level in LEVELS)],
        required=False,
    )
    scope = forms.ChoiceField(
        label=gettext_lazy("Scope"),
        choices=_scope_choices,
        widget=forms.RadioSelect,
        initial="host_and_subdomains",
    )
    pattern = forms.CharField(
        label=gettext_lazy("Pattern"),
        max_length=2000,
        required=False,
        widget=forms.TextInput(attrs={"spellcheck": "false", "autocomplete": "off", "dir": "ltr"}),
        help_text=gettext_lazy("As the scope says; no “*”."),
    )
    kind = forms.ChoiceField(
        label=pgettext_lazy("rule", "Kind"),
        choices=[(k.value, BlacklistRule.Kind(k.value).label) for k in Kind],
        help_text=gettext_lazy("Rules compete with those of their own kind only."),
    )
    unless = forms.ChoiceField(
        label=gettext_lazy("Unless"),
        choices=[("", "–"), *BlacklistRule.Unless.choices],
        required=False,
        help_text=gettext_lazy("A fact about a source under which the rule does not hit it."),
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )
    evidence_link = forms.CharField(
        label=gettext_lazy("Link to the evidence"),
        max_length=2000,
        required=False,
        widget=forms.URLInput(attrs={"dir": "ltr"}),
    )
    owner = forms.ModelChoiceField(
        label=gettext_lazy("Owner"), queryset=User.objects.none(), required=False
    )
    review_on = forms.DateField(
        label=gettext_lazy("Look at it again on"), required=False, widget=DateInput()
    )
    ends_on = forms.DateField(
        label=gettext_lazy("Ends after"),
        required=False,
        widget=DateInput(),
        help_text=gettext_lazy("Empty: it stays."),
    )

    def __init__(self, *args: Any, holds: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        owners = User.objects.filter(is_active=True, is_superuser=True).order_by("username")
        self.fields["owner"].queryset = owners  # type: ignore[attr-defined]
        self.holds = holds
        if holds:
            for name in ("effect", "level", "scope", "pattern", "kind", "unless"):
                self.fields[name].disabled = True
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.layout = Layout(
            Fieldset(
                _("What it hits"),
                Field("scope", css_class="scope-choice"),
                "pattern",
                Row(Column("kind"), Column("unless")),
            ),
            Fieldset(
                _("What happens"),
                Row(Column(InlineRadios("effect")), Column("level", css_class="col-sm-4")),
            ),
            Fieldset(
                _("Why, and who answers for it"),
                "reason",
                "evidence_link",
                Row(Column("owner"), Column("review_on"), Column("ends_on")),
            ),
        )

    @classmethod
    def initial_of(cls, rule: BlacklistRule | None, user: User) -> dict[str, Any]:
        """Give what the form begins with: a rule as it is, or a new one."""
        if rule is None:
            today = timezone.localdate()
            return {"owner": user.pk, "review_on": review_default(today)}
        names = ("effect", "level", "scope", "pattern", "kind", "unless", "reason", "evidence_link")
        given = {name: getattr(rule, name) for name in names}
        days = {"review_on": rule.review_on, "ends_on": rule.ends_on}
        return {**given, **days, "owner": rule.owner_id or user.pk}

    @property
    def given(self) -> RuleInput:
        """Give what was asked for. Only for a valid form."""
        return RuleInput(**{name: self.cleaned_data[name] for name in self.fields})


class AddressesForm(forms.Form):
    """Up to a thousand addresses, one a line."""

    urls = forms.CharField(
        label=gettext_lazy("Addresses, one a line"),
        widget=forms.Textarea(
            attrs={"rows": 8, "spellcheck": "false", "dir": "ltr", "class": "mono"}
        ),
        strip=True,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True

    def clean_urls(self) -> list[str]:
        lines = str(self.cleaned_data["urls"]).replace("\x00", "").splitlines()
        urls = [line.strip()[:MAX_URL] for line in lines if line.strip()]
        if not urls:
            raise forms.ValidationError(_("Write at least one address."))
        if len(urls) > MOST_URLS:
            raise forms.ValidationError(
                ngettext(
                    "There is %(n)d address; at most %(most)d are tested at once.",
                    "There are %(n)d addresses; at most %(most)d are tested at once.",
                    len(urls),
                )
                % {"n": len(urls), "most": MOST_URLS}
            )
        return urls


class RuleFileForm(forms.Form):
    """A file of rules, and what holds for lines that do not say."""

    file = forms.FileField(label=gettext_lazy("File: JSONL or CSV, at most 5 MB"))
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=MAX_REASON, required=False)
    evidence_link = forms.CharField(
        label=gettext_lazy("Link to the evidence"), max_length=2000, required=False
    )
    review_on = forms.DateField(
        label=gettext_lazy("Look at it again on"), required=False, widget=DateInput()
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].widget.attrs["accept"] = ".jsonl,.ndjson,.csv"
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.layout = Layout(
            "file",
            Fieldset(
                _("For lines that do not say"),
                Row(Column("reason"), Column("evidence_link"), Column("review_on")),
            ),
        )

    @staticmethod
    def kind_of(name: str) -> str:
        """Give the format that a file's name tells."""
        return "csv" if name.lower().endswith(".csv") else next(iter(FORMATS))
