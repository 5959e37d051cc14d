"""Find spans that begin inside a list."""

from __future__ import annotations

from quotations.printing.ends_in_lists import is_list_item
from quotations.printing.print_spans import Part, is_dash


def is_any_other(part: Part) -> bool:
    """Return whether the printed words begin with "any other" or "any one", right after "or" or "nor".

    Example, with the printed words in brackets: "not a burden that Ohio or [any other]".
    """
    opener, before = part.previous, part.get_word(part.first - 2)
    is_pair = opener.lower in ("or", "nor") and before is not None and before.tag in ("NOUN", "PROPN", "PRON")
    return is_pair and [word.lower for word in part.words[:2]] in (["any", "other"], ["any", "one"])


def is_inside_listed_subject(part: Part) -> bool:
    """Return whether the printed words begin inside a list of nouns: "bread and [hope, truth and love]"."""
    words, before = part.words, part.get_word(part.first - 2)
    if part.previous.tag != "CCONJ" or before is None or before.tag != "NOUN":
        return False
    return all(word.tag == "NOUN" for word in words[:2]) and "," in "".join(part.gaps[1:2])


def is_inside_aside(part: Part) -> bool:
    """Return whether the printed words begin within a list between dashes.

    Example: "some — five men, [six women — came]", where the brackets are the printed words.
    """
    sentence, first = part.sentence, part.first
    dashes = [i for i in range(max(1, first - ASIDE_WORDS), first) if is_dash(sentence.gaps[i])]
    if not dashes or any(word.is_finite for word in sentence.words[dashes[-1] : first]):
        return False
    closes = [i for i in range(1, len(part.words)) if is_dash(part.gaps[i])]
    return bool(closes) and not any(word.is_finite for word in part.words[: closes[0]])


ASIDE_WORDS = 12


def is_left_hanging(part: Part) -> bool:
    """Return whether the printed words begin with a list and a dash, and a clause with its own subject
    follows.

    Example: "roads, mills, schools — we built them".
    """
    dash = next((i for i in range(1, len(part.words)) if is_dash(part.gaps[i])), 0)
    opens = part.words[0].tag in ("DET", "NOUN", "ADJ")
    is_phrase = 0 < dash <= ASIDE_WORDS and not any(word.is_finite for word in part.words[:dash])
    is_listed = any("," in gap for gap in part.gaps[1:dash])
    main = part.clauses[0] if part.clauses[0].verb is not None else part.clauses[-1]
    return opens and is_phrase and is_listed and main.subject is not None and main.subject >= dash


def is_last_before_dash(part: Part) -> bool:
    """Return whether the printed words begin with the last item of a list, before a dash.

    The other items are left out: "miners, farmers, [smiths — now all are gone]".
    """
    dash = next((i for i in range(1, len(part.words)) if is_dash(part.gaps[i])), 0)
    before = part.sentence.gaps[max(1, part.first - LISTED_WORDS) : part.first]
    is_listed = any("," in gap for gap in before)
    is_phrase = not any(word.is_finite for word in part.words[:dash])
    return 0 < dash <= ASIDE_WORDS and is_listed and is_phrase


LISTED_WORDS = 5


def is_item(part: Part) -> bool:
    """Return whether the first printed word is an item of a list, after other items."""
    return is_list_item(part.sentence, part.first)
