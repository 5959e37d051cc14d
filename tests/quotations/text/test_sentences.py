"""Sentence boundaries, by hand, and that no character is lost."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quotations.text.sentences import split_sentences


def cut(text):
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    "parts",
    [
        ["We won.", "And so?", "Yes!"],
        ["Mr. and Mrs. Lee met Dr. King on Jan. 5.", "They spoke."],
        ["J. Edgar Hoover left.", "So did I.", "The end."],
        ["It cost $3.5 million.", "That is much."],
        ['He said, "Never again."', "“So be it,” she said.", "(We agreed.)", "Then we left."],
        ["Wait... there is more.", "I see…", "Good."],
        ["In the U.S. Senate we sat.", "We love the U.S.", "The flag waves."],
        ["Listen to J.P. Kendall of the 82d.", "A.B.", "The rest is in H.R. 1."],
        ["At 5 p.m. Eastern we met at 6 p.m.", "The bell rang."],
        ["See No. 5 of them.", "No.", "That is all."],
        ["“Why?” he asked.", "Nobody knew."],
        ["It was 1863.", "19 men stood there."],
        ["Ceterum censeo e.g. this.", "Élan counts."],
        ["Yahoo! is a firm.", "Is it?"],
        ["Erster Satz.", "„Ein Zitat.“", "Dritter Satz.", "„Noch eins.“", "Ende."],
        ["Erster Satz.", "»Ein Zitat.«", "Dritter Satz.", "›Noch eins.‹", "Ende."],
        ["Une phrase.", "« Une citation. »", "Une autre.", "«\u00a0Encore\u00a0!\u00a0»", "Fin."],
        ["En mening.", "”Ett citat.”", "Slut."],
        ["„Wer?“ fragte er.", "Niemand wusste es."],
        ["We close no school.", "$30 million was wasted.", "€5 million more.", "(£2 is left.)"],
        ["We won!", "#MeToo matters.", "@Lee lost.", "“$5,” he said."],
        ["We won.", "• The next point.", "🎉 They lost.", "☎️ “Call us.”", "♪ La la."],
        ["It cost U.S. $5 million, or approx. $6 million with No. #5.", "Mr. $100 won."],
        ["The fine is max. $500, min. £20 and c. €3 a week.", "Ask for the max.", "We do."],
        ["We won. $ally wrote... #metoo is here.", "The end. 🎉"],
    ],
)
def test_sentences_end_where_a_reader_ends_them(parts):
    assert cut(" ".join(parts)) == parts


def test_a_blank_line_ends_a_sentence_and_a_single_line_end_does_not():
    assert cut("One\ntwo\n\nthree") == ["One\ntwo", "three"]


def test_ideographic_full_stops_need_no_space():
    assert cut("我们赢了。谢谢！") == ["我们赢了。", "谢谢！"]


@pytest.mark.parametrize(
    "run", [".", "?!", " ", "\t", "\n", "(", '"', "A. ", " »", ". »", "«", "“", "$", "• "]
)
def test_the_time_grows_with_the_length_whatever_runs_on(run):
    began = time.process_time()
    split_sentences("So" + run * 50_000 + "x")
    assert time.process_time() - began < 1  # seconds; a square would be minutes


@settings(deadline=None)
@given(st.text(st.sampled_from('aB1 .!?…\n"”)(Mr。\u0301\t')))
def test_only_white_space_lies_outside_sentences(text):
    position = 0
    for start, end in split_sentences(text):
        assert text[position:start].strip() == ""
        assert start < end
        assert text[start:end] == text[start:end].strip()
        position = end
    assert text[position:].strip() == ""
