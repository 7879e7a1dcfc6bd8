"""Split, join and lock clusters, choose their origin, and take such a change back.

Each writes one event of its own with the pairs or values that it changed, then one for every
cluster that came out otherwise. The first of them is what an undo puts back.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from sources import cluster_work, following
from sources.clustering.facts import pair
from sources.models import AuditEvent, Cluster, ClusterLink, Job, Project, Source, User
from sources.permissions import can
from sources.recording import Entry, hold_chain, record

from .errors import ActionRefused, require

MIN_REASON = 3  # characters: enough for 同源
MOST_PAIRS = 10_000  # kept apart by one split
_APART, _JOINED = ClusterLink.State.APART, ClusterLink.State.JOINED
UNDOABLE = (
    "cluster.split",
    "cluster.joined",
    "cluster.locked",
    "cluster.unlocked",
    "cluster.origin_chosen",
)


def _begin(by: User, project: Project, reason: str) -> str:
    require(can(by, "edit_sources", project))
    if len(reason.strip()) < MIN_REASON:
        raise ActionRefused("reason-missing", _("Say why."))
    hold_chain(project)
    return reason.strip()


def _seen(cluster: Cluster, base_version: int | None) -> None:
    cluster.refresh_from_db()
    if base_version is not None and cluster.version != base_version:
        raise ActionRefused(
            "conflict", _("This cluster was changed in the meantime. Look at it as it is now.")
        )


@transaction.atomic
def split_cluster(
    *,
    cluster: Cluster,
    sources: Iterable[Source],
    reason: str,
    by: User,
    base_version: int | None = None,
) -> None:
    """Take sources out of a cluster; they stay together, and apart from those that stay."""
    project, why = cluster.project, _begin(by, cluster.project, reason)
    _seen(cluster, base_version)
    _open(cluster)
    members = set(cluster.sources.values_list("pk", flat=True))
    leaving = {source.pk for source in sources} & members
    staying = members - leaving
    if not leaving or not staying:
        raise ActionRefused("nothing-split", _("Choose some of the members, not none or all."))
    if len(leaving) * len(staying) > MOST_PAIRS:
        raise ActionRefused("too-many", _("Split so large a cluster in several steps."))
    changed = _set_links(project, product(leaving, staying), _APART, why, by)
    entry = Entry("cluster.split", "cluster", cluster.name, **changed, reason=why)
    _finish(project, entry, by)


@transaction.atomic
def join_sources(*, project: Project, sources: Sequence[Source], reason: str, by: User) -> None:
    """Put sources, with the clusters that they are in, into one cluster."""
    why = _begin(by, project, reason)
    rows = list(
        Source.objects.filter(project=project, pk__in=[source.pk for source in sources])
        .select_related("cluster")
        .order_by("pk")
    )
    if len(rows) < 2:
        raise ActionRefused("nothing-joined", _("Choose at least two sources."))
    clusters = {row.cluster_id: row.cluster for row in rows if row.cluster is not None}
    if len(clusters) == 1 and all(row.cluster_id for row in rows):
        raise ActionRefused("joined-already", _("These are in one cluster already."))
    for cluster in clusters.values():
        _open(cluster)
    # Members told apart before are told to be of one origin now: the later word holds.
    members = Source.objects.filter(cluster__in=clusters).values_list("pk", "cluster")
    side = {row.pk: f"source {row.pk}" for row in rows if row.cluster_id is None}
    side |= {pk: f"cluster {at}" for pk, at in members}
    apart = ClusterLink.objects.filter(project=project, state=_APART, first__in=side)
    pairs = {
        (first, second)
        for first, second in apart.values_list("first", "second")
        if second in side and side[first] != side[second]
    }
    pairs |= {pair(rows[0].pk, row.pk) for row in rows[1:]}
    changed = _set_links(project, pairs, _JOINED, why, by)
    label = ", ".join(row.external_id for row in rows)
    _finish(project, Entry("cluster.joined", "cluster", label, **changed, reason=why), by)


@transaction.atomic
def lock_cluster(
    *,
    cluster: Cluster,
    locked: bool,
    reason: str,
    by: User,
    base_version: int | None = None,
) -> None:
    """Let proposals leave a cluster alone, or let them change it again."""
    project, why = cluster.project, _begin(by, cluster.project, reason)
    _seen(cluster, base_version)
    if cluster.locked == locked:
        return
    _set(cluster, locked=locked)
    action = "cluster.locked" if locked else "cluster.unlocked"
    old, new = {"locked": not locked}, {"locked": locked}
    entry = Entry(action, "cluster", cluster.name, old=old, new=new, reason=why)
    _finish(project, entry, by)


@transaction.atomic
def choose_origin(
    *, cluster: Cluster, source: Source, reason: str, by: User, base_version: int | None = None
) -> None:
    """Say which member of a cluster is its origin."""
    project, why = cluster.project, _begin(by, cluster.project, reason)
    _seen(cluster, base_version)
    if source.pk not in set(cluster.sources.values_list("pk", flat=True)):
        raise ActionRefused("no-member", _("Choose one of the members."))
    old = {
        "origin_pk": cluster.origin_id,
        "origin_chosen": cluster.origin_chosen,
        "origin": cluster.origin.external_id if cluster.origin else "",
    }
    new = {"origin_pk": source.pk, "origin_chosen": True, "origin": source.external_id}
    if old == new:
        return
    _set(cluster, origin_id=source.pk, origin_chosen=True)
    entry = Entry("cluster.origin_chosen", "cluster", cluster.name, old=old, new=new, reason=why)
    _finish(project, entry, by)


@transaction.atomic
def propose_again(*, project: Project, by: User) -> Job:
    """Look at all sources anew; give the job that does it, or that waits to."""
    require(can(by, "edit_sources", project))
    return following.queue(project, "sources.tasks.assign_clusters", by=by)


@transaction.atomic
def take_back(*, project: Project, number: int, by: User) -> None:
    """Undo one of the user's own changes of clusters, by the number of its event."""
    require(can(by, "edit_sources", project))
    hold_chain(project)
    event = AuditEvent.objects.filter(project=project, number=number, user=by).first()
    if event is None or event.action not in UNDOABLE:
        raise ActionRefused("nothing-to-undo", _("There is nothing of yours to undo here."))
    undone = AuditEvent.objects.filter(
        project=project, action="cluster.undone", new__event=event.number
    )
    if undone.exists():
        raise ActionRefused("undone-already", _("This was undone already."))
    old, new = dict(event.old or {}), dict(event.new or {})
    if "links" in new:
        _restore_links(project, old["links"], new["links"])
    else:
        _restore_cluster(project, event.object_id, old, new)
    entry = Entry(
        "cluster.undone",
        "cluster",
        event.object_id,
        old=new,
        new={**old, "event": event.number},
    )
    _finish(project, entry, by)


