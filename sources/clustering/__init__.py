"""Which sources share one origin, and why. Pure. Rulebook section 3, ``same_origin``.

``propose`` gives links of two sources with rule and facts, ``group`` turns links and people's
decisions into clusters with stable names.
"""

from sources.clustering.facts import ClusterFacts, Link
from sources.clustering.grouping import Decisions, Grouping, group
from sources.clustering.proposing import propose

VERSION = "clusters-1"

__all__ = ["VERSION", "ClusterFacts", "Decisions", "Grouping", "Link", "group", "propose"]
