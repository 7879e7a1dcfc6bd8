"""What became of the pages of sources: being fetched, stored, or why there is none."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from sources.access import OPEN, Verdict
from sources.actions.fetching import unfinished_fetches
from sources.models import Capture, Project, Snapshot, Source
from sources.source_cache import url_hash


@dataclass(frozen=True, slots=True)
class Fetched:
    """A kind of chip, its word, and why."""

    chip: str
    word: str
    why: str = ""


def fetched_of(project: Project, sources: Iterable[Source], language: str) -> dict[int, Fetched]:
    """Give by source what is known of fetching its page. Three queries, whatever the number."""
    asked = {source.pk: source.normalized_url for source in sources if source.normalized_url}
    if not asked:
        return {}
    known: dict[str, Fetched] = {}
    hashes = [url_hash(url) for url in asked.values()]
    captures = Capture.objects.filter(project=project, url_hash__in=hashes).exclude(outcome=OPEN)
    for row in captures.order_by("pk"):
        verdict = Verdict(row.outcome, row.code, row.status)
        known[row.normalized_url] = Fetched(
            "attention", row.get_outcome_display(), verdict.message(language)
        )
    for url in unfinished_fetches(project, asked.values()):
        known[url] = Fetched("stale", _("being fetched"))
    stored = Snapshot.objects.filter(project=project, url_hash__in=hashes).order_by("pk")
    for snapshot in stored:
        whole = snapshot.depth == Snapshot.Depth.FULL
        known[snapshot.normalized_url] = Fetched(
            "located" if whole else "attention", _("snapshot"), snapshot.get_depth_display()
        )
    return {key: known[url] for key, url in asked.items() if url in known}