def _open(cluster: Cluster) -> None:
    if cluster.locked:
        raise ActionRefused(
            "locked", _("Cluster %(name)s is locked. Unlock it first.") % {"name": cluster.name}
        )


def _set(cluster: Cluster, **values: Any) -> None:
    Cluster.objects.filter(pk=cluster.pk).update(**values, version=cluster.version + 1)
    cluster.refresh_from_db()


def _finish(project: Project, entry: Entry, by: User) -> None:
    changes = cluster_work.regroup(project, by=by)
    record(project, [entry, *changes.entries], by=by)


# --- Links ------------------------------------------------------------------------------------


def _set_links(
    project: Project, pairs: Iterable[tuple[int, int]], state: str, reason: str, by: User
) -> dict[str, Any]:
    """Write what a person says of pairs; give old and new, by pair, for the trail."""
    wanted = sorted({pair(first, second) for first, second in pairs})
    held = _held(project, {key for each in wanted for key in each})
    old, new, rows, fresh = {}, {}, [], []
    for each in wanted:
        row = held.get(each)
        old[_label(each)] = _said(row) if row else None
        if row is None:
            row = ClusterLink(project=project, first_id=each[0], second_id=each[1])
            fresh.append(row)
        else:
            rows.append(row)
        row.state, row.reason, row.by = state, reason, by
        new[_label(each)] = _said(row)
    ClusterLink.objects.bulk_update(rows, ["state", "reason", "by"], batch_size=500)
    ClusterLink.objects.bulk_create(fresh, batch_size=500)
    return {"old": {"links": old}, "new": {"links": new}}


def _held(project: Project, keys: set[int]) -> dict[tuple[int, int], ClusterLink]:
    found: dict[tuple[int, int], ClusterLink] = {}
    listed = sorted(keys)
    for at in range(0, len(listed), 500):
        rows = ClusterLink.objects.filter(project=project, first__in=listed[at : at + 500])
        found |= {(row.first_id, row.second_id): row for row in rows}
    return found


def _said(row: ClusterLink) -> dict[str, Any]:
    return {"state": row.state, "reason": row.reason, "by": row.by_id}


def _label(each: tuple[int, int]) -> str:
    return f"{each[0]}-{each[1]}"


def _restore_links(project: Project, old: dict[str, Any], new: dict[str, Any]) -> None:
    pairs = {label: tuple(int(part) for part in label.split("-")) for label in new}
    held = _held(project, {key for each in pairs.values() for key in each})
    back, gone = [], []
    for label, each in pairs.items():
        row = held.get((each[0], each[1]))
        if row is None:
            continue  # a source of it is gone
        if _said(row) != new[label]:
            raise ActionRefused("conflict", _("Somebody has decided otherwise since."))
        if old[label] is None:
            gone.append(row.pk)
            continue
        row.state, row.reason = old[label]["state"], old[label]["reason"]
        row.by_id = old[label]["by"]
        back.append(row)
    ClusterLink.objects.bulk_update(back, ["state", "reason", "by"], batch_size=500)
    for at in range(0, len(gone), 500):
        ClusterLink.objects.filter(pk__in=gone[at : at + 500]).delete()


def _restore_cluster(project: Project, name: str, old: dict[str, Any], new: dict[str, Any]) -> None:
    cluster = Cluster.objects.filter(project=project, name=name).first()
    if cluster is None:
        return
    if "locked" in new:
        values, stands = {"locked": old["locked"]}, cluster.locked == new["locked"]
    else:
        values = {"origin_id": old["origin_pk"], "origin_chosen": old["origin_chosen"]}
        stands = cluster.origin_id == new["origin_pk"]
    if not stands:
        raise ActionRefused("conflict", _("Somebody has decided otherwise since."))
    _set(cluster, **values)
