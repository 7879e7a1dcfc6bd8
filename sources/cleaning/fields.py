"""Fields of everyday life that a search strays into: recipes, horoscopes, gossip. Pure.

A text is of another field only if two of its words say so, or its title does, and the subject has
nothing to do with it.
"""

import re
from collections.abc import Mapping

from .subject import Subject, fold

READ = 2_000  # characters of a text that are looked at

FIELDS: Mapping[str, tuple[str, ...]] = {
    "recipes": (
        "菜谱", "食谱", "家常菜", "做法大全", "今晚吃什么", "烘焙", "下饭菜", "调料", "美食推荐",
        "recipe",
        "recipes", "tablespoon", "teaspoon", "preheat the oven", "ingredients",
    ),
    "horoscopes": (
        "星座", "运势", "算命", "塔罗", "生肖", "周公解梦", "horoscope", "zodiac", "tarot",
    ),
    "lotteries": (
        "彩票", "双色球", "大乐透", "开奖", "六合彩", "lottery results", "powerball", "jackpot",
    ),
    "gambling": (
        "博彩", "娱乐城", "百家乐", "老虎机", "online casino", "slot machine", "betting odds",
    ),
    "gossip": (
        "八卦", "绯闻", "恋情曝光", "综艺", "追星", "网红", "celebrity gossip", "red carpet",
        "dating rumors",
    ),
    "novels": ("小说阅读", "最新章节", "全文免费阅读", "无弹窗", "web novel", "chapter list"),
    "games": (
        "游戏攻略", "手游", "通关", "抽卡", "开服", "game walkthrough", "cheat codes", "loot box",
    ),
    "films": ("免费观看", "在线播放", "电视剧全集", "影评", "watch online free", "full episodes"),
    "travel": (
        "旅游攻略", "景点推荐", "自由行", "酒店预订", "travel itinerary", "best hotels",
        "things to do in",
    ),
    "fashion": (
        "穿搭", "口红", "护肤心得", "美妆", "outfit ideas", "makeup tutorial", "skincare routine",
    ),
    "jobs": (
        "招聘信息", "岗位职责", "任职要求", "薪资面议", "job description", "apply for this job",
    ),
    "lyrics": ("歌词", "lyrics", "guitar chords"),
    "homework": ("作文大全", "读后感", "答案解析", "课后习题"),
}  # fmt: skip

_FORMS: dict[str, re.Pattern[str]] = {
    field: re.compile(
        "|".join(
            re.escape(word) if not word.isascii() else rf"\b{re.escape(word)}\b"
            for word in sorted(words, key=len, reverse=True)
        )
    )
    for field, words in FIELDS.items()
}


def other_field(text: str, subject: Subject) -> str:
    """Give the field that a text is plainly of and the subject is not; empty where none is."""
    title, _line, rest = fold(text[:READ]).partition("\n")
    for field, pattern in _FORMS.items():
        if pattern.search(fold(subject.name)):
            continue
        words = set(pattern.findall(title)) | set(pattern.findall(rest))
        if len(words) >= 2 or pattern.search(title) or (words and len(rest) <= 120):
            return f"{field}: {', '.join(sorted(words))}"
    return ""
