"""A folder of training data, and which pairs are kept from training."""

import gzip
import json
from collections import Counter

import pytest

from evaluation.data import (
    check_cut,
    count_news_left_out,
    count_shared_articles,
    list_sources,
    prepare_folder,
    select_learnable_news,
    select_newest_speeches,
)
from evaluation.pairs import read_rows
from rostrum_core.errors import BadInput

DAYS = {"a": "2020-01-01", "b": "2020-02-01", "c": "2020-03-01"}


def pair(name, document):
    place = {"paragraph": 0, "last_paragraph": 0, "start": 0, "end": 3}
    return {"id": name, "title": "T", "left": "L", "document": document, **place}


@pytest.fixture
def folder(tmp_path):
    """Three speeches, each quoted four times, and no split yet."""
    folder = tmp_path / "data"
    folder.mkdir()
    speeches = [{"id": d, "title": d, "date": DAYS[d], "paragraphs": ["One."]} for d in DAYS]
    (folder / "documents.jsonl").write_text("".join(json.dumps(speech) + "\n" for speech in speeches))
    pairs = [pair(f"{d}{i}", d) for i in range(4) for d in DAYS]
    (folder / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    return folder


def ids(path):
    return sorted(row["id"] for row in read_rows(path))


def test_the_newest_speech_is_kept_for_dev(folder, tmp_path):
    found = prepare_folder(folder, 0.15, tmp_path / "out")
    assert ids(found / "pairs-dev.jsonl.gz") == ["c0", "c1", "c2", "c3"]
    assert ids(found / "pairs-train.jsonl.gz") == [f"{d}{i}" for d in "ab" for i in range(4)]
    assert ids(found / "documents.jsonl.gz") == ["a", "b", "c"]
    names = ["documents.jsonl.gz", "pairs-train.jsonl.gz", "pairs-dev.jsonl.gz"]
    assert [path.name for path in list_sources(found)] == names


def test_speeches_join_dev_until_the_share_is_reached():
    counts = Counter(a=4, b=4, c=4)  # a third each
    assert select_newest_speeches(counts, DAYS, 0.33) == {"c"}
    assert select_newest_speeches(counts, DAYS, 0.34) == {"b", "c"}


def test_prepared_again_it_is_the_same_to_the_byte(folder, tmp_path):
    one, two = (list_sources(prepare_folder(folder, 0.5, tmp_path / name)) for name in ("one", "two"))
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]


def test_a_split_that_is_there_is_taken(folder, tmp_path):
    (folder / "pairs.jsonl").rename(folder / "pairs-train.jsonl")
    (folder / "pairs-dev.jsonl").write_text(json.dumps(pair("x", "a")) + "\n")
    quote = {"id": "y", "article": "n", "title": "T", "left": "L", "quote": "Q"}
    (folder / "news-quotes.jsonl").write_text(json.dumps(quote) + "\n")
    found = prepare_folder(folder, 0.15, tmp_path / "out")
    assert len(ids(found / "pairs-train.jsonl.gz")) == 12
    assert (ids(found / "pairs-dev.jsonl.gz"), ids(found / "news-quotes.jsonl.gz")) == (["x"], ["y"])


