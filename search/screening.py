"""The words of screening: what may become of a record, and why. Pure. Rulebook section 5."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sources.identity import identity_of
from workbench.lib.texts import Text

OPEN, KEPT, DOWN, DROPPED, DUPLICATE = "open", "kept", "down", "dropped", "duplicate"
LEVELS = ("D1", "D2", "D3")
RETRACTED, BLACKLIST, SAME, IN_PROJECT = "retracted", "blacklist", "duplicate", "in_project"
OTHER = "other"

# Of what a person says when a record goes down, with the level that each stands for.
DOWN_REASONS: Mapping[str, tuple[str, Text]] = {
    "missing_date": ("D1", Text("No date", "缺少日期")),
    "partial_repost": ("D1", Text("Reprints in part", "部分转载")),
    "anonymous_source": ("D2", Text("Anonymous origin", "匿名消息")),
    "unverified_self_media": ("D2", Text("Unverified self-media", "未核实的自媒体")),
    "secondary_repost": ("D2", Text("Second-hand reprint", "二手转载")),
    "unverifiable_expert": ("D2", Text("Expert cannot be verified", "专家身份无法核实")),
    "relevance_60_80": ("D2", Text("Partly relevant (60–80 %)", "部分相关（60–80%）")),
    "relevance_below_60": ("D3", Text("Hardly relevant (below 60 %)", "相关性低（不足 60%）")),
    "aggregator_repost": ("D3", Text("Aggregator", "聚合站转载")),
    "content_farm": ("D3", Text("Content farm", "内容农场")),
}
DROP_REASONS: Mapping[str, Text] = {
    "off_topic": Text("Off topic", "与主题无关"),
    "pure_advertisement": Text("Advertisement", "纯广告"),
    "marketing_content": Text("Marketing", "营销内容"),
    "pure_dom_noise": Text("Page furniture only", "只有页面杂项"),
    "pseudo_entity": Text("Names what does not exist", "所述对象不存在"),
    "ai_hallucination": Text("Invented reference", "虚构的引用"),
    "tampered_content": Text("Altered content", "内容被篡改"),
    "paywall_empty": Text("Nothing but a paywall", "付费墙，无内容"),
    "low_snr_after_cleaning": Text("Hardly any content", "有效内容过少"),
    OTHER: Text("Another reason", "其他理由"),
}
# What the machine itself says; a person may say otherwise.
MACHINE_REASONS: Mapping[str, Text] = {
    RETRACTED: Text("Retracted, says {provider}", "{provider} 称已撤稿"),
    BLACKLIST: Text("A rule of the blacklist hits it: {pattern}", "黑名单规则命中：{pattern}"),
    SAME: Text("The same as record {other}", "与记录 {other} 相同"),
    IN_PROJECT: Text("{source} of the project is the same", "与项目中的 {source} 相同"),
}
# Of our own rows, in lists of rejections.
RULES: Mapping[str, Text] = {**DROP_REASONS, BLACKLIST: Text("Blacklisted", "黑名单")}
MIN_REASON = 3  # characters: enough for 误判


_OWN = ("doi", "pmid", "pmcid", "patent_number", "trial_id", "url")  # what identifies a result


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person or the machine makes of a record. Codes are keys of the lists above."""

    state: str
    code: str = ""
    reason: str = ""
    level: str = ""


def fault_of(choice: Choice) -> str:
    """Name what a choice lacks: "state", "level", "code" or "reason"; empty if nothing."""
    if choice.state == DOWN:
        if choice.level not in LEVELS:
            return "level"
        if choice.code and choice.code not in DOWN_REASONS:
            return "code"
        named = bool(choice.code) or len(choice.reason.strip()) >= MIN_REASON
        return "" if named else "reason"
    if choice.state == DROPPED:
        if choice.code not in DROP_REASONS:
            return "code"
        wants_text = choice.code == OTHER and len(choice.reason.strip()) < MIN_REASON
        return "reason" if wants_text else ""
    return "" if choice.state in {OPEN, KEPT, DUPLICATE} else "state"


def reason_word(code: str, facts: Mapping[str, object], language: str) -> str:
    """Say a coded reason; facts fill the machine's own. One that is unknown is given as it is."""
    if code in MACHINE_REASONS and facts:
        return MACHINE_REASONS[code].render(language, **facts)
    if code in DOWN_REASONS:
        return DOWN_REASONS[code][1].render(language)
    text = RULES.get(code)
    return text.render(language) if text else code


def keys_of(found: Mapping[str, object]) -> tuple[str, ...]:
    """Give by what a result is recognised: its own identifiers, then its canonical address.

    ``found`` are a result's ``doi``, ``pmid``, ``pmcid``, ``patent_number``, ``trial_id`` and
    ``url``. A title that mentions a trial or a paper is not that trial or paper. What has none of
    these is recognised by its title and provider's id. Each key is a SHA-256 in hexadecimal.
    """
    own = {name: found.get(name) for name in _OWN}
    identity = identity_of(own)
    # A family has many patents: each is a record of its own.
    named = (each for each in identity.identifiers if each.scheme != "patent_family")
    pairs = [(each.scheme, each.value) for each in named]
    if identity.canonical_url:
        pairs.append(("url", identity.canonical_url))
    if not pairs:
        pairs.append(("title", f"{found.get('raw_id', '')}\n{found.get('title', '')}"))
    return tuple(_hashed(pairs))


def _hashed(pairs: Iterable[tuple[str, str]]) -> Iterable[str]:
    for scheme, value in pairs:
        yield hashlib.sha256(f"{scheme}:{value}".encode("utf-8", "surrogatepass")).hexdigest()
