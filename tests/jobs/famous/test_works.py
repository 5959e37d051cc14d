"""Quotes against works that a user has: three plays and letters of two authors, written for this test."""

import pytest

from jobs.famous.works import Works, WorkVerdict, apply_check, is_by, read_works
from quotations.text.transcript import Transcript
from rostrum_core.errors import BadInput
from rostrum_core.famous_quotes import AttributionStatus, FamousQuote

HARBOUR = Transcript(
    "harbour",
    "The Harbour",
    "Ada Wren",
    None,
    None,
    (
        "No ship was ever saved by the wind alone.",
        "She said it twice. Patience is a lantern that burns its own oil, and we had little oil left.",
        "Keep the rope dry.",
    ),
)
LETTERS = Transcript(
    "letters",
    "Letters",
    "Tom Hale",
    None,
    None,
    (
        "I do not fear the long winter; I fear the short spring that follows it.",
        "My mother used to say, “An honest roof needs no second nail.” She had none.",
    ),
)
ANONYMOUS = Transcript(
    "song", "A Mill Song", None, None, None, ("Turn, stone, for the corn is not yet bread.",)
)


@pytest.fixture(scope="module")
def works():
    return Works([HARBOUR, LETTERS, ANONYMOUS])


def quote(text: str, author: str = "Ada Wren", work: str = "") -> FamousQuote:
    return FamousQuote("q", text, author, work, status=AttributionStatus.ATTRIBUTED)


def test_words_of_the_author_are_verified_with_their_place(works):
    check = works.check(quote("patience is a lantern that burns its own oil"))
    assert check.verdict is WorkVerdict.VERIFIED
    assert check.place is not None
    assert (check.place.document, check.place.paragraph) == ("harbour", 1)
    text = HARBOUR.paragraphs[1]
    assert text[check.place.start_char : check.place.end_char] == check.place.words
    assert check.place.words == "Patience is a lantern that burns its own oil"


def test_a_changed_word_is_altered_and_named(works):
    check = works.check(quote("Patience is a lantern that burns its own fire"))
    assert check.verdict is WorkVerdict.ALTERED
    assert [(item.quoted, item.spoken) for item in check.differences] == [("fire", "oil")]


def test_words_of_another_author_are_misattributed(works):
    check = works.check(quote("I do not fear the long winter"))
    assert check.verdict is WorkVerdict.MISATTRIBUTED
    assert check.place is not None
    assert (check.place.author, check.place.title) == ("Tom Hale", "Letters")


def test_words_that_no_work_of_the_author_has_are_not_found(works):
    assert works.check(quote("Honey is the memory of a summer")).verdict is WorkVerdict.NOT_FOUND


def test_what_another_author_quotes_is_not_his(works):
    check = works.check(quote("An honest roof needs no second nail", "Basho"))
    assert check.verdict is WorkVerdict.UNCHECKED
    assert check.place is not None
    assert (check.place.title, check.place.paragraph) == ("Letters", 1)
    assert works.check(quote("An honest roof needs no second nail")).verdict is WorkVerdict.NOT_FOUND
    assert apply_check(check) == check.quote


def test_a_quote_without_an_author_counts_by_the_title_of_its_work(works):
    line = "Keep the rope dry"
    assert works.check(quote(line, "", "The Harbour")).verdict is WorkVerdict.VERIFIED
    assert works.check(quote(line, "", "A Mill Song")).verdict is WorkVerdict.MISATTRIBUTED
    assert works.check(quote(line, "", "")).verdict is WorkVerdict.VERIFIED
    assert works.check(quote("Honey is a summer", "", "King James Bible")).verdict is WorkVerdict.UNCHECKED


def test_nothing_is_said_of_an_author_without_a_work(works):
    assert works.check(quote("Honey is the memory of a summer", "Basho")).verdict is WorkVerdict.UNCHECKED


def test_a_short_quote_has_to_be_there_word_for_word(works):
    assert works.check(quote("Keep the rope dry!")).verdict is WorkVerdict.VERIFIED
    assert works.check(quote("Keep the ropes wet")).verdict is WorkVerdict.NOT_FOUND


