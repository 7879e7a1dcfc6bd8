"""What a person must know to decide about an import, beyond its report."""

from collections import Counter
from pathlib import Path
from typing import Any

from reviews.exchange.examples import examples_of
from reviews.exchange.planning import Plan
from reviews.exchange.problems import MORE
from reviews.exchange.reading import open_upload
from reviews.importing.rows import chunks
from reviews.models import Verdict
from workbench.lib.archives import ArchiveError


def facts_of(plan: Plan) -> dict[str, Any]:
    """Give errors and notices by rule, and how many verdicts a new version makes stale."""
    log = plan.package.log
    notices = {each.rule.id: log.count(each.rule) for each in log.notices if each.rule != MORE}
    return {
        "errors": dict(Counter(each.rule.id for each in log.errors)),
        "notices": notices,
        "snapshots": len(plan.package.snapshots),
        "stale": _resting_on(plan),
    }


def _resting_on(plan: Plan) -> int:
    pks = [each.known.pk for each in plan.claims if each.state == "changed" and each.known]
    pks += [known.pk for known in plan.gone]
    return sum(
        Verdict.objects.filter(claim__in=part, stale=False).exclude(decision="").count()
        for part in chunks(pks)
    )


def samples_of(path: Path, mapping: Any) -> dict[str, Any]:
    """Give what an unrecognised upload holds; nothing where it cannot be opened."""
    try:
        with open_upload(path) as tree:
            return examples_of(tree, mapping)
    except ArchiveError:
        return {"lists": [], "fields": {}}
