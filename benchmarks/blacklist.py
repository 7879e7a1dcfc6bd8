"""How many addresses a second the blacklist judges, and that this does not fall with the rules.

Run as ``python -m benchmarks.blacklist [URLS]``. Three figures, on one core:

- the rules: URLs/s of ``Index.trace`` against 50 to 50,000 rules, the same share of URLs hit;
- the worst case: every URL is of a host that some rule names, so that each is read in full;
- the work: sources/s of ``recheck`` through the database, first run and second run, in an
  installation of its own in a temporary folder.

Wall time of the best of three runs; other work on the machine makes it worse.
"""

import os
import random
import sys
import tempfile
import time
from collections.abc import Callable

from sources.blacklist.matching import Index
from sources.blacklist.patterns import key_of
from sources.blacklist.rules import Rule, Scope

URLS = 50_000
RULES = (50, 500, 5_000, 50_000)
SOURCES = 10_000
HIT = 0.05  # share of the URLs that a rule hits
SEED = 20_260_203
NEEDED = 50_000  # URLs a second against 5,000 rules


def url(chance: random.Random, host: str) -> str:
    """Give an address as people paste it, of a host."""
    front = chance.choice(["www.", "m.", "", ""])
    words = ["news", "article", "2024", "drug-x", "a", "12345"]
    path = "/".join(chance.choice(words) for _ in range(chance.randint(1, 5)))
    return f"https://{front}{host}/{path}?id={chance.randrange(10**6)}&utm_source=x#top"


def rules(count: int, chance: random.Random) -> list[Rule]:
    """Give rules of all scopes; the first fifty name the hosts that URLs are of."""
    made = []
    for number in range(count):
        host = f"farm{number}.example.net" if number < 50 else f"rule{number}.example.org"
        scope = (
            Scope.HOST_AND_SUBDOMAINS
            if number < 50
            else chance.choice([Scope.EXACT, Scope.PREFIX, Scope.HOST, Scope.HOST_AND_SUBDOMAINS])
        )
        pattern = f"{host}/news/{number}" if scope in {Scope.EXACT, Scope.PREFIX} else host
        made.append(Rule(number, scope, key_of(scope, pattern)))
    return made


def rate(count: int, do: Callable[[], object]) -> float:
    """Give how many things a second were done, in the best of three runs."""
    best = 0.0
    for _ in range(3):
        began = time.perf_counter()
        do()
        best = max(best, count / (time.perf_counter() - began))
    return best


def judge(index: Index, urls: list[str]) -> int:
    """Judge all addresses; give how many are hit."""
    return sum(1 for each in urls if index.trace(each).winner is not None)


def pure(count: int) -> None:
    """Print the figures of the rules alone."""
    chance = random.Random(SEED)
    urls = [
        url(chance, f"farm{chance.randrange(50)}.example.net")
        if chance.random() < HIT
        else url(chance, f"site{chance.randrange(20_000)}.example.com")
        for _ in range(count)
    ]
    print(f"{count:,} addresses, {HIT:.0%} of them hit")
    found = {}
    for number in RULES:
        index = Index(rules(number, random.Random(SEED)))
        hit = judge(index, urls)
        found[number] = rate(count, lambda index=index: judge(index, urls))
        print(f"  {number:>6,} rules: {found[number]:>9,.0f} URLs/s  ({hit:,} hit)")
    growth = found[RULES[0]] / found[RULES[-1]]
    print(f"  a thousand times the rules cost {growth:.2f} times as much")
    print(f"  against 5,000 rules: {found[5_000] / NEEDED:.1f} times the {NEEDED:,} that are asked")
    index = Index(rules(5_000, random.Random(SEED)))
    named = [url(chance, f"farm{chance.randrange(50)}.example.net") for _ in range(count)]
    print(f"  every host named:    {rate(count, lambda: judge(index, named)):>9,.0f} URLs/s")


def through_the_database() -> None:
    """Print the figures of the work, in an installation of its own."""
    os.environ["WORKBENCH_DATA_DIR"] = tempfile.mkdtemp(prefix="bench-blacklist-")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workbench.settings")
    os.environ["WORKBENCH_LOG_LEVEL"] = "ERROR"
    import django

    django.setup()
    from django.core.management import call_command

    from sources.blacklisting import recheck
    from sources.canonical import canonical_url
    from sources.models import BlacklistRule, Project, Source

    call_command("migrate", verbosity=0)
    project = Project.objects.create(slug="bench", title="Bench", question="?", language="en")
    chance = random.Random(SEED)
    rows = []
    for number in range(SOURCES):
        host = f"farm{number % 50}" if chance.random() < HIT else f"site{chance.randrange(5_000)}"
        address = url(chance, f"{host}.example.net")
        rows.append(
            Source(
                project=project, external_id=f"s{number}", raw_id=f"s{number}", url=address,
                normalized_url=address, canonical_url=canonical_url(address),
                title=f"Page {number}", abstract="The trial enrolled 200 patients. " * 30,
                content_hash="0" * 64,
                published_at="2025-01-01",
            )
        )  # fmt: skip
    Source.objects.bulk_create(rows, batch_size=500)
    BlacklistRule.objects.bulk_create(
        BlacklistRule(scope=r.scope, pattern=r.key, pattern_key=r.key, state="active", reason="x")
        for r in rules(5_000, chance)
    )
    print(f"{SOURCES:,} sources through the database, 5,000 rules and the judged ones")
    for said in ("first run", "second run, nothing changed"):
        began = time.perf_counter()
        outcome = recheck(project)
        seconds = time.perf_counter() - began
        print(f"  {said}: {SOURCES / seconds:,.0f} sources/s ({outcome.hits:,} new hits)")


if __name__ == "__main__":
    pure(int(sys.argv[1]) if len(sys.argv) > 1 else URLS)
    through_the_database()
