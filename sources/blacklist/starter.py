"""The rules that an installation begins with. Pure data. Rulebook section 4, starter content.

A database is filled once; what admins change or switch off stays as they left it.
"""

from dataclasses import dataclass

from .rules import Effect, Kind, Scope, Unless


@dataclass(frozen=True, slots=True)
class StarterRule:
    """One rule of the beginning, active from the start."""

    scope: Scope
    pattern: str
    reason: str  # in both languages: the row is read by people of either
    kind: Kind = Kind.DOMAIN
    effect: Effect = Effect.BLOCK
    unless: Unless = Unless.NOTHING


_TREE = Scope.HOST_AND_SUBDOMAINS

STARTER: tuple[StarterRule, ...] = (
    StarterRule(
        Scope.HOST,
        "baijiahao.baidu.com",
        "百家号：自媒体平台 · Baijiahao, a platform of self-media",
    ),
    StarterRule(
        _TREE,
        "toutiao.com",
        "头条号：原创栏目除外 · Toutiao, except its original columns",
        unless=Unless.ORIGINAL,
    ),
    StarterRule(
        _TREE,
        "zhihu.com",
        "知乎：作者为实名认证专家的除外 · Zhihu, unless the author is a named, verified expert",
        unless=Unless.VERIFIED_EXPERT,
    ),
    StarterRule(_TREE, "xiaohongshu.com", "小红书笔记 · Notes on Xiaohongshu"),
    StarterRule(_TREE, "xhslink.com", "小红书短链接 · Short links of Xiaohongshu"),
    StarterRule(_TREE, "douyin.com", "抖音 · Douyin"),
    StarterRule(
        _TREE,
        "wordpress.com",
        "未署名的 WordPress 博客 · Unsigned blogs on WordPress",
        unless=Unless.SIGNED,
    ),
    StarterRule(
        _TREE,
        "medium.com",
        "未署名的 Medium 博客 · Unsigned blogs on Medium",
        unless=Unless.SIGNED,
    ),
    StarterRule(
        Scope.HOST,
        "mp.weixin.qq.com",
        "微信公众号自媒体：出版机构表中的机构除外 · "
        "Self-media on WeChat, unless the account's body stands in the table of publishers",
        unless=Unless.KNOWN_PUBLISHER,
    ),
    StarterRule(
        Scope.JUDGED,
        Kind.PRESS_COPY,
        "软文或新闻稿：四项特征中的任意两项 · Press copy: any two of four facts",
        kind=Kind.PRESS_COPY,
    ),
    StarterRule(
        Scope.JUDGED,
        Kind.STALE,
        "过期：综述超过 5 年（机制研究除外）、政策超过 1 年（现行版本除外）、市场数据超过 2 年 · "
        "Out of date: reviews over 5 years (not on mechanisms), policy over 1 (not what is in "
        "force), market data over 2",
        kind=Kind.STALE,
    ),
    StarterRule(
        Scope.JUDGED,
        Kind.WIKIPEDIA,
        "维基百科：只用于理解术语，引用须回溯原始文献 · "
        "Wikipedia: for understanding terms; cite the original that it refers to",
        kind=Kind.WIKIPEDIA,
    ),
    StarterRule(
        Scope.JUDGED,
        Kind.ANONYMOUS,
        "匿名来源且无其他可查证来源 · Anonymous sources, and no other one to look up",
        kind=Kind.ANONYMOUS,
    ),
)
