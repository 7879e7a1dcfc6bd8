"""Words that carry strength, cause, doubt or prophecy, in English and Chinese. Data only.

Sources: the strong words of Rulebook section 7 (B1, A3) and the inflated title words of section 4;
near-equal words and the exceptions were added by reading claims against their cited pages, 2026.
English entries are regular expressions that match whole words, Chinese ones match anywhere.
"""

from dataclasses import dataclass

from workbench.lib.texts import Text


@dataclass(frozen=True, slots=True)
class Words:
    """Words of one sense in the two languages."""

    en: tuple[str, ...]
    zh: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Strength:
    """A way in which a wording is strong: what says so, and what in a source is as strong."""

    code: str
    label: Text  # what the word asserts
    claims: Words
    equals: Words  # beyond ``claims`` themselves


_VERBS_AFTER_DUE = "be|open|close|begin|start|launch|end|finish|expire|take|complete|arrive|appear"
_ORDINAL_NOUNS = (
    "quarter|half|line|author|name|lady|aid|responders?|steps?|stages?|phase|weeks?|months?|years?"
    "|days?|hours?|minutes?|decades?|century|terms?|season|episode|rounds?|place|class|degree|hand"
    "|person|generation|language|parts?|section|chapter|paragraph|amendment|nations?|world|floor"
    "|order|party|batch|edition|grade|look|glance|instance|dose|choice|of all"
    "|(?:two|three|four|five|six|seven|eight|nine|ten|few|several|\\d+)"
)
_PARTICIPLES = (
    r"\w+ed|published|built|known|seen|became|begun|began|came|made|written|shown|held|found|set"
    "|used|met|took|went|ran|rose|won|sold|put|drawn|taken|given"
)

PROOF = Strength(
    code="proof",
    label=Text("proof", "“得到证明”"),
    claims=Words(
        en=(
            r"(?<!-)(?:prove|proves|proving|proven|proved)"
            r"(?!\s+(?:popular|unpopular|difficult|hard|too|reserves?|oil|gas|track))",
            r"proof (?:that|of)(?! concept| principle| stake| work| purchase)",
            "conclusively",
            r"irrefutabl[ey]",
            r"undeniabl[ey]",
        ),
        zh=(
            r"(?<!身份|资质|资格|产权|收入|出生|学历|存款|在职|完税)证明(?!书|文件|材料|信|函|人)",
            r"证实",
            r"确证",
            r"铁证",
            r"无可辩驳",
        ),
    ),
    equals=Words(
        en=(r"demonstrat\w+", r"confirm\w*", r"establish\w* that", r"verif\w+", r"conclusive\w*"),
        zh=("确认", "验证", "论证"),
    ),
)

CAUSE = Strength(
    code="cause",
    label=Text("a cause", "因果关系"),
    claims=Words(
        en=(
            r"(?<!root )(?<!with )(?:cause|causes|caused|causing)(?! of action)",
            r"leads? to",
            r"led to",
            r"leading to",
            r"result(?:s|ed|ing)? in",
            rf"due to(?! (?:{_VERBS_AFTER_DUE})\b)",
            r"because",
            r"owing to",
            r"as a (?:direct )?(?:result|consequence) of",
            r"trigger(?:s|ed|ing)?",
            r"(?:brings?|brought) about",
            r"attributable to",
            r"driven by",
        ),
        zh=("导致", "致使", "造成", "引发", "引起", "促使", "归因于", "起因于", "诱发", "源于"),
    ),
    equals=Words(
        en=(
            r"responsible for", r"therefore", r"thus", r"hence", r"consequent\w*", r"thanks to",
            r"driv\w+", r"drove", r"spark\w+", r"prompt\w+", r"stem\w* from", r"forc(?:ed|es|ing)",
            r"effects? (?:of|on)", r"impacts? (?:of|on)", r"mak(?:es|ing)", r"result of",
            r"so that",
            r"reasons?", r"attribut\w+", r"contribut\w+ to", r"fuel(?:s|l?ed|l?ing)",
        ),
        zh=(
            "由于", "因为", "因此", "因而", "从而", "使得", "推动", "带动", "促进", "归功", "所致",
            "原因", "得益于", "受益于", r"受(?!试|访|者|众)", r"使(?!用|命|馆|者)",
            r"因(?!素|子|缘)",
        ),
    ),
)  # fmt: skip

