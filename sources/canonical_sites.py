"""Addresses of one record on well-known sites, and addresses that wrap another one. Pure.

Each site's rule names the forms that it has had; a form that it does not know stays as it is.
"""

import re
from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl, quote

from sources.dois import fold_doi

type Rule = Callable[[str, str, str], str | None]  # path, query, whole address → host and path

_SAFE_IN_DOI = "/()[];:,._~!$'*+=@-"
_NCBI = re.compile(
    r"(?:/m)?/pubmed/(?P<pmid>\d{1,9})(?:/|\Z)"
    r"|(?:/m)?/pmc/articles/(?:pmid/(?P<by_pmid>\d{1,9})|(?P<pmcid>PMC\d{1,9}))(?:\.\d+)?(?:/|\Z)",
    re.IGNORECASE,
)
_PMID_PATH = re.compile(r"/(?:abstract/|article/)?(\d{1,9})(?:/|\Z)")
_PMID_ALONE = re.compile(r"(\d{1,9})(?:\[(?:uid|pmid)\])?\Z", re.IGNORECASE)
_PMC_PATH = re.compile(r"(?:/articles)?/(?:(PMC\d{1,9})|pmid/(\d{1,9}))(?:\.\d+)?(?:/|\Z)", re.I)
_EUROPE_PMC = re.compile(
    r"/(?:abstract|article|articles|api/fulltextRepo)/(?:(?P<source>MED|PMC)/)?(?P<id>(?:PMC)?\d{1,9})(?:/|\Z)",
    re.IGNORECASE,
)
_NCT = re.compile(r"(?:/[\w.-]+){0,4}/(NCT\d{8})(?:/|\Z)", re.IGNORECASE)
_ARXIV = re.compile(
    r"/(?:abs|pdf|html|format|ps|e-print|src)/"
    r"(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d{1,3})?(?:\.pdf|\.html)?\Z"
)
_RXIV = re.compile(
    r"/content/(?:biorxiv/early/\d+/\d+/\d+/)?(10\.\d{4,9}/[\d.]+?)(?:v\d{1,3})?"
    r"(?:\.full|\.abstract|\.supplementary-material|\.article-info|\.article-metrics)?"
    r"(?:\.pdf|-text|\.pdf\+html)?\Z"
)
_PATENT = re.compile(r"/patent/([A-Z]{2}[A-Z]?\d{4,14}[A-Z]?\d?)(?:/[a-z-]{2,7})?\Z", re.IGNORECASE)
_CHICTR = re.compile(r"/(?:\w+/)?showproj(?:en)?\.(?:html|aspx)\Z", re.IGNORECASE)


def is_known(host: str) -> bool:
    """Tell whether a rule knows records of this host."""
    return host in _SITES


def fold_site(host: str, path: str, query: str, url: str) -> str | None:
    """Give host, path and query of a known site's record; None where no rule applies."""
    rule = _SITES.get(host)
    return rule(path, query, url) if rule is not None else None


def _doi(path: str, query: str, url: str) -> str | None:
    doi = fold_doi(url)
    return f"doi.org/{quote(doi, safe=_SAFE_IN_DOI)}" if doi else None


def _pubmed_record(pmid: str) -> str:
    return f"pubmed.ncbi.nlm.nih.gov/{pmid.lstrip('0') or '0'}"


def _pmc_record(pmcid: str) -> str:
    return f"pmc.ncbi.nlm.nih.gov/articles/{pmcid.upper()}"


def _pubmed(path: str, query: str, url: str) -> str | None:
    if found := _PMID_PATH.match(path):
        return _pubmed_record(found[1])
    for name, value in parse_qsl(query):
        if name in {"term", "id", "list_uids", "cmd"} and (found := _PMID_ALONE.match(value)):
            return _pubmed_record(found[1])
    return None


def _ncbi(path: str, query: str, url: str) -> str | None:
    if found := _NCBI.match(path):
        pmid = found["pmid"] or found["by_pmid"]
        return _pubmed_record(pmid) if pmid else _pmc_record(found["pmcid"])
    return _pubmed("", query, url) if path.rstrip("/") in _PUBMED_QUERIES else None


