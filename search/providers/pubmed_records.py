"""Answers of E-utilities in XML: efetch, esummary, esearch, errors. Pure. Providers, section 5."""

from collections.abc import Iterator

from lxml.etree import _Element

from sources.dois import fold_doi
from sources.retractions import NotAnswered, Reading
from sources.retractions.dates import from_citation
from sources.retractions.pubmed import published_on, read_articles
from sources.retractions.reading import as_pmid
from workbench.lib.xmltext import XmlError, parse_xml, text_of

from . import values, words
from .base import Hit, Said
from .errors import NoAnswer, ProviderError, Refused

_DOCTYPES = frozenset(
    {"PubmedArticleSet", "PubmedArticle", "eEfetchResult", "eFetchResult", "eSearchResult",
     "ePostResult", "eSummaryResult", "eSpellResult"}
)  # fmt: skip
_LINK = "https://pubmed.ncbi.nlm.nih.gov/{}/"


def _root(data: bytes) -> _Element:
    try:
        root = parse_xml(data, doctypes=_DOCTYPES)
    except XmlError as fault:
        raise NoAnswer(f"no XML of PubMed: {fault}") from None
    said = next((text for each in root.iter("ERROR") if (text := text_of(each))), "")
    empty = root.find("PubmedArticle") is None and root.find("IdList") is None
    if said and empty:
        raise _refused(said)
    return root


def _refused(said: str) -> ProviderError:
    """Part what is wrong with the question from what is wrong over there."""
    ours = ("empty id list", "invalid", "9,999", "cannot retrieve history", "id list is empty")
    return (Refused if any(word in said.lower() for word in ours) else NoAnswer)(said)


def read(data: bytes, provider: str) -> list[Hit]:
    """Read articles and books of efetch, or summaries. Raises ProviderError."""
    root = _root(data)
    if root.tag == "eSummaryResult":
        return _summaries(root, provider)
    if root.tag not in {"PubmedArticleSet", "PubmedArticle"}:
        raise NoAnswer(f"no articles but {str(root.tag)[:40]}")
    try:
        readings = read_articles(data)
    except NotAnswered as fault:
        raise NoAnswer(str(fault)) from None
    articles = [root] if root.tag == "PubmedArticle" else root.findall("PubmedArticle")
    hits = [_article(each, told, provider) for each, told in zip(articles, readings, strict=True)]
    return hits + [_book(each, provider) for each in root.findall("PubmedBookArticle")]


def _article(article: _Element, told: Reading, provider: str) -> Hit:
    within = article.find("MedlineCitation/Article")
    pmcid = _id(article, "pmc")
    return Hit(
        provider=provider,
        title=_text(within, "ArticleTitle") or _text(within, "VernacularTitle"),
        url=_LINK.format(told.pmid) if told.pmid else "",
        snippet=_abstract(within),
        published=published_on(within),
        authors=values.names_of(_authors(within)),
        venue=_text(within, "Journal/Title") or _text(within, "Journal/ISOAbbreviation"),
        doi=told.doi,
        pmid=told.pmid,
        pmcid=pmcid.upper(),
        raw_id=told.pmid,
        standing=values.standing_of(told),
    )


def _book(book: _Element, provider: str) -> Hit:
    document = book.find("BookDocument")
    pmid = as_pmid(_text(document, "PMID"))
    return Hit(
        provider=provider,
        title=_text(document, "ArticleTitle") or _text(document, "Book/BookTitle"),
        url=_LINK.format(pmid) if pmid else "",
        snippet=_abstract(document),
        published=_text(document, "Book/PubDate/Year"),
        authors=values.names_of(_authors(document)),
        venue=_text(document, "Book/BookTitle"),
        pmid=pmid,
        raw_id=pmid,
    )


def _text(element: _Element | None, path: str) -> str:
    return "" if element is None else text_of(element.find(path))[: values.LONGEST_TITLE]


def _id(article: _Element, kind: str) -> str:
    """Only direct children: the list of references holds ids of the works that are cited."""
    listed = article.findall("PubmedData/ArticleIdList/ArticleId")
    return next((text_of(each) for each in listed if each.get("IdType") == kind), "")[:20]


def _abstract(within: _Element | None) -> str:
    if within is None:
        return ""
    parts = []
    for each in within.findall("Abstract/AbstractText"):
        label, text = each.get("Label", ""), text_of(each)
        parts.append(f"{label}: {text}" if label and text else text)
    return " ".join(part for part in parts if part)[: values.LONGEST_SNIPPET]


def _authors(within: _Element | None) -> Iterator[str]:
    for each in within.findall("AuthorList/Author") if within is not None else ():
        name = " ".join([_text(each, "LastName"), _text(each, "ForeName")]).strip()
        yield name or _text(each, "CollectiveName")


def _summaries(root: _Element, provider: str) -> list[Hit]:
    hits = [_summary(each, provider) for each in root.findall("DocSum")]
    found = [hit for hit in hits if hit.title]
    if hits and not found:
        raise NoAnswer("summaries of another database")
    return found


def _summary(summary: _Element, provider: str) -> Hit:
    def item(name: str, within: str = "") -> str:
        path = f"Item[@Name='{within}']/Item[@Name='{name}']" if within else f"Item[@Name='{name}']"
        return text_of(summary.find(path))

    authors = summary.findall("Item[@Name='AuthorList']/Item[@Name='Author']")
    pmid = as_pmid(text_of(summary.find("Id")))
    return Hit(
        provider=provider,
        title=values.title_of(item("Title")),
        url=_LINK.format(pmid) if pmid else "",
        published=from_citation(item("PubDate")),
        authors=values.names_of(text_of(each) for each in authors),
        venue=values.title_of(item("FullJournalName") or item("Source")),
        doi=fold_doi(item("DOI") or item("doi", "ArticleIds")),
        pmid=pmid,
        raw_id=pmid,
    )


def read_search(data: bytes) -> tuple[list[str], Said]:
    """Read an answer of esearch; of espell its correction. Raises ProviderError."""
    root = _root(data)
    if root.tag == "eSpellResult":
        return [], Said(altered=text_of(root.find("CorrectedQuery")))
    if root.tag != "eSearchResult" or root.find("IdList") is None:
        raise NoAnswer(f"no search of PubMed but {str(root.tag)[:40]}")
    said = Said(
        total=values.count_of(text_of(root.find("Count"))),
        translated=text_of(root.find("QueryTranslation")),
    )
    dropped = [*root.findall("ErrorList/PhraseNotFound"), *root.findall("ErrorList/FieldNotFound")]
    if dropped:
        said.dropped = [text_of(each)[:300] for each in dropped]
        said.notices.append(words.dropped(", ".join(said.dropped)))
    said.notices += [
        words.other(text_of(each)) for each in root.findall("WarningList/OutputMessage")
    ]
    ids = root.findall("IdList/Id")
    found = [pmid for each in ids if (pmid := as_pmid(text_of(each)))]
    if ids and not found:
        raise NoAnswer("ids of another database")
    return found, said
