"""Find phrases in a captured text that speak to a machine instead of a reader. Pure.

They are named for the reader's information only; nothing in a snapshot is ever followed. Security,
"Showing".
"""

import re

MOST = 20  # phrases named; a page that holds more is hostile enough

_ENGLISH = (
    r"(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+|the\s+|your\s+|every\s+){0,3}"
    r"(?:previous|prior|earlier|above|preceding|foregoing|system)\s+"
    r"(?:instructions?|prompts?|directions?|rules|messages?|context)"
    r"|disregard\s+(?:the\s+)?above\b"
    r"|do\s+not\s+(?:follow|obey)\s+(?:the\s+|your\s+|any\s+){0,2}(?:previous|system|above)\b"
    r"|you\s+are\s+now\s+(?:a|an|the|in)\s+\w+\s+(?:assistant|mode|ai|model|reviewer|agent)\b"
    r"|(?:new|updated)\s+(?:system\s+)?instructions?\s*:"
    r"|(?:reveal|print|repeat|show)\s+(?:me\s+)?(?:your\s+|the\s+)(?:system\s+)?prompt\b"
    r"|\bas\s+an?\s+(?:ai|language\s+model)(?:\s+\w+)?,?\s+you\s+(?:must|should|will)\b"
    r"|(?:ai|llm)\s+(?:reviewers?|assistants?|agents?|models?)\s*[:,]?\s+"
    r"(?:must|should|please|are\s+(?:told|asked|instructed)\s+to)\b"
    r"|\b(?:mark|rate|report|treat)\s+(?:this|the)\s+(?:claim|source|page|paper|article)\s+as\s+"
    r"(?:true|verified|supported|trusted|passed)\b"
    r"|give\s+(?:a\s+|only\s+)*positive\s+reviews?(?:\s+only)?\b"
    r"|<\|(?:im_start|im_end|system|endoftext)\|>|\[/?INST\]|<<SYS>>"
)
_CHINESE = (
    r"(?:(?:请|务必|必须)\s*)?(?:忽略|无视|忘记|忘掉|不要理会|不要遵循|不要遵守)\s*"
    r"(?:掉)?(?:以上|上述|上面|之前|此前|先前|前面|前述|系统|所有|一切|你的)(?:的)?\s*"
    r"(?:所有|全部|一切|系统)?(?:的)?\s*(?:指令|指示|提示词?|要求|规则|命令|内容|设定|对话)"
    r"|请忽略以上|(?:你|您)现在是(?:一个|一名|一位)[^\n。]{0,12}(?:助手|模型|机器人|审稿人|专家)"
    r"|(?:输出|显示|泄露|告诉我|重复)(?:你的|您的)?系统提示词?"
    r"|作为(?:一个)?(?:人工智能|AI|大?语言模型)[^\n。]{0,6}(?:你|您)(?:必须|应当|应该|需要)"
    r"|(?:新的|更新的)(?:系统)?(?:指令|指示)\s*[:：]"
    r"|(?:把|将)(?:该|本|此|这个?)(?:主张|论断|信源|页面|论文|文章)(?:标记|判定|视)为"
    r"(?:真|正确|已验证|可信|通过|支持)"
)
_PHRASE = re.compile(f"{_ENGLISH}|{_CHINESE}", re.IGNORECASE)


def find_instructions(text: str) -> tuple[tuple[int, int], ...]:
    """List where instruction-like phrases stand, in order, at most 20; code points, half-open."""
    found = []
    for match in _PHRASE.finditer(text):
        found.append(match.span())
        if len(found) == MOST:
            break
    return tuple(found)
