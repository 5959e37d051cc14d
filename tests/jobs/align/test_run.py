"""Files in, files out: every way articles and transcripts may come, and what is written of them."""

import gzip
import json
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from jobs.align.run import Run, Targets
from rostrum_core.errors import BadInput

SAID = "We choose to go to the moon in this decade,"
QUOTE = f"“{SAID}” he said."
ROW = {"id": "a", "published": "1962-09-13", "outlet": "Paper"}
SPEECH = {
    "id": "rice",
    "title": "Address at Rice",
    "speaker": "John F. Kennedy",
    "date": "1962-09-12",
    "paragraphs": ["[Applause]  Thank you.", "We choose to go to the moon in this decade."],
}


def written(path, *rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def lines(path):
    data = path.read_bytes()
    return [
        json.loads(line) for line in (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines()
    ]


@pytest.fixture
def run(tmp_path):
    """Aligns and gives summary, pairs and what was refused."""

    def align(articles, documents, *, pairs="pairs.jsonl", **targets):
        refused = []
        made = Run(count_tokens=lambda text: len(text.split()), refused=refused.append)
        target = tmp_path / pairs
        summary = made.align([articles], [documents], Targets(target, **targets), days=30)
        return summary, lines(target), [str(error) for error in refused]

    return align


@pytest.fixture
def documents(tmp_path):
    return written(tmp_path / "documents.jsonl.gz", SPEECH)


def test_paragraphs_of_json_lines_are_neither_split_nor_cleaned(tmp_path, run, documents):
    articles = written(tmp_path / "a.jsonl", {**ROW, "text": QUOTE})
    summary, (row,), refused = run(articles, documents, transcripts=tmp_path / "written.jsonl")
    assert (row["document"], row["paragraph"], row["start"], row["end"]) == ("rice", 1, 0, 42)
    assert (summary.transcripts, summary.articles, summary.pairs, refused) == (1, 1, 1, [])
    (document,) = lines(tmp_path / "written.jsonl")
    assert document == {**SPEECH, "collection": None}


ARTICLES = {
    "jsonl": {"a.jsonl": json.dumps({**ROW, "text": QUOTE})},
    "a date": {"a.jsonl": json.dumps({"id": "a", "date": "1962-09-13", "outlet": "Paper", "text": QUOTE})},
    "paragraphs": {"a.jsonl": json.dumps({**ROW, "paragraphs": ["He spoke.", QUOTE]})},
    "text": {"a.txt": f"Date: 1962-09-13\nSource: Paper\n\n{QUOTE}"},
    "markdown": {"a.md": f"---\ndate: 1962-09-13\nsource: Paper\n---\n\nHe *spoke*.\n\n{QUOTE}"},
    "html": {
        "a.html": '<html><head><meta property="article:published_time" content="1962-09-13T10:00:00Z">'
        '<meta property="og:site_name" content="Paper"></head>'
        f"<body><nav>Menu</nav><article><p>He spoke.</p><p>{QUOTE}</p></article></body></html>"
    },
    "marks of a page": {
        "a.html": '<html><head><meta property="article:published_time" content="1962-09-13T10:00:00Z">'
        '<meta property="og:site_name" content="Paper"></head><body><article><p>He spoke.</p>'
        f"<p><q>{SAID}</q> he said.</p></article></body></html>"
    },
    "sidecar": {"a.txt": QUOTE, "a.meta.json": json.dumps({"date": "1962-09-13", "source": "Paper"})},
}  # fmt: skip


@pytest.mark.parametrize("kind", ARTICLES)
def test_articles_come_as_json_lines_or_as_files_of_a_folder(tmp_path, run, documents, kind):
    folder = tmp_path / "articles"
    folder.mkdir()
    for name, text in ARTICLES[kind].items():
        (folder / name).write_text(text)
    _, (row,), refused = run(folder, documents)
    assert (row["article"], row["published"], row["outlet"]) == ("a", "1962-09-13", "Paper")
    assert (row["exact"], refused) == (True, [])


def test_transcripts_of_a_folder_are_cleaned_split_and_written_as_the_pairs_number_them(tmp_path, run):
    folder = tmp_path / "speeches"
    folder.mkdir()
    text = "THE PRESIDENT: Thank you. (Applause.)\n\nWe choose to go to the moon in this decade."
    (folder / "1962-09-12-rice.txt").write_text(text)
    articles = written(tmp_path / "a.jsonl", {**ROW, "text": QUOTE})
    _, (row,), _ = run(articles, folder, transcripts=tmp_path / "written.jsonl.gz")
    (document,) = lines(tmp_path / "written.jsonl.gz")
    assert document["paragraphs"] == ["Thank you.", "We choose to go to the moon in this decade."]
    assert (row["document"], row["paragraph"], row["start"], row["end"]) == ("1962-09-12-rice", 1, 0, 42)


def test_the_report_has_a_line_for_every_quotation(tmp_path, run, documents):
    text = f"{QUOTE} But “nobody ever uttered such phrases anywhere” and “so” on."
    articles = written(tmp_path / "a.jsonl", {**ROW, "text": text})
    summary, (row,), _ = run(articles, documents, report=tmp_path / "report.jsonl")
    report = lines(tmp_path / "report.jsonl")
    assert [(line["outcome"], line["pair"]) for line in report] == [
        ("exact", row["id"]),
        ("nothing in common", None),
        ("too short", None),
    ]
    assert summary.outcomes == {"exact": 1, "nothing in common": 1, "too short": 1}
    assert [text[slice(*line["parts"][0])] for line in report] == [line["quote"] for line in report]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"text": QUOTE}, "expected an id"),
        ({"id": "b"}, "expected text or paragraphs"),
        ({"id": "b", "text": 3}, "text is not a text"),
        ({"id": "b", "text": QUOTE, "published": "soon"}, "not a calendar date"),
        ({"id": "b", "paragraphs": [1]}, "paragraphs is not a list of texts"),
        ({"id": "a", "text": QUOTE}, "the id 'a' has come before"),
    ],
)
def test_an_article_that_cannot_be_read_is_refused_and_the_rest_aligned(
    tmp_path, run, documents, row, reason
):
    good = {**ROW, "text": QUOTE}
    summary, pairs, (refusal,) = run(written(tmp_path / "a.jsonl", good, row), documents)
    assert reason in refusal
    assert (len(pairs), summary.refused) == (1, 1)


