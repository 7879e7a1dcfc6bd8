"""Damaged and hostile archives: refused, or read whole; never in part."""

import gzip
import json
import os
import struct
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.lib.archives import ArchiveError, Limits, open_tree

from .archive_files import (
    ONE,
    as_directory,
    as_tar,
    as_tar_gz,
    as_zip,
    local_only_change,
    put,
    refused,
    tar_bytes,
    zip_bytes,
)

DIRECTORY = ONE.index(b"PK\x01\x02")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"junk" + ONE, "prefix_bytes"),
        (ONE + ONE, "prefix_bytes"),
        (ONE[:-2] + struct.pack("<H", len(ONE)) + ONE, "prefix_bytes"),
        (ONE[:-10], "damaged"),
        (ONE[: len(ONE) // 2], "damaged"),
        (ONE + b"x", "damaged"),
        (local_only_change(ONE, 30, b"b.md"), "disagreement"),
        (local_only_change(ONE, 8, b"\0\0"), "disagreement"),
        (local_only_change(ONE, 22, b"\x05"), "disagreement"),
        (local_only_change(ONE, DIRECTORY + 24, b"\x05"), "disagreement"),
        (local_only_change(ONE, 6, b"\x01"), "disagreement"),
        (local_only_change(ONE, DIRECTORY + 8, b"\x01"), "encrypted"),
        (zip_bytes(("a", b"1"), method=zipfile.ZIP_LZMA), "method"),
        (zip_bytes(("a", b"1"), method=zipfile.ZIP_BZIP2), "method"),
        (zip_bytes(), "empty"),
        (zip_bytes(("a/", b"")), "empty"),
        (b"Rar!\x1a\x07\x00", "unsupported"),
        (b"7z\xbc\xaf\x27\x1c", "unsupported"),
        (gzip.compress(b"{}", mtime=0), "unsupported"),
        (gzip.compress(tar_bytes(("a", b"1")), mtime=0)[:-9], "damaged"),
        (b"\x1f\x8b" + b"junk" * 10, "damaged"),
    ],
)
def test_archives_with_more_than_one_reading_are_refused(
    tmp_path: Path, data: bytes, code: str
) -> None:
    assert refused(put(tmp_path, data)).code == code


def with_sizes(data: bytes, size: int) -> bytes:
    for offset in (22, data.index(b"PK\x01\x02") + 24):
        data = local_only_change(data, offset, struct.pack("<I", size))
    return data


def test_declared_sizes_are_not_trusted(tmp_path: Path) -> None:
    assert refused(put(tmp_path, with_sizes(ONE, 5))).code == "damaged"
    assert refused(put(tmp_path, with_sizes(ONE, 101))).code in {"damaged", "size_lies"}


def test_wrong_sum_is_refused(tmp_path: Path) -> None:
    data = ONE
    for offset in (14, DIRECTORY + 16):
        data = local_only_change(data, offset, b"\0\0\0\0")

    assert refused(put(tmp_path, data)).member == "a.md"


def test_overlapping_and_hidden_entries_are_refused(tmp_path: Path) -> None:
    two = zip_bytes(("a", b"1" * 50), ("b", b"1" * 50))
    second = two.rindex(b"PK\x01\x02")
    overlap = local_only_change(two, second + 42, b"\0\0\0\0")
    first = two.index(b"PK\x01\x02")
    hidden = bytearray(two[:first] + two[second:])
    hidden[-14:-12] = hidden[-12:-10] = b"\1\0"
    hidden[-10:-6] = struct.pack("<I", second - first)

    assert refused(put(tmp_path, overlap)).code == "overlap"
    assert refused(put(tmp_path, bytes(hidden))).code == "hidden_bytes"


def bomb(size: int) -> bytes:
    return zip_bytes(("bomb", bytes(size)))


@pytest.mark.parametrize(
    ("data", "limits", "code"),
    [
        (bomb(2_000_000), Limits(), "ratio"),
        (gzip.compress(tar_bytes(("bomb", bytes(2_000_000)))), Limits(), "ratio"),
        (zip_bytes(("a", b"12345")), Limits(entry_bytes=4), "entry_too_large"),
        (tar_bytes(("a", b"12345")), Limits(entry_bytes=4), "entry_too_large"),
        (zip_bytes(("a", b"123"), ("b", b"456")), Limits(total_bytes=5), "total_too_large"),
        (zip_bytes(("a", b""), ("b", b"")), Limits(entries=1), "too_many_entries"),
        (tar_bytes(("a", b""), ("b", b"")), Limits(entries=1), "too_many_entries"),
        (
            gzip.compress(tar_bytes(("a", os.urandom(50_000)))),
            Limits(total_bytes=1000, entries=2),
            "total_too_large",
        ),
    ],
)
def test_what_grows_past_the_limits_is_refused(
    tmp_path: Path, data: bytes, limits: Limits, code: str
) -> None:
    assert refused(put(tmp_path, data), limits).code == code


