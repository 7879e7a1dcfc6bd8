"""Reading the pattern of a rule: what a person typed, in the form in which it is compared. Pure.

The scope is chosen by the person and never guessed from the pattern: a pattern that names less or
more than its scope is refused with what to choose instead.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache

import idna

from sources.canonical import canonical_url
from sources.dois import tidy_doi
from sources.quotes.scripts import simplify
from sources.scoring.names import fold_name
from workbench.lib.notices import InputError, shown
from workbench.lib.texts import Text

from .rules import Kind, Scope

MAX_PATTERN = 2_000  # characters
MAX_KEY = 600
MAX_PARTS = 8  # words or phrases of a title that must all occur
PART_SIGN = "+"

_SCHEME = re.compile(r"\s*https?:[/\\]{1,3}", re.IGNORECASE)
_OTHER_SCHEME = re.compile(r"\s*[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_BARE = re.compile(r"\s*(?:[\w-]+\.)+[\w-]+\.?(?::\d{1,5})?(?:[/?#]|\s*\Z)")
_HOST = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\Z")
_REGISTRANT = re.compile(r"10\.\d{4,9}(?:\.\d{1,9})*/?")
_DOI_LABEL = re.compile(r"\s*(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
# A character of Chinese, Japanese or Korean is a word by itself; letters and digits make words.
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U000323af"
_TOKEN = re.compile(rf"[{_CJK}]|(?:(?![{_CJK}])[^\W_])+")


class PatternError(InputError):
    """A pattern that its scope cannot use."""


_EMPTY = Text("Write a pattern.", "请填写匹配内容。")
_LONG = Text("The pattern is longer than {limit} characters.", "匹配内容超过 {limit} 个字符。")
_NO_HOST = Text(
    "“{pattern}” is no host name. Write it like example.com.",
    "“{pattern}”不是主机名，请写成 example.com 的形式。",
)
_NO_ADDRESS = Text(
    "“{pattern}” is no http or https address.", "“{pattern}”不是 http 或 https 地址。"
)
_STAR = Text(
    "“*” stands for nothing here. Choose “Host and subdomains” or “Path begins with” instead.",
    "此处不能用“*”。请改选“主机及其子域名”或“路径开头”。",
)
_PATH = Text(
    "“{pattern}” names more than a host. Choose “This address” or “Path begins with”, or write the "
    "host alone.",
    "“{pattern}”不只是主机名。请改选“此地址”或“路径开头”，或只写主机名。",
)
_PORT = Text(
    "A rule about a host holds on every port. Leave out “:{port}”, or choose “Path begins with”.",
    "主机规则适用于所有端口。请去掉“:{port}”，或改选“路径开头”。",
)
_NO_DOI = Text(
    "“{pattern}” is not the beginning of a DOI. Write it like 10.1234 or 10.1234/abc.",
    "“{pattern}”不是 DOI 的开头，请写成 10.1234 或 10.1234/abc。",
)
_NO_NAME = Text(
    "“{pattern}” holds no letters or digits to compare.",
    "“{pattern}”中没有可比较的文字或数字。",
)
_MANY_PARTS = Text(
    "At most {limit} parts may be joined by “+”.", "用“+”连接的部分最多 {limit} 个。"
)
_NO_KIND = Text("A judged rule is one of: {kinds}.", "事实判断规则只能是：{kinds}。")


def key_of(scope: str, pattern: str) -> str:
    """Give the form in which a pattern is compared. Raises PatternError with what to do."""
    if not pattern.strip():
        raise PatternError("empty", _EMPTY)
    if len(pattern) > MAX_PATTERN:
        raise PatternError("too_long", _LONG, {"limit": MAX_PATTERN})
    key = _READERS[Scope(scope)](pattern.strip())
    if len(key) > MAX_KEY:
        raise PatternError("too_long", _LONG, {"limit": MAX_KEY})
    return key


def address_of(text: str) -> str:
    """Give an address with its scheme: people paste ``example.com/a`` as it stands in a page."""
    return f"https://{text.strip()}" if _BARE.match(text) else text


def _refused(code: str, text: Text, pattern: str, **values: object) -> PatternError:
    return PatternError(code, text, {"pattern": shown(pattern), **values})


# --- One reader a scope ---------------------------------------------------------------------------


def _exact(pattern: str) -> str:
    if "*" in pattern:
        raise PatternError("star", _STAR)
    canonical = canonical_url(address_of(pattern))
    if not canonical:
        raise _refused("no_address", _NO_ADDRESS, pattern)
    return without_scheme(canonical)


def _prefix(pattern: str) -> str:
    key = _exact(pattern)
    # "host/" and "host" begin the same addresses.
    return key.rstrip("/") if key.count("/") == 1 and key.endswith("/") else key


def without_scheme(address: str) -> str:
    """Give what follows ``//``: one page answers under both schemes."""
    return address.partition("//")[2]