def test_a_transcript_without_paragraphs_is_refused(tmp_path, run):
    articles = written(tmp_path / "a.jsonl", {**ROW, "text": QUOTE})
    documents = written(tmp_path / "d.jsonl", {"id": "d", "text": "We choose to go."}, SPEECH)
    _, pairs, (refusal,) = run(articles, documents)
    assert "line 1: expected paragraphs" in refusal
    assert len(pairs) == 1


@pytest.mark.parametrize("date", ["1962-09", "1962", "September 1962", 1962])
def test_rows_with_a_month_or_a_year_are_read_as_files_are(tmp_path, date):
    articles = written(tmp_path / "a.jsonl", {**ROW, "published": date, "text": QUOTE})
    documents = written(tmp_path / "documents.jsonl", {**SPEECH, "date": date})
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "rice.md").write_text(f"---\ndate: {date}\n---\n\n{SAID}")
    refused = []
    made = Run(count_tokens=lambda text: len(text.split()), refused=refused.append)
    for number, speeches in enumerate((documents, tmp_path / "files")):
        target = tmp_path / f"pairs-{number}.jsonl"
        made.align([articles], [speeches], Targets(target), days=None)
        (row,) = lines(target)
        assert (row["document"], row["published"], refused) == ("rice", None, [])


def test_what_a_folder_cannot_give_is_told_once(tmp_path, run, documents):
    written(tmp_path / "articles" / "a.jsonl", {**ROW, "text": QUOTE})
    (tmp_path / "articles" / "b.txt").symlink_to("/etc/hostname")
    summary, pairs, (refusal,) = run(tmp_path / "articles", documents)
    assert "leads outside" in refusal
    assert (summary.refused, len(pairs)) == (1, 1)


