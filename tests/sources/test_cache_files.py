import os
import stat

import pytest

from sources import cache_files
from sources.cache_files import SourceCache
from sources.source_cache import HashMismatchError, RefError, SnapshotError, UrlError, url_hash

URL = "https://example.org/a"


@pytest.fixture
def cache(tmp_path):
    return SourceCache(tmp_path / "source_cache")


def body_path(cache, snapshot):
    return cache.root / snapshot.ref.url_hash / snapshot.ref.body_name


def metadata_path(cache, snapshot):
    return cache.root / snapshot.ref.url_hash / snapshot.ref.metadata_name


def test_stored_text_is_found_and_verified_with_its_bytes(cache):
    text = "\ufeff第一行\r\nsecond line\n"

    stored = cache.store("HTTPS://Example.org:443/a#top", text)

    assert cache.verify(stored.ref, url=URL) == stored
    assert cache.lookup(URL) == (stored,)
    assert body_path(cache, stored).read_bytes() == text.encode()
    assert sorted(p.name for p in body_path(cache, stored).parent.iterdir()) == sorted(
        [stored.ref.body_name, stored.ref.metadata_name]
    )


def test_storing_equal_bytes_again_changes_nothing(cache):
    first = cache.store(URL, "text")
    before = body_path(cache, first).stat()

    second = cache.store(URL, "text")

    assert second == first
    assert body_path(cache, first).stat().st_ino == before.st_ino


@pytest.mark.parametrize("path", [body_path, metadata_path])
def test_other_bytes_are_never_overwritten(cache, path):
    stored = cache.store(URL, "text")
    path(cache, stored).write_bytes(b"altered")

    with pytest.raises(SnapshotError, match="nothing was overwritten"):
        cache.store(URL, "text")

    assert path(cache, stored).read_bytes() == b"altered"
    assert not list(cache.root.rglob(".new-*"))


def test_interrupted_store_is_completed_by_the_next(cache):
    stored = cache.store(URL, "text")
    metadata_path(cache, stored).unlink()

    assert cache.lookup(URL) == ()
    assert cache.store(URL, "text") == stored
    assert cache.lookup(URL) == (stored,)


def test_versions_of_a_page_come_in_the_order_of_their_hashes(cache):
    stored = [cache.store(URL, text) for text in ("one", "two", "three")]
    cache.store("https://example.org/b", "one")
    (cache.root / url_hash(URL) / "note.meta.json").write_text("{}")

    found = cache.lookup(URL)

    assert [each.ref.content_hash for each in found] == sorted(
        each.ref.content_hash for each in stored
    )
    assert cache.lookup(URL, stored[1].ref.content_hash) == (stored[1],)
    assert cache.lookup(URL, "0" * 64) == ()
    assert cache.lookup("https://example.org/c") == ()


def test_lookup_never_hides_a_damaged_version(cache):
    stored = cache.store(URL, "text")
    cache.store(URL, "other text")
    body_path(cache, stored).write_text("changed")

    with pytest.raises(HashMismatchError):
        cache.lookup(URL)


def test_lookup_refuses_what_is_no_hash_or_no_url(cache):
    cache.store(URL, "text")

    with pytest.raises(RefError):
        cache.lookup(URL, "../../etc/passwd")
    with pytest.raises(UrlError):
        cache.lookup("nowhere")


def test_verifying_for_another_page_is_refused(cache):
    stored = cache.store(URL, "text")

    with pytest.raises(SnapshotError, match="not of"):
        cache.verify(stored.ref, url="https://example.org/b")


@pytest.mark.parametrize("text", ["a\x00b", "\ud800"])
def test_text_that_is_not_unicode_is_not_stored(cache, text):
    with pytest.raises(SnapshotError):
        cache.store(URL, text)

    assert not cache.root.exists()


def test_too_large_texts_are_neither_stored_nor_read(cache, monkeypatch):
    stored = cache.store(URL, "twelve bytes")
    monkeypatch.setattr(cache_files, "MAX_BODY_BYTES", 11)

    with pytest.raises(SnapshotError, match="larger"):
        cache.store(URL, "other 12 bytes")
    with pytest.raises(SnapshotError, match="larger"):
        cache.verify(stored.ref)


def test_link_in_place_of_the_cache_is_refused(cache, tmp_path):
    stored = cache.store(URL, "text")
    link = tmp_path / "link"
    link.symlink_to(cache.root, target_is_directory=True)

    for act in (
        lambda linked: linked.verify(stored.ref),
        lambda linked: linked.lookup(URL),
        lambda linked: linked.store(URL, "text"),
    ):
        with pytest.raises(SnapshotError, match="symbolic link"):
            act(SourceCache(link))


def test_link_in_place_of_a_folder_is_refused(cache, tmp_path):
    stored = cache.store(URL, "text")
    folder = cache.root / stored.ref.url_hash
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere", target_is_directory=True)

    with pytest.raises(SnapshotError, match="symbolic link"):
        cache.verify(stored.ref)
    with pytest.raises(SnapshotError, match="symbolic link"):
        cache.store(URL, "text")


@pytest.mark.parametrize("path", [body_path, metadata_path])
@pytest.mark.parametrize("target", ["copy", "itself", "nothing"])
def test_link_in_place_of_a_file_is_refused(cache, tmp_path, path, target):
    stored = cache.store(URL, "text")
    file = path(cache, stored)
    targets = {"copy": tmp_path / "copy", "itself": file, "nothing": tmp_path / "nothing"}
    (tmp_path / "copy").write_bytes(file.read_bytes())
    file.unlink()
    file.symlink_to(targets[target])

    with pytest.raises(SnapshotError, match="symbolic link"):
        cache.verify(stored.ref)


def test_missing_and_odd_files_are_named(cache, tmp_path):
    stored = cache.store(URL, "text")
    body = body_path(cache, stored)

    with pytest.raises(SnapshotError, match="does not exist"):
        SourceCache(tmp_path / "absent").verify(stored.ref)
    with pytest.raises(SnapshotError, match="not a folder"):
        SourceCache(body).verify(stored.ref)
    body.unlink()
    with pytest.raises(SnapshotError, match="does not exist"):
        cache.verify(stored.ref)
    body.mkdir()
    with pytest.raises(SnapshotError):
        cache.verify(stored.ref)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this system")
def test_pipe_in_place_of_a_file_does_not_block(cache):
    stored = cache.store(URL, "text")
    body_path(cache, stored).unlink()
    os.mkfifo(body_path(cache, stored))

    with pytest.raises(SnapshotError, match="not a file"):
        cache.verify(stored.ref)


def test_failing_disk_is_reported_and_leaves_no_half_snapshot(cache, tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(SnapshotError, match="was not stored"):
        SourceCache(tmp_path / "file" / "source_cache").store(URL, "text")


def test_folders_of_pages_are_private(cache):
    stored = cache.store(URL, "text")

    mode = (cache.root / stored.ref.url_hash).stat().st_mode
    assert os.name == "nt" or stat.S_IMODE(mode) & 0o077 == 0
