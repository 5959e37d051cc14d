"""Find spans that end inside a list or series."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from quotations.grammar.gaps import is_hard
from quotations.grammar.passages import Sentence
from quotations.grammar.tagging import Word
from quotations.printing.print_spans import Part

ANNOUNCED_WITHIN = 14
"""Number of words before a colon in which a number announces a list."""


def is_interrupted(part: Part) -> bool:
    """Return whether the printed words end with "and" and an insertion between commas.

    Example: "[and, in the end], mend it", where the brackets are the printed words.
    """
    joins = [i for i, word in enumerate(part.words[:-1]) if word.tag == "CCONJ"]
    if not joins or "," not in part.gaps[joins[-1] + 1] or "," not in part.gap_after:
        return False
    return not any(word.tag in ("VERB", "AUX") for word in part.words[joins[-1] :])


def is_cut_list(part: Part) -> bool:
    """Return whether a list continues after the printed words.

    The printed words have a colon and no verb, as in "[three things: a road], a mill". Or they end with two
    adjectives and a comma between them, as in "[a proud, free], brave people". The brackets are the printed
    words.
    """
    if part.gap_after.strip()[:1] not in (",", ";"):
        return False
    has_colon = any(":" in gap for gap in part.gaps)
    if has_colon and not any(word.is_finite for word in part.words):
        return True
    last, earlier = part.words[-1], part.words[-2] if len(part.words) > 1 else None
    return last.tag == "ADJ" and earlier is not None and earlier.tag == "ADJ" and "," in part.gaps[-1]


def is_infinitive_item(part: Part) -> bool:
    """Return whether the printed words end with an infinitive and another infinitive follows: "[to rest], to
    wait".
    """
    following = part.sentence.words[part.last + 1 : part.last + 3]
    return has_infinitive(following) and has_infinitive(part.words[-6:])


def has_infinitive(words: Sequence[Word]) -> bool:
    """Return whether "to" and an infinitive are among consecutive words."""
    pairs = pairwise(words)
    return any(word.lower == "to" and following.form == "Inf" for word, following in pairs)


def is_announcing_list(part: Part) -> bool:
    """Return whether a number before the last colon in the printed words announces a list: "two safeguards:
    ...".
    """
    colons = [i for i in range(1, len(part.words)) if ":" in part.gaps[i]]
    if not colons or part.gap_after.strip()[:1] not in (",", ";"):
        return False
    before = part.words[max(0, colons[-1] - ANNOUNCED_WITHIN) : colons[-1]]
    return any(word.tag == "NUM" or word.lower in ("following", "several", "these") for word in before)


def is_parallel(part: Part) -> bool:
    """Return whether the word after the printed words also begins an item of a list inside them.

    The list follows their last dash or colon: "in" begins both items of "[everywhere: in our towns], in our
    fields".
    """
    hard = [i for i in range(1, len(part.words)) if is_hard(part.gaps[i])]
    if not hard:
        return False
    items = {
        part.words[i].lower for i in range(hard[-1], len(part.words)) if i == hard[-1] or "," in part.gaps[i]
    }
    return part.following.lower in items and not any(word.is_finite for word in part.words[hard[-1] :])


def is_half_a_contrast(part: Part) -> bool:
    """Return whether "not X" is in the printed words and "but Y" follows them: "[not days], but years"."""
    if part.following.lower != "but":
        return False
    after = part.sentence.words[part.last + 1 : part.last + 10]
    denied = any(word.lower in ("not", "n't") for word in part.words[-14:])
    return denied and not any(word.is_finite for word in after)


def is_repeating(part: Part) -> bool:
    """Return whether a list of phrases with the same preposition goes on after the printed words.

    Example: "[for you], for your sons, for all".
    """
    following = part.following
    if following.tag != "ADP" or part.gap_after.strip() != ",":
        return False
    before = [word.lower for word in part.words[-4:]]
    after = part.sentence.words[part.last + 2 : part.last + 2 + REPEATING_WORDS]
    is_item = any(
        word.lower == following.lower and "," in gap for word, gap in zip(part.words, part.gaps, strict=True)
    )
    return following.lower in before and (is_item or following.lower in {word.lower for word in after})


REPEATING_WORDS = 8


LIST_WORDS = 24
"""Words after an item within which "and" must follow if it is one of a list."""


def is_list_item(sentence: Sentence, at: int) -> bool:
    """Return whether the words from `at` continue a list: "women" in "men, women, and children"."""
    words, gaps = sentence.words, sentence.gaps
    if words[at].lower in ("and", "or") and not any(w.is_finite for w in words[at : at + 8]):
        return True
    if words[at].tag not in ("NOUN", "PROPN", "ADJ", "NUM", "DET"):
        return False
    if _is_after_colon(sentence, at):
        return True
    for i in range(at, min(len(words), at + LIST_WORDS)):
        if words[i].is_finite or (i > at and is_hard(gaps[i])):
            return False
        if i > at and words[i].lower in ("and", "or") and ("," in gaps[i] or not gaps[i].strip()):
            return any("," in gaps[k] for k in range(at, i + 1)) or at == 0
    return False


def _is_after_colon(sentence: Sentence, at: int) -> bool:
    """Return whether the word `at` begins a further item of a list after a colon: "a mill" in "a road, a
    mill".
    """
    for i in range(at - 1, max(0, at - 25), -1):
        word = sentence.words[i]
        if word.is_finite and word.lower != "'s" and not word.is_capital:
            return False
        if ":" in sentence.gaps[i]:
            return True
    return False


def is_before_item(part: Part) -> bool:
    """Return whether the word after the printed words is an item of a list that they begin."""
    return is_list_item(part.sentence, part.last + 1)


def is_between_numbers(part: Part) -> bool:
    """Return whether a number ends the printed words and another number follows: "[in 1848], 1849"."""
    return part.words[-1].tag == part.following.tag == "NUM"


def is_between_adverbs(part: Part) -> bool:
    """Return whether an adverb ends the printed words and another one follows: "[fully], freely given"."""
    last, following = part.words[-1], part.following
    is_pair = last.tag == following.tag == "ADV"
    return is_pair and last.lower.endswith("ly") and following.lower.endswith("ly")


def is_before_second_item(part: Part) -> bool:
    """Return whether the printed words end with "and", or with "and" and an adverb: "[he came and then]"."""
    if part.words[-1].tag == "CCONJ":
        return True
    return part.words[-1].tag == "ADV" and len(part.words) > 1 and part.words[-2].tag == "CCONJ"
