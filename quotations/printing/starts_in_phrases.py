"""Find spans that begin inside a phrase, such as a noun phrase or a pair."""

from __future__ import annotations

from quotations.grammar.cut_vocabulary import (
    COLLECTIVES,
    IRREGULAR_PLURALS,
    MONTHS,
    NOMINATIVES,
    TAKING_VERBS,
)
from quotations.printing.print_spans import Part


def is_apposed_name(part: Part) -> bool:
    """Return whether the printed words begin with a name that explains the noun before it.

    Example, with the printed words in brackets: "our mayor, [Ada Lee, wrote]".
    """
    before, count = part.previous, 0
    while count < len(part.words) and part.words[count].tag == "PROPN":
        count += 1
    is_closed = 0 < count < len(part.words) and part.gaps[count].strip() == ","
    return is_closed and before.tag == "NOUN" and part.words[count].is_finite


def is_pointing_at_subject(part: Part) -> bool:
    """Return whether the "that" before the printed words belongs to their first noun, as "this" would.

    Only a phrase without a verb may come before "that": "In the end, that [law expired]".
    """
    if part.previous.lower != "that" or part.words[0].tag not in ("NOUN", "ADJ", "PROPN"):
        return False
    before = part.sentence.words[: part.first - 1]
    is_phrase = bool(before) and not any(word.tag in ("VERB", "AUX") for word in before)
    return is_phrase and "," in part.sentence.gaps[part.first - 1]


def is_year(part: Part) -> bool:
    """Return whether the printed words begin with the year of a date: "the 22d of April, [1793]"."""
    before = part.sentence.words[max(0, part.first - 3) : part.first]
    is_date = any(word.lower in MONTHS for word in before)
    return part.words[0].lower.isdigit() and is_date


def is_second_adjective(part: Part) -> bool:
    """Return whether the printed words begin with the second of two adjectives.

    Examples: "with clear, [lasting rules]", "the safest, [the richest town]".
    """
    before = part.sentence.words[max(0, part.first - 2) : part.first]
    if len(before) < 2 or before[1].tag != "ADJ":
        return False
    opening = [word.tag for word in part.words[:3]]
    is_adjective = opening[0] == "ADJ" and before[0].tag in ("ADP", "DET", "PRON", "AUX")
    return is_adjective or (opening[0] == before[0].tag == "DET" and "ADJ" in opening[1:])


def is_pointed_at(part: Part) -> bool:
    """Return whether the "that" before the printed words points at a noun that they begin with.

    A preposition, or a verb with an object, comes before it: "in that [mill]", "take that [road]". Or the
    "that" is the second of a pair.
    """
    before, word = part.get_word(part.first - 2), part.words[0]
    if part.previous.lower != "that" or before is None or word.tag not in ("NOUN", "PROPN"):
        return False
    is_place = before.tag == "ADP" and before.lower not in CLAUSE_PREPOSITIONS
    return is_place or before.lower in TAKING_VERBS or _is_second_of_pair(part)


CLAUSE_PREPOSITIONS = frozenset(("in", "except", "save", "but", "like", "than"))
"""Prepositions before "that" and a clause: "in that roads matter"."""


def _is_second_of_pair(part: Part) -> bool:
    """Return whether the "that" before the printed words is the second of a pair: "that road and that
    [mill]".
    """
    words = part.sentence.words[max(0, part.first - 4) : part.first]
    return [word.lower for word in words[::2]] == ["that", "and"] and words[1].tag in ("NOUN", "PROPN")


def is_number_wrong(part: Part) -> bool:
    """Return whether a singular noun has a plural verb, because half of its subject is outside the printed
    words.

    Example: "the crime rate and [the incarceration rate have come down]".
    """
    main = part.clauses[0]
    if main.verb is None or main.subject is None or main.verb != main.subject + 1:
        return False
    subject, verb = part.words[main.subject], part.words[main.verb]
    is_singular = subject.tag == "NOUN" and not subject.lower.endswith("s")
    is_collective = subject.lower in IRREGULAR_PLURALS | COLLECTIVES
    is_plain = all(word.tag in ("DET", "ADJ", "NOUN", "PROPN") for word in part.words[: main.subject])
    return is_singular and not is_collective and is_plain and verb.lower in ("have", "are", "were")


def has_relative_only(part: Part) -> bool:
    """Return whether the printed words begin with a noun and a relative clause: "that [decency that has been
    ...]".
    """
    if part.previous.lower != "that":
        return False
    nouns = next((i for i, w in enumerate(part.words) if w.tag not in ("ADJ", "NOUN", "PROPN")), 0)
    return 0 < nouns < 4 and part.words[nouns].lower in ("that", "which", "who")


def is_inside_pair(part: Part) -> bool:
    """Return whether the printed words begin inside a pair: "great and [powerful groups]", "men and [women
    protested]".
    """
    words, first = part.sentence.words, part.first
    if first < 3 or words[first - 1].tag != "CCONJ":
        return False
    before, earlier, word = words[first - 3], words[first - 2], words[first]
    is_plural = earlier.lower.endswith(("s", "men", "children"))
    is_bare = before.tag == "ADP" or (before.tag not in ("DET", "PRON", "NUM") and is_plural)
    return earlier.tag == word.tag == "ADJ" or (earlier.tag == word.tag == "NOUN" and is_bare)


def is_inside_noun_phrase(part: Part) -> bool:
    """Return whether the last word before the printed words and their first word belong to one phrase.

    Examples: "the [mill]", "our [town]", "new [roads]", "so [many]", "steel [mills]". The brackets are the
    printed words.
    """
    previous, word = part.previous, part.words[0]
    if previous.tag in ("DET", "NUM") and word.tag in ("NOUN", "ADJ", "PROPN", "NUM", "ADV", "VERB"):
        return True
    if (
        previous.lower in POSSESSIVES
        and word.tag in ("NOUN", "ADJ", "PROPN", "NUM", "VERB", "ADV")
        and previous.tag in ("PRON", "PART", "DET")
    ):
        return True
    if previous.tag == "ADJ" and word.tag in ("NOUN", "PROPN", "ADJ"):
        return True
    if previous.lower in ("so", "too", "very", "as") and word.lower in ("many", "much", "few", "little"):
        return True
    is_compound = previous.tag in ("NOUN", "PROPN") and word.tag in ("NOUN", "PROPN")
    return is_compound and previous.is_capital == word.is_capital


POSSESSIVES = frozenset(("my", "our", "your", "his", "her", "its", "their", "'s"))


def is_inside_verb(part: Part) -> bool:
    """Return whether an auxiliary comes right before "not", "been" or a pronoun: "have [been told]"."""
    return part.previous.tag == "AUX" and part.words[0].lower in VERB_PARTS


VERB_PARTS = NOMINATIVES | {"n't", "not", "been"}


def is_before_abbreviated(part: Part) -> bool:
    """Return whether an abbreviation that describes the first printed word comes before it: "U.S.
    [emissions]".
    """
    return part.gap_before == ". " and part.words[0].tag in ("NOUN", "ADJ", "PROPN")
