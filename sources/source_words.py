"""What the codes of findings about a source say, in both languages. Pure."""

from collections.abc import Mapping

from workbench.lib.texts import Text

from .retractions.words import FINDINGS as _NOTICES
from .retractions.words import render_finding as render_notice
from .scoring.words import FINDINGS as _SCORING
from .scoring.words import render_finding

WORDS: Mapping[str, Text] = {
    code: text for code, (_severity, text) in {**_SCORING, **_NOTICES}.items()
}


def finding_text(code: str, params: Mapping[str, str], language: str) -> str:
    """Say what a finding found, in the language of a BCP 47 tag; an unknown code is given bare."""
    if code in _SCORING:
        return render_finding(code, params, language)
    if code in _NOTICES:
        return render_notice(code, params, language)
    known = WORDS.get(code)
    return known.render(language, **params) if known else code