def test_words_across_two_paragraphs_are_located_in_both(works):
    check = works.check(quote("by the wind alone. She said it twice."))
    assert check.verdict is WorkVerdict.VERIFIED
    assert check.place is not None
    assert (check.place.paragraph, check.place.last_paragraph) == (0, 1)
    assert check.place.words == "by the wind alone.\nShe said it twice"


def test_words_are_not_joined_across_two_works(works):
    text = f"{HARBOUR.paragraphs[-1]} {LETTERS.paragraphs[0][:24]}"
    assert works.check(quote(text)).verdict is not WorkVerdict.VERIFIED


def test_a_work_without_an_author_counts_by_its_title(works):
    line = "the corn is not yet bread"
    assert works.check(quote(line, "Old Jack", "A Mill Song")).verdict is WorkVerdict.VERIFIED
    assert works.check(quote(line, "Old Jack")).verdict is WorkVerdict.UNCHECKED


def test_a_part_of_a_name_is_the_same_author():
    assert is_by(HARBOUR, quote("x", "Wren"))
    assert is_by(HARBOUR, quote("x", "Dame Ada Wren"))
    assert not is_by(HARBOUR, quote("x", "Ada Lovelace"))


STONE = "The river remembers every stone that men throw into it."


def write(author: str, *paragraphs: str) -> Transcript:
    return Transcript(author, "Essays", author, None, None, paragraphs)


@pytest.mark.parametrize(
    ("author", "other"),
    [
        ("John Adams", "John Quincy Adams"),
        ("Martin Luther King Jr.", "Martin Luther"),
        ("Franklin D. Roosevelt", "Franklin"),
        ("Milton", "Milton Friedman"),
    ],
)
def test_words_of_an_author_whose_name_may_mean_another_are_shown_but_prove_nothing(author, other):
    check = Works([write(other, STONE)]).check(quote(STONE, author))
    assert check.verdict is WorkVerdict.UNCHECKED
    assert check.place is not None
    assert check.place.author == other
    assert apply_check(check) == check.quote
    known = Works([write(author, "We go on."), write(other, STONE)]).check(quote(STONE, author))
    assert known.verdict is WorkVerdict.NOT_FOUND
    assert known.place == check.place


def test_words_of_an_author_whose_folder_has_a_catalogue_heading_are_verified():
    check = Works([write("Tolstoy, Leo, graf, 1828-1910", STONE)]).check(quote(STONE, "Leo Tolstoy"))
    assert check.verdict is WorkVerdict.VERIFIED


def test_only_authors_who_share_a_word_or_initials_with_the_quotes_are_compared(monkeypatch):
    compared = []

    def record(work, quote):
        compared.append(work.speaker)
        return is_by(work, quote)

    monkeypatch.setattr("jobs.famous.works.is_by", record)
    names = ("Ada Wren", "Zebulon Pike", "John F. Kennedy", "Kennedy, Ada")
    works = Works([*(write(name, f"{STONE} So says {name}.") for name in names), ANONYMOUS])
    assert works.check(quote(STONE, "JFK")).verdict is WorkVerdict.UNCHECKED
    assert compared == ["John F. Kennedy", None]
    compared.clear()
    assert works.check(quote(STONE, "Kennedy")).verdict is WorkVerdict.VERIFIED
    assert compared == ["John F. Kennedy", "Kennedy, Ada", None]


def test_words_of_a_doubtful_author_are_not_attributed_to_a_later_one():
    for works in (("Zebulon Pike", "John Quincy Adams"), ("John Quincy Adams", "Zebulon Pike")):
        check = Works([write(author, STONE) for author in works]).check(quote(STONE, "John Adams"))
        assert check.verdict is WorkVerdict.UNCHECKED
        assert check.place is not None
        assert check.place.author == "John Quincy Adams"


def test_words_that_others_quote_are_attributed_to_the_author_who_wrote_them():
    quoted = write("Ann Anthologist", f"A sage wrote: “{STONE}” I like it.")
    own = write("Zebulon Pike", "We went on.", STONE)
    for works in ([quoted, own], [own, quoted]):
        check = Works([*works, write("Goethe", "The night was cold.")]).check(quote(STONE, "Goethe"))
        assert check.verdict is WorkVerdict.MISATTRIBUTED
        assert check.place is not None
        assert (check.place.author, check.place.paragraph) == ("Zebulon Pike", 1)


