"""Tables in and out of files: CSV, XLSX and JSONL."""

import io
import json
import zipfile
from decimal import Decimal
from typing import Any

import openpyxl
import pytest
import tablib

from sources.models import Domain, Journal, Project, Publisher, Subject, User
from sources.table_formats import FORMATS, CsvFormat, JsonlFormat, UnreadableTable, XlsxFormat
from sources.table_resources import (
    DomainResource,
    JournalResource,
    PublisherResource,
    SubjectResource,
)

RESOURCES = (JournalResource, PublisherResource, DomainResource, SubjectResource)


def jsonl(*records: dict[str, Any]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def bring(resource: Any, data: bytes, file_format: Any = JsonlFormat, **options: Any) -> Any:
    dataset = file_format().create_dataset(data)
    return resource.import_data(
        dataset,
        use_transactions=True,
        rollback_on_validation_errors=True,
        **options,
    )


def exported(resource: Any, file_format: Any) -> bytes:
    native = file_format is JsonlFormat
    return file_format().export_data(resource.export(force_native_type=native))


@pytest.mark.parametrize("file_format", FORMATS)
@pytest.mark.parametrize("kind", RESOURCES)
@pytest.mark.django_db
def test_bringing_back_what_was_exported_changes_nothing(
    kind: Any, file_format: Any, project: Project
) -> None:
    Subject.objects.create(
        project=project, kind="company", name="=Acme; 甲", aliases=["A, B"], domains=["a.example"]
    )
    Journal.objects.create(title='-Odd, "quoted"', note="line\nbreak", impact_factor=Decimal("1.5"))
    resource = kind()

    result = bring(resource, exported(kind(), file_format), file_format)

    assert not result.has_errors(), [row.errors for row in result.rows]
    assert not result.has_validation_errors()
    assert result.totals["skip"] == result.total_rows > 0
    assert resource.changes == []


@pytest.mark.django_db
def test_file_changes_rows_and_adds_rows(admin: User) -> None:
    resource = JournalResource()
    data = jsonl(
        {"title": "the lancet", "impact_factor": 98.4, "impact_year": 2024},
        {"title": "Journal of Examples", "issns": ["1234-5679"], "authority_band": "1.5"},
    )

    result = bring(resource, data, user=admin)

    assert (result.totals["update"], result.totals["new"]) == (1, 1)
    lancet = Journal.objects.get(title_key="lancet")
    assert (lancet.impact_factor, lancet.authority_band, lancet.version) == (
        Decimal("98.4"), Decimal("3.0"), 2,
    )  # fmt: skip
    assert lancet.aliases == ["Lancet", "柳叶刀"]
    assert lancet.changed_by == admin
    made = Journal.objects.get(title="Journal of Examples")
    assert (made.title_key, made.issns) == ("journal of examples", ["1234-5679"])
    assert [change.row_key for change in resource.changes] == ["the lancet", "Journal of Examples"]
    assert resource.changes[0].old["impact_factor"] is None


@pytest.mark.django_db
def test_csv_of_a_spreadsheet_program_is_read() -> None:
    text = "title;impact_factor;aliases\r\nCell;45.5;Cell Press；细胞\r\n"

    result = bring(JournalResource(), text.encode("gb18030"), CsvFormat)

    assert not result.has_errors()
    row = Journal.objects.get(title="Cell")
    assert (row.impact_factor, row.aliases) == (Decimal("45.5"), ["Cell Press", "细胞"])


@pytest.mark.django_db
def test_workbook_with_numbers_is_read() -> None:
    book = openpyxl.Workbook()
    book.active.append(["host", "publisher_class", "tier", "with_subdomains", "publisher"])
    book.active.append(["WWW.New.Example", "regulator", 1, True, "fda"])
    book.active.append([None, None, None, None, None])
    target = io.BytesIO()
    book.save(target)

    result = bring(DomainResource(), target.getvalue(), XlsxFormat)

    assert not result.has_errors()
    row = Domain.objects.get(host="new.example")
    assert (row.tier, row.with_subdomains, row.publisher.name) == (1, True, "FDA")


@pytest.mark.parametrize(
    ("kind", "record", "said"),
    [
        (JournalResource, {"title": "A", "impact_factor": "high"}, "no number"),
        (JournalResource, {"title": "A", "impact_factor": -1}, "greater than or equal"),
        (JournalResource, {"title": "A", "impact_factor": True}, "no number"),
        (JournalResource, {"title": "A", "tier": 1.5}, "whole number"),
        (JournalResource, {"title": "A", "tier": 7}, "less than or equal"),
        (JournalResource, {"title": "A", "issns": ["1"]}, "ISSN"),
        (JournalResource, {"title": ""}, "blank"),
        (JournalResource, {"title": "A" * 400}, "300"),
        (PublisherResource, {"name": "A", "publisher_class": "odd"}, "not a valid choice"),
        (DomainResource, {"host": "https://a.example/", "publisher_class": "other"}, "no host"),
        (DomainResource, {"host": "a.example", "publisher": "Nobody"}, "not known"),
        (DomainResource, {"host": "a.example", "with_subdomains": "perhaps"}, "true"),
        (SubjectResource, {"project": "absent", "kind": "company", "name": "A"}, "not known"),
        (SubjectResource, {"project": "nsclc", "kind": "planet", "name": "A"}, "valid choice"),
    ],
)
@pytest.mark.django_db
def test_bad_row_is_named_and_nothing_is_written(
    kind: Any, record: dict[str, Any], said: str, project: Project
) -> None:
    counts = [model.objects.count() for model in (Journal, Publisher, Domain, Subject)]
    good = {
        JournalResource: {"title": "Good"},
        PublisherResource: {"name": "Good", "publisher_class": "other"},
        DomainResource: {"host": "good.example", "publisher_class": "other"},
        SubjectResource: {"project": "nsclc", "kind": "company", "name": "Good"},
    }[kind]

    result = bring(kind(), jsonl(good, record))

    assert result.has_validation_errors()
    (invalid,) = result.invalid_rows
    assert invalid.number == 2
    assert said in str(invalid.error)
    assert [m.objects.count() for m in (Journal, Publisher, Domain, Subject)] == counts


@pytest.mark.django_db
def test_row_that_stands_twice_in_a_file_is_refused() -> None:
    result = bring(JournalResource(), jsonl({"title": "The Cell"}, {"title": "cell"}))

    assert "Row 1" in str(result.invalid_rows[0].error)


@pytest.mark.django_db
def test_unknown_column_is_refused() -> None:
    result = bring(JournalResource(), jsonl({"title": "A", "impakt": 3}))

    assert "impakt" in str(result.base_errors[0].error)
    assert not Journal.objects.filter(title="A").exists()


@pytest.mark.django_db
def test_file_without_the_key_column_is_refused() -> None:
    result = bring(JournalResource(), jsonl({"impact_factor": 3}))

    assert result.has_errors()


@pytest.mark.django_db
def test_looking_a_file_over_writes_nothing() -> None:
    resource = JournalResource()

    result = bring(resource, jsonl({"title": "New"}, {"title": "Cell", "tier": 2}), dry_run=True)

    assert not result.has_errors()
    assert not Journal.objects.filter(title="New").exists()
    assert Journal.objects.get(title="Cell").tier == 1
    update = next(row for row in result.rows if row.import_type == "update")
    assert "<del>1</del> <ins>2</ins>" in update.diff


@pytest.mark.django_db
def test_preview_escapes_and_marks_what_a_file_says() -> None:
    result = bring(JournalResource(), jsonl({"title": "<script>x</script>\u202e"}), dry_run=True)

    (row,) = result.rows
    assert "<script>" not in row.diff[0]
    assert "\u202e" not in row.diff[0]


@pytest.mark.django_db
def test_large_table_is_brought_in_with_few_queries(
    django_assert_max_num_queries: Any,
) -> None:
    records = [{"title": f"Journal number {number}", "impact_factor": 1} for number in range(600)]

    with django_assert_max_num_queries(2_500):
        result = bring(JournalResource(), jsonl(*records))

    assert result.totals["new"] == 600


@pytest.mark.parametrize("file_format", [CsvFormat, XlsxFormat])
def test_no_cell_is_a_formula(file_format: Any) -> None:
    dataset = tablib.Dataset(headers=["title", "note"])
    dataset.append(['=HYPERLINK("http://evil.example")', "  @x"])

    data = file_format().export_data(dataset)

    back = file_format().create_dataset(data)
    assert back[0] == ('=HYPERLINK("http://evil.example")', "  @x")
    if file_format is XlsxFormat:
        cell = openpyxl.load_workbook(io.BytesIO(data)).active["A2"]
        assert (cell.data_type, cell.value[0]) == ("s", "'")
    else:
        assert b"\"'=HYPERLINK" in data


def test_jsonl_holds_values_as_they_are() -> None:
    dataset = tablib.Dataset(headers=["title", "aliases", "impact_factor"])
    dataset.append(["=1+1", ["甲", "B"], Decimal("45.500")])

    data = JsonlFormat().export_data(dataset)

    assert data.decode() == '{"title": "=1+1", "aliases": ["甲", "B"], "impact_factor": 45.5}\n'


def test_characters_that_no_workbook_holds_are_replaced() -> None:
    dataset = tablib.Dataset(headers=["title"])
    dataset.append(["a\x01b"])

    data = XlsxFormat().export_data(dataset)

    assert XlsxFormat().create_dataset(data)[0] == ("a\ufffdb",)


def _bomb() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for number in range(3):
            packed.writestr(f"xl/part{number}", b"0" * (80 * 2**20))
    return target.getvalue()


@pytest.mark.parametrize(
    ("file_format", "data"),
    [
        (CsvFormat, b""),
        (CsvFormat, b"\x80\xff\x00"),
        (CsvFormat, b'title\n"open'),
        (CsvFormat, b"title,title\na,b\n"),
        (CsvFormat, b"title,,tier\na,b,c\n"),
        (CsvFormat, b"title\na,b\n"),
        (XlsxFormat, b""),
        (XlsxFormat, b"PK\x03\x04 no workbook"),
        (XlsxFormat, b"title,tier\n"),
        (JsonlFormat, b""),
        (JsonlFormat, b"{broken"),
        (JsonlFormat, b"[1]\n"),
        (JsonlFormat, b"{}\n"),
    ],
)
def test_file_that_is_no_table_is_refused_in_words(file_format: Any, data: bytes) -> None:
    with pytest.raises(UnreadableTable) as refused:
        file_format().create_dataset(data)

    assert str(refused.value)


def test_workbook_that_inflates_without_end_is_refused() -> None:
    with pytest.raises(UnreadableTable, match="unpacked"):
        XlsxFormat().create_dataset(_bomb())


def test_bad_line_is_named() -> None:
    with pytest.raises(UnreadableTable, match="2"):
        JsonlFormat().create_dataset(b'{"title": "A"}\n{"title": \n')


def test_table_with_too_many_rows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sources.table_formats.MAX_ROWS", 2)

    with pytest.raises(UnreadableTable, match="2 rows"):
        CsvFormat().create_dataset(b"title\na\nb\nc\n")
    assert len(CsvFormat().create_dataset(b"title\na\nb\n")) == 2
