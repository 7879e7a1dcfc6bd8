"""Names of hosts that tell what a source is. Data and look-ups only.

Sources: RFC 2606, RFC 6761 and the IANA table of special-use names for the reserved ones; Rulebook
sections 3, 4 and 7 (A1) for the kinds of publishers. A list is a start, never the whole kind.
"""

import ipaddress
import re
from urllib.parse import urlsplit

RESERVED_DOMAINS = frozenset({"example.com", "example.org", "example.net", "example.edu"})
# The last three are IANA's former test domains in Chinese and Japanese letters.
RESERVED_TOP = frozenset(
    {
        "test", "invalid", "localhost", "example", "local", "internal", "home", "lan",
        "测试", "測試", "テスト", "xn--0zwm56d", "xn--g6w251d", "xn--zckzah",
    }
)  # fmt: skip

PLACEHOLDER = re.compile(
    r"^(?:n/?a|none|null|nil|tbd|todo|url|link|source|unknown|placeholder|insert|无|暂无|待补充|\?+|-+)$"
    r"|[<{\[](?:[\w\s-]*)(?:url|link|domain|source|website|doi|id|slug)(?:[\w\s-]*)[>}\]]"
    r"|//(?:www\.)?(?:your-?(?:domain|site|website|company)|my-?(?:domain|site)|some-?(?:domain|site)"
    r"|domain|website|placeholder|yoursite|company-?name|xxx+)\.\w+"
    r"|(?:[?&/=](?:xxx+|placeholder|dummy|your-?id)(?:[/?&.#]|$))",
    re.IGNORECASE,
)  # fmt: skip

WIKIS = frozenset(
    {"wikipedia.org", "wikiwand.com", "fandom.com", "baike.baidu.com", "baike.sogou.com",
     "wikimili.com", "infogalactic.com", "moegirl.org.cn", "everybodywiki.com", "alchetron.com"}
)  # fmt: skip
SOCIAL = frozenset(
    {"twitter.com", "x.com", "facebook.com", "instagram.com", "tiktok.com", "reddit.com",
     "quora.com", "youtube.com", "youtu.be", "pinterest.com", "threads.net", "tumblr.com",
     "weibo.com", "weibo.cn", "zhihu.com", "xiaohongshu.com", "douyin.com", "bilibili.com",
     "tieba.baidu.com", "zhidao.baidu.com", "douban.com", "kuaishou.com", "xueqiu.com",
     "stackexchange.com", "news.ycombinator.com", "discord.com", "t.me"}
)  # fmt: skip
SELF_MEDIA = frozenset(
    {"baijiahao.baidu.com", "toutiao.com", "medium.com", "substack.com", "wordpress.com",
     "blogspot.com", "mp.weixin.qq.com", "sohu.com", "163.com/dy", "jianshu.com", "csdn.net",
     "linkedin.com/pulse", "hubpages.com", "wixsite.com", "weebly.com", "steemit.com",
     "kknews.cc", "dev.to", "hashnode.dev", "wenku.baidu.com", "docin.com", "doc88.com"}
)  # fmt: skip
NEWS = frozenset(
    {"reuters.com", "bbc.com", "bbc.co.uk", "nytimes.com", "washingtonpost.com", "wsj.com",
     "ft.com", "bloomberg.com", "theguardian.com", "cnn.com", "cnbc.com", "forbes.com",
     "economist.com", "apnews.com", "techcrunch.com", "theverge.com", "wired.com",
     "businessinsider.com", "axios.com", "politico.com", "time.com", "fortune.com",
     "biospace.com", "endpts.com", "fiercepharma.com", "statnews.com", "fiercebiotech.com",
     "caixin.com", "yicai.com", "thepaper.cn", "36kr.com", "jiemian.com", "stcn.com", "cls.cn",
     "21jingji.com", "eastmoney.com", "ifeng.com", "news.sina.com.cn", "finance.sina.com.cn",
     "people.com.cn", "xinhuanet.com", "scmp.com", "nikkei.com", "asia.nikkei.com"}
)  # fmt: skip
OFFICIAL = frozenset(
    {"sec.gov", "fda.gov", "ema.europa.eu", "europa.eu", "who.int", "un.org", "worldbank.org",
     "imf.org", "oecd.org", "clinicaltrials.gov", "chictr.org.cn", "patents.google.com",
     "epo.org", "wipo.int", "hkexnews.hk", "sse.com.cn", "szse.cn", "cninfo.com.cn", "bse.cn",
     "londonstockexchange.com", "pmda.go.jp", "destatis.de", "iso.org", "rfc-editor.org",
     "ietf.org", "legislation.gov.uk", "bis.org", "ecb.europa.eu", "w3.org"}
)  # fmt: skip
_GOVERNMENT = re.compile(
    r"(?:^|\.)(?:gov|mil|gouv|gob|go|govt|admin)\.[a-z]{2}$|(?:^|\.)(?:gov|mil|int)$"
    r"|(?:^|\.)(?:gc\.ca|bund\.de|gouv\.fr|admin\.ch|overheid\.nl|regjeringen\.no|europa\.eu)$"
)


def host_of(url: str) -> str:
    """Give the host of an address in lower case, without ``www.``; empty if it has none."""
    try:
        host = urlsplit(url.strip()).hostname or ""
    except ValueError:  # brackets without an address in them
        return ""
    return host.rstrip(".").removeprefix("www.")


def among(url: str, names: frozenset[str]) -> bool:
    """Tell whether an address is on one of the hosts, or under one of the host/path names."""
    host = host_of(url)
    if not host:
        return False
    labels = host.split(".")
    if any(".".join(labels[at:]) in names for at in range(len(labels))):
        return True
    rest = url.partition("://")[2].removeprefix("www.").casefold()
    return any("/" in name and rest.startswith(name) for name in names)


def is_reserved(host: str) -> bool:
    """Tell whether a host is one that nobody can own."""
    if not host:
        return False
    labels = host.split(".")
    return labels[-1] in RESERVED_TOP or ".".join(labels[-2:]) in RESERVED_DOMAINS


def is_named_example(host: str) -> bool:
    """Tell whether a host has a name of its own under a domain reserved for documentation.

    ``journal.example.org`` is what teaching material is made of; the bare ``example.org`` is an
    address that was never filled in.
    """
    labels = host.split(".")
    return len(labels) > 2 and ".".join(labels[-2:]) in RESERVED_DOMAINS


def is_private(host: str) -> bool:
    """Tell whether a host is an address that the public network does not reach."""
    try:
        address = ipaddress.ip_address(host.split("%")[0])
    except ValueError:
        return False
    return not address.is_global


def is_official(url: str) -> bool:
    """Tell whether an address belongs to a government, regulator, registry or exchange."""
    return among(url, OFFICIAL) or _GOVERNMENT.search(host_of(url)) is not None


def kind_of(url: str) -> str:
    """Give wiki, social, self_media, news, official, or nothing known."""
    kinds = (("wiki", WIKIS), ("self_media", SELF_MEDIA), ("social", SOCIAL), ("news", NEWS))
    for kind, names in kinds:
        if among(url, names):
            return kind
    return "official" if is_official(url) else ""
