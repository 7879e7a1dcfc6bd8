import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sources.source_cache import (
    HashMismatchError,
    RefError,
    SnapshotError,
    SnapshotRef,
    UrlError,
    check_snapshot,
    content_hash,
    encode_metadata,
    metadata,
    normalize_url,
    parse_hash,
    parse_ref,
    snapshot_ref,
    url_hash,
)

PAGE = "https://example.org/a"


def snapshot_files(text="one page", url=PAGE):
    ref = snapshot_ref(url, text)
    return ref, text.encode(), encode_metadata(metadata(url, ref))


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("  HTTPS://Example.Org:443/Path#top\n", "https://example.org/Path"),
        ("http://example.org:80", "http://example.org/"),
        ("https://example.org:80/", "https://example.org:80/"),
        ("https://example.org:0443/a", "https://example.org/a"),
        ("https://example.org?b=2&a=%e4", "https://example.org/?b=2&a=%e4"),
        ("https://example.org/a?", "https://example.org/a"),
        ("https://例子。测试/你好", "https://xn--fsqu00a.xn--0zwm56d/你好"),
        ("https://[2001:DB8::1]:8080/", "https://[2001:db8::1]:8080/"),
        ("https://example.org./a/./b//", "https://example.org./a/./b//"),
    ],
)
def test_url_is_folded_no_further_than_the_cache_needs(url, normal):
    assert normalize_url(url) == normal
    assert normalize_url(normal) == normal


@pytest.mark.parametrize(
    "url",
    [
        "",
        "\u3000",
        None,
        5,
        True,
        [PAGE],
        "example.org/a",
        "ftp://example.org/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://user:pw@example.org/",
        "https://@example.org/",
        "https:///path",
        "https://example.org/a b",
        "https://example.org/\x00",
        "https://example.org:99999/",
        "http://[::1",
        "https://a..example.org/",
        "https://example.org/\ud800",
        "https://\ud800.org/",
        "https://a［b/",
        "https://" + "a" * 64 + ".example/",
        "https://example.org/" + "a" * 1_000_001,
    ],
)
def test_url_without_normal_form_is_refused_with_a_reason(url):
    with pytest.raises(UrlError) as refusal:
        normalize_url(url)

    assert str(refusal.value)
    assert refusal.value.message("zh-Hans") != str(refusal.value)


@settings(max_examples=100)
@given(
    st.one_of(
        st.text(),
        st.builds(
            "{}://{}{}{}".format,
            st.sampled_from(["http", "https", "HTTPS"]),
            st.text(st.characters(codec=None), max_size=12),
            st.sampled_from(["", ":80", ":443", ":0", ":", "@x", "]"]),
            st.text("/?#@:[]%.aé例 \u200b", max_size=8),
        ),
    )
)
def test_normalising_never_fails_otherwise_and_is_idempotent(url):
    try:
        normal = normalize_url(url)
    except UrlError:
        return

    assert normalize_url(normal) == normal
    assert parse_ref(str(snapshot_ref(normal, "text"))).url_hash == url_hash(normal)


@pytest.mark.shared
@pytest.mark.parametrize(("name", "key"), [("urlcanon", "input"), ("ssrf", "url")])
def test_hostile_urls_are_refused_or_stable(shared, name, key):
    lines = (shared / "real/hostile" / f"{name}.jsonl").read_text(encoding="utf-8").split("\n")
    urls = [json.loads(line)[key] for line in lines if line]

    for url in urls:
        try:
            normal = normalize_url(url)
        except UrlError:
            continue
        assert normalize_url(normal) == normal
        assert normal.startswith(("http://", "https://"))


@pytest.mark.shared
def test_every_public_url_case_agrees(shared):
    path = shared / "real/validator_cases/normalize_cases.json"

    for case in json.loads(path.read_text(encoding="utf-8")):
        if "error" in case:
            with pytest.raises(UrlError):
                normalize_url(case["input"])
        else:
            assert normalize_url(case["input"]) == case["normalized_url"]
            assert url_hash(case["normalized_url"]) == case["url_hash"]


def test_reference_names_page_and_text_by_their_hashes():
    ref = snapshot_ref(PAGE, "页")

    assert ref.url_hash == hashlib.sha256(PAGE.encode()).hexdigest()
    assert ref.content_hash == content_hash("页") == hashlib.sha256("页".encode()).hexdigest()
    assert parse_ref(str(ref)) == ref


