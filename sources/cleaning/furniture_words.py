"""How lines that are none of a page's text look, in both languages. Pure data.

Each pattern stands beside words of which a match holds one; "_" stands for a blank.
"""

import re

from .hinted import Hinted

COOKIES = Hinted(
    r"(?:\b(?:we|(?:this|our) (?:web)?site|(?:we|site) and our partners)\b[^.]{0,40}"
    r"\b(?:uses?|store|set|place)\b[^.]{0,40}\bcookies\b"
    r"|\b(?:accept|reject|allow|decline|manage)(?: all)?(?: optional)? cookies\b"
    r"|\bcookie (?:settings|preferences|policy|notice|consent)\b"
    r"|\bby (?:continuing|clicking|using)[^.]{0,80}\bcookies\b"
    r"|本(?:网)?站[^。]{0,12}使用[^。]{0,8}cookies?|(?:接受|拒绝|允许)(?:所有|全部)?\s?cookies?"
    r"|cookies?\s?(?:设置|政策|偏好|声明)|继续(?:浏览|使用)[^。]{0,20}cookies?)",
    "cookie",
)
COOKIE_BUTTONS = re.compile(
    r"(?:accept all|reject all|accept|got it|i agree|agree|ok|dismiss|close|manage (?:preferences|"
    r"options)|learn more|全部接受|接受|同意|我知道了|拒绝|关闭|了解更多)(?:\s+(?:accept all"
    r"|reject all|"
    r"accept|decline|manage preferences|learn more|close|拒绝|了解更多))*[.!。]?",
    re.IGNORECASE,
)

MENU_WORDS = """
首页|主页|网站首页|新闻|资讯|要闻|财经|科技|体育|娱乐|教育|健康|汽车|房产|国际|国内|社会|军事|视频|图片|
直播|专题|论坛|博客|微博|登录|注册|登录/注册|退出|会员|会员中心|个人中心|搜索|关于我们|联系我们|加入我们|
网站地图|客户端|手机版|English|繁體|繁体|返回|返回顶部|回到顶部|上一篇|下一篇|上一页|下一页|更多|菜单|导航|
收藏本站|设为首页|帮助|帮助中心|产品|产品中心|服务|解决方案|新闻中心|投资者关系|招聘|
home|homepage|news|world|business|politics|tech|technology|science|health|sports?|opinion|video|
videos|photos|podcasts?|newsletters?|login|log in|logout|log out|sign in|sign up|sign out|register|
subscribe|search|menu|about|about us|contact|contact us|careers|jobs|help|faq|support|blog|shop|
store|products?|services|solutions|pricing|company|resources|events|press|investors|privacy|terms|
sitemap|more|next|previous|prev|back|back to top|skip to (?:main )?content|my account|account|cart|
language|english|中文|close|toggle navigation|main menu|advertise
"""
MENU_WORD = re.compile(rf"(?:{''.join(MENU_WORDS.split(chr(10)))})", re.IGNORECASE)
BETWEEN = re.compile(r"\s*[|｜·•/／>»›▸→、]\s*|\s{2,}|\t")

BREADCRUMB = re.compile(
    r"(?:(?:您|你)?(?:当前|现在|所在)(?:的)?位置\s*(?:是)?\s*[:：]?\s*[^\s>»›]{1,20}"
    r"|(?:you are here)\s*:?\s*[^\s>»›]{1,30}"
    r"|首页|网站首页|主页|home)"
    r"(?:\s{0,3}[>»›]{1,2}\s{0,3}[^\s>»›。，,.][^\n>»›。，]{0,40}?(?=\s*[>»›\n]|\s|$)){1,8}",
    re.IGNORECASE,
)

FOOTER = Hinted(
    r"(?:©|\(c\)\s?\d{4}|\bcopyright\b\s?(?:©|\(c\)|\d{4}))[^\n]{0,200}"
    r"|[^\n。]{0,60}(?:all rights reserved|版权所有|保留所有权利|未经(?:书面)?(?:许可"
    r"|授权)[^\n。]{0,20}(?:转载|使用))"
    r"[^\n。]{0,80}[.。]?"
    r"|[京沪津渝粤浙苏闽鲁川鄂湘皖豫冀晋辽吉黑陕甘青琼桂云贵蒙宁新藏赣]\s?(?:ICP"
    r"|公网安备)[^\n]{0,60}"
    r"|(?:ICP|增值电信业务)(?:备|证|经营许可证)[^\n]{0,60}"
    r"|(?:privacy policy|terms of (?:use|service)|terms (?:&|and) conditions|隐私(?:政策|条款)"
    r"|用户协议"
    r"|服务条款|免责声明|联系(?:我们|电话)|举报(?:电话|邮箱))(?:\s*[|｜·•:：]\s*[^\n|]{0,40}){0,6}",
    "© (c) copyright reserved 版权所有 保留所有权利 未经 icp 公网安备 增值电信 privacy terms "
    "隐私 用户协议 服务条款 免责声明 联系 举报",
)

