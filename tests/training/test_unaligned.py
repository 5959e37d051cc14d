"""What the encoder learns from unaligned quotations and speeches: what comes next, nothing of dev."""

import json

import pytest

from archive.shipped_files import locate_shipped
from evaluation.data import DEV, DOCUMENTS, NEWS
from reranker.models.wordpieces import WordPieces
from rostrum_core.errors import BadInput
from training.recipe import EncoderRecipe
from training.unaligned import batch_news, batch_speeches, select_older_than_dev


@pytest.fixture(scope="module")
def pieces():
    return WordPieces(locate_shipped("models") / "tokenizer.json")


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def speech(name, date, size=4):
    return {"id": name, "title": name, "date": date, "paragraphs": [f"{name} {i}." for i in range(size)]}


@pytest.fixture
def data(tmp_path):
    """Two old speeches; dev quotes one of March and an undated one; two of the same day and later."""
    speeches = [
        speech("old", "2019-01-01"), speech("older", "2018-12-31", 3), speech("march", "2019-03-01"),
        speech("same", "2019-03-01"), speech("newer", "2019-04-01"), speech("undated", None),
    ]  # fmt: skip
    quoted = {"title": "", "left": "", "paragraph": 0, "last_paragraph": 0, "start": 0, "end": 3}
    lines(tmp_path / "documents.jsonl.gz", speeches)
    lines(
        tmp_path / "pairs-dev.jsonl.gz",
        [{"id": name, "document": name, **quoted} for name in ("march", "undated")],
    )
    return tmp_path


def test_quotations_of_an_article_stand_side_by_side_and_short_batches_are_dropped(tmp_path, pieces):
    rows = [
        {"article": f"a{i // 2}", "title": f"title {i // 2}", "left": "He said.", "quote": f"quote {i}"}
        for i in range(10)
    ]
    assert batch_news(tmp_path, pieces, EncoderRecipe()) == []
    lines(tmp_path / NEWS, rows)
    lines(tmp_path / DEV, [])
    lines(tmp_path / DOCUMENTS, [])
    made = batch_news(tmp_path, pieces, EncoderRecipe(news_rows=10, news_batch=4))
    assert [len(batch) for batch in made] == [4, 4]
    for batch in made:
        for first, second in zip(batch[::2], batch[1::2], strict=True):
            assert first[0].tolist() == second[0].tolist()  # the draft, title and context, of one article
            assert first[1].tolist() != second[1].tolist()


def test_speeches_of_the_days_of_dev_or_later_or_without_a_day_are_not_learned(data):
    assert [speech.id for speech in select_older_than_dev(data)] == ["old", "older"]


def test_the_next_paragraph_follows_the_title_and_the_speech_so_far(data, pieces):
    (batch,) = batch_speeches(data, pieces, EncoderRecipe(speech_rows=5, news_batch=5))
    found = {(draft.tobytes(), following.tobytes()) for draft, following in batch}
    wanted = {
        (
            pieces.tokenise_query(name, " ".join(f"{name} {i}." for i in range(at))).tobytes(),
            pieces.pack(pieces.tokenise([f"{name} {at}."])[0]).tobytes(),
        )
        for name, size in (("old", 4), ("older", 3))
        for at in range(1, size)
    }
    assert found == wanted


def test_archives_without_days_have_no_speech_to_begin_with(data):
    lines(data / "documents.jsonl.gz", [speech(name, None) for name in ("march", "undated")])
    with pytest.raises(BadInput, match="no speech is older than the first that dev quotes"):
        select_older_than_dev(data)
