"""The rules of evidence.json 1.1 and 1.2 in words (formats.md section 6)."""

from reviews.contracts.rule_forms import (
    filled,
    length_between,
    must_be_object,
    one_of,
    pattern,
    rule,
)

VERSIONS = ("1.1", "1.2")
MODES = ("initial", "quick", "supplement")
NEEDS = (
    "entity_selection",
    "taxonomy_definition",
    "time_window",
    "hypothesis_definition",
    "source_targeting",
)
QUALITIES = ("primary", "secondary", "tertiary")
CONTEXT_KINDS = (
    "source_profile",
    "methodology",
    "scope_boundary",
    "availability_gap",
    "unresolved_gap",
)
KINDS = ("factual", "interpretive", "projective")
POLARITIES = ("support", "refute", "neutral")
QUOTE_TYPES = ("direct", "paraphrase", "numeric")


STRUCT = must_be_object("STRUCT", "The document", "文件最外层")

VERSION_UNKNOWN = one_of("V001", "schema_version", VERSIONS)
VERSION_REQUIRED = rule(
    "V001",
    "Version {required} is required, but the file says {found}.",
    "要求版本 {required}，文件写的是 {found}。",
    "Write the file in the required version, or ask for the one it has.",
    "请按要求的版本生成文件，或改为要求文件现有的版本。",
)
CACHE_NEEDED = rule(
    "V037",
    "Version 1.2 can only be verified with its source cache.",
    "1.2 版必须连同信源快照（source_cache）一起核验。",
    "Name the folder with --source-cache.",
    "请用 --source-cache 指明快照目录。",
)
DIMENSION_ID = pattern("V002", "dimension_id", "d1")
MODE_UNKNOWN = one_of("V018", "mode", MODES)
MODE_EXPECTED = rule(
    "V009",
    "The mode should be {expected}, but the file says {found}.",
    "模式应为 {expected}，文件写的是 {found}。",
    "Check which run wrote this file.",
    "请确认该文件出自哪一次运行。",
)
MODE_PLANNED = rule(
    "V009",
    "Planned research cannot use the mode quick.",
    "有计划的研究不能使用 quick 模式。",
    "Run the dimension in the mode of the plan, or validate without a plan.",
    "请按计划的模式重做该维度，或在核验时不提供计划。",
)

USAGE_ARRAY = rule(
    "V007",
    "upstream_usage must be an array.",
    "upstream_usage 必须是数组。",
    "Write an empty array if nothing was used; version 1.2 requires it.",
    "没有用到上游时请写空数组；1.2 版必须有此字段。",
)
USAGE_OBJECT = must_be_object("V007", "Each item of upstream_usage", "upstream_usage 的每一项")
USAGE_DIMENSION = pattern("V007", "The upstream dimension_id", "d1", zh="上游的 dimension_id ")
USAGE_SELF = rule(
    "V007",
    "The dimension names itself as its upstream.",
    "该维度把自己列为上游。",
    "Name the other dimension, or remove the item.",
    "请填写另一个维度，或删除该项。",
)
USAGE_REPEATED = rule(
    "V007",
    "The upstream dimension {found} is listed twice.",
    "上游维度 {found} 重复出现。",
    "Merge the two items.",
    "请合并这两项。",
)
USAGE_NEED = one_of("V007", "needed_for", NEEDS)
USAGE_CONSUMED = filled("V007", "consumed_claim_ids")
USAGE_CLAIM_ID = pattern("V007", "The consumed claim id", "d1.c1", zh="所用论断的编号")
USAGE_CLAIM_FOREIGN = rule(
    "V007",
    "The claim {found} does not belong to {upstream}.",
    "论断 {found} 不属于 {upstream}。",
    "Name claims of this upstream dimension only.",
    "请只列该上游维度的论断。",
)
USAGE_NOTES = filled("V007", "scope_changes, skipped_searches")
USAGE_NOTE_BLANK = rule(
    "V007",
    "A note on the use of the upstream is blank.",
    "关于上游用法的说明为空。",
    "Say what changed or what was skipped, or remove the item.",
    "请写明改动或省去的内容，或删除该项。",
)

