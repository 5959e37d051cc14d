"""Find spans that begin inside a clause, or without a part of the clause that they need."""

from __future__ import annotations

from quotations.grammar.clauses import Clause
from quotations.grammar.cut_vocabulary import (
    BE_FORMS,
    CLAUSE_TAKERS,
    COORDINATORS,
    NOMINATIVES,
    RELATIVES,
    TIMES,
)
from quotations.grammar.gaps import is_hard
from quotations.grammar.passages import Sentence
from quotations.printing.opening_words import is_causal
from quotations.printing.print_spans import Part, is_dash


def is_purpose_before_clause(part: Part) -> bool:
    """Return whether the printed words begin with a verb that belongs to a "to" before them, then a clause.

    Example: "to do — [get it done, we need]". The brackets are the printed words.
    """
    if not is_dash(part.gap_before):
        return False
    opening, words = part.words[0], part.words
    subject = next(
        (i for i in range(2, len(words)) if words[i].lower in NOMINATIVES and "," in part.gaps[i]), 0
    )
    is_clause = subject > 0 and any(word.is_finite for word in words[subject + 1 : subject + 3])
    earlier = {word.lower for word in part.sentence.words[max(0, part.first - 4) : part.first]}
    return opening.tag == "VERB" and is_clause and "to" in earlier


def has_second_that(part: Part) -> bool:
    """Return whether "; that" in the printed words continues the "that" before them.

    Example: "say that [he came; that he saw]".
    """
    marks = [i for i in range(1, len(part.words)) if ";" in part.gaps[i]]
    return part.previous.lower == "that" and any(part.words[i].lower == "that" for i in marks)


def is_second_relative(part: Part) -> bool:
    """Return whether the "that" before the printed words opens a second relative clause about one noun.

    Example, with the printed words in brackets: "work that we did that [you ...]".
    """
    sentence, at = part.sentence, part.first - 1
    clause = sentence.clause_of[part.first]
    is_content = clause.kind == "content" and clause.parent is not None and at > 0
    if not is_content or sentence.words[at].lower != "that" or sentence.gaps[at].strip():
        return False
    parent = sentence.clauses[clause.parent or 0]
    is_governed = any(sentence.words[i].lower in CLAUSE_TAKERS for i in parent.words)
    return parent.kind == "relative" and not is_governed and sentence.words[at - 1].tag in ("ADV", "NOUN")


def is_fronted_clause(part: Part) -> bool:
    """Return whether only an opening "That" comes before the printed words: "That [it is late I do not
    deny]".
    """
    opening = part.sentence.words[0]
    return part.first == 1 and opening.lower == "that" and bool(part.clauses[0].verb)


def is_purpose_of_relative(part: Part) -> bool:
    """Return whether words such as "which to" come right before the printed words.

    Example, with the printed words in brackets: "the means by which to [keep it]".
    """
    words = part.sentence.words[max(0, part.first - 2) : part.first]
    return len(words) > 1 and words[0].lower in RELATIVES and words[1].lower == "to"


def is_inverted(part: Part) -> bool:
    """Return whether an auxiliary comes before the printed words, which begin with its subject.

    Example: "always will [our land stand]".
    """
    verb, previous = part.clauses[0].verb, part.previous
    return verb is not None and verb > 0 and previous.lower in INVERTED and previous.tag == "AUX"


INVERTED = frozenset(
    ("will", "would", "can", "could", "shall", "should", "may", "might", "must", "did", "do")
)


def is_before_colon(part: Part) -> bool:
    """Return whether the word before the printed words governs the phrase with which they begin, up to ":".

    The governing word is a form of "be" or a preposition. Example, with the printed words in brackets: "here
    is [the point: We ...]".
    """
    colon = next((i for i in range(1, len(part.words)) if ":" in part.gaps[i]), 0)
    verb = part.previous
    is_phrase = not any(word.is_finite for word in part.words[:colon])
    is_governed = verb.lower in BE_FORMS or verb.tag == "ADP"
    return 0 < colon <= ANNOUNCING_WORDS and is_phrase and is_governed


ANNOUNCING_WORDS = 6


def is_relative_and_more(part: Part) -> bool:
    """Return whether the printed words begin with the verb of a relative clause, and include the main verb.

    Example: "A road that [leads nowhere may do more harm]".
    """
    previous = part.previous
    if previous.lower not in RELATIVES | {"that"} or previous.tag != "PRON":
        return False
    if not part.words[0].is_finite and part.words[0].lower.endswith("s") and part.words[0].tag == "NOUN":
        return any(word.is_finite for word in part.words)  # a verb that was taken for a noun
    verbs = [i for i, word in enumerate(part.words) if word.is_finite]
    if len(verbs) < 2 or verbs[0] or part.words[verbs[1] - 1].tag in ("CCONJ", "PRON", "SCONJ"):
        return False
    outer = (part.sentence.clause_of[part.first], part.sentence.clauses[0])
    return part.sentence.clause_of[part.first + verbs[1]] in outer


