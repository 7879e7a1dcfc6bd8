"""What kind of document a source is, and what a paper holds. Pure.

A *kind* says what a document is published as, its *content* whether it gives original data or
reads the data of others. Both carry how they were told, for the reader of a score.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from workbench.lib.texts import Text

from .facts import SourceFacts
from .phrases import Folded, Phrases, fold_text

KINDS: Mapping[str, Text] = {
    "article": Text("Journal article", "期刊论文"),
    "preprint": Text("Preprint", "预印本"),
    "conference_abstract": Text("Conference abstract", "会议摘要"),
    "regulator_notice": Text("Regulator's own page", "监管机构官方页面"),
    "registry_record": Text("Registry record", "试验登记记录"),
    "patent": Text("Patent text", "专利原文"),
    "filing": Text("Filing or annual report", "披露文件或年报"),
    "database": Text("Database entry", "数据库条目"),
    "consulting_report": Text("Consulting report", "咨询报告"),
    "data_report": Text("Market data report", "市场数据报告"),
    "broker_report": Text("Broker research", "券商研报"),
    "association_paper": Text("Paper of an industry association", "行业协会文件"),
    "news": Text("News", "新闻报道"),
    "company_page": Text("A company's own page", "企业自有页面"),
    "encyclopedia": Text("Encyclopaedia that anybody edits", "开放编辑的百科"),
    "self_media": Text("Self-media", "自媒体"),
    "web_page": Text("Web page", "普通网页"),
}
CONTENTS: Mapping[str, Text] = {
    "original_study": Text("Original study", "原始研究"),
    "systematic_review": Text("Systematic review or meta-analysis", "系统综述或 Meta 分析"),
    "narrative_review": Text("Narrative review", "叙述性综述"),
    "comment": Text("Comment or editorial", "评论或社论"),
}
PAPERS = frozenset({"article", "preprint", "conference_abstract"})

# Values of ``source_type`` and ``type`` in formats.md section 1. "report" tells too little.
STATED: Mapping[str, str] = {
    "paper": "article",
    "journal": "article",
    "regulator": "regulator_notice",
    "regulatory": "regulator_notice",
    "trial_registry": "registry_record",
    "trial": "registry_record",
    "patent": "patent",
    "filing": "filing",
    "database": "database",
    "consulting": "consulting_report",
    "media": "news",
    "news": "news",
}
OF_CLASS: Mapping[str, str] = {
    "regulator": "regulator_notice",
    "exchange": "filing",
    "registry": "registry_record",
    "patent_office": "patent",
    "journal": "article",
    "top_consulting": "consulting_report",
    "data_vendor": "data_report",
    "broker": "broker_report",
    "association": "association_paper",
    "professional_media": "news",
    "preprint": "preprint",
    "conference": "conference_abstract",
    "company": "company_page",
    "self_media": "self_media",
    "encyclopedia": "encyclopedia",
}

# DOIs that only preprint servers give out; Cold Spring Harbor's journals share 10.1101.
_PREPRINT_DOI = re.compile(
    r"10\.1101/(?:\d{4}\.\d\d\.\d\d\.)?\d{6,8}(?:v\d+)?$|10\.64898/\d{4}\.\d\d\.\d\d\."
    r"|10\.(?:48550/arxiv\.|2139/ssrn\.|21203/rs\.|20944/preprints|26434/chemrxiv|31219/osf\.io"
    r"|31234/osf\.io|12074/|22541/au\.)",
    re.IGNORECASE,
)
_ABSTRACT_VENUE = Phrases(
    "annual meeting", "annual congress", "congress", "conference", "symposium",
    "meeting abstract*", "abstracts of", "会议摘要", "年会", "大会",
)  # fmt: skip
_ABSTRACT_TITLE = re.compile(r"\W{0,3}abstract [A-Z]{0,3}-?\d", re.IGNORECASE)

_SYSTEMATIC = Phrases(
    "systematic review*", "systematic literature review*", "meta-analys*", "meta analys*",
    "metaanalys*", "umbrella review*", "系统综述", "系统评价", "系统性综述", "荟萃分析",
    "meta分析", "meta 分析", "元分析",
)  # fmt: skip
_PROTOCOL = Phrases(
    "protocol*", "研究方案",
)  # fmt: skip
_REVIEW = Phrases(
    "review", "reviews", "overview*", "primer", "state of the art", "state-of-the-art",
    "recent advances", "perspective", "perspectives", "综述", "研究进展", "进展与展望",
    "回顾与展望",
)  # fmt: skip
_NO_REVIEW = ("peer review", "peer-review", "chart review", "record review", "records review",
              "review board")  # fmt: skip
_REVIEW_TEXT = Phrases(
    "in this review", "this review", "this narrative review", "this mini-review", "we review",
    "we here review", "we briefly review", "we summarize", "we summarise", "本综述", "本文综述",
)  # fmt: skip
_COMMENT = Phrases(
    "comment", "commentary", "editorial", "correspondence", "letter to the editor", "reply",
    "in reply", "viewpoint", "opinion", "news", "book review", "述评", "社论", "评论", "编者按",
)  # fmt: skip
_STUDY = Phrases(
    "randomized", "randomised", "double-blind*", "single-blind*", "placebo*", "open-label",
    "phase 1*", "phase 2*", "phase 3*", "phase 4*", "phase i", "phase ii*", "phase iii*",
    "phase iv", "phase ib", "cohort", "case-control", "case series", "case report*",
    "cross-sectional", "clinical trial", "controlled trial", "in vitro", "in vivo",
    "genome-wide association", "crystal structure", "first-in-human", "随机", "双盲", "对照试验",
    "队列研究", "病例对照", "病例报告", "病例系列", "临床试验", "横断面", "ⅰ期", "ⅱ期", "ⅲ期",
    "ⅳ期", "iii期", "ii期",
)  # fmt: skip
_STUDY_TEXT = Phrases(
    "we randomly assigned", "we randomized", "we randomised", "we enrolled", "we recruited",
    "we measured", "we sequenced", "we assigned", "we conducted a randomi*",
    "we conducted a phase*", "we conducted a prospective*", "we conducted a retrospective*",
    "patients were randomly", "patients were randomi*", "patients were assigned",
    "patients were enrolled", "participants were randomly", "participants were randomi*",
    "participants were assigned", "participants were enrolled", "随机分为", "随机分配",
    "随机分组", "纳入患者", "纳入受试者",
)  # fmt: skip
# A structured abstract is one of a study, unless a review says that it is one.
_STRUCTURED = (
    ("methods:", "results:"),
    ("方法:", "结果:"),
    ("方法：", "结果："),
    ("【方法】", "【结果】"),
)

# Publication types of PubMed and Crossref, folded. Several may stand; the first row wins.
_TYPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("systematic_review", re.compile(r"systematic[- ]review|meta-?analysis|系统综述|荟萃", re.I)),
    ("narrative_review", re.compile(r"^\W*(?:narrative |scoping )?review\b|综述", re.I)),
    ("comment", re.compile(r"comment|editorial|letter|news|opinion|biography|interview", re.I)),
    (
        "original_study",
        re.compile(
            r"randomi[sz]ed|clinical trial|\brct\b|observational|case reports?|multicenter"
            r"|cohort|comparative study|evaluation study|validation study|twin study|original"
            r"|随机|原始研究",
            re.I,
        ),
    ),
)
_TYPE_ABSTRACT = re.compile(r"meeting abstract|conference abstract|congress", re.I)
_TYPE_PREPRINT = re.compile(r"preprint|posted-content", re.I)


class Told(NamedTuple):
    """A kind or content, and what told it."""

    name: str  # empty: unknown
    by: str = ""  # "override", "doi", "domain", "publisher", "stated", "identifier", "words", …


def kind_by_override(facts: SourceFacts) -> Told | None:
    """Give the kind that a person set; also in the words of formats.md."""
    name = STATED.get(facts.kind, facts.kind)
    return Told(name, "override") if name in KINDS else None


def is_preprint(facts: SourceFacts) -> bool:
    """Tell a preprint by its DOI, its identifiers, or a publication type."""
    if facts.doi:
        return _PREPRINT_DOI.match(facts.doi) is not None or _typed(facts, _TYPE_PREPRINT)
    own = {"arxiv", "biorxiv"} & set(facts.schemes) and not {"pmid", "pmcid"} & set(facts.schemes)
    return bool(own) or _typed(facts, _TYPE_PREPRINT)


def is_conference_abstract(facts: SourceFacts) -> bool:
    """Tell an abstract of a conference by its publication type, venue or title."""
    return bool(
        _typed(facts, _TYPE_ABSTRACT)
        or _is_meeting(facts.venue[:300])
        or "_suppl" in facts.venue  # "2024;42(16_suppl)": how ASCO numbers its abstracts
        or _ABSTRACT_TITLE.match(facts.title)
    )


@lru_cache(maxsize=20_000)
def _is_meeting(venue: str) -> bool:
    return bool(_ABSTRACT_VENUE.find(fold_text(venue)))


def stated_kind(facts: SourceFacts) -> str:
    """Give the kind that the record itself states, or an empty text."""
    for value in (facts.source_type, facts.type):
        if found := STATED.get(value.strip().lower(), ""):
            return found
    return ""


def content_of(facts: SourceFacts) -> Told:
    """Tell what a paper holds. Where signs differ, what stands further from the data wins."""
    if facts.kind in CONTENTS:
        return Told(facts.kind, "override")
    for name, pattern in _TYPES:
        if _typed(facts, pattern):
            return Told(name, "publication_type")
    if "cochrane database of systematic reviews" in facts.venue.casefold():
        return Told("systematic_review", "venue")
    return _by_title(fold_text(facts.title)) or _by_abstract(fold_text(facts.abstract)) or Told("")


def _by_title(title: Folded) -> Told | None:
    if _SYSTEMATIC.find(title) and not _PROTOCOL.find(title):
        return Told("systematic_review", "title")
    if _COMMENT.starts(title):
        return Told("comment", "title")
    if _REVIEW.find(_without_other_reviews(title)):
        return Told("narrative_review", "title")
    return Told("original_study", "title") if _STUDY.find(title) else None


def _by_abstract(text: Folded) -> Told | None:
    if not text.text:
        return None
    systematic = _SYSTEMATIC.find(text)
    if _REVIEW_TEXT.find(text):
        return Told("systematic_review" if systematic else "narrative_review", "abstract")
    structured = any(all(head in text.text for head in heads) for heads in _STRUCTURED)
    own_data = _STUDY_TEXT.find(text)
    if systematic and not own_data:
        return Told("systematic_review", "abstract")
    study = own_data or structured or _STUDY.find(text)
    return Told("original_study", "abstract") if study else None


def _without_other_reviews(title: Folded) -> Folded:
    if "review" not in title.text:
        return title
    text = title.text
    for other in _NO_REVIEW:
        text = text.replace(other, " ")
    return Folded(text, title.words)


def _typed(facts: SourceFacts, pattern: re.Pattern[str]) -> bool:
    return any(pattern.search(each) for each in facts.publication_types)
