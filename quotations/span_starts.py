"""Find spans for print that begin at a bad place: inside a phrase or clause, or with "And" or "They"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quotations.clauses import Clause, is_hard
from quotations.cut_vocabulary import (
    ADVERBIALS,
    BE_FORMS,
    CLAUSE_TAKERS,
    COLLECTIVES,
    COMPOUND_HEADS,
    CONNECTIVES,
    COORDINATORS,
    ENUMERATORS,
    IRREGULAR_PLURALS,
    MONTHS,
    NOMINATIVES,
    RELATIVES,
    TAKING_VERBS,
    TIMES,
)
from quotations.passages import Sentence
from quotations.print_spans import Flaw, FlawKind, Part, PrintSpan, is_dash, skip_abbreviation
from quotations.span_ends import is_list_item
from quotations.tagging import Word


def find_bad_start(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw if a span begins inside a phrase or clause."""
    part = span.parts[0]
    word = part.words[0]
    if span.start_char == word.start_char and find_printed_start(part.passage.text, word) < word.start_char:
        yield span.make_flaw(FlawKind.BOUNDARY, "inside a word", word)
        return
    if not part.first:
        return
    previous, gap = part.sentence.words[part.first - 1], skip_abbreviation(part.gap_before.rstrip(CURRENCIES))
    rule = ""
    is_compound = previous.lower in COMPOUND_HEADS or part.sentence.gaps[part.first - 1] in ("—", "–")
    is_hyphen = gap.endswith("-") and not gap.endswith("--")
    if gap == "" or is_hyphen or (gap in "—–" and is_compound):
        rule = "inside a word"
    elif MARKUP.search(gap):
        rule = "inside a noun phrase"
    elif is_dash(gap) and (_is_left_hanging(part) or _is_completing(part, previous)):
        rule = "inside a clause"
    elif part.gap_before == ". " and word.tag in ("NOUN", "ADJ", "PROPN"):
        rule = "inside a noun phrase"  # "U.S. | emissions"
    elif not gap.strip():
        rule = _name_phrase_inside(previous, word) or _name_pair_fault(part)
        if not rule and (_is_inside_subject(part) or _is_any_other(part)):
            rule = "inside a list"
        if not rule and previous.lower == "that" and _is_pointing_at_subject(part):
            rule = "inside a noun phrase"
        before = part.get_word(part.first - 2)
        if previous.lower == "that" and before is not None and word.tag in ("NOUN", "PROPN"):
            is_place = before.tag == "ADP" and before.lower not in CLAUSE_PREPOSITIONS
            is_pointing = is_place or before.lower in TAKING_VERBS or _is_second_of_pair(part)
            rule = "inside a noun phrase" if is_pointing else rule
        if not rule and (_is_number_wrong(part) or (previous.lower == "that" and _has_relative_only(part))):
            rule = "inside a noun phrase"
        if not rule and previous.lower in MAKING_VERBS and _has_own_predicate(part):
            rule = "inside a clause"
        if not rule and (
            _is_second_relative(part) or _is_fronted_clause(part) or _is_purpose_of_relative(part)
        ):
            rule = "inside a clause"
        if not rule and part.sentence.clause_of[part.first].kind == "adverbial":
            rule = "inside a clause" if part.sentence.clause_of[part.first].verb == part.first else rule
        if not rule and previous.lower == "that" and word.lower in ("being", "having", "said"):
            rule = "inside a clause"  # "With that | being said, the road is open"
        if not rule and (_is_inverted(part) or _is_before_colon(part) or _is_relative_and_more(part)):
            rule = "inside a clause"
    elif gap.strip() == "," and (_is_year(part) or _is_second_adjective(part) or _is_apposed_name(part)):
        rule = "inside a noun phrase"
    elif gap.strip() == "," and (
        is_list_item(part.sentence, part.first) or _is_inside_aside(part) or _is_last_before_dash(part)
    ):
        rule = "inside a list"
    elif (
        (gap.strip() in (",", "") and _is_inside_subject(part))
        or _is_before_outer_verb(part)
        or (len(span.parts) > 1 and len(part.words) < FEWEST_OPENING_WORDS and not is_hard(gap))
        or (
            previous.lower in RELATIVES
            or (previous.lower == "that" and word.is_finite)
            or (previous.tag == "AUX" and is_dash(gap) and not _is_restart(part) and not _is_new_clause(part))
        )
    ):
        rule = "inside a clause"
    if not rule and previous.lower == "that" and _has_second_that(part):
        rule = "inside a series"
    if not rule and previous.tag == "CCONJ" and _is_inside_listed_subject(part):
        rule = "inside a list"
    if not rule and is_dash(gap) and _is_purpose_before_clause(part):
        rule = "inside a clause"
    is_infinitive = word.form == "Inf" or word.lower == "to"
    if not rule and span.text.endswith("?") and (is_infinitive or not any(w.is_finite for w in part.words)):
        rule = "inside a clause"  # the end of a question
    is_reason = part.first == 1 and previous.lower == "because" and word.lower in ADVERBIALS
    before_last = part.sentence.words[max(0, part.first - 2)].lower
    is_reason |= part.first == 6 and previous.lower == "that" and before_last in ("reason", "reasons")
    if (
        not rule
        and not is_hard(gap)
        and not is_reason
        and (_is_mid_clause(part) or _is_after_concession(part))
    ):
        rule = "inside a clause"
    if rule:
        yield span.make_flaw(FlawKind.BOUNDARY, rule, previous, word)


