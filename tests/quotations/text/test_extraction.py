"""Quotations are found whatever marks they stand in, nested, unclosed and over paragraphs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotations.text.extraction import find_quotations


def quoted(text):
    return [[text[start:end] for start, end in quotation.parts] for quotation in find_quotations(text)]


@pytest.mark.parametrize(
    "marked",
    [
        "“We go”",
        '"We go"',
        "«We go»",
        "»We go«",
        "„We go“",
        "„We go”",
        '„We go"',
        "”We go”",
        "‹We go›",
        "›We go‹",
        "‘We go’",
        "'We go'",
        "``We go''",
        "‚We go‘",
        ",,We go''",
        ',,We go"',
        "`We go'",
        "`We go´",
        "´´We go´´",
        "‟We go”",
        "❝We go❞",
        "″We go″",
        "＂We go＂",
        "「We go」",
        "<<We go>>",
        '""We go""',
    ],
)
def test_every_kind_of_marks_quotes(marked):
    assert quoted(f"He said: {marked}, and left.") == [["We go"]]


@pytest.mark.parametrize("marks", ['“"', '"”', '"“', "‘'", "'’", "'‘", "‚'"])
def test_mixed_marks_quote_where_punctuation_ends_the_quotation(marks):
    opened, closed = marks
    assert quoted(f"{opened}No town was poorer,{closed} said Roe. She left.") == [["No town was poorer,"]]
    assert quoted(f"{opened}We go,{closed} he said. {opened}We stay,{closed} said she.") == [
        ["We go,"],
        ["We stay,"],
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('“The 6" pipe is long,” he said.', 'The 6" pipe is long,'),
        ('"The 6” pipe is long," he said.', "The 6” pipe is long,"),
        ("‘The boss' car, the players' game,’ he said.", "The boss' car, the players' game,"),
        ("'The boss’ car, the players’ game,' he said.", "The boss’ car, the players’ game,"),
        ('“He said "yes" to it,” she said.', 'He said "yes" to it,'),
        ('"He said “yes” to it," she said.', "He said “yes” to it,"),
    ],
)
def test_marks_of_another_kind_within_a_quotation_do_not_end_it(text, said):
    assert quoted(text) == [[said]]


def test_a_quotation_with_spaces_within_its_marks_is_found():
    assert quoted("“ We go ”, he said. “ We stay ”, he added.") == [[" We go "], [" We stay "]]
    assert quoted('He said: " We go. " She left.') == [[" We go. "]]
    assert quoted('A 6 " pipe and an 8 " pipe. “We go.”') == [["We go."]]


@pytest.mark.parametrize("second", ["»", "« ", "» "])
def test_a_french_quotation_goes_on_with_either_mark(second):
    text = f"« One.\n\n{second}Two.\n\n{second}Three. » She left."
    assert quoted(text) == [[" One.", f"{second[1:]}Two.", f"{second[1:]}Three. "]]


def test_a_paragraph_may_continue_a_quotation_with_the_mark_of_a_keyboard():
    assert quoted('“One.\n\n"Two,” she said.') == [["One.", "Two,"]]


@pytest.mark.parametrize("marks", ["““", "‘‘", "”“"])
def test_a_mark_that_opens_ends_a_quotation_where_one_closes(marks):
    opened, closed = marks
    assert quoted(f"{opened}No town was poorer,{closed} said Roe. She left.") == [["No town was poorer,"]]
    assert quoted(f"He said: {opened}We go.{closed}") == [["We go."]]


def test_two_turned_quotations_of_a_paragraph_are_two():
    assert quoted("“We go,“ he said. “We stay,“ said she.") == [["We go,"], ["We stay,"]]


def test_other_marks_nest_too():
    for text, nested in (
        ('„He said "yes" to it“', 1),
        ("»He said ›yes‹ to it«", 1),
        ("”He said ’yes’ to it”", 0),
    ):
        (found,) = find_quotations(text)
        assert quoted(text) == [[text[1:-1]]]
        assert [text[start:end] for each in found.nested for start, end in each.parts] == ["yes"] * nested
    assert quoted('„Das ("ja") ist es“') == [['Das ("ja") ist es']]
    assert quoted('„We go", he said. „We stay", said she.') == [["We go"], ["We stay"]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("He said “We go.”” And “we stay.”", ["We go.", "we stay."]),
        ("›› Read more: “We go,” he said.", ["We go,"]),
        ("Home ›News ›Politics. “We go,” he said.", ["We go,"]),
        ("The mark (”) is his: “We go,” he said.", ["We go,"]),
        ("We were there —”, she said: “We go,” he said.", ["We go,"]),
        ("A 10 ”-wide pipe. “We go,” he said.", ["We go,"]),
        ("6 ft 2 ”, tall. “We go,” he said.", ["We go,"]),
        ("”, he said. “We go.”", ["We go."]),
        (">> JOHN: “We go.” >> He left.", ["We go."]),
        ("1 << 3 and 8 >> 2, “We go.”", ["We go."]),
    ],
)
def test_stray_marks_swallow_no_quotation(text, said):
    assert quoted(text) == [[each] for each in said]


def test_french_marks_have_spaces_within():
    assert quoted("« We go », he said. « We stay. »") == [[" We go "], [" We stay. "]]


@pytest.mark.parametrize(
    "text",
    [
        "The dogs’ bowls, the boss's office and rock ’n’ roll in the ’90s.",
        "It's the players' game; 'tis theirs.",
        "A man 6' tall with a 12\" ruler.",
        "No marks at all.",
        "",
        "“",
    ],
)
def test_apostrophes_and_measures_are_no_quotations(text):
    assert quoted(text) == []


def test_apostrophes_within_a_quotation_do_not_close_it():
    assert quoted("‘We’ve seen the players’ game and it’s good,’ he said.") == [
        ["We’ve seen the players’ game and it’s good,"]
    ]


def test_a_quotation_within_a_quotation_is_nested():
    text = "“She told me, ‘Go to the moon,’ and I went.”"
    (outer,) = find_quotations(text)
    (inner,) = outer.nested
    assert [text[start:end] for start, end in inner.parts] == ["Go to the moon,"]
    assert text[inner.opened_at] == "‘"


def test_a_quotation_over_paragraphs_opens_each_and_closes_once():
    text = "“One.\n\n“Two.\n\n“Three,” she said."
    (quotation,) = find_quotations(text)
    assert quoted(text) == [["One.", "Two.", "Three,"]]
    assert quotation.closed


@pytest.mark.parametrize("mark", ["‘’", "''", "””"])
def test_one_in_unsure_marks_goes_on_over_as_many_paragraphs(mark):
    opened, closed = mark
    text = f"{opened}One.\n\n{opened}Two.\n\n{opened}Three.\n\n{opened}Four,{closed} she said."
    assert quoted(text) == [["One.", "Two.", "Three.", "Four,"]]
    assert quoted(f"{opened}One.\n\n{opened}Two.\n\nShe said no more.") == []


def test_a_quotation_within_one_of_the_same_marks_is_nested_if_both_are_closed():
    (found,) = find_quotations("“We choose “to go” to the moon,” he said.")
    assert quoted("“We choose “to go” to the moon,” he said.") == [["We choose “to go” to the moon,"]]
    assert len(found.nested) == 1
    assert quoted('"We choose "to go" to the moon," he said. "We stay."') == [
        ['We choose "to go" to the moon,'],
        ["We stay."],
    ]
    assert quoted("“We choose. “We go,” he said. “We stay.”") == [["We choose."], ["We go,"], ["We stay."]]


@pytest.mark.parametrize("before", ["said,", "said...", "said…"])
def test_a_straight_mark_opens_without_a_space_after_a_comma_or_an_ellipsis(before):
    assert quoted(f'He {before}"We choose to go."') == [["We choose to go."]]
    assert quoted('"We go,"he said,"to the moon."') == [["We go,"], ["to the moon."]]
    assert quoted('It is 6,"5 or so wide.') == []


def test_a_quotation_in_single_marks_goes_on_too():
    text = "‘We choose to go.\n\n‘That goal will serve,’ he said. ‘So.’"
    assert quoted(text) == [["We choose to go.", "That goal will serve,"], ["So."]]
    assert quoted("‘Tis “so”.\n\nPlain.") == [["so"]]
    assert quoted("‘Round and “so”.\n\nPlain.") == [["so"]]


@pytest.mark.parametrize("words", ["20 million people wait.", "Round the world we go.", "Til then, no."])
def test_a_quotation_may_begin_as_an_elision_does(words):
    assert quoted(f"He said: ‘{words}’") == [[words]]
    assert quoted(f"‘{words[:-1]}’, he said.") == [[words[:-1]]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("‘Tis the season. “We go,” he said, for the voters’, too.", "We go,"),
        (
            "In the ‘90s we had it. He said, “That is the workers’, not yours.”",
            "That is the workers’, not yours.",
        ),
        ("He gave ‘em hell, and “we go on,” he said of the players’.", "we go on,"),
    ],
)
def test_an_elision_before_a_quotation_does_not_swallow_it(text, said):
    assert quoted(text) == [[said]]


def test_two_paragraphs_that_begin_with_apostrophes_are_no_quotation():
    assert quoted("‘Course he did.\n\n‘Fraid so.") == []


def test_a_paragraph_between_ends_a_quotation_that_nobody_closed():
    assert quoted("“One.\n\nPlain.\n\n“Two.”") == [["One."], ["Two."]]


def test_an_unclosed_quotation_ends_where_the_next_one_opens():
    text = "“We go, he said. “We stay.”"
    assert quoted(text) == [["We go, he said."], ["We stay."]]
    assert [quotation.closed for quotation in find_quotations(text)] == [False, True]


def test_a_quotation_split_by_an_attribution_is_two():
    assert quoted('"We go," he said, "to the moon."') == [["We go,"], ["to the moon."]]


def test_a_quotation_of_several_parts_can_be_taken_apart():
    text = "“One ‘two’.\n\n“Three.”"
    (quotation,) = find_quotations(text)
    first, second = quotation.split_parts()
    assert [text[first.opened_at], text[second.opened_at]] == ["“", "“"]
    assert [len(first.nested), len(second.nested)] == [1, 0]
    assert first.split_parts() == ()


@given(st.text(alphabet="ab s.,\n“”\"'‘’„«»–", max_size=60))
def test_any_text_has_quotations_in_order_within_it(text):
    at = 0
    for quotation in find_quotations(text):
        assert at <= quotation.opened_at < quotation.parts[0][0]
        for start, end in quotation.parts:
            assert at <= start <= end <= len(text)
            at = end
