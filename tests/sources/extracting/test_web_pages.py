import pytest

from sources.extracting import extract

STORY = " ".join(
    f"The {word} trial of the new drug enrolled {number} patients at several hospitals."
    for number, word in enumerate(["first", "second", "third", "fourth", "fifth", "sixth"], 11)
)
ARTICLE = f"""<!doctype html><html lang="en"><head><title>New drug slows tumours | Daily</title>
<meta name="description" content="A trial in six hospitals.">
<meta property="article:published_time" content="2024-03-05T08:00:00Z">
<script>var hidden = "nothing of this";</script><style>p {{ color: red }}</style></head><body>
<nav><a href="/">Home</a> <a href="/news">News</a></nav>
<article><h1>New drug slows tumours</h1><p class="byline">By <a rel="author">Ada Byron</a></p>
<p>{STORY}</p><p>{STORY.replace("drug", "method")}</p>
<table><tr><td>Arm</td><td>41</td></tr><tr><td>Control</td><td>37</td></tr></table></article>
<footer>Imprint and contact</footer></body></html>"""


def text_of(html):
    return extract(html.encode(), "text/html", plain=True).text


def test_all_that_is_visible_is_text_in_its_order():
    text = extract(ARTICLE.encode(), "text/html").text

    assert text.index("Home News") < text.index("New drug slows") < text.index("Imprint")
    assert "nothing of this" not in text
    assert "color" not in text


def test_cells_are_kept_apart_and_rows_are_lines():
    assert "Arm\t41\nControl\t37" in extract(ARTICLE.encode(), "text/html").text


def test_breaks_stand_at_blocks_only():
    assert text_of("<p>one <b>bo</b>ld</p><div>two<br>three</div>") == "one bold\n\ntwo\nthree"


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>secret</p>",
        '<p style="color:red; DISPLAY : none">secret</p>',
        '<p style="visibility:hidden">secret</p>',
        "<template>secret</template>",
        "<script>secret</script>",
        "<style>secret</style>",
        "<!-- secret -->",
        '<svg><title>secret</title><path d="M0"/></svg>',
        '<input type="hidden" value="secret">',
        "<iframe>secret</iframe>",
    ],
)
def test_what_a_page_hides_is_not_its_text(hidden):
    assert text_of(f"<body>before {hidden} after</body>").split() == ["before", "after"]


def test_white_space_of_preformatted_text_is_kept():
    assert text_of("<p>a  b</p><pre>x  y\n  z</pre>") == "a b\n\nx  y\n  z"


def test_the_article_is_a_part_of_the_text_without_furniture():
    found = extract(ARTICLE.encode(), "text/html", "https://daily.example/a")

    assert STORY in found.article_text
    assert "Imprint" not in found.article_text
    assert all(0 <= start < end <= len(found.text) for start, end in found.article)


def test_a_page_tells_title_authors_day_and_language():
    found = extract(ARTICLE.encode(), "text/html", "https://daily.example/a")

    assert found.title == "New drug slows tumours"
    assert found.authors == ("Ada Byron",)
    assert (found.published, found.language) == ("2024-03-05", "en")
    assert found.excerpt == "A trial in six hospitals."


def test_scholarly_pages_are_believed_in_what_they_state():
    page = (
        '<meta name="citation_author" content="Li, W."><meta name="citation_author" '
        'content="Roe, J."><meta name="citation_publication_date" content="2021/7/3">'
        f"<p>{STORY}</p>"
    )

    found = extract(page.encode(), "text/html")

    assert (found.authors, found.published) == (("Li, W.", "Roe, J."), "2021-07-03")


@pytest.mark.parametrize("declared", ["", ' lang="en"', ' lang="zh"', ' lang="xx"'])
def test_a_chinese_page_has_an_article_whatever_language_it_declares(declared):
    story = "公司实现营业收入约十二亿元，同比增长百分之十六。研究人员在六家医院开展了临床试验。" * 8
    page = (
        f"<html{declared}><head><title>临床试验取得进展</title></head><body><div>首页</div>"
        f"<article><h1>临床试验取得进展</h1><p>{story}</p><p>{story}</p></article></body></html>"
    )

    found = extract(page.encode(), "text/html")

    assert story in found.article_text
    assert found.by


@pytest.mark.parametrize(
    ("data", "free"),
    [
        ('{"isAccessibleForFree": false}', False),
        ('{"@graph": [{"isAccessibleForFree": "False"}]}', False),
        ('[{"isAccessibleForFree": "http://schema.org/True"}]', True),
        ('{"hasPart": {"isAccessibleForFree": false}}', None),
        ("{not json", None),
        ("[" * 10_000, None),
    ],
)
def test_whether_a_page_is_free_is_its_own_word(data, free):
    page = f'<script type="application/ld+json">{data}</script><p>{STORY}</p>'

    assert extract(page.encode(), "text/html", plain=True).is_free is free


@pytest.mark.parametrize("html", ["", " ", "<html></html>", "<!-- -->", "<script>x</script>"])
def test_a_page_without_text_says_so(html):
    found = extract(html.encode(), "text/html")

    assert found.text == ""
    assert found.reason


def test_a_page_nested_a_hundred_thousand_times_is_read():
    found = extract(b"<div>" * 100_000 + b"deep words", "text/html", plain=True)

    assert "deep words" in found.text


def test_a_frame_set_and_broken_markup_keep_their_words():
    assert text_of("<frameset><noframes>x</noframes></frameset>after") == "after"
    assert text_of("<body>a</body><body>b</body>").split() == ["a", "b"]
