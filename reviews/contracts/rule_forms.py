"""Rules that differ only in a name or a number."""

from reviews.contracts.violations import Rule
from workbench.lib.texts import Text


def rule(rule_id: str, en: str, zh: str, hint_en: str, hint_zh: str) -> Rule:
    """Make a rule from its texts."""
    return Rule(rule_id, Text(en, zh), Text(hint_en, hint_zh))


def one_of(rule_id: str, field: str, names: tuple[str, ...]) -> Rule:
    """Make the rule that a field is one of the names."""
    listed = ", ".join(names)
    return rule(
        rule_id,
        f"{field} is none of {listed} (found: {{found}}).",
        f"{field} 不是 {listed} 之一（实际为：{{found}}）。",
        "Write one of these values exactly as listed.",
        "请按原样填写其中一个值。",
    )


def length_between(rule_id: str, field: str, shortest: int, longest: int) -> Rule:
    """Make the rule that a text has so many code points; needs ``length``."""
    return rule(
        rule_id,
        f"{field} must have {shortest} to {longest} characters (found: {{length}}).",
        f"{field} 应为 {shortest} 至 {longest} 个字符（实际：{{length}}）。",
        "Shorten or lengthen the text.",
        "请增减文字。",
    )


def filled(rule_id: str, field: str) -> Rule:
    """Make the rule that a field is a non-empty array."""
    return rule(
        rule_id,
        f"{field} must be an array with at least one item.",
        f"{field} 必须是至少含一项的数组。",
        "Write a JSON array and fill it.",
        "请写成 JSON 数组并填入内容。",
    )


def must_be_object(rule_id: str, what_en: str, what_zh: str) -> Rule:
    """Make the rule that something is an object."""
    return rule(
        rule_id,
        f"{what_en} must be an object.",
        f"{what_zh}必须是对象。",
        "Write it as a JSON object with the fields of the format.",
        "请按格式写成 JSON 对象。",
    )


def pattern(rule_id: str, field: str, example: str, *, zh: str = "") -> Rule:
    """Make the rule that a value looks like the example; needs ``found``.

    ``zh`` says in Chinese what ``field`` says, unless that is the name of a key.
    """
    return rule(
        rule_id,
        f"{field} is not of the form {example} (found: {{found}}).",
        f"{zh or f'{field} '}不是 {example} 的形式（实际为：{{found}}）。",
        "Correct the value.",
        "请改正该值。",
    )