_AMOUNT = r"[\d,.]+\s?(?:万|亿|千|k|m|w)?\+?"
_COUNT = (
    rf"(?:(?:阅读|浏览|点击|观看|播放|访问)(?:量|数|次数|人数)?|点赞数?|赞|评论数?|回复|转发|收藏"
    rf"|分享|人气|跟贴"
    rf"|在看|投币|弹幕|粉丝|views?|reads?|likes?|comments?|shares?|retweets?|followers?|upvotes?)"
    rf"\s?[:：(（]?\s?{_AMOUNT}\s?[)）]?(?:次|人|条)?"
    rf"|{_AMOUNT}\s?(?:次(?:阅读|浏览|播放|观看|点击)|人(?:阅读|浏览|点赞|在看|参与|评论|收藏)"
    rf"|条?评论|个?赞|阅读|点赞"
    rf"|浏览|播放|views?|reads?|likes?|comments?|shares?|retweets?|followers?|upvotes?)"
    rf"|\d+[- ]min(?:ute)?s? read|阅读(?:约)?需?\s?\d+\s?分钟"
)
_COUNT_END = r"(?=$|[\s|｜·•,，;；/、])"
COUNTS = Hinted(
    rf"(?:{_COUNT})",
    "阅读 浏览 点击 观看 播放 访问 点赞 个赞 评论 回复 转发 收藏 分享 人气 跟贴 在看 投币 弹幕 "
    "粉丝 views reads likes comments shares retweets followers upvotes min_read minute_read "
    "minutes_read",
)
COUNT_RUN = Hinted(
    rf"(?<![^\s|｜·•，,。.!！?？])(?:(?:{_COUNT}){_COUNT_END}[\s|｜·•,，;；/、]*){{2,12}}",
    "阅读 浏览 点击 观看 播放 访问 点赞 个赞 评论 回复 转发 收藏 分享 人气 跟贴 在看 投币 弹幕 "
    "粉丝 views reads likes comments shares retweets followers upvotes min_read minute_read "
    "minutes_read",
)
STAMP = re.compile(
    r"\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?(?:\s?\d{1,2}:\d{2}(?::\d{2})?)?|\d{1,2}:\d{2}",
    re.IGNORECASE,
)

SHARING = re.compile(
    r"(?:分享(?:到|至)?|share(?: this)?(?: (?:on|via|to))?|tweet(?: this)?|follow us(?: on)?"
    r"|关注我们)"
    r"[\s:：]*(?:(?:微信(?:好友)?|朋友圈|微博|新浪微博|QQ(?:空间|好友)?|facebook|twitter|x"
    r"|linkedin|whatsapp"
    r"|telegram|reddit|pinterest|email|e-mail|copy link|复制链接|instagram|youtube|print"
    r"|打印)[\s,，、|/]*)*"
    r"(?:article|story|page|post|this)?|(?:facebook|twitter|linkedin|whatsapp|reddit|email|print)"
    r"(?:[\s,|/]+(?:facebook|twitter|x|linkedin|whatsapp|reddit|pinterest|email|print))+"
    r"|(?:字号|字体)\s?[:：]?\s?(?:[大中小]\s?){1,3}|打印|纠错|收藏|\[?责任编辑[:：][^\n]{0,20}",
    re.IGNORECASE,
)

RELATED = re.compile(
    r"(?:[【\[（(《■◆●▶►\-—#*\s]{0,4})(?:推荐阅读|为您推荐|为你推荐|猜你喜欢|猜您喜欢|相关推荐"
    r"|相关阅读|相关文章|相关新闻|相关报道"
    r"|延伸阅读|扩展阅读|热门推荐|热门文章|热门新闻|热点推荐|精彩推荐|精彩内容|更多精彩"
    r"|大家都在看|大家都在搜|看了又看|编辑推荐"
    r"|今日推荐|往期推荐|往期回顾|最新文章|阅读排行|点击排行|热门标签|您可能感兴趣"
    r"|你可能(?:还)?(?:感兴趣|喜欢)(?:的)?"
    r"|related (?:articles?|stories|posts|content|reading|news|links|topics)"
    r"|recommended (?:for you|reading"
    r"|stories|articles)|you (?:may|might) (?:also )?(?:like|be interested in)|more (?:from|on"
    r"|in) [^\n:]{2,40}"
    r"|read (?:next|more|also)|most (?:read|popular|viewed)|trending(?: now)?|popular (?:posts"
    r"|now|stories)"
    r"|further reading|see also|don['’]t miss|editor['’]?s['’]? picks?|people also (?:ask|read"
    r"|viewed)"
    r"|what to read next|up next)"
    r"(?:[】\]）)》\s]{0,3})(?=$|[:：\s|])",
    re.IGNORECASE,
)