CURRENCIES = "$£€"
CLAUSE_PREPOSITIONS = frozenset(("in", "except", "save", "but", "like", "than"))
"""Prepositions before "that" and a clause: "in that roads matter"."""


def _is_apposed_name(part: Part) -> bool:
    """Return whether the printed words begin with a name that explains a noun: "our mayor, [Ada Lee,
    wrote]".
    """
    before, count = part.sentence.words[part.first - 1], 0
    while count < len(part.words) and part.words[count].tag == "PROPN":
        count += 1
    is_closed = 0 < count < len(part.words) and part.gaps[count].strip() == ","
    return is_closed and before.tag == "NOUN" and part.words[count].is_finite


def _is_any_other(part: Part) -> bool:
    """Return whether the printed words begin with "any other" after "or": "not a burden that Ohio or [any
    other]".
    """
    opener, before = part.sentence.words[part.first - 1], part.get_word(part.first - 2)
    is_pair = opener.lower in ("or", "nor") and before is not None and before.tag in ("NOUN", "PROPN", "PRON")
    return is_pair and [word.lower for word in part.words[:2]] in (["any", "other"], ["any", "one"])


def _is_pointing_at_subject(part: Part) -> bool:
    """Return whether the "that" before the printed words points at their first noun, as "this" would.

    An opening phrase comes before: "In the end, that [law expired]".
    """
    if part.words[0].tag not in ("NOUN", "ADJ", "PROPN"):
        return False
    before = part.sentence.words[: part.first - 1]
    is_phrase = bool(before) and not any(word.tag in ("VERB", "AUX") for word in before)
    return is_phrase and "," in part.sentence.gaps[part.first - 1]


def _is_inside_listed_subject(part: Part) -> bool:
    """Return whether the printed words begin inside a list of nouns: "bread and [hope, truth and love]"."""
    words, before = part.words, part.get_word(part.first - 2)
    nouns = [word.tag == "NOUN" for word in words[:2]]
    return before is not None and before.tag == "NOUN" and all(nouns) and "," in "".join(part.gaps[1:2])


