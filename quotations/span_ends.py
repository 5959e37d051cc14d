"""Find spans for print that end at a bad place: inside a phrase or list, or before the words that a colon
introduces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from quotations.cut_vocabulary import (
    ADVERBIALS,
    BE_FORMS,
    BROKEN_OFF,
    CLAUSE_TAKERS,
    COORDINATORS,
    QUESTION_WORDS,
    QUOTING_VERBS,
    RELATIVES,
    TIMES,
)
from quotations.gaps import is_hard
from quotations.passages import Sentence
from quotations.print_spans import (
    STRAY_DASHES,
    Flaw,
    FlawKind,
    Part,
    PrintSpan,
    is_dash,
    is_open,
    skip_abbreviation,
)
from quotations.tagging import Word

ANNOUNCED_WITHIN = 14
"""Number of words before a colon in which a number announces a list."""


def find_bad_end(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw if a span ends inside a phrase or list, or before the words that a dash or colon
    introduces.
    """
    part = span.parts[-1]
    following = part.get_word(part.last + 1)
    last, gap = part.words[-1], skip_abbreviation(part.gap_after)
    is_question = span.passage.text.startswith("?", span.end_char)
    asks = any(word.lower in QUESTION_WORDS for word in part.words[:2])  # "And what better way to begin"
    if is_question and (asks or part.is_whole or part.clauses[0].verb is not None):
        yield span.make_flaw(FlawKind.BOUNDARY, "question mark outside", last)
    if following is None:
        if gap.startswith("%") and span.end_char == last.end_char:
            yield span.make_flaw(FlawKind.BOUNDARY, "inside a word", last)
        if gap.strip() == ":":
            yield span.make_flaw(FlawKind.BOUNDARY, "before what follows the dash or colon", last)
        return
    rule = ""
    is_inside = gap in ("", "-", "’", "'") or not {"\\", "<"}.isdisjoint(gap) or gap.startswith("[")
    is_inside |= gap == "." or (gap.startswith("-") and not gap.startswith("--"))  # "U|.S."
    if is_inside or span.passage.text.startswith("%", span.end_char):
        rule = "inside a word"
    elif STRAY_DASHES.search(gap):
        goes_on = following.tag in ("ADP", "PART", "AUX") or (_is_resuming(part, following) and is_open(last))
        rule = "inside a clause" if goes_on else ""
    elif (
        (is_dash(gap) and last.lower in BROKEN_OFF)
        or (is_dash(gap) and (is_open(last) or (last.tag == "VERB" and _is_resuming(part, following))))
        or (is_dash(gap) and _is_closing_aside(part) and following.tag in ("ADP", "PART"))
        or (is_dash(gap) and (_is_said_again(last, following) or _is_begun_again(part)))
        or _is_dangling(part, following)
    ):
        rule = "inside a clause"
    elif (":" in gap or is_dash(gap)) and not (_is_closing_aside(part) or _is_resuming(part, following)):
        rule = "before what follows the dash or colon"
    elif gap.rstrip().endswith(("“", '"', "‘")) and _is_announcing_quotation(last, gap):
        rule = "before a quotation"
    elif not gap.strip() and following.lower == "as" and last.lower in LIMITING:
        rule = "inside a clause"  # "We will not test so long | as others do not"
    elif not gap.strip():
        rule = "" if _is_before_restart(part) else _cut_short(part, last, following)
    elif (
        gap.strip() == ","
        and (
            is_list_item(part.sentence, part.last + 1)
            or _is_parallel(part, following)
            or (last.tag == following.tag == "NUM")
        )
    ) or (gap.strip()[:1] in (",", ";") and _is_announcing_list(part)):
        rule = "inside a list"
    if not rule and gap.strip() == "," and _is_before_adjectives(part):
        rule = "inside a noun phrase"
    if not rule and gap.strip() == "," and following.tag == "AUX" and following.is_finite:
        rule = "inside a clause"  # "what they would rather have, | would want more"
    if not rule and gap.strip() == "," and _is_inside_aside(part):
        rule = "inside a clause"
    if not rule and gap.strip() == "," and last.tag == following.tag == "ADV" and last.lower.endswith("ly"):
        rule = "inside a list" if following.lower.endswith("ly") else rule
    if not rule and gap.strip() == "," and _is_infinitive_item(part):
        rule = "inside a list"
    if not rule and gap.strip()[:1] in (",", ";") and _is_cut_list(part):
        rule = "inside a list"
    if not rule and (last.tag == "CCONJ" or _is_interrupted(part)):
        rule = "inside a series"
    if not rule and last.tag == "ADV" and len(part.words) > 1 and part.words[-2].tag == "CCONJ":
        rule = "inside a series"
    if not rule and (_is_without_infinitive(part) or _is_before_aside(part)):
        rule = "inside a clause"
    if not rule and following.lower == "but" and _is_half_a_contrast(part):
        rule = "inside a series"
    if not rule and (_is_without_verb(part) or _is_repeating(part, following)):
        rule = "inside a clause"
    if not rule and (_is_without_main_clause(part) or _is_without_content(part)):
        rule = "before the main clause"
    if rule:
        yield span.make_flaw(FlawKind.BOUNDARY, rule, last, following)


