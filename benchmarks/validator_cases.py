"""How many of the public validator cases agree, per group: python -m benchmarks.validator_cases."""

import json
import os
import tempfile
import time
from pathlib import Path

import django
from django.core.management import get_commands

from sources.contract_quotes import quote_occurs
from sources.source_cache import UrlError, normalize_url, url_hash

CASES = Path(__file__).resolve().parents[2] / "shared" / "real" / "validator_cases"
COMMANDS = {
    "evidence": "validate_evidence",
    "plan": "validate_plan",
    "outline": "validate_outline",
}


def main() -> None:
    """Print agreement and time of every group."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workbench.settings")
    django.setup()
    for group, command in COMMANDS.items():
        if command in get_commands():
            _report(group, *_archive(group, command))
        else:
            print(f"{group:10} no command {command}")
    _report("normalize", *_normalize())
    _report("quote", *_quote())


def _report(group: str, agree: int, total: int, seconds: float, faults: list[str]) -> None:
    print(f"{group:10} {agree}/{total} agree, {1000 * seconds / total:.2f} ms a case")
    for fault in faults:
        print(f"  {fault}")


def _archive(group: str, command: str) -> tuple[int, int, float, list[str]]:
    from tests.validator_cases import disagreement, run, unpack

    with tempfile.TemporaryDirectory() as folder:
        cases = unpack(CASES / f"{group}.tar.gz", Path(folder))
        start = time.perf_counter()
        faults = [fault for case in cases if (fault := disagreement(case, *run(command, case)))]
        seconds = time.perf_counter() - start
    return len(cases) - len(faults), len(cases), seconds, faults


def _normalize() -> tuple[int, int, float, list[str]]:
    cases = json.loads((CASES / "normalize_cases.json").read_text(encoding="utf-8"))
    start = time.perf_counter()
    faults = []
    for case in cases:
        try:
            normal = normalize_url(case["input"])
            agrees = (case.get("normalized_url"), case.get("url_hash")) == (
                normal,
                url_hash(normal),
            )
        except UrlError:
            agrees = "error" in case
        if not agrees:
            faults.append(ascii(case["input"])[:100])
    return len(cases) - len(faults), len(cases), time.perf_counter() - start, faults


def _quote() -> tuple[int, int, float, list[str]]:
    cases = json.loads((CASES / "quote_cases.json").read_text(encoding="utf-8"))
    start = time.perf_counter()
    faults = [
        ascii(case["snippet"])[:100]
        for case in cases
        if quote_occurs(case["snapshot"], case["snippet"]) != case["expected"]
    ]
    return len(cases) - len(faults), len(cases), time.perf_counter() - start, faults


if __name__ == "__main__":
    main()
