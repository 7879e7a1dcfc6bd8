"""How MEDLINE names the links between a work and its notices. Pure.

Source: the PubMed DTD of 1 January 2025, ``CommentsCorrections/@RefType``; Europe PMC writes the
same words with blanks.
"""

import re
from dataclasses import dataclass

RETRACTED_TYPE, RETRACTION_TYPE, ERRATUM_TYPE = "D016441", "D016440", "D016425"
_RETRACTED = "retracted publication"
# Types of a record that is a notice, by name, since the identifier may be empty.
_NOTICES = {
    "retraction of publication": RETRACTION_TYPE,
    "published erratum": ERRATUM_TYPE,
    "expression of concern": "",
    "retraction notice": "",
}


@dataclass(frozen=True, slots=True)
class Link:
    """What a link says: the nature of the notice, and which end of it the record is."""

    nature: str
    inward: bool  # the record is the work; else the record is the notice, or the new version
    notice: bool = True  # else the other end is the work again, in a version that replaces it


_LINKS = {
    "retractionin": Link("retraction", inward=True),
    "retractionof": Link("retraction", inward=False),
    "partialretractionin": Link("partial_retraction", inward=True),
    "partialretractionof": Link("partial_retraction", inward=False),
    "expressionofconcernin": Link("expression_of_concern", inward=True),
    "expressionofconcernfor": Link("expression_of_concern", inward=False),
    "erratumin": Link("erratum", inward=True),
    "erratumfor": Link("erratum", inward=False),
    "correctedandrepublishedin": Link("corrected_and_republished", inward=True, notice=False),
    "correctedandrepublishedfrom": Link("corrected_and_republished", inward=False, notice=False),
    "retractedandrepublishedin": Link("retracted_and_republished", inward=True, notice=False),
    "retractedandrepublishedfrom": Link("retracted_and_republished", inward=False, notice=False),
    "updatein": Link("new_version", inward=True, notice=False),
    "republishedin": Link("new_edition", inward=True, notice=False),
}
# Comments and reports of the same data, the other end of a new version: nothing about integrity.
_IGNORED = re.compile(
    r"^(?:comment(?:in|on)|cites|associated(?:dataset|publication)|reprint(?:in|of)"
    r"|summaryforpatientsin|originalreportin|updateof|republishedfrom|preprint(?:in|of)|dataset.*)$"
)


def link_of(ref_type: str) -> Link | None:
    """Read a RefType, or Europe PMC's wording of it; None for what says nothing of integrity.

    One that we do not know is kept as an update of its own name.
    """
    folded = re.sub(r"[\W_]+", "", ref_type).casefold()
    if not folded or _IGNORED.match(folded):
        return None
    known = _LINKS.get(folded)
    if known is not None:
        return known
    return Link(folded[:40], inward=not folded.endswith(("of", "for", "from", "on")))


def is_retracted_type(name: str, identifier: str = "") -> bool:
    """Tell whether a publication type says that the record is a retracted work."""
    return identifier == RETRACTED_TYPE or name.strip().casefold() == _RETRACTED


def is_notice_type(name: str, identifier: str = "") -> bool:
    """Tell whether a publication type says that the record is a notice."""
    return identifier in {RETRACTION_TYPE, ERRATUM_TYPE} or name.strip().casefold() in _NOTICES
