"""Bring the independence clusters of a project up to date. May be killed and run again.

Links and clusters are rows; a person's "joined" and "apart", and what a locked cluster holds, are
never touched. Everything is written in one transaction with its audit events.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone

from sources import clustering
from sources.cluster_facts import decisions_of, facts_of, standing_of
from sources.clustering import ClusterFacts, Grouping, Link
from sources.clustering.facts import Pair
from sources.clustering.grouping import Before
from sources.following import STANDING, follow
from sources.models import Cluster, ClusterLink, Project, Source, User
from sources.recording import Entry, hold_chain, record
from sources.running import CannotBeDone, Running
from sources.scoring.dates import published_on
from workbench.lib.texts import Text

_BATCH = 500
NO_PROJECT = Text("The job names no project.", "任务没有指明项目。")


@dataclass(slots=True)
class Changes:
    """What a new grouping changed."""

    sources: set[int] = field(default_factory=set)  # whose cluster or its origin is another
    entries: list[Entry] = field(default_factory=list)
    links: int = 0  # written or taken away


def run(running: Running) -> dict[str, Any]:
    """Do the job: propose links anew and bring the clusters up to date."""
    if running.job.project is None:
        raise CannotBeDone(NO_PROJECT)
    return assign_clusters(running.job.project, running=running)


def assign_clusters(project: Project, *, running: Running | None = None) -> dict[str, Any]:
    """Propose links from what is known of the sources, and group them; give what changed."""
    told = _progress(running, "reading_captures")
    facts = facts_of(project, told)
    _progress(running, "comparing")(0)
    links = clustering.propose(facts, decisions_of(project).apart)
    with transaction.atomic():
        if running is not None:
            running.hold()
        hold_chain(project)
        changes = Changes(links=_put_links(project, links))
        _regroup(project, facts, changes)
        record(project, changes.entries, by=None)
        if changes.sources:
            follow(project, STANDING)
    return {"links": changes.links, "sources": len(changes.sources)}


def regroup(project: Project, *, by: User) -> Changes:
    """Group the sources of a project by the links that stand, after a person changed some.

    In the caller's transaction; the caller records the entries. Texts are not compared again.
    """
    changes = Changes()
    _regroup(project, _plain_facts(project), changes, keeps_origins=True)
    if changes.sources:
        follow(project, STANDING, by=by)
    return changes


def _progress(running: Running | None, stage: str) -> Any:
    return lambda done: running.progress(stage, done) if running is not None else None


def _plain_facts(project: Project) -> list[ClusterFacts]:
    rows = Source.objects.filter(project=project).order_by("pk")
    found = []
    for pk, published_at, year, stated in rows.values_list("pk", "published_at", "year", "stated"):
        told = published_on(published_at, year)
        name = str(stated.get("independence_cluster") or "").replace("\x00", "").strip()[:200]
        published: date | None = told.day if told else None
        found.append(ClusterFacts(key=pk, published=published, stated=name))
    return found


# --- Links ------------------------------------------------------------------------------------


def _put_links(project: Project, links: Sequence[Link]) -> int:
    """Write proposals that are new or say other things, take away those that no longer hold."""
    wanted: dict[Pair, Link] = {link.pair: link for link in links}
    gone, changed = [], []
    for row in ClusterLink.objects.filter(project=project).iterator():
        link = wanted.pop((row.first_id, row.second_id), None)
        if row.state != ClusterLink.State.PROPOSED:
            continue
        if link is None:
            gone.append(row.pk)
        elif (row.rule, row.facts) != (link.rule, dict(link.facts)):
            row.rule, row.facts = link.rule, dict(link.facts)
            changed.append(row)
    for at in range(0, len(gone), _BATCH):
        ClusterLink.objects.filter(pk__in=gone[at : at + _BATCH]).delete()
    ClusterLink.objects.bulk_update(changed, ["rule", "facts"], batch_size=_BATCH)
    new = [
        ClusterLink(
            project=project,
            first_id=link.first,
            second_id=link.second,
            rule=link.rule,
            facts=dict(link.facts),
        )
        for link in wanted.values()
    ]
    ClusterLink.objects.bulk_create(new, batch_size=_BATCH)
    return len(gone) + len(changed) + len(new)


# --- Clusters ---------------------------------------------------------------------------------


def _regroup(
    project: Project,
    facts: Sequence[ClusterFacts],
    changes: Changes,
    *,
    keeps_origins: bool = False,
) -> None:
    before, ages = standing_of(project), {each.key: each.age for each in facts}
    rows = ClusterLink.objects.filter(project=project, state=ClusterLink.State.PROPOSED)
    links = [
        Link(first, second, rule)
        for first, second, rule in rows.values_list("first", "second", "rule")
        # A source that came since the facts were read is looked at by the next run.
        if first in ages and second in ages
    ]
    decisions = decisions_of(project)
    if keeps_origins:
        decisions = replace(decisions, origins={**before.origins, **decisions.origins})
    now = clustering.group(
        ages,
        links,
        age=lambda key: ages.get(key, (True, date.max, key)),
        decisions=decisions,
        before=before,
        stated={each.key: each.stated for each in facts if each.stated},
    )
    _write(project, before, now, changes)


def _write(project: Project, before: Before, now: Grouping, changes: Changes) -> None:
    members, stood = now.members(), _members(before.names)
    clusters = _clusters(project, members)
    moved = [key for key, name in now.names.items() if before.names.get(key) != name]
    left = [key for key in before.names if key not in now.names]
    rows = [Source(pk=key, cluster=clusters[now.names[key]]) for key in moved]
    rows += [Source(pk=key, cluster=None) for key in left]
    Source.objects.bulk_update(rows, ["cluster"], batch_size=_BATCH)
    ids = _external_ids([*now.names, *before.names], moved or left or before.origins != now.origins)
    changed = []
    for name in sorted({*members, *stood}):
        was, has = stood.get(name, []), members.get(name, [])
        old_origin, origin = before.origins.get(name), now.origins.get(name)
        if (was, old_origin) == (has, origin) or not (was or has):
            continue
        cluster = clusters.get(name)
        if cluster is not None:
            # An emptied one keeps it: by its origin it is known again.
            cluster.origin_id = origin if has else old_origin
            cluster.origin_chosen = cluster.origin_chosen and origin == old_origin
            cluster.version += 1
            changed.append(cluster)
        changes.sources |= {*was, *has}
        changes.entries.append(
            Entry(
                "cluster.changed" if was else "cluster.formed",
                "cluster",
                name,
                old={"members": _named(was, ids), "origin": ids.get(old_origin or 0, "")},
                new={"members": _named(has, ids), "origin": ids.get(origin or 0, "")},
                rule_version=clustering.VERSION,
            )
        )
    Cluster.objects.bulk_update(changed, ["origin", "origin_chosen", "version"], batch_size=_BATCH)


def _clusters(project: Project, names: Iterable[str]) -> dict[str, Cluster]:
    """Give the rows of clusters by name, made where there is none; emptied ones keep theirs."""
    held = {row.name: row for row in Cluster.objects.filter(project=project)}
    now = timezone.now()
    new = [
        Cluster(project=project, name=name, created_at=now) for name in names if name not in held
    ]
    Cluster.objects.bulk_create(new, batch_size=_BATCH)
    return held | {row.name: row for row in new}


def _members(names: Mapping[int, str]) -> dict[str, list[int]]:
    return Grouping(names, {}).members()


def _external_ids(keys: Iterable[int], wanted: object) -> dict[int, str]:
    found: dict[int, str] = {}
    listed = sorted(set(keys)) if wanted else []
    for at in range(0, len(listed), _BATCH):
        part = Source.objects.filter(pk__in=listed[at : at + _BATCH])
        found |= dict(part.values_list("pk", "external_id"))
    return found


def _named(keys: Iterable[int], ids: Mapping[int, str]) -> list[str]:
    return [ids[key] for key in keys if key in ids]
