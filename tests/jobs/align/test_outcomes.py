"""From an article to the rows of its quotations: joined, grouped, and each with a reason if it has none."""

import pytest

from jobs.align.articles import Article
from jobs.align.outcomes import find_outcomes


@pytest.fixture
def align(matcher):
    """What is told of each quotation of articles published a day after the speech, with its row."""

    def of(*texts, title="On the moon"):
        articles = [
            Article(f"a{number}", title, text, "1962-09-13", "The Paper") for number, text in enumerate(texts)
        ]
        return [(outcome.describe(), outcome.row) for outcome in find_outcomes(articles, matcher)]

    return of


def test_a_row_has_every_field_of_the_data_sets(align):
    text = "Nothing else. Kennedy spoke. He said that “we choose to go to the moon in this decade” and left."
    ((outcome, row),) = align(text)
    assert outcome == "exact"
    assert row == {
        "id": row["id"],
        "article": "a0",
        "title": "On the moon",
        "left": "Nothing else. Kennedy spoke.",
        "lead_in": "He said that",
        "right": "and left.",
        "published": "1962-09-13",
        "outlet": "The Paper",
        "quote": "we choose to go to the moon in this decade",
        "document": "moon",
        "paragraph": 1,
        "last_paragraph": 1,
        "start": 29,
        "end": 71,
        "exact": True,
        "coverage": 1.0,
        "repeated": False,
    }
    assert len(row["id"]) == 12


@pytest.mark.parametrize(
    ("behind", "right"),
    [
        ("”, he said.\n\n“Why?” they asked.", "he said. “Why?” they asked."),
        (".” Then he left.", "Then he left."),
        (".”", ""),
        ("” " + "word " * 150, " ".join(["word"] * 100)),
    ],
)
def test_the_text_after_a_quotation_begins_with_a_word_or_an_opening_mark(align, behind, right):
    (_, row), *_ = align(f"He said that “we choose to go to the moon in this decade{behind}")
    assert row["right"] == right


def test_a_quotation_split_by_he_said_is_one_row(align):
    ((outcome, row),) = align(
        "“We choose to go to the moon,” he said, “in this decade and do the other things.”"
    )
    assert outcome == "exact"
    assert row["quote"] == "We choose to go to the moon, in this decade and do the other things."
    assert (row["start"], row["end"]) == (29, 95)


def test_two_short_parts_make_a_quotation_together(align):
    assert [outcome for outcome, _ in align("“We choose to go,” he told Mr. Lee, “to the moon.”")] == [
        "exact"
    ]


def test_sentences_apart_stay_two_quotations(align):
    found = align("“We choose to go to the moon.” He smiled. “That goal will serve to organize and measure.”")
    assert [outcome for outcome, _ in found] == ["exact", "exact"]


def test_parts_far_from_each_other_in_the_speech_are_not_joined(align):
    found = align("“We meet at a college noted for knowledge,” he said, “and energies and skills.”")
    assert [outcome for outcome, _ in found] == ["exact", "too short"]


def test_what_is_quoted_within_a_quotation_is_found(align):
    found = align(
        "“My brother heard him say ‘we choose to go to the moon in this decade’ and laughed at it all.”"
    )
    assert [outcome for outcome, _ in found] == ["too different", "exact"]


def test_a_quotation_over_paragraphs_is_one_row(align):
    ((outcome, row),) = align(
        "“We do the other things, not because they are easy.\n\n“That goal will serve.”"
    )
    assert outcome == "edited"
    assert (row["paragraph"], row["last_paragraph"]) == (1, 2)


def test_a_forgotten_mark_costs_no_quotation(align):
    found = align(
        "“We meet at a college noted for knowledge.\n\n“Our readers know how hard it is to fly,” we wrote."
    )
    assert [outcome for outcome, _ in found] == ["too different", "exact", "nothing in common"]


def test_the_same_words_of_a_speech_give_one_row_in_an_article(align):
    found = align(
        "“We choose to go to the moon in this decade.” Again: “choose to go to the moon in this decade”."
    )
    assert [outcome for outcome, _ in found] == ["exact", "again in the article"]