_PROMPT = (
    r"(?:点击(?:此处|这里|下方|上方|链接|按钮|领取|购买|下载|查看(?:详情|更多)|关注|注册|报名"
    r"|咨询|进入|阅读原文)"
    r"|限时(?:优惠|特价|特惠|抢购|秒杀|免费|折扣)|立即(?:购买|抢购|下单|领取|注册|下载|报名|咨询"
    r"|体验|加入|开通|预约)"
    r"|马上(?:领取|购买|抢购|报名|咨询|注册)|扫码|扫一扫|扫描(?:下方|上方|右侧"
    r"|左侧)?(?:的)?二维码|长按(?:识别|二维码)"
    r"|(?:添加|加)(?:微信|客服|企业微信|QQ)|关注(?:我们的?)?(?:微信)?(?:公众号|服务号|视频号)"
    r"|下载(?:APP|App|app|客户端)"
    r"|打开(?:APP|App|app|微信)|免费(?:领取|试用|咨询|体验)|广告(?:$|[:：|｜])|\[广告\]|【广告】"
    r"|推广(?:$|[:：])"
    r"|limited[- ]time offer|click here (?:to|for)|click (?:the link|below)|(?:buy|shop|order"
    r"|book) (?:now|today|here)"
    r"|(?:subscribe|sign up|register|join|enroll|download|apply) (?:now|today|here)\b"
    r"|subscribe (?:to|for) (?:our|the|more|free)|sign up (?:for|to) (?:our|the|free|receive|get)"
    r"|get (?:our|the) (?:free )?(?:app|newsletter)|download (?:our|the) (?:free )?app"
    r"|follow us on|act now\b"
    r"|don['’]t miss (?:out|this)|start your free trial|advertisement$|sponsored(?: content"
    r"| post)?$"
    r"|paid (?:content|partnership)|scroll (?:down )?to continue)"
)
PROMPT = Hinted(
    _PROMPT,
    "点击 限时 立即 马上 扫码 扫一扫 扫描 长按 微信 客服 qq 关注 下载 打开 免费 广告 推广 "
    "limited-time limited_time click buy_ shop_ order_now order_today order_here book_now "
    "book_today book_here subscribe sign_up register_ join_now join_today join_here enroll_ "
    "download apply_now apply_today apply_here get_our get_the follow_us act_now t_miss "
    "free_trial advertisement sponsored paid_content paid_partnership scroll",
)
OFFER = Hinted(
    r"优惠券|代金券|红包|满\d+减\d+|包邮|秒杀|抢购|拼团|特价|特惠|全场[\d.]+折|[\d.]+折(?:优惠"
    r"|起)|买一送一|返现|立减"
    r"|\d{1,2}% off\b|promo code|coupons?\b|discount code|free shipping|free trial"
    r"|money-back guarantee|best price"
    r"|special offer|flash sale|buy one,? get one",
    "券 红包 满 包邮 秒杀 抢购 拼团 特价 特惠 折 买一送一 返现 立减 off promo coupon discount "
    "free_ guarantee best_price offer sale buy_one",
)

