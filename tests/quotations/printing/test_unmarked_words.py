"""Spans that are not the speaker's own statement, though no mark shows it. `[` and `]` mark the span."""

import re

import pytest

from quotations.grammar.passages import read_passage
from quotations.printing.mending import mend
from quotations.printing.print_rules import find_flaws
from quotations.printing.print_spans import FlawKind, PrintSpan
from quotations.printing.unmarked_words import ANNOUNCING, LETTERS, NAMING, READING_OUT, WRITINGS


def span_of(marked, **known):
    start, end = marked.index("["), marked.index("]") - 1
    return PrintSpan(read_passage(marked.replace("[", "").replace("]", "")), start, end, **known)


def warnings(marked, **known):
    return {flaw.rule for flaw in find_flaws(span_of(marked, **known)) if flaw.kind is FlawKind.MEANING}


@pytest.mark.parametrize(
    "marked",
    [
        "Let me read you the clause. [No citizen shall be deprived of the use of any common road].",
        "Section 4. [Every owner of a mill shall keep the sluice in good repair].",
        "The ordinance is plain. It reads: [Any person who closes a public gate shall be fined ten dollars].",
        "[Be it enacted by the people of this county that the bridge shall be free to all].",
        "Article two provides as follows. [The council shall meet twice in every year].",
        "[No man who keeps a toll road, under the laws thereof, shall be free of this duty].",
        "[He that tilleth his land will have plenty of bread].",
        "My grandmother knew the Psalm by heart. [The righteous flourish like the palm tree].",
        "As Scripture teaches us, [to everything there is a season and a time for every purpose].",
        "A widow in Ohio wrote to me last week. [I sold the farm because I could not pay the bank].",
        "I have a letter here from a boy named Tim. [We have no heat in our school].",
        "Listen to what a nurse told me. [I have not had a day off since March].",
        "She put it this way in her note: [my children will never own a house in this town].",
        "And I quote, [the bridge is safe and nobody needs to worry about the river].",
        "Here is what the decree said. [All strangers will leave the district before sunset].",
        "The ordinance is clear on that. [A keeper of a gate may not refuse a traveller].",
        "[No person shall be made to be a witness against himself].",
        "[Blessed are they that mourn], said the old book.",
        "Let me tell you what a farmer in Iowa said to me. [I have never asked for a handout].",
        "His last letter home was short. [I am cold, but I will see it through].",
        "I quote the first words of the charter, [the gate is open to all and will not be shut].",
    ],
)
def test_words_read_out_without_quotation_marks_get_a_warning(marked):
    assert "read out" in warnings(marked)


def list_forms(pattern):
    """Return the texts that an alternative of `WRITINGS` matches, with one word for each `\\w+`."""
    words = pattern.strip().replace(r"\s+", " ").replace(r"\w+", "ruth")
    return {words.replace("s?", ""), words.replace("s?", "s")}


LINES = [
    *(f"the {form} says:" for part in WRITINGS[3:-1].split("|") for form in sorted(list_forms(part))),
    *(
        "it reads:",
        "it read:",
        "and quote:",
        "he had said in a poem by heart.",
        "a prayer by heart.",
        "as follows",
    ),
    *("chapter two.", "let me read from that:", "let me quote the lines:", "it is written so:"),
    *(f"{name} taught:" for name in ("jesus", "christ", "moses", "the lord", "saint paul")),
    *("here is what he said:", "remember the oath.", "he had a theory.", "they have a doctrine."),
    *("she has a slogan.", "it had a motto.", "they had a saying.", "the books say.", "the statutes say."),
    *(f"a {name} from her." for name in ("letter", "note", "e-mail", "email", "postcard")),
    *(
        "he wrote to us.",
        "his message.",
        "her diary.",
        "i tell you what he said.",
        "listen to what he asked.",
    ),
    *("he put it this way.", "in her own words."),
]


