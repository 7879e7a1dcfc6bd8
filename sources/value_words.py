"""Words for values that sources hold, in the language of each reader."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.functional import Promise, lazy
from django.utils.translation import get_language

from workbench.lib.texts import Text

from . import admission
from .models import Band, NoticeProvider, Source
from .retractions.words import NATURES
from .scoring.coi_form import QUESTIONS
from .scoring.kinds import KINDS

_said: Callable[[Text], Promise] = lazy(lambda text: text.render(get_language() or "en"), str)


def _words(texts: Mapping[str, Text]) -> dict[str, Promise]:
    """Give texts of pure modules as words that are said when they are shown."""
    return {name: _said(text) for name, text in texts.items()}


# What files declare, where it is no kind of ours. Formats section 1.
DECLARED = {
    "paper": Text("Paper", "论文"),
    "journal": Text("Journal", "期刊"),
    "trial": Text("Trial", "试验"),
    "trial_registry": Text("Trial registry", "试验登记处"),
    "regulatory": Text("Regulatory", "监管文件"),
    "regulator": Text("Regulator", "监管机构"),
    "report": Text("Report", "报告"),
    "consulting": Text("Consulting", "咨询机构"),
    "media": Text("Media", "媒体"),
    "other": Text("Other", "其他"),
}

# By the name of the field that holds the value.
VALUES_OF_SOURCES: Mapping[str, Mapping[Any, str | Promise]] = {
    **{question: _words(answers) for question, (_text, answers) in QUESTIONS.items()},
    "access_status": dict(Source.AccessStatus.choices),
    "band": dict(Band.choices),
    "nature": _words(NATURES),
    "provider": dict(NoticeProvider.choices),
    "rule": _words(admission.RULES),
    "says": dict(NoticeProvider.choices),
    "status": dict(Source.Status.choices),
    "type": {**_words(DECLARED), **_words(KINDS)},
}