LIMITING = frozenset(("long", "far", "soon", "much", "insofar", "inasmuch"))


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


def _is_said_again(last: Word, following: Word) -> bool:
    """Return whether the word after the printed words repeats the last of them, perhaps in another form.

    Example: "[an incredibly] — incredible people".
    """
    one, other = last.lower, following.lower
    return one == other or (one[:STEM_LETTERS] == other[:STEM_LETTERS] and len(one) >= STEM_LETTERS)


STEM_LETTERS = 7


def _is_begun_again(part: Part) -> bool:
    """Return whether the last printed words are repeated right after them: "[but by faith] — by faith, we
    do".
    """
    lowers = [word.lower for word in part.sentence.words]
    end = part.last + 1
    return any(lowers[end - count : end] == lowers[end : end + count] for count in range(2, MOST_AGAIN + 1))


MOST_AGAIN = 5  # words


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


def _is_announcing_quotation(last: Word, gap: str) -> bool:
    """Return whether the printed words announce a quotation that follows: "[the sign read] “...”".

    After a comma, the last word must be a verb such as "was" or "said": "[her answer was], “...”".
    """
    if gap.strip().startswith("."):
        return False
    return not gap.strip().startswith(",") or last.lower in BE_FORMS | QUOTING_VERBS


def _is_without_infinitive(part: Part) -> bool:
    """Return whether the printed words end before the infinitive that a verb such as "urge" needs.

    Example, with the printed words in brackets: "[I urge you], to join me".
    """
    if not any(word.lower in ORDERING_VERBS for word in part.words):
        return False
    verb = part.clauses[0].verb
    if verb is None or part.words[verb].lower not in ORDERING_VERBS:
        return False
    inside, after = part.words[verb + 1 :], part.sentence.words[part.last + 1 :]
    return not _has_infinitive(inside) and _has_infinitive(after)


def _is_interrupted(part: Part) -> bool:
    """Return whether the printed words end with "and" and an insertion: "[and, in the end], mend it"."""
    joins = [i for i, word in enumerate(part.words[:-1]) if word.tag == "CCONJ"]
    if not joins or "," not in part.gaps[joins[-1] + 1] or "," not in part.gap_after:
        return False
    return not any(word.tag in ("VERB", "AUX") for word in part.words[joins[-1] :])


def _is_before_aside(part: Part) -> bool:
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


def _is_inside_aside(part: Part) -> bool:
    """Return whether the printed words end inside an aside that a dash opens, and that a later dash
    closes.
    """
    closes = any(is_dash(gap) for gap in part.sentence.gaps[part.last + 2 : part.last + 8])
    return closes and sum(is_dash(gap) for gap in part.gaps) % 2 == 1


def _is_before_adjectives(part: Part) -> bool:
    """Return whether adjectives and their noun continue an adjective: "[a nameless], groundless terror"."""
    earlier, following = part.words[-2:-1], part.get_word(part.last + 1)
    if earlier and following is not None and earlier[0].lower == following.lower in ("more", "most", "less"):
        return True  # "a more practical, | more attainable peace"
    if part.words[-1].tag != "ADJ":
        return False
    after = part.sentence.words[part.last + 1 :]
    noun = next((i for i, word in enumerate(after) if word.tag != "ADJ"), 0)
    return noun > 0 and after[noun].tag in ("NOUN", "PROPN")


def _is_cut_list(part: Part) -> bool:
    """Return whether a list continues after the printed words.

    This is so if these words have a colon and no verb ("[three things: a road], a mill"). It is also so if
    they end with two adjectives and a comma between them ("[a proud, free], brave people").
    """
    has_colon = any(":" in gap for gap in part.gaps)
    if has_colon and not any(word.is_finite for word in part.words):
        return True
    last, earlier = part.words[-1], part.words[-2] if len(part.words) > 1 else None
    return last.tag == "ADJ" and earlier is not None and earlier.tag == "ADJ" and "," in part.gaps[-1]


def _is_infinitive_item(part: Part) -> bool:
    """Return whether the printed words end with an infinitive and another infinitive follows: "[to rest], to
    wait".
    """
    following = part.sentence.words[part.last + 1 : part.last + 3]
    return _has_infinitive(following) and _has_infinitive(part.words[-6:])


def _has_infinitive(words: Sequence[Word]) -> bool:
    pairs = pairwise(words)
    return any(word.lower == "to" and following.form == "Inf" for word, following in pairs)


def _is_announcing_list(part: Part) -> bool:
    """Return whether a number before the last colon in the printed words announces a list: "two safeguards:
    ...".
    """
    colons = [i for i in range(1, len(part.words)) if ":" in part.gaps[i]]
    if not colons:
        return False
    before = part.words[max(0, colons[-1] - ANNOUNCED_WITHIN) : colons[-1]]
    return any(word.tag == "NUM" or word.lower in ("following", "several", "these") for word in before)


