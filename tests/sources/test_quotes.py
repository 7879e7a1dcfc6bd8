import pytest

from sources.quotes import NOT_CHECKABLE, SnapshotIndex, locate

PAGE = (
    "Shore power in ports\n\nShips calling at Lindhavn drew 416 MWh from the quay in 2024, the "
    "harbour master said. “We are truly pleased,” she added — though the long\u2010term contract "
    "for the quay ends soon.\n\nRevenue rose 21.4% to 1,204 crowns. The number of calls "
    "did not change much, and the port expects two more berths by 2027.\n"
)
ZH = "全港累計供應岸電 41.6 萬千瓦時，同比增長 12.3%。這一數字創下了歷史新高，港口方面表示滿意。"


def find(text, snippet, **more):
    return locate(SnapshotIndex(text), snippet, **more)


def passage(text, location):
    return text[location.start : location.end]


def test_verbatim_quote_is_exact_with_nothing_folded():
    found = find(PAGE, "drew 416 MWh from the quay")

    assert (found.grade, found.folded, found.numbers_equal) == ("exact", (), True)
    assert passage(PAGE, found) == "drew 416 MWh from the quay"
    assert found.verbatim
    assert found.located


def test_exact_names_white_space_and_composition():
    found = find("the cafe\u0301\u2009  opened in\nMay", " the café opened in May ")

    assert (found.grade, found.folded) == ("exact", ("nfc", "white_space"))
    assert (found.start, found.end) == (0, 25)


def test_brackets_are_part_of_a_verbatim_quote():
    assert find("time [APTT]-adjusted ratio", "time [APTT]-adjusted").grade == "exact"


@pytest.mark.parametrize("snippet", ["", " \n", "“”", "…", "?!", "\u200b"])
def test_quote_without_words_is_absent(snippet):
    assert find("Nothing here of the kind.", snippet).grade == "absent"


def test_punctuation_that_stands_there_is_exact_and_too_short():
    found = find(ZH, "，")

    assert (found.grade, found.flags) == ("exact", ("too_short",))


def test_base_letter_of_a_composed_one_is_no_occurrence():
    assert find("Zoe\u0308 agreed", "Zoe").grade == "absent"


@pytest.mark.parametrize(
    ("text", "snippet", "folded"),
    [
        (PAGE, '"We are truly pleased," she added', ("quotes",)),
        (PAGE, "though the long-term contract", ("dashes",)),
        (PAGE, "SHIPS CALLING AT LINDHAVN", ("case",)),
        ("the amyloid ﬁbrils in it", "amyloid fibrils", ("ligature",)),
        ("the con\u00adverter for ships", "the converter for ships", ("soft_hyphen",)),
        ("a good con-\nnection here", "a good connection here", ("line_hyphen",)),
        ("a self-\nmade port of call", "a self-made port of call", ("line_hyphen",)),
        ("用电量，累计供应岸电。", "用电量,累计供应岸电.", ("width",)),
        ("it is s\u200bolved now, they say", "it is solved now, they say", ("zero_width",)),
        ("供应岸\n电四十一万千瓦时", "供应岸电四十一万千瓦时", ("white_space",)),
        ("crews drew 416 MWh there", "“crews drew 416 MWh there”", ("quotes",)),
    ],
)
def test_normalised_names_what_was_folded(text, snippet, folded):
    found = find(text, snippet)

    assert (found.grade, found.folded, found.numbers_equal) == ("normalised", folded, True)
    assert found.located
    assert not found.verbatim


@pytest.mark.parametrize(
    ("text", "snippet"),
    [("the value 10² was met", "the value 102 was met"), ("the ①st pier", "the 1st pier")],
)
def test_digits_in_other_forms_are_other_numbers(text, snippet):
    assert not find(text, snippet).located


def test_hyphen_inside_a_word_counts():
    found = find("The board will resign in the spring.", "The board will re-sign in the spring.")

    assert (found.grade, found.edits) == ("partial", 1)
    assert [(each.quote, each.passage) for each in found.differences] == [("re-sign", "resign")]


def test_elided_quote_is_interleaved_with_its_gap():
    found = find(PAGE, "Ships calling at Lindhavn ... the harbour master said")

    assert (found.grade, found.numbers_equal) == ("interleaved", True)
    assert [PAGE[start:end] for start, end in found.gaps] == [
        " drew 416 MWh from the quay in 2024, "
    ]


