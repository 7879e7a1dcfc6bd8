"""What an import of a report says about its files, in words of the domain."""

from reviews.checks.saying import LABELS
from reviews.contracts.violations import Violation
from sources.capture_depth import reason_in
from sources.source_cache import SourceCacheError
from workbench.lib import problems
from workbench.lib.notices import shown
from workbench.lib.problems import MORE, NO_HINT, SHOWN_OF_A_KIND, Problem, Rule

__all__ = ["MORE", "NO_HINT", "SHOWN_OF_A_KIND", "Log", "Problem", "Rule"]


class Log(problems.Log):
    """Errors, notices and counts being gathered while a report is read."""

    def __init__(self) -> None:
        super().__init__(_spoken)


def _spoken(name: str, value: object, language: str) -> object:
    if isinstance(value, SourceCacheError | Violation):
        return value.message(language)
    if name == "depth" and isinstance(value, str) and value in LABELS["depth"]:
        return LABELS["depth"][value].render(language)
    if name == "reason" and isinstance(value, str):
        return reason_in(shown(value), language)
    return problems.spoken(name, value, language)
