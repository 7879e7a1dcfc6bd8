"""Which topic type a source is judged by: the nearest wins. Pure. Rulebook section 2, recency."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from .recency import TOPICS


@dataclass(frozen=True, slots=True)
class Topics:
    """The topic types of a project and of those of its dimensions that have one of their own."""

    project: str = ""
    dimensions: Mapping[str, str] = field(default_factory=dict)  # id → topic type
    files: Mapping[str, str] = field(default_factory=dict)  # evidence file → id of its dimension

    def nearest(
        self, own: str = "", used_in: Iterable[str] = (), origin: str = ""
    ) -> tuple[str, ...]:
        """Give the topic of a source: its own, else its dimensions', else the project's.

        A source of several dimensions has all of theirs; the strictest of them counts.
        """
        if own in TOPICS:
            return (own,)
        names = [*used_in, *([self.files[origin]] if origin in self.files else [])]
        found = dict.fromkeys(self._of_dimension(name) for name in names) or {self.project: None}
        return tuple(topic for topic in found if topic in TOPICS)

    def _of_dimension(self, name: str) -> str:
        """Give the topic of ``ch03.sec2``, else of ``ch03``, else of the project."""
        while name:
            if topic := self.dimensions.get(name):
                return topic
            name = name.rpartition(".")[0]
        return self.project