@pytest.mark.parametrize("line", LINES)
def test_lines_that_announce_words_read_out_have_an_announcing_word(line):
    assert any(pattern.search(line) for pattern in (READING_OUT, NAMING, LETTERS))
    assert not ANNOUNCING.isdisjoint(re.findall(r"\w+", line))


def test_a_paragraph_that_the_one_before_announces_is_read_out():
    marked = "[A keeper of a gate may not refuse a traveller, nor may he ask for more than a penny]."
    assert "read out" in warnings(marked, preceding="It is as plainly written in the charter as the rest:")
    assert not warnings(marked, preceding="We need two things:")


@pytest.mark.parametrize(
    "marked",
    [
        "Skeptics told me it was over. Remember? [There was no way to mend the mill]. But we mended it.",
        "The dictator was certain. [The free nations are too tired to fight]. He was wrong.",
        "Our rivals believed the mill was finished. [The workers would give up]. But the town did not die.",
        "My opponent's plan is simple. [Sell the schools and close the hospitals].",
        "The aggressor counted on our quarrels. [Free men would rather argue than fight]. He miscalculated.",
        "They told themselves a story. [The West is weak and will look away. They were wrong].",
    ],
)
def test_a_view_that_is_answered_afterwards_gets_a_warning(marked):
    assert "unnamed opinion" in warnings(marked)


@pytest.mark.parametrize(
    "marked",
    [
        "Imagine a town without a school. [The children would wander the streets].",
        "Suppose we do nothing. [We will lose the harvest].",
        "If the dam breaks, we'll lose the valley. [We'll lose every farm from here to the sea].",
        "What happens if the tax passes? [Every shop on this street will close within a year].",
        "Had we listened to him, [the railroad would have been sold for scrap].",
        "When that day comes, [we can lay down our arms and trust our neighbors].",
        "Only with your help, [we will rebuild the harbor by the spring].",
        "Think what would happen if we failed. [The banks would close and the shops would follow].",
        "As long as I am governor, [no school in this state will close].",
        "Without this bill, [the mill will be sold for scrap by the spring].",
    ],
)
def test_what_follows_from_a_supposition_gets_a_warning(marked):
    assert "condition" in warnings(marked)


@pytest.mark.parametrize(
    ("marked", "rule"),
    [
        ("In the eyes of the generals, [the people are children].", "reported_speech"),
        ("Their recommendation was that [the safest way across was the old bridge].", "reported_speech"),
        ("The engineers' first conclusion is that [the bridge cannot be saved].", "reported_speech"),
        ("At its peak, as you all know, [the toll was nine crowns for a cart].", "condition"),
        ("To the invader, [a small country is nothing but a road to a larger one].", "reported_speech"),
        ("We are told [the rich pay too much and the poor pay too little].", "reported_speech"),
        ("In the words of the old poet, [let the river roll down to the sea].", "reported_speech"),
        ("So we are supposed to believe that [the lobby wrote it for the poor].", "reported_speech"),
        ("A miner told me once, [I would rather die in the dark].", "reported_speech"),
        ("My father used to say, [a job is a good deal more than the pay].", "reported_speech"),
        ("I would be the last man to say that [the farmers have had their share].", "negation"),
        ("At no time did [the mayor promise to lower the tax on bread].", "negation"),
        ("Gone are the days when [a man could buy a judge with a sack of flour].", "negation"),
        ("Oh, sure, [the oil companies are going to lower the price].", "mockery"),
        ("We dream of a country where [every child can read].", "described"),
        ("We want nations where women vote; where [every child can read].", "described"),
        ("He longs for the days when [women stayed at home and workers kept quiet].", "described"),
        ("I refuse to believe that, in ten years, [the town will sell its mill].", "negation"),
        ("We decline to accept that [the old mill is a burden for this town].", "negation"),
        ("I would rather burn it than say [the old mill is a burden for this town].", "negation"),
        (
            "Nothing could be further from the truth than that [the old mill is a burden for this town].",
            "negation",
        ),
        ("We are tired of hearing how [the old mill is a burden for this town].", "reported_speech"),
        ("They act like [the old mill is a burden for this town].", "reported_speech"),
        ("If you ask the miller, [the old mill is a burden for this town].", "reported_speech"),
        ("In a world where [the old mill is a burden for this town], we need help.", "described"),
        ("As we saw in the flood, when roads close, [the mill comes to a halt at once].", "condition"),
        ("When the roads are closed, [the mill comes to a halt at once].", "condition"),
        ("They made clear in 1948: [the mill belongs to all farmers of the valley].", "reported_speech"),
        ("Until the day when [the old mill is a burden for this town], we will keep it.", "condition"),
    ],
)
def test_words_before_the_span_that_take_the_statement_back_get_a_warning(marked, rule):
    assert rule in warnings(marked)