def _is_purpose_before_clause(part: Part) -> bool:
    """Return whether the printed words begin with a verb that belongs to a "to" before them, then a clause.

    Example: "to do — [get it done, we need]". The brackets are the printed words.
    """
    opening, words = part.words[0], part.words
    subject = next(
        (i for i in range(2, len(words)) if words[i].lower in NOMINATIVES and "," in part.gaps[i]), 0
    )
    is_clause = subject > 0 and any(word.is_finite for word in words[subject + 1 : subject + 3])
    earlier = {word.lower for word in part.sentence.words[max(0, part.first - 4) : part.first]}
    return opening.tag == "VERB" and is_clause and "to" in earlier


def _has_second_that(part: Part) -> bool:
    """Return whether "; that" in the printed words continues the "that" before them.

    Example: "say that [he came; that he saw]".
    """
    marks = [i for i in range(1, len(part.words)) if ";" in part.gaps[i]]
    return any(part.words[i].lower == "that" for i in marks)


def _is_year(part: Part) -> bool:
    """Return whether the printed words begin with the year of a date: "the 22d of April, [1793]"."""
    before = part.sentence.words[max(0, part.first - 3) : part.first]
    is_date = any(word.lower in MONTHS for word in before)
    return part.words[0].lower.isdigit() and is_date


def _is_second_adjective(part: Part) -> bool:
    """Return whether the printed words begin with the second of two adjectives.

    Examples: "with clear, [lasting rules]", "the safest, [the richest town]".
    """
    before = part.sentence.words[max(0, part.first - 2) : part.first]
    if len(before) < 2 or before[1].tag != "ADJ":
        return False
    opening = [word.tag for word in part.words[:3]]
    is_adjective = opening[0] == "ADJ" and before[0].tag in ("ADP", "DET", "PRON", "AUX")
    return is_adjective or (opening[0] == before[0].tag == "DET" and "ADJ" in opening[1:])


def _is_second_of_pair(part: Part) -> bool:
    """Return whether the "that" before the printed words is the second of a pair: "that road and that
    [mill]".
    """
    words = part.sentence.words[max(0, part.first - 4) : part.first]
    return [word.lower for word in words[::2]] == ["that", "and"] and words[1].tag in ("NOUN", "PROPN")


def find_printed_start(text: str, word: Word) -> int:
    """Return the offset at which a word begins in print, including a currency sign before the word: "$5"."""
    start = word.start_char
    return start - 1 if start and text[start - 1] in CURRENCIES else start


def _is_inside_aside(part: Part) -> bool:
    """Return whether the printed words begin within a list between dashes: "— five men, [six women —
    came]".
    """
    sentence, first = part.sentence, part.first
    dashes = [i for i in range(max(1, first - ASIDE_WORDS), first) if is_dash(sentence.gaps[i])]
    if not dashes or any(word.is_finite for word in sentence.words[dashes[-1] : first]):
        return False
    closes = [i for i in range(1, len(part.words)) if is_dash(part.gaps[i])]
    return bool(closes) and not any(word.is_finite for word in part.words[: closes[0]])


ASIDE_WORDS = 12


def _is_second_relative(part: Part) -> bool:
    """Return whether the "that" before the printed words opens a second relative clause.

    Example: "work that we did that [you ...]".
    """
    sentence, at = part.sentence, part.first - 1
    clause = sentence.clause_of[part.first]
    is_content = clause.kind == "content" and clause.parent is not None and at > 0
    if not is_content or sentence.words[at].lower != "that" or sentence.gaps[at].strip():
        return False
    parent = sentence.clauses[clause.parent or 0]
    is_governed = any(sentence.words[i].lower in CLAUSE_TAKERS for i in parent.words)
    return parent.kind == "relative" and not is_governed and sentence.words[at - 1].tag in ("ADV", "NOUN")


def _is_fronted_clause(part: Part) -> bool:
    """Return whether only an opening "That" comes before the printed words: "That [it is late I do not
    deny]".
    """
    opening = part.sentence.words[0]
    return part.first == 1 and opening.lower == "that" and bool(part.clauses[0].verb)


