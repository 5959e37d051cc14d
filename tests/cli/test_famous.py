"""`rostrum famous` with the shipped models over the shipped list and one of seven quotes."""

import json

import numpy as np
import pytest

from archive.quote_lists import check_archive_name
from rostrum_core.errors import BadInput
from rostrum_core.settings import Settings

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


def test_a_quote_that_was_used_in_a_like_text_before_rises(rostrum, quotes, tmp_path):
    gap = ["--left", "When the bakers of the town ran out of flour, the mayor said:"]

    def rank(listed, identity):
        answer = json.loads(rostrum("famous", "--list", listed, *gap, "--limit", "7", "--json").out)
        return [quote["id"] for quote in answer["quotes"]].index(identity)

    last = next(row["id"] for row in LIST if rank(quotes, row["id"]) == len(LIST) - 1)
    rows = [
        row | {"uses": ["The bakers had no flour left, [quote]"]} if row["id"] == last else row
        for row in LIST
    ]
    path = tmp_path / "used.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    assert rank(path, last) < len(LIST) - 1
    rostrum("famous", "index", path, "--name", "used")
    assert rank("used", last) == rank(path, last)


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


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("As Roose\u00advelt said to the nation:", ""),
        ("As \u200bRoosevelt said\u00a0to the nation:", "\u200b"),
        ("As Roosevelt said to the nation:[quote]", "\ufeff"),
    ],
)
def test_characters_that_nobody_sees_change_no_answer(rostrum, quotes, left, right):
    plain = rostrum("famous", "--list", quotes, "--left", "As Roosevelt said to the nation:", "--json")
    assert rostrum("famous", "--list", quotes, "--left", left, "--right", right, "--json").out == plain.out


def test_a_lone_surrogate_is_read_as_an_unknown_character(rostrum, quotes):
    marked = rostrum("famous", "--list", quotes, "--left", f"{DIVIDED} \ufffd", "--json")
    outcome = rostrum("famous", "--list", quotes, "--left", f"{DIVIDED} \udce9", "--json")
    assert (outcome.code, outcome.out) == (0, marked.out)


def test_a_gap_in_one_text_is_the_same_as_two_sides(rostrum, quotes):
    one = rostrum("famous", "--list", quotes, "--left", f"{DIVIDED} [quote] And so it was.", "--json")
    two = rostrum("famous", "--list", quotes, "--left", f"{DIVIDED} ", "--right", " And so it was.", "--json")
    assert one.out == two.out


def test_a_draft_has_its_gap_where_quote_stands(rostrum, quotes, tmp_path):
    draft = tmp_path / "draft.md"
    draft.write_text(f"{DIVIDED} [QUOTE] And so it was.", "utf-8")
    of_file = rostrum("famous", "--list", quotes, "--draft", draft, "--json")
    text = rostrum("famous", "--list", quotes, "--left", DIVIDED, "--right", "And so it was.", "--json")
    assert of_file.out == text.out


def test_without_a_list_quotes_come_from_the_shipped_one(rostrum):
    outcome = rostrum("famous", "--left", DIVIDED, "--author", "lincoln", "--json")
    first, *_ = json.loads(outcome.out)["quotes"]
    assert first["text"] == "A house divided against itself cannot stand."
    assert (first["author"], first["year"], first["status"]) == ("Abraham Lincoln", 1858, "attributed")
    again = rostrum("famous", "--left", DIVIDED, "--author", "lincoln", "--json")
    assert again.out == outcome.out
    assert rostrum("famous", "lists").out == "famous\n"


def test_an_indexed_list_answers_by_its_name_as_its_file_does(rostrum, quotes):
    made = rostrum("famous", "index", quotes, "--name", "seven")
    assert (made.code, made.out) == (0, "7 quotes: rostrum famous --list seven\n")
    of_file = rostrum("famous", "--list", quotes, "--left", DIVIDED, "--json")
    quotes.unlink()
    by_name = rostrum("famous", "--list", "seven", "--left", DIVIDED, "--json")
    assert by_name.out == of_file.out
    assert rostrum("famous", "lists").out == "famous\nseven\n"


def test_an_archive_before_a_subcommand_is_its_archive_unless_it_names_one(rostrum, quotes, tmp_path):
    own, other = tmp_path / "own", tmp_path / "other"
    assert rostrum("famous", "--archive", own, "index", quotes, "--name", "seven").code == 0
    assert rostrum("famous", "--archive", own, "lists").out == "famous\nseven\n"
    assert rostrum("famous", "lists", "--archive", own).out == "famous\nseven\n"
    assert rostrum("famous", "lists").out == "famous\n"
    assert rostrum("famous", "--archive", own, "lists", "--archive", other).out == "famous\n"


