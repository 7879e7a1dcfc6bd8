"""Rules that read facts instead of an address: press copy, stale, anonymous, Wikipedia. Pure.

Each gives what it found, fired or not, so that a reader can argue with it. What is not known never
fires a rule. Rulebook section 4.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from sources.scoring.dates import Published, published_on
from workbench.lib.texts import Text

from .rules import Kind
from .signs import Signs, inflated_words

VERSION = "1"  # raised when the same facts may give another judgement

PRESS_COPY_NEEDS = 2  # of four facts
PRAISES = 3  # different words of praise that make a text an advertisement
REVIEW_YEARS, POLICY_YEARS, MARKET_YEARS = 5, 1, 2

# Press copy is a form of text: these are other forms, whatever their words.
NO_PRESS_COPY = frozenset(
    {
        "article", "preprint", "conference_abstract", "regulator_notice", "registry_record",
        "patent", "filing",
    }
)  # fmt: skip
PAPERS = frozenset({"article", "preprint", "conference_abstract"})
# Originals of their own time: a registry record of 2019 is no "market data" of 2019.
RECORDS = frozenset({"regulator_notice", "registry_record", "patent", "filing"})
REVIEWS = frozenset({"systematic_review", "narrative_review"})

_WIRES = frozenset(
    {
        "prnewswire.com", "prnewswire.co.uk", "prnasia.com", "businesswire.com",
        "globenewswire.com", "accesswire.com", "newswire.ca", "einpresswire.com", "prlog.org",
        "newsfilecorp.com",
    }
)  # fmt: skip
_NEWS_PAGE = re.compile(
    r"(?:^|[/.])(?:news(?:room|-?center|-?centre|-releases?)?|press(?:-?room|-?releases?)?|media"
    r"|media-?(?:center|centre|releases?)|xwzx|xinwen|gsxw|gsdt|qyxw|announcements?)(?=[/.?]|$)",
    re.IGNORECASE,
)
_NEWS_TITLE = re.compile(
    r"新闻中心|公司新闻|企业动态|\bnewsroom\b|\bpress release\b", re.IGNORECASE
)
_WIKIPEDIA_HOSTS = frozenset(
    {"wikipedia.org", "wikiwand.com", "wikizero.com", "wikimili.com", "wikibrief.org"}
)
_WIKIPEDIA_TITLE = re.compile(
    r"(?:\s[-–—|]\s*|_)(?:wikipedia|维基百科|維基百科)\b|(?:维基百科|維基百科)[，,]\s*自由的百科全[书書]"
    r"|\bwikipedia, the free encyclopedia\b",
    re.IGNORECASE,
)
_RULE_TEXT = re.compile(
    r"办法|条例|规定|指导原则|指南|通知|意见|目录|规范|细则|决定|法(?:》|$|（|\()"
    r"|\b(?:guidances?|guidelines?|regulations?|directives?|act|rules?|policy|policies|order|law)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Judged:
    """What is known of a source that is to be judged; empty stands for "not known"."""

    title: str = ""
    abstract: str = ""
    text: str = ""  # of the page, as captured
    host: str = ""  # of the canonical address
    path: str = ""
    form: str = ""  # one of sources.scoring.kinds.KINDS
    content: str = ""  # one of sources.scoring.kinds.CONTENTS
    topics: tuple[str, ...] = ()  # topic types: the nearest of source, dimension and project
    published: str = ""
    year: int | None = None
    in_force: bool | None = None  # of a policy: whether it is the version in force
    own_host: bool = False  # the host belongs to the company that the page is about
    third_parties: int = 0  # other hosts that tell of the same event


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact that counts towards a rule; its words stand in ``FACTS``."""

    code: str
    params: Mapping[str, str] = field(default_factory=dict)

    def render(self, language: str) -> str:
        """Say the fact in a language."""
        return FACTS[self.code].render(language, **self.params)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one rule found. It fires where enough facts hold."""

    kind: Kind
    facts: tuple[Fact, ...] = ()
    needs: int = 1

    @property
    def fired(self) -> bool:
        """Whether the rule hits the source."""
        return len(self.facts) >= self.needs

    def to_json(self) -> dict[str, object]:
        """Give the facts as a hit keeps them."""
        said = [{"code": fact.code, "params": dict(fact.params)} for fact in self.facts]
        return {"facts": said, "needs": self.needs, "version": VERSION}


FACTS: Mapping[str, Text] = {
    "inflated_title": Text("Inflated words in the title: {words}", "标题含夸张词：{words}"),
    "only_quotes": Text(
        "No figures in the text, only quotes of executives or experts: {words}",
        "通篇无具体数据，只有高管或专家口头引述：{words}",
    ),
    "own_channel": Text(
        "Only channel: {host}, the company's own news, with no third party",
        "仅见于企业自有新闻渠道（{host}），无第三方验证",
    ),
    "praise_only": Text("Only advantages ({words}), no limits", "仅讲优势（{words}），不讲局限"),
    "old_review": Text(
        "A review of {published}: more than {years} years before {as_of}",
        "{published} 的综述：距 {as_of} 超过 {years} 年",
    ),
    "old_policy": Text(
        "A policy or rule of {published}: more than {years} year before {as_of}, and nothing says "
        "that it is the version in force",
        "{published} 的政策或规定：距 {as_of} 超过 {years} 年，且未说明为现行版本",
    ),
    "superseded_policy": Text(
        "A policy or rule of {published} that a newer version replaced: more than {years} year "
        "before {as_of}",
        "{published} 的政策或规定，已被新版取代：距 {as_of} 超过 {years} 年",
    ),
    "old_market": Text(
        "Market data of {published}: more than {years} years before {as_of}",
        "{published} 的市场数据：距 {as_of} 超过 {years} 年",
    ),
    "anonymous_words": Text(
        "“{words}”, and no source that a reader could look up",
        "“{words}”，且无可查证的来源",
    ),
    "wikipedia_host": Text("A page of {host}", "{host} 的页面"),
    "wikipedia_title": Text("The title names Wikipedia: {words}", "标题注明维基百科：{words}"),
}


def judge(source: Judged, as_of: date) -> dict[Kind, Judgement]:
    """Judge a source by all four rules."""
    signs = Signs(source.text)
    return {
        Kind.PRESS_COPY: press_copy(source, signs),
        Kind.STALE: stale(source, as_of),
        Kind.ANONYMOUS: anonymous(source, signs),
        Kind.WIKIPEDIA: wikipedia(source),
    }


def press_copy(source: Judged, signs: Signs | None = None) -> Judgement:
    """Look for any two of four facts of press copy. Rulebook section 4."""
    if source.form in NO_PRESS_COPY:
        return Judgement(Kind.PRESS_COPY, (), PRESS_COPY_NEEDS)
    signs = signs or Signs(source.text)
    facts = []
    if words := inflated_words(source.title):
        facts.append(Fact("inflated_title", {"words": _listed(words)}))
    if signs.enough and not signs.figures and signs.quotes:
        facts.append(Fact("only_quotes", {"words": _listed(signs.quotes[:2])}))
    if _own_channel(source):
        facts.append(Fact("own_channel", {"host": source.host}))
    if signs.enough and len(signs.praise) >= PRAISES and not signs.limits:
        facts.append(Fact("praise_only", {"words": _listed(signs.praise)}))
    return Judgement(Kind.PRESS_COPY, tuple(facts), PRESS_COPY_NEEDS)


def _listed(words: tuple[str, ...]) -> str:
    return " · ".join(words)


def _own_channel(source: Judged) -> bool:
    if source.third_parties:
        return False
    if under(source.host, _WIRES):
        return True
    place = source.host + source.path
    news = _NEWS_PAGE.search(place) or _NEWS_TITLE.search(source.title)
    return source.own_host and news is not None


def under(host: str, domains: frozenset[str]) -> bool:
    """Tell whether a host is one of some domains, or below one."""
    while host:
        if host in domains:
            return True
        host = host.partition(".")[2]
    return False


def stale(source: Judged, as_of: date) -> Judgement:
    """Judge the age by exact days: reviews 5 years, policy 1, market data 2. Rulebook section 4.

    A bare year counts as 1 July, a bare month as its 15th, as everywhere. Mechanism research and
    what is meant as history have no such limit. What several dimensions use is blocked only where
    it is stale for each of them: a block takes it from all.
    """
    limits = [_limit(source, topic) for topic in source.topics or ("",)]
    limit = None if None in limits else max(filter(None, limits), key=lambda each: each[1])
    when = published_on(source.published, source.year)
    if limit is None or when is None:
        return Judgement(Kind.STALE)
    code, years = limit
    if as_of <= anniversary(when.day, years):
        return Judgement(Kind.STALE)
    params = {"published": _written(when), "years": str(years), "as_of": as_of.isoformat()}
    return Judgement(Kind.STALE, (Fact(code, params),))


def _limit(source: Judged, topic: str) -> tuple[str, int] | None:
    if topic == "historical":
        return None
    if source.content in REVIEWS and (source.form in PAPERS or not source.form):
        return None if topic == "mechanism" else ("old_review", REVIEW_YEARS)
    if source.form in PAPERS:
        return None
    if _is_policy(source, topic):
        if source.in_force:
            return None
        code = "old_policy" if source.in_force is None else "superseded_policy"
        return code, POLICY_YEARS
    if topic == "market" and source.form not in RECORDS:
        return "old_market", MARKET_YEARS
    return None


def _is_policy(source: Judged, topic: str) -> bool:
    """Tell a policy or rule: by its topic, or as a regulator's text that sets rules."""
    if topic == "policy":
        return source.form not in {"registry_record", "patent", "filing"}
    rules = source.form == "regulator_notice" and _RULE_TEXT.search(source.title)
    return topic == "regulatory" and bool(rules)


