"""Find spans that end inside a phrase, or between two words that belong together."""

from __future__ import annotations

from quotations.grammar.cut_vocabulary import ADVERBIALS, CLAUSE_TAKERS, COORDINATORS, RELATIVES
from quotations.grammar.tagging import Word
from quotations.printing.print_spans import Part, is_dash

LIMITING = frozenset(("long", "far", "soon", "much", "insofar", "inasmuch"))
"""Words before "as" that limit what is said: "so long as"."""


def _is_before_restart(part: Part) -> bool:
    """Return whether the phrase after the printed words is begun twice: "[the room] off my — off the
    hall".
    """
    after, gaps = part.last + 1, part.sentence.gaps
    following = part.sentence.words[after]
    dash = next((i for i in range(after + 1, min(len(gaps), after + RESTART_WORDS)) if is_dash(gaps[i])), 0)
    is_same = dash > 0 and part.sentence.words[dash].lower == following.lower
    return is_same and following.tag == "ADP" and part.words[-1].tag in ("NOUN", "PROPN", "PRON")


RESTART_WORDS = 5


def is_before_adjectives(part: Part) -> bool:
    """Return whether the printed words end between adjectives of the same noun.

    Example, with the printed words in brackets: "[a nameless], groundless terror".
    """
    earlier, following = part.words[-2:-1], part.get_word(part.last + 1)
    if earlier and following is not None and earlier[0].lower == following.lower in ("more", "most", "less"):
        return True  # "a more practical, | more attainable peace"
    if part.words[-1].tag != "ADJ":
        return False
    after = part.sentence.words[part.last + 1 :]
    noun = next((i for i, word in enumerate(after) if word.tag != "ADJ"), 0)
    return noun > 0 and after[noun].tag in ("NOUN", "PROPN")


def name_fault_before_blank(part: Part) -> str:
    """Return why the printed words should not end right before a word without punctuation between them.

    The result is the name of a flaw, such as "inside a clause". It is "" if they may end there.
    """
    last, following = part.words[-1], part.following
    if following.lower == "as" and last.lower in LIMITING:
        return "inside a clause"  # "We will not test so long | as others do not"
    if _is_before_restart(part):
        return ""
    if _is_cutting_phrase(part):
        return "inside a clause"
    if following.lower in ADVERBIALS and following.tag in ("SCONJ", "ADV"):
        return ""
    if following.tag == "CCONJ":
        after = part.get_word(part.last + 2)
        is_question = after is not None and after.lower in ("what", "how", "that", "why")
        may_end = is_question or _is_followed_by_clause(part) or _is_followed_by_predicate(part, last)
        return "" if may_end else "inside a series"
    if following.lower in RELATIVES or following.lower == "that":
        return "inside a noun phrase" if last.tag in ("NOUN", "PROPN", "PRON") else "inside a clause"
    if _is_followed_by_clause(part) and last.tag not in ("VERB", "AUX") and last.lower not in CLAUSE_TAKERS:
        return ""
    return "inside a clause"


def _is_cutting_phrase(part: Part) -> bool:
    """Return whether the last printed word needs the word after it: "the [end of] it", "no [matter] how"."""
    last, following = part.words[-1], part.following
    if last.tag in ("DET", "ADP", "SCONJ", "CCONJ", "AUX") or last.lower in NEEDING_MORE:
        return True
    if following.lower == "than" or last.lower == "matter":
        return True
    return _is_half_compared(part, following) or _is_described_place(part, following)


NEEDING_MORE = frozenset(("to", "my", "our", "your", "their", "its", "not"))


def _is_half_compared(part: Part, following: Word) -> bool:
    """Return whether the printed words end after the first half of a comparison: "[as strong] as the rest of
    us".
    """
    before = [word.lower for word in part.words[-4:-1]]
    return following.lower == "as" and part.words[-1].tag in ("ADJ", "ADV") and "as" in before


def _is_described_place(part: Part, following: Word) -> bool:
    """Return whether a clause with "where" follows the printed words and describes their last noun.

    Example: "[to build a country] where nobody is hungry".
    """
    before = {word.lower for word in part.words[-4:-1]}
    return following.lower == "where" and part.words[-1].tag == "NOUN" and bool(before & INDEFINITES)


INDEFINITES = frozenset(("a", "an", "any", "no", "every", "some"))


def _is_followed_by_predicate(part: Part, last: Word) -> bool:
    """Return whether "and" and a second verb with words of its own follow: "[cut waste] and raise wages"."""
    verb, after = part.get_word(part.last + 2), part.get_word(part.last + 3)
    is_or = part.sentence.words[part.last + 1].lower == "or"
    if is_or and after is not None and after.tag in ("ADP", "PART"):
        return False  # "a modification | or change to the bill"
    if after is not None and "," in part.sentence.gaps[part.last + 3]:
        return False  # "of fear | and hate, and ..."
    return verb is not None and verb.tag == "VERB" and last.tag in ("NOUN", "PROPN", "NUM")


def _is_followed_by_clause(part: Part) -> bool:
    """Return whether another clause follows the printed words, directly or after a word such as "and"."""
    after = part.last + 1
    clause = part.sentence.clause_of[after]
    if clause is part.sentence.clause_of[part.last]:
        following = part.get_word(after + 1)
        return (
            part.sentence.words[after].lower in COORDINATORS and following is not None and following.is_finite
        )
    return clause.first >= after - 1 and clause.kind in ("main", "content") and clause.verb is not None
