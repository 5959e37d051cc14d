"""Text after a quote is found in the context of a later quotation of the same article."""

from benchmarks.draft_parts import compared, texts_after

LONG = "we choose to go to the moon in this decade and do the other things, not because they are easy"


def row(id: str, article: str, quote: str, left: str = "") -> dict[str, str]:
    return {"id": id, "article": article, "quote": quote, "left": left}


def test_what_follows_the_quote_in_a_later_context_is_taken():
    first = row("1", "a", "ask not")
    later = row("2", "a", "my fellow citizens", "He said: “ask not,” and the crowd rose.")
    assert texts_after([first, later]) == {"1": "and the crowd rose", "2": ""}


def test_the_longest_of_several_is_taken():
    first = row("1", "a", "ask not")
    contexts = ["ask not what", "ask not what your country can do"]
    others = [row(str(i), "a", "another", left) for i, left in enumerate(contexts, 2)]
    assert texts_after([first, *others])["1"] == "what your country can do"


def test_another_article_says_nothing_of_it():
    assert texts_after([row("1", "a", "ask not"), row("2", "b", "x", "ask not what")])["1"] == ""


def test_a_long_quote_is_found_by_its_beginning_and_skipped_whole():
    context = f"{LONG} Then he left."
    assert texts_after([row("1", "a", LONG), row("2", "a", "another", context)])["1"] == "Then he left"


def test_a_part_of_a_draft_is_compared_by_system():
    systems = ("bm25", "first_stage", "model")
    found = compared({s: [0.5, 0.0] for s in systems}, {s: [1.0, 0.0] for s in systems}, ["a", "b"])
    assert found["model"] == {"without": 25.0, "with": 50.0, "p": 1.0}  # one flip of two is as far from 0
