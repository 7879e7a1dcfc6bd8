"""The report of an import, as commands print it and pages show it. Formats section 10."""

from typing import Any

from workbench.lib.problems import Log

from .planning import Plan

COUNTS = ("created", "changed", "unchanged", "skipped")
PROBLEM = ("file", "line", "path", "rule", "message", "hint")


def report_of(
    *,
    ok: bool,
    dialect: str,
    log: Log,
    plan: Plan | None = None,
    dry_run: bool = False,
    batch: int | None = None,
) -> dict[str, Any]:
    """Give the report; counts are those of the plan, or zero where nothing was written."""
    counts: dict[str, Any] = {"created": {}, "changed": {}, "unchanged": {}, "skipped": {}}
    if plan is not None and (dry_run or not plan.is_refused):
        counts = plan.counts()
    return {
        "ok": ok,
        "batch": batch,
        "dry_run": dry_run,
        "dialect": dialect,
        **counts,
        "gone": len(plan.gone) if plan is not None else 0,
        "files": (
            {file: dict(kinds) for file, kinds in plan.package.counts.items()} if plan else {}
        ),
        "errors": [problem.stored() for problem in log.errors],
        "notices": [problem.stored() for problem in log.notices],
    }


def spoken(report: dict[str, Any], language: str) -> dict[str, Any]:
    """Give a stored report with its messages in one language, as commands print it."""
    # A database may have put the keys into an order of its own.
    counts = {name: dict(sorted(report.get(name, {}).items())) for name in COUNTS}
    problems = {
        kind: [_one_language(problem, language) for problem in report.get(kind, ())]
        for kind in ("errors", "notices")
    }
    head = {name: report.get(name) for name in ("ok", "batch", "dry_run", "dialect")}
    return head | counts | problems | (report | counts | problems)


def _one_language(problem: dict[str, Any], language: str) -> dict[str, Any]:
    said = {key: problem.get(key) for key in PROBLEM}
    if language.lower().startswith("zh"):
        said |= {key: problem.get(f"{key}_zh", said[key]) for key in ("message", "hint")}
    return said
