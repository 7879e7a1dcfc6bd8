"""A trace as plain values: for the API, for the command, for whoever tests an address. Pure."""

from collections.abc import Iterator
from typing import Any

from .matching import Trace
from .patterns import readable_host
from .rules import Effect, Rule


def told(trace: Trace) -> dict[str, Any]:
    """Give a trace as JSON: what happens, by which rule, and every step that led there."""
    address, winner = trace.address, trace.winner
    return {
        "url": trace.url,
        "canonical": f"https://{address.canonical}" if address else None,
        "host": address.host if address else None,
        "host_readable": readable_host(address.host) if address else None,
        "doi": trace.doi or None,
        "effect": trace.effect.value if trace.effect else None,
        "blocked": blocks(trace),
        "rule": told_rule(winner) if winner else None,
        "deciding": [told_rule(rule) for rule in trace.winners.values()],
        "steps": [
            {
                "scope": step.scope.value,
                "looked_up": list(step.looked_up),
                "matches": [
                    {**told_rule(match.rule), "outcome": match.outcome} for match in step.matches
                ],
            }
            for step in trace.steps
        ],
    }


def told_rule(rule: Rule) -> dict[str, Any]:
    """Give a rule as JSON."""
    return {
        "id": rule.id,
        "kind": rule.kind.value,
        "scope": rule.scope.value,
        "pattern": rule.pattern or rule.key,
        "key": rule.key,
        "effect": rule.effect.value,
        "level": rule.level or None,
        "unless": rule.unless.value or None,
        "reason": rule.reason,
    }


def blocks(trace: Trace) -> bool:
    """Tell whether any kind of rule blocks the source."""
    return any(rule.effect is Effect.BLOCK for rule in trace.winners.values())


def lines(trace: Trace) -> Iterator[str]:
    """Say a trace in lines of English, the outcome first."""
    found = told(trace)
    if found["canonical"] is None and not trace.found:
        yield f"{trace.url}: no http or https address"
        return
    rule = found["rule"]
    if rule is None:
        yield f"{trace.url}: no rule"
    else:
        level = f" {rule['level']}" if rule["level"] else ""
        yield f"{trace.url}: {rule['effect']}{level} by rule {rule['id']} ({rule['kind']})"
        yield f"  {rule['scope']} {rule['pattern']}: {rule['reason']}"
    if found["canonical"]:
        yield f"  compared as {found['canonical']}"
    for number, step in enumerate(found["steps"], start=1):
        if not step["matches"]:
            yield f"  {number} {step['scope']}: no"
        for match in step["matches"]:
            said = _OUTCOMES[match["outcome"]].format(**match)
            yield f"  {number} {step['scope']}: {match['effect']} {match['pattern']} – {said}"


_OUTCOMES = {
    "wins": "wins (rule {id})",
    "not_reached": "not reached (rule {id})",
    "excused": "does not hold: {unless} (rule {id})",
}
