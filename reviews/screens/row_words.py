"""Write the cells of a list of claims.

The words are looked up once, and cells that are alike are written once: most rows are alike.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from typing import Any
from urllib.parse import quote

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from reviews.checks import CHECKS
from reviews.models import Assessment, Finding
from reviews.risk import TITLES
from sources.templatetags.show import marked, moment
from workbench.lib.showing import is_plain

_DIGITS: Mapping[str, str] = {
    value: str(number) for number, value in enumerate(Assessment.Trust.values, start=1)
}


# Not a template: a template engine takes as long for fifty rows as for all the rest of the page.
# And short, as it is sent fifty times: the style sheet tells the cells by their column and draws
# the icons, and the script spells out the terms of a risk when somebody looks at it.
_ROW = (
    '<tr class="claim-row" data-id="{id}">'
    '<td><input type="checkbox" name="claim" value="{id}" form="bulk" aria-label="{select} {id}">'
    "<td>{shown_id}{key}"
    '<td><a class="claim-link" href="{href}"{language} dir="auto">{text}</a>'
    "<td>{section}<td>{checks}<td>{trust}<td>{slots}<td{terms}>{risk}<td>{due}"
)


_PAIRS_SHOWN = 6  # trust classes in a row; a claim may have hundreds of pieces of evidence
_SEVERITIES = list(Finding.Severity.values)
_SELECTED = format_html("{}", " selected")
_PROPOSED = '<span title="{}">{}</span>'
_CONFIRMED = '<span class="confirmed" title="{}">{}</span>'


@dataclass(frozen=True, slots=True)
class Row:
    """One claim of the list, ready to be written: what is markup is escaped already."""

    id: str
    text: str
    language: str
    section: str
    key: bool
    checks: str
    trust: str
    slots: str
    risk: str
    terms: Mapping[str, float]  # whose sum the risk is
    due: date | None
    sealed: bool


@dataclass(frozen=True, slots=True)
class RowWords:
    """The words of one language."""

    language: str
    check_titles: Mapping[str, str]
    term_titles: Mapping[str, str]
    trust_titles: Mapping[str, str]
    sealed: SafeString
    stale: str
    errors: str
    warnings: str
    differ: SafeString
    select: str
    key: SafeString

    @classmethod
    def now(cls) -> "RowWords":
        """Give the words in the language of the screens."""
        return _words(get_language() or "en")

    def checks(self, claim: Mapping[str, Any], *, sealed: bool) -> str:
        """Write the open checks by severity, or that they are sealed, and whether it is stale."""
        stale = claim["version"] if claim["state"] == "stale" else 0
        if sealed:
            return _cell(self.language, None, stale)
        raised = tuple(claim["summary"].get("checks", {}).items())
        return _cell(self.language, (claim["open_errors"], claim["open_warnings"], raised), stale)

    def titles(self, raised: Iterable[tuple[str, str]], severity: str) -> str:
        """Name the checks of one severity."""
        found = (check for check, grade in raised if grade == severity)
        return " · ".join(self.check_titles.get(check, check) for check in found)

    def check_list(self, summary: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Give (severity, title) of each check with an open finding, the hardest first."""
        raised = sorted(
            summary.get("checks", {}).items(), key=lambda pair: _SEVERITIES.index(pair[1])
        )
        return [(grade, self.check_titles.get(check, check)) for check, grade in raised]

    def trust(self, pairs: Iterable[tuple[str, str]]) -> str:
        """Write the trust class of each (own, proposed) pair as a digit; own ones stand out."""
        return _digits(self.language, tuple(pairs))

    def slots(self, summary: Mapping[str, Any]) -> str:
        """Write a dot for each verdict, a ring where there is none, and whether they differ."""
        dots = "●" * int(summary.get("slots", 0)) or "○"
        return format_html("{} {}", dots, self.differ) if summary.get("differ") else dots

    def row(self, row: Row, open_at: str) -> SafeString:
        """Write a row; ``open_at`` is the address of the audit screen up to the claim's id."""
        return format_html(
            _ROW,
            id=row.id,
            select=self.select,
            shown_id=_shown(row.id),
            key=self.key if row.key else "",
            href=open_at + quote(row.id, safe=""),
            language=self.foreign(row.language),
            text=_shown(row.text),
            section=_shown(row.section),
            checks=row.checks,
            trust=row.trust,
            slots=row.slots,
            risk=row.risk,
            terms=self.terms(row.terms),
            due=moment(row.due) if row.due else "–",
        )

    def foreign(self, language: str) -> str:
        """Write the language of a text where it is not that of the screens."""
        return "" if self.language.startswith(language) else format_html(' lang="{}"', language)

    def terms(self, terms: Mapping[str, float]) -> str:
        """Write the terms of a risk for the script, in the order of their titles."""
        values = [f"{terms[name]:.2f}" if terms.get(name) else "" for name in self.term_titles]
        said = " ".join(values).rstrip()
        return format_html(' data-terms="{}"', said) if said else ""

    def sum(self, risk: str, terms: Mapping[str, float]) -> str:
        """Write a risk as the sum that it is; nothing where it has no terms."""
        # In the order of the titles: PostgreSQL keeps an object's keys in an order of its own.
        names = [name for name in self.term_titles if terms.get(name)]
        shown = " + ".join(f"{self.term_titles[name]} {terms[name]:.2f}" for name in names)
        return f"{risk} = {shown}" if shown else ""


