"""What cleaning begins with: words of both languages, relations, names, hosts. Pure data.

Projects add their own names and relations; admins keep the pairs of names in a table.
"""

# Names of one thing, the first stands for all. Lower case, Simplified.
GLOSSARY: tuple[tuple[str, ...], ...] = (
    ("ai", "人工智能", "artificial intelligence"),
    ("芯片", "chip", "chips", "晶片"),
    ("半导体", "semiconductor", "semiconductors"),
    ("大模型", "大语言模型", "large language model", "large language models", "llm", "llms"),
    ("机器学习", "machine learning"),
    ("自动驾驶", "autonomous driving", "self-driving"),
    ("电动汽车", "electric vehicle", "electric vehicles", "ev", "evs"),
    ("新能源", "new energy"),
    ("电池", "battery", "batteries"),
    ("光伏", "photovoltaic", "solar"),
    ("机器人", "robot", "robots", "robotics"),
    ("药物", "drug", "drugs"),
    ("疫苗", "vaccine", "vaccines"),
    ("疗效", "efficacy"),
    ("安全性", "safety"),
    ("不良反应", "adverse reaction", "adverse reactions", "adverse events", "不良事件"),
    ("副作用", "side effect", "side effects"),
    ("临床试验", "clinical trial", "clinical trials"),
    ("减重", "weight loss", "减肥"),
    ("肥胖", "obesity"),
    ("糖尿病", "diabetes"),
    ("高血压", "hypertension"),
    ("癌症", "cancer", "肿瘤", "oncology"),
    ("肺癌", "lung cancer"),
    ("乳腺癌", "breast cancer"),
    ("阿尔茨海默病", "alzheimer's disease", "alzheimer", "阿尔茨海默"),
    ("司美格鲁肽", "semaglutide"),
    ("替尔泊肽", "tirzepatide"),
    ("胰岛素", "insulin"),
    ("抗体", "antibody", "antibodies"),
    ("基因治疗", "gene therapy"),
    ("细胞治疗", "cell therapy"),
    ("小核酸", "sirna", "oligonucleotide"),
    ("医疗器械", "medical device", "medical devices"),
    ("医保", "health insurance"),
    ("专利", "patent", "patents"),
    ("监管", "regulation", "regulatory"),
    ("政策", "policy"),
    ("市场", "market", "markets"),
    ("价格", "price", "prices"),
    ("中国", "china", "chinese"),
    ("美国", "united states", "usa"),
    ("欧盟", "european union"),
    ("日本", "japan"),
)

# Words that go with any subject and tell little about one.
GENERIC: frozenset[str] = frozenset(
    [
        "市场",
        "规模",
        "市场规模",
        "分析",
        "研究",
        "报告",
        "现状",
        "趋势",
        "发展",
        "前景",
        "行业",
        "产业",
        "技术",
        "应用",
        "最新",
        "进展",
        "概况",
        "情况",
        "影响",
        "问题",
        "数据",
        "竞争格局",
        "格局",
        "预测",
        "调研",
        "综述",
        "中国",
        "全球",
        "国内",
        "market",
        "markets",
        "size",
        "analysis",
        "research",
        "report",
        "reports",
        "study",
        "studies",
        "trend",
        "trends",
        "outlook",
        "overview",
        "industry",
        "technology",
        "latest",
        "development",
        "developments",
        "landscape",
        "forecast",
        "impact",
        "global",
        "china",
        "review",
        "status",
        "data",
    ]
)

# Related names, words of the subjects that they are related to, and what they are to them.
RELATIONS: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...] = (
    (
        ("台积电", "TSMC", "中芯国际", "SMIC", "三星电子", "Samsung Electronics"),
        ("芯片", "chip", "半导体", "semiconductor", "gpu"),
        "代工厂商 / foundry",
    ),
    (
        ("阿斯麦", "ASML"),
        ("芯片", "chip", "半导体", "semiconductor", "光刻"),
        "光刻设备商 / lithography equipment",
    ),
    (
        ("英伟达", "NVIDIA", "寒武纪", "Cambricon", "昇腾"),
        ("ai芯片", "ai chip", "gpu", "人工智能芯片", "算力"),
        "芯片厂商 / chip maker",
    ),
    (
        ("诺和诺德", "Novo Nordisk"),
        ("司美格鲁肽", "semaglutide", "glp-1", "减重", "weight loss", "obesity", "肥胖"),
        "生产企业 / manufacturer",
    ),
    (
        ("礼来", "Eli Lilly"),
        ("替尔泊肽", "tirzepatide", "glp-1", "减重", "weight loss", "obesity", "肥胖"),
        "生产企业 / manufacturer",
    ),
    (
        ("宁德时代", "CATL"),
        ("电动汽车", "electric vehicle", "新能源汽车", "动力电池", "battery"),
        "电池厂商 / battery maker",
    ),
)

