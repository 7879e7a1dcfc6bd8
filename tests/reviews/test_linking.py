"""Evidence without a snapshot is read in the one that was fetched for its source."""

import pytest

from reviews import source_changes
from reviews.linking import link_fetched
from reviews.models import Evidence
from sources.models import Job, Snapshot
from sources.running import Running
from sources.source_cache import snapshot_ref
from sources.texts import store_text
from tests.factories import ClaimFactory, EvidenceFactory, SourceFactory

URL = "https://example.org/story"
QUOTE = "The trial enrolled 410 patients at several hospitals."


@pytest.fixture
def source(project):
    return SourceFactory(project=project, url=URL, normalized_url=URL)


@pytest.fixture
def evidence(project, source):
    claim = ClaimFactory(project=project, text="410 patients were enrolled.")
    return EvidenceFactory(
        claim=claim, source=source, snapshot=None, snapshot_ref="", snippet=QUOTE
    )


def fetched(project, text=f"Before. {QUOTE} After.", depth="full"):
    store_text(text)
    ref = snapshot_ref(URL, text)
    return Snapshot.objects.create(
        project=project,
        normalized_url=URL,
        url_hash=ref.url_hash,
        content_hash=ref.content_hash,
        depth=depth,
        characters=len(text),
    )


def run(project):
    job = Job.objects.create(project=project, kind="source_check", task="t", state="running")
    return source_changes.run(Running(job))


def test_a_quote_is_found_in_what_was_fetched(project, evidence):
    run(project)
    evidence.refresh_from_db()
    assert evidence.grade == "not_checkable"

    snapshot = fetched(project)
    said = run(project)

    evidence.refresh_from_db()
    assert said["linked"] == 1
    assert (evidence.snapshot, evidence.grade) == (snapshot, "exact")


def test_a_second_run_changes_nothing(project, evidence):
    fetched(project)

    assert [link_fetched(project), link_fetched(project)] == [1, 0]


def test_a_later_version_is_taken_where_the_first_does_not_hold_the_quote(project, evidence):
    fetched(project, "Just a moment...", "captcha")
    run(project)
    better = fetched(project)
    run(project)

    evidence.refresh_from_db()
    assert (evidence.snapshot, evidence.grade) == (better, "exact")


def test_a_quote_that_was_found_stays_with_its_version(project, evidence):
    first = fetched(project)
    run(project)
    fetched(project, f"Another version. {QUOTE}")
    run(project)

    evidence.refresh_from_db()
    assert evidence.snapshot == first


def test_evidence_that_names_its_snapshot_is_left_alone(project, evidence):
    Evidence.objects.update(snapshot_ref="source_cache/a/b.md")
    fetched(project)

    assert link_fetched(project) == 0


def test_the_number_of_queries_does_not_grow(project, evidence, django_assert_num_queries):
    for _ in range(5):
        EvidenceFactory(
            claim=ClaimFactory(project=project),
            source=evidence.source,
            snapshot=None,
            snapshot_ref="",
            snippet=QUOTE,
        )
    fetched(project)

    with django_assert_num_queries(7):
        assert link_fetched(project) == 6