def test_altered_words_that_others_quote_are_attributed_to_the_author_who_wrote_them():
    changed = "The river remembers every heavy stone that men throw into it."
    works = Works(
        [write("Ann Anthologist", f"A sage wrote: “{changed}” I like it."), write("Zebulon Pike", changed)]
    )
    check = works.check(quote(STONE, "Goethe"))
    assert check.verdict is WorkVerdict.MISATTRIBUTED
    assert check.place is not None
    assert check.place.author == "Zebulon Pike"


def test_a_dispute_stays_if_the_author_quotes_the_words():
    disputed = FamousQuote("q", STONE, "Ada Wren", status=AttributionStatus.DISPUTED, provenance="by Hale?")
    quoting = Works([write("Ada Wren", f"The remark of Hale applies: “{STONE}” It is true.")])
    assert quoting.check(disputed).verdict is WorkVerdict.VERIFIED
    assert apply_check(quoting.check(disputed)) == disputed
    undisputed = quote(STONE)
    assert apply_check(quoting.check(undisputed)).status is AttributionStatus.VERIFIED
    also_writing = Works([write("Ada Wren", f"Hale says: “{STONE}” Yes.", STONE)])
    check = also_writing.check(disputed)
    assert check.place is not None
    assert check.place.paragraph == 1
    assert apply_check(check).status is AttributionStatus.VERIFIED


def test_a_quote_without_an_author_is_misattributed_only_if_the_work_it_names_is_there(works):
    line = "Keep the rope dry"
    check = works.check(quote(line, "", "The Tragedy of the Harbour"))
    assert check.verdict is WorkVerdict.UNCHECKED
    assert check.place is not None
    assert check.place.title == "The Harbour"
    assert works.check(quote(line, "", "A Mill Song")).verdict is WorkVerdict.MISATTRIBUTED


def test_the_status_follows_from_the_check(works):
    verified = apply_check(works.check(quote("Keep the rope dry")))
    assert (verified.status, verified.provenance) == (
        AttributionStatus.VERIFIED,
        "found word for word in The Harbour by Ada Wren",
    )
    wrong = apply_check(works.check(quote("I do not fear the long winter")))
    assert (wrong.status, wrong.author) == (AttributionStatus.DISPUTED, "Ada Wren")
    assert wrong.provenance == "the words stand in Letters by Tom Hale: I do not fear the long winter"
    unchanged = quote("Honey is the memory of a summer")
    assert apply_check(works.check(unchanged)) == unchanged


def test_a_folder_inside_names_the_author_of_its_files(tmp_path):
    (tmp_path / "Ada_Wren").mkdir()
    (tmp_path / "Ada_Wren" / "harbour.txt").write_text("\n\n".join(HARBOUR.paragraphs), "utf-8")
    (tmp_path / "letters.jsonl").write_text(
        '{"id": "l", "title": "Letters", "speaker": "Tom Hale", "paragraphs": ["We go on."]}', "utf-8"
    )
    errors = []
    works = list(read_works(tmp_path, count_tokens=lambda text: len(text.split()), refused=errors.append))
    assert [(work.speaker, work.id) for work in works] == [
        ("Ada Wren", "Ada_Wren/harbour"),
        ("Tom Hale", "l"),
    ]
    assert errors == []


def test_two_files_with_one_name_are_two_works_with_words_of_their_own(tmp_path):
    (tmp_path / "hamlet.md").write_text("The rest is silence.", "utf-8")
    (tmp_path / "hamlet.txt").write_text(
        "Something is rotten.\n\nBrevity is the soul of wit, said the old man.", "utf-8"
    )
    works = list(read_works(tmp_path, count_tokens=lambda text: len(text.split()), refused=print))
    assert [work.id for work in works] == ["hamlet", "hamlet.txt/hamlet"]
    check = Works(works).check(quote("Brevity is the soul of wit", "", ""))
    assert check.verdict is WorkVerdict.VERIFIED
    assert check.place is not None
    assert (check.place.document, check.place.paragraph, check.place.words) == (
        "hamlet.txt/hamlet",
        1,
        "Brevity is the soul of wit",
    )


def test_a_folder_that_is_not_there_is_bad_input(tmp_path):
    with pytest.raises(BadInput, match="not a folder of works"):
        list(read_works(tmp_path / "none", count_tokens=len, refused=print))