def test_news_of_an_article_that_dev_has_is_not_learned(folder, tmp_path):
    (folder / "pairs.jsonl").rename(folder / "pairs-train.jsonl")
    dev = [pair("x", "a") | {"article": "one"}, pair("z", "a") | {"title": "Known", "left": "By its draft."}]
    (folder / "pairs-dev.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in dev))
    news = [
        ("one", "T", "L"),
        ("two", "Known", "By its draft."),
        ("two", "Known", "Later."),
        ("three", "T", "L3"),
    ]
    quotes = [
        {"article": article, "title": title, "left": left, "quote": "Q"} for article, title, left in news
    ]
    (folder / "news-quotes.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in quotes))
    found = prepare_folder(folder, 0.15, tmp_path / "out")
    assert [each.article for each in select_learnable_news(found)] == ["three"]
    assert count_news_left_out(found) == 3


@pytest.mark.parametrize(
    ("published", "learned"),
    [
        ("2020-01-29T23:00:00Z", True),
        ("2020-01-30", False),  # a speech of the day bears a later date where its release does
        ("2020-02-01", False),
        ("30/01/2020", False),
        ("", False),
    ],
)
def test_news_that_quotes_what_dev_quotes_is_not_learned_but_what_is_older_is(
    folder, tmp_path, published, learned
):
    said = "We choose to go to the moon, and do the other things."
    speeches = [{"id": d, "title": d, "date": DAYS[d], "paragraphs": [said]} for d in "bc"]
    (folder / "documents.jsonl").write_text("".join(json.dumps(speech) + "\n" for speech in speeches))
    (folder / "pairs.jsonl").write_text(json.dumps(pair("t", "c")) + "\n")
    (folder / "pairs.jsonl").rename(folder / "pairs-train.jsonl")
    (folder / "pairs-dev.jsonl").write_text(json.dumps(pair("x", "b") | {"end": len(said)}) + "\n")
    quote = {
        "article": "n",
        "title": "N",
        "left": "",
        "quote": "choose to go to the Moon and",
        "published": published,
    }
    other = quote | {"article": "m", "quote": "choose to go to the other things"}
    (folder / "news-quotes.jsonl").write_text(f"{json.dumps(quote)}\n{json.dumps(other)}\n")
    found = prepare_folder(folder, 0.15, tmp_path / "out")
    assert [each.article for each in select_learnable_news(found)] == (["n", "m"] if learned else ["m"])


@pytest.mark.parametrize("name", ["pairs-test.jsonl", "pairs-test.jsonl.gz"])
def test_news_that_holds_answers_of_test_is_not_learned_either(folder, tmp_path, name):
    (folder / "pairs.jsonl").rename(folder / "pairs-train.jsonl")
    (folder / "pairs-dev.jsonl").write_text(json.dumps(pair("x", "a")) + "\n")
    row = json.dumps(pair("y", "b") | {"article": "one"}) + "\n"
    (folder / name).write_bytes(gzip.compress(row.encode()) if name.endswith("gz") else row.encode())
    quotes = [{"article": each, "title": "T", "left": each, "quote": "Q"} for each in ("one", "two")]
    (folder / "news-quotes.jsonl").write_text("".join(f"{json.dumps(quote)}\n" for quote in quotes))
    found = prepare_folder(folder, 0.15, tmp_path / "out")
    assert [each.article for each in select_learnable_news(found)] == ["two"]
    assert "pairs-test.jsonl.gz" in [path.name for path in list_sources(found)]


def test_a_row_of_test_that_cannot_be_used_is_told_where_there_is_news(folder, tmp_path):
    (folder / "pairs-test.jsonl").write_text(json.dumps(pair("y", "unknown")) + "\n")
    assert "pairs-test.jsonl.gz" not in [
        path.name for path in list_sources(prepare_folder(folder, 0.5, tmp_path / "o"))
    ]
    quote = {"article": "one", "title": "T", "left": "L", "quote": "Q"}
    (folder / "news-quotes.jsonl").write_text(json.dumps(quote) + "\n")
    with pytest.raises(BadInput, match=r"pairs-test\.jsonl, row 1"):
        prepare_folder(folder, 0.5, tmp_path / "out")


def test_a_row_of_dev_without_a_draft_makes_no_news_its_own(folder, tmp_path):
    (folder / "pairs.jsonl").rename(folder / "pairs-train.jsonl")
    row = pair("x", "a") | {"title": None, "left": None}
    (folder / "pairs-dev.jsonl").write_text(json.dumps(row) + "\n")
    quote = {"article": "n", "title": None, "left": None, "quote": "Q"}
    (folder / "news-quotes.jsonl").write_text(json.dumps(quote) + "\n")
    assert len(select_learnable_news(prepare_folder(folder, 0.15, tmp_path / "out"))) == 1


def test_articles_with_rows_on_both_sides_are_counted(folder, tmp_path):
    news = [pair(f"{d}{i}", d) | {"article": f"{d}{i}" if i else "both"} for i in range(2) for d in DAYS]
    (folder / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in news))
    assert count_shared_articles(prepare_folder(folder, 0.15, tmp_path / "out")) == 1


def test_a_folder_in_the_scripts_form_is_used_as_it_is(tmp_path):
    for name in ("documents", "pairs-train", "pairs-dev"):
        (tmp_path / f"{name}.jsonl.gz").touch()
    assert prepare_folder(tmp_path, 0.15, tmp_path / "out") == tmp_path
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["pairs-train.jsonl.gz", "pairs-dev.jsonl"])
def test_pairs_beside_a_split_of_them_are_refused(folder, tmp_path, name):
    (folder / name).touch()
    with pytest.raises(BadInput, match=f"has pairs and {name}"):
        prepare_folder(folder, 0.15, tmp_path / "out")


