"""Name files that hold no claims as what they are."""

import re
from collections.abc import Sequence
from typing import Any

from workbench.lib.texts import Text

from .values import objects

BIBTEX = Text("A bibliography (BibTeX), no claims.", "参考文献（BibTeX），不含论断。")
IDENTIFIERS = Text("A list of identifiers, no claims.", "标识清单，不含论断。")
YAML = Text("YAML, which is not read. Save it as JSON.", "YAML 文件，无法读取。请另存为 JSON。")
PROSE = Text(
    "A text, not claims as records. It is kept beside a report, not imported by itself.",
    "一篇文本，不是论断记录；可随报告保存，不单独导入。",
)
SCHEMA = Text("A JSON schema, no claims.", "JSON 模式，不含论断。")
RUN_LOG = Text("A run log, no claims.", "运行日志，不含论断。")
BIBLIOGRAPHY = Text("A bibliography, no claims.", "参考文献，不含论断。")
RAW_ANSWER = Text(
    "The raw answer of a research model: prose without claims as records. Which sentence rests on "
    "which source would have to be guessed.",
    "研究模型的原始回答：没有论断记录的文章；哪句话依据哪个信源只能猜测。",
)
RUN_METADATA = Text("Data about a run, no claims.", "运行信息，不含论断。")
COUNTS = Text("A summary of counts, no claims.", "统计汇总，不含论断。")
DECISION = Text("A decision about claims, not the claims.", "对论断的判断，不含论断本身。")
EVIDENCE = Text("Evidence that the claims of {other} point to.", "{other} 中的论断所引用的证据。")
COPY = Text("Claims that {other} holds too.", "{other} 中也有的论断。")
OTHER_KEYS = Text(
    "Claims under other keys. Import this file by itself.", "键名不同的论断。请单独导入此文件。"
)
UNKNOWN = Text("No claims were recognised here.", "此处未识别出论断。")
NOT_JSON = Text("Not JSON, and nothing that is known here.", "不是 JSON，也不是已知的格式。")

_DOI = re.compile(r"\b10\.\d{4,9}/\S+")
_LOG_KEYS = frozenset({"event", "event_type", "event_id", "stage", "started_at", "finished_at"})
_ATTEMPT_KEYS = frozenset({"http_status", "tool", "status", "attempt", "level", "timestamp"})
_RUN_KEYS = frozenset({"session_id", "run_id", "job", "job_id", "phases", "providers", "artifacts"})
_DECISION_KEYS = frozenset({"gate_status", "blocking_claim_ids", "verdict", "decision"})
_LIST_KEYS = ("citations", "sources", "references", "bibliography")


def kind_of_text(path: str, text: str) -> Text:
    """Name a file that is no JSON."""
    head = text.lstrip()[:4_000]
    if re.match(r"@\w+\s*\{", head):
        return BIBTEX
    if path.endswith((".yaml", ".yml")):
        return YAML
    lines = [line for line in head.splitlines() if line.strip() and not line.startswith("#")]
    if (
        lines
        and sum(bool(_DOI.search(line)) for line in lines) * 2 > len(lines)
        and (max(map(len, lines)) < 200)
    ):
        return IDENTIFIERS
    return PROSE if path.endswith((".md", ".txt", ".html", ".csv")) else NOT_JSON


def kind_of_records(records: Sequence[dict[str, Any]]) -> Text:
    """Name a list of records without claims."""
    keys = [record.keys() for record in records[:200]]
    half = len(keys) / 2
    if sum(bool(each & _LOG_KEYS) for each in keys) > half:
        return RUN_LOG
    if sum(len(each & _ATTEMPT_KEYS) >= 2 for each in keys) > half:
        return RUN_LOG
    if sum("title" in each or "url" in each or "doi" in each for each in keys) > half:
        return BIBLIOGRAPHY
    return UNKNOWN


def kind_of_document(root: Any) -> Text:
    """Name a JSON document without claims."""
    if isinstance(root, list):
        return kind_of_records(objects(root))
    if not isinstance(root, dict):
        return UNKNOWN
    if "$schema" in root and ("properties" in root or "$defs" in root):
        return SCHEMA
    if isinstance(root.get("content"), str) and len(root["content"]) > 500:
        return RAW_ANSWER
    if root and all(isinstance(value, int | float) for value in root.values()):
        return COUNTS
    if root.keys() & _DECISION_KEYS:
        return DECISION
    if any(objects(root.get(key)) for key in _LIST_KEYS):
        return BIBLIOGRAPHY
    if root.keys() & _RUN_KEYS:
        return RUN_METADATA
    return UNKNOWN