def _is_purpose_of_relative(part: Part) -> bool:
    """Return whether "which to" or the like comes right before the printed words: "the means by which to
    [keep it]".
    """
    words = part.sentence.words[max(0, part.first - 2) : part.first]
    return len(words) > 1 and words[0].lower in RELATIVES and words[1].lower == "to"


def _is_inverted(part: Part) -> bool:
    """Return whether an auxiliary comes before the printed words, which begin with its subject.

    Example: "always will [our land stand]".
    """
    verb, previous = part.clauses[0].verb, part.sentence.words[part.first - 1]
    return verb is not None and verb > 0 and previous.lower in INVERTED and previous.tag == "AUX"


INVERTED = frozenset(
    ("will", "would", "can", "could", "shall", "should", "may", "might", "must", "did", "do")
)


def _is_before_colon(part: Part) -> bool:
    """Return whether "is" or a preposition before the printed words governs these words up to a colon.

    Example: "here is [the point: We ...]".
    """
    colon = next((i for i in range(1, len(part.words)) if ":" in part.gaps[i]), 0)
    verb = part.sentence.words[part.first - 1]
    is_phrase = not any(word.is_finite for word in part.words[:colon])
    is_governed = verb.lower in BE_FORMS or verb.tag == "ADP"
    return 0 < colon <= ANNOUNCING_WORDS and is_phrase and is_governed


ANNOUNCING_WORDS = 6


def _is_relative_and_more(part: Part) -> bool:
    """Return whether the printed words begin with the verb of a relative clause, and include the main verb.

    Example: "A road that [leads nowhere may do more harm]".
    """
    previous = part.sentence.words[part.first - 1]
    if previous.lower not in RELATIVES | {"that"} or previous.tag != "PRON":
        return False
    if not part.words[0].is_finite and part.words[0].lower.endswith("s") and part.words[0].tag == "NOUN":
        return any(word.is_finite for word in part.words)  # a verb that was taken for a noun
    verbs = [i for i, word in enumerate(part.words) if word.is_finite]
    if len(verbs) < 2 or verbs[0] or part.words[verbs[1] - 1].tag in ("CCONJ", "PRON", "SCONJ"):
        return False
    outer = (part.sentence.clause_of[part.first], part.sentence.clauses[0])
    return part.sentence.clause_of[part.first + verbs[1]] in outer


def _is_left_hanging(part: Part) -> bool:
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


def _is_completing(part: Part, previous: Word) -> bool:
    """Return whether the printed words complete a verb before a dash, after a slip of the tongue.

    Examples: "They will help fulfill — [the industry fulfill its duty]", "It will let — [the town build]".
    """
    if previous.tag != "VERB":
        return False
    said_again = previous.lower in [word.lower for word in part.words[1:SLIP_WORDS]]
    return said_again or previous.lower in LETTING_VERBS


SLIP_WORDS = 5
LETTING_VERBS = frozenset(("let", "lets", "help", "helps", "make", "makes"))


def _is_last_before_dash(part: Part) -> bool:
    """Return whether the printed words begin with the last item of a list, before a dash.

    The other items are left out: "miners, farmers, [smiths — now all are gone]".
    """
    dash = next((i for i in range(1, len(part.words)) if is_dash(part.gaps[i])), 0)
    before = part.sentence.gaps[max(1, part.first - LISTED_WORDS) : part.first]
    is_listed = any("," in gap for gap in before)
    is_phrase = not any(word.is_finite for word in part.words[:dash])
    return 0 < dash <= ASIDE_WORDS and is_listed and is_phrase


LISTED_WORDS = 5