CERTAINTY = Strength(
    code="certainty",
    label=Text("certainty", "“确定无疑”"),
    claims=Words(
        en=(
            r"inevitabl[ey]", "necessarily", "undoubtedly", r"without (?:a |any )?doubt",
            "certainly", r"unquestionabl[ey]", r"guaranteed to", r"guarantees? that", "invariably",
            "definitely", r"bound to", "always",
        ),
        zh=(
            "必然", "必定", "势必", "必将", "毫无疑问", "毋庸置疑", "无疑", "不可避免", "肯定会",
            "一定会", "一定能", "百分之百", r"绝对(?!值|数|收益|优势|额|温度|误差|风险)",
        ),
    ),
    equals=Words(
        en=("never", r"every time", r"in (?:all|every) cases?", r"no doubt", "must"),
        zh=("总是", "必", "从未", "所有情况"),
    ),
)  # fmt: skip

FIRST = Strength(
    code="first",
    label=Text("being the first", "“首次”或“首个”"),
    claims=Words(
        en=(
            r"(?<!at )(?<!when )(?<!\bs )(?:world[’']?s? )?"
            rf"first(?!,)(?![-\s]+(?:{_ORDINAL_NOUNS})\b)(?!\s+(?:{_PARTICIPLES})\b)"
            r"(?! and foremost)(?! [A-Z]\w+ (?:War|Lady|Amendment))",
            r"first-(?:ever|in-class|of-its-kind)",
            r"never before",
        ),
        zh=(
            r"首次(?!公开(?:发行|募股|招股))", "首个", "首款", "首家", "首例", "首座", "首条",
            "首创",
            "首部", "首台", "首艘", "首颗", "首架",
            r"第一个(?!季度|月|阶段|方面|问题|原因|步骤|小时|星期|交易日)", "第一家", "第一款",
            "率先", "史上第一", "全球第一", "世界第一",
        ),
    ),
    equals=Words(
        en=(
            "first", "1st", "inaugural", r"debut\w*", r"pioneer\w*", "maiden", "earliest",
            "unprecedented", "initial", r"only", r"new era",
        ),
        zh=("第一", r"首[位度轮期届支套种批架]", "全球首", "前所未有", "史无前例", "最早", "填补"),
    ),
)  # fmt: skip

ONLY = Strength(
    code="only",
    label=Text("being the only one", "“唯一”"),
    claims=Words(
        en=(
            r"the only(?! way)",
            r"only (?:one|known|remaining|approved|available|existing|country|company|drug)"
            r"(?! (?:in|of) (?:\d|two|three|four|five|six|seven|eight|nine|ten))",
            r"(?:the|its|their) sole",
            r"solely",
            r"uniquely",
            r"unique (?:in|among)",
        ),
        zh=("唯一", "独一无二", "绝无仅有", r"独家(?!记者|专访|报道|采访|新闻)", "独有"),
    ),
    equals=Words(
        en=(
            "only", r"sole(?:ly)?", r"uniqu\w+", r"exclusiv\w+", r"no (?:other|one else)", "alone",
            r"none of the (?:other|rest)", "nobody else", "single", "first",
        ),
        zh=("独家", "仅", "只", "单一", "没有其他", "没有第二", "首"),
    ),
)  # fmt: skip

LEADING = Strength(
    code="leading",
    label=Text("a leading place", "“领先”地位"),
    claims=Words(
        en=(
            r"(?:the|a|an|as|world|industry|market|globally)[- ]leading(?! (?:to|up|into|off)\b)",
            r"leading (?:provider|supplier|maker|manufacturer|producer|company|player|position"
            r"|brand|firm|vendor|platform|expert|scholar|university|institution)s?",
            r"(?:market|industry|world|global|undisputed|clear) leaders?",
            r"world[- ]class",
            r"best[- ]in[- ]class",
            r"dominant",
            r"dominat(?:es|ed)",
        ),
        zh=("领先", "引领", "龙头", "霸主", "遥遥领先", "领跑", "领军", "主导地位", "顶尖", "一流"),
    ),
    equals=Words(
        en=(
            r"leading", r"leaders?(?:hip)?", r"leads?", "led", "top", "largest", "biggest",
            r"no\. ?1", r"number one", "foremost", "premier", r"dominan\w+", r"dominat\w+", "best",
            r"majority", r"monopol\w+", r"first", r"rank(?:s|ed|ing)?", r"ahead of",
        ),
        zh=(
            "第一", "最大", "居首", "首位", "榜首", "主导", "垄断", "最强", "最高", "排名",
            "超过半数",
        ),
    ),
)  # fmt: skip

