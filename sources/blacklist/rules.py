"""What a rule of the blacklist is, and which of several wins. Pure. Rulebook section 4.

Rules compete with those of their own kind; each kind is judged by itself, so that an address that
is let pass as a place is still asked how old it is. Within a kind, from the sharpest to the
vaguest:

1. ``exact``, ``prefix``, ``host``, ``host_and_subdomains``: where the source was read. An address
   can be opened and looked at, so what names a place stands above what names a work.
2. ``doi_prefix``: who registered the work. One body gives out a prefix, so it is sharp; but a good
   paper copied to a content farm is still read at a content farm, so it stands below the address.
3. ``publisher``: a name that somebody wrote into a record, compared letter by letter.
4. ``title_words``: words only, which anybody may use.
5. ``judged``: the facts that ``judging`` reads. A person who wrote a rule about one page, host or
   publisher has looked at it; a judgement by signs has not.

Within a scope the longer pattern wins (``a.example.com`` before ``example.com``), and among rules
of one pattern ``allow`` before ``block`` before ``downrank`` before ``warn``.
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class Kind(StrEnum):
    """Why something may not be used. Notices of retraction are no rules: they have dates."""

    DOMAIN = "blacklist_domain"
    PRESS_COPY = "press_copy"
    STALE = "stale"
    WIKIPEDIA = "wikipedia"
    ANONYMOUS = "anonymous"


class Scope(StrEnum):
    """What a pattern is compared with, the sharpest first."""

    EXACT = "exact"
    PREFIX = "prefix"
    HOST = "host"
    HOST_AND_SUBDOMAINS = "host_and_subdomains"
    DOI_PREFIX = "doi_prefix"
    PUBLISHER = "publisher"
    TITLE_WORDS = "title_words"
    JUDGED = "judged"


class Effect(StrEnum):
    """What happens to a source, in the order in which rules of one pattern win."""

    ALLOW = "allow"
    BLOCK = "block"
    DOWNRANK = "downrank"
    WARN = "warn"


class Unless(StrEnum):
    """A fact about a source under which a rule does not hit it."""

    NOTHING = ""
    SIGNED = "signed"  # an author is named
    VERIFIED_EXPERT = "verified_expert"  # the author is named, and known to be an expert
    ORIGINAL = "original"  # the platform marks it as the author's own work
    KNOWN_PUBLISHER = "known_publisher"  # it stands in the table of publishers, as no self-media


LEVELS = ("D1", "D2", "D3")  # of a downrank, rulebook section 5

_SCOPES = {scope: number for number, scope in enumerate(Scope)}
_EFFECTS = {effect: number for number, effect in enumerate(Effect)}
# What a source is worth less by, the worst first.
STRENGTH = (Effect.BLOCK, Effect.DOWNRANK, Effect.WARN, Effect.ALLOW)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, ready to be compared. ``key`` is what ``patterns.key_of`` made of its pattern."""

    id: int
    scope: Scope
    key: str
    effect: Effect = Effect.BLOCK
    kind: Kind = Kind.DOMAIN
    level: str = ""  # one of LEVELS, of a downrank
    unless: Unless = Unless.NOTHING
    pattern: str = ""  # as a person wrote it
    reason: str = ""
    ends_on: date | None = None  # the last day on which it holds

    def holds_on(self, day: date) -> bool:
        """Tell whether the rule has not ended by itself."""
        return self.ends_on is None or day <= self.ends_on


def precedence(rule: Rule) -> tuple[int, int, int, int]:
    """Give the place of a rule among those that hit one source; the least one wins."""
    return _SCOPES[rule.scope], -len(rule.key), _EFFECTS[rule.effect], rule.id
