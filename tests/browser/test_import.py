"""In a browser: an import by keyboard alone, a folder, progress that moves on by itself."""

import json
import shutil
from pathlib import Path

import pytest
from django.conf import LazySettings
from playwright.sync_api import Page, expect

from reviews.models import Claim
from sources.models import ImportBatch, User
from tests.browser.conftest import Enter
from tests.reviews.report_files import report

from .steps import press, work

UPLOAD = "/p/nsclc/import/"

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch, settings: LazySettings, tmp_path: Path) -> None:
    # The tests do the work themselves, when a page has shown that it waits.
    monkeypatch.setattr("sources.sweeping.nudge", lambda job: True)
    settings.UPLOAD_DIR = tmp_path / "uploads"


@pytest.fixture
def at_upload(enter: Enter, editor: User) -> Page:
    """The upload page, opened by an editor."""
    return enter(editor, UPLOAD)


def test_import_by_keyboard_alone(at_upload: Page, tmp_path: Path) -> None:
    page = at_upload
    archive = shutil.make_archive(str(tmp_path / "report"), "zip", report(tmp_path / "report"))
    page.set_input_files("[name=file]", archive)

    press(page, "Upload and check")
    expect(page.locator("main")).to_contain_text("It starts as soon as a worker is free")
    work()
    expect(page.locator("main")).to_contain_text("Dry run: what an import would do")
    press(page, "Decide")
    expect(page.locator("main")).to_contain_text("What shall be imported")
    press(page, "Go on as chosen")
    expect(page.locator("main")).to_contain_text("It starts as soon as a worker is free")
    work()

    expect(page.locator("main")).to_contain_text("The import is done")
    assert Claim.objects.count() == 3


def test_folder_is_packed_and_read(at_upload: Page, tmp_path: Path) -> None:
    page, folder = at_upload, report(tmp_path / "报告")
    page.set_input_files("#folder", folder)
    expect(page.locator("[data-chosen]")).to_contain_text("报告.zip")

    page.get_by_role("button", name="Upload and check").click()
    page.wait_for_url("**/imports/*/")
    work()

    expect(page.locator("main")).to_contain_text("Dry run: what an import would do")
    batch = ImportBatch.objects.get()
    assert batch.report["errors"] == []
    assert batch.report["created"]["claims"] == 3
    assert batch.report["created"]["snapshots"] == 2


def test_dropped_file_is_chosen(at_upload: Page) -> None:
    page = at_upload
    page.evaluate(
        """() => {
          const held = new DataTransfer();
          held.items.add(new File(["{}"], "dropped.json"));
          const zone = document.querySelector("[data-drop]");
          for (const kind of ["dragenter", "drop"]) {
            const more = { dataTransfer: held, bubbles: true, cancelable: true };
            zone.dispatchEvent(new DragEvent(kind, more));
          }
        }"""
    )

    expect(page.locator("[data-chosen]")).to_contain_text("dropped.json")
    assert page.evaluate("document.querySelector('[name=file]').files[0].name") == "dropped.json"


def test_values_of_a_typed_key_are_shown(at_upload: Page, tmp_path: Path) -> None:
    page, ledger = at_upload, tmp_path / "ledger.jsonl"
    lines = [{"claim_text": f"Port {n} supplied power", "note": f"note {n}"} for n in range(3)]
    ledger.write_text("\n".join(map(json.dumps, lines)))
    page.set_input_files("[name=file]", ledger)
    page.get_by_role("button", name="Upload and check").click()
    page.wait_for_url("**/imports/*/")
    work()

    page.wait_for_selector("[data-mapping]", state="attached")
    page.evaluate("document.querySelector('.by-hand')?.setAttribute('open', '')")
    page.fill("[name='source.title']", "note")

    expect(page.locator("[data-examples-of='source.title']")).to_contain_text("note 1")


def test_file_that_is_too_large_is_refused_in_place(
    at_upload: Page, tmp_path: Path, settings: LazySettings
) -> None:
    settings.UPLOAD_MAX_BYTES = 10
    page, large = at_upload, tmp_path / "large.jsonl"
    large.write_text("x" * 100)
    page.set_input_files("[name=file]", large)

    page.get_by_role("button", name="Upload and check").click()

    expect(page.get_by_role("alert")).to_contain_text("larger than")
    assert page.url.endswith(UPLOAD)
