"""The fields that the list of blacklist rules can be searched by, and their meaning. Pure."""

from collections.abc import Mapping

from reviews.queries.fields import Field
from sources.blacklist.rules import LEVELS, Effect, Kind, Scope, Unless
from workbench.lib.querylang import FieldSpec
from workbench.lib.texts import Text

_TEXT = FieldSpec("text")
_NUMBER = FieldSpec("number")
_DATE = FieldSpec("date")


def _choice(name: str, words: Mapping[str, tuple[str, ...]], says: Text, example: str) -> Field:
    return Field(name, FieldSpec("choice", tuple(words)), says, example, words)


def _same(*names: str) -> dict[str, tuple[str, ...]]:
    return {name: (name,) for name in names}


IS_RULE = ("active", "draft", "waiting", "off", "idle", "due", "ending", "mine")

RULE_FIELDS: tuple[Field, ...] = (
    _choice(
        "is",
        _same(*IS_RULE),
        Text(
            en="Where the rule stands: active, draft, waiting (for a second administrator), off; "
            "idle (active, without a hit in a year), due (to be looked at again), ending (within "
            "30 days), mine (you answer for it).",
            zh="规则状态：active（生效）、draft（草稿）、waiting（待第二位管理员确认）、off（停用）；"
            "idle（生效但一年无命中）、due（应复核）、ending（30 天内到期）、mine（由您负责）。",
        ),
        "is:active",
    ),
    _choice(
        "effect",
        _same(*Effect),
        Text(en="What it does to a source.", zh="对信源的作用。"),
        "effect:block",
    ),
    _choice(
        "scope",
        {
            **_same(*Scope),
            "subdomains": ("host_and_subdomains",),
            "doi": ("doi_prefix",),
            "title": ("title_words",),
            "path": ("prefix",),
        },
        Text(en="What its pattern is compared with.", zh="匹配内容与什么相比较。"),
        "scope:prefix",
    ),
    _choice(
        "kind",
        {**_same(*Kind), "place": ("blacklist_domain",)},
        Text(en="Why something may not be used.", zh="禁用的原因。"),
        "kind:press_copy",
    ),
    Field(
        "host",
        _TEXT,
        Text(
            en="Host that the rule names: a part of its name, a pattern with *, or with = the "
            "whole; in either form of its name.",
            zh="规则所指的主机名：名称的一部分、含 * 的模式，或用 = 表示完全相同；两种写法均可。",
        ),
        "host:*.example",
    ),
    Field(
        "pattern",
        _TEXT,
        Text(
            en="Words of the pattern; * stands for anything.",
            zh="匹配内容中的文字；* 代表任意内容。",
        ),
        "pattern:news.cn/ad*",
    ),
    Field("reason", _TEXT, Text(en="Words of the reason.", zh="理由中的文字。"), "reason:farm"),
    Field(
        "owner",
        FieldSpec("choice"),
        Text(en="Who answers for it: me or a user name.", zh="负责人：me 或用户名。"),
        "owner:me",
    ),
    _choice(
        "level",
        _same(*LEVELS),
        Text(en="How far it downranks.", zh="降权等级。"),
        "level:D2",
    ),
    _choice(
        "unless",
        _same(*(each for each in Unless if each)),
        Text(en="Its exception.", zh="例外条件。"),
        "unless:signed",
    ),
    Field(
        "hits",
        _NUMBER,
        Text(en="Sources that it has hit so far.", zh="累计命中的信源数。"),
        "hits:>10",
    ),
    Field(
        "ends",
        _DATE,
        Text(en="The last day on which it holds.", zh="规则的截止日期。"),
        "ends:<2027",
    ),
    Field(
        "review",
        _DATE,
        Text(en="When somebody looks at it again.", zh="复核日期。"),
        "review:<2027-03",
    ),
)

RULES_BY_NAME: Mapping[str, Field] = {field.name: field for field in RULE_FIELDS}
RULE_SPECS: Mapping[str, FieldSpec] = {field.name: field.spec for field in RULE_FIELDS}
