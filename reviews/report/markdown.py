"""Write a review as Markdown, the file that a report directory carries. Formats section 7. Pure."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from reviews.report import words
from reviews.report.escaping import address, code, inline

EXAMPLES = 20  # evidence items named one by one


def review_file(head: dict[str, Any], *, twin: str) -> str:
    """Give ``dN.review.md`` for the head of a review; ``twin`` names its JSON file."""
    language = head["language"]
    lines = [*verdict_lines(head), *finding_lines(head)]
    if head["verification"]:
        lines += ["", f"## {words.VERIFICATION.render(language)}", *verification_lines(head)]
    lines += ["", f"## {words.NOTES.render(language)}", *note_lines(head)]
    lines.append(f"- {words.TWIN.render(language, name=code(twin))}")
    return "\n".join(lines) + "\n"


def verdict_lines(head: dict[str, Any]) -> Iterator[str]:
    """Give the section with the verdict."""
    yield f"## {words.REVIEW_VERDICT.render(head['language'])}"
    yield f"VERDICT: {head['verdict']}"


def finding_lines(head: dict[str, Any]) -> Iterator[str]:
    """Give the section of open defects, the hard ones first."""
    language = head["language"]
    yield ""
    yield f"## {words.FINDINGS.render(language)}"
    for severity, title in (("hard", words.HARD), ("suggestion", words.SUGGESTIONS)):
        yield f"### {title.render(language)}"
        rows = [d for d in head["defects"] if d["severity"] == severity and d["state"] == "open"]
        for number, row in enumerate(rows, start=1):
            yield f"{number}. {defect_line(row, language)}"
        if not rows:
            yield words.NONE.render(language)


def defect_line(row: dict[str, Any], language: str) -> str:
    """Give ``[d1.c5] what is wrong → what to do`` for a merged defect."""
    items = [item for item in row["items"] if item["state"] == "open"] or row["items"]
    wrong = _said(items, "text", language) or _title(row, language)
    what = _said(items, "action", language) or words.NO_ACTION.render(language)
    who = _names(row, items, language)
    place = inline(row["claim"] or row["dimension"])
    return f"[{place}] {inline(row['code'])} {wrong}{who} → {what}"


def _title(row: dict[str, Any], language: str) -> str:
    title = row["title"]
    if title is None:
        return words.NO_WORDS.render(language)
    return str(title["zh"] if language.lower().startswith("zh") else title["en"])


def _said(items: list[dict[str, Any]], field: str, language: str) -> str:
    """Give the texts of several reviewers, each once; named where they differ."""
    texts: dict[str, list[str]] = {}
    for item in items:
        if item[field].strip():
            texts.setdefault(inline(item[field]), []).append(inline(item["reviewer"]))
    if len(texts) < 2:
        return next(iter(texts), "")
    comma = words.COMMA.render(language)
    return words.SEMICOLON.render(language).join(
        words.SAID.render(language, name=comma.join(names), text=text)
        for text, names in texts.items()
    )


def _names(row: dict[str, Any], items: list[dict[str, Any]], language: str) -> str:
    different = {inline(item["text"]) for item in items if item["text"].strip()}
    names = list(dict.fromkeys(item["reviewer"] for item in items))
    if len(names) < 2 or len(different) > 1:
        return ""
    joined = words.COMMA.render(language).join(map(inline, names))
    return words.BY.render(language, names=joined)


def verification_lines(head: dict[str, Any]) -> Iterator[str]:
    """Give a line for each outcome of an independent verification."""
    for row in head["verification"]:
        place = address(row["url"]) if row["url"] else inline(row["source"]) or "–"
        ref = code(row["snapshot_ref"] or "-")
        yield f"- {place} {ref} {row['access']} {row['step']} {row['outcome']}"


def note_lines(head: dict[str, Any]) -> Iterator[str]:
    """Give the notes: what was and was not looked at, and what was settled with which reason."""
    language, counts = head["language"], head["counts"]
    if not counts["claims"]["audited"]:
        yield f"- {words.NOTHING_AUDITED.render(language)}"
    yield f"- {words.BY_RULE.render(language)}"
    yield from (f"- {line}" for line in count_lines(counts, language))
    if unfixed := head["version_not_fixed"]:
        yield f"- {unfixed_line(unfixed, language)}"
    yield from _verification_notes(head["verification"], language)
    yield from settled_lines(head["defects"], language)
    checks = ", ".join(
        f"{n} {'/'.join(map(str, v))}" for n, v in head["versions"]["checks"].items()
    )
    shown = words.VERSIONS.render(language, tool=head["versions"]["tool"], checks=checks or "–")
    yield f"- {shown}"


def count_lines(counts: dict[str, Any], language: str) -> Iterator[str]:
    """Give what was counted, each number with the whole it is of."""
    claims, verdicts = counts["claims"], counts["verdicts"]
    yield words.AUDITED.render(language, **claims, cannot_judge=verdicts["cannot_judge"])
    yield words.EVIDENCE.render(language, **counts["evidence"])
    quotes, numbers = counts["quotes"], counts["numbers"]
    yield (words.QUOTES if quotes["total"] else words.NO_QUOTES).render(language, **quotes)
    yield (words.NUMBERS if numbers["total"] else words.NO_NUMBERS).render(language, **numbers)
    yield words.CHECKS.render(language, **counts["findings"])


def unfixed_line(unfixed: list[str], language: str, escape: Callable[[str], str] = inline) -> str:
    """Name evidence whose file left the version of its source open."""
    shown = words.COMMA.render(language).join(f"[{escape(n)}]" for n in unfixed[:EXAMPLES])
    if len(unfixed) > EXAMPLES:
        shown += words.AND_MORE.render(language, count=len(unfixed) - EXAMPLES)
    return words.NOT_FIXED.render(language, count=len(unfixed), examples=shown)


def _verification_notes(rows: Iterable[dict[str, Any]], language: str) -> Iterator[str]:
    for row in rows:
        if row["note"].strip():
            name, text = inline(row["reviewer"]), inline(row["note"])
            said = words.SAID.render(language, name=name, text=text)
            yield f"- A4 [{inline(row['claim'])} #{row['evidence']}] {said}"


def settled_lines(defects: Iterable[dict[str, Any]], language: str) -> Iterator[str]:
    """Give every defect that was resolved or rejected, with its reason."""
    for row in defects:
        for item in row["items"]:
            if item["state"] == "open":
                continue
            label = words.SETTLED[item["state"]].render(language)
            place = inline(row["claim"] or row["dimension"])
            said = words.SAID.render(
                language,
                name=f"{label} [{place}] {inline(row['code'])}",
                text=inline(item["state_reason"]) or "–",
            )
            yield f"- {said}"
