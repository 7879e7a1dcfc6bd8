"""Write the demo's report directory (evidence 1.2) from the files beside this module.

Hashes are computed here and stored nowhere, so that a page or a claim is changed by editing it.
Everything in these files is invented: the drug, the trials, the bodies and their addresses.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sources.cache_files import SourceCache
from sources.source_cache import normalize_url, snapshot_ref

HERE = Path(__file__).resolve().parent
DIMENSIONS = ("d1", "d2", "d3", "d4")
FIRST, SECOND = 1, 2  # editions of the report; the second follows a page that changed

type Record = dict[str, Any]


def build(folder: Path, edition: int = SECOND) -> None:
    """Write one edition of the report into an empty folder, the same bytes every time."""
    sources: dict[str, Record] = {source["id"]: source for source in _read("sources.json")}
    (folder / "sub_reports").mkdir(parents=True)
    _store_pages(folder, sources.values(), edition)
    for name in DIMENSIONS:
        part = _evidence(_read(f"claims/{name}.json"), sources, edition)
        _write(folder / "sub_reports" / f"{name}.evidence.json", part)
    for path in sorted((HERE / "report").iterdir()):
        text = path.read_text(encoding="utf-8")
        (folder / path.name).write_text(_of_edition(text, edition), encoding="utf-8")
    _write_report(folder, sources)


def page_text(name: str) -> str:
    """Give the text of a page, as it was captured."""
    with (HERE / "pages" / f"{name}.md").open(encoding="utf-8", newline="") as file:
        return file.read()


def _read(name: str) -> Any:
    return json.loads((HERE / name).read_text(encoding="utf-8"))


def _write(path: Path, value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=2)
    path.write_text(f"{text}\n", encoding="utf-8")


def _pages(source: Record, edition: int) -> list[str]:
    """Name the pages known at an edition, the newest first."""
    pages: list[str] = source["pages"]
    return pages[-1:] if edition == FIRST else pages


def _store_pages(folder: Path, sources: Iterable[Record], edition: int) -> None:
    cache = SourceCache(folder / "source_cache")
    for source in sources:
        for page in _pages(source, edition):
            cache.store(normalize_url(source["url"]), page_text(page))


def _evidence(part: Record, sources: Mapping[str, Record], edition: int) -> Record:
    claims = [_claim(each, sources, edition) for each in _claims(part, edition)]
    cited = dict.fromkeys(item["source_id"] for claim in claims for item in claim["evidence"])
    return {
        "schema_version": "1.2",
        "mode": "initial",
        "dimension_id": part["dimension_id"],
        "upstream_usage": [],
        "headline": part["headline"],
        "key_findings": part["key_findings"],
        "claims": claims,
        "sources": [_source(sources[name]) for name in cited],
        "writing_context": part.get("writing_context", []),
    }


def _claims(part: Record, edition: int) -> Iterator[Record]:
    earlier = {claim["id"]: claim for claim in _read("claims/first_edition.json")}
    for claim in part["claims"]:
        yield earlier.get(claim["id"], claim) if edition == FIRST else claim


def _claim(claim: Record, sources: Mapping[str, Record], edition: int) -> Record:
    items = []
    for given in claim["evidence"]:
        item = dict(given)
        source = sources[item["source_id"]]
        page = item.pop("page", "") or next(iter(_pages(source, edition)), "")
        if page:
            ref = snapshot_ref(normalize_url(source["url"]), page_text(page))
            item["snapshot_ref"] = str(ref)
        items.append(item)
    return claim | {"evidence": items}


def _source(source: Record) -> Record:
    return {name: value for name, value in source.items() if name != "pages"}


def _of_edition(text: str, edition: int) -> str:
    """Put the sentence of the first edition where the second has its own."""
    if edition != FIRST:
        return text
    parts = [_read(f"claims/{name}.json") for name in DIMENSIONS]
    later = {claim["id"]: claim["text"] for part in parts for claim in part["claims"]}
    for claim in _read("claims/first_edition.json"):
        text = text.replace(later[claim["id"]], claim["text"])
    return text


def _write_report(folder: Path, sources: Mapping[str, Record]) -> None:
    """Write ``report.md`` and ``citations.json``: the stitched text with numbered sources."""
    text = (folder / "stitched.md").read_text(encoding="utf-8")
    places = {name: text.find(f"[^{name}]") for name in sources}
    order = sorted((name for name, at in places.items() if at >= 0), key=lambda name: places[name])
    lines = []
    citations = []
    for number, name in enumerate(order, start=1):
        source = sources[name]
        text = text.replace(f"[^{name}]", f"[{number}]")
        lines.append(f"{number}. [{source['title']}]({source['url']})")
        kept = {key: source[key] for key in ("id", "url", "title", "quality")}
        citations.append({"index": number, **kept, "aliases": []})
    report = f"{text}\n## References\n\n" + "\n".join(lines) + "\n"
    (folder / "report.md").write_text(report, encoding="utf-8")
    found = {"schema_version": "2.1", "total_citations": len(order), "citations": citations}
    _write(folder / "citations.json", found)
