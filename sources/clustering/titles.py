"""Links of sources under nearly the same title: preprints, reprints, releases. Pure.

A title alone proves nothing; each rule wants a further sign.
"""

import re

from sources.clustering.facts import ClusterFacts, Link, link
from sources.clustering.reprints import ReprintLine, folded, names_body

MIN_TITLE = 20  # weight of a title: code points, ideographs twice
_DAYS = 7  # between a release and its copies
_WIRES = re.compile(
    r"(?:^|\.)(?:prnewswire|businesswire|globenewswire|newswire|accesswire|prnasia|eurekalert"
    r"|newsfilecorp|prweb|einpresswire|cision)\.(?:com|ca|org|co\.uk)$"
)
_RELEASE_PATH = re.compile(
    r"/(?:press|news)[-_]?(?:releases?|room|centre|center)\b|/press/|/newsroom/|/xwzx/",
    re.IGNORECASE,
)
_RELEASE_TEXT = re.compile(
    r"/PRNewswire|\(BUSINESS WIRE\)|\(?GLOBE NEWSWIRE\)?|/美通社|美通社[-—/]|\bACCESSWIRE\b"
    r"|^\W{0,5}(?:FOR IMMEDIATE RELEASE|press release)\b",
    re.IGNORECASE | re.MULTILINE,
)
_HEAD = 1_200  # code points in which a release says that it is one
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NAME_PART = re.compile(r"[^\W\d_]{3,}|[\u4e00-\u9fff]{2,}")


def link_of_titles(left: ClusterFacts, right: ClusterFacts) -> Link | None:
    """Give why two sources under one title share an origin, or None."""
    if left.is_preprint != right.is_preprint and _common_author(left, right):
        paper = right if left.is_preprint else left
        return link(left, right, "preprint", title=paper.title[:300])
    if other_issue(left, right):
        return None
    if line := _shared_line(left, right):
        return link(left, right, "reprint_line", line=line.words[:300], names=line.name[:120])
    mark = release_mark(left) or release_mark(right)
    days = _days_between(left, right)
    if mark and days <= _DAYS:
        return link(left, right, "same_release", mark=mark, days=days)
    return None


def link_of_line(copy: ClusterFacts, origin: ClusterFacts) -> Link | None:
    """Give the link of a source to the one whose address its line names, or None."""
    for line in copy.lines:
        if "://" in line.name and _is_named(line, origin):
            return link(copy, origin, "reprint_line", line=line.words[:300], names=line.name[:120])
    return None


def other_issue(left: ClusterFacts, right: ClusterFacts) -> bool:
    """Tell whether the titles name other numbers, as the report of the next quarter does."""
    return _NUMBER.findall(left.title) != _NUMBER.findall(right.title)


def release_mark(source: ClusterFacts) -> str:
    """Give what shows that a source is an institution's release, or an empty text."""
    if _WIRES.search(source.host):
        return source.host
    if found := _RELEASE_PATH.search(source.address):
        return found[0]
    found = _RELEASE_TEXT.search(source.body[:_HEAD] or source.abstract)
    return found[0].strip() if found else ""


def _shared_line(left: ClusterFacts, right: ClusterFacts) -> ReprintLine | None:
    for copy, other in ((left, right), (right, left)):
        for line in copy.lines:
            # That it is a copy of something under this title, or of this very page.
            if line.strong or _is_named(line, other):
                return line
    theirs = {folded(line.name) for line in right.lines}
    return next((line for line in left.lines if folded(line.name) in theirs), None)


def _is_named(line: ReprintLine, source: ClusterFacts) -> bool:
    return names_body(
        line.name,
        host=source.host,
        venue=source.venue,
        title=source.title,
        address=source.address,
    )


def _common_author(left: ClusterFacts, right: ClusterFacts) -> bool:
    ours, theirs = _names(left), _names(right)
    return not ours or not theirs or not ours.isdisjoint(theirs)


def _names(source: ClusterFacts) -> set[str]:
    return {part.casefold() for author in source.authors for part in _NAME_PART.findall(author)}


def _days_between(left: ClusterFacts, right: ClusterFacts) -> int:
    if left.published is None or right.published is None:
        return 0
    return abs((left.published - right.published).days)
