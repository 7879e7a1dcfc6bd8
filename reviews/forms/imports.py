"""Forms of an import: the file, how its keys become ours, what to do about errors."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import slugify
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from reviews.exchange.mapping import Mapping as Fields
from reviews.exchange.mapping import MappingError
from sources.models import ImportMapping, Project

ACCEPT = ".zip,.tar.gz,.tgz,.json,.jsonl,.ndjson,.ris,.bib"
OR = " | "  # between alternatives of one field
MOST = 5_000  # characters of a field: some paths with look-ups

# Our fields in the order in which a person thinks of them.
TARGETS: dict[str, Any] = {
    "claim.text": gettext_lazy("Text of the claim"),
    "claim.id": gettext_lazy("Id of the claim"),
    "claim.kind": gettext_lazy("Kind"),
    "claim.polarity": gettext_lazy("Polarity"),
    "claim.topic_tag": gettext_lazy("Topic"),
    "claim.key_question": gettext_lazy("Key question"),
    "claim.dimension": gettext_lazy("Dimension"),
    "evidence.snippet": gettext_lazy("Quoted passage"),
    "evidence.quote_type": gettext_lazy("Quote type"),
    "evidence.source_ref": gettext_lazy("Reference to the source"),
    "evidence.snapshot_ref": gettext_lazy("Reference to the snapshot"),
    "evidence.id": gettext_lazy("Id of the evidence"),
    "source.url": gettext_lazy("Address"),
    "source.title": gettext_lazy("Title"),
    "source.id": gettext_lazy("Id of the source"),
    "source.quality": gettext_lazy("Quality"),
    "source.published_at": gettext_lazy("Date of publication"),
    "snapshot.text": gettext_lazy("Text of the page"),
    "snapshot.url": gettext_lazy("Address captured"),
    "snapshot.captured_at": gettext_lazy("Date of capture"),
}
GROUPS: dict[str, Any] = {
    "claim": gettext_lazy("Claim"),
    "evidence": gettext_lazy("Evidence"),
    "source": gettext_lazy("Source"),
    "snapshot": gettext_lazy("Snapshot"),
}


class UploadForm(forms.Form):
    """One file to import."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy(
            "A report directory as .zip or .tar.gz, or a .json, .jsonl, .ris or .bib file."
        ),
        widget=forms.FileInput(attrs={"accept": ACCEPT}),
        error_messages={
            "required": gettext_lazy("Choose a file. Nothing was uploaded."),
            "empty": gettext_lazy("The file is empty. Nothing was imported."),
        },
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True


if TYPE_CHECKING:
    MappingChoiceField = forms.ModelChoiceField[ImportMapping]
else:
    MappingChoiceField = forms.ModelChoiceField


class _MappingField(MappingChoiceField):
    def label_from_instance(self, obj: Any) -> str:
        name = str(obj.name)
        return name if obj.project_id else _("%(name)s (whole site)") % {"name": name}


class SavedMappingForm(forms.Form):
    """A mapping that was saved before, in the project or for the whole site."""

    mapping = _MappingField(
        label=gettext_lazy("Saved mapping"), queryset=ImportMapping.objects.none()
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **{"prefix": "saved", **kwargs})
        self.fields["mapping"].queryset = ImportMapping.objects.usable_in(project)  # type: ignore[attr-defined]
        self.helper = FormHelper()
        self.helper.form_tag = False


