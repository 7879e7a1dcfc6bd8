"""Which key of a foreign record plays which part: by its name, and by what its values look like."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .values import text_of

SAMPLE = 200  # records that are looked at
MOST = 0.8  # share of records that must have what a key promises

# Names as met in real ledgers; the number says how much the name alone tells.
CLAIM_TEXT: Mapping[str, int] = {
    "claim_text": 5,
    "claim": 5,
    "claims": 4,
    "assertion": 5,
    "claim_content": 5,
    "断言": 5,
    "论断": 5,
    "statement": 4,
    "finding": 3,
    "fact": 3,
    "conclusion": 3,
    "sentence": 2,
    "text": 2,
}
STRONG = 3  # from here on a name needs no source beside it
CLAIM_ID = ("claim_id", "id", "uid", "claimId", "key", "编号")
KIND = ("kind", "claim_type", "claim_kind", "type", "evidenceType")
POLARITY = ("polarity", "stance")
TOPIC = ("topic_tag", "topic", "tag", "category", "specialty", "section_ref")
DIMENSION = ("dimension_id", "dimension", "chapter")
URL = (
    "source_url",
    "url",
    "canonical_uri",
    "canonical_url",
    "uri",
    "link",
    "href",
    "citation_url",
    "citation",
    "source",
    "reference",
    "链接",
    "来源链接",
)
ADDRESS = ("url", "uri", "source_url", "link")
SNIPPET = (
    "quote",
    "snippet",
    "excerpt",
    "passage",
    "evidence_text",
    "quoted_text",
    "evidence_quote",
    "supporting_text",
    "span",
    "引文",
    "原文",
)
SNIPPET_INSIDE = (*SNIPPET, "text", "content")  # within an evidence object
SNAPSHOT = (
    "source_text",
    "snapshot_text",
    "page_text",
    "source_content",
    "full_text",
    "snapshot",
    "page_content",
    "raw_content",
)
TITLE = ("source_title", "title", "source_name", "citation", "citation_text", "name")
DATE = ("published_at", "publish_date", "publication_date", "date", "as_of", "year")
QUALITY = ("quality", "tier", "source_tier", "source_quality", "source_type")
QUOTE_TYPE = ("quote_type", "evidence_type")
EVIDENCE_LISTS = (
    "evidence",
    "evidences",
    "evidence_items",
    "supporting_evidence",
    "supports",
    "citations",
    "quotes",
    "sources",
    "references",
    "证据",
)
SOURCE_OBJECTS = ("source", "sourceReference", "source_reference", "reference", "citation")
_IDS = re.compile(r"(?:.*_)?(?:ids?|refs?)|.*(?:Ids?|Refs?)")
_URL_VALUE = re.compile(r"\s*(?:https?|ipfs|file|cel|doi)://?\S+|\s*https?:\S+", re.IGNORECASE)
_CJK = re.compile("[\u3400-\u9fff]")
SHORTEST = 12  # characters of a claim on average; Chinese says as much in half of them


def values_of(records: Sequence[Mapping[str, Any]], key: str) -> list[Any]:
    """Give the values of a key that are there."""
    return [r[key] for r in records[:SAMPLE] if r.get(key) not in (None, "", [])]


def keys_of(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """Give the keys of records in the order in which they are met."""
    return list(dict.fromkeys(key for record in records[:SAMPLE] for key in record))


def is_mostly(values: Iterable[Any], kind: type | tuple[type, ...]) -> bool:
    """Tell whether nearly all values are of a type; False for none."""
    held = list(values)
    return bool(held) and sum(isinstance(v, kind) for v in held) >= MOST * len(held)


def is_prose(values: Sequence[Any]) -> bool:
    """Tell whether values read like sentences and not like ids or labels."""
    texts = [value for value in values if isinstance(value, str)]
    if not texts or len(texts) < MOST * len(values):
        return False
    if sum(bool(_URL_VALUE.fullmatch(text)) for text in texts) * 2 > len(texts):
        return False
    lengths = [len(text) * (2 if _CJK.search(text) else 1) for text in texts]
    return sum(lengths) / len(lengths) >= SHORTEST


def are_urls(values: Sequence[Any]) -> bool:
    """Tell whether most values are addresses."""
    texts = [value for value in values if isinstance(value, str)]
    return bool(texts) and sum(bool(_URL_VALUE.match(t)) for t in texts) * 2 > len(values)


def are_ids(key: str, values: Sequence[Any]) -> bool:
    """Tell whether values are short names of something that stands elsewhere."""
    return bool(_IDS.fullmatch(key)) and all(
        isinstance(v, str | int) and len(text_of(v)) <= 200 for v in values
    )


def first_key(
    records: Sequence[Mapping[str, Any]], names: Iterable[str], *, urls: bool | None = None
) -> str:
    """Give the first name that is a key of plain values; with ``urls`` only (not) of addresses."""
    for name in names:
        values = values_of(records, name)
        if not values or not is_mostly(values, (str, int, float)):
            continue
        if urls is None or are_urls(values) == urls:
            return name
    return ""


def claim_text(records: Sequence[Mapping[str, Any]]) -> tuple[str, int]:
    """Give the path of the claims' text and how sure its name makes; empty without one."""
    best, weight = "", 0
    for key in keys_of(records):
        score = CLAIM_TEXT.get(key, 0)
        if score <= weight:
            continue
        values = values_of(records, key)
        if len(values) < MOST * min(len(records), SAMPLE):
            continue
        if is_mostly(values, dict):
            inner, inside = claim_text([v for v in values if isinstance(v, dict)])
            if inner:
                best, weight = f"{key}.{inner}", max(score, inside)
        elif is_prose(values) and values != values_of(records, "title"):
            best, weight = key, score
    return best, weight