def _is_parallel(part: Part, following: Word) -> bool:
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
    return following.lower in items and not any(word.is_finite for word in part.words[hard[-1] :])


def _is_half_a_contrast(part: Part) -> bool:
    """Return whether "not X" is in the printed words and "but Y" follows them: "[not days], but years"."""
    after = part.sentence.words[part.last + 1 : part.last + 10]
    denied = any(word.lower in ("not", "n't") for word in part.words[-14:])
    return denied and not any(word.is_finite for word in after)


def _is_without_verb(part: Part) -> bool:
    """Return whether the last clause of the printed words has its subject inside, but its verb outside.

    Example: "[I hope that men of the land], ... will come".
    """
    clause = part.sentence.clause_of[part.last]
    if clause.verb is None or clause.subject is None or not part.first < clause.subject <= part.last:
        return False
    return clause.verb > part.last and clause.kind == "content" and clause.first > part.first


def _is_repeating(part: Part, following: Word) -> bool:
    """Return whether a list of phrases with the same preposition goes on after the printed words.

    Example: "[for you], for your sons, for all".
    """
    if following.tag != "ADP" or part.gap_after.strip() != ",":
        return False
    before = [word.lower for word in part.words[-4:]]
    after = part.sentence.words[part.last + 2 : part.last + 2 + REPEATING_WORDS]
    is_item = any(
        word.lower == following.lower and "," in gap for word, gap in zip(part.words, part.gaps, strict=True)
    )
    return following.lower in before and (is_item or following.lower in {word.lower for word in after})


REPEATING_WORDS = 8


def _is_without_main_clause(part: Part) -> bool:
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


def _is_without_content(part: Part) -> bool:
    """Return whether "that" or a verb ("I know") in the printed words announces a clause outside them.

    "[shows that when it snows] — not rains — they stay", "[I know some years ago, as you said], it was".
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


def _is_closing_aside(part: Part) -> bool:
    """Return whether the dash after the printed words closes an aside that began inside them.

    Brackets mark the printed words: "[We built roads — good roads] — and bridges".
    """
    return sum(is_dash(gap) for gap in part.gaps) % 2 == 1 and is_dash(part.gap_after)


def _is_resuming(part: Part, following: Word) -> bool:
    """Return whether the word after the end is also one of the last printed words: "[the war] — the war of
    ...".
    """
    return (
        ":" not in part.gap_after
        and following.tag != "VERB"
        and following.lower in {word.lower for word in part.words[-9:]}
    )


def _is_dangling(part: Part, following: Word) -> bool:
    """Return whether the printed words end with a phrase after a semicolon that is begun again after a dash.

    Example: "[...; their children] — their children".
    """
    marks = [i for i in range(1, len(part.words)) if ";" in part.gaps[i]]
    tail = part.words[marks[-1] :] if marks else ()
    is_phrase = bool(tail) and not any(word.is_finite for word in tail)
    return is_phrase and is_dash(part.gap_after) and following.lower in {word.lower for word in tail}


def _cut_short(part: Part, last: Word, following: Word) -> str:
    """Return why a span should not end between the words `last` and `following`; "" if it may end there.

    No punctuation separates these two words. The result is the name of a rule, such as "inside a clause".
    """
    if last.tag in ("DET", "ADP", "SCONJ", "CCONJ", "AUX") or last.lower in (
        "to",
        "my",
        "our",
        "your",
        "their",
        "its",
        "not",
    ):
        return "inside a clause"
    if (
        following.lower == "than"
        or last.lower == "matter"  # "no matter | how long"
        or _is_half_compared(part, following)
        or _is_described_place(part, following)
    ):
        return "inside a clause"
    if following.lower in ADVERBIALS and following.tag in ("SCONJ", "ADV"):
        return ""
    after = part.get_word(part.last + 2)
    if following.tag == "CCONJ" and after is not None and after.lower in ("what", "how", "that", "why"):
        return ""
    if following.tag == "CCONJ":
        return (
            "" if _is_followed_by_clause(part) or _is_followed_by_predicate(part, last) else "inside a series"
        )
    if following.lower in RELATIVES or following.lower == "that":
        return "inside a noun phrase" if last.tag in ("NOUN", "PROPN", "PRON") else "inside a clause"
    if _is_followed_by_clause(part) and last.tag not in ("VERB", "AUX") and last.lower not in CLAUSE_TAKERS:
        return ""
    return "inside a clause"


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
    """Return whether another clause begins right after the printed words, or after "and"."""
    after = part.last + 1
    clause = part.sentence.clause_of[after]
    if clause is part.sentence.clause_of[part.last]:
        following = part.get_word(after + 1)
        return (
            part.sentence.words[after].lower in COORDINATORS and following is not None and following.is_finite
        )
    return clause.first >= after - 1 and clause.kind in ("main", "content") and clause.verb is not None


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
