"""Texts that are read again are not tokenised again."""

import pytest

from archive.shipped_files import locate_shipped
from reranker.models.token_cache import TokenCache
from reranker.models.wordpieces import WordPieces


class CountingPieces(WordPieces):
    """Count the texts that are tokenised."""

    tokenised = 0

    def tokenise(self, texts):
        self.tokenised += len(texts)
        return super().tokenise(texts)


@pytest.fixture
def pieces():
    return CountingPieces(locate_shipped("models") / "tokenizer.json")


def test_a_text_is_tokenised_once_and_the_pieces_are_the_same(pieces):
    cache, texts = TokenCache(pieces), ["We go.", "They stay 🙂.", "We go.", ""]
    first, second = cache.tokenise(texts), cache.tokenise(texts)
    assert pieces.tokenised == 3
    plain = WordPieces(locate_shipped("models") / "tokenizer.json").tokenise(texts)
    for tokens in (first, second):
        assert [(one.ids.tolist(), one.starts.tolist(), one.ends.tolist()) for one in tokens] == [
            (one.ids.tolist(), one.starts.tolist(), one.ends.tolist()) for one in plain
        ]


def test_the_texts_that_were_read_last_are_kept(pieces):
    cache = TokenCache(pieces, most=2)
    cache.tokenise(["one", "two"])
    cache.tokenise(["one"])
    cache.tokenise(["three"])  # two goes
    assert pieces.tokenised == 3
    cache.tokenise(["one", "three"])
    assert pieces.tokenised == 3
    cache.tokenise(["two"])
    assert pieces.tokenised == 4


def test_more_texts_than_are_kept_are_all_returned(pieces):
    assert [len(one) for one in TokenCache(pieces, most=1).tokenise(["one", "two three", ""])] == [1, 2, 0]
