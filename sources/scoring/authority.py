"""Authority, 0 to 3 points. Pure. Rulebook section 2, table "authority"."""

from collections.abc import Mapping
from decimal import Decimal

from workbench.lib.texts import Text

from .facts import JournalRow, SourceFacts
from .marks import Mark, Raised, Rule, shown
from .placing import Place

# Least impact factor → points.
FIGURES: tuple[tuple[Decimal, Decimal], ...] = (
    (Decimal(30), Decimal("3.0")),
    (Decimal(10), Decimal("2.5")),
    (Decimal(5), Decimal("2.0")),
    (Decimal(3), Decimal("1.5")),
    (Decimal(1), Decimal("1.0")),
    (Decimal(0), Decimal("0.5")),
)
CLASSES: Mapping[str, Decimal] = {
    "regulator": Decimal("3.0"),
    "exchange": Decimal("3.0"),
    "registry": Decimal("3.0"),
    "patent_office": Decimal("3.0"),
    "top_consulting": Decimal("2.5"),
    "data_vendor": Decimal("2.0"),
    "broker": Decimal("1.5"),
    "association": Decimal("1.5"),
    "professional_media": Decimal("1.0"),
}
SYSTEMATIC = Decimal("2.0")
PRELIMINARY = Decimal("0.5")
NONE = Decimal(0)

RULES: Mapping[str, Rule] = {
    "impact_factor": Rule(
        "0.5–3.0",
        Text(
            "IF {impact_factor} → {points} ({journal}; figure {origin})",
            "IF {impact_factor} → {points}（{journal}；数据{origin}）",
        ),
    ),
    "authority_band": Rule(
        "0–3.0",
        Text(
            "{journal}: authority band {points} in the table of journals, no figure known",
            "{journal}：期刊表中的权威分档为 {points}，无影响因子",
        ),
    ),
    "row_authority": Rule(
        "0–3.0",
        Text("{row}: {points} in the site's tables", "{row}：站点表中定为 {points}"),
    ),
    "publisher_class": Rule(
        "1.0–3.0",
        Text("{row} is of class “{class}” → {points}", "{row} 属于“{class}”类 → {points}"),
    ),
    "systematic_review": Rule(
        "2.0",
        Text(
            "Systematic review or meta-analysis, no impact factor known → 2.0",
            "系统综述或 Meta 分析，影响因子未知 → 2.0",
        ),
    ),
    "preprint": Rule("0.5", Text("Preprint → 0.5", "预印本 → 0.5")),
    "conference_abstract": Rule("0.5", Text("Conference abstract → 0.5", "会议摘要 → 0.5")),
    "self_media": Rule(
        "0", Text("{row}: self-media or an open encyclopaedia → 0", "{row}：自媒体或开放百科 → 0")
    ),
    "unknown_journal": Rule(
        "0",
        Text(
            "No impact factor or band is known for “{venue}” → 0",
            "“{venue}”的影响因子和分档均未知 → 0",
        ),
    ),
    "class_without_points": Rule(
        "0",
        Text(
            "{row} is of class “{class}”, which gives no points by itself → 0",
            "{row} 属于“{class}”类，该类本身不给分 → 0",
        ),
    ),
    "unknown_publisher": Rule(
        "0",
        Text(
            "No row of the tables matches {host} → 0",
            "站点表中没有与 {host} 匹配的行 → 0",
        ),
    ),
}


def points_of_figure(figure: Decimal) -> Decimal:
    """Give the points of an impact factor, 0 or more."""
    return next(points for least, points in FIGURES if figure >= least)


def authority(facts: SourceFacts, place: Place) -> Mark:
    """Mark who publishes the source. Rulebook section 2."""
    kind = place.kind.name
    if kind in {"preprint", "conference_abstract"}:
        return Mark(PRELIMINARY, kind, {}, ("published_version",))
    if kind in {"self_media", "encyclopedia"} or place.publisher_class in {
        "self_media",
        "encyclopedia",
    }:
        return Mark(NONE, "self_media", {"row": place.row_name or place.host}, ("original",))
    if kind == "article" and (mark := _by_journal(facts, place)) is not None:
        return mark
    if place.row_authority is not None:
        facts_read = {"row": place.row_name, "points": shown(place.row_authority)}
        return Mark(place.row_authority, "row_authority", facts_read)
    if place.publisher_class in CLASSES:
        points = CLASSES[place.publisher_class]
        read = {"row": place.row_name, "class": place.publisher_class, "points": shown(points)}
        return Mark(points, "publisher_class", read, () if points == 3 else ("original",))
    if place.is_paper and place.content.name == "systematic_review":
        return Mark(SYSTEMATIC, "systematic_review", {}, ("journal_figure",))
    return _unknown(facts, place)


def _by_journal(facts: SourceFacts, place: Place) -> Mark | None:
    """Mark by the figure of the table, else that of the record, else the band of the table."""
    row = place.journal
    figure = figure_of(facts, row)
    name = row.title if row else facts.venue
    if figure is not None:
        points = points_of_figure(figure)
        from_table = row is not None and row.impact_factor is not None
        read = {
            "impact_factor": str(figure),
            "points": shown(points),
            "journal": name,
            "origin": "table" if from_table else "record",
        }
        if from_table and row is not None and row.impact_year:
            read["year"] = str(row.impact_year)
        return Mark(points, "impact_factor", read)
    if row is not None and row.authority_band is not None:
        read = {"journal": name, "points": shown(row.authority_band)}
        more = () if row.authority_band >= 3 else ("journal_figure",)
        return Mark(row.authority_band, "authority_band", read, more)
    return None


def figure_of(facts: SourceFacts, row: JournalRow | None) -> Decimal | None:
    """Give the impact factor that counts: an admin's stands above what a record states."""
    if row is not None and row.impact_factor is not None:
        return row.impact_factor
    stated = facts.impact_factor
    return stated if stated is not None and stated >= 0 else None


def _unknown(facts: SourceFacts, place: Place) -> Mark:
    if place.kind.name == "article":
        read = {"venue": facts.venue or facts.doi or place.host}
        return Mark(NONE, "unknown_journal", read, ("journal_figure",), unknown=True)
    if place.publisher_class:
        read = {"row": place.row_name, "class": place.publisher_class}
        return Mark(NONE, "class_without_points", read, ("row_points",), unknown=True)
    read = {"host": place.host or facts.publisher or facts.venue or "–"}
    return Mark(NONE, "unknown_publisher", read, ("table_row",), unknown=True)


def differing_figures(facts: SourceFacts, place: Place) -> tuple[Raised, ...]:
    """Raise where the record's impact factor gives other points than the table does."""
    row, stated = place.journal, facts.impact_factor
    if row is None or stated is None or stated < 0:
        return ()
    ours = row.authority_band if row.impact_factor is None else points_of_figure(row.impact_factor)
    if ours is None or ours == points_of_figure(stated):
        return ()
    params = {
        "journal": row.title,
        "stated": str(stated),
        "table": str(row.impact_factor) if row.impact_factor is not None else shown(ours),
    }
    return (Raised("impact_factor_differs", params),)