@pytest.mark.parametrize(
    ("before", "after", "option"),
    [
        (("--url", "http://localhost:1"), ("lists",), "--url"),
        (("--limit", "5"), ("lists",), "--limit"),
        (("--left", ""), ("index",), "--left"),
        (("--list", "seven"), ("index",), "--list"),
        (("--archive", "own"), ("verify", "--works", "."), "--archive"),
        (("--json",), ("verify", "--works", "."), "--json"),
    ],
)
def test_an_option_before_a_subcommand_that_cannot_use_it_is_refused(rostrum, quotes, before, after, option):
    arguments = after if after[0] == "lists" else (after[0], quotes, *after[1:])
    refused = rostrum("famous", *before, *arguments)
    assert (refused.code, refused.out) == (2, "")
    assert refused.complaint == f"rostrum: {option} cannot stand before `{after[0]}`"


def test_a_list_indexed_again_replaces_the_earlier_one(rostrum, quotes, tmp_path):
    rostrum("famous", "index", quotes, "--name", "own")
    shorter = tmp_path / "own.csv"
    shorter.write_text("id,text,author\nx,All that glitters is not gold.,Shakespeare\n", "utf-8")
    assert rostrum("famous", "index", shorter).out == "1 quote: rostrum famous --list own\n"
    only = json.loads(rostrum("famous", "--list", "own", "--left", DIVIDED, "--json").out)
    assert [quote["id"] for quote in only["quotes"]] == ["x"]


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        (("--author", "shake"), []),
        (("--author", "Shakespeare"), ["gold"]),
        (("--author", "Lincoln", "--author", "roosevelt"), ["fear", "house"]),
        (("--max-words", "6"), ["gold"]),
        (("--min-words", "12", "--status", "unknown"), ["ask", "love"]),
        (("--tradition", "Greek"), []),
    ],
)
def test_filters_choose_quotes_and_leave_their_scores(rostrum, quotes, options, ids):
    command = ("famous", "--list", quotes, "--left", DIVIDED, "--json", "--limit", "7")
    scores = {row["id"]: row["score"] for row in json.loads(rostrum(*command).out)["quotes"]}
    outcome = rostrum(*command, *options)
    chosen = json.loads(outcome.out)["quotes"]
    assert sorted(row["id"] for row in chosen) == ids
    assert all(row["score"] == scores[row["id"]] for row in chosen)
    assert ("no quote of the list passes the filter" in outcome.err) == (not ids)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (
            ("--list", "absent", "--left", "He said"),
            "there is no list of quotes named absent; there are famous",
        ),
        (("--list", "No Name", "--left", "He said"), "'No Name' names no archive"),
        (("--list", "absent.csv", "--left", "He said"), "absent.csv: No such file or directory"),
        (("--left", "He said", "--contexts", "-"), "give --left or --right, or --draft, or --contexts alone"),
        (("--left", " "), "no text on either side of the gap"),
    ],
)
def test_what_cannot_be_answered_is_bad_input(rostrum, options, complaint):
    outcome = rostrum("famous", *options)
    assert outcome.code == 2
    assert complaint in outcome.complaint


def test_the_name_of_the_shipped_list_and_of_speeches_is_refused(rostrum, quotes, tmp_path):
    assert rostrum("famous", "index", quotes, "--name", "famous").code == 2
    folder = tmp_path / "archive" / "named" / "press"
    folder.mkdir(parents=True)
    (folder / "published").write_text("{}", "utf-8")
    outcome = rostrum("famous", "index", quotes, "--name", "press", "--archive", tmp_path / "archive")
    assert (outcome.code, outcome.complaint) == (
        2,
        "rostrum: press is an archive of speeches: choose another name",
    )


def test_no_archive_takes_the_name_of_a_list(rostrum, quotes, tmp_path):
    archive = tmp_path / "archive"
    (tmp_path / "road.txt").write_text("The road is long.", "utf-8")
    assert rostrum("famous", "index", quotes, "--name", "own", "--archive", archive).code == 0
    for name in ("famous", "own"):
        outcome = rostrum("index", tmp_path / "road.txt", "--as", name, "--archive", archive)
        assert (outcome.code, outcome.complaint) == (
            2,
            f"rostrum: {name} is a list of quotes: choose another name",
        )
    assert not (archive / "named" / "famous").exists()
    assert rostrum("famous", "--list", "own", "--left", DIVIDED, "--archive", archive).code == 0


@pytest.mark.parametrize("name", ["documents", "paragraphs", "documents-2020", "paragraphs-0"])
def test_no_archive_on_a_cluster_is_named_as_indices_of_the_main_archive(name):
    cluster = Settings(opensearch_url="http://127.0.0.1:9", opensearch_prefix="ord-")
    message = rf"the main archive has the indices ord-{name.partition('-')[0]}-\.\.\.: choose another name"
    with pytest.raises(BadInput, match=message):
        check_archive_name(cluster, name)
    check_archive_name(Settings(), name)


