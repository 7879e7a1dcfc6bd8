"""Short texts in the two languages of the product, for modules that know no Django."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    """One message in English and Simplified Chinese, with ``{name}`` placeholders."""

    en: str
    zh: str

    def render(self, language: str, **values: object) -> str:
        """Give the text in the language of a BCP 47 tag; Chinese for ``zh…``, else English."""
        template = self.zh if language.lower().startswith("zh") else self.en
        return template.format(**values)