def _host(pattern: str) -> str:
    if "*" in pattern:
        raise PatternError("star", _STAR)
    if _OTHER_SCHEME.match(pattern) and not _SCHEME.match(pattern):
        raise _refused("no_host", _NO_HOST, pattern)
    rest = _SCHEME.sub("", pattern).replace("\\", "/")
    authority, _slash, path = rest.partition("/")
    if path.strip("/ ") or any(sign in authority for sign in "?#"):
        raise _refused("has_path", _PATH, pattern)
    name = authority.rpartition("@")[2]
    if name.startswith("["):
        name, _, port = name.partition("]")
        name, port = f"{name}]", port.removeprefix(":")
    else:
        name, _, port = name.partition(":")
    if port not in {"", "80", "443"}:
        raise _refused("has_port", _PORT, pattern, port=shown(port))
    host = host_in_ascii(name)
    if not host:
        raise _refused("no_host", _NO_HOST, pattern)
    return without_www(host)


def _doi_prefix(pattern: str) -> str:
    text = _DOI_LABEL.sub("", pattern).strip().lower()
    if _REGISTRANT.fullmatch(text):
        return text if text.endswith("/") else f"{text}/"
    found = _REGISTRANT.match(text)
    if found is None or not found[0].endswith("/") or not tidy_doi(text):
        raise _refused("no_doi", _NO_DOI, pattern)
    return text


def _publisher(pattern: str) -> str:
    key = fold_publisher(pattern)
    if not key:
        raise _refused("no_name", _NO_NAME, pattern)
    return key


def _title_words(pattern: str) -> str:
    parts = [" ".join(tokens(part)) for part in pattern.split(PART_SIGN)]
    kept = list(dict.fromkeys(part for part in parts if part))
    if not kept:
        raise _refused("no_name", _NO_NAME, pattern)
    if len(kept) > MAX_PARTS:
        raise PatternError("many_parts", _MANY_PARTS, {"limit": MAX_PARTS})
    return PART_SIGN.join(kept)


def _judged(pattern: str) -> str:
    judged = [kind.value for kind in Kind if kind is not Kind.DOMAIN]
    if pattern not in judged:
        raise PatternError("no_kind", _NO_KIND, {"kinds": ", ".join(judged)})
    return pattern


_READERS: Mapping[Scope, Callable[[str], str]] = {
    Scope.EXACT: _exact,
    Scope.PREFIX: _prefix,
    Scope.HOST: _host,
    Scope.HOST_AND_SUBDOMAINS: _host,
    Scope.DOI_PREFIX: _doi_prefix,
    Scope.PUBLISHER: _publisher,
    Scope.TITLE_WORDS: _title_words,
    Scope.JUDGED: _judged,
}

# --- Hosts, names, words --------------------------------------------------------------------------


@lru_cache(maxsize=8192)
def host_in_ascii(name: str) -> str:
    """Give a host in lower case and A-labels, empty where it is none."""
    host = name.strip().lower().strip(".")
    if host.startswith("["):
        return without_scheme(canonical_url(f"https://{host}")).rstrip("/")
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode("ascii").lower()
        except (idna.IDNAError, UnicodeError):
            # Names that the newer rules refuse, such as emoji; as in canonical addresses.
            host = without_scheme(canonical_url(f"https://{host}")).rstrip("/")
    return host if len(host) <= 253 and _HOST.match(host) else ""


@lru_cache(maxsize=8192)
def without_www(host: str) -> str:
    """Give a host without ``www.``, where the two names are one: not for ``www.gov.cn``."""
    bare = host.removeprefix("www.")
    if bare == host:
        return host
    folded = without_scheme(canonical_url(f"https://{host}")).partition("/")[0]
    return host if folded == host else bare


def readable_host(host: str) -> str:
    """Give a host as its readers write it; the same text where it has no other form."""
    if "xn--" not in host:
        return host
    try:
        return idna.decode(host)
    except (idna.IDNAError, UnicodeError):
        return host


def readable_key(scope: str, key: str) -> str:
    """Give a compared pattern with its host as readers write it."""
    host, slash, rest = key.partition("/")
    of_address = Scope(scope) in {Scope.EXACT, Scope.PREFIX, Scope.HOST, Scope.HOST_AND_SUBDOMAINS}
    return readable_host(host) + slash + rest if of_address else key


def fold_publisher(name: str) -> str:
    """Give a publisher's name as it is compared."""
    return fold_name(simplify(name))


def tokens(text: str) -> list[str]:
    """Cut a title into the words that are compared: no case, width or signs, Simplified Chinese."""
    return _TOKEN.findall(simplify(unicodedata.normalize("NFKC", text)).casefold())
