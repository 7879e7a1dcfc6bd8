"""What can be wrong with a search text, with a code and a message for each."""

from enum import Enum

from .notices import InputError, shown
from .texts import Text


class Wrong(Enum):
    """A reason why a search text cannot be read; the value is its message."""

    TOO_LONG = Text(
        en="The search is longer than {limit} characters.", zh="搜索超过 {limit} 个字符。"
    )
    TOO_MANY_TERMS = Text(
        en="The search has more than {limit} conditions.", zh="搜索条件超过 {limit} 个。"
    )
    UNSTORABLE = Text(
        en="This character cannot be searched for. Remove it.", zh="无法搜索此字符，请删除。"
    )
    NOTHING_NEGATED = Text(
        en="A condition must follow the minus at once.", zh="减号后面要紧跟一个条件。"
    )
    NO_FIELD = Text(en="A field name must stand before the colon.", zh="冒号前要写字段名。")
    UNKNOWN_FIELD = Text(
        en="There is no field “{field}”. Fields: {fields}. To search for the words, quote them.",
        zh="没有字段“{field}”。可用字段：{fields}。若要搜索这些文字，请加引号。",
    )
    UNKNOWN_FIELD_NEAR = Text(
        en="There is no field “{field}”. Did you mean “{near}”?",
        zh="没有字段“{field}”，是否指“{near}”？",
    )
    NO_VALUE = Text(en="A value for “{field}” must stand here.", zh="此处要写“{field}”的值。")
    NOT_ORDERED = Text(
        en="“{field}” has no order, so “{sign}” does not apply. Leave it out.",
        zh="“{field}”没有大小之分，不能用“{sign}”，请去掉。",
    )
    ONE_VALUE = Text(
        en="“{sign}” takes one value, not a list.", zh="“{sign}”只能跟一个值，不能是列表。"
    )
    MIXED = Text(
        en="A quoted value cannot stand in a list with a “*” pattern. Search for it apart.",
        zh="带引号的值不能与“*”通配写在同一列表。请分开搜索。",
    )
    UNCLOSED_QUOTE = Text(
        en="The quotation that starts here does not end.", zh="从此处开始的引号没有结束。"
    )
    EMPTY_QUOTE = Text(en="There is nothing between the quotation marks.", zh="引号之间没有内容。")
    GLUED = Text(en="A space must stand here, after the quotation.", zh="引号之后此处要有空格。")
    UNKNOWN_CHOICE = Text(
        en="“{field}” cannot be “{value}”. It can be: {choices}.",
        zh="“{field}”不能是“{value}”。可选：{choices}。",
    )
    UNKNOWN_CHOICE_NEAR = Text(
        en="“{field}” cannot be “{value}”. Did you mean “{near}”?",
        zh="“{field}”不能是“{value}”，是否指“{near}”？",
    )
    NOT_A_NUMBER = Text(
        en="“{value}” is not a number, as “{field}” needs.",
        zh="“{value}”不是数字，“{field}”要求数字。",
    )
    NOT_A_DATE = Text(
        en="“{value}” is not a date. Write 2026, 2026-03 or 2026-03-31.",
        zh="“{value}”不是日期。请写成 2026、2026-03 或 2026-03-31。",
    )
    NOT_A_FLAG = Text(
        en="“{field}” is yes or no, not “{value}”.",
        zh="“{field}”只能是 yes 或 no，不能是“{value}”。",
    )

    @property
    def code(self) -> str:
        """Give the stored name of the reason."""
        return self.name.lower()


class QueryError(InputError):
    """A search text that cannot be read: code, text, values and position (characters from 0)."""

    def __init__(self, wrong: Wrong, position: int, **values: object) -> None:
        self.wrong = wrong
        self.position = position
        safe = {key: shown(v) if isinstance(v, str) else v for key, v in values.items()}
        super().__init__(wrong.code, wrong.value, safe)
