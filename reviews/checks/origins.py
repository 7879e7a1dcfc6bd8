"""Checks of where a source is said to be. Pure. Once for each source of a claim."""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from reviews.checks.base import (
    Check,
    ClaimFacts,
    EvidenceFacts,
    Finding,
    Message,
    Severity,
    SourceFacts,
)
from reviews.checks.hosts import (
    PLACEHOLDER,
    host_of,
    is_named_example,
    is_private,
    is_reserved,
)
from reviews.checks.independence import plain_address
from reviews.checks.samples import claim, evidence, source
from workbench.lib.texts import Text

_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_LOCAL = re.compile(r"^(?:file:|[a-z]:[\\/]|\.{0,2}[\\/](?!/)|~[\\/]|\\\\)", re.IGNORECASE)
_FILE_NAME = re.compile(
    r"^[^:?#\s]+\.(?:md|json|jsonl|txt|pdf|docx?|html?|csv|xlsx?)$", re.IGNORECASE
)
# Names that a report directory gives to its own parts.
_REPORT_PART = re.compile(
    r"(?:^|[\\/])(?:report|stitched|final[-_]?report|outline|draft)\.(?:md|html?|pdf|docx?|json)$"
    r"|\.evidence(?:_subset)?\.json$|(?:^|[\\/])content_units[\\/]",
    re.IGNORECASE,
)
_SITE_NAME = re.compile(r"\s+[|–—·»-]\s+[^|–—·»]{1,40}$|\s*[_|]\s*[^_|]{1,30}$")
_WORD = re.compile(r"\w")
_SHOWN = 200  # code points of a title in a message
_MAX = 2_000  # code points of an address or a title that are read


def sources_of(facts: ClaimFacts) -> list[tuple[SourceFacts, EvidenceFacts]]:
    """List the known sources of a claim, each once, with the first evidence that cites it."""
    found: dict[str, tuple[SourceFacts, EvidenceFacts]] = {}
    for piece in facts.evidence:
        if piece.source is not None:
            found.setdefault(piece.source.id, (piece.source, piece))
    return list(found.values())


def circular_source(facts: ClaimFacts) -> Iterator[Finding]:
    """Find sources that are the report itself, or a file of whoever wrote it."""
    own = {plain_address(url) for url in facts.report_urls if url.strip()}
    for cited, piece in sources_of(facts):
        url = cited.url.strip()[:_MAX]
        if not url:
            continue
        path = unquote(url)
        local = _LOCAL.match(url) or (not _SCHEME.match(url) and _FILE_NAME.match(path))
        if plain_address(url) in own or (local and _REPORT_PART.search(path)):
            params = {"source": cited.id, "url": url}
            yield Finding("report_itself", "error", params, piece.key, cited.id)
        elif local:
            params = {"source": cited.id, "url": url}
            yield Finding("local_file", "warning", params, piece.key, cited.id)


def reserved_host(facts: ClaimFacts) -> Iterator[Finding]:
    """Find sources at addresses that cannot exist in public."""
    for cited, piece in sources_of(facts):
        url = cited.url.strip()[:_MAX]
        code = _unreal(url)
        if code:
            invented = code == "reserved_host" and is_named_example(host_of(url))
            severity: Severity = "info" if invented else "error"
            params = {"source": cited.id, "url": url}
            yield Finding(code, severity, params, piece.key, cited.id)


def _unreal(url: str) -> str:
    if not url:
        return ""
    host = host_of(url)
    if PLACEHOLDER.search(unquote(url)):
        return "placeholder"
    if is_private(host):
        return "private_address"
    return "reserved_host" if is_reserved(host) else ""


def source_never_fetched(facts: ClaimFacts) -> Iterator[Finding]:
    """Find sources of which no version was ever stored."""
    for cited, piece in sources_of(facts):
        if not cited.url.strip():
            yield Finding("no_url", "warning", {"source": cited.id}, piece.key, cited.id)
        elif not cited.has_snapshot:
            severity: Severity = "error" if facts.is_key else "warning"
            yield Finding("never_fetched", severity, {"source": cited.id}, piece.key, cited.id)


def url_several_titles(facts: ClaimFacts) -> Iterator[Finding]:
    """Find addresses that are cited under titles which do not agree."""
    for cited, piece in sources_of(facts):
        titles = [title for title in (cited.title, *cited.url_titles) if title.strip()]
        other = next((title for title in titles if not _agree(titles[0], title)), None)
        if other is not None:
            params = {"source": cited.id, "title": titles[0][:_SHOWN], "other": other[:_SHOWN]}
            yield Finding("several_titles", "warning", params, piece.key, cited.id)


def _agree(left: str, right: str) -> bool:
    ours, theirs = _plain_title(left), _plain_title(right)
    # One title is often cut, or carries a subtitle that the other lacks.
    return ours.startswith(theirs) or theirs.startswith(ours)


def _plain_title(title: str) -> str:
    title = " ".join(title[:_MAX].split())
    bare = _SITE_NAME.sub("", title.rstrip("….")) or title
    return "".join(_WORD.findall(bare)).casefold()


def _at(**changes: str | bool | tuple[str, ...]) -> ClaimFacts:
    return claim("Use rose in 2024.", evidence("use rose in 2024", source=source(**changes)))


