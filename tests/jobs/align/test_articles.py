"""Articles come with the marks of the program that exported them, and are read with the marks they mean."""

import json

import pytest

from jobs.align.articles import read_articles

MARKED = [
    "&ldquo;We don&rsquo;t go,&rdquo; he said.",
    "&amp;ldquo;We don&amp;rsquo;t go,&amp;rdquo; he said.",
    "&#147;We don&#146;t go,&#148; he said.",
    "&#x93;We don&#x92;t go,&#x94; he said.",
    "\x93We don\x92t go,\x94 he said.",
    "â€œWe donâ€™t go,â€\x9d he said.",
]
MEANT = "“We don’t go,” he said."


def refuse(error):
    raise error


@pytest.mark.parametrize("text", MARKED)
@pytest.mark.parametrize("name", ["a.md", "a.html", "a.txt"])
def test_marks_of_a_file_are_read_as_they_are_meant(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(f"<html><body><p>{text}</p></body></html>" if name == "a.html" else text, "utf-8")
    (article,) = read_articles([path], refused=refuse)
    assert article.text == MEANT


@pytest.mark.parametrize("text", [*MARKED, f"<p>{MEANT}</p>"])
def test_marks_of_a_row_are_read_as_they_are_meant(tmp_path, text):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"id": "a", "text": text}), "utf-8")
    (article,) = read_articles([path], refused=refuse)
    assert article.text == MEANT
