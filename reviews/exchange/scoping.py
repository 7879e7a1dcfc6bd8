"""Public ids: unique in the project, the same at every import. Rulebook section 1."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from . import rules
from .problems import Log
from .records import ClaimRecord, SourceKey, SourceRecord
from .values import shorten

MOST_VARIANTS = 20  # differing descriptions of one source that are kept


@dataclass(frozen=True, slots=True)
class KnownClaim:
    """A claim that the project has, as far as ids go."""

    external_id: str
    raw_id: str
    origin: str
    text: str


@dataclass(frozen=True, slots=True)
class KnownSource:
    """A source that the project has, as far as ids go."""

    external_id: str
    raw_id: str
    origin: str
    address: str


class _Taken(set[str]):
    """Public ids that are given; it knows where to go on numbering."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(names)
        self._last: dict[str, int] = {}

    def numbered(self, name: str) -> str:
        """Give ``name#2``, ``name#3`` …: the first that is free from the last one given on."""
        number = self._last.get(name, 1) + 1
        while f"{name}#{number}" in self:
            number += 1
        self._last[name] = number
        return f"{name}#{number}"


def same_file(one: str, other: str) -> bool:
    """Tell whether two origins are one file, seen alone or within its report directory."""
    if one == other:
        return True
    a, b = PurePosixPath(one).parts, PurePosixPath(other).parts
    short, long = sorted((a, b), key=len)
    return bool(short) and long[-len(short) :] == short


def scoped(origin: str, raw_id: str, rivals: Iterable[str] = ()) -> str:
    """Give ``<file stem>/<id>``; the whole path where another file has the same stem."""
    path = PurePosixPath(origin)
    stems = [PurePosixPath(rival).stem for rival in rivals if rival != origin]
    prefix = str(path.with_suffix("")) if path.stem in stems else path.stem
    return shorten(f"{prefix}/{raw_id}", 300)


def merge_claims(claims: Sequence[ClaimRecord], log: Log) -> list[ClaimRecord]:
    """Make one claim of those that several files give under one id with one text."""
    first: dict[tuple[str, str], ClaimRecord] = {}
    kept: list[ClaimRecord] = []
    for claim in claims:
        key = (claim.raw_id, claim.text)
        held = first.setdefault(key, claim)
        if held is claim or held.origin == claim.origin:
            kept.append(claim)
            continue
        log.notice(rules.MERGED_CLAIM, claim.origin, id=claim.raw_id, other=held.origin)
        known = {item.content_hash() for item in held.evidence}
        held.evidence += [item for item in claim.evidence if item.content_hash() not in known]
    return kept


def name_claims(claims: Sequence[ClaimRecord], known: Sequence[KnownClaim], log: Log) -> list[str]:
    """Give the external id of each claim, in order.

    A claim keeps the id that an earlier import gave it; a plain id that stands for two texts is
    scoped by file.
    """
    origins: dict[str, list[str]] = defaultdict(list)
    for claim in claims:
        if claim.origin not in origins[claim.raw_id]:
            origins[claim.raw_id].append(claim.origin)
    held: dict[str, list[KnownClaim]] = defaultdict(list)
    for each in known:
        held[each.raw_id].append(each)
    taken = _Taken(each.external_id for each in known)
    used: set[str] = set()
    seen: dict[tuple[str, str], str] = {}  # (origin, raw id) -> the name it got first
    names = []
    for claim in claims:
        name = _known_name(claim, held[claim.raw_id], used)
        place = (claim.origin, claim.raw_id)
        if name is None and place in seen:
            name = _numbered(claim, seen[place], taken, log)
        elif name is None:
            name = _new_name(claim, origins[claim.raw_id], taken, log)
        seen.setdefault(place, name)
        used.add(name)
        taken.add(name)
        names.append(name)
    return names


def _known_name(claim: ClaimRecord, candidates: list[KnownClaim], used: set[str]) -> str | None:
    free = [each for each in candidates if each.external_id not in used]
    mine = [each for each in free if same_file(each.origin, claim.origin)]
    # Of several with one id in one file, the one with the same text; else the first of them.
    for each in mine:
        if each.text == claim.text:
            return each.external_id
    if mine:
        return mine[0].external_id
    return next((each.external_id for each in free if each.text == claim.text), None)


def _new_name(claim: ClaimRecord, origins: list[str], taken: _Taken, log: Log) -> str:
    plain = shorten(claim.raw_id, 300)
    if len(origins) == 1 and plain not in taken:
        return plain
    name = scoped(claim.origin, claim.raw_id, origins)
    if name in taken:
        return _numbered(claim, name, taken, log)
    log.notice(rules.SCOPED_CLAIM, claim.origin, id=claim.raw_id, scoped=name)
    return name


