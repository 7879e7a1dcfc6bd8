"""How doubtful sources write: reposts, farms, marketing copy, experts without a name. Pure data.

Each pattern stands beside words of which a match holds one; "_" stands for a blank.
"""

import re

from sources.blacklist import signs

from .hinted import Hinted

PARTLY = Hinted(
    r"部分(?:内容|文字|素材|图文)?(?:转载|摘|引|来)自|部分转载|节选自"
    r"|\b(?:partly|in part|partially|excerpts?|portions?)\b[^.\n]{0,30}\b(?:reprinted|republished"
    r"|reproduced|adapted|from)\b",
    "部分 节选自 reprinted republished reproduced adapted part excerpt portion",
)
VERIFIED = re.compile(
    r"(?:已|官方|机构|企业|实名|蓝V|加V)认证|认证(?:主体|账号|信息)|官方(?:账号|公众号|微博)"
    r"|\bverified account\b|\bofficial account\b",
    re.IGNORECASE,
)
ORIGINAL = re.compile(
    r"(?:^|[\s\[【(（|])原创(?:$|[\s\]】)）|:：]|作品|首发)|本报记者|本刊记者|独家专访"
    r"|\boriginal reporting\b",
    re.I,
)
FARM = Hinted(
    r"小编(?:今天|为|给|整理|带|就|来|也|和|将|在)|(?:跟着?|和|随)(?:着)?小编|以下是小编"
    r"|今天(?:我们)?就来(?:聊聊|说说|看看|盘一盘)"
    r"|你(?:真的)?(?:知道|了解)吗[?？][^。]{0,40}小编|看完(?:这篇|本文)你就|不看后悔|震惊[!！]"
    r"|建议收藏|干货满满"
    r"|\bin today['’]s fast-paced world\b|\bwe['’]ve got you covered\b|\bwithout further ado\b"
    r"|\byou won['’]t believe\b",
    "小编 今天 看完 震惊 不看后悔 建议收藏 干货 fast-paced got_you_covered further_ado believe",
)
BENEFIT = Hinted(
    r"让(?:你|您|你们|用户|企业|每个人|办公|生活)(?:的)?|(?:帮|助)(?:你|您|助您|力您)|为(?:你"
    r"|您)(?:的)?(?:打造|带来|提供|量身)"
    r"|(?:你|您)的(?:理想|首选|最佳|不二)|告别(?:繁琐|低效|烦恼|加班)|轻松(?:搞定|实现|拥有|get)"
    r"|一站式|助力(?:您|你|企业)"
    r"|\b(?:lets?|helps?|makes?|gives?|takes?|boosts?|supercharges?|transforms?"
    r"|unlock(?:s)?) (?:you|your)\b"
    r"|\byou['’]ll (?:love|never|get|save)\b|\bsay goodbye to\b|\bperfect for (?:you|your|any)\b"
    r"|\byour (?:ultimate|perfect|go-to)\b",
    "让你 让您 让用户 让企业 让每 让办公 让生活 帮你 帮您 助你 助您 助力 为你 为您 你的 您的 "
    "告别 轻松 一站式 you_ your you’ll you'll",
)
TIMES = Hinted(
    r"(?:提升|提高|翻|快|强|节省|增长|效率)\D{0,6}\d+(?:\.\d+)?\s?倍|\d+\s?倍(?:效率|速度|提升)"
    r"|(?:效率|业绩|收入|产能)(?:倍增|翻倍|飙升)"
    r"|\b\d+\s?(?:x|times)\s(?:faster|better|more|your)\b|\b(?:double|triple|10x|skyrocket) your\b",
    "倍 翻 飙升 faster better more_ your",
)

# "专家预测", "某知名分析师认为", "experts say": somebody, and nobody in particular.
EXPERT = Hinted(
    r"(?:某|一位|有|多位|部分|业内|行业|知名|资深|权威|著名|国际|海外|匿名)?(?:的)?[\"“]?"
    r"(?:专家|分析师|学者|分析人士|大佬|院士|教授)[\"”]?(?:们)?[\u4e00-\u9fff]{0,6}?"
    r"(?:的?独家(?:预测|观点|消息)|预测|预言|认为|表示|指出|透露|称|说|断言|直言|分析)"
    r"|\b(?:an?|one|some|many|several|leading|top|industry|renowned|certain"
    r"|unnamed) ?(?:\w+ ){0,2}?"
    r"(?:experts?|analysts?|scientists?|professors?|specialists?|researchers?|insiders?"
    r"|gurus?)\b[^.\n]{0,30}?"
    r"\b(?:says?|said|predicts?|predicted|claims?|claimed|believes?|warns?|warned|argues?"
    r"|expects?|told)\b"
    r"|(?:^|[.!?]\s|\n)(?:experts|analysts|scientists|insiders)\b[^.\n]{0,20}?"
    r"\b(?:say|said|predict|predicted|claim|believe|warn|argue|expect)\b",
    "专家 分析师 学者 分析人士 大佬 院士 教授 expert analyst scientist professor specialist "
    "researcher insider guru",
)
ANCHOR = re.compile(
    r"[\u4e00-\u9fff]{2,}(?:大学|学院|研究院|研究所|科学院|医院|协会|学会|委员会|证券|银行|集团"
    r"|股份|公司|实验室|部门|总局)"
    r"|\b(?:University|Institute|College|Hospital|School of|Academy|Association|Laborator(?:y"
    r"|ies)|Center|Centre|"
    r"Inc\.?|Corp\.?|Ltd\.?|LLC|Capital|Securities|Bank|Ministry|Agency|Department)\b",
)
IN_PATH = re.compile(
    r"/(?:19|20)\d\d[/-]?(?:0[1-9]|1[0-2])(?:[/-]?(?:0[1-9]|[12]\d|3[01]))?(?=[/._-]|$)"
)
DATED = re.compile(
    r"(?:发布(?:时间|日期|于)|发表(?:时间|于)|更新(?:时间|于)|日期|published(?: on)?"
    r"|posted(?: on)?|updated(?: on)?|date)\s?[:：]?\s?"
    r"(?=[^\n]{0,16}(?:19|20)\d\d)"
    r"|^\W{0,3}(?:(?:19|20)\d\d\s?[-/.年]\s?\d{1,2}(?:\s?[-/.月]\s?\d{1,2}\s?日?)?"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}, (?:19|20)\d\d"
    r"|\d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (?:19"
    r"|20)\d\d)\s?(?:[-–—·|:：]|\s|$)",
    re.IGNORECASE,
)


ANONYMOUS = Hinted(
    signs.ANONYMOUS.pattern,
    "人士 不愿 匿名 据传 有消息称 坊间 close_to close_with familiar knowledge insider anonym "
    "asked_not unnamed",
    re.IGNORECASE | re.ASCII,
)
INFLATED = Hinted(
    signs.INFLATED.pattern,
    "重磅 首创 引领 颠覆 划时代 里程碑 震撼 史无前例 前所未有 遥遥领先 breakthrough world first "
    "game revolution ground unprecedented unparalleled industry best-ever",
    re.IGNORECASE | re.ASCII,
)
