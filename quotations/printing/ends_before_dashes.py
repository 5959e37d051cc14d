"""Find spans that end before a dash after which the speaker goes on or begins again."""

from __future__ import annotations

from quotations.grammar.cut_vocabulary import BROKEN_OFF
from quotations.printing.print_spans import Part, is_dash, is_open


def is_said_again(part: Part) -> bool:
    """Return whether the word after the printed words repeats the last of them, perhaps in another form.

    Example: "[an incredibly] — incredible people".
    """
    one, other = part.words[-1].lower, part.following.lower
    return one == other or (one[:STEM_LETTERS] == other[:STEM_LETTERS] and len(one) >= STEM_LETTERS)


STEM_LETTERS = 7


def is_begun_again(part: Part) -> bool:
    """Return whether the last printed words are repeated right after them: "[but by faith] — by faith, we
    do".
    """
    lowers = [word.lower for word in part.sentence.words]
    end = part.last + 1
    return any(lowers[end - count : end] == lowers[end : end + count] for count in range(2, MOST_AGAIN + 1))


MOST_AGAIN = 5  # words


def is_closing_aside(part: Part) -> bool:
    """Return whether the dash after the printed words closes an aside that began inside them.

    Brackets mark the printed words: "[We built roads — good roads] — and bridges".
    """
    return sum(is_dash(gap) for gap in part.gaps) % 2 == 1 and is_dash(part.gap_after)


def is_resuming(part: Part) -> bool:
    """Return whether the word after the end is also one of the last printed words: "[the war] — the war of
    ...".
    """
    following = part.following
    return (
        ":" not in part.gap_after
        and following.tag != "VERB"
        and following.lower in {word.lower for word in part.words[-9:]}
    )


def is_dangling(part: Part) -> bool:
    """Return whether the phrase at the end of the printed words is begun again after a dash.

    The phrase follows a semicolon and has no verb. Example, with the printed words in brackets: "[we help
    them; their children] — their children need it".
    """
    marks = [i for i in range(1, len(part.words)) if ";" in part.gaps[i]]
    tail = part.words[marks[-1] :] if marks else ()
    is_phrase = bool(tail) and not any(word.is_finite for word in tail)
    return is_phrase and is_dash(part.gap_after) and part.following.lower in {word.lower for word in tail}


def is_broken_off(part: Part) -> bool:
    """Return whether the last printed word needs another word: "[he] — no, she", "[devastating] — this"."""
    last = part.words[-1]
    is_cut = last.lower in BROKEN_OFF or is_open(last)
    return is_cut or (last.tag == "VERB" and is_resuming(part))


def is_after_aside(part: Part) -> bool:
    """Return whether the clause of the printed words goes on after the dash that ends their aside."""
    return is_closing_aside(part) and part.following.tag in ("ADP", "PART")


def is_going_on(part: Part) -> bool:
    """Return whether the sentence goes on after two dashes between which a note was taken out."""
    following = part.following
    return following.tag in ("ADP", "PART", "AUX") or (is_resuming(part) and is_open(part.words[-1]))
