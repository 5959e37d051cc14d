"""Paragraphs put together from news quotations: one holds the words quoted next, and where is known."""

import gzip
import json
import random

import pytest

from archive.shipped_files import locate_shipped
from evaluation.data import DEV, DOCUMENTS, NEWS
from reranker.models.wordpieces import WordPieces
from training.news_groups import MOST_QUOTES, NewsGroups, NewsRow

OWN = "we choose to go to the moon"
OTHERS = ("because it is there", "the best of our skills!", "this decade", "not because they are easy")
FAR = "the budget is a moral document"


@pytest.fixture(scope="module")
def pieces():
    return WordPieces(locate_shipped("models") / "tokenizer.json")


def news(tmp_path, rows):
    """A folder with quotations from (article, left, quote), no transcripts, and a dev set of no rows."""
    rows_written = [
        {"article": article, "title": "On space", "left": left, "quote": quote}
        for article, left, quote in rows
    ]
    (tmp_path / NEWS).write_text("".join(json.dumps(row) + "\n" for row in rows_written))
    (tmp_path / DEV).write_text("")
    (tmp_path / DOCUMENTS).write_bytes(gzip.compress(b""))
    return tmp_path


def said(pieces, packed):
    """The ids of a packed paragraph without [CLS] and [SEP], as a list."""
    assert (packed[0], packed[-1]) == (pieces.cls, pieces.sep)
    return packed[1:-1].tolist()


def ids(pieces, text):
    return pieces.tokenise([text])[0].ids.tolist()


def holds(whole, part):
    return any(whole[i : i + len(part)] == part for i in range(len(whole)))


def test_the_span_of_a_group_is_the_quotation_wherever_it_stands_in_its_paragraph(tmp_path, pieces):
    groups = NewsGroups(news(tmp_path, [("a", "He spoke.", each) for each in (OWN, *OTHERS)]), pieces, 9, 0)
    row = next(each for each in groups.rows if each.quote == OWN)
    places = set()
    for seed in range(40):
        group = groups.group(row, 5, random.Random(seed))
        first = group.paragraphs[0]
        assert first[group.start : group.end + 1].tolist() == ids(pieces, OWN)
        places.add((group.start == 1, group.end == len(first) - 3))  # a full stop follows, then [SEP]
    assert places == {(True, True), (True, False), (False, True), (False, False)}


def test_the_quotation_stands_in_no_other_paragraph_and_each_other_one_once(tmp_path, pieces):
    groups = NewsGroups(news(tmp_path, [("a", "He spoke.", each) for each in (OWN, *OTHERS)]), pieces, 9, 0)
    row = next(each for each in groups.rows if each.quote == OWN)
    assert sorted(row.others) == sorted(OTHERS)
    groups.strangers = [OWN, f"And so, {OWN}", FAR]  # another article has it, too
    for seed in range(20):
        group = groups.group(row, 5, random.Random(seed))
        paragraphs = [said(pieces, each) for each in group.paragraphs]
        assert len(paragraphs) == 6
        assert not any(holds(each, ids(pieces, OWN)) for each in paragraphs[1:])
        for other in OTHERS:
            assert sum(holds(each, ids(pieces, other)) for each in paragraphs) <= 1
        longest = MOST_QUOTES * max(len(ids(pieces, f"{each}.")) for each in (OWN, *OTHERS, FAR))
        assert all(0 < len(each) <= longest for each in paragraphs)
    assert group.query.tolist() == pieces.tokenise_query("On space", "He spoke.").tolist()


def test_quotations_of_other_articles_fill_what_an_article_lacks(tmp_path, pieces):
    groups = NewsGroups(news(tmp_path, [("b", "", FAR)]), pieces, 9, 0)
    assert groups.rows == []  # the only one of its article
    row = NewsRow("", "", OWN, (OTHERS[0],))
    group = groups.group(row, 8, random.Random(2))
    holding = [holds(said(pieces, each), ids(pieces, FAR)) for each in group.paragraphs]
    assert sum(holding[1:]) >= 7  # all others, but one that may hold the article's alone


def test_a_quotation_that_its_draft_has_already_is_left_out(tmp_path, pieces):
    text = f"“{OWN.capitalize()},” he said, “{OTHERS[0]}.”"
    rows = [
        ("a", text, OWN),
        ("a", text, OTHERS[0]),
        ("a", text, OTHERS[1]),
        ("a", text, OTHERS[2]),
    ]
    groups = NewsGroups(news(tmp_path, rows), pieces, 9, 0)
    assert {row.quote: row.others for row in groups.rows} == {
        OTHERS[1]: (OTHERS[2],),
        OTHERS[2]: (OTHERS[1],),
    }


def test_a_stranger_that_the_draft_has_already_is_passed_over(tmp_path, pieces):
    groups = NewsGroups(tmp_path, pieces, 9, 0)
    groups.strangers = [OWN, OTHERS[0], FAR]
    row = NewsRow("", f"“{OTHERS[0]},” he said.", OWN, (OTHERS[1],))
    for seed in range(20):
        paragraphs = [said(pieces, each) for each in groups.group(row, 3, random.Random(seed)).paragraphs]
        assert not any(holds(each, ids(pieces, OTHERS[0])) for each in paragraphs)
        assert sum(holds(each, ids(pieces, OWN)) for each in paragraphs) == 1


def test_rows_are_drawn_by_the_seed(tmp_path, pieces):
    folder = news(tmp_path, [(f"a{i // 3}", "", f"sentence {i} of many") for i in range(60)])
    drawn = [[row.quote for row in NewsGroups(folder, pieces, 10, seed).rows] for seed in (1, 1, 2)]
    assert len(drawn[0]) == 10
    assert drawn[0] == drawn[1] != drawn[2]


def test_no_file_and_no_wish_for_rows_are_no_groups(tmp_path, pieces):
    assert NewsGroups(tmp_path, pieces, 9, 0).rows == []
    folder = news(tmp_path, [("a", "", OWN), ("a", "", FAR)])
    assert NewsGroups(folder, pieces, 0, 0).rows == []