QUICK_USES_UPSTREAM = rule(
    "V008",
    "Evidence in the mode quick cannot use upstream dimensions.",
    "quick 模式的证据不能引用上游维度。",
    "Empty upstream_usage, or use another mode.",
    "请清空 upstream_usage，或改用其他模式。",
)
PLAN_OBJECT = must_be_object("V008", "The plan", "计划文件最外层")
PLAN_DIMENSIONS = rule(
    "V008",
    "The plan has no array of dimensions.",
    "计划里没有 dimensions 数组。",
    "Give the plan.json of this report.",
    "请提供本报告的 plan.json。",
)
PLAN_LACKS_DIMENSION = rule(
    "V008",
    "The plan has no dimension {found}.",
    "计划里没有维度 {found}。",
    "Check the dimension_id, and that the plan is of this report.",
    "请核对 dimension_id，并确认计划属于本报告。",
)
PLAN_INPUTS = rule(
    "V008",
    "The plan has no array dependency_inputs for this dimension.",
    "计划里该维度没有 dependency_inputs 数组。",
    "Correct the plan.",
    "请改正计划。",
)
PLAN_DIFFERS = rule(
    "V008",
    "upstream_usage differs from the plan (planned: {planned}; found: {found}).",
    "upstream_usage 与计划不一致（计划：{planned}；实际：{found}）。",
    "Use exactly the inputs that the plan names, for the same needs.",
    "请只使用计划所列的输入，用途也要一致。",
)
UPSTREAM_NEEDED = rule(
    "V008",
    "The plan names upstream dimensions, but no upstream evidence was given.",
    "计划列有上游维度，但没有提供上游证据文件。",
    "Give their evidence files with --upstream-evidence.",
    "请用 --upstream-evidence 提供这些证据文件。",
)
UPSTREAM_OBJECT = must_be_object("V008", "Each upstream evidence file", "每个上游证据文件最外层")
UPSTREAM_DIMENSION = pattern(
    "V008",
    "The dimension_id of an upstream evidence file",
    "d1",
    zh="上游证据文件的 dimension_id ",
)
UPSTREAM_ARRAY = rule(
    "V008",
    "{path} of the upstream evidence must be an array.",
    "上游证据的 {path} 必须是数组。",
    "Correct the upstream file, or leave the field out.",
    "请改正上游文件，或省去该字段。",
)
UPSTREAM_REPEATED = rule(
    "V008",
    "The upstream evidence of {found} was given twice.",
    "{found} 的上游证据提供了两次。",
    "Give each file once.",
    "每个文件只需提供一次。",
)
UPSTREAM_MISSING = rule(
    "V008",
    "There is no upstream evidence file of {found}.",
    "没有 {found} 的上游证据文件。",
    "Give it with --upstream-evidence, or correct upstream_usage.",
    "请用 --upstream-evidence 提供，或改正 upstream_usage。",
)
UPSTREAM_CLAIM = rule(
    "V008",
    "No key finding of {upstream} rests on a claim {found}.",
    "{upstream} 的关键发现中没有以论断 {found} 为依据的。",
    "Consume only claims that a key finding of that dimension names.",
    "请只引用该维度关键发现所列的论断。",
)

HEADLINE = length_between("V003", "headline", 5, 200)
CLAIMS = filled("V004", "claims")
SOURCES = filled("V005", "sources")

