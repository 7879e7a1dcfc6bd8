"""The errors and notices of an import, in words."""

from workbench.lib.texts import Text

from .problems import Rule

_ONLY_VALID = Text(
    en="Mend the file, or import the rest by choosing “only valid lines”.",
    zh="请修正文件，或选择“只导入有效行”导入其余部分。",
)

ARCHIVE = Rule("ARCHIVE", Text("{fault}", "{fault}"), Text("Nothing was read.", "未读取任何内容。"))
MEMBER = Rule("MEMBER", Text("{fault}", "{fault}"), _ONLY_VALID)
JSON = Rule("JSON", Text("{fault}", "{fault}"), _ONLY_VALID)
ROOT = Rule(
    "ROOT",
    Text("An object with the key {key} was expected.", "此处应为带有 {key} 键的对象。"),
    _ONLY_VALID,
)
NO_CLAIMS = Rule(
    "NO_CLAIMS",
    Text("There is no array of claims under “{key}”.", "“{key}”下没有论断数组。"),
    _ONLY_VALID,
)
CLAIM_NOT_OBJECT = Rule(
    "CLAIM_NOT_OBJECT",
    Text("This claim is no object in braces.", "此论断不是花括号括起的对象。"),
    _ONLY_VALID,
)
CLAIM_WITHOUT_TEXT = Rule(
    "CLAIM_WITHOUT_TEXT",
    Text("This claim has no text.", "此论断没有文本。"),
    _ONLY_VALID,
)
SOURCE_NOT_OBJECT = Rule(
    "SOURCE_NOT_OBJECT",
    Text("This source is no object in braces; it was left out.", "此信源不是对象，已略过。"),
)
SNAPSHOT_DAMAGED = Rule(
    "SNAPSHOT_DAMAGED",
    Text("{fault}", "{fault}"),
    Text(
        en="Put the text back as it was captured, or import the rest (“only valid lines”).",
        zh="请恢复抓取时的原文，或选择“只导入有效行”导入其余部分。",
    ),
)
UNKNOWN_DIALECT = Rule(
    "UNKNOWN_DIALECT",
    Text(
        en="This ledger has keys of its own, which were not recognised.",
        zh="无法直接识别此清单的键名。",
    ),
    Text(
        en="Look at the proposed mapping, save it, and import with it (--mapping).",
        zh="请查看建议的映射，保存后以 --mapping 导入。",
    ),
)
UNREADABLE_KIND = Rule(
    "NOTHING_TO_IMPORT",
    Text("No file here holds claims.", "这里没有含论断的文件。"),
    Text(
        en="Import the ledger or the report directory that names its claims.",
        zh="请导入列出论断的清单或报告目录。",
    ),
)
BAD_MAPPING = Rule(
    "BAD_MAPPING",
    Text("The mapping cannot be used: {reason}.", "映射无法使用：{reason}。"),
    Text("Compare it with docs/formats.md, “Mappings”.", "请对照 docs/formats.md 的“映射”一节。"),
)
NOTHING_MAPPED = Rule(
    "NOTHING_MAPPED",
    Text(
        en="The mapping finds no claim in this file (records: “{records}”).",
        zh="按此映射，文件中没有论断（records：“{records}”）。",
    ),
    Text("Ask for a proposal with --propose-mapping.", "可用 --propose-mapping 取得建议。"),
)

