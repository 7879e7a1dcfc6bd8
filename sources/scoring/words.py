"""What the rules, the advice and the findings of scoring say, in both languages. Pure."""

from collections.abc import Mapping

from workbench.lib.texts import Text

from . import authority, coi, primacy, recency, tiers, verifiability
from .kinds import CONTENTS, KINDS
from .marks import Rule

RULES: Mapping[str, Mapping[str, Rule]] = {
    "authority": authority.RULES,
    "recency": recency.RULES,
    "primacy": primacy.RULES,
    "verifiability": verifiability.RULES,
    "coi": coi.RULES,
    "tier": tiers.RULES,
}

CLASSES: Mapping[str, Text] = {
    "regulator": Text("regulator", "监管机构"),
    "exchange": Text("stock exchange or securities regulator", "证券监管或交易所"),
    "registry": Text("trial registry", "临床试验登记机构"),
    "patent_office": Text("patent office or database", "专利局或专利数据库"),
    "journal": Text("journal or index of journals", "期刊或期刊索引"),
    "top_consulting": Text("top consulting", "顶级咨询"),
    "data_vendor": Text("market data vendor", "市场数据商"),
    "broker": Text("broker", "券商"),
    "association": Text("industry association", "行业协会"),
    "professional_media": Text("professional media", "专业媒体"),
    "preprint": Text("preprint server", "预印本平台"),
    "conference": Text("conference abstracts", "会议摘要"),
    "company": Text("company", "企业"),
    "academic": Text("university or institute", "高校或研究机构"),
    "government": Text("government", "政府"),
    "self_media": Text("self-media", "自媒体"),
    "encyclopedia": Text("open encyclopaedia", "开放百科"),
    "other": Text("other", "其他"),
}

# What fills a placeholder and is itself a name: (placeholder, name) → words.
_BY: Mapping[str, Text] = {
    "override": Text("person's override", "人工改值"),
    "publication_type": Text("publication type", "文献类型"),
    "venue": Text("journal", "期刊"),
    "title": Text("title", "标题"),
    "abstract": Text("abstract", "摘要"),
    "form": Text("conflict form", "利益冲突表单"),
    "statements": Text("funding statement and disclosure", "资助声明与利益披露"),
}
_FILLS: Mapping[str, Mapping[str, Text]] = {
    "class": CLASSES,
    "kind": {**KINDS, **CONTENTS, "form": Text("by the conflict form", "据利益冲突表单")},
    "by": _BY,
    "topic": {
        "market": Text("market", "市场"),
        "regulatory": Text("regulatory", "监管"),
        "clinical": Text("clinical", "临床"),
        "mechanism": Text("mechanism", "机制研究"),
        "–": Text("no topic type set, so the strictest", "未设主题类型，按最严"),
    },
    "origin": {
        "table": Text("from the table of journals", "来自期刊表"),
        "record": Text("as the record states it", "为记录自述"),
    },
}

MORE: Mapping[str, Text] = {
    "published_version": Text(
        "Cite the peer-reviewed version, if there is one.", "如已正式发表，请引用同行评审版本。"
    ),
    "original": Text("Cite the original that it rests on.", "请引用其所依据的原始信源。"),
    "journal_figure": Text(
        "Enter the journal's impact factor in the table of journals.",
        "请在期刊表中录入该刊影响因子。",
    ),
    "row_points": Text(
        "An admin may give this row points of its own.", "管理员可为该行单独设定分值。"
    ),
    "table_row": Text(
        "Add the host or body to the site's tables, if it is known.",
        "如机构可确认，请将该域名或机构加入站点表。",
    ),
    "in_force": Text(
        "Say whether this version is in force (in_force, superseded_by).",
        "请注明该版本是否现行有效（in_force、superseded_by）。",
    ),
    "newest_version": Text("Cite the version in force.", "请引用现行有效版本。"),
    "date": Text("Give the date of publication.", "请补充发表日期。"),
    "newer": Text("Look for a newer source.", "请寻找更新的信源。"),
    "topic": Text("Set the topic type of the project.", "请设置项目的主题类型。"),
    "publication_type": Text(
        "Give the publication type (randomised trial, review, …) or the abstract.",
        "请补充文献类型（随机对照试验、综述等）或摘要。",
    ),
    "own_data": Text(
        "Where the data are its own, a person may say so by an override.",
        "如数据确为自采，可由人工改值说明。",
    ),
    "kind": Text(
        "State what kind of source it is (source_type).", "请注明信源类型（source_type）。"
    ),
    "identifier": Text(
        "Give a DOI, PMID, registry or patent number.", "请补充 DOI、PMID、登记号或专利号。"
    ),
    "open_full_text": Text("Open the full text and record it.", "请打开全文并记录。"),
    "raw_data": Text(
        "Give where the raw data can be downloaded (data_url).",
        "请注明原始数据下载地址（data_url）。",
    ),
    "live_address": Text("Find an address that works.", "请寻找有效地址。"),
    "coi_form": Text("Fill in the form about conflicts of interest.", "请填写利益冲突表单。"),
    "third_party": Text("Look for an independent source.", "请寻找独立第三方信源。"),
    "own_work": Text(
        "Look for a study that the sponsor did not pay for.", "请寻找非该资助方出资的研究。"
    ),
}