def anniversary(day: date, years: int) -> date:
    """Give the last day on which something is not yet more than so many years old.

    29 February has its anniversary on the 28th in a year without one.
    """
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        if day.year + years > date.max.year:
            return date.max
        return day.replace(year=day.year + years, day=28)


def _written(when: Published) -> str:
    if when.precision == "year":
        return str(when.day.year)
    return when.day.isoformat() if when.precision == "day" else when.day.strftime("%Y-%m")


def anonymous(source: Judged, signs: Signs | None = None) -> Judgement:
    """Look for anonymous sources where no other one is named. Rulebook section 4."""
    signs = signs or Signs(source.text)
    about = Signs(f"{source.title}\n{source.abstract}")
    words = about.anonymous or signs.anonymous
    if not words or about.named or signs.named:
        return Judgement(Kind.ANONYMOUS)
    return Judgement(Kind.ANONYMOUS, (Fact("anonymous_words", {"words": _listed(words)}),))


def wikipedia(source: Judged) -> Judgement:
    """Tell Wikipedia and its copies. Rulebook section 4."""
    facts = []
    if under(source.host, _WIKIPEDIA_HOSTS):
        facts.append(Fact("wikipedia_host", {"host": source.host}))
    if found := _WIKIPEDIA_TITLE.search(source.title):
        facts.append(Fact("wikipedia_title", {"words": found[0].strip(" -–—|_")}))
    return Judgement(Kind.WIKIPEDIA, tuple(facts))
