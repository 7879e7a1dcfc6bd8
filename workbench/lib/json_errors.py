"""What can be wrong with a JSON text, with a code and a message for each."""

from dataclasses import dataclass
from enum import Enum
from typing import Self

from .notices import InputError
from .texts import Text


@dataclass(frozen=True, slots=True)
class Limits:
    """What a JSON text may ask of its reader."""

    depth: int = 100  # objects and arrays inside each other
    digits: int = 64  # digits of one whole number
    size: int = 256 * 2**20  # bytes
    allow_nul: bool = False  # databases cannot store U+0000 in text


class Reason(Enum):
    """A reason to refuse a JSON text; the value is its message."""

    EMPTY = Text(
        en="There is nothing here. A JSON document was expected.",
        zh="内容为空，这里应有一份 JSON。",
    )
    TOO_LARGE = Text(
        en="This is {size} bytes; at most {limit} are accepted. Split it.",
        zh="大小为 {size} 字节，最多接受 {limit} 字节。请拆分后再导入。",
    )
    NOT_UTF8 = Text(
        en="Byte {byte} is not UTF-8. Save the file as UTF-8.",
        zh="字节 {byte} 不是 UTF-8。请把文件另存为 UTF-8。",
    )
    WIDE_ENCODING = Text(
        en="The file is {encoding}. Save it as UTF-8.",
        zh="文件编码是 {encoding}。请另存为 UTF-8。",
    )
    NUL = Text(
        en="A NUL character (U+0000) stands here. Remove it.",
        zh="此处有 NUL 字符（U+0000）。请删除。",
    )
    CONTROL_CHARACTER = Text(
        en="The control character {character} must be escaped inside a string.",
        zh="字符串中的控制字符 {character} 必须转义。",
    )
    BAD_ESCAPE = Text(
        en="“{found}” is not an escape that JSON knows. A backslash itself is written \\\\.",
        zh="“{found}”不是 JSON 的转义写法。反斜杠本身要写成 \\\\。",
    )
    LONE_SURROGATE = Text(
        en="{found} is half of a character. Write the whole character.",
        zh="{found} 只是半个字符。请写出完整的字符。",
    )
    UNCLOSED_STRING = Text(
        en="The string that starts here does not end. The file may be cut off.",
        zh="从此处开始的字符串没有结束，文件可能被截断。",
    )
    UNCLOSED = Text(
        en="The file ends before this “{found}” is closed. It may be cut off.",
        zh="文件结束时此处的“{found}”仍未闭合，文件可能被截断。",
    )
    EXPECTED_VALUE = Text(
        en="A value was expected here, not “{found}”.",
        zh="此处应为一个值，而不是“{found}”。",
    )
    EXPECTED_KEY = Text(
        en="A key in double quotes was expected here, not “{found}”.",
        zh="此处应为双引号括起的键，而不是“{found}”。",
    )
    EXPECTED_COLON = Text(
        en="A colon was expected after the key, not “{found}”.",
        zh="键之后应为冒号，而不是“{found}”。",
    )
    EXPECTED_COMMA = Text(
        en="A comma or “{closer}” was expected here, not “{found}”.",
        zh="此处应为逗号或“{closer}”，而不是“{found}”。",
    )
    TRAILING_COMMA = Text(
        en="Nothing follows this comma. Remove it.",
        zh="此逗号之后没有内容。请删除。",
    )
    TRAILING_DATA = Text(
        en="The document has ended, but “{found}” follows.",
        zh="文档已结束，其后却还有“{found}”。",
    )
    BAD_NUMBER = Text(
        en="“{found}” is not a JSON number.",
        zh="“{found}”不是 JSON 数字。",
    )
    NOT_A_NUMBER = Text(
        en="JSON has no {found}. Write null, or leave the key out.",
        zh="JSON 没有 {found}。请写 null，或去掉该键。",
    )
    NUMBER_TOO_LARGE = Text(
        en="The number {found} is too large to be stored.",
        zh="数字 {found} 过大，无法保存。",
    )
    TOO_MANY_DIGITS = Text(
        en="This number has {digits} digits; at most {limit} are accepted. Write it as a string.",
        zh="此数字有 {digits} 位，最多接受 {limit} 位。请改写为字符串。",
    )
    DUPLICATE_KEY = Text(
        en="The key “{key}” stands twice in this object. Keep one of them.",
        zh="键“{key}”在此对象中出现了两次。请只保留一个。",
    )
    TOO_DEEP = Text(
        en="Objects and arrays are nested more than {limit} deep here.",
        zh="此处对象与数组的嵌套超过 {limit} 层。",
    )
    NOT_AN_OBJECT = Text(
        en="Each line must be an object in braces; this one is {found}.",
        zh="每行应为花括号括起的对象，此行却是 {found}。",
    )
    LINE_TOO_LARGE = Text(
        en="This line is longer than {limit} bytes and was not read.",
        zh="此行超过 {limit} 字节，未读取。",
    )

    @property
    def code(self) -> str:
        """Give the stored name of the reason."""
        return self.name.lower()


_PLACE = Text(en="Line {line}, column {column}: ", zh="第 {line} 行第 {column} 列：")
_PLACE_PATH = Text(
    en="Line {line}, column {column}, at {path}: ",
    zh="第 {line} 行第 {column} 列，{path}：",
)


class JsonError(InputError):
    """A JSON text that was refused: code, text, values and the place (line, column, path)."""

    def __init__(
        self, reason: Reason, *, line: int = 1, column: int = 1, path: str = "", **values: object
    ) -> None:
        self.reason = reason
        self.line = line  # from 1
        self.column = column  # from 1, in characters
        self.path = path  # as in claims[0].id; empty for the document itself
        super().__init__(reason.code, reason.value, values)

    @property
    def message(self) -> str:
        """Give the message in English, without its place."""
        return super().render("en")

    def render(self, language: str) -> str:
        """Give the message in a language, with its place."""
        place = _PLACE_PATH if self.path else _PLACE
        where = place.render(language, line=self.line, column=self.column, path=self.path)
        return where + super().render(language)

    def on_line(self, line: int) -> Self:
        """Give the same error on another line, for a document that is one line of a file."""
        return type(self)(self.reason, line=line, column=self.column, path=self.path, **self.values)
