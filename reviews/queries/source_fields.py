"""The fields that a list of sources can be searched by, and what each of them means. Pure."""

from collections.abc import Mapping

from reviews.queries.fields import Field
from workbench.lib.querylang import FieldSpec
from workbench.lib.texts import Text

_ANY = FieldSpec("choice")
_TEXT = FieldSpec("text")
_NUMBER = FieldSpec("number")


def _choice(name: str, words: tuple[str, ...], says: Text, example: str) -> Field:
    return Field(name, FieldSpec("choice", words), says, example, {w: (w,) for w in words})


IS_SOURCE = (
    "admitted",
    "candidate",
    "rejected",
    "scored",
    "unscored",
    "used",
    "unused",
    "key",
    "dead",
    "overridden",
    "waiting",
    "blacklisted",
    "open",
)

SOURCE_FIELDS: tuple[Field, ...] = (
    _choice(
        "is",
        IS_SOURCE,
        Text(
            en="Where the source stands: admitted, candidate, rejected; scored or unscored; used "
            "or unused by a claim, key (under a key claim); dead (dead link); overridden, waiting "
            "(an override waits for a second person); blacklisted; open (an open finding).",
            zh="信源状态：admitted（已入库）、candidate（候选）、rejected（已拒收）；"
            "scored 或 unscored（是否已评分）；used 或 unused（是否被论断引用）、"
            "key（支撑关键论断）；dead（死链）；overridden（有人工改值）、"
            "waiting（改值待第二人确认）；blacklisted（命中黑名单）；open（有未处理的发现）。",
        ),
        "is:admitted",
    ),
    Field(
        "score",
        _NUMBER,
        Text(
            en="Score, 0 to 10, unrounded. Sources without a score never match.",
            zh="评分，0 到 10，未取整；没有评分的信源不会匹配。",
        ),
        "score:<5",
    ),
    Field("tier", _NUMBER, Text(en="Tier, 1 to 4.", zh="层级，1 到 4。"), "tier:>=3"),
    _choice(
        "band",
        ("core", "corroborate", "reference", "discovery"),
        Text(en="What it may carry, by its score.", zh="按评分可承担的作用。"),
        "band:core",
    ),
    Field(
        "type",
        _ANY,
        Text(
            en="Type or source type as the file gave it: journal, patent, paper, media, …",
            zh="文件给出的类型：journal、patent、paper、media 等。",
        ),
        "type:patent",
    ),
    _choice(
        "access",
        ("opened_original", "opened_abstract", "paywalled", "failed", "snippet_only"),
        Text(en="How far the source was opened.", zh="信源打开到何种程度。"),
        "access:paywalled",
    ),
    _choice(
        "retraction",
        ("not_asked", "clean", "corrected", "concern", "retracted"),
        Text(en="The most severe notice that stands.", zh="当前最严重的声明。"),
        "retraction:retracted",
    ),
    _choice(
        "has",
        ("override", "snapshot", "doi", "receipt", "coi", "cluster", "finding"),
        Text(
            en="override, snapshot, doi, receipt, coi (a conflict of interest is stated), cluster, "
            "finding (an open one).",
            zh="override（人工改值）、snapshot（快照）、doi、receipt（检索回执）、coi（写明利益冲突）、"
            "cluster（属于独立性簇）、finding（有未处理的发现）。",
        ),
        "has:override",
    ),
    Field(
        "finding",
        _ANY,
        Text(
            en="Code of an open finding about the source; * stands for anything.",
            zh="未处理发现的代码；* 代表任意内容。",
        ),
        "finding:score_mismatch",
    ),
    Field(
        "host",
        _TEXT,
        Text(
            en="Host: a part of its name, a pattern with *, or with = the whole.",
            zh="主机名：名称的一部分、含 * 的模式，或用 = 表示完全相同。",
        ),
        "host:*.cn",
    ),
    Field(
        "cluster",
        _ANY,
        Text(
            en="Name of its independence cluster; * stands for anything.",
            zh="独立性簇名称；* 代表任意内容。",
        ),
        "cluster:K7",
    ),
    Field(
        "identifier",
        _ANY,
        Text(
            en="An identifier of the source, such as a DOI, PMID or registry number.",
            zh="信源的标识：DOI、PMID、试验注册号等。",
        ),
        "identifier:NCT01234567",
    ),
    Field("year", _NUMBER, Text(en="Year of publication.", zh="发表年份。"), "year:>=2023"),
    Field(
        "venue",
        _TEXT,
        Text(en="Words of the journal or place of publication.", zh="期刊或发表处中的文字。"),
        "venue:lancet",
    ),
    Field(
        "text",
        _TEXT,
        Text(en="Words in the title or abstract.", zh="标题或摘要中的文字。"),
        'text:"总生存期"',
    ),
    Field(
        "import",
        _ANY,
        Text(en="Number of the import that brought it.", zh="带来该信源的导入编号。"),
        "import:12",
    ),
)

SOURCES_BY_NAME: Mapping[str, Field] = {field.name: field for field in SOURCE_FIELDS}
SOURCE_SPECS: Mapping[str, FieldSpec] = {field.name: field.spec for field in SOURCE_FIELDS}
