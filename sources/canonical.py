"""The address by which the same source is recognised. Pure. Formats section 1, ``canonical_url``.

It drops what does not change the page: scheme http or https, ``www.``, mobile and AMP forms,
archives and redirects around an address, tracking parameters, their order, fragments, default
ports. It is no key of a cache: ``sources.source_cache.normalize_url`` is, and changes far less.
"""

import hashlib
import ipaddress
import re
from functools import lru_cache
from urllib.parse import unquote

import idna

from sources.canonical_sites import fold_site, is_known, is_wrapper, unwrap
from sources.trackers import only_follows

MAX_LENGTH = 1_000_000  # characters; a longer "address" is a text that went astray
_MAX_AUTHORITY = 2_000  # characters of host, port and user
_MAX_NAME = 60  # characters of a parameter's name that may be a known one
_MAX_WRAPPERS = 8  # archives and redirects around one address; more are made up

_PARTS = re.compile(
    r"(https?):/+([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?\Z", re.DOTALL | re.IGNORECASE
)
_PLAIN = re.compile(r"[\w.~!$&'()*+,;=:@/-]*\Z", re.ASCII)
_PLAIN_HOST = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\Z")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})|%|[^\w.~!$&'()*+,;=:@/?\[\]%-]", re.ASCII)
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_STRIPPED = "".join(map(chr, range(0x21))) + "\u00a0\u200b\ufeff\u3000"
_INSIDE = dict.fromkeys(map(ord, "\t\r\n"))
_DEFAULT_PORTS = frozenset({80, 443})
_AMPERSANDS = re.compile(r"&(?:amp;)+")
_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?;]*", re.IGNORECASE)
_SLASHES = re.compile(r"//+")

# Names of hosts for small screens. "en.m.wikipedia.org" has one inside.
_HOST_FORMS = frozenset({"www", "m", "mobile", "wap", "3g", "touch", "amp"})
# What is left of "www.gov.cn" would be the name of every office of a country.
_SUFFIX = re.compile(r"(?:com?|org|net|gov|edu|ac|go|or|ne|gob|govt|mil)\.[a-z]{2}\Z")


def canonical_url(url: str) -> str:
    """Give the address by which a page is recognised; empty where this is no http(s) address.

    Giving it the result changes nothing. The result need not be fetched: some hosts answer only
    under the name that was folded away.
    """
    if len(url) > MAX_LENGTH:
        return ""
    for _ in range(_MAX_WRAPPERS):
        inner, canonical = _read(url)
        if not inner:
            return canonical
        url = inner
    return ""


def canonical_key(url: str) -> str:
    """Give the SHA-256 of the canonical address, hexadecimal; empty where it has none."""
    canonical = canonical_url(url)
    return hashlib.sha256(canonical.encode()).hexdigest() if canonical else ""


def _read(url: str) -> tuple[str, str]:
    """Give the address that this one wraps, or the canonical form of this one."""
    url = url.strip(_STRIPPED)
    if not url.isprintable():
        url = url.translate(_INSIDE)
    if "\\" in url:
        url = _with_slashes(url)
    parts = _PARTS.match(url)
    if parts is None or len(parts[2]) > _MAX_AUTHORITY:
        return "", ""
    host, port = _host_and_port(parts[2])
    if not host:
        return "", ""
    wrapper = is_wrapper(host)
    if wrapper and (inner := unwrap(host, url[parts.end(2) :])):
        return inner, ""
    path, query = _path(_escaped(parts[3])), _query(parts[4] or "")
    if not port and (known := fold_site(host, path, query, url)) is not None:
        return "", f"https://{known}"
    # Plain http on a port of its own has no twin under https.
    start = f"{parts[1].lower()}://{host}:{port}" if port else f"https://{host}"
    canonical = start + path + (query and f"?{query}") + _fragment(parts[5] or "")
    # Written in one way, the address may show an inner one, or a record of a known site.
    again = (wrapper or is_known(host)) and canonical != url
    return (canonical, "") if again else ("", canonical)


def _with_slashes(url: str) -> str:
    """Read backslashes before the query as browsers do."""
    end = min((at for at in (url.find("?"), url.find("#")) if at >= 0), default=len(url))
    return url[:end].replace("\\", "/") + url[end:]


