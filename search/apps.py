from django.apps import AppConfig
from django.utils.translation import pgettext_lazy


class SearchConfig(AppConfig):
    name = "search"
    verbose_name = pgettext_lazy("app", "Search")

    def ready(self) -> None:
        from sources.field_words import name_fields

        name_fields(self.get_models())
