"""What an import of record files says about the files themselves, in words."""

from workbench.lib.problems import Rule
from workbench.lib.texts import Text

KIND_NAMES = {
    "sources": Text("sources", "信源"),
    "search_log": Text("search receipts", "检索回执"),
    "rejected_sources": Text("rejected sources", "拒收信源"),
    "ris": Text("references (RIS)", "参考文献（RIS）"),
    "bibtex": Text("references (BibTeX)", "参考文献（BibTeX）"),
}
NOT_THIS_KIND = Rule(
    "NOT_THIS_KIND",
    Text(
        en="This file does not hold {wanted}.",
        zh="此文件不含{wanted}。",
    ),
    Text(
        en="Check that the right file was given. Nothing was imported.",
        zh="请核对所给文件。未导入任何内容。",
    ),
)
OTHER_KIND = Rule(
    "OTHER_KIND",
    Text(
        en="This file holds {found}, not {wanted}.",
        zh="此文件内容是{found}，不是{wanted}。",
    ),
    Text(
        en="Use {command} for it. Nothing was imported.",
        zh="请改用 {command}。未导入任何内容。",
    ),
)
LEFT_ALONE = Rule(
    "LEFT_ALONE",
    Text(
        en="This file holds none of the records that are imported here; it was left alone.",
        zh="此文件不含可在此导入的记录，未作处理。",
    ),
)
NO_RECORDS = Rule(
    "NO_RECORDS",
    Text("No record was found in this file.", "此文件中没有记录。"),
)
COMMANDS = {
    "sources": "import_sources",
    "search_log": "import_receipts",
    "rejected_sources": "import_rejections",
    "ris": "import_sources",
    "bibtex": "import_sources",
}
