"""A span is ready to print, or a doubt says what to look at."""

import pytest

from quotations.grammar.passages import read_passage
from quotations.printing.doubts import find_doubt, is_ready
from quotations.printing.other_voices import find_other_voice
from quotations.printing.print_rules import find_flaws
from quotations.printing.print_spans import FlawKind, PrintSpan
from quotations.printing.printability import estimate_printability

PLAIN = "We will rebuild every bridge between the mountains and the sea."
LONG = "We will rebuild every bridge between the mountains and the sea, " * 4 + "and we will not rest."


def read(text, words=None):
    start = text.index(words or text)
    span = PrintSpan(read_passage(text, "Ada Lee"), start, start + len(words or text))
    return span, find_flaws(span)


def doubt(text, words=None):
    span, flaws = read(text, words)
    found = find_doubt(span, flaws, estimate_printability(span, flaws))
    return found and (found.rule, text[found.start_char : found.end_char])


@pytest.mark.parametrize("text", [PLAIN, f"And {PLAIN}", f"But today {PLAIN}", f"Friends, listen. {PLAIN}"])
def test_a_plain_sentence_is_ready_and_so_it_is_after_an_opening_word_or_two(text):
    assert doubt(text, PLAIN) is None


def test_a_pronoun_is_clear_after_a_word_for_anybody():
    assert doubt("No person shall be kept from the bridge because of his name.") is None
    assert doubt("Captain Nemo built the bridge, and all of us heard his name.")[1] == "his"


@pytest.mark.parametrize("lead", ["In the long summer,", "The plan is simple, and", "For all of us in town,"])
def test_the_words_before_a_span_in_its_sentence_are_to_be_read(lead):
    sentence = PLAIN.replace("We", "we")
    assert doubt(f"{lead} {sentence}", sentence) == ("after words of its sentence", lead.strip(","))


def test_of_a_long_lead_the_last_words_are_shown():
    lead = "The rain had stopped and the river had gone back to its bed at the end of that spring, and"
    words = "we rebuilt the bridge with our own hands"
    assert doubt(f"{lead} {words}", words)[1] == "gone back to its bed at the end of that spring, and"


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("We share this work with the people of our valley. This is truly a great day.", "this"),
        ("It was the river, at places like Ford, that carried timber through so many winters.", "It"),
    ],
)
def test_a_doubt_names_the_word_that_may_refer_to_something_outside(text, about):
    assert doubt(text)[1] == about


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("The bridge is no answer; the bridge is the need.", "colon or semicolon"),
        ("The bridge – and we know it – stands because people – all of us – cared.", "dashes"),
        ("The bridge is okay because people cared.", "spoken rather than written"),
        ("A huge step forward.", "unlike printed quotes"),
        ("I know that the town believes that a bridge is good.", "words with 'that'"),
    ],
)
def test_a_doubt_says_what_is_unlike_printed_quotes(text, rule):
    assert doubt(text)[0] == rule


