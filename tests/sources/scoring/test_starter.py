"""The rows that a site begins with: every name of the rulebook and the seeds is there."""

import re
from decimal import Decimal

import pytest

from sources.scoring.names import fold_host, fold_issn, fold_name
from sources.scoring.recency import TOPICS
from sources.scoring.starter import DOMAINS, JOURNALS, PUBLISHERS
from sources.scoring.tiers import CLASSES
from sources.scoring.words import CLASSES as CLASS_WORDS

from .samples import STARTER


def test_thirteen_journals_carry_the_bands_of_the_seeds() -> None:
    bands = [row.authority_band for row in JOURNALS]

    assert [bands.count(Decimal(points)) for points in ("3.0", "2.5", "2.0")] == [6, 4, 3]


def test_no_impact_factor_is_shipped() -> None:
    assert all(row.impact_factor is None for row in JOURNALS)


@pytest.mark.parametrize(
    "name",
    [
        "FDA", "EMA", "NMPA", "PMDA", "openFDA", "ClinicalTrials.gov", "ChiCTR", "EU CTR", "USPTO",
        "EPO", "CNIPA", "Google Patents", "PatentsView", "SEC", "HKEX", "SSE", "SZSE", "港交所",
        "PubMed", "Cochrane", "McKinsey", "BCG", "Deloitte", "IQVIA", "Evaluate Pharma",
        "EvaluatePharma", "Frost & Sullivan", "沙利文", "PhRMA", "BIO", "中国医药工业协会",
        "中国医药创新促进会", "BioSpace", "Endpoints News", "FiercePharma", "STAT", "医药魔方",
        "Insight", "Insight 数据库", "bioRxiv", "medRxiv", "SSRN", "中金", "中信", "高盛",
        "摩根士丹利", "AACR", "ASCO", "ASH", "JPM Healthcare Conference", "Wikipedia", "百家号",
        "头条号",
    ],
)  # fmt: skip
def test_every_named_body_is_known(name: str) -> None:
    assert STARTER.publisher(name) is not None


def test_no_name_or_host_stands_twice() -> None:
    names = [fold_name(row.title) for row in JOURNALS]
    bodies = [fold_name(row.name) for row in PUBLISHERS]
    hosts = [(fold_host(row.host), row.path_prefix) for row in DOMAINS]
    aliases = [fold_name(alias) for row in PUBLISHERS for alias in row.aliases]

    for found in (names, bodies, hosts, aliases):
        assert len(found) == len(set(found))
    assert not set(bodies) & set(aliases)


def test_rows_are_well_formed() -> None:
    for row in JOURNALS:
        assert all(fold_issn(issn) for issn in row.issns)
    for host in DOMAINS:
        assert re.fullmatch(r"[a-z0-9.-]+\.[a-z]+", host.host)
        assert host.publisher_class in CLASS_WORDS
        assert host.publisher_class in CLASSES or host.tier is not None


def test_topics_are_those_of_the_rulebook() -> None:
    assert set(TOPICS) == {"market", "regulatory", "clinical", "mechanism", "policy", "historical"}