SOURCE_OBJECT = must_be_object("V010", "Each source", "每个信源")
SOURCE_ID = pattern("V011", "The source id", "port_report_2024", zh="信源编号")
SOURCE_REPEATED = rule(
    "V012",
    "Two sources share the id {found}.",
    "两个信源共用编号 {found}。",
    "Give each source its own id.",
    "请为每个信源使用不同的编号。",
)
SOURCE_URL = rule(
    "V013",
    "The source has no URL.",
    "该信源没有网址。",
    "Enter the address of the page.",
    "请填写网页地址。",
)
SOURCE_URL_INVALID = rule(
    "V014",
    "The URL of the source cannot be read: {reason}.",
    "该信源的网址无法识别：{reason}。",
    "Enter a complete http or https address without user name.",
    "请填写完整的 http 或 https 地址，且不含用户名。",
)
SOURCE_TITLE = rule(
    "V015",
    "The source has no title.",
    "该信源没有标题。",
    "Enter the title of the page.",
    "请填写网页标题。",
)
SOURCE_QUALITY = one_of("V016", "quality", QUALITIES)
SOURCE_DATE = pattern("V017", "published_at", "2024, 2024-12, 2024-12-31")

CONTEXT_ARRAY = rule(
    "V060",
    "writing_context must be an array.",
    "writing_context 必须是数组。",
    "Write an array of objects, or leave the field out.",
    "请写成对象数组，或省去该字段。",
)
CONTEXT_OBJECT = must_be_object("V060", "Each item of writing_context", "writing_context 的每一项")
CONTEXT_ID = pattern("V061", "The context id", "d1.w1", zh="上下文编号")
CONTEXT_FOREIGN = rule(
    "V061",
    "The context {found} does not belong to {dimension}.",
    "背景说明 {found} 不属于 {dimension}。",
    "Start the id with the dimension of this file.",
    "编号应以本文件的维度开头。",
)
CONTEXT_REPEATED = rule(
    "V061",
    "Two contexts share the id {found}.",
    "两条背景说明共用编号 {found}。",
    "Give each context its own id.",
    "请为每条背景说明使用不同的编号。",
)
CONTEXT_KIND = one_of("V062", "kind", CONTEXT_KINDS)
CONTEXT_TEXT = length_between("V063", "text", 10, 500)
CONTEXT_USE = length_between("V064", "use", 10, 300)
CONTEXT_SOURCES = rule(
    "V065",
    "source_ids must be an array of different strings.",
    "source_ids 必须是互不相同的字符串数组。",
    "List each source once, by its id.",
    "请按编号列出信源，每个只列一次。",
)
CONTEXT_SOURCE_UNKNOWN = rule(
    "V065",
    "The file has no source {found}.",
    "文件里没有信源 {found}。",
    "Name the id of a source in this file.",
    "请填写本文件中某个信源的编号。",
)
CONTEXT_QUESTIONS = rule(
    "V066",
    "applies_to must be an array of different strings.",
    "applies_to 必须是互不相同的字符串数组。",
    "List each key question once, by its id.",
    "请按编号列出关键问题，每个只列一次。",
)
CONTEXT_QUESTION = pattern("V066", "The key question", "kq1", zh="关键问题")

CLAIM_OBJECT = must_be_object("V020", "Each claim", "每条论断")
CLAIM_ID = pattern("V021", "The claim id", "d1.c1", zh="论断编号")
CLAIM_REPEATED = rule(
    "V022",
    "Two claims share the id {found}.",
    "两条论断共用编号 {found}。",
    "Give each claim its own id.",
    "请为每条论断使用不同的编号。",
)
CLAIM_FOREIGN = rule(
    "V023",
    "The claim {found} does not belong to {dimension}.",
    "论断 {found} 不属于 {dimension}。",
    "Start the id with the dimension of this file.",
    "编号应以本文件的维度开头。",
)
CLAIM_TEXT = length_between("V024", "text", 5, 500)
CLAIM_KIND = one_of("V025", "kind", KINDS)
CLAIM_POLARITY = one_of("V026", "polarity", POLARITIES)
CLAIM_TAG = rule(
    "V027",
    "topic_tag is not a short English tag (found: {found}).",
    "topic_tag 不是简短的英文标签（实际为：{found}）。",
    "Use 1 to 30 lower-case letters, digits and underscores, a letter first.",
    "请用 1 至 30 个小写字母、数字和下划线，以字母开头。",
)
CLAIM_QUESTION = pattern("V028", "answers_key_question", "kq1")
CLAIM_EVIDENCE = filled("V029", "evidence")