def _is_inside_subject(part: Part) -> bool:
    """Return whether the subject of the printed words begins before them: "The blow that fell, [the might
    that ...]".

    The words before have no main verb, have no preposition in front, and do not name a time.
    """
    sentence, verb = part.sentence, part.clauses[0].verb
    start = max((i for i in range(part.first) if i and is_hard(sentence.gaps[i])), default=0)
    before = sentence.words[start : part.first]
    if verb is None or not before or before[0].lower in NO_SUBJECT_STARTS:
        return False
    opens = before[0].tag in ("DET", "NOUN") and before[0].lower not in ("all",)
    if before[-1].lower in ("and", "or"):
        is_bare = (
            part.words[0].tag == "NOUN" and sum("," in gap for gap in sentence.gaps[start : part.first]) > 1
        )
        return is_bare and not any(word.is_finite for word in before)
    verbs = [i for i in range(start, part.first) if sentence.words[i].is_finite]
    is_relative = all(sentence.clause_of[i].kind == "relative" for i in verbs)
    has_time = any(word.lower in TIME_WORDS for word in before)
    return opens and bool(verbs) and is_relative and not has_time and part.words[0].tag == "DET"


NO_SUBJECT_STARTS = TIMES | {"this", "that", "it", "you", "we", "i"}
TIME_WORDS = TIMES | {"ago", "after", "later"}


def _is_before_outer_verb(part: Part) -> bool:
    """Return whether the printed words begin inside an aside between subject and verb: "War — [a long one —
    is]".
    """
    verb = part.clauses[0].verb
    return verb is not None and verb > 0 and is_dash(part.gap_before) and is_dash(part.gaps[verb])


def _is_number_wrong(part: Part) -> bool:
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


def _has_relative_only(part: Part) -> bool:
    """Return whether the printed words begin with a noun and a relative clause: "that [decency that has been
    ...]".
    """
    nouns = next((i for i, w in enumerate(part.words) if w.tag not in ("ADJ", "NOUN", "PROPN")), 0)
    return 0 < nouns < 4 and part.words[nouns].lower in ("that", "which", "who")


def _is_restart(part: Part) -> bool:
    """Return whether the first printed word is also one of the last words before: "it is— [it's good that
    ...]".
    """
    before = part.sentence.words[max(0, part.first - 3) : part.first]
    return part.words[0].lower in {word.lower for word in before}


def _is_new_clause(part: Part) -> bool:
    """Return whether the printed words are a clause that begins after another was broken off: "it had— [he
    came]".
    """
    main, is_aside = part.clauses[0], any(is_dash(gap) for gap in part.gaps)
    return main.subject is not None and main.verb is not None and main.subject < main.verb and not is_aside


def _is_after_concession(part: Part) -> bool:
    """Return whether a phrase such as "despite the fact that" comes right before the printed words."""
    before = [word.lower for word in part.sentence.words[max(0, part.first - 4) : part.first]]
    return before[1:] == ["the", "fact", "that"] and before[0] in ("despite", "of", "to", "notwithstanding")


FEWEST_OPENING_WORDS = 4
"""Minimum words of a first sentence for a span of several sentences to begin inside it."""


MARKUP = re.compile(r"[\\\[\]<>]")
"""Match the marks of a transcript for a corrected word: "demastation \\ — [devastation"."""


MAKING_VERBS = frozenset(
    ("make", "makes", "made", "making", "render", "renders", "keep", "keeps", "leave", "leaves")
)


def _has_own_predicate(part: Part) -> bool:
    """Return whether the printed words are a noun phrase and its predicate: "keeps [the nation free from
    want]".

    The brackets are the printed words.
    """
    if part.clauses[0].verb is not None:
        return False
    pairs = zip(part.words, part.words[1:], part.gaps[1:], strict=False)
    return any(
        word.tag in ("NOUN", "PROPN") and following.tag in ("ADJ", "DET") and not gap.strip()
        for word, following, gap in pairs
    )


