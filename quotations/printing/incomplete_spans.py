"""Find spans for print that are neither a sentence nor a phrase: they lack a verb, a subject or a main
clause.
"""

from __future__ import annotations

from collections.abc import Iterator

from quotations.grammar.clauses import Clause
from quotations.grammar.cut_vocabulary import (
    ADVERBIALS,
    CONNECTIVES,
    COORDINATORS,
    NOMINATIVES,
    POSSESSIVES,
    RELATIVES,
    THIRD_PERSONS,
)
from quotations.grammar.gaps import is_hard
from quotations.grammar.tagging import Word
from quotations.printing.print_spans import Flaw, FlawKind, Part, PrintSpan, is_dash


def find_incomplete(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw for each part of a span that is neither a sentence nor a phrase that a writer can embed.

    A part is the words of the span in one sentence.
    """
    several = len(span.parts) > 1
    if several and _is_fragment(span.parts[0]):
        first = span.parts[0]
        yield span.make_flaw(FlawKind.CONTEXT, "opening fragment", first.words[0], first.words[-1])
    for part in span.parts:
        rule = _name_incompleteness(part, several)
        if rule:
            yield span.make_flaw(FlawKind.GRAMMAR, rule, part.words[0], part.words[-1])


FRAGMENT_WORDS = 3


def _is_fragment(part: Part) -> bool:
    """Return whether the printed words are a short sentence without a verb: "No limits."

    Such a sentence depends on the text before. A single word, or a sentence with a name, does not count.
    """
    has_verb = any(word.tag in ("VERB", "AUX", "INTJ") for word in part.words)
    is_address = len(part.words) == 1 or any(word.tag == "PROPN" for word in part.words)
    return part.is_whole and len(part.words) <= FRAGMENT_WORDS and not has_verb and not is_address


def _is_roll_of_names(part: Part) -> bool:
    """Return whether the printed words only list people who are addressed: "Mr. Speaker, Senator Lee,
    guests".
    """
    is_listed = any("," in gap for gap in part.gaps)
    return (
        is_listed
        and any(word.lower in ADDRESSED for word in part.words)
        and all(word.tag == "PROPN" or word.lower in IN_ADDRESSES for word in part.words)
    )


def _is_absolute(part: Part) -> bool:
    """Return whether the printed words end their sentence and are only a noun with a participle.

    Example: "men guarding a gate".
    """
    is_end = part.last == len(part.sentence.words) - 1 and (not part.first or "," in part.gap_before)
    if not is_end or any(word.is_finite for word in part.words):
        return False
    pairs = zip(part.words[1:8], part.words, strict=False)
    return any(_is_gerund(word) and before.tag in ("NOUN", "PROPN", "ADV") for word, before in pairs)


def _is_inverted_comparison(part: Part) -> bool:
    """Return whether the printed words are only a comparison, without a main clause: "As does the mayor"."""
    lowers = [word.lower for word in part.words]
    if lowers[:1] != ["as"] or lowers[1:2] not in INVERTED:
        return False
    commas = [i for i, gap in enumerate(part.gaps) if i and "," in gap]
    return not commas or lowers[commas[0]] in RELATIVES


INVERTED = [["do"], ["does"], ["did"], ["have"], ["has"], ["had"], ["was"], ["were"], ["is"], ["are"]]


def _is_ruled_by_gerund(part: Part, head: Clause, opening: int) -> bool:
    """Return whether a clause only completes a gerund: "we match it" in "Making sure we match it"."""
    if head.subject is None or head.subject < opening + 2:
        return False
    is_pronoun = part.words[head.subject].lower in NOMINATIVES
    return is_pronoun and not any(gap.strip() for gap in part.gaps[opening + 1 : head.subject + 1])


def _name_incompleteness(part: Part, several: bool) -> str:
    """Return what makes the printed words of a sentence incomplete, such as "no verb"; "" if they are
    complete.
    """
    if _is_roll_of_names(part) or (_is_absolute(part) and not several):
        return "no verb"
    words = part.words
    main = part.clauses[0]
    mains = [
        clause
        for clause in part.clauses
        if clause.kind == "main" and clause.verb is not None and not _is_aside(part, clause)
    ]
    if not mains and main.verb is not None:
        return "no verb"
    opening = _find_opening(part)
    word = words[opening]
    if part.first and words[0].lower in RELATIVES and not is_hard(part.gap_before):
        return "subordinate clause alone"
    if part.first and words[0].lower in ("whatever", "however") and not is_hard(part.gap_before):
        return "subordinate clause alone"
    if part.first and words[0].lower in ("why", "how") and not part.gap_after.startswith("?"):
        return "subordinate clause alone"
    if _is_inverted_comparison(part):
        return "subordinate clause alone"
    if mains:
        head = mains[0]
        if _is_gerund(word) and _is_ruled_by_gerund(part, head, opening):
            return "gerund alone"
        if _is_gerund(word) and any(map(is_dash, part.gaps[opening + 1 : (head.subject or 0) + 1])):
            return "gerund alone"  # "Showing that from fear — the fear of all — we can learn"
        if head.number == 0 and head.verb is not None and _is_without_subject(part, head, opening):
            return "no subject" if word.is_finite and (several or not is_predicate(part)) else ""
        return ""
    if part.clauses[-1].number and not main.words and _is_question_word(part):
        return ""
    if not main.words:
        if (
            part.clauses[1].kind == "content"
            and words[0].lower in ("what", "how", "why", "who")
            and part.is_whole
        ):
            return ""
        return "subordinate clause alone"
    if word.lower in ADVERBIALS and word.tag != "ADP" and any(w.tag in ("VERB", "AUX") for w in words):
        return "subordinate clause alone"
    if _is_gerund(word):
        return "gerund alone"
    if word.tag == "VERB" and word.form == "Inf":
        return ""
    if several and part.is_whole and len(words) <= 12:
        return ""  # "No more. Not here." between other sentences
    return _name_phrase_fault(part, opening)


def _is_gerund(word: Word) -> bool:
    return word.form in ("Ger", "Part") and word.lower.endswith("ing") and word.tag == "VERB"


def is_predicate(part: Part) -> bool:
    """Return whether the printed words of a sentence begin with a verb whose subject is not printed.

    A writer can put a subject before such words: "fan the flames". The result is false if the words have a
    pronoun such as "they" or "it", which might then seem to refer to something else. "Their" is allowed,
    because it refers to the subject: "risk their lives".
    """
    clause, first, words = part.sentence.clause_of[part.first], part.words[0], part.sentence.words
    is_joined = part.first > 0 and words[part.first - 1].lower in ("and", "or")
    is_verb = clause.verb == part.first or (
        is_joined and clause.verb is not None and clause.verb < part.first
    )
    has_subject = is_verb and clause.subject is not None and clause.subject < part.first
    is_bound = any(word.lower in BOUND_PRONOUNS and word.tag == "PRON" for word in part.words)
    is_modal = first.lower in MODALS and words[clause.subject or 0].lower not in ("it", "there")
    return has_subject and (first.tag == "VERB" or is_modal) and not is_bound


BOUND_PRONOUNS = THIRD_PERSONS - POSSESSIVES
MODALS = frozenset(("will", "must", "can", "cannot", "shall"))


def _is_aside(part: Part, clause: Clause) -> bool:
    """Return whether a clause is inserted between commas: "I mean" in "so far, I mean, as we ..."."""
    verb = clause.verb or 0
    if verb == 1 and len(clause.words) == 2 and part.words[1].lower in ("mean", "know"):
        return len(part.words) > 2 and "," in part.gaps[2]  # "I mean, if ..."
    if not verb or part.words[verb].lower not in ("mean", "know", "say", "suppose", "guess"):
        return False
    follows = verb + 1 < len(part.words) and "," in part.gaps[verb + 1]
    return verb > 1 and follows and "," in part.gaps[verb - 1] and part.words[verb - 1].tag == "PRON"


def _is_question_word(part: Part) -> bool:
    return part.is_whole and part.gap_after.strip().startswith("?")


def _find_opening(part: Part) -> int:
    """Return how many coordinators and adverbs come first in the printed words: 1 for "and we go".

    Words such as "when" and "how" are not counted. If no other word is among the first four, return 0.
    """
    words = part.words
    for i, word in enumerate(words[:4]):
        if word.lower in COORDINATORS or (word.tag == "ADV" and word.lower not in OPENING_ADVERBS):
            continue
        return i
    return 0


OPENING_ADVERBS = ADVERBIALS | {"how", "why", "much", "little", "enough"}


def _is_without_subject(part: Part, clause: Clause, opening: int) -> bool:
    """Return whether a main clause begins with its verb, but is neither a command nor a question."""
    words = part.words
    first = next((i for i in sorted(clause.words) if i >= opening), opening)
    if clause.verb != first:
        return False
    word = words[first]
    is_head = part.first == 0 or ":" in part.gap_before
    is_head |= part.first == 1 and part.sentence.words[0].lower in CONNECTIVES
    if word.tag == "AUX":
        following = words[first + 1] if first + 1 < len(words) else None
        is_order = word.lower in ("do", "be", "have", "let") or (
            following is not None and following.tag in ("PRON", "NOUN", "PROPN", "DET", "PART")
        )
        return not (is_order and (is_head or word.lower in ("do", "let")))
    if word.lower in VOCATIVES or word.lower == "let":
        return False  # "Folks, the system is rigged", "So | let us go"
    is_participle = first + 1 < len(words) and words[first + 1].tag not in ("VERB", "DET")
    if (
        part.first == 0
        and is_participle
        and word.lower.endswith("ed")
        and any(w.is_finite for w in words[first + 1 :])
    ):
        return False  # a participle: "Developed and developing economies have to ..."
    is_bare = not word.lower.endswith(("s", "ed")) or word.lower.endswith("ss")
    return not (is_bare and (part.first == 0 or part.gap_before.strip() not in ("", ",")))


VOCATIVES = frozenset(("folks", "friends", "guys"))


ADDRESSED = frozenset(
    (
        "president",
        "mr",
        "mrs",
        "ms",
        "madam",
        "secretary",
        "senator",
        "governor",
        "chairman",
        "speaker",
        "vice",
    )
)
"""Titles that open a list of people who are addressed: "President Macron, Mrs. Macron, ..."."""


IN_ADDRESSES = ADDRESSED | frozenset(
    (
        *("my", "our", "fellow", "distinguished", "honored", "dear", "reverend", "ladies", "gentlemen"),
        *("guests", "clergy", "citizens", "friends", "members", "colleagues", "justice", "chief", "majesty"),
        *("first", "lady", "second", "leader", "leaders", "prime", "minister", "ministers", "excellencies"),
        *("and", "of", "the", "to", "general", "secretary-general", "americans", "congress", "delegates"),
    )
)


def _has_modal(part: Part) -> bool:
    """Return whether a modal verb comes right after a noun or a verb: "A nation that lives must ..."."""
    pairs = zip(part.words, part.words[1:], strict=False)
    return any(one.tag in ("NOUN", "PROPN", "VERB") and two.lower in PLAIN_MODALS for one, two in pairs)


PLAIN_MODALS = frozenset(("must", "will", "can", "cannot", "should", "shall", "may"))
NOUN_PHRASE_TAGS = ("DET", "NOUN", "PROPN")


def _name_phrase_fault(part: Part, opening: int) -> str:
    """Return why a phrase without a main verb is unfit to quote within a writer's sentence; "" if it is fit.

    The result is the name of a rule: "A nation that lives" -> "subject without a verb".
    """
    word = part.words[opening]
    if word.lower in ADDRESSED and sum("," in gap for gap in part.gaps) > 1:
        return "no verb"
    following = part.get_word(part.last + 1)
    is_subject = (
        part.first <= 1
        and following is not None
        and following.lower not in RELATIVES
        and any(w.is_finite for w in part.sentence.words[part.last + 1 : part.last + 4])
    )
    if is_subject:
        return "subject without a verb"
    if (
        part.first == 0
        and word.tag in NOUN_PHRASE_TAGS
        and any(word.lower == "being" for word in part.words[1:])
    ):
        return "no verb"  # "The time of the vote being not far"
    relatives = [clause for clause in part.clauses if clause.kind == "relative"]
    if part.is_whole and relatives and not _has_modal(part) and word.tag in ("DET", "NOUN", "PROPN", "PRON"):
        return "subject without a verb"
    if part.is_whole and len(part.words) > 3 and word.tag in ("ADP", "SCONJ"):
        return "no verb"
    if (
        part.first == 0
        and relatives
        and word.lower in ("every", "each", "all", "those", "anyone", "everyone", "whoever")
    ):
        return "subject without a verb"
    if word.tag in ("DET", "NOUN", "PROPN", "ADJ", "NUM", "PRON", "PART"):
        return ""
    if word.tag == "ADP" and not part.is_whole:
        return "phrase without a head"
    return "" if word.tag in ("VERB", "ADV") else "no verb"
