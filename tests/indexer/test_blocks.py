"""Turn words that a file itself marks as not speech into marks, whatever they are."""

from indexer.blocks import Aside, Block, build_block
from indexer.cleaning_marks import clean


def marks(cleaned):
    return [(mark.kind, mark.text, mark.start_char) for mark in cleaned.marks]


def test_asides_of_a_block_become_marks_at_their_place():
    given = build_block(
        [Aside("speaker", "Predsednik"), " Hvala ", Aside("stage", "Aplavz"), ". Nadaljujmo.  "]
    )
    cleaned = clean([given, build_block([Aside("time", "12.30")]), "Konec."])
    assert cleaned.text == "Hvala. Nadaljujmo.\n\nKonec."
    assert marks(cleaned) == [("speaker", "Predsednik", 0), ("stage", "Aplavz", 5), ("time", "12.30", 20)]


def test_no_mark_is_recognised_within_an_aside():
    cleaned = clean([build_block([Aside("stage", "MR. KING: (Applause.)"), " So be it. (Laughter.)"])])
    assert (cleaned.text, marks(cleaned)) == (
        "So be it.",
        [("stage", "MR. KING: (Applause.)", 0), ("stage", "(Laughter.)", 9)],
    )


def test_spaces_fold_and_line_ends_stay_across_pieces_that_follow_each_other():
    assert build_block(["  One \t", " e", "\u0301 ", " \n two", " "]) == Block("One é\ntwo")
    assert build_block([]) == build_block(["  ", Aside("stage", " ")]) == Block("")
