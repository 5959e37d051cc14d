"""`rostrum famous` with the shipped models over a list of seven quotes."""

import json

import pytest

LIST = [
    {"id": "hamlet", "text": "To be, or not to be, that is the question.", "work": "Hamlet"},
    {"id": "gold", "text": "All that glitters is not gold.", "author": "Shakespeare"},
    {"id": "house", "text": "A house divided against itself cannot stand.", "author": "Lincoln"},
    {"id": "ask", "text": "Ask not what your country can do for you; ask what you can do for your country."},
    {"id": "fear", "text": "The only thing we have to fear is fear itself.", "author": "Roosevelt"},
    {"id": "shepherd", "text": "The Lord is my shepherd; I shall not want."},
    {"id": "love", "text": "God so loved the world, that he gave his only begotten Son."},
]  # fmt: skip
DIVIDED = "The two parties will not speak, and brother is set against brother. As it is written,"


@pytest.fixture
def quotes(tmp_path):
    path = tmp_path / "list.jsonl"
    path.write_text("\n".join(map(json.dumps, LIST)), "utf-8")
    return path


def test_a_fitting_quote_comes_first(rostrum, quotes):
    outcome = rostrum("famous", "--list", quotes, "--left", DIVIDED)
    assert outcome.code == 0
    assert "A house divided" in outcome.out.splitlines()[0]
    assert "Lincoln" in outcome.out


def test_many_gaps_are_answered_in_their_order(rostrum, quotes, tmp_path):
    rows = tmp_path / "rows.jsonl"
    gaps = [{"id": 7, "left": DIVIDED, "right": ""}, {"id": "b", "right": "so the nation took courage."}]
    rows.write_text("\n".join(map(json.dumps, gaps)), "utf-8")
    outcome = rostrum("famous", "--list", quotes, "--contexts", rows, "--json")
    first, second = map(json.loads, outcome.out.splitlines())
    assert [first["id"], second["id"]] == ["7", "b"]
    assert first["quotes"][0]["id"] == "house"
    scores = [quote["score"] for quote in first["quotes"]]
    assert len(scores) == len(LIST)
    assert scores == sorted(scores, reverse=True)


def test_a_gap_in_one_text_is_the_same_as_two_sides(rostrum, quotes):
    one = rostrum("famous", "--list", quotes, "--left", f"{DIVIDED} [quote] And so it was.", "--json")
    two = rostrum("famous", "--list", quotes, "--left", f"{DIVIDED} ", "--right", " And so it was.", "--json")
    assert one.out == two.out


def test_a_kept_index_gives_the_same_answer_and_another_list_renews_it(rostrum, quotes, tmp_path):
    index, draft = tmp_path / "list.npz", ("--left", DIVIDED, "--json")
    first = rostrum("famous", "--list", quotes, "--index", index, *draft)
    kept = index.read_bytes()
    assert rostrum("famous", "--list", quotes, "--index", index, *draft).out == first.out
    assert index.read_bytes() == kept
    shorter = tmp_path / "shorter.csv"
    shorter.write_text("id,text,author\nx,All that glitters is not gold.,Shakespeare\n", "utf-8")
    only = json.loads(rostrum("famous", "--list", shorter, "--index", index, *draft).out)
    assert [quote["id"] for quote in only["quotes"]] == ["x"]
    assert index.read_bytes() != kept


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "no quote in it"),
        ("[1]", "line 1: not an object"),
        ("{", "line 1: not JSON"),
        ('{"author": "Nobody"}', "row 1: text is missing"),
        ('{"text": 5}', "row 1: text is not text"),
        ('{"id": 1, "text": "a b"}\n{"id": "1", "text": "c d"}', "two quotes have the same id"),
    ],
)
def test_a_list_that_cannot_be_used_is_bad_input(rostrum, tmp_path, content, complaint):
    path = tmp_path / "list.jsonl"
    path.write_text(content, "utf-8")
    outcome = rostrum("famous", "--list", path, "--left", "He said")
    assert outcome.code == 2
    assert complaint in outcome.complaint


def test_a_gap_needs_text_on_one_side(rostrum, quotes, tmp_path):
    assert rostrum("famous", "--list", quotes).code == 2
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"id": "e", "left": " "}', "utf-8")
    outcome = rostrum("famous", "--list", quotes, "--contexts", rows, "--json")
    assert outcome.code == 2
    assert "context e: no text on either side" in outcome.complaint