def is_completing(part: Part) -> bool:
    """Return whether a verb and a dash come before the printed words, and the verb needs them.

    Examples: "It will let — [the town build]", where "let" is incomplete, and "They will help fulfill — [the
    industry fulfill its duty]", where "fulfill" is said again. The brackets are the printed words.
    """
    previous = part.previous
    if previous.tag != "VERB":
        return False
    said_again = previous.lower in [word.lower for word in part.words[1:SLIP_WORDS]]
    return said_again or previous.lower in LETTING_VERBS


SLIP_WORDS = 5


LETTING_VERBS = frozenset(("let", "lets", "help", "helps", "make", "makes"))


def is_inside_subject(part: Part) -> bool:
    """Return whether the subject of the printed words begins before them: "The blow that fell, [the might
    that ...]".

    The brackets are the printed words. The words before them, such as "The blow that fell", have no main
    verb and do not name a time.
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


def is_before_outer_verb(part: Part) -> bool:
    """Return whether the printed words begin in an aside between dashes that separates subject and verb.

    Example, with the printed words in brackets: "War — [a long one — is costly]".
    """
    verb = part.clauses[0].verb
    return verb is not None and verb > 0 and is_dash(part.gap_before) and is_dash(part.gaps[verb])


def _is_restart(part: Part) -> bool:
    """Return whether the first printed word repeats a word shortly before it: "it is — [it's good]"."""
    before = part.sentence.words[max(0, part.first - 3) : part.first]
    return part.words[0].lower in {word.lower for word in before}


def _is_new_clause(part: Part) -> bool:
    """Return whether the printed words are a clause that begins after another was broken off: "it had— [he
    came]".
    """
    main, is_aside = part.clauses[0], any(is_dash(gap) for gap in part.gaps)
    return main.subject is not None and main.verb is not None and main.subject < main.verb and not is_aside


def is_after_concession(part: Part) -> bool:
    """Return whether a phrase such as "despite the fact that" comes right before the printed words."""
    before = [word.lower for word in part.sentence.words[max(0, part.first - 4) : part.first]]
    return before[1:] == ["the", "fact", "that"] and before[0] in ("despite", "of", "to", "notwithstanding")


def has_own_predicate(part: Part) -> bool:
    """Return whether the printed words are a noun phrase and its predicate: "keeps [the nation free from
    want]".

    The brackets are the printed words.
    """
    if part.previous.lower not in MAKING_VERBS or part.clauses[0].verb is not None:
        return False
    pairs = zip(part.words, part.words[1:], part.gaps[1:], strict=False)
    return any(
        word.tag in ("NOUN", "PROPN") and following.tag in ("ADJ", "DET") and not gap.strip()
        for word, following, gap in pairs
    )


MAKING_VERBS = frozenset(
    ("make", "makes", "made", "making", "render", "renders", "keep", "keeps", "leave", "leaves")
)


def is_mid_clause(part: Part) -> bool:
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


def _skip_opener(sentence: Sentence, clause: Clause) -> int:
    """Return the index of the first word after the words that open a clause, such as "even if"."""
    at = clause.opener or 0
    for i in range(at, min(at + 3, len(sentence.words))):
        if sentence.words[i].lower == clause.conjunction:
            return i + 1
    return at


def is_verb_of_adverbial(part: Part) -> bool:
    """Return whether the printed words begin with the verb of an adverbial clause: "when they [came]"."""
    clause = part.sentence.clause_of[part.first]
    return clause.kind == "adverbial" and clause.verb == part.first


def is_participle_after_that(part: Part) -> bool:
    """Return whether "that" and then "being" or the like begin a phrase: "With that [being said, it is
    open]".
    """
    return part.previous.lower == "that" and part.words[0].lower in ("being", "having", "said")


def is_after_relative(part: Part) -> bool:
    """Return whether a relative pronoun comes before the printed words: "the road which [leads home]"."""
    return part.previous.lower in RELATIVES or (part.previous.lower == "that" and part.words[0].is_finite)


def is_broken_off(part: Part) -> bool:
    """Return whether an auxiliary and a dash come before the printed words, which go on with its clause."""
    if part.previous.tag != "AUX" or not is_dash(part.gap_before):
        return False
    return not _is_restart(part) and not _is_new_clause(part)