# What is written, what is meant, and words that go with what is meant alone.
NAME_PAIRS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "中国银行",
        "中国人民银行",
        ("降准", "存款准备金", "货币政策", "公开市场操作", "逆回购", "央行", "基准利率",
         "贷款市场报价利率", "LPR", "宏观审慎"),
    ),
    (
        "Bank of China",
        "People's Bank of China",
        ("reserve requirement", "monetary policy", "open market operation", "central bank",
         "benchmark rate", "loan prime rate"),
    ),
    ("中国人寿", "中国人保", ("财产险", "车险", "PICC")),
    ("中国人保", "中国人寿", ("寿险保费", "China Life")),
    ("国家药监局", "国家医保局", ("集中带量采购", "医保谈判", "带量采购")),
    ("国家医保局", "国家药监局", ("药品注册证", "临床默示许可")),
    ("Merck & Co", "Merck KGaA", ("Darmstadt", "EMD Serono", "达姆施塔特")),
    ("Merck KGaA", "Merck & Co", ("Keytruda", "pembrolizumab", "Rahway")),
    ("Johnson Controls", "Johnson & Johnson", ("Janssen", "pharmaceutical", "vaccine")),
    ("北京大学", "北京科技大学", ("北科大", "USTB")),
)  # fmt: skip

# Platforms that take over what others wrote.
AGGREGATORS: frozenset[str] = frozenset(
    {"toutiao.com", "baijiahao.baidu.com", "mbd.baidu.com", "yidianzixun.com", "kuaibao.qq.com",
     "uczzd.cn", "m.uczzd.cn", "360kuai.com", "myzaker.com", "smartnews.com", "newsbreak.com",
     "flipboard.com", "msn.com"}
)  # fmt: skip

# Platforms on which anybody publishes; a host row of class "self_media" is one as well.
SELF_MEDIA: frozenset[str] = frozenset(
    {"mp.weixin.qq.com", "weibo.com", "weibo.cn", "zhihu.com", "xiaohongshu.com", "xhslink.com",
     "douyin.com", "bilibili.com", "jianshu.com", "tieba.baidu.com", "dy.163.com", "douban.com",
     "blog.csdn.net", "blog.sina.com.cn", "substack.com", "medium.com", "wordpress.com",
     "blogspot.com", "tumblr.com", "youtube.com", "tiktok.com", "facebook.com", "instagram.com",
     "twitter.com", "x.com", "reddit.com", "quora.com"}
)  # fmt: skip
# Parts of a host where anybody publishes: host, beginning of the path.
SELF_MEDIA_PATHS: tuple[tuple[str, str], ...] = (
    ("sohu.com", "/a/"),
    ("163.com", "/dy/"),
    ("linkedin.com", "/pulse/"),
    ("linkedin.com", "/posts/"),
    ("forbes.com", "/sites/"),
)

CONTENT_FARMS: frozenset[str] = frozenset(
    {"ezinearticles.com", "articlesbase.com", "hubpages.com", "buzzle.com", "xuexila.com",
     "jingyan.baidu.com", "wenku.baidu.com", "docin.com", "book118.com", "renrendoc.com",
     "360doc.com", "360doc.cn", "doc88.com"}
)  # fmt: skip

# How the DOIs of journals begin that the site's table of journals knows by these names.
JOURNAL_DOIS: tuple[tuple[str, str], ...] = (
    ("10.1056/nejm", "NEJM"),
    ("10.1016/s0140-6736", "The Lancet"),
    ("10.1038/s41586", "Nature"),
    ("10.1126/science.", "Science"),
    ("10.1016/j.cell.", "Cell"),
    ("10.1001/jama.", "JAMA"),
    ("10.1038/s41591", "Nature Medicine"),
    ("10.1038/s41587", "Nature Biotechnology"),
    ("10.1136/bmj.", "BMJ"),
    ("10.1136/bmj-", "BMJ"),
    ("10.1016/j.annonc.", "Annals of Oncology"),
    ("10.1200/jco.", "Journal of Clinical Oncology"),
    ("10.1161/circresaha.", "Circulation Research"),
    ("10.1164/rccm.", "AJRCCM"),
)