@lru_cache(maxsize=8192)
def _host_and_port(authority: str) -> tuple[str, int]:
    """Give the folded host, empty if it is none, and the port if it is no default one, else 0."""
    name = authority.rpartition("@")[2]
    if name.startswith("["):
        address, bracket, port = name[1:].partition("]")
        host = _ipv6(address) if bracket else ""
        port = port.removeprefix(":")
    else:
        name, _, port = name.partition(":")
        host = _host_form(_a_labels(name))
    if port and not (port.isascii() and port.isdecimal() and len(port) < 9 and int(port) < 65536):
        return "", 0
    number = int(port or 0)
    return host, 0 if number in _DEFAULT_PORTS else number


def _ipv6(address: str) -> str:
    try:
        return f"[{ipaddress.IPv6Address(address.partition('%')[0]).compressed}]"
    except ValueError:
        return ""


def _a_labels(name: str) -> str:
    """Give a host name in lower-case A-labels, empty if it is none."""
    host = name.lower()
    if "%" in host:
        host = unquote(host).lower()
    host = host.strip(".")
    if not host.isascii():
        host = _encoded(host).strip(".")
    return host if len(host) <= 253 and _PLAIN_HOST.match(host) else ""


def _encoded(host: str) -> str:
    try:
        return idna.encode(host, uts46=True, transitional=False).decode("ascii").lower()
    except (idna.IDNAError, UnicodeError):
        pass
    try:  # the older rules know names that the newer ones refuse, such as emoji
        return host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return ""


def _host_form(host: str) -> str:
    first, _, rest = host.partition(".")
    while first in _HOST_FORMS and "." in rest and not _SUFFIX.match(rest):
        host = rest
        first, _, rest = host.partition(".")
    while ".m." in host:
        first, _, rest = host.partition(".m.")
        if "." in first or "." not in rest:
            break
        host = f"{first}.{rest}"
    return host


def _escaped(text: str) -> str:
    """Write percent escapes in one way: needed ones only, capital digits, UTF-8."""
    return text if _PLAIN.match(text) else _ESCAPE.sub(_escape, text)


def _escape(found: "re.Match[str]") -> str:
    if found[1]:
        byte = int(found[1], 16)
        return chr(byte) if byte in _UNRESERVED else f"%{byte:02X}"
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace"))


def _path(path: str) -> str:
    if ";" in path:
        path = _SESSION.sub("", path)
    if "//" in path:
        path = _SLASHES.sub("/", path)
    if "/." in path:
        path = _without_dots(path)
    path = path.rstrip("/")
    while "amp" in path and (shorter := _without_amp(path)) != path:
        path = shorter
    return path or "/"


def _without_dots(path: str) -> str:
    kept: list[str] = []
    for segment in path.split("/")[1:]:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    return "/" + "/".join(kept)


def _without_amp(path: str) -> str:
    """Drop ``/amp/`` at the front, ``.amp`` and ``/amp`` at the end of an article's path."""
    if path.startswith("/amp/"):
        path = path[4:]
    for ending, kept in (".amp.html", ".html"), (".amp", ""):
        name = path.removesuffix(ending)
        if name != path and name[-1:].isalnum():
            path = name + kept
    article, _, last = path.rpartition("/")
    # "/wiki/amp" is about amplifiers: only what looks like an article has such a twin.
    if last == "amp" and (article.count("/") > 2 or any(c in "-.0123456789" for c in article)):
        path = article
    return path.rstrip("/")


def _query(query: str) -> str:
    """Give the parameters that carry the page, by name; those of one name stay in order."""
    if not query:
        return ""
    if "&amp;" in query:
        query = _AMPERSANDS.sub("&", query)
    kept = [part for part in _escaped(query).replace("%20", "+").split("&") if _carries(part)]
    kept.sort(key=_name)
    return "&".join(kept)


def _name(part: str) -> str:
    return part.partition("=")[0]


def _carries(part: str) -> bool:
    name = _name(part)
    if not part or part.lower() == "outputtype=amp":
        return False
    return len(name) > _MAX_NAME or not only_follows(name)


def _fragment(fragment: str) -> str:
    """Keep what a page of one address for all uses as its path: ``#/detail/7``, ``#!/7``."""
    if fragment.startswith(("/", "!")) and len(fragment := _escaped(fragment)) > 2:
        return f"#{fragment}"
    return ""
