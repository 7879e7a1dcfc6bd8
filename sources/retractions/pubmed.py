"""Records of PubMed (efetch XML) as statements. Pure.

Source: providers, section 5; PubMed DTD of 1 January 2025.
"""

from lxml.etree import _Element

from sources.dois import fold_doi
from workbench.lib.xmltext import XmlError, parse_xml, text_of

from .dates import from_citation, from_parts, month_number
from .linked import LinkedTo, Record, reading_of
from .reading import as_pmid
from .reftypes import link_of
from .statements import PUBMED, NotAnswered, Reading

_ROOTS = frozenset({"PubmedArticleSet", "PubmedArticle"})
# What answers of E-utilities declare; none of it is loaded.
_DOCTYPES = _ROOTS | {"eEfetchResult", "eFetchResult", "eSearchResult", "ePostResult"}


def read_articles(data: bytes) -> tuple[Reading, ...]:
    """Read an answer of efetch, one reading for each article, books left out.

    Raises NotAnswered for HTML, an ``<ERROR>``, a limit told in JSON and an empty body, all of
    which come with status 200 too.
    """
    try:
        root = parse_xml(data, doctypes=_DOCTYPES)
    except XmlError as fault:
        raise NotAnswered(f"no XML of PubMed: {fault}") from None
    if root.tag not in _ROOTS:
        error = root.find(".//ERROR")
        raise NotAnswered(text_of(error)[:200] or f"no articles but {str(root.tag)[:40]}")
    articles = [root] if root.tag == "PubmedArticle" else root.findall("PubmedArticle")
    if not articles and (error := root.find("ERROR")) is not None:
        raise NotAnswered(text_of(error)[:200])
    return tuple(reading_of(_record(article)) for article in articles)


def _record(article: _Element) -> Record:
    citation = article.find("MedlineCitation")
    within = citation.find("Article") if citation is not None else None
    return Record(
        provider=PUBMED,
        pmid=as_pmid(_text(article, "MedlineCitation/PMID")),
        doi=_doi(article),
        date=published_on(within),
        title=_text(article, "MedlineCitation/Article/ArticleTitle"),
        journal=_text(article, "MedlineCitation/Article/Journal/Title"),
        links=_links(citation),
        types=_types(within),
    )


def _text(element: _Element, path: str) -> str:
    return text_of(element.find(path))


def _doi(article: _Element) -> str:
    """Only direct children: the list of references holds ids of the works that are cited."""
    for each in article.findall("PubmedData/ArticleIdList/ArticleId"):
        if each.get("IdType") == "doi" and (doi := fold_doi(text_of(each))):
            return doi
    for each in article.findall("MedlineCitation/Article/ELocationID"):
        valid = each.get("EIdType") == "doi" and each.get("ValidYN", "Y") == "Y"
        if valid and (doi := fold_doi(text_of(each))):
            return doi
    return ""


def published_on(within: _Element | None) -> str:
    """Give the date of an ``Article`` as exact as its issue tells it; "" where it is unknown."""
    if within is None:
        return ""
    published = within.find("Journal/JournalIssue/PubDate")
    if published is None:
        return ""
    year, month, day = (_text(published, name) for name in ("Year", "Month", "Day"))
    if not year:
        return from_citation(_text(published, "MedlineDate"))
    number = month_number(month) if month else None
    if number is None:
        return from_parts(year)
    return from_parts(year, number, day) if day else from_parts(year, number)


def _links(citation: _Element | None) -> tuple[LinkedTo, ...]:
    if citation is None:
        return ()
    found = []
    for each in citation.findall("CommentsCorrectionsList/CommentsCorrections"):
        said = each.get("RefType", "")
        link = link_of(said)
        if link is not None:
            pmid = as_pmid(_text(each, "PMID"))
            found.append(LinkedTo(link, pmid, _text(each, "RefSource")[:500], said))
    return tuple(found)


def _types(within: _Element | None) -> tuple[tuple[str, str], ...]:
    if within is None:
        return ()
    found = within.findall("PublicationTypeList/PublicationType")
    return tuple((text_of(each), each.get("UI", "")) for each in found)
