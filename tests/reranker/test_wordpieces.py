"""The models' inputs have the paper's shapes."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import BPE, Unigram
from tokenizers.pre_tokenizers import ByteLevel, Metaspace, Sequence, WhitespaceSplit
from tokenizers.processors import RobertaProcessing
from tokenizers.trainers import BpeTrainer, UnigramTrainer

from archive.shipped_files import locate_shipped
from reranker.models.wordpieces import (
    PARAGRAPH_POSITION,
    WORD,
    WordPieces,
    find_word_bounds,
    mark_word_edges,
    split_windows,
)
from reranker.spans import choose_span
from rostrum_core.errors import ModelError
from rostrum_core.types import Tokens

PIECES = WordPieces(locate_shipped("models/tokenizer.json"))


def test_a_query_is_cls_title_body_start_context_sep():
    moon, go = (PIECES.tokenise([word])[0].ids[0] for word in ("moon", "go"))
    assert PIECES.tokenise_query("Moon", "go").tolist() == [
        PIECES.cls,
        moon,
        PIECES.body_start,
        go,
        PIECES.sep,
    ]


def test_a_draft_is_read_whole_with_sep_between_its_parts():
    moon, go, on = (PIECES.tokenise([word])[0].ids[0] for word in ("moon", "go", "on"))
    for right, after in (("", []), ("on", [on])):
        draft = PIECES.tokenise_draft("Moon", "go", right)
        assert (draft.before.tolist(), draft.after.tolist()) == ([moon, PIECES.sep, go], after)


def test_the_title_keeps_its_start_and_the_context_its_end():
    words = [f"{letter} " for letter in "abcdefghijklmnopqrstuvwxyz"]
    query = PIECES.tokenise_query("".join(words), "".join(words * 5))
    body = query.tolist().index(PIECES.body_start)
    letters = PIECES.tokenise(["".join(words)])[0].ids
    assert query[1:body].tolist() == letters[:20].tolist()
    assert query[body + 1 : -1].tolist() == np.tile(letters, 5)[-100:].tolist()


def test_the_longest_query_ends_before_the_first_position_of_a_paragraph():
    assert len(PIECES.tokenise_query("a " * 99, "b " * 999)) == 123 < PARAGRAPH_POSITION


def test_offsets_are_code_points_of_the_text_that_was_given():
    text = "Café — we’re «free»"
    found = PIECES.tokenise([text])[0]
    assert [text[s:e] for s, e in zip(found.starts, found.ends, strict=True)] == [
        "Café", "—", "we", "’", "re", "«", "free", "»",
    ]  # fmt: skip


@pytest.mark.parametrize("length", [201, 300, 301, 555, 1000])
def test_windows_cover_an_overlong_paragraph_and_overlap(length):
    cuts = split_windows(length)
    assert cuts[0][0] == 0
    assert cuts[-1][1] == length
    assert all(stop - start == 200 for start, stop in cuts)
    assert all(later[0] < earlier[1] for earlier, later in pairwise(cuts))


def test_a_tokenizer_without_the_special_tokens_is_refused(tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text(
        '{"version":"1.0","added_tokens":[],"model":{"type":"WordLevel","vocab":{"a":0},"unk_token":"a"}}'
    )
    with pytest.raises(ModelError, match=r"\[CLS\]"):
        WordPieces(path)


SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
SENTENCES = [
    "We choose to go to the Moon.",
    "Über Éclairs spricht der Präsident nicht , 40% sind genug.",
    "Up 40%, down 40%, up ($3.50) in 2017.",
] * 20
SIGNS = "Up 40%, it costs ($3.50) in 2017."


def byte_level(trim):
    """As RoBERTa has it; without trimming, a word's piece has the space before it."""
    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    alphabet = ByteLevel.alphabet()
    trainer = BpeTrainer(
        vocab_size=300, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(SENTENCES, trainer)
    tokenizer.post_processor = RobertaProcessing(("</s>", 2), ("<s>", 0), trim, add_prefix_space=False)
    return tokenizer


def sentence_piece(split):
    """As CamemBERT and XLM-RoBERTa have it, or with the spaces left to the pieces."""
    tokenizer = Tokenizer(Unigram())
    tokenizer.pre_tokenizer = Sequence([WhitespaceSplit(), Metaspace()]) if split else Metaspace()
    trainer = UnigramTrainer(vocab_size=60, special_tokens=SPECIAL, unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator(SENTENCES, trainer)
    return tokenizer


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(lambda: byte_level(True), id="bytes"),
        pytest.param(lambda: byte_level(False), id="bytes with spaces"),
        pytest.param(lambda: sentence_piece(True), id="sentence pieces"),
        pytest.param(lambda: sentence_piece(False), id="sentence pieces with spaces"),
    ],
)
def test_words_are_the_same_by_the_pieces_of_any_tokenizer(tmp_path, made):
    made().save(str(tmp_path / "tokenizer.json"))
    pieces = WordPieces(tmp_path / "tokenizer.json")
    for text in ("Wir gehen  zum Éclair, über 40% — ö é ü, ja", " \n Moon\u00a0go", SIGNS, "", "  "):
        [tokens] = pieces.tokenise([text])
        words = [word.span() for word in WORD.finditer(text)]
        begins, ends = (np.flatnonzero(mask) for mask in mark_word_edges(find_word_bounds(text), tokens))
        assert len(begins) == len(ends) == len(words)
        for word, first, last in zip(words, begins, ends, strict=True):
            sure = np.zeros((len(tokens), 2), np.float32)
            sure[first, 0] = sure[last, 1] = 99
            span = choose_span(text, tokens, sure)
            assert (span.start_char, span.end_char) == word
        covered = {i for s, e in zip(tokens.starts, tokens.ends, strict=True) for i in range(s, e)}
        assert covered >= {i for i, sign in enumerate(text) if not sign.isspace()}
    query = pieces.tokenise_query("Moon", "go").tolist()
    assert (query[0], query[-1]) == (SPECIAL.index("<s>"), SPECIAL.index("</s>"))
    assert pieces.body_start == SPECIAL.index("<mask>")


def test_some_of_these_tokenizers_have_signs_and_spaces_in_the_pieces_of_words():
    signs = [byte_level(True), sentence_piece(True)]
    assert any("%" in piece and "," in piece for made in signs for piece in made.encode(SIGNS).tokens)
    for made in (byte_level(False), sentence_piece(False)):
        assert any(SIGNS[slice(*each)].startswith(" ") for each in made.encode(SIGNS).offsets)


def test_a_piece_that_ends_one_word_and_begins_the_next_is_no_span_by_itself():
    tokens = Tokens(*(np.array(x, np.int32) for x in ([1, 2, 3], [0, 2, 5], [2, 5, 7])))
    text = "one two"  # on | e t | wo
    sure = np.array([[0, 0], [9, 9], [0, 0]], np.float32)
    span = choose_span(text, tokens, sure)
    assert (span.start_char, span.end_char) in {(0, 3), (4, 7), (0, 7)}


@given(st.text(st.sampled_from("aé5_$€%'’-.,& \n😀𝔘\ud800"), max_size=12))
def test_words_are_those_that_the_expression_matches(text):
    assert find_word_bounds(text).tolist() == [list(found.span()) for found in WORD.finditer(text)]
