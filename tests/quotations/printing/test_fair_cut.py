"""What a cut leaves out: each kind with cuts that lose it and cuts that do not. `[` and `]` mark the cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotations.cuts.cuts import LossKind, Severity
from quotations.grammar.passages import is_quoted_statement
from quotations.printing.fair_cut import check_fair_cut


def judge(marked, **known):
    start, end = marked.index("["), marked.index("]") - 1
    text = marked.replace("[", "").replace("]", "")
    return text, check_fair_cut(text, start, end, **known)


def warned(marked, **known):
    _text, result = judge(marked, **known)
    return {(o.kind, o.words) for o in result.omissions if o.severity >= Severity.WARNING}


@pytest.mark.parametrize(
    ("marked", "kind", "words"),
    [
        ("I do not think that [we should go to war].", LossKind.NEGATION, "not"),
        ("It is not true that [I lied].", LossKind.NEGATION, "not"),
        ("Not every American [wants war].", LossKind.NEGATION, "Not"),
        ("We will not [be moved].", LossKind.NEGATION, "not"),
        ("No nation [can win this war].", LossKind.NEGATION, "No"),
        ("We refuse to [surrender our freedom].", LossKind.NEGATION, "refuse"),
        ("I do not think that this is right, or that [we should go].", LossKind.NEGATION, "not"),
        ("I do not believe that taxes should rise—that [we should pay more].", LossKind.NEGATION, "not"),
        ("We go to the moon not because [it is easy], but because it is hard.", LossKind.NEGATION, "not"),
        ("If we fail, [the nation will fall].", LossKind.CONDITION, "If we fail"),
        ("[We will act] if Congress does not.", LossKind.CONDITION, "if Congress does not"),
        ("We will not rest until [every child is safe].", LossKind.CONDITION, "until"),
        ("If [we let this happen], history will judge us.", LossKind.CONDITION, "If"),
        ("[The problem can be solved], except in wartime.", LossKind.CONDITION, "except in wartime"),
        ("I think [that's a good thing].", LossKind.HEDGE, "I think"),
        ("Perhaps [it is too late].", LossKind.HEDGE, "Perhaps"),
        ("They should [have gone to jail].", LossKind.HEDGE, "should"),
        ("Some say that [we can't do it], but I know we can.", LossKind.REPORTED, "Some say that"),
        ("The idea that [government is the problem] is wrong.", LossKind.REPORTED, "The idea that"),
        (
            "And after four of us fell she said, [what difference does it make]?",
            LossKind.REPORTED,
            "she said",
        ),
        (
            "You wrote yesterday, it is good that [the chains are off].",
            LossKind.REPORTED,
            "You wrote yesterday",
        ),
        (
            "What my opponents agree on is that [this treaty works].",
            LossKind.REPORTED,
            "What my opponents agree on is that",
        ),
        (
            "A board, that reported with high confidence that the leaks [are the work of thieves], met.",
            LossKind.REPORTED,
            "A board, that reported with high confidence that",
        ),
        (
            "We must act now or [we will see these bridges fall].",
            LossKind.CONDITION,
            "We must act now or",
        ),
        ("[This war is lost], they say.", LossKind.REPORTED, "they say"),
        ("We must make sure that [every child can read].", LossKind.WISH, "We must make sure that"),
        ("Do you believe that [we can win]?", LossKind.QUESTION, "?"),
        (
            'A worker wrote to me: "[The real issue is freedom, Mr. President]."',
            LossKind.QUOTED,
            'A worker wrote to me: "',
        ),
        (
            "I know some folks will say, “[Soldiers can fire those weapons].”",
            LossKind.REPORTED,
            "some folks will say",
        ),
        ("Only [an informed people can keep its liberty].", LossKind.LIMIT, "Only"),
        (
            "[We will win this fight] as long as we stand together.",
            LossKind.CONDITION,
            "as long as we stand together",
        ),
    ],
)
def test_what_changes_the_meaning_is_marked_with_the_words_left_out(marked, kind, words):
    assert (kind, words) in warned(marked)


@pytest.mark.parametrize(
    "marked",
    [
        "The only thing we have to fear is [fear itself].",
        "I say to you today that [all men are brothers].",
        "I want you to know that [we will win].",
        "It's not about me, but [it's about you].",
        "If you look at the map, [the road is short].",
        "No, [the President is concerned about that].",
        "There is no doubt that [we will win].",
        "Not only did we build it, but [we built it here].",
        "[We will act because we must], and those who do not act will see.",
        "We know that [this is a free country].",
        'I said at the time, "[We will meet them at the gate of the city]."',
        "[Do you believe that we can win]?",
        "He never slept, and [the work was done by morning].",
        "She did not win; [we won].",
        "While new claims will not be accepted, [all existing claims will stay in force].",
        "We here resolve that they shall not have died in vain--that [this nation shall live].",
        "While I do not agree with him, [he is an honest man].",
        "That being said, [the rest of my speech is short].",
        "Let every nation know, whether it wishes us well or ill, that [we shall pay any price].",
        "They said it was not even close and [I think most people have made up their minds].",
        "They would never say a word, but [I know what they are thinking].",
        "So: [ask not what your country can do for you]—ask what you can do for your country.",
        "Let me assert my firm belief that [the only thing we have to fear is fear itself].",
    ],
)
def test_a_fair_cut_is_not_warned_about(marked):
    assert warned(marked) == set()


def test_a_noun_phrase_near_a_negation_is_a_note_only():
    _, result = judge("We do not want [a wider war].")
    assert [(o.kind, o.severity) for o in result.omissions] == [(LossKind.NEGATION, Severity.NOTE)]
    assert result.is_fair


def test_the_shortest_faithful_span_brings_back_what_was_left_out():
    text, result = judge("Friends, I do not think that [we should go to war], and you know it.")
    assert text[slice(*result.faithful)] == "I do not think that we should go to war"


def test_a_fair_cut_is_its_own_faithful_span():
    text, result = judge("We know that [this is a free country], my friends.")
    assert text[slice(*result.faithful)] == "this is a free country"


def test_words_that_are_read_out_have_no_faithful_span():
    _, result = judge('"[If you lead, Mr. President, we will follow you]."')
    assert result.faithful is None


def test_a_speaker_who_is_named_is_quoted_in_person():
    statement = '"[We have won the right to be heard today]," said Senator Lee.'
    assert warned(statement)
    assert not warned(statement, speaker="Ada Lee, Jr.")


def test_marks_of_a_press_release_are_no_quotation():
    text = '"[We have won the right to be heard today]."'
    assert not warned(text, is_statement=is_quoted_statement(['"We have won the right to be heard today."']))


def test_a_pronoun_without_its_referent_is_a_note():
    _, result = judge("The bill is dead. [They killed it in the night].")
    assert [(o.kind, o.severity) for o in result.omissions] == [(LossKind.REFERENT, Severity.NOTE)]


@given(st.text(max_size=80), st.integers(0, 80), st.integers(0, 80))
def test_any_text_and_range_is_judged(text, start, length):
    result = check_fair_cut(text, min(start, len(text)), min(start + length, len(text)))
    assert all(0 <= o.start_char <= o.end_char <= len(text) for o in result.omissions)
    if result.faithful:
        assert 0 <= result.faithful[0] <= result.faithful[1] <= len(text)
