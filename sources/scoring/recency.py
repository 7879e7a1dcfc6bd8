"""Recency, 0 to 2 points. Pure. Rulebook section 2, table "recency"."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from workbench.lib.texts import Text

from .dates import Published, published_on, whole_years
from .facts import SourceFacts
from .marks import Mark, Raised, Rule, shown

FULL = Decimal("2.0")
NONE = Decimal(0)


class Ageing(NamedTuple):
    """How a topic ages: full points up to some years, then less for each completed year."""

    full_years: int
    loss: Decimal


AGEING: Mapping[str, Ageing] = {
    "market": Ageing(3, Decimal("0.5")),
    "regulatory": Ageing(3, Decimal("0.5")),
    "clinical": Ageing(3, Decimal("0.5")),
    "mechanism": Ageing(10, Decimal("0.2")),
}
TOPICS = (*AGEING, "policy", "historical")
STRICTEST = AGEING["clinical"]

RULES: Mapping[str, Rule] = {
    "within_years": Rule(
        "2.0",
        Text(
            "{published}: age {age} on {as_of}; {topic}: full up to age {years} → 2.0",
            "{published} 发表，至 {as_of} 满 {age} 年；{topic}：{years} 年内满分 → 2.0",
        ),
    ),
    "years_beyond": Rule(
        "0–1.8",
        Text(
            "{published}: age {age} on {as_of}; {topic}: full up to age {years}, "
            "then −{loss} a year → {points}",
            "{published} 发表，至 {as_of} 满 {age} 年；{topic}：{years} 年内满分，"
            "此后每满一年 −{loss} → {points}",
        ),
    ),
    "newest_version": Rule(
        "2.0", Text("Policy in force, newest version → 2.0", "现行最新版本 → 2.0")
    ),
    "superseded": Rule("0", Text("Superseded version of a policy → 0", "已被取代的旧版本 → 0")),
    "version_unknown": Rule(
        "0",
        Text(
            "Policy, and nothing says that this version is in force → 0",
            "政策类，未注明该版本是否现行有效 → 0",
        ),
    ),
    "historical": Rule(
        "2.0", Text("Historical topic: age does not count → 2.0", "历史追溯，不计年龄 → 2.0")
    ),
    "no_date": Rule("0", Text("No date of publication → 0", "无发表日期 → 0")),
}


def recency(facts: SourceFacts, topics: tuple[str, ...], as_of: date) -> Mark:
    """Mark a source by its age; of several topics the one that gives least counts.

    Age is whole years from publication to ``as_of``; undated gives 0 with ``unknown_recency``.
    Rulebook section 2, table "recency".
    """
    when = published_on(facts.published, facts.year)
    marks = [_for_topic(facts, topic, when, as_of) for topic in topics or ("",)]
    return min(marks, key=lambda mark: mark.points)


def _for_topic(facts: SourceFacts, topic: str, when: Published | None, as_of: date) -> Mark:
    if topic == "historical":
        return Mark(FULL, "historical")
    if topic == "policy":
        if facts.in_force is None:
            return Mark(NONE, "version_unknown", {}, ("in_force",), unknown=True)
        if facts.in_force:
            return Mark(FULL, "newest_version")
        return Mark(NONE, "superseded", {}, ("newest_version",))
    if when is None:
        return Mark(NONE, "no_date", {}, ("date",), unknown=True)
    ageing = AGEING.get(topic, STRICTEST)
    age = whole_years(when.day, as_of)
    beyond = max(0, age - ageing.full_years)
    points = max(NONE, FULL - ageing.loss * beyond)
    read = {
        "published": _as_given(when),
        "age": str(age),
        "as_of": as_of.isoformat(),
        "topic": topic or "–",
        "years": str(ageing.full_years),
        "loss": shown(ageing.loss),
        "points": shown(points),
    }
    if not beyond:
        return Mark(FULL, "within_years", read)
    # Without a topic the strictest table counts: another might have given more.
    more = ("newer",) if topic else ("topic", "newer")
    return Mark(points, "years_beyond", read, more, unknown=not topic)


def _as_given(when: Published) -> str:
    """Give the date that the age counts from, with as much of it as was given."""
    if when.precision == "year":
        return str(when.day.year)
    return when.day.isoformat() if when.precision == "day" else when.day.strftime("%Y-%m")


def date_findings(facts: SourceFacts, as_of: date) -> tuple[Raised, ...]:
    """Raise dates that lie after ``as_of``, and a date and a year far from one another."""
    found = []
    when = published_on(facts.published, facts.year)
    if when is None:
        return ()
    later = when.day > as_of if when.precision == "day" else when.day.year > as_of.year
    if later:
        params = {"published": _as_given(when), "as_of": as_of.isoformat()}
        found.append(Raised("published_after_as_of", params))
    if facts.year is not None and abs(when.day.year - facts.year) > 1:
        params = {"published": _as_given(when), "year": str(facts.year)}
        found.append(Raised("dates_differ", params))
    return tuple(found)
