"""What the reading of receipts says, in words."""

from sources.exchange.rules import KEPT, ONLY_VALID
from workbench.lib.problems import Rule
from workbench.lib.texts import Text

NO_RECEIPT_ID = Rule(
    "NO_RECEIPT_ID",
    Text(
        en="This line has no receipt_id of at most 200 characters; no source could name it.",
        zh="此行没有 receipt_id（最长 200 字符），信源无法引用它。",
    ),
    ONLY_VALID,
)
RECEIPT_TWICE = Rule(
    "RECEIPT_TWICE",
    Text(
        en="The receipt {id} stands in line {first} too, with other content.",
        zh="回执 {id} 已在第 {first} 行出现，内容不同。",
    ),
    Text("Give one of them another id.", "请为其中一行换一个 id。"),
)
RECEIPT_CHANGED = Rule(
    "RECEIPT_CHANGED",
    Text(
        en="The project has the receipt {id} with other content. A receipt is written once.",
        zh="项目中已有内容不同的回执 {id}。回执写入后不再更改。",
    ),
    Text(
        en="Give the new search an id of its own, or leave this line out.",
        zh="请为新的检索另取 id，或略去此行。",
    ),
)
LINE_TWICE = Rule(
    "LINE_TWICE",
    Text(
        "The same line stands in line {first}; it counts once.", "与第 {first} 行相同，只计一次。"
    ),
)
ID_READ = Rule("ID_READ", Text("“{found}” was read as {read}.", "“{found}”已读作 {read}。"), KEPT)
TIME_READ = Rule(
    "TIME_READ",
    Text("The time “{found}” was read as {read}.", "时间“{found}”已读作 {read}。"),
    KEPT,
)
TIME_UNREAD = Rule("TIME_UNREAD", Text("“{found}” is no time.", "“{found}”不是时间。"), KEPT)
COUNT_READ = Rule(
    "COUNT_READ", Text("“{found}” was read as {read}.", "“{found}”已读作 {read}。"), KEPT
)
COUNT_UNREAD = Rule(
    "COUNT_UNREAD",
    Text("“{found}” is no whole number here.", "“{found}”在此不是整数。"),
    KEPT,
)
TOO_LONG = Rule(
    "TOO_LONG",
    Text("This is too long for its field and was not read.", "超出字段长度，未读取。"),
    KEPT,
)
UNKNOWN_WORD = Rule(
    "UNKNOWN_WORD",
    Text("“{found}” is none of the known values.", "“{found}”不是已知取值。"),
    KEPT,
)
