"""Cleaning of evidence: five steps and 2.5, in order, over all items at once. Pure.

Rulebook section 5. Nothing is lost: as many items come out as went in, each kept, ranked lower or
dropped with its reason. Cleaning what is clean changes nothing.
"""

from collections.abc import Iterable, Mapping

from .base import STARTER_PAIRS, CleaningStep, Context, Drop, Item, Items, NamePair, Record, fresh
from .contradictions import CONTRADICTION
from .duplicates import DEDUPE
from .entities import PSEUDO_ENTITY
from .normalising import NORMALISE
from .ranking import DOWNRANK
from .stripping import STRIP_DOM
from .subject import Relation, Subject

__all__ = [
    "STARTER_PAIRS",
    "STEPS",
    "VERSION",
    "CleaningStep",
    "Context",
    "Drop",
    "Item",
    "Items",
    "NamePair",
    "Record",
    "Relation",
    "Subject",
    "clean",
    "fresh",
]

STEPS: tuple[CleaningStep, ...] = (
    STRIP_DOM,
    PSEUDO_ENTITY,
    CONTRADICTION,
    DEDUPE,
    DOWNRANK,
    NORMALISE,
)
BY_ID: Mapping[str, CleaningStep] = {step.id: step for step in STEPS}

# What made a result: "strip_dom.1 pseudo_entity.1 …".
VERSION = " ".join(f"{step.id}.{step.version}" for step in STEPS)


def clean(
    items: Iterable[Item], context: Context, steps: tuple[CleaningStep, ...] = STEPS
) -> Items:
    """Send items through the steps. All come back, in their order."""
    done = tuple(items)
    for step in steps:
        done = step.run(done, context)
    return done
