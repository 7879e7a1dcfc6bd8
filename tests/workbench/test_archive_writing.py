"""Archives and folders that we write ourselves."""

from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.lib.archives import ArchiveError, open_tree, write_directory, write_zip

from .archive_files import FILES, as_directory, put


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_written_zip_is_read_back_and_is_the_same_each_time(tmp_path: Path) -> None:
    source = put(tmp_path, FILES["request.md"], "source")
    entries = [*list(FILES.items())[1:], ("request.md", source)]

    write_zip(tmp_path / "one.zip", entries)
    write_zip(tmp_path / "two.zip", reversed(entries))

    with open_tree(tmp_path / "one.zip") as tree:
        assert {e.path: tree.read(e.path) for e in tree.entries} == FILES
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["one.zip", "source", "two.zip"]


def test_written_directory_is_read_back(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    source = put(tmp_path, FILES["request.md"], "source")

    write_directory(tmp_path / "out", [*list(FILES.items())[1:], ("request.md", source)])

    with open_tree(tmp_path / "out") as tree:
        assert {e.path: tree.read(e.path) for e in tree.entries} == FILES


def test_writing_refuses_a_target_that_holds_something(tmp_path: Path) -> None:
    target = as_directory(tmp_path)

    with pytest.raises(FileExistsError):
        write_directory(target, [("a", b"1")])

    assert not (target / "a").exists()


@pytest.mark.parametrize("write", [write_zip, write_directory])
def test_failed_writing_leaves_nothing(tmp_path: Path, write: Callable[..., None]) -> None:
    with pytest.raises(FileNotFoundError):
        write(tmp_path / "out", [("a", b"1"), ("b", tmp_path / "absent")])
    with pytest.raises(ArchiveError):
        write(tmp_path / "out", [("../a", b"1")])
    with pytest.raises(ArchiveError):
        write(tmp_path / "out", [("a", b"1"), ("A", b"1")])

    assert list(tmp_path.iterdir()) == []