@pytest.mark.parametrize("mark", ["…", " [...] ", "（……）", " . . . ", "〔…〕", ".... "])
def test_every_way_to_write_an_elision_is_read(mark):
    text = "The port of Lindhavn opened a new quay for ships of every size last year."

    assert find(text, f"port of Lindhavn{mark}ships of every size").grade == "interleaved"


def test_elided_quote_leaves_out_as_little_as_it_can():
    text = "The port opened. The port opened. Then it closed its gates. The port opened early."

    found = find(text, "The port opened ... closed its gates")

    assert found.occurrences == ((17, 58),)


def test_part_is_no_part_of_a_word():
    text = "They open the southern stations and in the end the southern station as planned."

    found = find(text, "They open ... southern station ... planned")

    assert text[found.gaps[1][0] : found.gaps[1][1]] == " as "
    assert not find("They opened the station as planned.", "They open ... planned").located


def test_hyphen_inside_a_word_counts_in_parts_too():
    text = "The board will resign, it said in a letter, in the spring of next year."

    assert not find(text, "The board will re-sign ... in the spring").located


def test_quote_with_too_many_parts_is_not_interleaved():
    assert not find(PAGE, " ... ".join(["the quay"] * 13)).located


def test_parts_in_the_wrong_order_are_not_interleaved():
    assert not find(PAGE, "the harbour master said ... Ships calling at Lindhavn").located


def test_parts_far_apart_are_not_interleaved():
    text = f"The port opened. {'Other news. ' * 200}The quay closed."

    assert not find(text, "The port opened ... The quay closed").located


def test_part_that_stands_everywhere_is_no_part():
    assert not find(PAGE, "Ships calling ... a ... said").located


def test_elision_at_the_edge_of_a_quote_leaves_no_gap():
    found = find(PAGE, "“...drew 416 MWh from the quay...”")

    assert (found.grade, found.gaps) == ("interleaved", ())
    assert passage(PAGE, found) == "drew 416 MWh from the quay"


def test_reworded_quote_is_partial_with_the_difference():
    found = find(PAGE, "The number of calls did not change very much, and the port expects")

    assert (found.grade, found.number_mismatch, found.numbers_equal) == ("partial", False, True)
    assert [(each.quote, each.passage) for each in found.differences] == [("very ", "")]
    assert not found.located


@pytest.mark.parametrize(
    ("snippet", "expected"),
    [
        ("zquay in 2024, the harbour master said", "quay in 2024, the harbour master said"),
        ("drew 416 MWh from the quayz", "drew 416 MWh from the quay"),
        ("ohips calling at Lindhaven drew", "Ships calling at Lindhavn drew"),
        ("drew 416 MWh from the puay in 2094", "drew 416 MWh from the quay in 2024"),
    ],
)
def test_partial_passage_begins_and_ends_with_whole_words(snippet, expected):
    found = find(PAGE, snippet)

    assert (found.grade, passage(PAGE, found)) == ("partial", expected)


def test_altered_number_is_a_mismatch():
    found = find(PAGE, "Ships calling at Lindhavn drew 461 MWh from the quay")

    assert (found.grade, found.number_mismatch, found.numbers_equal) == ("partial", True, False)
    assert [(each.quote, each.passage) for each in found.differences] == [("461", "416")]
    difference = found.differences[0]
    assert PAGE[difference.start : difference.end] == "416"


def test_invented_tail_shows_the_longest_true_part():
    true = "The number of calls did not change much, and the port expects"
    invented = " its rival to give up all passenger traffic and to close the southern terminal"
    found = find(PAGE, true + invented)

    assert found.grade == "partial"
    assert passage(PAGE, found).startswith(true)
    assert found.part is not None
    assert (found.part.quote_start, found.part.start) == (0, found.start)


def test_short_quote_is_never_matched_approximately():
    found = find("The chines of the hull were low.", "Linus")

    assert (found.grade, found.flags) == ("absent", ("too_short",))


def test_other_script_guides_only():
    found = find(ZH, "全港累计供应岸电 41.6 万千瓦时")

    assert (found.grade, found.folded, found.located) == ("script", ("script",), False)
    assert passage(ZH, found) == "全港累計供應岸電 41.6 萬千瓦時"


