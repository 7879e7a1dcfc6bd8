"""What several files of tests about imports and the audit ask for."""

import json
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.test import Client

from reviews import standing
from reviews.models import Claim
from sources.models import ImportBatch, Project, User
from sources.source_cache import encode_metadata, metadata, snapshot_ref
from tests.factories import (
    AssessmentFactory,
    ClaimFactory,
    DefectFactory,
    EvidenceFactory,
    VerdictFactory,
)

from .exports import TEXT, URL, evidence_file
from .report_files import report
from .uploading import Upload, post_file, work, zipped


@pytest.fixture
def audited(project: Project, reviewer: User) -> Claim:
    """A claim that its reviewer assessed and wants revised, with one hard defect."""
    made = ClaimFactory(project=project, external_id="d1.c1", origin="sub_reports/d1.evidence.json")
    evidence = EvidenceFactory(claim=made)
    AssessmentFactory(evidence=evidence, reviewer=reviewer)
    VerdictFactory(claim=made, reviewer=reviewer, decision="revise")
    DefectFactory(claim=made, reviewer=reviewer)
    standing.refresh([made.pk])
    return made


@pytest.fixture
def open_project(project: Project) -> Project:
    """The project with nothing sealed."""
    project.sealed_share = 0
    project.save()
    return project


@pytest.fixture
def claims(project: Project) -> list[Claim]:
    """Five claims, the riskiest first; nothing is sealed."""
    project.sealed_share = 0
    project.save()
    return [
        ClaimFactory(
            project=project,
            external_id=f"d1.c{n}",
            position=n,
            risk=3 - n / 2,
            risk_order=3 - n / 2,
            risk_terms={"coverage": 2 - n / 4, "numbers": 1 - n / 4},
        )
        for n in range(1, 6)
    ]


@pytest.fixture(name="report")
def own_report(tmp_path: Path) -> Path:
    """A small report directory, with white space that only its own writer would make."""
    root = tmp_path / "report"
    (root / "sub_reports").mkdir(parents=True)
    (root / "sub_reports" / "d1.evidence.json").write_text(json.dumps(evidence_file(), indent=3))
    (root / "request.md").write_text("Does X help?\r\n", newline="")
    ref = snapshot_ref(URL, TEXT)
    folder = root / "source_cache" / ref.url_hash
    folder.mkdir(parents=True)
    (folder / ref.body_name).write_text(TEXT, encoding="utf-8")
    (folder / ref.metadata_name).write_bytes(encode_metadata(metadata(URL, ref)))
    return root


@pytest.fixture
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send no message: the row is the truth, and such tests do the work themselves."""
    monkeypatch.setattr("sources.sweeping.nudge", lambda job: True)


@pytest.fixture
def own_upload_folder(settings: LazySettings, tmp_path: Path) -> None:
    """Let the uploads of a test be the only ones."""
    settings.UPLOAD_DIR = tmp_path / "uploads"


@pytest.fixture
def report_zip(tmp_path: Path) -> bytes:
    return zipped(report(tmp_path / "report"))


@pytest.fixture
def upload(editor_client: Client) -> Upload:
    """Give a function that uploads a file and has it looked over."""

    def uploaded(data: bytes, name: str = "report.zip") -> ImportBatch:
        response = post_file(editor_client, data, name)
        assert response.status_code == 302, response.content.decode()
        work()
        return ImportBatch.objects.latest("pk")

    return uploaded
