"""Tell which evidence an upload takes from the source that an earlier import tied it to."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from .known import Known, KnownEvidence, KnownSource
from .records import EvidenceRecord, SourceKey
from .scoping import same_file


@dataclass(slots=True)
class LostSources:
    """The sources of a project, held against what an upload lists."""

    sources: Mapping[int, KnownSource]
    names: Mapping[SourceKey, str]  # public ids of the upload's own sources
    listing: frozenset[str]  # files of the upload whose list of sources was read
    _read: dict[str, bool] = field(default_factory=dict)

    @classmethod
    def of(
        cls, known: Known, names: Mapping[SourceKey, str], listing: frozenset[str]
    ) -> "LostSources":
        """Look the project's sources up by their row."""
        return cls({source.pk: source for source in known.sources.values()}, names, listing)

    def loses(self, held: KnownEvidence, record: EvidenceRecord) -> bool:
        """Tell whether a row's source is listed no more, or its reference means another page.

        A file that is not in the upload, or could not be read, drops nothing.
        """
        source = self.sources.get(held.source_id or 0)
        if source is None:
            return False
        if record.source is None:
            return self._lists(source.origin)
        _raw_id, address = record.source
        return self.names.get(record.source) != source.external_id and address != source.address

    def _lists(self, origin: str) -> bool:
        if origin not in self._read:
            self._read[origin] = any(same_file(origin, each) for each in self.listing)
        return self._read[origin]