def test_altered_number_in_the_other_script_is_a_mismatch():
    found = find(ZH, "全港累计供应岸电 42.6 万千瓦时")

    assert (found.grade, found.folded, found.number_mismatch) == ("partial", ("script",), True)
    assert [(each.quote, each.passage) for each in found.differences] == [("42.6", "41.6")]


def test_few_characters_of_the_other_script_are_named_in_partial():
    found = find(ZH, "這一数字創下了歷史新高，港口方面表示滿意")

    assert (found.grade, found.folded) == ("partial", ("script",))


@pytest.mark.parametrize(
    ("text", "snippet", "flags"),
    [
        ("rose 21.4% again", "1.4", {"cut_start", "cut_number", "too_short"}),
        ("rose 21.4% again", "4% again", {"cut_start", "cut_number", "too_short"}),
        ("rose 21.4% again", "rose 21", {"cut_end", "cut_number", "too_short"}),
        ("fell to −5.0% there again", "5.0% there again", {"cut_start", "cut_number"}),
        ("供应岸电达到了 3万千瓦时", "供应岸电达到了 3", {"cut_end", "cut_number"}),
        ("the concatenated string", "catenated string", {"cut_start"}),
        ("the concatenated string", "the concatenat", {"cut_end"}),
        ("in 1990-2000 it was open", "2000 it was open", set()),
        ("我们的AI技术很适合与机器学习", "AI技术很适合与机器", set()),
    ],
)
def test_quote_cut_inside_a_word_or_number_is_flagged(text, snippet, flags):
    found = find(text, snippet)

    assert found.grade == "exact"
    assert set(found.flags) == flags
    assert found.numbers_equal is ("cut_number" not in flags)


def test_title_of_another_page_is_no_flag():
    assert find(PAGE, "Shore power in ports", title="Wind power").flags == ()


@pytest.mark.parametrize("title", ["Shore power in ports", "“SHORE power in ports”"])
def test_title_used_as_a_quote_is_flagged(title):
    assert "equals_title" in find(PAGE, "Shore power in ports", title=title).flags


def test_occurrence_near_the_words_of_the_claim_comes_first():
    text = "Oslo: it rose by a fifth. " + "x " * 400 + "Bergen: it rose by a fifth. It is wet."
    near = text.rindex("it rose")

    found = find(text, "it rose by a fifth", claim="In Bergen it rose by a fifth")

    assert found.occurrences == ((near, near + 18), (6, 24))
    assert found.start == near


def test_claim_in_chinese_decides_too():
    text = "上海港：同比增长两成。" + "，" * 400 + "宁波港：同比增长两成。"

    found = find(text, "同比增长两成", claim="去年宁波港的吞吐量同比增长两成")

    assert found.start == text.rindex("同比")


def test_occurrence_in_the_article_comes_before_furniture():
    text = "it rose by a fifth | menu | it rose by a fifth in the town"
    place = text.rindex("it rose")

    found = find(text, "it rose by a fifth", article=[(27, len(text))])

    assert found.start == place


def test_whole_word_comes_before_a_cut_one():
    assert find("concatenate a cat there", "cat").start == 14


ELIDED = "The harbour … was closed"


def test_all_occurrences_are_listed_up_to_a_flagged_limit():
    assert len(find("a port. " * 70, "a port").occurrences) == 70

    many = find("a port. " * 1200, "a port")

    assert len(many.occurrences) == 1000
    assert "more_occurrences" in many.flags
    assert "more_occurrences" not in find("a port. " * 1000, "a port").flags


def test_elided_quote_says_where_not_every_place_was_looked_at():
    few, many = (find("The harbour, it said, was closed. " * n, ELIDED) for n in (64, 65))

    assert (len(few.occurrences), few.flags) == (64, ())
    assert (len(many.occurrences), many.flags) == (64, ("more_occurrences",))


def test_prepared_index_answers_alike():
    index = SnapshotIndex(PAGE)
    index.prepare()

    assert locate(index, "drew 416 MWh") == find(PAGE, "drew 416 MWh")


def test_quotation_marks_with_space_inside_are_one_pair():
    assert find(PAGE, "« drew 416 MWh from the quay »").grade == "normalised"


def test_a_snapshot_that_cannot_be_checked_has_its_own_grade():
    assert (NOT_CHECKABLE.grade, NOT_CHECKABLE.located) == ("not_checkable", False)
