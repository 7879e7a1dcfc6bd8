"""Everything about the code that needs no test run; the word ``check`` of ``./run``."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = ["workbench", "sources", "search", "reviews", "tests", "benchmarks", "manage.py"]
APPS = ["workbench", "sources", "search", "reviews"]
# What a real installation sets; the deployment check must find nothing to warn of.
DEPLOYED = {
    "DATABASE_URL": "postgres://postgres@127.0.0.1:5432/postgres",
    "WORKBENCH_SECRET_KEY": "check-only-" + "0123456789abcdefghijklmnopqrstuvwxyz" * 2,
    "WORKBENCH_ALLOWED_HOSTS": "workbench.example.org",
}

LINT_IMPORTS = "from importlinter.cli import lint_imports_command as lint; lint()"

STEPS: list[tuple[str, list[str], dict[str, str]]] = [
    ("format", ["-m", "ruff", "format", "--check", "--quiet", *CODE], {}),
    ("lint", ["-m", "ruff", "check", "--quiet", *CODE], {}),
    ("templates", ["-m", "djlint", "--lint", "--quiet", "templates"], {}),
    ("types", ["-m", "mypy", *APPS], {}),
    (
        "import contracts",
        ["-c", LINT_IMPORTS],
        {},
    ),
    ("migrations", ["manage.py", "makemigrations", "--check", "--dry-run"], {}),
    (
        "deployment",
        ["manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        DEPLOYED,
    ),
    ("documented checks", ["manage.py", "document_checks", "--check"], {}),
]


def main() -> int:
    """Run every step, tell how each went; 1 if any failed."""
    failed = []
    for name, command, extra in STEPS:
        done = subprocess.run(  # noqa: S603
            [sys.executable, *command],
            cwd=ROOT,
            env={**os.environ, **extra},
            capture_output=True,
            text=True,
            check=False,
        )
        print(f"{'ok    ' if done.returncode == 0 else 'FAILED'} {name}", flush=True)  # noqa: T201
        if done.returncode:
            failed.append(name)
            print(done.stdout[-6000:], done.stderr[-3000:], flush=True)  # noqa: T201
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