_PUBMED_QUERIES = frozenset(
    {"/pubmed", "/m/pubmed", "/entrez/query.fcgi", "/sites/entrez", "/entrez/eutils/efetch.fcgi"}
)


def _pmc(path: str, query: str, url: str) -> str | None:
    if found := _PMC_PATH.match(path):
        return _pmc_record(found[1]) if found[1] else _pubmed_record(found[2])
    return None


def _europe_pmc(path: str, query: str, url: str) -> str | None:
    found = _EUROPE_PMC.match(path)
    if found is None:
        return None
    number = found["id"].upper()
    if number.startswith("PMC"):
        return _pmc_record(number)
    source = (found["source"] or "").upper()
    return _pubmed_record(number) if source == "MED" else None


def _trials(path: str, query: str, url: str) -> str | None:
    found = _NCT.match(path)
    return f"clinicaltrials.gov/study/{found[1].upper()}" if found else None


def _arxiv(path: str, query: str, url: str) -> str | None:
    found = _ARXIV.match(path)
    return f"arxiv.org/abs/{found[1]}" if found else None


def _rxiv(host: str) -> Rule:
    def record(path: str, query: str, url: str) -> str | None:
        found = _RXIV.match(path)
        return f"{host}/content/{found[1]}" if found else None

    return record


def _patent(path: str, query: str, url: str) -> str | None:
    found = _PATENT.match(path)
    return f"patents.google.com/patent/{found[1].upper()}" if found else None


def _weixin(path: str, query: str, url: str) -> str | None:
    """Keep what names an article of a public account; the rest tells who shared it."""
    if path != "/s":
        return None
    kept = [part for part in query.split("&") if part.partition("=")[0] in _WEIXIN_NAMES]
    return "mp.weixin.qq.com/s" + (f"?{'&'.join(kept)}" if kept else "")


_WEIXIN_NAMES = frozenset({"__biz", "mid", "idx", "sn"})


def _chictr(path: str, query: str, url: str) -> str | None:
    for name, value in parse_qsl(query):
        if name == "proj" and value.isdecimal() and value.isascii() and _CHICTR.match(path):
            return f"chictr.org.cn/showproj.html?proj={value}"
    return None


_SITES: dict[str, Rule] = {
    "doi.org": _doi,
    "dx.doi.org": _doi,
    "oadoi.org": _doi,
    "pubmed.ncbi.nlm.nih.gov": _pubmed,
    "pubmed.gov": _pubmed,
    "pubmed.com": _pubmed,
    "ncbi.nlm.nih.gov": _ncbi,
    "eutils.ncbi.nlm.nih.gov": _ncbi,
    "pmc.ncbi.nlm.nih.gov": _pmc,
    "europepmc.org": _europe_pmc,
    "clinicaltrials.gov": _trials,
    "classic.clinicaltrials.gov": _trials,
    "beta.clinicaltrials.gov": _trials,
    "arxiv.org": _arxiv,
    "export.arxiv.org": _arxiv,
    "ar5iv.org": _arxiv,
    "ar5iv.labs.arxiv.org": _arxiv,
    "biorxiv.org": _rxiv("biorxiv.org"),
    "medrxiv.org": _rxiv("medrxiv.org"),
    "patents.google.com": _patent,
    "mp.weixin.qq.com": _weixin,
    "chictr.org.cn": _chictr,
}

