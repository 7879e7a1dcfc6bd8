"""Words of effect, association, doubt, attribution, forecast and denial. Data only.

Sources: Rulebook section 7 (A3, B1); the wider lists, which say that a claim kept the doubt, and
the exceptions were added by reading claims against their cited pages, 2026.
"""

from reviews.checks.words import Words

# Verbs of effect: a cause in disguise, but only where the source speaks of a mere association.
EFFECTS = Words(
    en=(
        r"(?:reduces?|lowers?|increases?|raises?|improves?|prevents?|boosts?|cuts?|protects?"
        r"|worsens?|delays?|extends?|prolongs?|shortens?|induces?|promotes?|enhances?|affects?)",
        r"(?:reduced|lowered|increased|raised|improved|prevented|boosted|extended|prolonged"
        r"|enhanced|affected) (?:the|their|its|his|her|overall)",
        r"effects? of \w+ on",
        r"impact of \w+ on",
    ),
    zh=("降低", "减少", "增加", "提高", "提升", "改善", "预防", "促进", "延长", "缩短", "加剧"),
)

CORRELATIONS = Words(
    en=(
        r"associat(?:ed|ion|ions|es) (?:with|between)",
        r"associations?",
        r"correlat\w+",
        r"linked (?:to|with)",
        r"links? between",
        r"relationships? between",
        r"tied to",
        r"observational",
        r"(?:was|were|is|are) related to",
    ),
    zh=(
        r"[与和跟同].{1,30}(?:显著|密切|高度|独立|直接|呈|存在|具有|有)?(?:正|负)?相关",
        "正相关",
        "负相关",
        "相关性",
        "相关关系",
        "相关系数",
        r"关联(?!公司|企业|方|交易|人|账户)",
        "观察性研究",
        "伴随",
    ),
)

HEDGES = Words(
    en=(
        r"(?-i:may)(?! (?:not )?(?:\d|day\b))",
        r"might",
        r"could(?! not)",
        r"suggest(?:s|ed|ing)?(?! that (?:you|we|readers))",
        r"appear(?:s|ed)? (?:to|that)",
        r"seem(?:s|ed|ingly)?",
        r"(?<!more )(?<!less )(?<!most )(?<!least )(?<!as )likely(?! (?:as|than))",
        r"possibl[ey](?! to)",
        r"potentially",
        r"perhaps",
        r"preliminary",
        r"tentativ\w+",
        r"speculat\w+",
        r"unconfirmed",
        r"not (?:yet )?clear",
        r"interim (?:analysis|results?|data)",
    ),
    zh=(
        r"可能(?!性)",
        r"或(?=将|可|会|许|能|有|致|需|成)",
        "也许",
        "似乎",
        "大概",
        "疑似",
        "有望",
        "初步",
        "尚不明确",
        "尚不清楚",
        "未经证实",
        r"(?:研究|结果|数据|证据)(?:\w{0,6})提示",
        "不排除",
        "推测",
    ),
)

# What in a claim shows that it kept the doubt; wider than HEDGES, to leave fair claims alone.
CAUTIONS = Words(
    en=(
        *HEDGES.en, r"can", r"could", r"would", r"suspect\w*", r"about", r"estimat\w+",
        r"approximat\w+",
        r"indicat\w+", r"probabl[ey]", r"reported(?:ly)?", r"according to", r"believ\w+",
        r"claim\w*",
        r"allege\w*", r"expect\w*", r"projected?", r"forecast\w*", r"plan\w*", r"tend(?:s|ed)? to",
        r"uncertain\w*", r"unclear", r"potential", r"possibility", r"risk\w*", r"hypothesi\w+",
        r"theor\w+", r"thought to", r"considered", r"argu\w+", r"propos\w+", r"likely",
        r"unlikely", r"aim\w*", r"should", r"if", r"associat\w+", r"correlat\w+",
    ),
    zh=(
        *HEDGES.zh, "可能", "提示", "或", "预计", "预期", "估计", "约", "据", "称", "认为", "表示",
        "倾向", "风险", "假设", "若", "如果", "潜在", "计划", "拟", "目标", "相关", "不确定", "疑",
    ),
)  # fmt: skip

# Words with which a source lets somebody else answer for what is said.
ATTRIBUTIONS = Words(
    en=(
        r"claim(?:s|ed|ing)? (?:that|to)",
        r"alleg(?:es|ed|edly|ing)",
        r"purport\w+",
        r"reportedly",
        r"according to (?:people|sources|rumou?rs)",
        r"(?:company|firm|ceo|spokes\w+|he|she|they) (?:claims?|claimed|believe[sd]?|boasts?)",
        r"so-called",
    ),
    zh=("声称", "自称", "宣称", "据称", "据传", "号称", "据知情人士", "据业内人士", "标榜"),
)

# Words with which a body states its own affairs: its word proves that it said so.
DISCLOSURES = Words(
    en=(
        r"(?:company|firm|group|management|issuer) (?:discloses?|disclosed|says|said|states|stated"
        r"|announces|announced)",
    ),
    zh=("公司披露", "公司公告称", "公司表示", "公司称", "企业表示", "管理层表示"),
)

FORECASTS = Words(
    en=(
        r"(?:expect(?:s|ed)?|anticipate[sd]?|forecasts?|projected|projects) (?:to|that|by)",
        r"(?:is|are|was|were) (?:expected|projected|forecast|set|slated|poised) to",
        r"plans? to",
        r"planned to",
        r"intends? to",
        r"aims? to",
    ),
    zh=("预计", "预期", "预测", "计划于", "拟于", "力争", "有望", "目标是", "将于"),
)