def _shown(text: str) -> str:
    """Mark what a text does not show; most have nothing to mark."""
    return text if is_plain(text) else marked(text)


def options(choices: Iterable[tuple[str, object]], chosen: str = "") -> SafeString:
    """Write the options of a select."""
    return format_html_join(
        "",
        '<option value="{}"{}>{}</option>',
        ((name, _SELECTED if name == chosen else "", label) for name, label in choices),
    )


@lru_cache(maxsize=128)
def check_options(language: str) -> SafeString:
    """Write the options of a select of checks."""
    return options((check.id, check.title.render(language)) for check in CHECKS)


type Raised = tuple[tuple[str, str], ...]


@lru_cache(maxsize=4096)
def _cell(language: str, counted: tuple[int, int, Raised] | None, stale: int) -> SafeString:
    words = _words(language)
    parts = [words.sealed] if counted is None else []
    if counted is not None:
        errors, warnings, raised = counted
        if errors:
            titles = words.titles(raised, "error")
            parts.append(_count("defect", words.errors, errors, titles))
        if warnings:
            titles = words.titles(raised, "warning")
            parts.append(_count("attention", words.warnings, warnings, titles))
    if stale:
        parts.append(_count("stale", "", f"{words.stale} v{stale}", ""))
    return format_html_join("", "{}", ((part,) for part in parts))


@lru_cache(maxsize=4096)
def _digits(language: str, pairs: tuple[tuple[str, str], ...]) -> SafeString:
    titles = _words(language).trust_titles
    cells = []
    for own, proposed in pairs[:_PAIRS_SHOWN]:
        value = own or proposed
        if value not in titles:
            cells.append("–")
            continue
        cells.append(format_html(_CONFIRMED if own else _PROPOSED, titles[value], _DIGITS[value]))
    if len(pairs) > _PAIRS_SHOWN:
        cells.append(f"+{len(pairs) - _PAIRS_SHOWN}")
    return format_html_join("·", "{}", ((cell,) for cell in cells))


def _count(kind: str, word: str, value: object, titles: str) -> SafeString:
    return format_html(
        '<span class="chip chip-{}"{}><i>{}</i> <b>{}</b></span>',
        kind,
        format_html(' title="{}"', titles) if titles else "",
        word,
        value,
    )


@cache
def _words(language: str) -> RowWords:
    return RowWords(
        language=language,
        check_titles={check.id: check.title.render(language) for check in CHECKS},
        term_titles={name: title.render(language) for name, title in TITLES.items()},
        trust_titles={str(each.value): str(each.label) for each in Assessment.Trust},
        sealed=format_html(
            '<span class="chip chip-unknown" title="{}">{}</span>',
            _("Judge the claim first; then the machine's view is shown."),
            _("sealed"),
        ),
        stale=pgettext("claims", "stale"),
        errors=_("errors"),
        warnings=_("warnings"),
        differ=format_html('<span class="differ" title="{}">≠</span>', _("verdicts differ")),
        select=_("Select"),
        key=format_html(
            ' <span class="key" title="{0}" role="img" aria-label="{0}">◆</span>', _("key claim")
        ),
    )
