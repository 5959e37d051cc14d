"""Words that differ between print and speech: what alters the meaning, and what does not."""

import pytest

from quotations.matching.differences import find_differences
from quotations.matching.fitting import fit
from quotations.matching.printed_quote import read_printed
from quotations.text.spoken import Spoken


def compare(printed: str, said: str):
    words, spoken = read_printed([printed]), Spoken((said,))
    result = fit(words.keys, words.inserted, words.cut_after, spoken.keys)
    return find_differences(words, result, spoken)


def list_altered(printed: str, said: str) -> set[str]:
    return {kind.value for item in compare(printed, said) if item.alters for kind in item.meaning}


@pytest.mark.parametrize(
    ("printed", "said", "kind"),
    [
        ("we do see it coming", "we do not see it coming", "negation"),
        ("we lost 50 of them", "we lost 30 of them", "number"),
        ("it is the busiest in years, ever", "it is the busiest in years, maybe ever. Maybe ever.", "hedge"),
        ("we will go there", "we may go there", "modal"),
        ("we go if they let us and stay", "we go if they let us, unless it rains, and stay", "condition"),
        ("all people say so", "some people say so", "quantifier"),
        ("he was born in Ohio and left", "he was born in Iowa and left", "name"),
        ("since the Great Portugal the gains went", "since the great recession the gains went", "name"),
        ("the Senate passed it", "the House passed it", "name"),
        ("As long as we live, we pay", "As long as we live, as long as we can, we pay", "modal"),
        ("we can win and we can lose", "we can win and we will not lose", "negation"),
        ("work with, against, not against them", "work with, not against, not against them", "negation"),
        ("we saw this is not bad at all", "we saw this is good. It is not bad at all", "negation"),
        ("he ran the Wellington Universe pageant", "he ran the Miss Universe pageant", "name"),
        ("your poor, Sinclair huddled masses", "your poor, your huddled masses", "name"),
    ],
)
def test_a_changed_meaning_word_is_named(printed, said, kind) -> None:
    assert kind in list_altered(printed, said)


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        # restarts and broken sentences
        ("It is so perfect and that was done", "It is so perfect. I can't -- and that was done"),
        ("as you may have noticed", "as may—you may have noticed"),
        # repetitions that are not immediate
        (
            "Thank you, Anthony. I never liked you, Anthony, but thank you",
            "Thank you Anthony. I never liked you Anthony. I never liked you but thank you",
        ),
        ("The events never happened. All will be sued", "The events never happened, never. All will be sued"),
        # a phrase that is taken up again, and a clause that is said twice
        ("to see if they are good", "to see if it -- if they are good"),
        ("I told him. I can't do it. It's bad", "I told him. I can't do it. I just can't do it. It's bad"),
        ("Like everybody, he faced hard times years ago", "and so he faced hard times years ago"),
        ("I would wait for it to end", "I would wait, as everybody should, for it to end"),
        ("I would caution them to not move", "I would caution them, as others have, to not move"),
        ("It makes me improve myself", "It makes me prove myself"),
        ("I will not rest until both get to my desk", "I will not rest until it all — both get to my desk"),
        # what announces the rest
        (
            "It is bad. Another example of it: they left",
            "It is bad. I'll give you another example of it: they left",
        ),
        ("It was bad. He did it", "It was bad. And I'll tell you, he did it"),
        ("I tell you, people are tired", "I'll tell you, people are tired"),
        ("It is a bad record with his houses", "It is a bad record, if you look at it, with his houses"),
        # a whole sentence that concerns no other
        ("We fought. They have gone home", "We fought. All of them fought. They have gone home"),
        # the same condition, said again
        (
            "whether you are young or rich, it is good",
            "whether you are young, or whether you are rich, it is good",
        ),
        ("where we are judged by the content", "where we are judged, all of us, by the content"),
        # one modal for two verbs
        ("we will fight and win this war", "we will fight and we will win this war"),
        ("I'll come back and I'll say it", "I'll come back and say it"),
        # answers and the day itself
        ("I became president. I don't think they care", "I became president. No, I don't think they care"),
        ("You are into big diversion, anything goes", "You are into big diversion tonight, anything goes"),
        # names
        ("not the firm and Stephen Bannon", "not the firm and Steve Bannon"),
        ("unlike her rival, Deborah has never been afraid", "unlike her rival, she has never been afraid"),
        ("They treat the US fairly", "They treat the United States fairly"),
        ("said by SenJohnMcCain, who left", "said by McCain, who left"),
        ("the LBGT community is here", "the LGBT community is here"),
        # a contrast, and a quantifier or a denial that is said again
        ("He is a businessman -- he built it", "He is a businessman, not a career politician. He built it"),
        (
            "It is the only major country that has none",
            "It is the only major country -- the only one -- that has none",
        ),
        ("not me, not Bill, more qualified", "not me, not Bill, nobody—more qualified"),
        ("doesn't want the people to know", "doesn't want the people, all of you watching tonight, to know"),
        # what is joined by another word
        (
            "It fails if we think so, or that they lie",
            "It fails if we think so. It fails if we think that they lie",
        ),
        ("It was so, that it changed", "It was so, and I will tell you, it changed"),
        # one meaning in other words
        ("respected around the world today", "respected all over the world today"),
        ("it's all over the place now", "it's around the place now"),
        ("used a couple of them there", "used a few of them there"),
        ("the greatest country on earth", "the most extraordinary country on earth"),
        ("I may need to get one", "I maybe need to get one"),
        ("spend a trillion on it", "spend $1 trillion on it"),
        ("raise 10 or 15 million for them", "raise 10 million or 15 million for them"),
        ("lived there my whole life, so", "lived there all my life, so"),
        ("I will not allow gridlock now", "I'm not going to allow gridlock now"),
        ("he wasn't satisfied with it", "he was unsatisfied with it"),
        ("that you have been unable to get", "that you haven't been able to get"),
        ("every time I hear about them, I go", "every time I think about them, I go"),
        ("we're going to get it done", "we're going get it done"),
        ("whether that's three years, two years or one", "whether that's two years, three years or one"),
        ("they want to take the majority back now", "they want to take the country back now"),
        ("had it been on 27 October, I would be", "had it been on October 27th, I would be"),
        # the day itself
        ("I'm here today to tell you", "I'm here to tell you"),
        # "he'd" is "he had" too
        ("he had never been there", "he'd never been there"),
    ],
)
def test_tidied_speech_is_not_altered(printed, said) -> None:
    assert list_altered(printed, said) == set()


