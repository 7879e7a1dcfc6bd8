"""Upload files as an editor does, and do what waits as a worker would."""

import json
import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from reviews import tasks
from sources.models import ImportBatch, Job

type Upload = Callable[..., ImportBatch]

LEDGER = [
    {
        "claim_id": "a1",
        "claim_text": "The port supplied 416 MWh in 2024",
        "link": "https://a.example.org/1",
    },
    {
        "claim_id": "a2",
        "claim_text": "Ships drew power from the quay",
        "link": "https://a.example.org/2",
    },
]


def work() -> None:
    """Do what waits, as a worker would."""
    done = {"import": tasks.run_import, "import_check": tasks.check_upload}
    # What follows on an import, such as scoring, waits for another worker.
    for job in Job.objects.filter(state=Job.State.QUEUED, kind__in=done):
        done[job.kind](job.pk)


def zipped(folder: Path) -> bytes:
    held = BytesIO()
    with ZipFile(held, "w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder).as_posix())
    return held.getvalue()


def as_lines(*records: Any) -> bytes:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records).encode()


def post_file(client: Client, data: bytes, name: str = "report.zip", **more: str) -> Any:
    return client.post("/p/nsclc/import/", {"file": SimpleUploadedFile(name, data), **more})


def url(batch: ImportBatch, step: str = "") -> str:
    return f"/p/nsclc/imports/{batch.key}/{step}"


def text_of(response: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def uploads(settings: LazySettings) -> list[Path]:
    return sorted(Path(settings.UPLOAD_DIR).glob("*"))