def test_a_folder_in_the_scripts_form_with_pairs_beside_is_refused_too(folder, tmp_path):
    for name in ("documents", "pairs-train", "pairs-dev"):
        (folder / f"{name}.jsonl.gz").touch()
    with pytest.raises(BadInput, match="has pairs and"):
        prepare_folder(folder, 0.15, tmp_path / "out")


@pytest.mark.parametrize(
    "change", [{"id": None}, {"date": 19.63}, {"date": "in spring"}, {"paragraphs": "One."}]
)
def test_a_document_that_cannot_be_used_is_told_by_its_row(folder, tmp_path, change):
    speeches = list(read_rows(folder / "documents.jsonl"))
    speeches[1] |= change
    (folder / "documents.jsonl").write_text("".join(json.dumps(speech) + "\n" for speech in speeches))
    with pytest.raises(BadInput, match=r"documents\.jsonl, row 2"):
        prepare_folder(folder, 0.15, tmp_path / "out")


@pytest.mark.parametrize("missing", ["documents.jsonl", "pairs.jsonl"])
def test_a_missing_file_is_named(folder, tmp_path, missing):
    (folder / missing).unlink()
    with pytest.raises(BadInput, match=missing.partition(".")[0]):
        prepare_folder(folder, 0.15, tmp_path / "out")


def test_pairs_of_one_speech_cannot_be_cut(folder, tmp_path):
    (folder / "pairs.jsonl").write_text(json.dumps(pair("a0", "a")) + "\n")
    with pytest.raises(BadInput, match="at least one speech each"):
        prepare_folder(folder, 0.15, tmp_path / "out")


@pytest.mark.parametrize("name", ["documents", "pairs"])
def test_a_file_that_is_there_twice_is_refused(folder, tmp_path, name):
    plain, packed = folder / f"{name}.jsonl", folder / f"{name}.jsonl.gz"
    there, other = (plain, packed) if plain.exists() else (packed, plain)
    other.write_bytes(there.read_bytes())
    with pytest.raises(BadInput, match=rf"has {name}\.jsonl and {name}\.jsonl\.gz: keep one"):
        prepare_folder(folder, 0.15, tmp_path / "out")


@pytest.mark.parametrize(("trained", "dev", "share"), [(4, 8, 0.5), (40, 10, 0.15), (10, 10, 0.15)])
def test_a_dev_that_was_asked_for_is_taken(folder, trained, dev, share):
    check_cut(folder, share, trained, dev)


def test_newest_speeches_with_most_of_the_pairs_are_not_cut_off_unasked(folder):
    with pytest.raises(BadInput, match="dev would have 94 of 102: cut them yourself"):
        check_cut(folder, 0.15, 8, 94)
    (folder / "pairs.jsonl").rename(folder / "pairs-train.jsonl")
    check_cut(folder, 0.15, 8, 94)
