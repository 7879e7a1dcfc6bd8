"""The rows that a new site begins with; tests that commit flush them with all others."""

from importlib import import_module
from types import SimpleNamespace

from django.apps import apps
from django.db import connection

# Model that tells whether they stand, and the migration that brings them.
_BROUGHT = (
    ("sources.Domain", "sources.migrations.0011_starter_tables"),
    ("sources.BlacklistRule", "sources.migrations.0019_starter_blacklist"),
    ("search.Route", "search.migrations.0003_starter_routes"),
)


def bring_starter_rows() -> None:
    """Run the migrations that bring rows anew where their rows are gone."""
    for model, migration in _BROUGHT:
        if not apps.get_model(model)._default_manager.exists():
            import_module(migration).fill(apps, SimpleNamespace(connection=connection))
