"""Keep the findings about sources in step with what is raised; people's decisions stay."""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from django.db.models import Count

from workbench.lib.rows import insert, update

from .models import Source, SourceFinding

MOST_COUNTED = 32_767  # findings; what the column holds


@dataclass(frozen=True, slots=True)
class Found:
    """What is raised about a source; ``place`` tells two findings of one code apart."""

    code: str
    severity: str
    params: Mapping[str, str] = field(default_factory=dict)
    place: str = ""

    @property
    def fingerprint(self) -> str:
        """Name the finding within its source, whatever its facts."""
        return hashlib.sha256(f"{self.code}\n{self.place}".encode()).hexdigest()


class FindingsMerge:
    """Fit newly raised findings to the stored ones of some sources; human decisions stay.

    Only findings of ``codes`` are looked at: each work raises, and lets expire, codes of its own.
    """

    FIELDS = ("severity", "params", "state", "facts_changed", "version")

    def __init__(self, sources: Iterable[int], codes: Collection[str]) -> None:
        self.stored: dict[int, dict[str, SourceFinding]] = defaultdict(dict)
        rows = SourceFinding.objects.filter(source__in=list(sources), code__in=list(codes))
        for row in rows:
            self.stored[row.source_id][row.fingerprint] = row
        self.new: list[SourceFinding] = []
        self.changed: list[SourceFinding] = []

    def put(self, source: int, found: Iterable[Found]) -> None:
        """Take what is raised about one source now; what is raised no more is outdated."""
        stored, seen = self.stored[source], set()
        for each in found:
            key = each.fingerprint
            if key in seen:
                continue
            seen.add(key)
            if key in stored:
                self._update(stored[key], each)
            else:
                self.new.append(
                    SourceFinding(
                        source_id=source,
                        code=each.code,
                        fingerprint=key,
                        severity=each.severity,
                        params=dict(each.params),
                    )
                )
        for key, row in stored.items():
            if key not in seen and row.state != SourceFinding.State.OUTDATED:
                row.state = SourceFinding.State.OUTDATED
                row.version += 1
                self.changed.append(row)

    def save(self) -> set[int]:
        """Write what is new and what changed; give the sources concerned. Two queries."""
        insert(SourceFinding, self.new)
        update(SourceFinding, self.changed, self.FIELDS)
        return {row.source_id for row in (*self.new, *self.changed)}

    def _update(self, row: SourceFinding, each: Found) -> None:
        other_facts = (row.params, row.severity) != (dict(each.params), each.severity)
        returns = row.state == SourceFinding.State.OUTDATED
        if not (other_facts or returns):
            return
        row.params, row.severity = dict(each.params), each.severity
        if returns:
            row.state = row.decision or SourceFinding.State.OPEN
        if row.decision and other_facts:
            row.facts_changed = True
        row.version += 1
        self.changed.append(row)


def open_findings(sources: Iterable[int]) -> dict[int, int]:
    """Give how many open findings sources have, notes apart; those without any are absent."""
    rows = SourceFinding.objects.filter(source__in=list(sources), state=SourceFinding.State.OPEN)
    counted = rows.exclude(severity=SourceFinding.Severity.INFO).order_by().values("source")
    return dict(counted.annotate(n=Count("pk")).values_list("source", "n"))


def count_findings(concerned: Collection[int]) -> None:
    """Write down how many open findings sources have. One query, and one a number."""
    counts = open_findings(concerned)
    by_count: dict[int, list[int]] = defaultdict(list)
    for key in concerned:
        by_count[min(counts.get(key, 0), MOST_COUNTED)].append(key)
    for count, keys in by_count.items():
        Source.objects.filter(pk__in=keys).update(open_findings=count)
