"""A small report, brought in as a project and exported again."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from reviews import standing
from reviews.models import Claim, Evidence
from sources.models import Project
from sources.source_cache import snapshot_ref
from tests.factories import AssessmentFactory, DefectFactory, UserFactory, VerdictFactory

URL = "https://journal.example.org/trial"

TEXT = "Median overall survival was 21.4 months with X and 16.2 months without.\n" * 30


def evidence_file(dimension: str = "d1") -> dict[str, Any]:
    quote = "Median overall survival was 21.4 months"
    item = {
        "source_id": "src_a",
        "snippet": quote,
        "quote_type": "direct",
        "snapshot_ref": str(snapshot_ref(URL, TEXT)),
    }
    said = {
        "id": f"{dimension}.c1",
        "text": "Drug X lengthens median overall survival to 21.4 months.",
        "kind": "factual",
        "polarity": "support",
        "topic_tag": "survival",
        "answers_key_question": "kq1",
        "evidence": [item],
    }
    return {
        "schema_version": "1.2",
        "dimension_id": dimension,
        "upstream_usage": [],
        "headline": "Survival is longer",
        "key_findings": [
            {"finding": "Survival is longer with X.", "claim_ids": [f"{dimension}.c1"]},
            {"finding": "The gain is five months.", "claim_ids": [f"{dimension}.c1"]},
        ],
        "claims": [said],
        "sources": [{"id": "src_a", "url": URL, "title": "A trial", "quality": "primary"}],
    }


def run_import(path: Path, slug: str, *more: str) -> dict[str, Any]:
    said = StringIO()
    with pytest.raises(SystemExit):
        call_command("import_report", str(path), "--project", slug, "--json", *more, stdout=said)
    return dict(json.loads(said.getvalue()))


def new_project(path: Path, slug: str, *more: str) -> Project:
    answer = run_import(path, slug, "--create", "--language", "en", *more)
    assert answer["ok"], answer
    return Project.objects.get(slug=slug)


def files_of(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def without_ours(files: dict[str, bytes]) -> dict[str, bytes]:
    return {p: b for p, b in files.items() if ".review." not in p and p != "workbench.json"}


def judge(project: Project) -> None:
    person = UserFactory(username="li.lei", first_name="Li", last_name="Lei")
    claim = Claim.objects.get(project=project)
    evidence = Evidence.objects.get(claim=claim)
    AssessmentFactory(evidence=evidence, reviewer=person, support="partial", outcome="unverified")
    VerdictFactory(claim=claim, reviewer=person, decision="revise")
    DefectFactory(claim=claim, reviewer=person, dimension=claim.dimension)
    standing.refresh([claim.pk])
