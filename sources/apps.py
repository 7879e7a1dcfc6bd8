from django.apps import AppConfig
from django.utils.translation import pgettext_lazy


class SourcesConfig(AppConfig):
    name = "sources"
    verbose_name = pgettext_lazy("app", "Sources")

    def ready(self) -> None:
        from .field_words import name_fields

        name_fields(self.get_models())
