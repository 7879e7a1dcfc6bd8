"""Which topic type a source is judged by."""

from sources.scoring.topics import Topics

TOPICS = Topics(
    project="clinical",
    dimensions={"d2": "mechanism", "ch03": "market", "ch03.sec2": "policy"},
    files={"sub_reports/d2.evidence.json": "d2"},
)


def test_own_topic_of_a_source_stands_above_all() -> None:
    assert TOPICS.nearest("historical", ["d2"]) == ("historical",)


def test_topic_of_its_dimension_stands_above_the_project_s() -> None:
    assert TOPICS.nearest("", ["d2"]) == ("mechanism",)
    assert TOPICS.nearest("", [], "sub_reports/d2.evidence.json") == ("mechanism",)


def test_section_without_a_topic_has_that_of_its_chapter() -> None:
    assert TOPICS.nearest("", ["ch03.sec2"]) == ("policy",)
    assert TOPICS.nearest("", ["ch03.sec1"]) == ("market",)


def test_source_of_several_dimensions_has_all_their_topics() -> None:
    assert TOPICS.nearest("", ["d1", "d2", "d2"]) == ("clinical", "mechanism")


def test_project_s_topic_is_the_last() -> None:
    assert TOPICS.nearest() == ("clinical",)
    assert TOPICS.nearest("", [], "elsewhere.json") == ("clinical",)


def test_no_topic_is_none_and_an_unknown_word_is_no_topic() -> None:
    assert Topics().nearest() == ()
    assert TOPICS.nearest("gossip") == ("clinical",)
