"""The Simplified Chinese catalogue: complete, compiled, and faithful to its placeholders."""

import re
import shutil
from collections import Counter
from pathlib import Path

import polib
import pytest
from django.conf import LazySettings
from django.contrib import admin
from django.core.management import call_command
from django.db.models import Model
from django.utils.translation import override

from reviews.templatetags.reading import said
from sources.models import User

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "workbench" / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"
FOLDERS = ["reviews", "search", "sources", "templates", "workbench"]
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]")
MARKUP = re.compile(r"</?\w[^>]*>")
HAN = re.compile(r"[\u4e00-\u9fff]")

type Key = tuple[str, str, str]


@pytest.fixture(scope="module")
def catalogue() -> polib.POFile:
    return polib.pofile(str(CATALOGUE))


def translations(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


def keys(catalogue: polib.POFile) -> set[Key]:
    return {(e.msgctxt or "", e.msgid, e.msgid_plural) for e in catalogue if not e.obsolete}


def test_every_text_is_translated(catalogue: polib.POFile) -> None:
    empty = [entry.msgid for entry in catalogue if not all(translations(entry))]
    fuzzy = [entry.msgid for entry in catalogue if entry.fuzzy]

    assert empty == []
    assert fuzzy == []
    assert catalogue.obsolete_entries() == []


def test_placeholders_are_those_of_the_english_text(catalogue: polib.POFile) -> None:
    wrong = [
        (entry.msgid, text)
        for entry in catalogue
        for text in translations(entry)
        if Counter(PLACEHOLDER.findall(entry.msgid_plural or entry.msgid))
        != Counter(PLACEHOLDER.findall(text))
    ]

    assert wrong == []


def test_markup_is_that_of_the_english_text(catalogue: polib.POFile) -> None:
    wrong = [
        (entry.msgid, text)
        for entry in catalogue
        for text in translations(entry)
        if Counter(MARKUP.findall(entry.msgid_plural or entry.msgid))
        != Counter(MARKUP.findall(text))
    ]

    assert wrong == []


def test_chinese_has_one_plural_form(catalogue: polib.POFile) -> None:
    forms = {len(entry.msgstr_plural) for entry in catalogue if entry.msgid_plural}

    assert catalogue.metadata["Plural-Forms"] == "nplurals=1; plural=0;"
    assert forms == {1}


def test_chinese_is_calm(catalogue: polib.POFile) -> None:
    loud = [text for entry in catalogue for text in translations(entry) if set(text) & set("!！")]

    assert loud == []


def test_terms_are_one_word_everywhere(catalogue: polib.POFile) -> None:
    """A claim is 论断, a reviewer 审查人, a source 信源: no second word for the same thing."""
    others = re.compile(r"主张|断言|审核|评审|审阅|来源|裁定|信任级别|标识符")

    found = [text for entry in catalogue for text in translations(entry) if others.search(text)]

    assert found == []


def test_compiled_catalogue_is_that_of_the_source(catalogue: polib.POFile) -> None:
    compiled = polib.mofile(str(CATALOGUE.with_suffix(".mo")))

    def content(entries: polib.POFile | polib.MOFile) -> dict[Key, list[str]]:
        return {(e.msgctxt or "", e.msgid, e.msgid_plural): translations(e) for e in entries}

    assert content(compiled) == content(catalogue), "compile the catalogue again"


@pytest.mark.skipif(shutil.which("xgettext") is None, reason="gettext is not installed")
def test_catalogue_holds_every_text_of_code_and_pages(
    catalogue: polib.POFile,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    settings: LazySettings,
) -> None:
    for folder in FOLDERS:
        ignored = shutil.ignore_patterns("__pycache__", "locale")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    settings.LOCALE_PATHS[0].mkdir()
    monkeypatch.chdir(tmp_path)

    call_command("makemessages", locale=["zh_Hans"], no_location=True, verbosity=0)

    extracted = polib.pofile(str(tmp_path / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"))
    assert keys(extracted) - keys(catalogue) == set(), "texts without a translation"
    assert keys(catalogue) - keys(extracted) == set(), "translations of texts that are gone"


@pytest.mark.parametrize("model", admin.site._registry, ids=lambda model: model._meta.label)
def test_admin_names_records_and_fields_in_chinese(model: type[Model]) -> None:
    if model._meta.app_label not in {"reviews", "search", "sources"}:
        pytest.skip("another's model")
    unseen = {"id", "password", "hints_done", "pane_split"}
    same_in_both = {"sha256", "doi", "pmid"}
    names = {f.name: f for f in model._meta.local_fields if f.name not in unseen}

    with override("zh-hans"):
        english = {
            name: str(f.verbose_name)
            for name, f in names.items()
            if not HAN.search(str(f.verbose_name)) and name not in same_in_both
        }
        many = str(model._meta.verbose_name_plural)

    assert english == {}
    assert not many.endswith("s")


def test_known_words_of_files_are_said_and_others_shown_as_they_are() -> None:
    with override("zh-hans"):
        shown = [said("factual"), said("numeric"), said("<b>odd</b>")]

    assert shown == ["事实性", "数字引文", "&lt;b&gt;odd&lt;/b&gt;"]


def test_chinese_name_has_its_family_name_first() -> None:
    names = [
        User(first_name="芳", last_name="王").get_full_name(),
        User(first_name="Ada", last_name="Ito").get_full_name(),
        User().get_full_name(),
    ]

    assert names == ["王芳", "Ada Ito", ""]
