"""A scored source for tests."""

from datetime import date
from decimal import Decimal
from typing import Any

from sources.assessing import assess_sources
from sources.models import Project, Source, SourceIdentifier
from tests.factories import SourceFactory

AS_OF = date(2026, 11, 30)


def scored_source(project: Project, **values: Any) -> Source:
    """Make a source that the rubric scores: a randomised trial of tier 1, in a journal of IF 4."""
    if project.as_of is None:
        Project.objects.filter(pk=project.pk).update(as_of=AS_OF, topic_type="clinical")
        project.refresh_from_db()
    given: dict[str, Any] = {
        "title": "A randomised trial of drug X",
        "venue": "Journal of Trials",
        "source_type": "paper",
        "impact_factor": Decimal(4),
        "published_at": "2026-01-10",
        "access_status": "opened_original",
        "extra": {"publication_types": ["Randomized Controlled Trial"]},
    }
    source: Source = SourceFactory(project=project, **{**given, **values})
    SourceIdentifier.objects.create(
        source=source, scheme="pmid", value=str(source.pk), found_in="url"
    )
    assess_sources(project, [source.pk])
    source.refresh_from_db()
    return source