KNOWN_DIALECT = Rule(
    "KNOWN_DIALECT",
    Text(
        en="This is known by itself and needs no mapping: {files}.",
        zh="此格式可直接识别，无需映射：{files}。",
    ),
    Text("Import it without --mapping.", "请直接导入，不用 --mapping。"),
)
NOT_CLAIMS = Rule("NOT_CLAIMS", Text("{kind}", "{kind}"))
TOLERATED = Rule("TOLERATED", Text("{notice}", "{notice}"))
OWN_REVIEWS = Rule(
    "OWN_REVIEWS",
    Text(
        en="An export of this workbench: its {count} review files were not imported; decisions "
        "stay as they are in the project.",
        zh="这是本工作台的导出：其中 {count} 个审查文件未导入；项目中的审查决定保持不变。",
    ),
)
REVIEW_CHANGED = Rule(
    "REVIEW_CHANGED",
    Text(
        en="This review file was changed after it was exported; it is kept as a file, and no "
        "decision is read from it.",
        zh="该审查文件在导出后被改动；作为文件保留，不从中读取任何决定。",
    ),
)
DANGLING_SOURCE = Rule(
    "DANGLING_SOURCE",
    Text(
        en="No source answers to “{ref}”; the evidence is kept without one.",
        zh="没有与“{ref}”对应的信源；证据仍保留，不关联信源。",
    ),
)
DANGLING_SNAPSHOT = Rule(
    "DANGLING_SNAPSHOT",
    Text(
        en="No snapshot answers to “{ref}”; the quote cannot be checked.",
        zh="没有与“{ref}”对应的快照，引文无法核对。",
    ),
)
SNAPSHOT_OF_OTHER_URL = Rule(
    "SNAPSHOT_OF_OTHER_URL",
    Text(
        en="The snapshot is of {captured}, the source is {cited}.",
        zh="快照来自 {captured}，而信源是 {cited}。",
    ),
)
SPLIT_REFS = Rule(
    "SPLIT_REFS",
    Text(
        en="“{ref}” names {count} sources; the evidence became one item for each.",
        zh="“{ref}”指向 {count} 个信源；证据按信源拆分。",
    ),
)
SCOPED_CLAIM = Rule(
    "SCOPED_CLAIM",
    Text(
        en="Another file uses the id “{id}” for another text; this one is “{scoped}”.",
        zh="另一文件用编号“{id}”表示不同的文本；此处记为“{scoped}”。",
    ),
)
SCOPED_SOURCE = Rule(
    "SCOPED_SOURCE",
    Text(
        en="Another file uses the source id “{id}” for another address; this one is “{scoped}”.",
        zh="另一文件用信源编号“{id}”表示不同的地址；此处记为“{scoped}”。",
    ),
)
REPEATED_ID = Rule(
    "REPEATED_ID",
    Text(
        "The id “{id}” stands again in this file; this one is “{scoped}”.",
        "编号“{id}”在此文件中重复出现；此处记为“{scoped}”。",
    ),
)
MERGED_CLAIM = Rule(
    "MERGED_CLAIM",
    Text(
        en="“{id}” stands in {other} with the same text; it is one claim.",
        zh="“{id}”在 {other} 中文本相同，视为同一论断。",
    ),
)
NO_ID = Rule(
    "NO_ID",
    Text("The claim has no id; it is called “{id}”.", "论断没有编号，记为“{id}”。"),
)
SHORTENED = Rule(
    "SHORTENED",
    Text(
        en="The value is longer than {limit} characters; it is whole in the extra fields.",
        zh="该值超过 {limit} 个字符，全文保存在附加字段中。",
    ),
)
ODD_URL = Rule(
    "ODD_URL",
    Text("“{url}” is no web address: {fault}", "“{url}”不是网址：{fault}"),
)
SOURCE_DIFFERS = Rule(
    "SOURCE_DIFFERS",
    Text(
        en="The source “{id}” is described differently in {other}; both are kept.",
        zh="信源“{id}”在 {other} 中的描述不同；两者均保留。",
    ),
)
SAME_PAGE = Rule(
    "SAME_PAGE",
    Text(
        en="“{id}” and “{other}” may be one page (their addresses differ in tracking only).",
        zh="“{id}”与“{other}”可能是同一页面（地址仅跟踪参数不同）。",
    ),
)
TEXT_NOT_KEPT = Rule(
    "TEXT_NOT_KEPT",
    Text(
        en="The text of the source was not kept as a snapshot: {fault}",
        zh="信源文本未存为快照：{fault}",
    ),
)
POOR_CAPTURE = Rule(
    "POOR_CAPTURE",
    Text(
        en="The capture of {url} is no full text: {depth} ({reason}).",
        zh="{url} 的抓取不是全文：{depth}（{reason}）。",
    ),
)
FAILED_FETCH = Rule(
    "FAILED_FETCH",
    Text(
        en="The quote is what a failed fetch gave, no passage of the source: {reason}.",
        zh="引文是抓取失败的返回内容，而非信源原文：{reason}。",
    ),
)
ORPHAN_CACHE_FILE = Rule(
    "ORPHAN_CACHE_FILE",
    Text(
        en="This file of the source cache is no text with its metadata; it is only kept.",
        zh="source_cache 中的此文件不是带元数据的文本，仅作保存。",
    ),
)
CONTRACT = Rule("CONTRACT", Text("{code}: {fault}", "{code}：{fault}"))
UNRESOLVED_MARKERS = Rule(
    "UNRESOLVED_MARKERS",
    Text(
        en="Citation markers that lead nowhere: {count} ({examples}).",
        zh="{count} 个引用标记无法解析：{examples}。",
    ),
)
SECOND_REFERENCES = Rule(
    "SECOND_REFERENCES",
    Text(
        en="The report has {count} lists of references; numbers are read by citations.json only.",
        zh="报告含 {count} 个参考文献列表；编号只按 citations.json 解析。",
    ),
)
DIMENSION_WITHOUT_FILE = Rule(
    "DIMENSION_WITHOUT_FILE",
    Text(
        en="The plan names {id}, but no evidence file holds it.",
        zh="计划中有 {id}，但没有对应的证据文件。",
    ),
)
UNUSED_PART = Rule(
    "UNUSED_PART",
    Text("{part} was kept but not understood: {fault}", "{part} 已保存但无法解读：{fault}"),
)
_MEND_PART = Text(
    en="Correct it in the file, then import the report again. All else in it was used.",
    zh="请在文件中改正后重新导入报告；文件的其余内容已采用。",
)
PART_VALUE = Rule(
    "PART_VALUE",
    Text("Expected here: {expected}. Found: {found}.", "此处应为{expected}，实际为：{found}。"),
    _MEND_PART,
)
PART_CHOICE = Rule(
    "PART_CHOICE",
    Text(
        "Expected here: one of {choices}. Found: {found}.",
        "此处应为 {choices} 之一，实际为：{found}。",
    ),
    _MEND_PART,
)
PART_MISSING = Rule(
    "PART_MISSING",
    Text("The key {key} is missing here.", "此处缺少键 {key}。"),
    Text(
        en="Add it to the file, then import the report again. All else in it was used.",
        zh="请在文件中补上后重新导入报告；文件的其余内容已采用。",
    ),
)
PART_UNKNOWN_ID = Rule(
    "PART_UNKNOWN_ID",
    Text("No {kind} of this report has the id “{id}”.", "报告中没有编号为“{id}”的{kind}。"),
    Text(
        en="Correct the id, or add what it names; then import the report again.",
        zh="请改正编号或补上所指内容，然后在文件中保存并重新导入报告。",
    ),
)
PART_REPEATED = Rule(
    "PART_REPEATED",
    Text(
        "“{value}” stands at {first} already; the first one counts.",
        "“{value}”已在 {first} 出现；以第一处为准。",
    ),
    Text(
        en="Give each its own, then import the report again.",
        zh="请为每一处使用不同的值，然后重新导入报告。",
    ),
)
PART_MIXED = Rule(
    "PART_MIXED",
    Text(
        "The outline has both content_units and sections; only content_units are read.",
        "大纲同时含有 content_units 和 sections；只读取 content_units。",
    ),
    Text(
        en="Keep one of them: content_units in version 2.0, sections in version 1.0.",
        zh="请只保留其一：2.0 版用 content_units，1.0 版用 sections。",
    ),
)
GONE_CLAIMS = Rule(
    "GONE_CLAIMS",
    Text(
        en="Claims of an earlier import that this file lacks: {count} ({examples}).",
        zh="先前导入的 {count} 条论断已不在此文件中：{examples}。",
    ),
)
FILE_STAYS = Rule(
    "FILE_STAYS",
    Text(
        en="An earlier import brought this file, this one does not; its {count} claims stay.",
        zh="此文件来自先前的导入，本次没有；其 {count} 条论断保持不变。",
    ),
)
KEPT_OLD = Rule(
    "KEPT_OLD",
    Text(
        en="Changed claims, left as they are as chosen: {count}.",
        zh="按所选方式，{count} 条有变化的论断保持原样。",
    ),
)
SAME_UPLOAD = Rule(
    "SAME_UPLOAD",
    Text(
        en="This very upload was imported before (import {batch}, {when}). Nothing was changed.",
        zh="此文件已导入过（第 {batch} 次导入，{when}）。未作任何更改。",
    ),
)
VERSION_NOT_FIXED = Rule(
    "VERSION_NOT_FIXED",
    Text(
        en="Evidence that names no snapshot, though its address has several: {count}.",
        zh="{count} 条证据未指明快照，而其地址有多个版本。",
    ),
)