CIRCULAR_SOURCE = Check(
    id="circular-source",
    version=1,
    title=Text("A report does not cite itself", "报告不引用自身"),
    description=Text(
        "The address of a source is that of the report under review, or a file of its own "
        "directory; a local file that nobody else can open is a warning.",
        "信源的网址就是被审报告本身或其目录中的文件；他人无法打开的本地文件为警告。",
    ),
    messages={
        "report_itself": Message(
            Text(
                "Source {source} is the report itself: {url}.",
                "信源 {source} 就是报告自身：{url}。",
            ),
            Text("Cite what the report took it from.", "请引用报告所依据的原始信源。"),
        ),
        "local_file": Message(
            Text(
                "Source {source} is a local file: {url}.",
                "信源 {source} 是本地文件：{url}。",
            ),
            Text(
                "Cite a public address, or import the file as a snapshot.",
                "请引用公开网址，或将该文件作为快照导入。",
            ),
        ),
    },
    run=circular_source,
    examples=(
        (_at(url="https://port-authority.fi/report"), ()),
        (_at(url="file:///home/me/run/report.md"), ("report_itself",)),
        (_at(url="file:///data/kb/tariffs.pdf"), ("local_file",)),
        (
            claim(
                "Use rose.",
                evidence("use rose", source=source(url="http://www.wiki.fi/audit/")),
                report_urls=("https://wiki.fi/audit",),
            ),
            ("report_itself",),
        ),
    ),
    defect="H5",
)

RESERVED_HOST = Check(
    id="reserved-host",
    version=2,
    title=Text("Addresses can exist", "网址真实可达"),
    description=Text(
        "Names reserved for examples and tests, placeholders that were never filled in, and "
        "private addresses are no sources. A named host of a documentation domain, such as "
        "journal.example.org, is a note: teaching material is made of such addresses.",
        "保留给示例和测试的域名、未填写的占位符、内网地址都不是信源。"
        "文档示例域名下另有名称的主机（如 journal.example.org）常见于教学材料，仅作提示。",
    ),
    messages={
        code: Message(
            Text(en, zh),
            Text(
                "Find the real address of the source, or remove the evidence.",
                "请找到信源的真实网址，否则删除该证据。",
            ),
        )
        for code, en, zh in (
            (
                "reserved_host",
                "The address of {source} is reserved for examples or tests: {url}.",
                "{source} 的网址属于示例或测试保留域名：{url}。",
            ),
            (
                "placeholder",
                "The address of {source} is a placeholder: {url}.",
                "{source} 的网址是占位符：{url}。",
            ),
            (
                "private_address",
                "The address of {source} is a private one: {url}.",
                "{source} 的网址是内网地址：{url}。",
            ),
        )
    },
    run=reserved_host,
    examples=(
        (_at(url="https://port-authority.fi/report"), ()),
        (_at(url="https://www.example.com/study"), ("reserved_host",)),
        (_at(url="https://journal.example.org/study"), ("reserved_host",)),
        (_at(url="https://your-domain.com/study"), ("placeholder",)),
        (_at(url="http://192.168.0.7/study"), ("private_address",)),
    ),
    defect="H5",
)

SOURCE_NEVER_FETCHED = Check(
    id="source-never-fetched",
    version=1,
    title=Text("Sources were opened", "信源确曾打开"),
    description=Text(
        "No version of the source is stored, or it has no address: nobody can show that it was "
        "read.",
        "信源没有任何已存版本，或没有网址，无法证明有人读过。",
    ),
    messages={
        "never_fetched": Message(
            Text(
                "No snapshot of {source} is stored.",
                "没有 {source} 的快照。",
            ),
            Text("Fetch it once, and judge what was stored.", "请抓取一次，并以存下的文本为准。"),
        ),
        "no_url": Message(
            Text("{source} has no address.", "{source} 没有网址。"),
            Text("Find its address, or treat it as unusable.", "请补上网址，否则视为不可用。"),
        ),
    },
    run=source_never_fetched,
    examples=(
        (_at(has_snapshot=True), ()),
        (_at(has_snapshot=False), ("never_fetched",)),
        (_at(url=" ", has_snapshot=False), ("no_url",)),
    ),
    defect="H5",
)

URL_SEVERAL_TITLES = Check(
    id="url-several-titles",
    version=1,
    title=Text("One address has one title", "同一网址标题一致"),
    description=Text(
        "The same address is cited under titles that do not agree; site names at the end, case, "
        "punctuation and cut titles are not counted.",
        "同一网址以互不相符的标题被引用；末尾的网站名、大小写、标点和被截断的标题不计。",
    ),
    messages={
        "several_titles": Message(
            Text(
                "The address of {source} is also cited as “{other}”, here as “{title}”.",
                "{source} 的网址在别处题为“{other}”，此处题为“{title}”。",
            ),
            Text(
                "Open the snapshot and see which title it has; the other may be another paper.",
                "请打开快照核对标题，另一个可能是别的文献。",
            ),
        )
    },
    run=url_several_titles,
    examples=(
        (_at(title="Shore power in 2024", url_titles=("Shore Power in 2024 | Gazette",)), ()),
        (
            _at(title="Shore power in 2024", url_titles=("Crane safety at night",)),
            ("several_titles",),
        ),
    ),
)
