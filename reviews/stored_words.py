"""Words that files use for kinds of claims, quotes and sources, in the reader's language."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

STORED = {
    "factual": pgettext_lazy("claim", "factual"),
    "interpretive": pgettext_lazy("claim", "interpretive"),
    "projective": pgettext_lazy("claim", "projective"),
    "support": pgettext_lazy("claim", "support"),
    "refute": pgettext_lazy("claim", "refute"),
    "neutral": pgettext_lazy("claim", "neutral"),
    "direct": pgettext_lazy("quote", "direct"),
    "paraphrase": pgettext_lazy("quote", "paraphrase"),
    "numeric": pgettext_lazy("quote", "numeric"),
    "primary": _("primary"),
    "secondary": _("secondary"),
    "tertiary": _("tertiary"),
}
