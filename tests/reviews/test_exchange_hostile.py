"""Whatever an upload holds, reading it ends with records or with errors, never with a fault."""

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from reviews.exchange.known import Known
from reviews.exchange.package import Spool
from reviews.exchange.planning import Options, plan_import
from reviews.exchange.proposing import propose_for
from reviews.exchange.reading import open_upload
from reviews.exchange.recognising import Unrecognised, read_upload
from reviews.exchange.report import report_of

from .report_files import document, write

KEYS = [
    "claims",
    "sources",
    "evidence",
    "id",
    "text",
    "source_id",
    "snapshot_ref",
    "snippet",
    "url",
    "key_findings",
    "claim_ids",
    "dimension_id",
    "schema_version",
    "upstream_usage",
    "claim",
    "evidence_ids",
    "dimensions",
    "claim_routing_table",
    "citations",
    "primary",
]
plain = (
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(
        ["", "d1", "d1.c1", "1.2", "1.1", "https://a.example/", "[^1][^2]", "\u202e𠮷"]
    )
)
values = st.recursive(
    plain,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
    ),
    max_leaves=25,
)


def looked_at(path: Path, mapping: Any = None) -> None:
    try:
        with open_upload(path) as tree, Spool() as spool:
            package = read_upload(tree, spool, path.name, mapping)
            plan = plan_import(package, Known(), Options(only_valid=True))
            report = report_of(ok=True, dialect="", log=package.log, plan=plan)
    except Unrecognised as fault:
        report = report_of(ok=False, dialect="", log=fault.log)
    json.dumps(report, ensure_ascii=False).encode()


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), values, max_size=8))
def test_any_evidence_file_is_read_or_refused(value: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "sub_reports" / "d1.evidence.json", value)
        write(folder / "sub_reports" / "d2.evidence.json", document() | value)

        looked_at(folder)


@settings(max_examples=60, deadline=None)
@given(values)
@example({"dimensions": True})
def test_any_plan_outline_or_citations_stop_no_import(value: Any) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "sub_reports" / "d1.evidence.json", document())
        for part in ("plan.json", "outline.json", "citations.json", "format.json"):
            write(folder / part, value)

        looked_at(folder)


@settings(max_examples=100, deadline=None)
@given(values)
def test_any_json_gets_a_proposal_or_a_name_and_the_proposal_can_be_used(value: Any) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = write(Path(name) / "ledger.json", value)

        mapping, report = propose_for(path, path.name)

        assert mapping is not None or report["errors"]
        looked_at(path, mapping)