@pytest.mark.parametrize(
    ("text", "words", "rule"),
    [
        (
            "There is no northern valley here. There is only one valley, and we share it.",
            "There is no northern valley here",
            "before a contrast",
        ),
        ("I've been told that our bridge is too old and that we should wait.", None, "perhaps hearsay"),
        (
            "Last year, our plan for the bridge it was suggested was a display of strength.",
            None,
            "perhaps hearsay",
        ),
        (
            "Our plan for the bridge was a great display of strength. That's what I heard from some folks.",
            "Our plan for the bridge was a great display of strength",
            "perhaps denied afterwards",
        ),
        (
            "In response, the council made our bridge free for all who live in town.",
            None,
            "perhaps a comparison",
        ),
        (
            "We often think of our bridge only in terms of toll. In fact, it is our best way to grow.",
            "We often think of our bridge only in terms of toll",
            "perhaps denied afterwards",
        ),
        ("That sacred flame still burns in our town.", "flame still burns in our town", "after words"),
        ("We will not wait any longer. Send it to my desk before the winter.", None, "perhaps a pronoun"),
        ("Still, in our valley, a good road no longer makes a good town.", None, "perhaps a comparison"),
        (
            "As one old senator said, “The bridge was a shame and a burden for the town.”",
            None,
            "perhaps a quotation",
        ),
        ("We hear that our bridge is too old to carry the market.", None, "perhaps hearsay"),
        (
            "Let me be direct about the bridge between the mountains and the sea.",
            None,
            "announces what follows",
        ),
        (
            "We built a bridge. Down in the market of our valley, I asked a farmer what the bridge is like.",
            None,
            "announces what follows",
        ),
        (
            "To build our bridge at last. To open the market. To bring work to our valley.",
            None,
            "no main verb",
        ),
        ("Again, more than two hundred carts crossed our bridge in a day.", None, "perhaps a comparison"),
        ("We know the river. But here's what I believe our town has to do.", None, "announces what follows"),
        ("In the process, our town has built more than two hundred new carts.", None, "perhaps a comparison"),
        ("Each day since, our town has built a cart for each of us.", None, "perhaps a comparison"),
        ("I know that some in my own town will argue that our bridge can wait.", None, "perhaps hearsay"),
        ("The commission will have to give our town a plan by the winter.", None, "perhaps something named"),
        ("Not to meet the need of today, but that of tomorrow in our valley.", None, "no main verb"),
        ("With two carts, two mules, that's up to nine coins for your family.", None, "perhaps a pronoun"),
        (
            "The bill locks in low tolls for the bridge for three years.",
            None,
            "perhaps something named outside",
        ),
        ("We do ourselves no favor to pretend otherwise in front of the town.", None, "perhaps a comparison"),
        (
            "Our most useful and urgent task is to act as a shipyard for them as well as for ourselves.",
            None,
            "perhaps a pronoun",
        ),
    ],
)
def test_a_doubt_is_about_what_comes_before_or_after_a_whole_sentence(text, words, rule):
    assert doubt(text, words)[0].startswith(rule)


@pytest.mark.parametrize(
    "text",
    [
        "We put a tax on salt in this country. We spent that tax on bridges and roads.",
        "Every road between our towns does what it is supposed to do for the people.",
        "We owe an answer to those asking for a bridge between the mountains and the sea.",
        "In response to the flood, we built a bridge between the mountains and the sea.",
        "We wrote the new bill together, and the bill passed in the spring.",
        "I love America and I will always fight for it.",
        "Let me end the war between the towns in the mountains.",
        "We call it the “Bridge of Hope,” and it stands between the mountains and the sea.",
        "Let me be clear, our bridge will stand between the mountains and the sea.",
        "The treaty between our towns has kept the bridge open for a hundred years.",
        "There is no bridge like ours between the mountains and the sea.",
        "I told the council that our bridge will stand for another hundred years.",
        "The people of our valley love their bridge, and all of them have mended it.",
    ],
)
def test_a_sentence_that_says_what_it_is_about_has_no_doubt(text):
    assert doubt(text) is None


def test_a_statement_has_its_speakers_own_words_in_quotation_marks():
    text = "“We will build the bridge and the road this year,” said Lee."
    for is_statement, rule in ((False, "perhaps a quotation"), (True, None)):
        passage = read_passage(text, "Ada Lee", is_statement=is_statement)
        found = find_other_voice(PrintSpan(passage, 0, len(text)))
        assert (found and found.rule) == rule


def test_hearsay_is_found_in_any_sentence_and_where_it_is_said():
    text = "We stand together in the rain. I've been told that our bridge is too old to stand."
    assert doubt(text) == ("perhaps hearsay", "I've been told")


def test_a_span_with_flaws_has_no_doubt_and_is_not_ready():
    text = "Some say that the bridge is lost."
    span, flaws = read(text, "the bridge is lost")
    assert flaws[0].kind == FlawKind.MEANING
    assert find_doubt(span, flaws, estimate_printability(span, flaws)) is None
    assert not is_ready(flaws)


def test_a_long_span_can_be_ready():
    _span, flaws = read(LONG)
    assert [flaw.kind for flaw in flaws] == [FlawKind.LENGTH]
    assert is_ready(flaws)


def test_a_span_without_words_is_not_ready():
    span, flaws = read("...")
    assert find_doubt(span, flaws, 0.1) is None
    assert not is_ready(flaws)
