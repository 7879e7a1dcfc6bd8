"""Propose a mapping for a ledger of unknown keys, by names and by the shape of values."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench.lib.archives import Tree
from workbench.lib.texts import Text

from .problems import Log


@dataclass(slots=True)
class Proposal:
    mapping: dict[str, Any] | None = None
    kinds: dict[str, Text] = field(default_factory=dict)


def propose(tree: Tree, name: str, log: Log) -> Proposal:
    return Proposal()


def propose_for(path: Path, name: str) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    return None, {}