@pytest.mark.parametrize(
    ("printed", "said", "kind"),
    [
        ("They say he won. He left", "They say he won. That is not true. He left", "negation"),
        ("They saw it, he won. And left", "They saw it, he won. I think he did. And left", "hedge"),
        ("it will go to the state", "it may go to the state", "modal"),
        ("we did it, and we paid", "we did it, all of us who did not vote for it, and we paid", "negation"),
    ],
)
def test_sentences_about_others_and_real_modals_are_not_excused(printed, said, kind) -> None:
    assert kind in list_altered(printed, said)


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ("We are safe, Gen. Flynn said", "We are safe, General Flynn said"),
        ("We won World War II for them", "We won World War Two for them"),
        ("[Our friends have] changed the country", "changed the country"),
        ("[Our friends have] changed the country", "They have changed the country"),
    ],
)
def test_abbreviations_and_brackets_at_an_edge_are_no_difference(printed, said) -> None:
    assert compare(printed, said) == []


def test_words_that_stand_twice_are_laid_so_that_one_place_is_left_out() -> None:
    said = "Now as before we have our people in. But we don't have our people in the house. They had him in"
    printed = "Now as before we have our people in. They had him in"
    assert [item.spoken for item in compare(printed, said)] == ["But we don't have our people in the house"]


def test_a_condition_before_a_dash_is_not_excused() -> None:
    assert list_altered("We say they are welcome", "We say if they are legal -- they are welcome") == {
        "condition"
    }


@pytest.mark.parametrize(
    ("printed", "said", "kind"),
    [
        ("some men and all women say so", "all men and some women say so", "quantifier"),
        ("two dogs and three cats are there", "three dogs and two cats are there", "number"),
        ("it is not good and bad to have", "it is good and not bad to have", "negation"),
        ("a trillion is spent on it", "$1 billion is spent on it", "number"),
        ("I hope that it comes", "I only think that it comes", "hedge"),
        ("we have to read it", "we have read it", "modal"),
        ("the majority of us say so", "some of us say so", "quantifier"),
        ("he is honest and fair now", "he is honest and unfair now", "opposite"),
    ],
)
def test_words_that_only_look_alike_are_altered(printed, said, kind) -> None:
    assert kind in list_altered(printed, said)


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ("be prepared on Jan. 20 to start", "be prepared on January 20th to start"),
        ("the worst since 9/11, and he", "the worst since September 11th, and he"),
        ("raise it to $9 an hour", "raise it to $9.00 an hour"),
        ("spend $1tn on roads", "spend $1 trillion on roads"),
        ("I'll be in Melbourne, Fla., on Saturday", "I'll be in Melbourne, Florida, on Saturday"),
        ("it is going to hurt the economy over all", "it is going to hurt the economy overall. But we"),
    ],
)
def test_figures_and_abbreviations_of_one_thing_are_no_difference(printed, said) -> None:
    assert compare(printed, said) == []


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ("we are the number 1 team here", "we are the No. 1 team here"),
        ("and Maybe we are friends", "and perhaps we are friends"),
        ("that Hillary Marsh has gone", "that Mrs. Marsh has gone"),
        ("that Sgt. Stone was there", "that Sergeant Stone was there"),
        ("it's no, folks, no from me", "it's no, no from me"),
        ("he was tough and you know it", "he was not only tough and you know it"),
        ("whether you like it today", "whether you like it or not today"),
        ("the plan was suddenly gone", "the plan was all of a sudden gone"),
        ("and nobody is here now", "and nobody's here now"),
        ("not that everyone says so", "not that everybody says so"),
    ],
)
def test_other_words_for_the_same_are_not_altered(printed, said) -> None:
    assert list_altered(printed, said) == set()


def test_no_one_is_a_negation_and_a_title_is_not_any_name() -> None:
    assert list_altered("and we know no one here", "and we know one here") == {"negation"}
    assert list_altered("respect for Wellington Kaine there", "respect for Senator Kaine there") == {"name"}
