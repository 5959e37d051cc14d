"""Find spans that end inside a clause, or without a clause that they need."""

from __future__ import annotations

from quotations.grammar.cut_vocabulary import BE_FORMS, CLAUSE_TAKERS, TIMES
from quotations.grammar.tagging import Word
from quotations.printing.ends_in_lists import has_infinitive
from quotations.printing.print_spans import Part, is_dash

ORDERING_VERBS = frozenset(
    (
        "urge",
        "ask",
        "invite",
        "call",
        "challenge",
        "encourage",
        "implore",
        "direct",
        "instruct",
        "order",
        "beg",
        "want",
    )
)


def is_without_infinitive(part: Part) -> bool:
    """Return whether the printed words end before the infinitive that a verb such as "urge" needs.

    Example, with the printed words in brackets: "[I urge you], to join me".
    """
    if not any(word.lower in ORDERING_VERBS for word in part.words):
        return False
    verb = part.clauses[0].verb
    if verb is None or part.words[verb].lower not in ORDERING_VERBS:
        return False
    inside, after = part.words[verb + 1 :], part.sentence.words[part.last + 1 :]
    return not has_infinitive(inside) and has_infinitive(after)


def is_before_aside(part: Part) -> bool:
    """Return whether the clause of the printed words continues after a comma, usually after an aside.

    Examples: "[which], like the old mill, will grind" and "[the people have], in the main, understood". A
    noun phrase without a comma, such as "[the people]", does not count, because a writer can embed it.
    """
    if part.gap_after.strip() != ",":
        return False
    last, words, gaps = part.words[-1], part.sentence.words, part.sentence.gaps
    if last.lower == "that" and last.tag == "SCONJ":
        return True
    clause = part.sentence.clause_of[part.last]
    opener = clause.opener if clause.kind == "relative" else None
    if opener is not None and part.first <= opener <= part.last:
        is_aside = "," in gaps[opener + 1] and not any("," in gap for gap in gaps[opener + 2 : part.last + 1])
        if is_aside or not any(word.is_finite for word in words[opener : part.last + 1]):
            return True
    after = part.last + 1
    is_phrase = not any(word.is_finite for word in part.words) and not any("," in gap for gap in part.gaps)
    has_subject = clause.subject is not None and part.first <= clause.subject <= part.last
    if clause.verb == after and words[after].is_finite:
        return has_subject and not is_phrase
    closes = next((i for i in range(after + 1, min(len(words), after + LONGEST_ASIDE)) if "," in gaps[i]), 0)
    if not closes or any(word.is_finite for word in words[after:closes]):
        return False
    if last.tag in ("AUX", "VERB") and words[after].tag in ("ADP", "ADV"):
        tags = ("VERB", "NOUN", "ADJ", "DET") if last.lower in BE_FORMS else ("VERB", "NOUN", "ADJ")
        return words[closes].tag in tags
    has_subject = clause.subject is not None and part.first <= clause.subject < closes
    return clause.verb == closes and has_subject and not is_phrase and words[closes].lower != "do"


LONGEST_ASIDE = 10
"""Words of an aside between commas."""


def is_inside_aside(part: Part) -> bool:
    """Return whether the printed words end inside an aside that a dash opens, and that a later dash
    closes.
    """
    closes = any(is_dash(gap) for gap in part.sentence.gaps[part.last + 2 : part.last + 8])
    return closes and sum(is_dash(gap) for gap in part.gaps) % 2 == 1


def is_without_verb(part: Part) -> bool:
    """Return whether the last clause of the printed words has its subject inside, but its verb outside.

    Example: "[I hope that men of the land], ... will come".
    """
    clause = part.sentence.clause_of[part.last]
    if clause.verb is None or clause.subject is None or not part.first < clause.subject <= part.last:
        return False
    return clause.verb > part.last and clause.kind == "content" and clause.first > part.first


def is_without_main_clause(part: Part) -> bool:
    """Return whether the printed words end with a subordinate clause whose main clause follows.

    Example: "[If it rains], we stay".
    """
    clause = part.sentence.clause_of[part.last]
    while clause.kind != "main" and clause.parent is not None:
        if clause.kind == "adverbial" and clause.first >= part.first:
            parent = part.sentence.clauses[clause.parent]
            return parent.verb is not None and parent.verb > part.last
        clause = part.sentence.clauses[clause.parent]
    return False


def is_without_content(part: Part) -> bool:
    """Return whether the printed words announce a clause by "that" or a verb ("I know"), but end before it.

    The brackets mark the printed words: "[shows that when it snows] — not rains — they stay", "[I know some
    years ago, as you said], it was".
    """
    clause, sentence = part.sentence.clause_of[part.last], part.sentence
    if clause.kind != "adverbial" or clause.parent is None or clause.first <= part.first:
        return False
    parent = sentence.clauses[clause.parent]
    if parent.kind == "content" and parent.verb is None and parent.first > part.first:
        return True
    if parent.verb is None or sentence.words[parent.verb].lower not in CLAUSE_TAKERS:
        return False
    between = sentence.words[parent.verb + 1 : clause.first]
    return bool(between) and "," in part.gap_after and all(_is_of_time(word) for word in between)


def _is_of_time(word: Word) -> bool:
    return word.tag in ("NUM", "ADV", "DET") or word.lower in TIMES


def is_before_auxiliary(part: Part) -> bool:
    """Return whether a finite auxiliary follows: "[what they would rather have], would want more"."""
    return part.following.tag == "AUX" and part.following.is_finite