def _is_mid_clause(part: Part) -> bool:
    """Return whether the printed words look like a clause, but begin in the middle of one.

    Example: "Nobody in this [town believes it]".
    """
    main, sentence = part.clauses[0], part.sentence
    if main.verb is None or not part.words[main.verb].is_finite or main.verb == 0:
        return False
    clause = sentence.clause_of[part.first]
    if _is_without_outer_verb(part):
        return True
    outer = clause
    while outer.parent is not None:
        outer = sentence.clauses[outer.parent]
        is_outside = any(sentence.words[i].lower not in COORDINATORS for i in range(outer.first, part.first))
        if outer.verb is not None and part.first < outer.verb <= part.last and is_outside:
            return True  # the verb of a clause whose subject is outside
    if clause.kind == "relative" and (clause.opener or 0) <= part.first:
        return clause.verb is not None and clause.verb <= part.last
    if clause.verb is not None and clause.verb < part.first:
        return sentence.clause_of[part.first + main.verb] is clause
    before = [i for i in clause.words if i < part.first]
    if not before or part.gap_before.strip():
        return False  # a phrase and a comma may stand before the subject
    openers = range(clause.opener, _skip_opener(sentence, clause)) if clause.opener is not None else range(0)
    return any(
        i not in openers
        and not (i == 0 and is_causal(sentence))
        and sentence.words[i].lower not in COORDINATORS
        and sentence.words[i].tag not in ("ADV", "INTJ")
        for i in before
    )


def _is_without_outer_verb(part: Part) -> bool:
    """Return whether the printed words follow a noun with "that", and include the sentence's only main verb.

    Example: "The hope that [we have always had is not a dream]".
    """
    words, first = part.sentence.words, part.first
    follows = first > 1 and words[first - 1].lower == "that" and words[first - 2].tag in ("NOUN", "PROPN")
    verbs = [word for word in part.words if word.is_finite]
    return follows and part.sentence.clauses[0].verb is None and len(verbs) > 1


def _name_pair_fault(part: Part) -> str:
    """Return the flaw of a start inside a pair: "great and [powerful groups]", "men and [women protested]".

    The brackets are the printed words. The result is "" if they do not begin inside a pair.
    """
    words, first = part.sentence.words, part.first
    if first < 3 or words[first - 1].tag != "CCONJ":
        return ""
    before, earlier, word = words[first - 3], words[first - 2], words[first]
    is_plural = earlier.lower.endswith(("s", "men", "children"))
    is_bare = before.tag == "ADP" or (before.tag not in ("DET", "PRON", "NUM") and is_plural)
    is_pair = earlier.tag == word.tag == "ADJ" or (earlier.tag == word.tag == "NOUN" and is_bare)
    return "inside a noun phrase" if is_pair else ""


def _name_phrase_inside(previous: Word, word: Word) -> str:
    if previous.tag in ("DET", "NUM") and word.tag in ("NOUN", "ADJ", "PROPN", "NUM", "ADV", "VERB"):
        return "inside a noun phrase"
    if (
        previous.lower in ("my", "our", "your", "his", "her", "its", "their", "'s")
        and word.tag in ("NOUN", "ADJ", "PROPN", "NUM", "VERB", "ADV")
        and previous.tag in ("PRON", "PART", "DET")
    ):
        return "inside a noun phrase"
    if previous.tag == "ADJ" and word.tag in ("NOUN", "PROPN", "ADJ"):
        return "inside a noun phrase"
    if previous.lower in ("so", "too", "very", "as") and word.lower in ("many", "much", "few", "little"):
        return "inside a noun phrase"
    if (
        previous.tag in ("NOUN", "PROPN")
        and word.tag in ("NOUN", "PROPN")
        and previous.is_capital == word.is_capital
    ):
        return "inside a noun phrase"
    if previous.tag == "AUX" and word.lower in VERB_PARTS:
        return "inside a verb"
    return ""


VERB_PARTS = NOMINATIVES | {"n't", "not", "been"}


