"""Labels with cached sums of weights, against the tagger whose weights they are."""

import json

from denckring_en_pos import tagger

from archive.shipped_files import locate_shipped
from quotations.grammar.perceptron import load_perceptron
from quotations.grammar.tagging import WORD


def test_labels_are_those_of_the_tagger():
    model, perceptron = tagger(), load_perceptron()
    for line in locate_shipped("samples/speeches.jsonl").read_text("utf-8").splitlines():
        for text in json.loads(line)["paragraphs"][:8]:
            words = [match[0].replace("’", "'") for match in WORD.finditer(text)]
            assert perceptron.label(words) == model.tag(words), text


def test_words_unlike_any_that_were_learned_are_labelled():
    words = ["Zxqv", "123x", "Ünïcode", "", "zxqv"]
    assert load_perceptron().label(words) == tagger().tag(words)


def test_no_words_have_no_labels():
    assert load_perceptron().label([]) == []