# Finding code → severity and words. Codes are stored: never renamed, never reused.
FINDINGS: Mapping[str, tuple[str, Text]] = {
    "unknown_authority": (
        "info",
        Text("Nothing is known of who publishes this.", "发布者权威性未知。"),
    ),
    "unknown_recency": (
        "info",
        Text("Its recency cannot be told.", "时效性无法判断。"),
    ),
    "unknown_primacy": (
        "info",
        Text("Nothing tells how near it stands to the data.", "一手性无法判断。"),
    ),
    "unknown_verifiability": (
        "info",
        Text("Nothing tells whether its full text can be reached.", "能否获取全文未知。"),
    ),
    "unknown_coi": (
        "info",
        Text("Nothing tells who paid for it.", "资助与利益冲突情况未知。"),
    ),
    "score_mismatch": (
        "warning",
        Text(
            "The file states a score of {stated}, the rubric gives {ours}.",
            "文件自述评分 {stated}，按评分规则为 {ours}。",
        ),
    ),
    "impact_factor_differs": (
        "info",
        Text(
            "The record gives {journal} an impact factor of {stated}; the table has {table}.",
            "记录中 {journal} 的影响因子为 {stated}，期刊表为 {table}。",
        ),
    ),
    "claimed_publisher": (
        "warning",
        Text(
            "The record names {name}, but {host} is not known as theirs; it was not counted.",
            "记录声称由 {name} 发布，但 {host} 未登记为其域名，未予采信。",
        ),
    ),
    "source_type_differs": (
        "info",
        Text(
            "The record calls it {stated}; by the table, {host} publishes something else ({kind}).",
            "记录称其类型为 {stated}；站点表显示 {host} 发布的是另一类（{kind}）。",
        ),
    ),
    "published_after_as_of": (
        "warning",
        Text(
            "It is dated {published}, after the date of the project ({as_of}).",
            "其日期 {published} 晚于项目截止日（{as_of}）。",
        ),
    ),
    "dates_differ": (
        "info",
        Text(
            "Its date ({published}) and its year ({year}) are far apart.",
            "其日期（{published}）与年份（{year}）相差较大。",
        ),
    ),
    "coi_company_host": (
        "warning",
        Text(
            "Its host {host} belongs to {subject}, which this project evaluates.",
            "其域名 {host} 属于被评估对象 {subject}。",
        ),
    ),
    "coi_sponsor_named": (
        "warning",
        Text(
            "The funding statement names {subject}: look at comparator, blinding, sample size.",
            "资助声明提到 {subject}：请核查对比剂、盲法和样本量。",
        ),
    ),
    "coi_author_company": (
        "warning",
        Text("{subject} is among the authors.", "作者中包含 {subject}。"),
    ),
    "coi_industry_funding": (
        "info",
        Text(
            "The funding statement seems to name a company: “{statement}”.",
            "资助声明似提到企业：“{statement}”。",
        ),
    ),
    "coi_own_clients": (
        "warning",
        Text(
            "A consulting report that mentions clients (“{words}”): read its acknowledgment.",
            "咨询报告提到客户（“{words}”）：请查看致谢部分。",
        ),
    ),
    "coi_members": (
        "warning",
        Text(
            "A paper of an association about its members (“{words}”): read the list of funders.",
            "行业协会文件涉及会员企业（“{words}”）：请查看资助方名单。",
        ),
    ),
    "coi_member_named": (
        "warning",
        Text(
            "A paper of an association that names {subject}: read the list of funders.",
            "行业协会文件提到 {subject}：请查看资助方名单。",
        ),
    ),
    "coi_underwriter": (
        "warning",
        Text(
            "Broker research that mentions underwriting (“{words}”): read the offering record.",
            "券商研报提到保荐或承销（“{words}”）：请核查上市承销记录。",
        ),
    ),
    "coi_not_judged": (
        "warning",
        Text(
            "A conflict is written down and nobody has said how strong it is.",
            "已记录利益冲突，但尚未判断其强弱。",
        ),
    ),
    "strong_coi_without_text": (
        "error",
        Text(
            "A strong conflict needs a text that says what it is.",
            "强利益冲突必须写明具体内容。",
        ),
    ),
}


def render(dimension: str, rule: str, facts: Mapping[str, str], language: str) -> str:
    """Say why a dimension or the tier has its value. A rule of an older version is given bare."""
    known = RULES[dimension].get(rule)
    if known is None:
        return f"{rule}: " + ", ".join(f"{name} {value}" for name, value in facts.items())
    return _fill(known.text, facts, language)


def render_finding(code: str, params: Mapping[str, str], language: str) -> str:
    """Say what a finding found. An unknown code is given bare."""
    known = FINDINGS.get(code)
    return _fill(known[1], params, language) if known else code


def _fill(text: Text, facts: Mapping[str, str], language: str) -> str:
    values = {}
    for name, value in facts.items():
        words = _FILLS.get(name, {}).get(value)
        values[name] = words.render(language) if words else value
    template = text.zh if language.lower().startswith("zh") else text.en
    return template.format_map(_Given(values))


class _Given(dict[str, str]):
    """Values for a template; one that is missing shows as a dash."""

    def __missing__(self, key: str) -> str:
        return "–"