def test_what_the_run_writes_is_not_read(tmp_path, run, documents):
    folder = tmp_path / "articles"
    written(folder / "a.jsonl", {**ROW, "text": QUOTE})
    for _ in range(2):
        summary, pairs, refused = run(folder, documents, pairs="articles/pairs.jsonl")
        assert (len(pairs), summary.articles, refused) == (1, 1, [])


@pytest.mark.parametrize("name", ["pairs.jsonl", "pairs.jsonl.gz"])
def test_equal_input_gives_equal_bytes(tmp_path, run, documents, name):
    articles = written(tmp_path / "a.jsonl", {**ROW, "text": QUOTE})
    run(articles, documents, pairs=name)
    first = (tmp_path / name).read_bytes()
    run(articles, documents, pairs=name)
    assert (tmp_path / name).read_bytes() == first


@pytest.mark.parametrize("missing", ["articles", "documents"])
def test_a_path_that_is_not_there_is_bad_input_and_leaves_the_pairs_as_they_were(
    tmp_path, run, documents, missing
):
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text('{"before": 1}\n')
    nowhere = tmp_path / "nowhere"
    with pytest.raises(BadInput, match="nowhere is not there"):
        run(nowhere if missing == "articles" else documents, nowhere if missing == "documents" else documents)
    assert pairs.read_text() == '{"before": 1}\n'
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


@pytest.mark.parametrize("empty", ["articles", "documents"])
def test_input_without_anything_is_bad_input_and_leaves_the_pairs_as_they_were(
    tmp_path, run, documents, empty
):
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text('{"before": 1}\n')
    given = {"articles": written(tmp_path / "a.jsonl", {**ROW, "text": QUOTE}), "documents": documents}
    (tmp_path / "unmounted").mkdir()
    with pytest.raises(BadInput, match=f"no {empty[:-1].replace('document', 'transcript')} .*unmounted"):
        run(**{**given, empty: tmp_path / "unmounted"})
    assert pairs.read_text() == '{"before": 1}\n'
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


def test_a_link_stays_and_where_it_leads_is_written(tmp_path, run, documents):
    articles = written(tmp_path / "a.jsonl", {**ROW, "text": QUOTE})
    kept = written(tmp_path / "kept" / "real.jsonl", {"before": 1})
    (tmp_path / "pairs.jsonl").symlink_to(kept)
    _, pairs, _ = run(articles, documents)
    assert (tmp_path / "pairs.jsonl").is_symlink()
    assert lines(kept) == pairs != [{"before": 1}]
    assert [path.name for path in kept.parent.iterdir()] == ["real.jsonl"]


def test_what_is_no_file_takes_the_rows_and_stays(tmp_path, documents):
    pipe = tmp_path / "pairs.fifo"
    os.mkfifo(pipe)
    articles = written(tmp_path / "a.jsonl", {**ROW, "text": QUOTE})
    with ThreadPoolExecutor() as pool:
        read = pool.submit(pipe.read_bytes)
        Run(count_tokens=len, refused=print).align([articles], [documents], Targets(pipe), days=30)
        assert json.loads(read.result(timeout=30))["document"] == "rice"
    assert pipe.is_fifo()


@pytest.mark.parametrize("target", ["pairs", "transcripts", "report"])
def test_no_file_that_is_read_is_written(tmp_path, documents, target):
    articles = written(tmp_path / "a.jsonl", {**ROW, "text": QUOTE})
    before = documents.read_bytes()
    targets = Targets(**{"pairs": tmp_path / "pairs.jsonl", target: tmp_path / "." / documents.name})
    with pytest.raises(BadInput, match="cannot be written"):
        Run(count_tokens=len, refused=print).align([articles], [documents], targets, days=30)
    assert documents.read_bytes() == before


def test_no_file_is_written_twice(tmp_path, documents):
    targets = Targets(tmp_path / "pairs.jsonl", report=tmp_path / "pairs.jsonl")
    with pytest.raises(BadInput, match="cannot be written"):
        Run(count_tokens=len, refused=print).align([documents], [documents], targets, days=30)