_HTTP = re.compile(r"https?(?::|%3A)/{0,2}", re.IGNORECASE)
_WAYBACK = re.compile(r"/(?:web/|wayback/)?(?:\d{1,14}\*?|\*)(?:[a-z]{2}_)?/(.+)", re.DOTALL)
_ARCHIVE_TODAY = re.compile(
    r"/(?:o/\w+/|(?:\d{4,14}|newest|oldest)/)?(https?:/.+)", re.DOTALL | re.IGNORECASE
)
_AMP_CACHE = re.compile(r"/(?:amp|[cvi])/(?P<secure>s/)?(?P<rest>[\w-]+\.[\w.-]+[^\s]*)")
_ARCHIVES = frozenset({"web.archive.org", "wayback.archive.org", "webarchive.org.uk"})
_ARCHIVES_TODAY = frozenset(
    {
        "archive.ph",
        "archive.is",
        "archive.today",
        "archive.li",
        "archive.vn",
        "archive.md",
        "archive.fo",
    }
)
# Host and path of a page that only sends the reader on, and the parameters that say where to.
_REDIRECTS: dict[str, dict[str, tuple[str, ...]]] = {
    "l.facebook.com": {"/l.php": ("u",)},
    "lm.facebook.com": {"/l.php": ("u",)},
    "link.zhihu.com": {"": ("target",), "/": ("target",)},
    "youtube.com": {"/redirect": ("q",)},
    "out.reddit.com": {"": ("url",)},
    "duckduckgo.com": {"/l": ("uddg",), "/l/": ("uddg",)},
    "linkedin.com": {"/redir/redirect": ("url",), "/safety/go": ("url",)},
    "link.csdn.net": {"": ("target",), "/": ("target",)},
    "jump2.bdimg.com": {"/safecheck/index": ("url",)},
}
_GOOGLE = {"/url": ("q", "url")}
# Hosts, with all below them, whose addresses may stand for a page on another host. Google's, which
# answers under every country's name, is told by its first label.
STANDING_FOR_OTHERS = frozenset(
    {
        *_SITES,
        *_ARCHIVES,
        *_ARCHIVES_TODAY,
        *_REDIRECTS,
        "ampproject.org",
        "safelinks.protection.outlook.com",
    }
)


_GOOGLE_HOST = re.compile(r"google\.[a-z]{2,3}(?:\.[a-z]{2})?\Z")
_WRAPPERS = _ARCHIVES | _ARCHIVES_TODAY | _REDIRECTS.keys() | {"sec.gov"}
_AMP_HOSTS = ".ampproject.org"
_SAFE_LINKS = ".safelinks.protection.outlook.com"


def is_wrapper(host: str) -> bool:
    """Tell whether addresses of this host may stand for addresses of others."""
    if host in _WRAPPERS or host.endswith((_AMP_HOSTS, _SAFE_LINKS)):
        return True
    return host.startswith("google.") and _GOOGLE_HOST.match(host) is not None


def unwrap(host: str, tail: str) -> str:
    """Give the address that an archive, an AMP cache or a redirect stands for; else nothing.

    ``tail`` is all that follows the host, as written.
    """
    if host in _ARCHIVES:
        return _archived(tail)
    if host in _ARCHIVES_TODAY:
        found = _ARCHIVE_TODAY.match(tail)
        return found[1] if found else ""
    if host.endswith(_AMP_HOSTS):
        return _from_amp_cache(tail)
    if host.startswith("google."):
        return _from_amp_cache(tail) or _redirected(_GOOGLE, tail)
    if host.endswith(_SAFE_LINKS):
        return _redirected({"": ("url",), "/": ("url",)}, tail)
    if host == "sec.gov":
        return _inline_report(tail)
    redirects = _REDIRECTS.get(host)
    return _redirected(redirects, tail) if redirects is not None else ""


def _archived(tail: str) -> str:
    found = _WAYBACK.match(tail)
    if found is None:
        return ""
    scheme = _HTTP.match(found[1])
    if scheme is not None:
        # Some copies of the address have lost a slash, or have it escaped.
        return "http://" + found[1][scheme.end() :].lstrip("/")
    return f"http://{found[1]}" if re.match(r"[\w-]+\.[\w.-]+", found[1]) else ""


def _from_amp_cache(tail: str) -> str:
    found = _AMP_CACHE.match(tail)
    return f"https://{found['rest']}" if found else ""


def _redirected(pages: Mapping[str, tuple[str, ...]], tail: str) -> str:
    path, _, query = tail.partition("#")[0].partition("?")
    names = pages.get(path)
    if names is None or not query:
        return ""
    for name, value in parse_qsl(query, errors="replace"):
        if name in names and re.match(r"https?://", value, re.IGNORECASE):
            return value
    return ""


def _inline_report(tail: str) -> str:
    """Leave out the reader of inline reports: ``/ix?doc=/Archives/…``."""
    path, _, query = tail.partition("#")[0].partition("?")
    if path in {"/ix", "/ixviewer/ix.html"}:
        for name, value in parse_qsl(query, errors="replace"):
            if name == "doc" and value.startswith("/Archives/"):
                return "https://sec.gov" + quote(value, safe="/._-~", errors="replace")
    return ""
