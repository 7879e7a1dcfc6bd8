"""A script that other scripts import gets a new address when it changes, in both modes."""

import json
import re
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template import Context, Template
from django.test import Client

from sources.models import Project
from tests.factories import ClaimFactory
from workbench import statics

SCRIPTS = Path(__file__).resolve().parents[2] / "static" / "js"
PAGES = ["/p/nsclc/review/?at=d1.c1"]


def import_map(page: str) -> dict[str, str]:
    found = re.search(r'<script type="importmap"[^>]*>(.*?)</script>', page)
    assert found
    return dict(json.loads(found[1])["imports"])


def rendered(**values: object) -> dict[str, str]:
    return import_map(Template("{% load modules %}{% import_map %}").render(Context(values)))


def test_every_import_of_a_script_has_a_versioned_address() -> None:
    addresses = rendered()
    imported = {
        name
        for path in SCRIPTS.glob("*.js")
        for name in re.findall(r"""(?:from|import)\s*\(?["']([^"']+)["']""", path.read_text())
    }

    assert {f"./{address.rpartition('/')[2]}" for address in addresses} == imported
    assert all(re.fullmatch(r".*\.js\?v=[0-9a-f]{12}", to) for to in addresses.values())


def test_a_changed_script_gets_a_new_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    before = rendered()
    folder = tmp_path / "js"
    folder.mkdir()
    for path in SCRIPTS.glob("*.js"):
        more = "\n// changed\n" if path.name == "send.js" else ""
        (folder / path.name).write_text(path.read_text() + more)
    settings.STATICFILES_DIRS = [tmp_path]
    finders.get_finder.cache_clear()

    try:
        after = rendered()
    finally:
        finders.get_finder.cache_clear()

    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"/static/js/send.js"}


def test_team_mode_leads_to_the_collected_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    names = {f"js/{path.name}": f"js/{path.stem}.0123abcd.js" for path in SCRIPTS.glob("*.js")}
    listed = {"paths": names, "version": "1.1", "hash": "x"}
    (tmp_path / "staticfiles.json").write_text(json.dumps(listed))
    settings.STATIC_ROOT = tmp_path
    collected = {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": collected}

    assert rendered()["/static/js/send.js"] == "/static/js/send.0123abcd.js"
    assert staticfiles_storage.url("js/audit.js") == "/static/js/audit.0123abcd.js"


@pytest.mark.django_db
@pytest.mark.parametrize("address", PAGES)
def test_policy_lets_the_map_of_this_very_page_work(
    project: Project, reviewer_client: Client, address: str
) -> None:
    ClaimFactory(project=project, external_id="d1.c1")

    answers = [reviewer_client.get(address) for _ in range(2)]

    nonces = []
    for answer in answers:
        page = answer.content.decode()
        (nonce,) = re.findall(r'<script type="importmap" nonce="([\w-]{16,})">', page)
        assert f"'nonce-{nonce}'" in answer.headers["Content-Security-Policy"]
        assert page.index('type="importmap"') < page.index('type="module"')
        nonces.append(nonce)
    assert nonces[0] != nonces[1]


@pytest.mark.django_db
def test_pages_without_modules_allow_no_script_in_the_page(
    project: Project, reviewer_client: Client
) -> None:
    policy = reviewer_client.get("/p/nsclc/claims/").headers["Content-Security-Policy"]

    assert "nonce" not in policy
    assert statics.module_addresses()
