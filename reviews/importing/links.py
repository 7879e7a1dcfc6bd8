"""Choose the captured version for evidence that names none. Rulebook section 7, A2."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from sources.contract_quotes import fold_for_contract, occurs_in_folded
from sources.models import Project, Snapshot, Source
from sources.texts import read_text
from workbench.lib.blobs import BlobError

HELD_TEXTS = 64  # folded texts at hand; evidence of one source mostly comes together


@dataclass(slots=True)
class Versions:
    """Every stored version of every address of a project."""

    by_url: dict[str, list[Snapshot]]
    several: int = 0  # items whose address has more than one version
    _folded: dict[str, str] = field(default_factory=dict)
    _urls: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, project: Project, sources: Iterable[Source]) -> "Versions":
        """Look the versions up, oldest first. One query."""
        found: dict[str, list[Snapshot]] = defaultdict(list)
        for snapshot in Snapshot.objects.filter(project=project).order_by("pk"):
            found[snapshot.normalized_url].append(snapshot)
        urls = {source.pk: source.normalized_url for source in sources}
        return cls(dict(found), _urls=urls)

    def choose(self, source: int | None, snippet: str) -> Snapshot | None:
        """Give the version in which the snippet is found, else the last; None without any."""
        versions = self.by_url.get(self._urls.get(source or 0, ""), [])
        if len(versions) < 2:
            return versions[0] if versions else None
        self.several += 1
        for version in versions:
            if snippet.strip() and self._holds(version.content_hash, snippet):
                return version
        return versions[-1]

    def _holds(self, content_hash: str, snippet: str) -> bool:
        if content_hash not in self._folded:
            if len(self._folded) >= HELD_TEXTS:
                self._folded.pop(next(iter(self._folded)))
            try:
                self._folded[content_hash] = fold_for_contract(read_text(content_hash))
            except BlobError:
                return False
        return occurs_in_folded(self._folded[content_hash], snippet)
