"""Links by what registries, publishers and files say outright: identifiers, addresses. Pure."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from sources.clustering.facts import ClusterFacts, Link, Pair, by_age, link, pair
from sources.identifiers import identifiers_of

REGISTRIES = ("nct", "chictr", "euctr", "isrctn")
WORKS = ("doi", "pmid", "pmcid")
PREPRINTS = ("arxiv", "biorxiv")
# Two works that differ in one of these are two works, however alike their texts.
_TELLING = (*WORKS, *REGISTRIES, "patent", "sec_accession")
# An identifier of more sources than this is a slip of a file: one project's own registration
# number in every line, for example.
MOST_SHARING = 2_000

type Values = Callable[[ClusterFacts], Iterable[str]]


def registrations(text: str) -> tuple[tuple[str, str], ...]:
    """Give the trial registrations that a text names, if it names one only of a registry.

    A paper names its own; a review names those of many others, and shares no origin with them.
    """
    found = identifiers_of({"notes": text}) if text else ()
    by_scheme: dict[str, set[str]] = defaultdict(set)
    for each in found:
        if each.scheme in REGISTRIES:
            by_scheme[each.scheme].add(each.value)
    return tuple((s, min(values)) for s, values in sorted(by_scheme.items()) if len(values) == 1)


def by_identity(sources: Sequence[ClusterFacts], apart: frozenset[Pair]) -> Iterator[Link]:
    """Give the links that rest on an address, an identifier or a name in the file."""
    yield from _sharing(sources, "same_address", "address", lambda s: [s.address], apart)
    for scheme in WORKS:
        yield from _sharing(sources, "same_work", scheme, _ids(scheme), apart)
    for scheme in REGISTRIES:
        yield from _sharing(sources, "same_registry_id", scheme, _registered(scheme), apart)
    yield from _sharing(sources, "same_patent_family", "family", _ids("patent_family"), apart)
    yield from _sharing(sources, "same_patent_family", "patent", _ids("patent"), apart)
    yield from _sharing(sources, "same_filing", "accession", _ids("sec_accession"), apart)
    for scheme in PREPRINTS:
        yield from _sharing(sources, "preprint", scheme, _ids(scheme), apart)
    yield from _sharing(sources, "stated", "cluster", lambda s: [s.stated], apart)


def told_apart(left: ClusterFacts, right: ClusterFacts) -> bool:
    """Tell whether identifiers say that two sources are two works.

    A preprint has another DOI than its article, so those of the two do not tell them apart.
    """
    schemes: Iterable[str] = _TELLING
    if left.is_preprint != right.is_preprint:
        schemes = (scheme for scheme in _TELLING if scheme not in WORKS)
    ours, theirs = left.ids, right.ids
    return any(
        scheme in ours and scheme in theirs and ours[scheme].isdisjoint(theirs[scheme])
        for scheme in schemes
    )


def _ids(scheme: str) -> Values:
    return lambda source: source.ids.get(scheme, ())


def _registered(scheme: str) -> Values:
    """Give the only registration of a source; one that names several has none of its own."""

    def read(source: ClusterFacts) -> Iterable[str]:
        values = source.ids.get(scheme, frozenset())
        return values if len(values) == 1 else ()

    return read


def _sharing(
    sources: Iterable[ClusterFacts], rule: str, fact: str, values: Values, apart: frozenset[Pair]
) -> Iterator[Link]:
    groups: dict[str, list[ClusterFacts]] = defaultdict(list)
    for source in sources:
        for value in values(source):
            if value:
                groups[value].append(source)
    for value, members in groups.items():
        if 2 <= len(members) <= MOST_SHARING:
            yield from _star(members, apart, rule, {fact: value})


def _star(
    members: Iterable[ClusterFacts], apart: frozenset[Pair], rule: str, facts: Mapping[str, str]
) -> Iterator[Link]:
    """Tie each to the likely origin, or to the next one that no person keeps apart from it."""
    ordered = by_age(members)
    for at, source in enumerate(ordered[1:], start=1):
        for other in ordered[:at]:
            if pair(other.key, source.key) not in apart:
                yield link(other, source, rule, **facts)
                break
