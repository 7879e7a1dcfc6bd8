"""Texts are cut at their marks, and nothing of them is lost."""

from hypothesis import given
from hypothesis import strategies as st

from reviews.marking import Mark, cut
from reviews.templatetags.reading import blocks, plain

_KINDS = st.sampled_from(["passage", "occurrence", "proposed", "equal", "different", "find"])
_MARKS = st.lists(
    st.builds(
        lambda low, length, kind: Mark(low, low + length, kind),
        st.integers(0, 40),
        st.integers(0, 30),
        _KINDS,
    ),
    max_size=12,
)


@given(st.text(max_size=50), _MARKS)
def test_cutting_loses_and_doubles_nothing(text: str, marks: list[Mark]) -> None:
    pieces = [piece for block in cut(text, marks) for piece in block.pieces]

    assert "".join(piece.text for piece in pieces) == text
    at = 0
    for piece in pieces:
        assert piece.start == at
        at += len(piece.text)


def test_a_window_keeps_the_whole_span_of_a_frame_it_cuts() -> None:
    (block,) = cut("abcdefghij", [Mark(2, 8, "passage")], start=4, end=6)

    assert block.frame == Mark(2, 8, "passage")
    assert [piece.text for piece in block.pieces] == ["ef"]


def test_marks_inside_a_passage_share_its_frame() -> None:
    marks = [Mark(0, 11, "passage", "exact"), Mark(4, 8, "equal"), Mark(4, 8, "find")]

    (block,) = cut("was 21.4 mo", marks)

    assert [(p.text, p.kinds) for p in block.pieces] == [
        ("was ", ()),
        ("21.4", ("equal", "find")),
        (" mo", ()),
    ]


def test_the_first_of_two_overlapping_frames_keeps_its_span() -> None:
    marks = [Mark(3, 6, "passage"), Mark(0, 8, "occurrence")]

    found = cut("abcdefgh", marks)

    assert [(b.frame.kind, b.pieces[0].text) for b in found if b.frame] == [
        ("occurrence", "abc"),
        ("passage", "def"),
        ("occurrence", "gh"),
    ]


def test_a_shown_text_is_escaped_everywhere() -> None:
    shown = blocks(cut("<b>&'\"", [Mark(0, 3, "passage", '"><script>')]))

    assert "<b>" not in shown
    assert "<script>" not in shown
    assert "&lt;b&gt;" in shown


def test_a_character_that_shows_nothing_stands_for_itself_as_one() -> None:
    shown = plain("a\u202eb\x00c\rd")

    assert "\u202e" not in shown
    assert "\x00" not in shown
    assert "\r" not in shown
    assert shown.count('data-n="1"') == 3
    assert 'data-u="U+202E"' in shown


def test_runs_say_their_code_points_also_beyond_the_basic_plane() -> None:
    text = "𠮷😀: 21.4 个月"

    shown = blocks(cut(text, [Mark(4, 8, "equal")]))

    assert '<span data-c="4" class="mark-equal">21.4</span>' in shown
    assert '<span data-c="8"> 个月</span>' in shown
