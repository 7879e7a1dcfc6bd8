"""Files that appear only when they are complete."""

import os
from pathlib import Path

import pytest

from workbench.lib.whole_files import written_whole


def test_file_has_its_name_only_when_the_block_ended(tmp_path: Path) -> None:
    target = tmp_path / "a.bin"

    with written_whole(target) as stream:
        stream.write(b"whole")
        before = target.exists()

    assert not before
    assert target.read_bytes() == b"whole"
    assert list(tmp_path.iterdir()) == [target]


def test_failure_leaves_what_was_there_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "a.bin"
    target.write_bytes(b"old")

    def write_half() -> None:
        with written_whole(target) as stream:
            stream.write(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_half()

    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_name_that_is_taken_stays_so_where_it_is_linked(tmp_path: Path) -> None:
    target = tmp_path / "a.bin"
    target.write_bytes(b"first")

    with pytest.raises(FileExistsError), written_whole(target, install=os.link) as stream:
        stream.write(b"second")

    assert target.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [target]
