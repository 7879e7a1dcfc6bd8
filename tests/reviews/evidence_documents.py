"""Evidence documents that keep their contract, and ways to break it."""

from reviews.contracts import evidence_rules
from reviews.contracts.evidence import validate_evidence
from sources.source_cache import SnapshotError, check_snapshot, encode_metadata, metadata
from sources.source_cache import snapshot_ref as make_ref

PAGES = {
    "https://port.example.cn/2024": "2024 年云屿港供应岸电 41.6\n万千瓦时，同比增长 12.3%。",
    "https://gazette.example.com/a": "Ships at Lindhavn drew 416 MWh from the quay.",
    "https://wiki.example.org/harbour": "A harbour wiki page.",
}


class Memory:
    """Snapshots in a dictionary: the contract does not care where they are."""

    def __init__(self):
        self.files = {}
        self.asked = 0
        for url, text in PAGES.items():
            ref = make_ref(url, text)
            self.files[ref] = (text.encode(), encode_metadata(metadata(url, ref)))

    def verify(self, ref, *, url=None):
        self.asked += 1
        if ref not in self.files:
            raise SnapshotError(evidence_rules.SNAPSHOT.text, reason="absent")
        return check_snapshot(ref, *self.files[ref], url=url)


def ref_of(url):
    return str(make_ref(url, PAGES[url]))


def evidence_item(source, url, snippet, quote_type="direct"):
    return {
        "source_id": source,
        "snippet": snippet,
        "quote_type": quote_type,
        "snapshot_ref": ref_of(url),
    }


def claim(number, kind, *evidence):
    return {
        "id": f"d2.c{number}",
        "text": "Ships drew power from the quay",
        "kind": kind,
        "polarity": "support",
        "topic_tag": "shore_power",
        "answers_key_question": f"kq{number}" if number < 3 else None,
        "evidence": list(evidence),
    }


def source(source_id, url, quality):
    return {"id": source_id, "url": url, "title": "A page", "quality": quality}


def good():
    port, gazette, wiki = PAGES
    return {
        "schema_version": "1.2",
        "mode": "initial",
        "dimension_id": "d2",
        "upstream_usage": [
            {
                "dimension_id": "d1",
                "needed_for": "entity_selection",
                "consumed_claim_ids": ["d1.c1"],
                "scope_changes": ["only the two ports"],
                "skipped_searches": ["list of ports"],
            }
        ],
        "headline": "Ports sold more power",
        "key_findings": [
            {"finding": "Power sold rose", "claim_ids": ["d2.c1", "d2.c2"]},
            {"finding": "Ships used it", "claim_ids": ["d2.c3"]},
        ],
        "claims": [
            claim(1, "factual", evidence_item("port", port, "岸电 41.6 万千瓦时", "numeric")),
            claim(
                2,
                "interpretive",
                evidence_item("port", port, "同比增长 12.3%"),
                evidence_item("gazette", gazette, "drew 416 MWh"),
            ),
            claim(3, "projective", evidence_item("wiki", wiki, "not literal", "paraphrase")),
        ],
        "sources": [
            {**source("port", port, "primary"), "published_at": "2024-12"},
            source("gazette", gazette, "secondary"),
            source("wiki", wiki, "tertiary"),
        ],
        "writing_context": [
            {
                "id": "d2.w1",
                "kind": "methodology",
                "text": "Only ships with sockets are counted.",
                "use": "Name the denominator.",
                "source_ids": ["port"],
                "applies_to": ["kq1"],
            },
            {
                "id": "d2.w2",
                "kind": "unresolved_gap",
                "text": "No figures for 2023 were found.",
                "use": "Say that they are missing.",
            },
        ],
    }


def plan():
    needed = {"dimension_id": "d1", "needed_for": "entity_selection", "consume": "key_findings"}
    return {
        "dimensions": [
            {"id": "d1", "dependency_inputs": []},
            {"id": "d2", "dependency_inputs": [needed, {"dimension_id": 4}, "x"]},
        ]
    }


def upstream():
    return {
        "dimension_id": "d1",
        "claims": [{"id": "d1.c1"}, {"id": "d1.c2"}, {"id": None}, "x"],
        "key_findings": [{"claim_ids": ["d1.c1", 5]}, "x", {}],
    }


GIVEN = {
    "plan": plan(),
    "upstream": [upstream()],
    "expected_mode": "initial",
    "require_version": "1.2",
}


def check(document, **options):
    return validate_evidence(document, **{"snapshots": Memory(), **GIVEN, **options})


def broken(document, **options):
    return [each.rule for each in check(document, **options).violations]


def change(path, value):
    document = good()
    holder = document
    *parents, last = path
    for key in parents:
        holder = holder[key]
    if value is DROP:
        del holder[last]
    else:
        holder[last] = value
    return document


DROP = object()

CLAIM = ("claims", 0)

EVIDENCE = ("claims", 0, "evidence", 0)

USAGE = ("upstream_usage", 0)

CONTEXT = ("writing_context", 0)

FINDING = ("key_findings", 0)
