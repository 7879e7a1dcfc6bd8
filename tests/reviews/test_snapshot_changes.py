"""Two versions of one page side by side."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from sources.models import Project, Snapshot, Source, User
from tests.factories import ClaimFactory, EvidenceFactory, SnapshotFactory, SourceFactory

pytestmark = pytest.mark.django_db

URL = "https://port.example/report"
OLD = "# Port\n\nThe market grew by 12 % in 2024.\n\nIt has 14 berths."
NEW = OLD.replace("12 %", "9 %") + "\n\nNew: <script>alert(1)</script>"


@pytest.fixture
def versions(project: Project) -> tuple[Snapshot, Snapshot]:
    made = [SnapshotFactory(project=project, text=text, normalized_url=URL) for text in (OLD, NEW)]
    source = SourceFactory(project=project, url=URL, normalized_url=URL)
    for external_id, quote in (("d1.c1", "grew by 12 %"), ("d1.c2", "14 berths")):
        EvidenceFactory(
            claim=ClaimFactory(project=project, external_id=external_id), source=source,
            snapshot=made[0], snippet=quote, start=OLD.index(quote),
            end=OLD.index(quote) + len(quote),
        )  # fmt: skip
    return made[0], made[1]


def page_of(snapshot: Snapshot, rest: str = "") -> str:
    return f"/p/nsclc/snap/{snapshot.content_hash[:12]}/changes{rest}"


def test_page_says_first_whether_the_quotes_survive(
    versions: tuple[Snapshot, Snapshot], reviewer_client: Client
) -> None:
    answer = reviewer_client.get(page_of(versions[1]))

    found, page = answer.context["found"], answer.content.decode()
    assert [(c.evidence.claim.external_id, c.survives) for c in found.cited] == [
        ("d1.c1", False), ("d1.c2", True),
    ]  # fmt: skip
    assert page.index("Do the cited passages survive?") < page.index("Numbers that changed")
    assert page.index("Numbers that changed") < page.index("Paragraphs of both versions")
    assert "<del>12</del>" in page
    assert "<ins>9</ins>" in page


def test_text_of_a_page_is_escaped(
    versions: tuple[Snapshot, Snapshot], reviewer_client: Client
) -> None:
    page = reviewer_client.get(page_of(versions[1])).content.decode()

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_page_is_in_chinese_too(
    versions: tuple[Snapshot, Snapshot], reviewer: User, reviewer_client: Client
) -> None:
    reviewer.language = "zh-hans"
    reviewer.save()

    page = reviewer_client.get(page_of(versions[1])).content.decode()

    for word in ("版本变化", "所引段落是否仍在", "变化的数字"):
        assert word in page


def test_another_version_is_named_and_an_odd_name_is_none(
    versions: tuple[Snapshot, Snapshot], reviewer_client: Client
) -> None:
    old, new = versions
    back = reviewer_client.get(page_of(old, f"?since={new.content_hash}")).context["found"]
    assert (back.old, back.new) == (new, old)

    for since in ("x", "%00", "zz" * 400):
        found = reviewer_client.get(page_of(new, f"?since={since}")).context["found"]
        assert found.old == old
    alone = reviewer_client.get(page_of(old))
    assert "Only one version" in alone.content.decode()


def test_versions_of_other_addresses_and_projects_are_not_compared(
    versions: tuple[Snapshot, Snapshot], project: Project, reviewer_client: Client,
    outsider_client: Client,
) -> None:  # fmt: skip
    other = SnapshotFactory(
        project=project, text="Another page.", normalized_url="https://other.example/"
    )

    found = reviewer_client.get(page_of(versions[1], f"?since={other.content_hash}"))

    assert found.context["found"].old == versions[0]
    assert outsider_client.get(page_of(versions[1])).status_code == 404


def test_page_of_a_source_leads_to_the_changes(
    versions: tuple[Snapshot, Snapshot], reviewer_client: Client
) -> None:
    source = Source.objects.get(url=URL)

    page = reviewer_client.get(f"/p/nsclc/sources/{source.pk}/").content.decode()

    assert f'href="{page_of(versions[1])}"' in page
    assert f'href="{page_of(versions[0])}"' not in page


def test_queries_do_not_grow_with_the_quotes(
    versions: tuple[Snapshot, Snapshot], project: Project, reviewer_client: Client
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as held:
            reviewer_client.get(page_of(versions[1]))
        return len(held)

    queries()
    few = queries()
    for _more in range(10):
        EvidenceFactory(claim=ClaimFactory(project=project), snapshot=versions[0], start=0, end=6)

    assert queries() == few