@pytest.mark.parametrize(
    "ref",
    [
        None,
        3,
        "",
        "source_cache/" + "a" * 64 + "/" + "b" * 64 + ".md\n",
        "source_cache/" + "A" * 64 + "/" + "b" * 64 + ".md",
        "/source_cache/" + "a" * 64 + "/" + "b" * 64 + ".md",
        "source_cache/" + "a" * 64 + "/../" + "b" * 64 + ".md",
        "source_cache/" + "a" * 64 + "/" + "b" * 64 + ".meta.json",
    ],
)
def test_malformed_reference_is_refused(ref):
    with pytest.raises(RefError):
        parse_ref(ref)


def test_hash_of_another_form_is_refused():
    assert parse_hash("0" * 64) == "0" * 64
    with pytest.raises(RefError):
        parse_hash("0" * 63)


@pytest.mark.parametrize("text", ["a\x00b", "\ud800"])
def test_text_that_is_not_unicode_has_no_hash(text):
    with pytest.raises(SnapshotError):
        content_hash(text)


def test_whole_snapshot_verifies_for_every_spelling_of_its_url():
    ref, body, fields = snapshot_files()

    snapshot = check_snapshot(ref, body, fields, url="HTTPS://example.org:443/a#x")

    assert snapshot.text == "one page"
    assert snapshot.metadata["normalized_url"] == PAGE
    assert fields.endswith(b"}\n")
    assert check_snapshot(ref, body, fields) == snapshot


def test_metadata_may_be_laid_out_otherwise_and_say_more():
    ref, body, fields = snapshot_files()
    loose = json.dumps({**json.loads(fields), "note": 1}, indent=1).replace("\n", "\r\n")

    assert check_snapshot(ref, body, loose.encode()).metadata["note"] == 1


def test_converted_line_ends_are_told_from_a_changed_text():
    ref, _, fields = snapshot_files("one\ntwo\n")

    with pytest.raises(HashMismatchError, match="matches after CRLF → LF") as converted:
        check_snapshot(ref, b"one\r\ntwo\r\n", fields)
    with pytest.raises(HashMismatchError) as changed:
        check_snapshot(ref, b"one\r\nThree\r\n", fields)

    assert converted.value.line_endings_only
    assert "CRLF 换成 LF" in converted.value.message("zh")
    assert not changed.value.line_endings_only
    assert "CRLF" not in str(changed.value)


@pytest.mark.parametrize("body", [b"\xff\xfe", b"a\x00b"])
def test_body_that_is_no_text_is_refused_though_its_hash_fits(body):
    ref = SnapshotRef(url_hash(PAGE), hashlib.sha256(body).hexdigest())

    with pytest.raises(SnapshotError):
        check_snapshot(ref, body, encode_metadata(metadata(PAGE, ref)))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("schema_version", "1.1"),
        ("encoding", "UTF-8"),
        ("media_type", None),
        ("content_hash", "0" * 64),
        ("url_hash", "0" * 64),
        ("normalized_url", "https://example.org:443/a"),
        ("normalized_url", "https://example.org/other"),
        ("normalized_url", "not a url"),
        ("normalized_url", 7),
    ],
)
def test_metadata_that_contradict_their_place_are_refused(field, value):
    ref, body, fields = snapshot_files()
    wrong = json.dumps({**json.loads(fields), field: value}).encode()

    with pytest.raises(SnapshotError):
        check_snapshot(ref, body, wrong)


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{", b"\xff", b"\xef\xbb\xbf{}", b"[" * 200_000, b"9" * 5000]
)
def test_metadata_that_are_no_object_are_refused(data):
    ref, body, _ = snapshot_files()

    with pytest.raises(SnapshotError):
        check_snapshot(ref, body, data)


@pytest.mark.parametrize("url", ["https://example.org/b", "nowhere"])
def test_snapshot_of_another_page_is_refused(url):
    ref, body, fields = snapshot_files()

    with pytest.raises((SnapshotError, UrlError)):
        check_snapshot(ref, body, fields, url=url)


@pytest.mark.shared
def test_real_cache_verifies_from_bytes(shared):
    bodies = sorted(Path(shared / "real/report_dir/source_cache").rglob("*.md"))

    for body in bodies:
        ref = parse_ref(f"source_cache/{body.parent.name}/{body.name}")
        fields = body.with_name(ref.metadata_name).read_bytes()
        assert check_snapshot(ref, body.read_bytes(), fields).text
    assert bodies
