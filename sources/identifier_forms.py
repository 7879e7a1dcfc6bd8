"""How identifiers of papers, trials, patents and filings are written, and folded. Pure.

Forms are those of the registries' own help pages; a folded value is what two writings share.
"""

import re
from collections.abc import Iterator

NCT = re.compile(r"(?<![A-Za-z0-9])NCT[\s:_-]?(\d{8})(?!\d)", re.IGNORECASE)
ISRCTN = re.compile(r"(?<![A-Za-z0-9])ISRCTN[\s:_-]?(\d{8})(?!\d)", re.IGNORECASE)
CHICTR = re.compile(
    r"(?<![A-Za-z0-9])ChiCTR[\s:_-]?((?:[A-Z]{2,5}-)?\d{8,10})(?!\d)", re.IGNORECASE
)
EUCTR = re.compile(r"(?<![\d-])((?:19|20)\d{2}-\d{6}-\d{2})(?:-\d{2})?(?![\d-])")
EUCTR_LABELLED = re.compile(
    r"(?:EudraCT|EU[\s-]?CTR?|CTIS)\b[^\d\n]{0,20}" + EUCTR.pattern, re.IGNORECASE
)
PMID_LABELLED = re.compile(r"\bPMID\s{0,2}[:：#]?\s{0,2}(\d{1,8})(?!\d)", re.IGNORECASE)
PMCID = re.compile(r"(?<![A-Za-z0-9])PMC\s?(\d{3,9})(?!\d)", re.IGNORECASE)
ACCESSION = re.compile(r"(?<![\d-])(\d{10})-(\d{2})-(\d{6})(?![\d-])")
ACCESSION_FOLDER = re.compile(r"/Archives/edgar/data/\d{1,10}/(\d{10})(\d{2})(\d{6})(?!\d)", re.I)
_ARXIV_ID = r"(\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[A-Z]{2})?/\d{7})(v\d{1,3})?(?![\d.]*\d)"
ARXIV = re.compile(_ARXIV_ID)
ARXIV_LABELLED = re.compile(r"(?i:\barXiv)\s{0,2}[:：.]\s{0,2}" + _ARXIV_ID)
ARXIV_ADDRESS = re.compile(r"(?i:arxiv\.org)/(?:abs|pdf|html|format|ps|e-print|src)/" + _ARXIV_ID)
RXIV_DOI = re.compile(r"10\.(?:1101|64898)/((?:\d{4}\.\d{2}\.\d{2}\.)?\d{6,9})(v\d{1,3})?\Z")
RXIV_ADDRESS = re.compile(
    r"(?i:(?:bio|med)rxiv\.org)/content/(?:[a-z]+/early/[\d/]+/)?"
    r"10\.\d{4,9}/((?:\d{4}\.\d{2}\.\d{2}\.)?\d{6,9})(v\d{1,3})?"
)

_COUNTRIES = (
    "US|EP|WO|CN|JP|KR|TW|DE|FR|GB|CA|AU|IN|RU|BR|MX|IL|ES|IT|CH|SE|NL|AT|BE|DK|FI|NO|PL|HU|CZ|HK|"
    "SG|ZA|NZ|EA|AP|AR|PT|IE|GR|TR|UA|CL|CO|PE|MY|PH|TH|VN|ID|SA|AE|EG"
)
_NUMBER = r"((?:RE|PP|D|H|S)?\d{1,4}(?:[ ,/.-]?\d{1,7}){1,4})"
_PATENT = rf"(?<![A-Za-z0-9])({_COUNTRIES})[\s-]?{_NUMBER}[\s_-]?"
PATENT_WITH_KIND = re.compile(_PATENT + r"([A-CEHSTUWYP]\d?)(?![A-Za-z0-9])")
PATENT = re.compile(_PATENT + r"([A-CEHSTUWYP]\d?)?(?![A-Za-z0-9])", re.IGNORECASE)
_MIN_PATENT_DIGITS = 6


def nct(found: "re.Match[str]") -> Iterator[tuple[str, str]]:
    """Give the scheme and value of a ClinicalTrials.gov number."""
    yield "nct", f"NCT{found[1]}"


def isrctn(found: "re.Match[str]") -> Iterator[tuple[str, str]]:
    """Give the scheme and value of an ISRCTN."""
    yield "isrctn", f"ISRCTN{found[1]}"


def chictr(found: "re.Match[str]") -> Iterator[tuple[str, str]]:
    """Give the scheme and value of a number of the Chinese registry."""
    yield "chictr", "ChiCTR" + ("-" if "-" in found[1] else "") + found[1].upper()


def euctr(found: "re.Match[str]") -> Iterator[tuple[str, str]]:
    """Give the scheme and value of an EU trial number, without the counter of resubmissions."""
    yield "euctr", found[1]


def pmid(found: "re.Match[str]") -> Iterator[tuple[str, str]]:
    """Give the scheme and value of a PubMed number; nothing for 0."""
    if number := found[1].lstrip("0"):
        yield "pmid", number


def pmcid(found: "re.Match[str]") -> Iterator[tuple[str, str]]:
    """Give the scheme and value of a PubMed Central number."""
    yield "pmcid", f"PMC{found[1].lstrip('0')}"


def accession(found: "re.Match[str]") -> Iterator[tuple[str, str]]:
    """Give the scheme and value of a filing with the SEC."""
    yield "sec_accession", "-".join(found.groups())


def arxiv(found: "re.Match[str]") -> Iterator[tuple[str, str]]:
    """Give the paper at arXiv, and the version of it that was named."""
    yield "arxiv", found[1]
    if found[2]:
        yield "arxiv", found[1] + found[2]


def rxiv(found: "re.Match[str]") -> Iterator[tuple[str, str]]:
    """Give the preprint at bioRxiv or medRxiv, and the version of it that was named."""
    yield "biorxiv", found[1]
    if found[2]:
        yield "biorxiv", found[1] + found[2]


def patent(found: "re.Match[str]") -> Iterator[tuple[str, str]]:
    """Give the publication, and what all publications of one application share.

    Outside the USA the kind code alone tells application and grant apart: EP1234567A1 and
    EP1234567B1 are one family. A number without a code names them all.
    """
    number = re.sub(r"[ ,/.-]", "", found[2]).upper()
    if sum(sign.isdigit() for sign in number) < _MIN_PATENT_DIGITS:
        return
    stem = found[1].upper() + number
    yield "patent", stem + (found[3] or "").upper()
    yield "patent_family", stem