_SUPERLATIVES = (
    "largest|biggest|highest|lowest|greatest|fastest|strongest|smallest|worst|deadliest|richest"
    "|cheapest|oldest|youngest|longest|tallest|busiest|hottest|coldest|deepest|safest|widest"
)
SUPERLATIVE = Strength(
    code="superlative",
    label=Text("a highest degree", "“最高级”"),
    claims=Words(
        en=(
            rf"(?:{_SUPERLATIVES})",
            r"(?<!at )(?<!\bas )(?-i:best)"
            r"(?! (?:practices?|known|selling|western|interests?|way|available|to|of \w+ luck))",
            r"the most (?!of|part|recent|recently|likely)(?=\w{4})\w+",
        ),
        zh=(
            r"最大(?!限度|化|程度|值|似然|努力)", r"最高(?!人民|法|检|级|限|院|温度)", "最强",
            "最快",
            r"最佳(?!实践|化)", "最优秀", "最先进", "最重要", "第一大", "史上最", "历史新高",
            "之最",
            r"最低(?!工资|标准|限度|生活|气温|消费)",
        ),
    ),
    equals=Words(
        en=(
            r"most", r"records?(?: high| low)?", "top", r"no\. ?1", r"number one", "peak",
            r"all[- ]time", "leading", "leads", "led", r"rank\w*", "first", "second to none",
            r"(?!(?:inter|t|re|w|for|requ|inv|sugg|lat|hon|prot|harv|gu|cont|mod|arr|dig|qu|n|ch"
            r"|pri|ear?n|j|p|z|cr|ing|att|bequ|conqu|man|molest|in|unr|div|det|v|b|l|r)est\b)"
            r"[a-z]+est", "best", "main", "major", "primary", "chief", "more than any",
        ),
        zh=("最", "第一", "居首", "首位", "榜首", "新高", "新低", "创纪录", "之冠", "领先", "主要"),
    ),
)  # fmt: skip

DEGREE = Strength(
    code="degree",
    label=Text("a large effect", "“幅度很大”"),
    claims=Words(
        en=(
            r"significantly", r"dramatic(?:ally)?", r"drastic(?:ally)?", r"substantially",
            r"sharply", r"remarkabl[ey]", r"massively", r"skyrocket\w*", r"plummet\w*",
            r"soar(?:ed|s|ing)?", r"vast(?:ly)?(?! majority)",
            r"significant(?= (?:increase|decrease|reduction|improvement|growth|decline|rise|drop"
            r"|fall|difference|effect|impact|benefit|change)s?\b)",
        ),
        zh=("显著", "大幅", "急剧", "剧烈", r"巨大", "暴涨", "暴跌", "飙升", "飞跃"),
    ),
    equals=Words(
        en=(
            r"significan\w+", r"substantial\w*", r"considerabl[ey]", r"marked(?:ly)?", "sharp",
            r"huge(?:ly)?", r"massive", r"vast", r"great(?:ly|er)?", r"strong(?:ly)?", r"surg\w+",
            r"tripl\w+", r"doubl\w+", r"quadrupl\w+", r"far (?:more|less|higher|lower|fewer)",
            r"much (?:more|less|higher|lower|fewer)", r"p\s?[<≤=]\s?0?\.0[0-4]\d*",
            r"p\s?[<≤]\s?0?\.05", r"steep\w*",
            r"rapid\w*", r"record", r"enormous\w*", r"notabl[ey]", r"major", r"heav(?:y|ily)",
            r"extraordinar\w+", r"tremendous\w*", "collapsed?", r"unprecedented", r"deep(?:ly)?",
        ),
        zh=(
            "明显", "极大", "翻番", "翻倍", "成倍", "激增", "骤", "迅速", "快速", "猛", "重大",
            "极",
        ),
    ),
)  # fmt: skip

NOVELTY = Strength(
    code="novelty",
    label=Text("a breakthrough", "“突破性”"),
    claims=Words(
        en=(
            r"breakthroughs?(?! (?:therapy|device|infection|designation|pain|cancer))",
            r"game[- ]chang\w+",
            r"revolutionary(?! (?:war|guard|party|government|forces?|army|movement))",
            r"revolutioni[sz]\w+",
            "unprecedented",
            r"ground[- ]?breaking",
        ),
        zh=("突破性", "颠覆性", "革命性", "前所未有", "史无前例", "空前", "划时代"),
    ),
    equals=Words(
        en=("first", r"transform\w+", r"disrupt\w+", "historic", r"record", "novel", r"never"),
        zh=("突破", "颠覆", "首", "创新高", "历史性"),
    ),
)

STRENGTHS = (PROOF, CAUSE, CERTAINTY, FIRST, ONLY, LEADING, SUPERLATIVE, DEGREE, NOVELTY)
