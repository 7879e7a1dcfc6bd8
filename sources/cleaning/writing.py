"""Write what became of the items: the cleaner's output. Pure. Formats section 4.

Every index stands in exactly one of cleaned_evidence, downranked_items and removed_noise.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from workbench.lib.texts import Text

from .base import Item, Items
from .words import DOUBTS, DOWNRANKS, DROPS, FLAGS, PROPOSALS

PLACES = {"D1": 4, "D2": 9}  # rulebook section 5 (decided); D3: the end
_MOST_NAMED = 200  # items that one warning names

_HALLUCINATED = Text(
    "Items with citations that may not exist: {count}", "{count}条证据包含疑似AI幻觉引用"
)
_DIRECTION = Text("opposite conclusions", "结论方向相反")
_NUMBERS = Text("other figures", "数据不一致")
_NOTE = Text("Same origin as {id} ({origin}), {how}", "与{id}同源({origin})，{how}")
_CONTRADICTION = Text(
    "Contradiction of one source: two items of {origin} ({left} vs {right}) give {how}; check them "
    "against another source",
    "同源矛盾: {origin}的两条证据({left} vs {right}){how}，建议交叉验证",
)
_DROPPED = Text("{reason}: {count} dropped ({ids})", "{reason}：移除 {count} 条（{ids}）")
_NAMED = Text("{said} ({ids})", "{said}（{ids}）")
_BETWEEN = Text(", ", "、")


def ranks(items: Sequence[Item]) -> list[int]:
    """Give the new rank of each of the items that stay, from 1.

    An item goes down by the places of its level, never past the end, and those of D3 to the end;
    where two want one place the earlier one has it. The others close ranks in their order.
    """
    count = len(items)
    last = [at for at, item in enumerate(items) if item.level == "D3"]
    end = count - len(last)  # places for all others
    wanted = sorted(
        (min(at + PLACES[item.level], end - 1), at)
        for at, item in enumerate(items)
        if item.level in PLACES
    )
    place: dict[int, int] = {}
    after = -1
    for number, (want, at) in enumerate(wanted):
        # Room must be left for those that come behind it.
        after = min(max(want, after + 1), end - (len(wanted) - number))
        place[at] = after
    place |= {at: end + number for number, at in enumerate(last)}
    free = iter(sorted(set(range(count)) - set(place.values())))
    return [place[at] + 1 if at in place else next(free) + 1 for at in range(count)]


def output(
    items: Items,
    *,
    language: str,
    notices: Iterable[tuple[Text, Mapping[str, object]]] = (),
) -> dict[str, Any]:
    """Give the output as plain values."""
    staying = [item for item in items if item.is_kept]
    gone = [item for item in items if not item.is_kept]
    names = {item.number: f"ev_{number:03d}" for number, item in enumerate(staying, start=1)}
    names |= {item.number: f"noise_{number:03d}" for number, item in enumerate(gone, start=1)}
    new = ranks(staying)
    cleaned, down = [], []
    for at, item in enumerate(staying):
        if item.level is None:
            cleaned.append(_cleaned(item, names, language))
        else:
            down.append((new[at], _downranked(item, at + 1, new[at], names, language)))
    down.sort(key=lambda each: each[0])
    pairs = {
        tuple(sorted((item.number, each.other))) for item in staying for each in item.conflicts
    }
    total = len(items)
    return {
        "cleaned_evidence": cleaned,
        "removed_noise": [_removed(item, names) for item in gone],
        "downranked_items": [record for _rank, record in down],
        "warnings": [
            *(text.render(language, **values) for text, values in notices),
            *_warnings(items, names, language),
        ],
        "cleaning_stats": {
            "total_input": total,
            "kept": len(cleaned),
            "removed": len(gone),
            "downranked": len(down),
            "merged": sum(len(item.merged) for item in staying),
            "same_source_contradictions": len(pairs),
            "snr_ratio": round(len(cleaned) / total, 2) if total else 0,
        },
    }


def _cleaned(item: Item, names: Mapping[int, str], language: str) -> dict[str, Any]:
    record: dict[str, Any] = {
        "id": names[item.number],
        "source_url": item.url,
        "title": item.title,
        "cleaned_snippet": item.text,
        "source_reliability": item.reliability,
        "cleaning_actions": list(item.actions),
        "flags": list(item.flags),
    }
    if note := contradiction_note(item, names, language):
        record["contradiction_note"] = note
    record["merged_with"] = list(item.merged)
    if item.merged:
        record["source_count"] = len(item.merged) + 1
    record["original_index"] = item.number
    return record


def _downranked(
    item: Item, rank: int, new: int, names: Mapping[int, str], language: str
) -> dict[str, Any]:
    cleaned = _cleaned(item, names, language)
    if not item.merged:
        del cleaned["merged_with"]
    reasons = sorted(item.downranks, key=lambda each: each.level, reverse=True)
    between = "；" if language.startswith("zh") else "; "
    return {
        **cleaned,
        "original_rank": rank,
        "new_rank": new,
        "level": item.level,
        "downrank_reason": ", ".join(each.reason for each in reasons),
        "warning": between.join(
            DOWNRANKS[each.reason].warning.render(language) for each in reasons
        ),
    }


def _removed(item: Item, names: Mapping[int, str]) -> dict[str, Any]:
    reason = item.drop.reason if item.drop else ""
    return {
        "id": names[item.number],
        "original_snippet": item.snippet or item.raw_text,
        "removal_reason": reason,
        "noise_category": DROPS[reason].category,
        "original_index": item.number,
    }


def contradiction_note(item: Item, names: Mapping[int, str], language: str) -> str:
    """Say which items of the same origin say otherwise."""
    return "; ".join(
        _NOTE.render(
            language,
            id=names.get(each.other, "?"),
            origin=each.origin,
            how=_how(each.kind, language),
        )
        for each in item.conflicts
    )


def _how(kind: str, language: str) -> str:
    return (_DIRECTION if kind == "direction" else _NUMBERS).render(language)


def _warnings(items: Items, names: Mapping[int, str], language: str) -> Iterable[str]:
    """Give what a person should know: each thing once, with the items that it is about."""
    told: dict[str, list[str]] = {}
    hallucinated = 0
    for item in items:
        name = names[item.number]
        for said in _said(item, language):
            told.setdefault(said, []).append(name)
        dropped = item.drop is not None and item.drop.reason == "ai_hallucination"
        hallucinated += dropped or "ai_hallucination" in item.flags
    if hallucinated:
        yield _HALLUCINATED.render(language, count=hallucinated)
    for item in items:
        for each in item.conflicts if item.is_kept else ():
            if item.number < each.other:
                yield _CONTRADICTION.render(
                    language,
                    origin=each.origin,
                    left=names[item.number],
                    right=names[each.other],
                    how=_how(each.kind, language),
                )
    for said, named in told.items():
        yield _NAMED.render(language, said=said, ids=_list(named, language))
    yield from _drops(items, names, language)


def _said(item: Item, language: str) -> Iterable[str]:
    if item.drop is not None:
        if item.drop.words and item.drop.reason in {"ai_hallucination", "pseudo_entity"}:
            yield f"{DROPS[item.drop.reason].text.render(language)}: {item.drop.words}"
        return
    for downrank in item.downranks:
        yield DOWNRANKS[downrank.reason].warning.render(language)
    for doubt in item.doubts:
        words = FLAGS[doubt.words].render(language) if doubt.words in FLAGS else doubt.words
        yield DOUBTS[doubt.code].render(language, words=words)
    for proposal in item.proposals:
        yield PROPOSALS[proposal.kind].render(
            language, found=proposal.found, instead=proposal.instead
        )


def _drops(items: Items, names: Mapping[int, str], language: str) -> Iterable[str]:
    by_reason: dict[str, list[str]] = {}
    for item in items:
        if item.drop is not None:
            by_reason.setdefault(item.drop.reason, []).append(names[item.number])
    for reason in DROPS:
        if named := by_reason.get(reason):
            yield _DROPPED.render(
                language,
                reason=DROPS[reason].text.render(language),
                count=len(named),
                ids=_list(named, language),
            )


def _list(named: Sequence[str], language: str) -> str:
    kept = list(dict.fromkeys(named))
    more = f" … +{len(kept) - _MOST_NAMED}" if len(kept) > _MOST_NAMED else ""
    return _BETWEEN.render(language).join(kept[:_MOST_NAMED]) + more