def _skip_opener(sentence: Sentence, clause: Clause) -> int:
    """Return the index of the first word after the words that open a clause, such as "even if"."""
    at = clause.opener or 0
    for i in range(at, min(at + 3, len(sentence.words))):
        if sentence.words[i].lower == clause.conjunction:
            return i + 1
    return at


def find_opening_word(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw if a span opens with "And", "But", "This", "They" or another word that refers back."""
    part = span.parts[0]
    words = part.words
    word = words[0]
    following = words[1] if len(words) > 1 else None
    is_phrase = following is not None and (word.lower, following.lower) in OPENING_PHRASES
    if (
        word.lower in CONNECTIVES and not (word.lower in ("then", "so") and part.first) and not is_phrase
    ) or (not part.first and (is_causal(part.sentence) or _is_answer(part))):
        yield span.make_flaw(FlawKind.CONTEXT, "opening connective", word)
    elif _is_unresolved_opening(word, following) or (
        word.lower == "there" and "," in "".join(part.gaps[1:2])
    ):
        yield span.make_flaw(FlawKind.CONTEXT, "pronoun without referent", word)
    elif (
        word.lower in ENUMERATORS
        or (word.lower == "first" and "," in "".join(part.gaps[1:2]))
        or (
            word.lower in ("a", "the", "another")
            and following is not None
            and (following.lower in ENUMERATORS - {"same"} or _is_first_of_several(part))
        )
    ):
        yield span.make_flaw(FlawKind.CONTEXT, "item of an enumeration", word)


OPENING_PHRASES = frozenset((("instead", "of"), ("so", "long"), ("so", "far"), ("yet", "another")))


def _is_answer(part: Part) -> bool:
    """Return whether the printed words answer what comes before them: "Yes, there was a quarrel"."""
    return part.words[0].lower in ("yes", "yeah", "no") and "," in "".join(part.gaps[1:2])


def is_causal(sentence: Sentence) -> bool:
    """Return whether a sentence opens with "for" in the sense of because: "For space science has no
    conscience".

    The subject follows "for" in such a sentence. "For years, we have waited" does not count, because there
    the subject follows the phrase "for years".
    """
    words, verb = sentence.words, sentence.clauses[0].verb
    if not words or words[0].lower != "for" or verb is None or verb < 2:
        return False
    if words[0].tag == "SCONJ" or words[1].lower in PLAIN_NOMINATIVES or words[1].lower in FRONTED:
        return True
    if "," in sentence.gaps[verb]:
        return True
    is_phrase = all(word.tag in SUBJECT_TAGS for word in words[1:verb])
    has_comma = any("," in gap for gap in sentence.gaps[1:verb])
    heads = [i for i in range(2, verb) if words[i].tag in ("DET", "NUM")]
    return is_phrase and not has_comma and all(words[i - 1].tag in ("ADP", "CCONJ") for i in heads)


FRONTED = frozenset(("without", "if", "when", "though", "although", "because", "unless"))
"""Words that open a phrase or clause after "for": "For without trust, there is no trade"."""
PLAIN_NOMINATIVES = NOMINATIVES - {"it", "you"}
SUBJECT_TAGS = frozenset(("DET", "ADJ", "NUM", "NOUN", "PROPN", "ADP", "CCONJ"))


def _is_unresolved_opening(word: Word, following: Word | None) -> bool:
    """Return whether the first two words of a span refer to something said before.

    They do so if they are "neither", "both" or the like and a verb ("Neither expected ..."), or if "there" is
    a place ("There the river ...").
    """
    if following is None:
        return False
    if word.lower in ("neither", "each", "both", "none", "others", "another", "one"):
        return following.is_finite
    return word.lower == "there" and following.tag in ("PRON", "DET", "NOUN", "PROPN")


def _is_first_of_several(part: Part) -> bool:
    """Return whether the printed words begin like an enumeration: "The first is ..."."""
    words = part.words
    return len(words) > 2 and words[1].lower in ("first", "one") and words[2].is_finite
