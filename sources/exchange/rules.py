"""What the reading of sources and rejections says, in words."""

from workbench.lib.problems import Rule
from workbench.lib.texts import Text

ONLY_VALID = Text(
    en="Mend the file, or import the rest by choosing “only valid lines”.",
    zh="请修正文件，或选择“只导入有效行”导入其余部分。",
)
KEPT = Text(
    en="It is kept, and written back as it stands.",
    zh="原值已保留，导出时照原样写回。",
)

JSON = Rule("JSON", Text("{fault}", "{fault}"), ONLY_VALID)
MEMBER = Rule("MEMBER", Text("{fault}", "{fault}"), ONLY_VALID)
REFERENCE = Rule("REFERENCE", Text("{fault}", "{fault}"), ONLY_VALID)
TOLERATED = Rule("TOLERATED", Text("{notice}", "{notice}"))
NOTHING_READ = Rule(
    "NO_SOURCES",
    Text("No source was found in this file.", "此文件中没有信源。"),
    Text("Check that the right file was chosen.", "请核对所选文件。"),
)

EMPTY_SOURCE = Rule(
    "EMPTY_SOURCE",
    Text(
        "This line has no id, address, DOI or title: nothing tells which source it is.",
        "此行没有 id、网址、DOI 和标题，无法确定是哪个信源。",
    ),
    ONLY_VALID,
)
BAD_ID = Rule(
    "BAD_ID",
    Text("The id {found} is no text or number.", "id {found} 既不是文本也不是数字。"),
    ONLY_VALID,
)
LONG_ID = Rule(
    "LONG_ID",
    Text("The id is longer than {limit} characters.", "id 超过 {limit} 个字符。"),
    ONLY_VALID,
)
ID_TWICE = Rule(
    "ID_TWICE",
    Text(
        "The id {id} stands in line {first} too, with other content.",
        "id {id} 已在第 {first} 行出现，内容不同。",
    ),
    Text("Give one of them another id.", "请为其中一行换一个 id。"),
)
ID_TAKEN = Rule(
    "ID_TAKEN",
    Text(
        "The project has another source under the id {id}: {title}.",
        "项目中已有 id 为 {id} 的另一信源：{title}。",
    ),
    Text("Give this line an id of its own.", "请为此行换一个 id。"),
)
LINE_TWICE = Rule(
    "LINE_TWICE",
    Text(
        "The same line stands in line {first}; it counts once.", "与第 {first} 行相同，只计一次。"
    ),
)
ID_IS_NUMBER = Rule(
    "ID_IS_NUMBER",
    Text("The id is a number; it was read as “{id}”.", "id 是数字，已读作“{id}”。"),
    KEPT,
)
ID_MISSING = Rule(
    "ID_MISSING",
    Text("There is no id; the source is called “{id}”.", "没有 id，信源命名为“{id}”。"),
)
TWIN = Rule(
    "SAME_SOURCE",
    Text(
        "{id} and {other} seem to be one source ({same}). Both are kept; join them by hand.",
        "{id} 与 {other} 可能是同一信源（{same}）。两者都已保留，请人工合并。",
    ),
)
NO_ADDRESS = Rule("NO_ADDRESS", Text("The source has no address.", "信源没有网址。"))
ODD_ADDRESS = Rule(
    "ODD_ADDRESS",
    Text("“{found}” is no web address; it is kept as text.", "“{found}”不是网址，按文本保留。"),
)
TWO_ADDRESSES = Rule(
    "TWO_ADDRESSES",
    Text("url and raw_url differ; url was taken.", "url 与 raw_url 不同，采用 url。"),
    KEPT,
)


def _read(rule: str, en: str, zh: str) -> Rule:
    return Rule(rule, Text(en, zh), KEPT)


READ_AS_TEXT = _read(
    "READ_AS_TEXT", "No text; it was read as “{read}”.", "不是文本，已读作“{read}”。"
)
TOO_LONG = _read(
    "TOO_LONG", "This is too long for its field and was not read.", "超出字段长度，未读取。"
)
WORD_FOLDED = _read("WORD_FOLDED", "“{found}” was read as {read}.", "“{found}”已读作 {read}。")
UNKNOWN_WORD = _read(
    "UNKNOWN_WORD", "“{found}” is none of the known values.", "“{found}”不是已知取值。"
)
YEAR_IS_TEXT = _read(
    "YEAR_IS_TEXT", "The year is a text; “{found}” was read as {read}.",
    "年份是文本，“{found}”已读作 {read}。",
)  # fmt: skip
YEAR_UNREAD = _read("YEAR_UNREAD", "“{found}” is no year.", "“{found}”不是年份。")
NUMBER_IS_TEXT = _read(
    "NUMBER_IS_TEXT", "The number is a text; “{found}” was read as {read}.",
    "数字写成了文本，“{found}”已读作 {read}。",
)  # fmt: skip
NUMBER_UNREAD = _read("NUMBER_UNREAD", "“{found}” is no number here.", "“{found}”在此不是数字。")
FLAG_IS_TEXT = _read("FLAG_IS_TEXT", "“{found}” was read as {read}.", "“{found}”已读作 {read}。")
FLAG_UNREAD = _read(
    "FLAG_UNREAD", "“{found}” is neither true nor false.", "“{found}”既不是 true 也不是 false。"
)
OBJECT_UNREAD = _read(
    "OBJECT_UNREAD", "An object in braces was expected.", "此处应为花括号括起的对象。"
)
AUTHORS_ARE_TEXT = _read(
    "AUTHORS_ARE_TEXT", "The authors are one text; read as {count}: {read}.",
    "作者是一段文本，已读作 {count} 位：{read}。",
)  # fmt: skip
AUTHORS_READ = _read("AUTHORS_READ", "The authors were read as {read}.", "作者已读作 {read}。")
LIST_IS_TEXT = _read(
    "LIST_IS_TEXT",
    "This is one text; read as {count}: {read}.",
    "这是一段文本，已读作 {count} 项：{read}。",
)
LIST_READ = _read("LIST_READ", "The list was read as {read}.", "列表已读作 {read}。")
DOI_FOLDED = _read(
    "DOI_FOLDED", "The DOI “{found}” was read as {read}.", "DOI“{found}”已读作 {read}。"
)
DOI_UNREAD = _read("DOI_UNREAD", "“{found}” is no DOI.", "“{found}”不是 DOI。")

# --- Rejections --------------------------------------------------------------------------------

NO_RULE = Rule(
    "NO_RULE",
    Text("This line names no rejection_rule.", "此行没有 rejection_rule。"),
    Text(
        "Say by which rule the source was turned away, as in low_score.",
        "请写明按哪条规则拒收，例如 low_score。",
    ),
)
TIME_READ = _read(
    "TIME_READ", "The time “{found}” was read as {read}.", "时间“{found}”已读作 {read}。"
)
TIME_UNREAD = _read("TIME_UNREAD", "“{found}” is no time.", "“{found}”不是时间。")
REJECTED_TWICE = Rule(
    "REJECTED_TWICE",
    Text(
        "{id} is rejected by another rule already; this line is kept beside it.",
        "{id} 已按另一条规则拒收，此行一并保留。",
    ),
)
ADMITTED_HERE = Rule(
    "ADMITTED_HERE",
    Text(
        "{id} is admitted in this project; the line does not change that.",
        "{id} 在本项目中已入库，此行不改变其状态。",
    ),
)