OWN = (
    "President Kennedy came to Houston on Wednesday and told a crowd in the stadium of the university why "
    "the nation should fly to the moon before the decade ends, whatever the price of rockets may be, and why "
    "nobody should wait for others to build them first. The crowd in the hot sun cheered him more than once, "
    "although many of the students had come for the football that was to follow later in the afternoon. "
)
OTHER = (
    "Taxpayers will be asked for another five billion dollars next year if the plans that were shown to "
    "reporters yesterday find a majority, and it is anything but clear that they will. Farmers from four "
    "states wrote to their senators. So did the owners of two shipyards on the coast, who fear for contracts "
    "that had been promised to them in the spring, when money was not yet said to be short anywhere at all. "
)
QUOTES = "“We choose to go to the moon in this decade and do the other things,” he said. "


def test_a_copy_of_an_article_gives_no_rows_and_names_the_original(matcher):
    texts = [OWN + QUOTES, OWN[104:] + QUOTES + "More from our desk.", OTHER + QUOTES]
    articles = [Article(f"a{n}", "T", text, "1962-09-13") for n, text in enumerate(texts)]
    found = [(each.describe(), each.original, each.row is None) for each in find_outcomes(articles, matcher)]
    assert found == [
        ("exact", None, False),
        ("copy of an article", "a0", True),
        ("exact", None, False),
    ]


def test_a_copied_report_is_found_though_a_longer_article_shares_more_with_the_copy(matcher):
    def own(name: str, sentences: int) -> str:
        return " ".join(f"Then {name} {n} came from the town of {name} {n * n}." for n in range(sentences))

    report, rest, others = own("Ann", 60), own("Ben", 150), own("Cleo", 150)
    texts = [report, f"{rest[: len(rest) * 5 // 6]} {others}", f"{report} {rest}"]
    articles = [Article(f"a{n}", "T", f"{text} {QUOTES}", "1962-09-13") for n, text in enumerate(texts)]
    assert [each.original for each in find_outcomes(articles, matcher)] == [None, None, "a0"]


def test_reports_on_one_speech_are_no_copies_though_they_quote_the_same(align):
    assert [outcome for outcome, _ in align(OWN + QUOTES, OTHER + QUOTES)] == ["exact", "exact"]


def test_what_follows_a_nested_quotation_is_not_the_writers_own(align):
    tale = " ".join(f"then act {number} of his long play was given" for number in range(50))
    outer = f"“A friend heard ‘we choose to go to the moon in this decade’ and {tale}.” "
    found = align(OWN + outer, OTHER + outer)
    assert [outcome for outcome, _ in found] == ["too different", "exact"] * 2


def test_more_of_what_was_quoted_before_is_a_row_that_is_repeated(align):
    found = align(
        "“We choose to go to the moon in this decade,” he said. She asked why. He said again: "
        "“We choose to go to the moon in this decade and do the other things.”"
    )
    assert [(outcome, row["repeated"]) for outcome, row in found] == [("exact", False), ("exact", True)]


@pytest.mark.parametrize(
    ("title", "text", "repeated"),
    [
        ("“We choose to go to the moon”", "“We choose to go to the moon.”", True),
        ("T", "We choose to go to the moon, he had said. “We choose to go to the moon.”", True),
        ("T", "“We choose to go to the moon.”", False),
    ],
    ids=["title", "left", "neither"],
)
def test_a_quotation_that_stands_in_title_or_left_is_repeated(align, title, text, repeated):
    assert [row["repeated"] for _, row in align(text, title=title)] == [repeated]


def test_left_is_whole_sentences_of_at_most_a_hundred_words(align):
    sentences = [f"Sentence {number} has {'so ' * 16}many." for number in range(10)]  # 20 words each
    ((_, row),) = align(" ".join(sentences) + " “We choose to go to the moon.”")
    assert row["left"] == " ".join(sentences[5:])


def test_of_one_long_sentence_left_is_the_end(align):
    ((_, row),) = align("It " + "so " * 149 + "goes on. “We choose to go to the moon.”")
    assert row["left"] == "so " * 98 + "goes on."


def test_equal_input_gives_equal_rows(align):
    texts = (OWN + QUOTES, OTHER + QUOTES)
    assert align(*texts) == align(*texts)