@pytest.mark.parametrize("name", ["articles", "press-documents", "document", "documents_2020"])
def test_an_archive_on_a_cluster_may_have_another_name(name):
    check_archive_name(Settings(opensearch_url="http://127.0.0.1:9"), name)


def test_a_list_of_other_models_or_a_damaged_one_says_so(rostrum, quotes, tmp_path):
    archive = tmp_path / "archive"
    rostrum("famous", "index", quotes, "--name", "own", "--archive", archive)
    file = archive / "named" / "own" / "quotes.npz"
    with np.load(file) as opened:
        arrays = dict(opened)
    arrays["hashes"] = np.array(json.dumps({"famous": "other"}))
    np.savez(file, **arrays)
    ask = ("famous", "--list", "own", "--left", DIVIDED, "--archive", archive)
    outcome = rostrum(*ask)
    assert (outcome.code, outcome.complaint) == (
        1,
        "rostrum: other models encoded the list own: index it again",
    )
    file.write_bytes(file.read_bytes()[:1000])
    outcome = rostrum(*ask)
    assert outcome.code == 1
    assert "the list own cannot be read" in outcome.complaint


def test_verify_says_what_the_works_have_of_each_quote(rostrum, tmp_path):
    works = tmp_path / "works" / "Ada Wren"
    works.mkdir(parents=True)
    (works / "harbour.txt").write_text("Patience is a lantern that burns its own oil.", "utf-8")
    rows = [
        {"id": "a", "text": "Patience is a lantern that burns its own oil", "author": "Ada Wren"},
        {"id": "b", "text": "Patience is a lamp that burns its own oil", "author": "Ada Wren"},
        {"id": "c", "text": "Patience is a lantern that burns its own oil", "author": "Mark Twain"},
    ]
    quotes, out = tmp_path / "list.jsonl", tmp_path / "out.jsonl"
    quotes.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    command = ("famous", "verify", quotes, "--works", works.parent, "--json")
    outcome = rostrum(*command, "--out", out, "--strict")
    assert outcome.code == 1
    lines = [json.loads(line) for line in outcome.out.splitlines()]
    assert [line["verdict"] for line in lines] == ["verified", "altered", "misattributed"]
    assert lines[1]["differences"] == [{"kind": "changed", "quote": "lamp", "work": "lantern"}]
    assert lines[2]["place"]["author"] == "Ada Wren"
    assert "1 verified, 1 altered, 1 misattributed, 0 not found, 0 unchecked" in outcome.err
    statuses = [json.loads(line)["status"] for line in out.read_text("utf-8").splitlines()]
    assert statuses == ["verified", "disputed", "disputed"]
    again = rostrum("famous", "verify", out, "--works", works.parent)
    assert "Harbour by Ada Wren, paragraph 1" in again.out
    assert again.code == 0
    assert "there: Patience is a lantern" in again.out


def test_verify_writes_to_the_target_of_a_link(rostrum, quotes, tmp_path):
    works = tmp_path / "works" / "Ada Wren"
    works.mkdir(parents=True)
    (works / "harbour.txt").write_text("Patience is a lantern that burns its own oil.", "utf-8")
    out, link = tmp_path / "out.jsonl", tmp_path / "link.jsonl"
    link.symlink_to(out)
    assert rostrum("famous", "verify", quotes, "--works", works.parent, "--out", link).code == 0
    assert link.is_symlink()
    assert len(out.read_text("utf-8").splitlines()) == len(quotes.read_text("utf-8").splitlines())


def test_verify_does_not_overwrite_its_list(rostrum, quotes, tmp_path):
    works = tmp_path / "works" / "Ada Wren"
    works.mkdir(parents=True)
    (works / "harbour.txt").write_text("Patience is a lantern that burns its own oil.", "utf-8")
    before, link = quotes.read_bytes(), tmp_path / "link.jsonl"
    link.symlink_to(quotes)
    for out in (quotes, link):
        outcome = rostrum("famous", "verify", quotes, "--works", works.parent, "--out", out)
        assert (outcome.code, outcome.out) == (2, "")
        assert "the file is read, and would be overwritten" in outcome.complaint
    assert quotes.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "no quote in it"),
        ("[1]", "line 1: not an object"),
        ("{", "line 1: not JSON"),
        ('{"author": "Nobody"}', "row 1: text is missing"),
        ('{"text": 5}', "row 1: text is not text"),
        ('{"text": "a b", "status": "sure"}', "row 1: status is none of verified, attributed"),
        ('{"text": "a b", "year": "once"}', "row 1: year is not a whole number"),
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


def test_a_file_without_gaps_is_bad_input(rostrum, quotes, tmp_path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text("\n", "utf-8")
    outcome = rostrum("famous", "--list", quotes, "--contexts", rows)
    assert outcome.code == 2
    assert "rows.jsonl: no gap in it" in outcome.complaint
