"""Write a whole report as Markdown: all sections, with what they do not cover. Pure."""

from collections.abc import Callable, Iterator
from typing import Any

from reviews.report import words
from reviews.report.counts import share
from reviews.report.escaping import address, cell, code, inline
from reviews.report.markdown import (
    count_lines,
    finding_lines,
    settled_lines,
    unfixed_line,
    verification_lines,
)
from reviews.report.rows import standing_assessments

MISSING = {
    "searches": words.SEARCHES,
    "prisma": words.PRISMA,
    "rejections": words.REJECTIONS,
    "scores": words.SCORES,
}


def full_report(content: dict[str, Any], sha256: str) -> str:
    """Give the Markdown of a report; ``sha256`` is that of its JSON."""
    language = content["language"]
    lines = [*_opening(content, sha256), *finding_lines(content)]
    lines += ["", f"## {words.CLAIMS.render(language)}", "", *_claims(content)]
    lines += ["", f"## {words.SOURCES.render(language)}", "", *_sources(content)]
    if content["verification"]:
        lines += ["", f"## {words.VERIFICATION.render(language)}", *verification_lines(content)]
    lines += ["", f"## {words.AGREEMENT.render(language)}", "", agreement(content, language)]
    lines += ["", f"## {words.LIMITS.render(language)}"]
    lines += [f"- {line}" for line in limit_lines(content, language)]
    lines += settled_lines(content["defects"], language)
    return "\n".join(lines) + "\n"


def _opening(content: dict[str, Any], sha256: str) -> Iterator[str]:
    language, chain = content["language"], content["chain"]
    title = inline(content["project"]["title"])
    yield f"# {words.TITLE.render(language, title=title, number=content['number'])}"
    yield ""
    yield f"VERDICT: {content['verdict']}"
    yield ""
    yield words.BUILT.render(
        language,
        at=content["built_at"],
        by=inline(content["built_by"]),
        length=chain["length"],
        hash=chain["hash"][:12] or "–",
    )
    yield f"SHA-256 (JSON): {code(sha256)}"
    yield ""
    yield f"{words.QUESTION.render(language)}: {inline(content['question'])}"


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _claims(content: dict[str, Any]) -> Iterator[str]:
    language = content["language"]
    names = ("claim", "text", "verdict", "support", "trust", "quotes", "numbers", "who")
    yield _row([words.COLUMNS[name].render(language) for name in names])
    yield _row(["---"] * len(names))
    for claim in content["claims"]:
        found, quotes = claim["shares"]["quotes"]
        equal, numbers = claim["shares"]["numbers"]
        given = standing_assessments(claim)
        yield _row(
            [
                cell(claim["id"]),
                cell(claim["text"]),
                words.value(claim["verdict"], language),
                _distinct(given, "support", language),
                _distinct(given, "trust", language),
                f"{found}/{quotes}" if quotes else "–",
                f"{equal}/{numbers}" if numbers else "–",
                cell(", ".join(dict.fromkeys(v["reviewer"] for v in claim["verdicts"])) or "–"),
            ]
        )


def _distinct(given: list[dict[str, Any]], field: str, language: str) -> str:
    values = dict.fromkeys(a[field] for a in given if a[field])
    return words.COMMA.render(language).join(words.value(v, language) for v in values) or "–"


def _sources(content: dict[str, Any]) -> Iterator[str]:
    language = content["language"]
    names = ("source", "title", "address", "quality", "trust", "versions", "used")
    yield _row([words.COLUMNS[name].render(language) for name in names])
    yield _row(["---"] * len(names))
    comma = words.COMMA.render(language)
    for source in content["sources"]:
        trust = comma.join(
            f"{words.value(name, language)} {count}" for name, count in source["trust"].items()
        )
        place = address(source["url"]).replace("|", r"\|")
        yield _row(
            [
                cell(source["id"]),
                cell(source["title"]),
                place,
                cell(source["quality"] or "–"),
                trust or "–",
                str(source["versions"]),
                str(source["claims"]),
            ]
        )


def agreement(content: dict[str, Any], language: str) -> str:
    """Give one sentence on claims that several people judged."""
    pairs = content["counts"]["double_review"]
    if not pairs["double"]:
        return words.NO_AGREEMENT.render(language)
    audited = content["counts"]["claims"]["audited"]
    said = words.AGREED.render(language, audited=audited, **pairs)
    return f"{said} ({share(pairs['same'], pairs['double'])})"


def limit_lines(
    content: dict[str, Any], language: str, escape: Callable[[str], str] = inline
) -> Iterator[str]:
    """Give what the report does not cover or could not check. Never empty."""
    counts = content["counts"]
    if not counts["claims"]["audited"]:
        yield words.NOTHING_AUDITED.render(language)
    yield words.BY_RULE.render(language)
    yield from count_lines(counts, language)
    if unfixed := content["version_not_fixed"]:
        yield unfixed_line(unfixed, language, escape)
    if content["dropped_defects"]:
        yield words.DROPPED.render(language, count=content["dropped_defects"])
    missing = words.COMMA.render(language).join(
        MISSING[name].render(language) for name in content["not_recorded"]
    )
    if missing:
        yield words.NOT_RECORDED.render(language, what=missing)
