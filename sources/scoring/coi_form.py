"""The answers of a source's form about conflicts of interest. Pure. Rulebook section 2."""

from collections.abc import Mapping
from dataclasses import dataclass

from workbench.lib.texts import Text

# Question → answer → words. Names are stored; "" is "not answered".
QUESTIONS: Mapping[str, tuple[Text, Mapping[str, Text]]] = {
    "tie": (
        Text(
            "Do author or institution have a commercial tie to what is assessed?",
            "作者或机构与被评估的公司、产品是否有商业关联？",
        ),
        {
            "none": Text("No tie", "无关联"),
            "tied": Text("Tied", "有关联"),
            "own": Text("It is the vendor's own report", "厂商自发报告"),
        },
    ),
    "funding": (
        Text("What does the funding statement say?", "资助声明提到什么？"),
        {
            "none": Text("No funding", "无资助"),
            "public": Text("Public or academic funding", "政府或学术资助"),
            "industry": Text("Industry funding", "企业资助"),
        },
    ),
    "disclosure": (
        Text("Is the disclosure complete?", "利益披露是否完整？"),
        {
            "complete": Text("Complete", "完整"),
            "incomplete": Text("Incomplete", "不完整"),
            "absent": Text("There is none", "没有披露"),
        },
    ),
    "method": (
        Text(
            "Is the method independent of who pays for it?",
            "研究方法是否独立于资助方？",
        ),
        {
            "independent": Text("Independent", "独立"),
            "doubtful": Text("Doubtful", "可疑"),
            "tilted": Text("The comparison is tilted to the sponsor", "对比明显偏向资助方"),
        },
    ),
}


@dataclass(frozen=True, slots=True)
class CoiAnswers:
    """What a person answered; empty where nobody did."""

    tie: str = ""
    funding: str = ""
    disclosure: str = ""
    method: str = ""

    @classmethod
    def read(cls, form: object) -> "CoiAnswers":
        """Read a stored form; what is no known answer counts as not answered."""
        if not isinstance(form, Mapping):
            return cls()
        given = {}
        for name, (_question, answers) in QUESTIONS.items():
            answer = form.get(name)
            given[name] = answer if isinstance(answer, str) and answer in answers else ""
        return cls(**given)
