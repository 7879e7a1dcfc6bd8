"""The child that extracts: kept, limited, replaced."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sources.extraction import Bounds, Extractor

PAGE = b"<p>some words of a page</p>"


@pytest.fixture
def extractor():
    made = Extractor()
    yield made
    made.close()


def pids(extractor):
    return [child.process.pid for child in extractor._idle]


def test_one_child_serves_many_pages(extractor):
    extractor.extract(PAGE, "text/html")
    first = pids(extractor)
    found = extractor.extract(PAGE, "text/html")

    assert found.text == "some words of a page"
    assert pids(extractor) == first


def test_a_child_that_died_is_replaced(extractor):
    extractor.extract(PAGE, "text/html")
    os.kill(pids(extractor)[0], 9)
    time.sleep(0.1)

    assert extractor.extract(PAGE, "text/html").text == "some words of a page"


def test_what_takes_too_long_ends_with_the_reason_and_without_the_child():
    extractor = Extractor(Bounds(seconds=0.01))
    began = time.monotonic()

    found = extractor.extract(PAGE * 10_000, "text/html")

    assert found.reason == "the text could not be extracted in time"
    assert time.monotonic() - began < 3
    assert not pids(extractor)


def test_what_takes_too_much_memory_ends_with_the_reason():
    extractor = Extractor(Bounds(memory=30 * 2**20))

    found = extractor.extract(b"<p>word" * 2_000_000, "text/html")

    assert (found.text, found.reason) == (
        "",
        "the text could not be extracted in the memory there is",
    )
    assert extractor.extract(PAGE, "text/html").kind == "html"
    extractor.close()


def test_children_end_with_the_process_that_asked():
    code = (
        "import os, sys; sys.path.insert(0, '.'); from sources.extraction import EXTRACTOR as e; "
        "e.extract(b'<p>x', 'text/html'); print(e._idle[0].process.pid, flush=True); "
        "os.kill(os.getpid(), 9)"
    )
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "workbench.settings"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False
    )
    child = int(done.stdout)

    for _ in range(50):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        if b"\nState:\tZ" in Path(f"/proc/{child}/status").read_bytes():
            return
        time.sleep(0.1)
    pytest.fail("the child outlives its parent")


def test_no_key_of_ours_reaches_the_child(extractor, monkeypatch):
    monkeypatch.setenv("SERPER_API_KEY", "secret")
    extractor.extract(PAGE, "text/html")

    assert b"secret" not in Path(f"/proc/{pids(extractor)[0]}/environ").read_bytes()


def test_what_libraries_keep_lies_in_a_folder_of_ours(extractor, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    words = "研究人员在六家医院开展了临床试验，结果表明新药有效。" * 20
    chinese = f"<title>试验</title><body><article><h1>试验</h1>{f'<p>{words}</p>' * 4}</article>"
    extractor.extract(chinese.encode(), "text/html")

    folder = tmp_path / "extraction"
    assert (folder / "jieba.cache").exists()
    assert folder.stat().st_mode & 0o777 == 0o700