def test_a_cut_from_a_wish_grows_until_it_has_the_wish():
    span, flaws = mend(span_of("We dream of a country where [every child can read and write well]."))
    assert span.text == "We dream of a country where every child can read and write well"
    assert not flaws


@pytest.mark.parametrize(
    "marked",
    [
        "Mr. President, you said it would be finished. [Are you going to resign if it is not opened?]",
        "And, secondly, [you said there might be more to say about the fire at the mill]. Just curious —",
        "Q: The troops left in March. [Will you bring the others home before the winter?]",
        "Mr. Secretary, one follow-up. [Do you think that the strike was legal?]",
    ],
)
def test_a_question_to_the_speaker_gets_a_warning(marked):
    assert "question of another" in warnings(marked)


@pytest.mark.parametrize("turn", ["Q", "REPORTER", "AUDIENCE MEMBER", "A VOICE"])
def test_a_turn_of_somebody_else_gets_a_warning(turn):
    assert "question of another" in warnings("[What made you change your mind about the bridge?]", turn=turn)


@pytest.mark.parametrize("turn", ["", "THE PRESIDENT", "MR. QUINN", "SENATOR LEE"])
def test_a_turn_of_a_named_speaker_gets_none(turn):
    assert not warnings("[What made me change my mind about the bridge?]", turn=turn)


@pytest.mark.parametrize(
    "marked",
    [
        "[We shall defend the road to the sea and we shall not yield it].",
        "When I was a boy, [my father took me to the mill every day of the summer].",
        "[I have a letter from a farmer on my desk, and I read it every morning].",
        "The law is clear. [We will enforce it against the strong as we do against the weak].",
        "They said that it could not be done. [But the people of this town built the bridge].",
        "[The Constitution gives this duty to Congress, and Congress must not shirk it].",
        "The Constitution does not say. [May Congress close a harbor?]",
        "Mr. President, I thank you for this welcome. [Our two nations have been friends for a century].",
        "This is the town where [my father worked for forty years in the mill].",
        "If we work, we will win. [America has never been defeated by its fears].",
        "Some say we cannot afford it. [I say we cannot afford to wait another year].",
        "Let me read you the number. [We have built nine thousand homes since the spring].",
        "They will keep their doctor and their plan. [It would lower the price for every family].",
        "As long as the mill was open, [I felt that the town was safe].",
        "Without looking at the map, [the captain is sure of the way to the harbor].",
        "For the first time in years, [the harbor is open and the ships are full].",
        "They believe in freedom. [They have fought for it on every coast]. But they are tired.",
        "We see a country where [people work harder and earn less].",
        "It gives meaning to the creed our fathers declared. [The people still believe in the bridge].",
        "We must do more. [It is unacceptable that bread costs a dollar]. This is wrong, and we can stop it.",
        "[The twentieth century began on the eighteenth of the month beneath an old elm].",
        "[It was the seventh time, and the Elizabeth sailed on the fortieth day].",
        "As we saw in the flood, when the roads were closed, [the mill needs a bridge].",
        "I made it clear in 1948: [the mill belongs to all farmers of the valley].",
        "If you ask me, [the old mill is a treasure for this town].",
        "I know that, for all its faults, [the old mill is a treasure for this town].",
    ],
)
def test_the_speakers_own_statement_gets_no_warning(marked):
    assert not warnings(marked)
