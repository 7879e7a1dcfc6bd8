"""Projects to open pages of: claims, evidence, findings, snapshots, and a lead to judge them."""

import hashlib
import random

from reviews import standing
from reviews.models import Claim, Evidence, Finding
from reviews.sealing import place_of, seal_of
from sources.models import Dimension, Membership, Project, Snapshot, Source, User
from sources.texts import store_text

PASSWORD = "a long walk by the sea"
BATCH = 1_000
SNAPSHOTS = 200
QUOTE = "median overall survival was 21.4 months with X and 16.2 months with chemotherapy"
TEXTS = (
    "药物 X 使 OS 中位数延长至 21.4 个月（HR 0.68），显著优于化疗，且在所有预设亚组中均保持一致。",
    "The market for checkpoint inhibitors grew 12% in 2024 and is expected to reach 41.6 billion "
    "dollars by 2030, driven by first-line combination therapy in Europe.",
    "监管机构已批准该药物用于二线治疗。",
    "Drug X lengthens median overall survival to 21.4 months in the intention-to-treat population.",
)


def make_user() -> User:
    """Make the person who opens the pages."""
    return User.objects.create_user("reader", password=PASSWORD, language="en")


def make_project(slug: str, claims: int, user: User) -> Project:
    """Make a project of so many claims, half of them with open checks, none of them red."""
    chance = random.Random(7)
    project = Project.objects.create(
        slug=slug, title=f"Report of {claims} claims", question="Does drug X help?", language="en"
    )
    Membership.objects.create(project=project, user=user, role=Membership.Role.LEAD)
    dimensions = Dimension.objects.bulk_create(
        Dimension(project=project, external_id=f"d{n}", name=f"Dimension {n}", position=n)
        for n in range(1, 11)
    )
    places = _snapshots(project)
    rows = []
    for number in range(1, claims + 1):
        risk = round(chance.random() * 2.5, 4)
        text = f"{chance.choice(TEXTS)} ({number})"
        name = f"d{number % 10 + 1}.c{number}"
        seal = seal_of(project.slug, name)
        rows.append(
            Claim(
                project=project,
                dimension=dimensions[number % 10],
                external_id=name,
                position=number,
                text=text,
                kind="factual",
                content_hash=hashlib.sha256(text.encode()).hexdigest(),
                risk=risk,
                risk_order=place_of(seal, project.sealed_share, risk),
                seal=seal,
                risk_terms={"coverage": round(risk * 0.6, 4), "numbers": round(risk * 0.4, 4)},
            )
        )
    Claim.objects.bulk_create(rows, batch_size=BATCH)
    _evidence(rows, places, chance)
    _findings(rows, chance)
    standing.refresh(row.pk for row in rows)
    return project


def _snapshots(project: Project) -> list[tuple[Source, Snapshot, int]]:
    """Store pages of 50 KB, each with the quote somewhere; give its place."""
    filler = "Patients were enrolled at forty sites between 2019 and 2022 and followed yearly. "
    made = []
    for number in range(SNAPSHOTS):
        before = filler * (100 + number)
        text = f"{before}In all, {QUOTE}. {filler * (500 - number)}"
        url = f"https://journal{number}.example.org/trial"
        source = Source(
            project=project,
            external_id=f"S{number}",
            raw_id=f"S{number}",
            url=url,
            normalized_url=url,
            title=f"Trial {number}",
            content_hash=hashlib.sha256(url.encode()).hexdigest(),
        )
        snapshot = Snapshot(
            project=project,
            url_hash=source.content_hash,
            content_hash=store_text(text),
            normalized_url=url,
            characters=len(text),
        )
        made.append((source, snapshot, text.index(QUOTE)))
    Source.objects.bulk_create(source for source, _, _ in made)
    Snapshot.objects.bulk_create(snapshot for _, snapshot, _ in made)
    return made


def _evidence(
    rows: list[Claim], places: list[tuple[Source, Snapshot, int]], chance: random.Random
) -> None:
    found = []
    for row in rows:
        for position in range(1, chance.randint(2, 4)):
            source, snapshot, start = chance.choice(places)
            found.append(
                Evidence(
                    claim=row,
                    source=source,
                    snapshot=snapshot,
                    position=position,
                    source_ref=source.external_id,
                    snippet=QUOTE,
                    quote_type="direct",
                    snapshot_ref=snapshot.ref,
                    content_hash=row.content_hash,
                    grade=Evidence.Grade.EXACT,
                    start=start,
                    end=start + len(QUOTE),
                    location={"occurrences": [[start, start + len(QUOTE)]]},
                    support_proposal="full",
                    trust_proposal=chance.choice(["trusted_primary", "weak_untrusted"]),
                )
            )
    Evidence.objects.bulk_create(found, batch_size=BATCH)


def _findings(rows: list[Claim], chance: random.Random) -> None:
    checks = ("number-ledger", "strong-words", "hedge-dropped", "source-never-fetched")
    found = [
        Finding(
            claim=row,
            fingerprint=hashlib.sha256(f"{row.pk} {check}".encode()).hexdigest(),
            check_id=check,
            check_version=1,
            code=check,
            severity=Finding.Severity.WARNING,
        )
        for row in rows
        for check in chance.sample(checks, chance.choice((0, 0, 1, 2)))
    ]
    Finding.objects.bulk_create(found, batch_size=BATCH)
