"""Findings about a source are decided by people; one definition tells how many are open."""

import pytest

from sources.actions.source_findings import decide_finding
from sources.assessing import assess_sources
from sources.models import Project, Source, SourceFinding, User
from sources.noticing.settling import settle

from .worths import scored_source

pytestmark = pytest.mark.django_db


@pytest.fixture
def source(project: Project) -> Source:
    made = scored_source(project)
    SourceFinding.objects.all().delete()
    return made


def raised(source: Source, code: str, severity: str) -> SourceFinding:
    return SourceFinding.objects.create(
        source=source, code=code, fingerprint=code, severity=severity
    )


def open_count(source: Source) -> int:
    source.refresh_from_db()
    return source.open_findings


def test_note_is_no_open_finding_whoever_counts(source: Source, reviewer: User) -> None:
    raised(source, "ours_note", "info")
    raised(source, "ours_error", "error")
    warning = raised(source, "ours_warning", "warning")

    decide_finding(finding=warning, state="dismissed", reason="seen", base_version=1, by=reviewer)

    assert open_count(source) == 1
    assess_sources(source.project, [source.pk])
    assert open_count(source) == 1
    settle(source.project)
    assert open_count(source) == 1


def test_finding_that_is_opened_again_counts_again(source: Source, reviewer: User) -> None:
    warning = raised(source, "ours_warning", "warning")

    for version, (state, count) in enumerate((("confirmed", 0), ("open", 1)), start=1):
        warning.refresh_from_db()
        decide_finding(
            finding=warning, state=state, reason="seen", base_version=version, by=reviewer
        )
        assert open_count(source) == count
