"""Identifiers of a source, read from whatever field holds them. Pure.

An address or a field of its own name states what the source is. A title, note or locator may name
other works too: there only a marked form counts, and only if the text has one of its kind.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from sources import identifier_forms as forms
from sources.canonical import canonical_url
from sources.dois import fold_doi, tidy_doi

SCHEMES = (
    "doi", "pmid", "pmcid", "nct", "chictr", "euctr", "isrctn", "patent", "patent_family",
    "sec_accession", "arxiv", "biorxiv",
)  # fmt: skip
MAX_TEXT = 20_000  # characters of a field that are looked at
MAX_FIELD_NAME = 40

type Pairs = Iterator[tuple[str, str]]  # scheme and value
type Form = tuple[re.Pattern[str], Callable[["re.Match[str]"], Pairs]]

ADDRESSES = frozenset({"url", "raw_url", "canonical_url", "link", "source_url"})
TEXTS = frozenset({"title", "notes", "note", "evidence_locator", "venue"})


@dataclass(frozen=True, slots=True)
class Identifier:
    """One identifier, folded for comparing, and the field that told it."""

    scheme: str  # one of SCHEMES
    value: str
    found_in: str


def identifiers_of(fields: Mapping[str, str]) -> tuple[Identifier, ...]:
    """Give the identifiers that a source's fields state, in the order of ``SCHEMES``.

    Fields are known by name: ``doi``, addresses, ``pmid`` and the like, titles and notes; others
    are not read. A DOI in a title or note counts only where no other field states one.
    """
    found: dict[tuple[str, str], str] = {}
    for name, text in fields.items():
        if not text:
            continue
        field, text = _folded_name(name), text[:MAX_TEXT]
        if field in ADDRESSES:
            pairs: Iterable[tuple[str, str]] = _of_address(text)
        elif (read := _FIELDS.get(field)) is not None:
            pairs = read(text)
        elif field in TEXTS:
            pairs = _of_text(text)
        else:
            continue
        for pair in pairs:
            found.setdefault(pair, name[:MAX_FIELD_NAME])
    _leave_mentioned_dois(found)
    return tuple(
        Identifier(scheme, value, found[scheme, value])
        for scheme, value in sorted(found, key=lambda pair: SCHEMES.index(pair[0]))
    )


def _folded_name(name: str) -> str:
    return name.lower().replace("-", "_").replace(" ", "_")


def _leave_mentioned_dois(found: dict[tuple[str, str], str]) -> None:
    """Drop DOIs of texts where a field of its own or an address states one."""
    dois = [pair for pair in found if pair[0] == "doi"]
    mentioned = [pair for pair in dois if _folded_name(found[pair]) in TEXTS]
    if len(mentioned) < len(dois) or len(mentioned) > 1:
        for pair in mentioned:
            del found[pair]


def _of_doi(text: str) -> Pairs:
    doi = fold_doi(text)
    if doi:
        yield from _doi_pairs(doi)
    elif "//" in text:
        yield from _of_address(text)


def _doi_pairs(doi: str) -> Pairs:
    """Give a DOI and the preprint that it numbers; a version is no other work."""
    if found := forms.RXIV_DOI.match(doi):
        yield "doi", doi.removesuffix(found[2] or "")
        yield from forms.rxiv(found)
        return
    yield "doi", doi
    at_arxiv = doi.startswith("10.48550/arxiv.")
    if at_arxiv and (found := forms.ARXIV.match(doi.removeprefix("10.48550/arxiv."))):
        yield from forms.arxiv(found)


# What publishers add to a DOI in their addresses.
_AFTER_DOI = re.compile(
    r"(?:/(?:full|fulltext|full-text|abstract|pdf|epdf|pdfdirect|meta|summary|references|html|htm|xml|"
    r"tables|figures|citedby|related|suppl_file|suppinfo|download|asset)|\.pdf|\.html?|\.full|"
    r"\.full-text|\.full\.pdf|\.abstract|\.full\.pdf\+html|\.short|\.long)\Z",
    re.IGNORECASE,
)
_DOI_IN_ADDRESS = re.compile(r"[/=:](10\.\d{4,9}(?:\.\d{1,9})*/[^\s?#&\"]+)")
_PUBMED = re.compile(r"https://pubmed\.ncbi\.nlm\.nih\.gov/(\d+)\Z")
_PMC = re.compile(r"https://pmc\.ncbi\.nlm\.nih\.gov/articles/PMC(\d+)\Z")
_NATURE = re.compile(r"https://nature\.com/articles/([a-z]*\d[\w.-]+)(?:\Z|/|\?)")
_EU_REGISTERS = re.compile(r"https://(?:[\w-]+\.)*(?:clinicaltrialsregister|euclinicaltrials)\.eu/")
_ESPACENET_NUMBER = re.compile(r"[?&]CC=([A-Z]{2})&(?:.*&)?NR=(\d{4,14}[A-Z]?\d?)", re.IGNORECASE)
_FREE_PATENTS = re.compile(r"https://freepatentsonline\.com/(?:y\d{4}/)?(\d{7,11})\.(?:html|pdf)")
_PATENT_HOSTS = re.compile(
    r"https://(?:patents\.google\.com|(?:[\w-]+\.)*espacenet\.com|patentscope\.wipo\.int"
    r"|lens\.org|ppubs\.uspto\.gov|data\.epo\.org|patentcenter\.uspto\.gov)/"
)


def _of_address(text: str) -> Pairs:
    url = canonical_url(text)
    if not url:
        doi = fold_doi(text)
        if doi:
            yield from _doi_pairs(doi)
        return
    if url.startswith("https://doi.org/") and (doi := fold_doi(url)):
        yield from _doi_pairs(doi)
        return
    raw = unquote(text) if "%" in text else text
    yield from _record_in(url, raw)
    yield from _doi_in(url)
    if _PATENT_HOSTS.match(url):
        yield from _patent_in(url)


def _record_in(url: str, raw: str) -> Pairs:
    if found := _PUBMED.match(url):
        yield from forms.pmid(found)
    elif found := _PMC.match(url):
        yield from forms.pmcid(found)
    elif "rxiv.org" in url or "ar5iv" in url:
        if found := forms.ARXIV_ADDRESS.search(raw) or forms.ARXIV_ADDRESS.search(url):
            yield from forms.arxiv(found)
        if found := forms.RXIV_ADDRESS.search(raw):
            yield from forms.rxiv(found)
    elif url.startswith("https://sec.gov/"):
        if found := forms.ACCESSION.search(url) or forms.ACCESSION_FOLDER.search(url):
            yield from forms.accession(found)
    elif _EU_REGISTERS.match(url):
        yield from _only(forms.EUCTR, forms.euctr, url)
    folded = url.lower()
    for kind in _REGISTRIES:
        if kind in folded:
            form, read = _MARKED[kind][1]
            yield from _only(form, read, url)


def _doi_in(url: str) -> Pairs:
    if found := _NATURE.match(url):
        yield from _doi_pairs(f"10.1038/{found[1].lower()}")
        return
    if "10." not in url:
        return
    found = _DOI_IN_ADDRESS.search(unquote(url[url.find("/", len("https://")) :]))
    if found is None:
        return
    doi = found[1]
    while (shorter := _AFTER_DOI.sub("", doi.rstrip("/"))) != doi:
        doi = shorter
    if doi := tidy_doi(doi):
        yield from _doi_pairs(doi)


def _patent_in(url: str) -> Pairs:
    readable = unquote(url)
    found = _ESPACENET_NUMBER.search(readable)
    text = found[1] + found[2] if found else re.sub(r"[/=]", " ", readable.partition("//")[2])
    if found := _FREE_PATENTS.match(url):
        text = f"US{found[1]}"
    yield from _only(forms.PATENT, forms.patent, text)


# Marked forms, each with lower-case words of which a text that has the form holds one.
_MARKED: dict[str, tuple[tuple[str, ...], Form]] = {
    "nct": (("nct",), (forms.NCT, forms.nct)),
    "isrctn": (("isrctn",), (forms.ISRCTN, forms.isrctn)),
    "chictr": (("chictr",), (forms.CHICTR, forms.chictr)),
    "euctr": (("eudra", "ctis", "euct", "eu ct", "eu-ct"), (forms.EUCTR_LABELLED, forms.euctr)),
    "pmid": (("pmid",), (forms.PMID_LABELLED, forms.pmid)),
    "pmcid": (("pmc",), (forms.PMCID, forms.pmcid)),
    "arxiv": (("arxiv",), (forms.ARXIV_LABELLED, forms.arxiv)),
}
_NUMBERED: tuple[Form, ...] = (
    (forms.ACCESSION, forms.accession),
    (forms.PATENT_WITH_KIND, forms.patent),
)
_HAS_NUMBER = re.compile(r"\d\d\d")
_HAS_LONG_NUMBER = re.compile(r"\d[\d ,/.-]{4}")
_REGISTRIES = ("nct", "isrctn", "chictr")
_DOI_IN_TEXT = re.compile(
    r"(?:\bdoi\s{0,2}[:：]\s{0,2}|doi\.org/)(10\.\d{4,9}(?:\.\d+)*/\S+)", re.IGNORECASE
)


def _of_text(text: str) -> Pairs:
    if not _HAS_NUMBER.search(text):
        return
    folded = text.lower()
    for words, (form, read) in _MARKED.values():
        if any(word in folded for word in words):
            yield from _only(form, read, text)
    if _HAS_LONG_NUMBER.search(text):
        for form, read in _NUMBERED:
            yield from _only(form, read, text)
    if "doi" in folded:
        dois = {tidy_doi(found) for found in _DOI_IN_TEXT.findall(text)} - {""}
        if len(dois) == 1:
            yield from _doi_pairs(dois.pop())


def _only(form: "re.Pattern[str]", read: Callable[["re.Match[str]"], Pairs], text: str) -> Pairs:
    """Give what a form says, if it says one thing in this text."""
    told = [tuple(read(found)) for found in form.finditer(text)]
    if told and all(each == told[0] for each in told):
        yield from told[0]


def _read_by(*kinds: Form) -> Callable[[str], Pairs]:
    """Give a reader of a field that is named after what it holds."""

    def read(text: str) -> Pairs:
        if "//" in text:
            yield from _of_address(text)
            return
        for form, pairs in kinds:
            yield from _only(form, pairs, text)

    return read


_NUMBER_ALONE = re.compile(r"\A\s*(?:PMID)?[\s:#]*(\d{1,8})(?:\.0)?\s*\Z", re.IGNORECASE)
_PMC_NUMBER = re.compile(r"\A\s*(?:PMC(?:ID)?)?[\s:#]*(?:PMC)?(\d{3,9})(?:\.\d+)?\s*\Z", re.I)
_of_trial = _read_by(
    (forms.NCT, forms.nct),
    (forms.ISRCTN, forms.isrctn),
    (forms.CHICTR, forms.chictr),
    (forms.EUCTR, forms.euctr),
)
_of_pmid = _read_by((_NUMBER_ALONE, forms.pmid))
_of_pmcid = _read_by((_PMC_NUMBER, forms.pmcid))
_of_patent = _read_by((forms.PATENT, forms.patent))
_of_accession = _read_by((forms.ACCESSION, forms.accession))
_of_arxiv = _read_by((forms.ARXIV, forms.arxiv))

_FIELDS: dict[str, Callable[[str], Pairs]] = {
    "doi": _of_doi,
    **dict.fromkeys(("pmid", "pubmed", "pubmed_id", "pubmedid"), _of_pmid),
    **dict.fromkeys(("pmcid", "pmc", "pmc_id"), _of_pmcid),
    **dict.fromkeys(
        ("nct", "nct_id", "nct_number", "nctid", "trial_id", "trial_registration", "registry_id",
         "registration_number", "chictr", "chictr_id", "isrctn", "eudract", "eudract_number",
         "euctr", "eu_ct_number", "ctis"),
        _of_trial,
    ),
    **dict.fromkeys(
        ("patent", "patent_id", "patent_no", "patent_number", "publication_number"), _of_patent
    ),
    **dict.fromkeys(("accession", "accession_number", "sec_accession"), _of_accession),
    **dict.fromkeys(("arxiv", "arxiv_id", "eprint"), _of_arxiv),
    **dict.fromkeys(("biorxiv", "medrxiv"), _of_doi),
}  # fmt: skip
NAMED_FIELDS = frozenset(_FIELDS)