def test_too_many_files_in_a_directory_are_refused(tmp_path: Path) -> None:
    assert refused(as_directory(tmp_path), Limits(entries=3)).code == "too_many_entries"


def test_small_files_of_blanks_are_no_bomb(tmp_path: Path) -> None:
    with open_tree(put(tmp_path, bomb(900_000))) as tree:
        assert len(tree.read("bomb")) == 900_000


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (tar_bytes(("a", b"1"))[:1024], "damaged"),
        (tar_bytes(("a", b"1"))[:700], "damaged"),
        (tar_bytes(("a", b"1"), dialect=tarfile.USTAR_FORMAT)[:1024] + b"x" * 512, "damaged"),
        (tar_bytes(("a", b"1")) + tar_bytes(("b", b"2")), "hidden_bytes"),
        (b"b" + tar_bytes(("a", b"1"))[1:], "damaged"),
        (tar_bytes(("a", b"1"), edit=lambda i: setattr(i, "type", b"S")), "special_file"),
        (tar_bytes(("a", b"1"), edit=lambda i: setattr(i, "type", b"7")), "special_file"),
    ],
)
def test_unsound_tars_are_refused(tmp_path: Path, data: bytes, code: str) -> None:
    assert refused(put(tmp_path, data)).code == code


def test_extended_header_that_resizes_a_member_is_refused(tmp_path: Path) -> None:
    hidden = tar_bytes(("inner", b"x"), dialect=tarfile.USTAR_FORMAT)[:1024]

    def edit(info: tarfile.TarInfo) -> None:
        info.pax_headers = {"size": "0"}

    data = tar_bytes(("outer", hidden), edit=edit)

    assert refused(put(tmp_path, data)).code in {"disagreement", "damaged"}


def test_huge_extended_header_is_refused(tmp_path: Path) -> None:
    data = tar_bytes(("a" * 70_000, b""), dialect=tarfile.GNU_FORMAT)

    assert refused(put(tmp_path, data)).code == "name_too_long"


def test_bytes_after_the_gzip_stream_are_refused(tmp_path: Path) -> None:
    data = gzip.compress(tar_bytes(("a", b"1")))

    assert refused(put(tmp_path, data + b"junk")).code == "hidden_bytes"
    with open_tree(put(tmp_path, data + bytes(600))) as tree:
        assert tree.read("a") == b"1"


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from([as_zip, as_tar, as_tar_gz]), st.data())
def test_damaged_archive_is_whole_or_refused(
    tmp_path: Path, make: Callable[[Path], Path], data: st.DataObject
) -> None:
    path = make(tmp_path)
    content = bytearray(path.read_bytes())
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=8)):
        content[place] = data.draw(st.integers(0, 255))
    path.write_bytes(content)

    try:
        with open_tree(path) as tree:
            tree.check()
    except ArchiveError as error:
        problem: ArchiveError | None = error
    else:
        problem = None

    assert problem is None or problem.code


MUST_OPEN = {
    "setuid",
    "win-reserved",
    "rtl-name",
    "html-name",
    "formula-name",
    "dotfiles",
    "nested-zip",
    "html-in-zip",
    "svg-in-zip",
    "xxe-xml",
    "billion-laughs",
    "bomb-nested",
    "bomb-quine-like",
    "cp437-name",
    "not-a-zip",
    "random-bytes",
}


@pytest.mark.shared
def test_generated_hostile_zips_are_refused_or_read_whole(shared: Path, tmp_path: Path) -> None:
    generator = shared / "real/hostile/zip/make_zips.py"
    subprocess.run([sys.executable, generator, tmp_path, "all"], check=True, capture_output=True)
    cases = map(json.loads, (tmp_path / "manifest.jsonl").read_text("utf-8").splitlines())
    opened = set()

    for case in cases:
        try:
            with open_tree(tmp_path / f"{case['name']}.zip") as tree:
                tree.check()
            opened.add(case["name"])
        except ArchiveError:
            continue

    assert {name for name in opened if not name.startswith("mutated")} == MUST_OPEN
