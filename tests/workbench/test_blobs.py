import hashlib
import multiprocessing
import stat
from pathlib import Path

import pytest
from django.core.files.storage import FileSystemStorage, InMemoryStorage, Storage

from workbench.lib.blobs import BlobDamaged, BlobMissing, Blobs, place_of

TEXT = "总生存期 21.4 months"
DATA = TEXT.encode()
NAME = hashlib.sha256(DATA).hexdigest()


@pytest.fixture(params=["files", "memory"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    if request.param == "files":
        return FileSystemStorage(location=tmp_path / "blobs")
    return InMemoryStorage()


def test_bytes_come_back_under_their_hash(storage: Storage) -> None:
    blobs = Blobs(storage)

    assert not blobs.exists(NAME)
    assert blobs.put(DATA) == NAME
    assert blobs.put(DATA) == NAME
    assert blobs.exists(NAME)
    assert blobs.get(NAME) == DATA
    assert blobs.get_text(NAME) == TEXT


def test_several_blobs_are_named_in_order(storage: Storage) -> None:
    contents = [b"a", b"b", b"a", b""]

    names = Blobs(storage).put_many(contents)

    assert names == [hashlib.sha256(content).hexdigest() for content in contents]
    assert [Blobs(storage).get(name) for name in names] == contents


def test_missing_and_damaged_blobs_are_told_apart(storage: Storage) -> None:
    blobs = Blobs(storage)

    with pytest.raises(BlobMissing, match=NAME):
        blobs.get(NAME)
    blobs.put(DATA)
    storage.delete(place_of(NAME))
    with storage.open(place_of(NAME), "wb") as stream:
        stream.write(b"other")
    with pytest.raises(BlobDamaged) as caught:
        blobs.get(NAME)

    assert caught.value.sha256 == NAME


def test_putting_again_heals_a_damaged_blob(storage: Storage) -> None:
    blobs = Blobs(storage)
    blobs.put(DATA)
    with storage.open(place_of(NAME), "wb") as stream:
        stream.write(b"cut")

    blobs.put(DATA)

    assert blobs.get(NAME) == DATA


def test_bytes_that_are_no_text_are_damaged_text(storage: Storage) -> None:
    blobs = Blobs(storage)

    with pytest.raises(BlobDamaged):
        blobs.get_text(blobs.put(b"\xff"))


@pytest.mark.parametrize("name", ["", "../../etc/passwd", NAME.upper(), NAME + "0", "g" * 64])
def test_only_a_hash_names_a_blob(storage: Storage, name: str) -> None:
    with pytest.raises(ValueError, match="64 lower-case hex digits"):
        Blobs(storage).get(name)


def test_files_and_folders_are_private_and_nothing_else_is_left(tmp_path: Path) -> None:
    root = tmp_path / "blobs"
    Blobs(FileSystemStorage(location=root)).put(DATA)

    found = sorted(root.rglob("*"))

    assert [path.name for path in found] == [NAME[:2], NAME[2:4], NAME]
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (root, *found)]
    assert modes == [0o700, 0o700, 0o700, 0o600]


def test_failed_write_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)

    with pytest.raises(OSError, match="No space left"):
        Blobs(FileSystemStorage(location=tmp_path)).put(DATA)

    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def _put_all(root: Path) -> None:
    blobs = Blobs(FileSystemStorage(location=root))
    blobs.put_many([bytes([number]) * 2000 for number in range(40)])


def test_many_processes_put_the_same_blobs_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_put_all, args=(tmp_path,)) for _ in range(3)]

    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)

    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 40
    assert all(Blobs(FileSystemStorage(location=tmp_path)).get(path.name) for path in files)
