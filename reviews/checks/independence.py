"""Checks that evidence comes from several hands. Pure. Rulebook section 7, B2; defect H4."""

import re
from collections.abc import Collection, Iterator
from urllib.parse import urlsplit

from reviews.checks.base import Check, ClaimFacts, EvidenceFacts, Finding, Message, Severity
from reviews.checks.hosts import host_of
from reviews.checks.samples import claim, evidence, source
from workbench.lib.texts import Text

_CONTENT_HASH = re.compile(r"/([0-9a-f]{64})\.md$")


def interpretive_one_source(facts: ClaimFacts) -> Iterator[Finding]:
    """Find interpretive claims whose sources are not independent of one another."""
    pieces = [piece for piece in facts.evidence if piece.source is not None]
    if facts.kind != "interpretive" or not pieces:
        return
    code = _shared_origin(pieces)
    if code:
        severity: Severity = "error" if facts.is_key else "warning"
        yield Finding(code, severity, {"count": len(pieces)})


def _shared_origin(pieces: list[EvidenceFacts]) -> str:
    """Give the code of what makes all of them one, or nothing if they are two or more."""
    if len({piece.source.id for piece in pieces if piece.source}) == 1:
        return "one_source"
    groups = _Groups()
    reasons = {"one_url": _address, "same_text": _content, "one_cluster": _cluster}
    for code, read in reasons.items():
        for piece in pieces:
            groups.join(f"id:{piece.source.id if piece.source else ''}", read(piece))
        if groups.count() == 1:
            return code
    return ""


def origins_of(facts: ClaimFacts, ids: Collection[str]) -> int:
    """Count the origins of some of a claim's sources, known by their ids.

    One address, snapshots of one text and one independence cluster are one origin.
    """
    groups = _Groups()
    for piece in facts.evidence:
        if piece.source is not None and piece.source.id in ids:
            for read in (_address, _content, _cluster):
                groups.join(f"id:{piece.source.id}", read(piece))
    return groups.count()


class _Groups:
    """Names that belong together, by union and find."""

    def __init__(self) -> None:
        self._parents: dict[str, str] = {}

    def join(self, left: str, right: str) -> None:
        root = self._root(left)
        if right:
            self._parents[self._root(right)] = root

    def count(self) -> int:
        return len({self._root(name) for name in list(self._parents)})

    def _root(self, name: str) -> str:
        while self._parents.setdefault(name, name) != name:
            name = self._parents[name]
        return name


def _address(piece: EvidenceFacts) -> str:
    url = piece.source.url if piece.source else ""
    return f"url:{plain_address(url)}" if url else ""


def _content(piece: EvidenceFacts) -> str:
    found = _CONTENT_HASH.search(piece.snapshot_ref)
    return f"text:{found[1]}" if found else ""


def _cluster(piece: EvidenceFacts) -> str:
    cluster = piece.source.cluster if piece.source else ""
    return f"cluster:{cluster}" if cluster else ""


def plain_address(url: str) -> str:
    """Give an address without scheme, ``www.``, fragment and last slash, to compare by."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return url.strip()
    query = f"?{parts.query}" if parts.query else ""
    return f"{host_of(url)}{parts.path.rstrip('/')}{query}" if parts.netloc else url.strip()


def evidence_repeated(facts: ClaimFacts) -> Iterator[Finding]:
    """Find the same words of the same source given as two pieces of evidence."""
    seen: dict[tuple[str, str], int] = {}
    for piece in facts.evidence:
        words = " ".join(piece.snippet.split()).casefold()
        place = (piece.source_ref, words)
        if not words:
            continue
        if place in seen:
            params = {"number": piece.position, "first": seen[place]}
            yield Finding("repeated", "info", params, piece.key)
        else:
            seen[place] = piece.position


def _independent(text: Text) -> Message:
    return Message(
        text,
        Text(
            "Add a source of another origin, or word the claim as that one source's view.",
            "请补充来源不同的信源，或把论断改写为该信源的观点。",
        ),
    )


_HASH = "ab" * 32
_OTHER = source(id="gazette", url="https://gazette.fi/2025", title="Gazette")

INTERPRETIVE_ONE_SOURCE = Check(
    id="interpretive-one-source",
    version=1,
    title=Text("Interpretations rest on independent sources", "解释性论断有独立信源"),
    description=Text(
        "An interpretive claim needs sources of different origins. One source, one address under "
        "two names, snapshots with the same text, or sources of one independence cluster count "
        "once.",
        "解释性论断需要来源不同的信源。同一信源、同一网址的不同名称、文本相同的快照、同一独立性簇，都只算一个。",
    ),
    messages={
        "one_source": _independent(
            Text(
                "This interpretation rests on a single source.",
                "该解释只依据一个信源。",
            )
        ),
        "one_url": _independent(
            Text(
                "All {count} pieces of evidence come from one address.",
                "全部 {count} 条证据来自同一网址。",
            )
        ),
        "same_text": _independent(
            Text(
                "The sources of all {count} pieces of evidence have the same text.",
                "全部 {count} 条证据的信源文本相同。",
            )
        ),
        "one_cluster": _independent(
            Text(
                "All {count} pieces of evidence share one origin.",
                "全部 {count} 条证据同出一源。",
            )
        ),
    },
    run=interpretive_one_source,
    examples=(
        (
            claim("Use follows berths.", evidence("berths rose"), kind="interpretive"),
            ("one_source",),
        ),
        (claim("Use rose.", evidence("use rose")), ()),
        (
            claim(
                "Use follows berths.",
                evidence("berths rose"),
                evidence("more berths", source=_OTHER),
                kind="interpretive",
            ),
            (),
        ),
        (
            claim(
                "Use follows berths.",
                evidence("berths rose"),
                evidence(
                    "more", source=source(id="copy", url="http://www.port-authority.fi/report/")
                ),
                kind="interpretive",
            ),
            ("one_url",),
        ),
        (
            claim(
                "Use follows berths.",
                evidence("berths rose", snapshot_ref=f"source_cache/{'0' * 64}/{_HASH}.md"),
                evidence("more", source=_OTHER, snapshot_ref=f"source_cache/{'1' * 64}/{_HASH}.md"),
                kind="interpretive",
            ),
            ("same_text",),
        ),
        (
            claim(
                "Use follows berths.",
                evidence("berths rose", source=source(cluster="k7")),
                evidence("more", source=source(id="wire", url="https://w.fi", cluster="k7")),
                kind="interpretive",
            ),
            ("one_cluster",),
        ),
    ),
    defect="H4",
)

EVIDENCE_REPEATED = Check(
    id="evidence-repeated",
    version=1,
    title=Text("Each piece of evidence is given once", "证据不重复"),
    description=Text(
        "The same words of the same source, given twice, are one piece of evidence.",
        "同一信源的同一段文字列出两次，只算一条证据。",
    ),
    messages={
        "repeated": Message(
            Text(
                "Evidence {number} repeats evidence {first}.",
                "证据 {number} 与证据 {first} 重复。",
            ),
            Text("Count it once.", "请只计一次。"),
        )
    },
    run=evidence_repeated,
    examples=(
        (claim("Use rose.", evidence("use rose"), evidence("Use  rose")), ("repeated",)),
        (claim("Use rose.", evidence("use rose"), evidence("use fell")), ()),
    ),
)
