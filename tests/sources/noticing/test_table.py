"""The table of Retraction Watch as rows: new, changed, withdrawn, and come back."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from sources.actions.errors import ActionRefused
from sources.actions.retractions import import_table
from sources.models import (
    Job,
    NoticeBatch,
    NoticeChange,
    Project,
    RetractionCheck,
    RetractionRecord,
    Source,
    User,
)
from sources.models.jobs import MAX_ATTEMPTS
from sources.noticing import table
from sources.retractions.retraction_watch import COLUMNS
from sources.running import perform

from .providers import TRIAL, TRIAL_PMID
from .works import NEW, OLD, a_source, brought, changed_copy

pytestmark = pytest.mark.django_db


def standing() -> set[str]:
    rows = RetractionRecord.objects.filter(withdrawn_at=None)
    return set(rows.values_list("record_key", flat=True))


def generated(path: Path, rows: int, start: int = 0) -> Path:
    lines = [
        f"{n},1/2/2020 0:00,10.5555/n{n},0,10.5555/w{n},{n + 1},Retraction,Work {n}"
        for n in range(start, start + rows)
    ]
    path.write_text("\n".join([",".join([*COLUMNS, "Title"]), *lines]), encoding="utf-8")
    return path


def test_every_row_becomes_a_record() -> None:
    batch = brought(NEW)

    record = RetractionRecord.objects.get(record_key="90018")
    assert (batch.state, batch.counts["new"]) == (NoticeBatch.State.DONE, 6)
    assert (record.doi, record.pmid, record.noticed_on) == (TRIAL, TRIAL_PMID, "2010-02-06")
    assert record.reasons == [
        "Falsification/Fabrication of Data",
        "Upgrade/Update of Prior Notice(s)",
    ]
    assert record.raw["Notes"].endswith("with a comma.")
    assert RetractionRecord.objects.filter(doi="", pmid="").count() == 1


def test_importing_again_changes_nothing() -> None:
    brought(NEW)
    before = list(RetractionRecord.objects.order_by("pk").values())

    again = brought(NEW)

    assert again.counts["same"] == 6
    assert (again.counts["new"], again.counts["changed"]) == (0, 0)
    assert list(RetractionRecord.objects.order_by("pk").values()) == before
    assert not NoticeChange.objects.exists()


def test_change_of_a_row_is_kept_with_what_it_said_before(tmp_path: Path) -> None:
    brought(NEW)

    batch = brought(changed_copy(tmp_path, ("Reinstatement", "Correction")))

    change = NoticeChange.objects.get()
    assert batch.counts["changed"] == 1
    assert (change.kind, change.record_key, change.batch) == ("changed", "90021", batch)
    assert change.old is not None
    assert change.new is not None
    assert (change.old["nature"], change.new["nature"]) == ("reinstatement", "correction")


def test_row_that_vanished_is_withdrawn_and_comes_back(tmp_path: Path) -> None:
    brought(NEW)

    gone = brought(changed_copy(tmp_path, without="90022"))
    missing = standing()
    back = brought(NEW)

    assert gone.counts["withdrawn"] == 1
    assert "90022" not in missing
    assert back.counts["returned"] == 1
    assert standing() == {str(n) for n in range(90017, 90023)}
    kinds = NoticeChange.objects.order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["withdrawn", "returned"]


def test_part_of_the_table_withdraws_nothing_if_told_so() -> None:
    brought(NEW)

    brought(OLD, keep_missing=True)

    assert len(standing()) == 6


def test_large_share_is_withdrawn_only_with_a_word(tmp_path: Path) -> None:
    brought(generated(tmp_path / "all.csv", 600))
    part = generated(tmp_path / "part.csv", 450)

    refused = brought(part)
    left = len(standing())
    brought(part, accept_withdrawals=True)

    assert refused.state == NoticeBatch.State.REFUSED
    assert refused.job is not None
    assert "150 of 600" in refused.job.error
    assert "--keep-missing" in refused.job.error_zh
    assert left == 600
    assert len(standing()) == 450


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b,c\n1,2,3\n", "Record ID"),
        (",".join(COLUMNS) + "\n", "no rows"),
        (",".join(COLUMNS) + '\n1,"' + "x" * 2_000_000, "Line"),
    ],
)
def test_file_that_is_no_table_changes_nothing(tmp_path: Path, text: str, said: str) -> None:
    brought(OLD)
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")

    batch = brought(path)

    assert batch.state == NoticeBatch.State.REFUSED
    assert batch.job is not None
    assert said in batch.job.error
    assert batch.job.state == Job.State.FAILED
    assert len(standing()) == 3


def test_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    batch = brought(tmp_path / "absent.csv")

    assert batch.job is not None
    assert "absent.csv cannot be read" in batch.job.error


def test_row_that_stands_twice_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    text = OLD.read_text(encoding="utf-8")
    path.write_text(text + text.splitlines()[-1].replace("A Work", "Another") + "\n", "utf-8")

    batch = brought(path)

    assert batch.counts["twice"] == 1
    assert RetractionRecord.objects.get(record_key="90019").title == "A Work Without a DOI"


def test_odd_rows_are_told_with_their_lines(tmp_path: Path) -> None:
    path = changed_copy(tmp_path, ("6/1/2019 0:00", "31/31/2019"), (",Reinstatement,", ",,"))

    batch = brought(path)

    assert [(each["line"], each["code"]) for each in batch.problems] == [
        (6, "no-date"),
        (7, "no-nature"),
    ]
    assert batch.counts["left_out"] == 1


def test_import_that_was_killed_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "CHUNK", 10)
    batch = import_table(path=generated(tmp_path / "t.csv", 35), by=None, nudge=False)
    assert batch.job is not None

    def tell(stage: str, done: int, total: int) -> None:
        if stage == "writing" and done == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        perform(batch.job.pk, lambda running: table.run(running, tell))
    half = len(standing())
    Job.objects.filter(pk=batch.job.pk).update(state="queued", attempts=MAX_ATTEMPTS - 1)
    perform(batch.job.pk, table.run)

    batch.refresh_from_db()
    assert half == 20
    assert len(standing()) == 35
    assert (batch.state, batch.counts["new"]) == (NoticeBatch.State.DONE, 35)


def test_only_admins_bring_a_table_in(lead: User, admin: User) -> None:
    with pytest.raises(ActionRefused):
        import_table(path=NEW, by=lead)

    assert import_table(path=NEW, by=admin).by == admin


def test_queries_of_an_import_do_not_grow_with_its_rows(
    tmp_path: Path, django_assert_max_num_queries: object
) -> None:
    with django_assert_max_num_queries(60):  # type: ignore[operator]
        brought(generated(tmp_path / "t.csv", 900))


# --- Sources ----------------------------------------------------------------------------------


def test_sources_of_every_project_are_judged(project: Project) -> None:
    retracted = a_source(project, TRIAL)
    by_pmid = a_source(project, "", TRIAL_PMID)
    back = a_source(project, "10.5555/back.1")
    clean = a_source(project, "10.5555/clean.1")
    unknown = a_source(project)

    brought(NEW)

    found = dict(Source.objects.values_list("pk", "retraction"))
    assert found == {
        retracted.pk: "retracted",
        by_pmid.pk: "retracted",
        back.pk: "clean",
        clean.pk: "clean",
        unknown.pk: "not_asked",
    }


def test_table_counts_as_asked_and_a_part_of_it_does_not(project: Project) -> None:
    source = a_source(project, "10.5555/clean.1")

    brought(OLD, keep_missing=True)
    source.refresh_from_db()
    part = source.retraction
    brought(NEW)
    source.refresh_from_db()

    assert (part, source.retraction) == ("not_asked", "clean")
    check = RetractionCheck.objects.get()
    assert (check.provider, check.outcome) == ("retraction_watch", "nothing")


def test_withdrawn_notice_no_longer_counts(project: Project, tmp_path: Path) -> None:
    source = a_source(project, "10.5555/over.1")
    brought(NEW)

    brought(changed_copy(tmp_path, without="90022"))

    source.refresh_from_db()
    assert source.retraction == "clean"


# --- Command ----------------------------------------------------------------------------------


def run(*args: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    try:
        call_command("import_retractions", *args, stdout=out, stderr=err)
    except SystemExit as stopped:
        return int(stopped.code or 0), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def test_command_imports_and_says_what_changed(project: Project) -> None:
    a_source(project, TRIAL)

    code, out, _err = run(str(NEW))

    assert code == 0
    assert "new       6" in out
    assert "1 sources changed their standing" in out


def test_dry_run_of_the_command_writes_nothing() -> None:
    code, out, _err = run(str(NEW), "--dry-run")

    assert code == 0
    assert "Dry run: nothing was written." in out
    assert not RetractionRecord.objects.exists()
    assert not NoticeBatch.objects.exists()


def test_command_prints_one_object(tmp_path: Path) -> None:
    code, out, _err = run(str(changed_copy(tmp_path, (",Reinstatement,", ",,"))), "--json")

    assert code == 0
    assert '"new": 5' in out
    assert '"line": 7' in out


@pytest.mark.parametrize("more", [[], ["--json"], ["--dry-run"], ["--dry-run", "--json"]])
def test_command_refuses_what_is_no_table(tmp_path: Path, more: list[str]) -> None:
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")

    code, out, err = run(str(path), *more)

    assert code == 2
    assert "Record ID" in out + err
    assert "Traceback" not in err


def test_command_refuses_a_path_that_is_not_there(tmp_path: Path) -> None:
    code, _out, err = run(str(tmp_path / "absent.csv"))

    assert code == 2
    assert "Check the path" in err
    assert not NoticeBatch.objects.exists()


@pytest.mark.shared
def test_real_tables_of_both_vintages_are_imported(shared: Path, project: Project) -> None:
    folder = shared / "real" / "apis" / "retractionwatch"
    wakefield = a_source(project, "10.1016/s0140-6736(97)11096-0")

    brought(folder / "sample_2024_plus_reasons_part1.csv")
    brought(folder / "sample_2026_with_trailing_comma.csv", keep_missing=True)

    wakefield.refresh_from_db()
    assert RetractionRecord.objects.count() == 24
    assert wakefield.retraction == "retracted"
    assert set(wakefield.findings.values_list("code", flat=True)) == {"retracted", "corrected"}
