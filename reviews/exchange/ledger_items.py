"""Values that a mapping found, put together by where they stood."""

from typing import Any

from .paths import Found


def first(found: dict[str, list[Found]], target: str) -> Any:
    values = found.get(target)
    return values[0].value if values else None


def each_of(found: Found) -> list[Found]:
    """Give each item where a path ends at a list of plain values."""
    if not isinstance(found.value, list):
        return [found]
    return [
        Found((*found.index, number), item, found.holder, found.key)
        for number, item in enumerate(found.value)
    ]


def items_of(found: dict[str, list[Found]]) -> list[dict[str, Found]]:
    """Put values that stand at one place together; one above several belongs to each of them."""
    fields = {
        target: {value.index: value for value in values}
        for target, values in found.items()
        if not target.startswith("claim.")
    }
    places = sorted({index for values in fields.values() for index in values})
    ends = [
        place
        for number, place in enumerate(places)
        if number + 1 == len(places) or places[number + 1][: len(place)] != place
    ]
    items = []
    for place in ends:
        item = {}
        for target, values in fields.items():
            above = (place[:size] for size in range(len(place), -1, -1))
            index = next((each for each in above if each in values), None)
            if index is not None:
                item[target] = values[index]
        items.append(item)
    return items


def consumed_keys(found: dict[str, list[Found]]) -> dict[int, set[str]]:
    """Give the keys that the mapping took, by the object that they stood in."""
    taken: dict[int, set[str]] = {}
    for values in found.values():
        for value in values:
            if value.holder is not None:
                taken.setdefault(id(value.holder), set()).add(value.key)
    return taken


def leftover(
    holder: dict[str, Any], consumed: dict[int, set[str]], *, whole: bool = False
) -> dict[str, Any]:
    """Give what the mapping left of an object; with ``whole`` also of the objects inside it."""
    left: dict[str, Any] = {}
    for key, value in holder.items():
        if key in consumed.get(id(holder), ()):
            continue
        if isinstance(value, dict) and id(value) in consumed:
            inside = leftover(value, consumed, whole=whole) if whole else {}
            if inside:
                left[key] = inside
        elif isinstance(value, list) and any(id(item) in consumed for item in value):
            continue
        else:
            left[key] = value
    return left