def _numbered(claim: ClaimRecord, name: str, taken: _Taken, log: Log) -> str:
    found = taken.numbered(name)
    log.notice(rules.REPEATED_ID, claim.origin, id=claim.raw_id, scoped=found)
    return found


def merge_sources(sources: Iterable[SourceRecord], log: Log) -> dict[SourceKey, SourceRecord]:
    """Make one source of those with one id and one address; all their titles are kept.

    What one of them leaves open another may fill; where two differ, the first counts and the
    other is kept under ``variants``.
    """
    merged: dict[SourceKey, SourceRecord] = {}
    told: set[tuple[SourceKey, str]] = set()
    for source in sources:
        held = merged.setdefault(source.key, source)
        if held is source:
            continue
        held.titles += [title for title in source.titles if title not in held.titles]
        if not _fill(held, source) and (source.key, source.origin) not in told:
            told.add((source.key, source.origin))
            _keep_variant(held, source)
            log.notice(rules.SOURCE_DIFFERS, source.origin, id=source.raw_id, other=held.origin)
    return merged


def note_twins(sources: Iterable[SourceRecord], log: Log) -> None:
    """Name sources whose addresses differ in tracking only; a person decides, nothing is merged."""
    first: dict[str, SourceRecord] = {}
    for source in sources:
        if not source.normalized_url:
            continue
        held = first.setdefault(_without_tracking(source.normalized_url), source)
        if held.normalized_url != source.normalized_url:
            log.notice(rules.SAME_PAGE, source.origin, id=source.raw_id, other=held.raw_id)


def _without_tracking(url: str) -> str:
    parts = urlsplit(url)
    kept = [
        piece
        for piece in parts.query.split("&")
        if piece and not piece.lower().startswith(_TRACKING)
    ]
    host = parts.netloc.removeprefix("www.")
    return f"{host}{parts.path.rstrip('/')}?{'&'.join(kept)}"


# Parameters that advertising and mailing tools add; they never choose another page.
_TRACKING = ("utm_", "gclid=", "fbclid=", "msclkid=", "mc_cid=", "mc_eid=", "spm=")
_STATED = ("title", "quality", "published_at")


def _fill(held: SourceRecord, other: SourceRecord) -> bool:
    """Take over what only the other says; False where both speak and differ."""
    agree = True
    for name in _STATED:
        mine, theirs = getattr(held, name), getattr(other, name)
        if theirs and not mine:
            setattr(held, name, theirs)
        agree = agree and (not theirs or not mine or mine == theirs)
    known = {key: value for key, value in held.extra.items() if key != "variants"}
    if other.extra and not known:
        held.extra = held.extra | other.extra
        return agree
    return agree and (not other.extra or other.extra == known)


def _keep_variant(held: SourceRecord, other: SourceRecord) -> None:
    variants = held.extra.get("variants", [])
    if len(variants) >= MOST_VARIANTS:
        return
    variant = {"origin": other.origin} | {name: getattr(other, name) for name in _STATED}
    if other.extra:
        variant["extra"] = other.extra
    held.extra = {**held.extra, "variants": [*variants, variant]}


def name_sources(
    sources: Sequence[SourceRecord], known: Sequence[KnownSource], log: Log
) -> list[str]:
    """Give the external id of each source, in order; one id with two addresses is scoped."""
    addresses: dict[str, list[str]] = defaultdict(list)
    for source in sources:
        addresses[source.raw_id].append(source.origin)
    held: dict[str, list[KnownSource]] = defaultdict(list)
    for each in known:
        held[each.raw_id].append(each)
    exact = {(e.raw_id, e.address): e.external_id for e in known}
    taken = _Taken(each.external_id for each in known)
    used = {exact[source.key] for source in sources if source.key in exact}
    taken |= used
    names = []
    for source in sources:
        name = exact.get(source.key) or _moved(source, held[source.raw_id], used)
        if name is None:
            name = _new_source_name(source, addresses[source.raw_id], taken, log)
        used.add(name)
        taken.add(name)
        names.append(name)
    return names


def _moved(source: SourceRecord, candidates: list[KnownSource], used: set[str]) -> str | None:
    # The same id in the same file with another address: the file corrected its source.
    return next(
        (
            each.external_id
            for each in candidates
            if each.external_id not in used and same_file(each.origin, source.origin)
        ),
        None,
    )


def _new_source_name(source: SourceRecord, origins: list[str], taken: _Taken, log: Log) -> str:
    if len(origins) == 1 and source.raw_id not in taken:
        return source.raw_id
    name = scoped(source.origin, source.raw_id, origins)
    if name in taken:
        name = taken.numbered(name)
    log.notice(rules.SCOPED_SOURCE, source.origin, id=source.raw_id, scoped=name)
    return name