EVIDENCE_OBJECT = must_be_object("V030", "Each piece of evidence", "每条证据")
EVIDENCE_SOURCE = rule(
    "V031",
    "The file has no source {found}.",
    "文件里没有信源 {found}。",
    "Name the id of a source in this file.",
    "请填写本文件中某个信源的编号。",
)
EVIDENCE_SNIPPET = rule(
    "V032",
    "The evidence has no snippet.",
    "该证据没有摘录。",
    "Copy the passage from the snapshot.",
    "请从快照中摘录原文。",
)
EVIDENCE_TYPE = one_of("V033", "quote_type", QUOTE_TYPES)
EVIDENCE_REF_MISSING = rule(
    "V034",
    "The evidence names no snapshot; version 1.2 requires one.",
    "该证据没有指明快照；1.2 版必须指明。",
    "Store the page and enter its snapshot_ref.",
    "请保存网页快照并填写 snapshot_ref。",
)
EVIDENCE_REF = rule(
    "V034",
    "The snapshot reference is not well formed (found: {found}).",
    "快照引用格式不对（实际为：{found}）。",
    "Write source_cache/<url_hash>/<content_hash>.md with two lower-case SHA-256 hashes.",
    "请写成 source_cache/<url_hash>/<content_hash>.md，其中是两个小写 SHA-256 值。",
)
SNAPSHOT = rule(
    "V035",
    "The snapshot could not be verified: {reason}.",
    "快照未通过核验：{reason}。",
    "Store the page again, or bring back the original file.",
    "请重新保存网页，或恢复原始文件。",
)
SNAPSHOT_LINE_ENDINGS = rule(
    "V035",
    "The snapshot does not have the hash in its name; it matches after CRLF → LF.",
    "快照与文件名中的哈希不符；把 CRLF 换成 LF 后即相符。",
    "Nothing but the line ends changed: copy the file again without conversion of line ends.",
    "只有换行符变了：请在不转换换行符的情况下重新复制该文件。",
)
QUOTE = rule(
    "V036",
    "The snippet does not occur in the snapshot.",
    "快照中找不到这段摘录。",
    "Open the snapshot and copy the passage, or mark it as a paraphrase.",
    "请打开快照照原文摘录，或将其标为转述（paraphrase）。",
)
FACTUAL_SUPPORT = rule(
    "V040",
    "A factual claim needs a primary or secondary source; this one has none.",
    "事实性论断至少需要一个一手或二手信源，该论断没有。",
    "Add such a source, or lower the claim.",
    "请补充这样的信源，或弱化该论断。",
)
INTERPRETIVE_SUPPORT = rule(
    "V041",
    "An interpretive claim needs {needed} different sources; this one has {found}.",
    "解释性论断需要 {needed} 个不同信源，该论断只有 {found} 个。",
    "Add evidence from another source.",
    "请补充另一信源的证据。",
)

FINDINGS = rule(
    "V006",
    "key_findings must be an array of {shortest} to {longest} items (found: {found}).",
    "key_findings 应为 {shortest} 至 {longest} 项的数组（实际：{found}）。",
    "Add, merge or remove key findings.",
    "请增补、合并或删去关键发现。",
)
FINDING_OBJECT = must_be_object("V050", "Each key finding", "每条关键发现")
FINDING_TEXT = length_between("V051", "finding", 10, 300)
FINDING_CLAIMS = filled("V052", "claim_ids")
FINDING_CLAIM = rule(
    "V053",
    "The file has no claim {found}.",
    "文件里没有论断 {found}。",
    "Name the id of a claim in this file.",
    "请填写本文件中某条论断的编号。",
)