# What in a claim shows that it speaks of what is to come, or of somebody's word for it.
FUTURE = Words(
    en=(
        r"will", r"would", r"expect\w*", r"anticipat\w+", r"forecast\w*", r"project(?:s|ed|ions?)",
        r"plan\w*", r"intend\w*", r"aims?", r"aimed", r"target\w*", r"set to", r"poised", r"slated",
        r"goals?", r"by 20[2-9]\d", r"scheduled", r"prospect\w*", r"outlook", r"estimat\w+",
        r"according to", r"predict\w+", r"could", r"(?-i:may)", r"might", r"due to be", r"upcoming",
        r"going to", r"future", r"propos\w+", r"hop(?:es|ed) to", r"would",
    ),
    zh=(
        "将", "预计", "预期", "预测", "计划", "拟", "力争", "有望", "目标", "可能", "未来", "展望",
        "规划",
    ),
)  # fmt: skip

PREMISES = Words(
    en=(
        r"if(?! any| necessary| applicable)", r"assuming", r"assumes?", r"provided that",
        r"as long as", r"unless", r"conditional on", r"subject to", r"contingent (?:on|upon)",
        r"under the assumption", r"in (?:the|this) (?:base|best|worst)[- ]case scenario",
    ),
    zh=(
        "如果", "假如", "假设", "倘若", r"若(?!干)", "前提", "只要", "除非", "取决于", "情景下",
        "在此情形下",
    ),
)  # fmt: skip

KEPT_PREMISES = Words(
    en=(
        *PREMISES.en, r"when", r"scenario", r"depend\w*", r"condition\w*",
        r"should .{1,60} continue",
        r"premise", r"assum\w+", r"with continued", r"given",
    ),
    zh=(*PREMISES.zh, "时", "条件", "情景", "基于", "的话", "依赖"),
)  # fmt: skip

PRECLINICAL = Words(
    en=(
        r"(?:in|of) (?:mice|rats|rodents|zebrafish|monkeys|macaques|piglets|rabbits)",
        r"mouse models?", r"(?:murine|rodent|animal) (?:models?|study|studies|experiments?)",
        r"in vitro", r"cell lines?", r"cultured cells",
    ),
    zh=(
        "小鼠", "大鼠", "动物实验", "动物模型", "体外实验", "体外研究", "细胞系", "细胞实验",
        "斑马鱼",
    ),
)  # fmt: skip

KEPT_PRECLINICAL = Words(
    en=(
        r"mice", r"mouse", r"rats?", r"murine", r"rodents?", r"animals?", r"in[- ]vitro", r"cells?",
        r"zebrafish", r"monkeys?", r"macaques?", r"pre-?clinical\w*", r"pigs?", r"piglets?",
        r"rabbits?", r"laborator\w+", r"primates?", r"in[- ]vivo", r"models?",
    ),
    zh=("鼠", "动物", "体外", "细胞", "斑马鱼", "猴", "临床前", "模型", "实验室", "猪", "兔"),
)  # fmt: skip

NEGATIONS = Words(
    en=(
        r"not", r"no", r"never", r"cannot", r"\w+n[’']t", r"without", r"neither", r"nor",
        r"fail\w*",
        r"unable", r"rather than", r"instead of", r"whether", r"unlikely", r"yet to",
        r"den(?:y|ies|ied)",
        r"far from", r"insufficient", r"hardly", r"lack\w*", r"prevent\w*", r"avoid\w*",
    ),
    zh=(
        "不", "未", "没有", "没能", "无法", "并非", "难以", "是否", "能否", "避免", "防止", "而非",
        "否认", "尚无", "并无", "非",
    ),
)  # fmt: skip

# Look like negations, but deny nothing.
NO_NEGATIONS = Words(
    en=(
        r"not (?:only|just|merely)", r"no doubt", r"no less", r"no wonder", r"without (?:a )?doubt",
    ),
    zh=(
        "不仅", "不但", "不只", "不光", "不断", "不少", "不同", "无疑", "非常", "不得不", "未来",
        "不久",
        "不可避免", "不可否认", "毫无疑问", "非洲", "不锈钢", "非小细胞", "是否会", "南非",
    ),
)  # fmt: skip

# A claim about how something was measured or reached, which belongs in writing_context[].
ACCESS = Words(
    en=(
        r"data (?:is|are|was|were) (?:not|un)\s?(?:publicly |freely )?(?:available|accessible)",
        r"no (?:public|publicly available|official) (?:data|statistics|figures)",
        r"not publicly (?:available|disclosed)", r"could not (?:access|retrieve|be accessed)",
        r"behind a paywall", r"paywalled", r"sample (?:covers|coverage)",
        r"(?:data|figures|datasets?|results|sources) (?:is|are) not (?:directly )?comparable",
        r"methodolog(?:y|ies) differs?", r"definitions? differs?",
    ),
    zh=(
        r"口径(?:不同|不一|不一致|有差异|存在差异|差异)",
        r"数据(?:不可得|不可获取|不可比|未公开|缺失|无法获取)",
        "无法获取", "无法访问", "付费墙", "样本覆盖", "没有公开数据", "无公开数据", "缺乏公开数据",
        "渠道缺口", "不具可比性", "统计口径",
    ),
)  # fmt: skip