class MappingForm(forms.Form):
    """How the keys of a file become ours. ``spec`` gives the mapping after ``is_valid``."""

    records = forms.CharField(
        label=gettext_lazy("Where the claims stand"),
        help_text=gettext_lazy("Key of the list, such as claims[]; empty for one record a line."),
        required=False,
        max_length=MOST,
    )
    where = forms.CharField(
        label=gettext_lazy("Only records with"),
        help_text=gettext_lazy('As JSON, such as {"type": "claim"}; empty for all records.'),
        required=False,
        max_length=2_000,
    )
    members = forms.CharField(
        label=gettext_lazy("Files of the upload"),
        help_text=gettext_lazy("Names or patterns, one a line; empty for every file."),
        required=False,
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    question = forms.CharField(
        label=gettext_lazy("Original query"), required=False, max_length=MOST
    )
    save_as = forms.SlugField(
        label=gettext_lazy("Save this mapping as"),
        help_text=gettext_lazy("Latin letters, digits and hyphens; empty to use it only now."),
        required=False,
        max_length=80,
    )
    replace = forms.BooleanField(
        label=gettext_lazy("Replace the saved mapping of this name"), required=False
    )

    def __init__(
        self, *args: Any, project: Project, given: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.project = project
        self.given = dict(given or {})
        held = self.given.get("fields")
        fields = held if isinstance(held, dict) else {}
        for target, label in TARGETS.items():
            self.fields[target] = forms.CharField(
                label=label,
                required=target == "claim.text",
                max_length=MOST,
                initial=_written(fields.get(target)),
                widget=forms.TextInput(attrs={"list": "keys", "autocomplete": "off"}),
                error_messages={"required": _("A mapping needs the text of the claim.")},
            )
        where = self.given.get("where")
        self.initial = {
            **self.initial,
            "records": self.given.get("records", ""),
            "where": json.dumps(where, ensure_ascii=False) if where else "",
            "members": "\n".join(map(str, self.given.get("files") or [])),
            "question": self.given.get("question") or "",
            "save_as": "",
        }
        for name in ("records", *TARGETS):
            self.fields[name].widget.attrs["spellcheck"] = "false"
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.layout = Layout("where", "members", "question")
        self.saving = FormHelper()
        self.saving.form_tag = False
        asks = "replace" in self.data or "save_as" in self.errors
        self.saving.layout = Layout(Field("save_as"), *(["replace"] if asks else []))

    def rows(self, samples: Mapping[str, Any]) -> Iterable[tuple[Any, list[dict[str, Any]]]]:
        """Give each group of our fields, with the values that a file has for them."""
        values = samples.get("fields") or {}
        for group, label in GROUPS.items():
            names = [target for target in TARGETS if target.startswith(f"{group}.")]
            yield (
                label,
                [
                    {"field": self[name], "name": name, "examples": values.get(name, [])}
                    for name in names
                ],
            )

    def clean_where(self) -> dict[str, Any]:
        text = str(self.cleaned_data["where"]).strip()
        if not text:
            return {}
        try:
            where = json.loads(text)
        except (ValueError, RecursionError):
            where = None
        if not isinstance(where, dict) or _unstorable(text):
            raise ValidationError(_('Write an object in braces, such as {"type": "claim"}.'))
        return where

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            try:
                Fields.read(self.spec())
            except MappingError as fault:
                why = {"reason": fault.render(get_language() or "en")}
                self.add_error("records", _("The mapping cannot be used: %(reason)s.") % why)
            else:
                self._look_at_name(cleaned)
        return cleaned

    def _look_at_name(self, cleaned: Mapping[str, Any]) -> None:
        name = cleaned.get("save_as")
        saved = self.project.mappings.filter(name=name).first() if name else None
        if saved is not None and not cleaned.get("replace") and saved.spec != self.spec():
            self.add_error(
                "save_as",
                _("Another mapping has this name. Choose a different one, or tick “replace”."),
            )

    def spec(self) -> dict[str, Any]:
        """Give the mapping as the form has it now."""
        said = self.cleaned_data
        fields = {target: _read(said[target]) for target in TARGETS if said.get(target)}
        name = said.get("save_as") or slugify(str(self.given.get("name") or "")) or "mapping"
        made: dict[str, Any] = {"name": name[:80], "records": str(said.get("records", "")).strip()}
        lines = str(said.get("members", "")).split("\n")
        made["files"] = [line.strip() for line in lines if line.strip()]
        made |= {"where": said.get("where") or {}, "question": said.get("question") or ""}
        return {key: value for key, value in made.items() if value or key == "records"} | {
            "fields": fields
        }


def _unstorable(text: str) -> bool:
    """Tell whether a JSON text names a NUL or half a surrogate pair, which no database keeps."""
    said = json.dumps(json.loads(text), ensure_ascii=False)
    return bool(re.search("\\\\u0000|[\ud800-\udfff]", said))


def _written(path: Any) -> str:
    return OR.join(map(str, path)) if isinstance(path, list) else str(path or "")


def _read(text: str) -> str | list[str]:
    parts = [part.strip() for part in text.split(OR.strip()) if part.strip()]
    return parts[0] if len(parts) == 1 else parts


class DecideForm(forms.Form):
    """What to import of an upload, and what to do about claims that changed."""

    what = forms.ChoiceField(label=gettext_lazy("Import"), widget=forms.RadioSelect)
    changed = forms.ChoiceField(
        label=gettext_lazy("Claims that changed"), widget=forms.RadioSelect, required=False
    )

    def __init__(
        self,
        *args: Any,
        errors: int,
        records: int,
        changed: int,
        stale: int,
        of_claims: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        what = self.fields["what"]
        nothing = ("nothing", _("Import nothing, and remove the upload"))
        if errors:
            valid = ngettext(
                "Import only the valid lines; %(count)s error is left out",
                "Import only the valid lines; %(count)s errors are left out",
                errors,
            )
            what.choices = [("valid", valid % {"count": f"{errors:,}"}), nothing]  # type: ignore[attr-defined]
            what.help_text = _("To import all or nothing, mend the file first and upload it again.")
        else:
            every = _("Import everything: %(count)s records new or changed")
            what.choices = [("all", every % {"count": f"{records:,}"}), nothing]  # type: ignore[attr-defined]
            what.initial = "all"
        if not changed:
            del self.fields["changed"]
        else:
            new = ngettext(
                "New version; %(count)s verdict becomes stale",
                "New version; %(count)s verdicts become stale",
                stale,
            )
            choices = [
                ("new", new % {"count": f"{stale:,}"}),
                ("keep", _("Keep the old version; the change is left out")),
            ]
            if not of_claims:
                self.fields["changed"].label = _("Records that changed")
                choices = [
                    ("new", _("Take the new values; the history keeps what was")),
                    ("keep", _("Leave those records as they are")),
                ]
            self.fields["changed"].choices = choices  # type: ignore[attr-defined]
            self.fields["changed"].initial = "new"
        self.helper = FormHelper()
        self.helper.form_tag = False

    @property
    def declines(self) -> bool:
        """Whether nothing shall be imported."""
        return bool(self.cleaned_data["what"] == "nothing")

    @property
    def only_valid(self) -> bool:
        """Whether what is in error shall be left out."""
        return bool(self.cleaned_data["what"] == "valid")

    @property
    def keeps_old(self) -> bool:
        """Whether claims that changed shall stay as they are."""
        return bool(self.cleaned_data.get("changed") == "keep")
