"""Say a finding in the reader's language. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from reviews.checks.base import Check
from sources.admission import RULES
from workbench.lib.texts import Text

# Parameters whose values are stored names; any other value is shown as it is.
LABELS: Mapping[str, Mapping[str, Text]] = {
    "folded": {
        "nfc": Text("composed letters", "组合字符"),
        "white_space": Text("white space", "空白"),
        "case": Text("capital letters", "大小写"),
        "quotes": Text("quotation marks", "引号"),
        "dashes": Text("dashes", "连字符与破折号"),
        "zero_width": Text("invisible characters", "不可见字符"),
        "ligature": Text("ligatures", "连字"),
        "width": Text("full and half width", "全角与半角"),
        "soft_hyphen": Text("soft hyphens", "软连字符"),
        "line_hyphen": Text("hyphens at line ends", "行末连字符"),
        "script": Text("Traditional and Simplified characters", "繁体与简体"),
    },
    "depth": {
        "abstract_only": Text("only the abstract", "仅有摘要"),
        "paywall": Text("a paywall page", "付费墙页面"),
        "error_page": Text("an error page", "错误页面"),
        "captcha": Text("a captcha page", "验证码页面"),
        "too_short": Text("too short a text", "文本过短"),
        "no_text": Text("no text", "没有文本"),
    },
    "rejection": {**RULES, "unknown": Text("no rule is named", "未写明规则")},
    "quality": {
        "primary": Text("primary", "一手"),
        "secondary": Text("secondary", "二手"),
        "tertiary": Text("tertiary", "三手"),
    },
}


@dataclass(frozen=True, slots=True)
class Said:
    """A finding in words: what is wrong, and what to do."""

    text: str
    hint: str


def say(check: Check, code: str, params: Mapping[str, str | int], language: str) -> Said:
    """Give a finding's text and hint in the language of a BCP 47 tag.

    A code that the check does not know (of an older version) is shown under the check's title.
    """
    message = check.messages.get(code)
    if message is None:
        return Said(f"{check.title.render(language)}: {code}", "")
    values = {name: _value(name, value, language) for name, value in params.items()}
    if language.lower().startswith("zh") and "message_zh" in values:
        values["message"] = values["message_zh"]
    return Said(_filled(message.text, language, values), _filled(message.hint, language, values))


def _filled(text: Text, language: str, values: Mapping[str, object]) -> str:
    try:
        return text.render(language, **values)
    except KeyError:  # a finding of an older version, whose parameters were other ones
        return text.zh if language.lower().startswith("zh") else text.en


def _value(name: str, value: str | int, language: str) -> str:
    labels = LABELS.get(name)
    if labels is None:
        return str(value)
    parts = [part for part in str(value).split(",") if part]
    separator = "、" if language.lower().startswith("zh") else ", "
    return separator.join(
        labels[part].render(language) if part in labels else part for part in parts
    )