WALL = Hinted(
    r"(?:请)?(?:先)?登录(?:/注册)?(?:后|即可|以)?(?:才能|可以?|即可|方可|继续)?(?:查看|阅读|浏览"
    r"|获取)(?:完整|全部|更多|剩余|全文)?(?:内容|全文|文章|正文)?"
    r"|(?:订阅|付费|购买|开通会员|开通VIP|成为会员|注册)(?:后|即可|以)?(?:才能|可以?|即可|方可"
    r"|继续)?(?:查看|阅读|浏览|解锁)(?:完整|全部|更多|剩余|全文)?(?:内容|全文|文章|正文)?"
    r"|(?:本文|该内容|此内容|以下内容)(?:为|仅限|仅供|属于)(?:付费|会员|VIP|订阅)[^。\n]{0,16}"
    r"|剩余\s?\d+\s?%\s?(?:内容)?(?:未读|待解锁)?"
    r"|(?:please )?(?:log ?in|sign ?in|subscribe|register|create (?:a "
    r"|an )?(?:free )?account)(?: or \w+)?"
    r" (?:to|for) (?:continue|read|view|access|unlock|see|full|keep)[^.\n]{0,60}"
    r"|to (?:continue|keep) reading[^.\n]{0,80}|already (?:a subscriber|have an account"
    r"|a member)\?[^.\n]{0,30}"
    r"|this (?:article|content|story|page) is (?:for|reserved for|only available to"
    r"|exclusively for)"
    r" (?:\w+ )?(?:subscribers|members)[^.\n]{0,40}|subscription required"
    r"|members[- ]only(?: content)?"
    r"|get (?:full |unlimited )?access (?:to|for)[^.\n]{0,60}",
    "登录 订阅 付费 购买 会员 vip 注册 剩余 log_in login sign_in signin subscri register create_ "
    "to_continue to_keep already_a already_have this_article this_content this_story this_page "
    "members-only members_only get_access get_full get_unlimited",
)
# A page that is not there, or a check for robots, in place of the text.
BARRED = re.compile(
    r"just a moment\.{0,3}|checking your browser[^\n]*"
    r"|verify(?:ing)? (?:that )?you are (?:a )?human[^\n]*"
    r"|enable javascript(?: and cookies)? to (?:continue|run|view)[^\n]*|attention required![^\n]*"
    r"|(?:error )?40[34](?: (?:forbidden|not found|error))?|access denied[^\n]{0,80}"
    r"|page not found[^\n]{0,80}"
    r"|(?:您|你)?访问的页面(?:不存在|已删除)[^\n]{0,30}|页面不存在[^\n]{0,30}"
    r"|请完成(?:安全)?验证[^\n]{0,30}|加载中[.…]*|loading[.…]*"
    r"|please (?:turn on|enable) javascript[^\n]*|you need to enable javascript[^\n]*",
    re.IGNORECASE,
)

CSS = re.compile(
    r"@(?:media|import|font-face|keyframes|charset)\b[^{};]{0,200}[{;]"
    r"|[.#]?[\w-]++(?:[\s>+~,:.#*]++[\w-]*+){0,12}+\{\s*+(?:[\w-]++\s*+:[^{};]{1,300}+;?\s*+)*+\}"
)
DECLARATIONS = re.compile(r"(?:[a-z-]{3,30}\s*:\s*[^:;{}\n]{1,80};\s*){2,}")
SCRIPT = Hinted(
    r"\b(?:window|document|navigator|location)\.[a-zA-Z_$]|\b(?:var|let|const)\s+[\w$]+\s*="
    r"|\bfunction\s*[\w$]*\s*\("
    r"|=>\s*\{|\bdataLayer\b|\bgtag\(|\b_hmt\b|\bjQuery\b|\$\(|\baddEventListener\(|\bgoogletag\b"
    r"|\b__NEXT_DATA__\b"
    r"|\bmodule\.exports\b|\"@context\"\s*:|\bgetElementById\(|\breturn\s+[\w$!(]+[^\n]{0,40};"
    r"|\b_paq\.|\bwx\.config\(",
    "window. document. navigator. location. var_ let_ const_ function => datalayer gtag _hmt "
    "jquery $( addeventlistener googletag __next module. @context getelementbyid return _paq "
    "wx.config",
)
SIGNS = re.compile(r"[{}();=<>\[\]\"':,&|!+*/\\$_]")


# Words of which a long text on one line holds one, if it holds any furniture at all.
_MORE_HINTS = """
> » › | ｜ { => px; color: margin padding: font- 位置 首页 主页 推荐 猜你 猜您 相关 延伸 扩展 热门
热点 精彩 大家都在 看了又看 往期 最新文章 排行 感兴趣 related recommended you_may you_might
more_from more_on more_in read_next read_more read_also most_read most_popular most_viewed trending
popular_ further_reading see_also don't don’t editor people_also up_next share_this share_on tweet
分享 字号 字体 责任编辑 loading 加载 function( function_( window. document. datalayer gtag _hmt
jquery $( getelementbyid @context
"""
HINTS: tuple[str, ...] = tuple(
    dict.fromkeys(
        hint.replace("_", " ")
        for hint in (
            *_MORE_HINTS.split(),
            *(hint for each in (COOKIES, FOOTER, WALL, PROMPT, COUNTS) for hint in each.hints),
        )
    )
)
