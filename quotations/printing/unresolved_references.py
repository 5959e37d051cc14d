"""Find words in a span (the words to print) that refer to something outside it, such as "he" or "this"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotations.grammar.cut_vocabulary import (
    ADVERBIALS,
    BE_FORMS,
    CLAUSE_TAKERS,
    COLLECTIVES,
    DEICTIC,
    IRREGULAR_PLURALS,
    JUDGING_VERBS,
    NOMINATIVES,
    PERSONS,
    POSSESSIVES,
    RELATIVES,
    SUMMING_NOUNS,
    TAKING_VERBS,
    THINGS,
    THIRD_PERSONS,
    TIMES,
)
from quotations.grammar.gaps import is_hard
from quotations.grammar.passages import Sentence
from quotations.grammar.tagging import Word
from quotations.printing.incomplete_spans import is_predicate
from quotations.printing.print_spans import SPEAKERS, Flaw, FlawKind, Part, PrintSpan


def find_unresolved_reference(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw for a pronoun or demonstrative whose referent is outside the span.

    A pronoun in a later sentence of the span may refer to an earlier sentence of the span.
    """
    if not span.parts:
        return
    part = span.parts[0]
    for i in part.list_inside(_list_referring):
        if rule := _name_reference_fault(part, i, part.words[:i]):
            yield span.make_flaw(FlawKind.CONTEXT, rule, part.words[i])
            return
    seen = list(part.words)
    if len(span.parts) > 1 and len(seen) < FEWEST_NAMING_WORDS and not _list_nouns(seen):
        yield from _find_unresolved_this(span, span.parts[1])
    for later in span.parts[1:]:
        for i in later.list_inside(_list_singulars):
            if not _list_persons([*seen, *later.words[:i]]):
                yield span.make_flaw(FlawKind.CONTEXT, "pronoun without referent", later.words[i])
                return
        seen += later.words


def _list_referring(sentence: Sentence) -> list[int]:
    return [i for i, word in enumerate(sentence.words) if word.lower in REFERRING]


def _list_singulars(sentence: Sentence) -> list[int]:
    words = sentence.words
    return [i for i, word in enumerate(words) if word.lower in SINGULARS and word.tag == "PRON"]


DESCRIBING = RELATIVES | {"that", "of"}
REFERRING = THIRD_PERSONS | {"this", "that", "these", "those", "such", "both"}
FEWEST_NAMING_WORDS = 5
"""Words below which a sentence says nothing that "this" in the next one refers to: "I think not."."""


def _find_unresolved_this(span: PrintSpan, part: Part) -> Iterator[Flaw]:
    """Yield a flaw for the first "this", "that" or the like in `part` that refers to nothing in `part`.

    `part` has the words of a second sentence. Call this only if the first sentence says nothing that "this"
    can refer to: "I think not. Nobody is doing this".
    """
    for i, word in enumerate(part.words[1:], 1):
        if word.lower in ("this", "that", "these", "such"):
            rule = _name_reference_fault(part, i, part.words[:i])
            if rule:
                yield span.make_flaw(FlawKind.CONTEXT, rule, word)
                return


SINGULARS = frozenset(("he", "she", "him", "his", "her", "himself", "herself"))


def _name_reference_fault(part: Part, i: int, seen: Sequence[Word]) -> str:
    word = part.words[i]
    following = part.words[i + 1] if i + 1 < len(part.words) else None
    if following is not None and following.lower in ("who", "whose", "whom"):
        return ""  # "him who shall have borne the battle"
    if word.lower == "those" and _is_participle_clause(part.words[i + 1 : i + 3]):
        return ""  # "to those asking for a third winter of war"
    if word.lower in POSSESSIVES and part.first and is_predicate(part) and _is_of_subject(part, word):
        return ""  # of the subject that the writer adds
    if word.lower in THIRD_PERSONS and word.tag in ("PRON", "DET"):
        if word.lower in ("it", "its", "itself"):
            is_announced = _is_expletive(part, i) or _is_expletive_object(part, i)
            is_clear = any(map(is_nominal, seen)) or is_announced or _has_later_nominal(part, i)
            return "" if is_clear else "pronoun without referent"
        referents = _list_plurals(seen) if word.lower in PLURALS else _list_persons(seen)
        return "" if referents or _has_later_nominal(part, i) else "pronoun without referent"
    if word.lower == "both" and _is_pair_outside(part, i, following, seen):
        return "pronoun without referent"
    if word.lower == "this" and _is_object_pronoun(part, i, following, seen):
        return "demonstrative without referent"
    if word.lower in ("this", "that", "these") and _is_clause_end(part, i) and not _list_nouns(seen):
        return "demonstrative without referent"  # "we are committed to this"
    if word.lower in ("this", "that") and _is_one_of(part, i) and not _list_nouns(seen):
        return "demonstrative without referent"  # "We worked for years on this one"
    if word.lower in ("this", "that") and _is_compared(part, i, following):
        return "demonstrative without referent"
    if word.lower == "that" and i and following is not None and _is_pointing(part, i, following):
        return "demonstrative without referent"
    if (
        word.lower in ("this", "that", "these", "those", "such")
        and word.tag in ("DET", "PRON", "ADJ")
        and following is not None
    ):
        return _name_demonstrative_fault(part, i, following, seen)
    return ""


def _is_participle_clause(words: Sequence[Word]) -> bool:
    """Return whether words begin with a participle clause: "asking for peace", but not "remaining men"."""
    is_participle = len(words) > 1 and words[0].form in ("Ger", "Part")
    return is_participle and words[1].tag in ("ADP", "DET", "PRON", "PART")


def _is_pair_outside(part: Part, i: int, following: Word | None, seen: Sequence[Word]) -> bool:
    """Return whether "both" has no noun and the words before it (`seen`) do not name the two.

    Example: "see that both move along".
    """
    is_alone = (following is not None and following.is_finite) or _is_clause_end(part, i)
    is_apposed = i > 0 and part.words[i - 1].lower in ("we", "you", "they", "us", "them", "are", "were")
    return is_alone and not is_apposed and not any(word.lower in ("and", "two") for word in seen)


def _is_object_pronoun(part: Part, i: int, following: Word | None, seen: Sequence[Word]) -> bool:
    """Return whether "this" is the object of a preposition in the first clause.

    Example: "We believed in this from the start".
    """
    if not i or following is None or following.tag not in ("ADP", "ADV", "CCONJ", "SCONJ"):
        return False
    is_object = part.words[i - 1].tag == "ADP" and not part.gaps[i + 1].strip()
    return is_object and sum(word.is_finite for word in seen) <= 1


def _is_of_subject(part: Part, possessive: Word) -> bool:
    """Return whether "his", "its" or "their" fits the subject that comes before the printed words.

    Example: "They [risk their lives]", where the brackets are the printed words.
    """
    clause = part.sentence.clause_of[part.first]
    if clause.subject is None:
        return False
    subject = part.sentence.words[clause.subject]
    if possessive.lower == "their":
        return subject.lower in ("they", "who", "that") or bool(_list_plurals([subject]))
    return subject.lower in AGREEING[possessive.lower]


AGREEING = {"his": ("he", "who"), "her": ("she", "who"), "its": ("it", "that", "which")}


def is_nominal(word: Word) -> bool:
    """Return whether "it" may refer to a word: to a noun, or to a word such as "everyone" or "those"."""
    is_noun = word.tag in ("NOUN", "PROPN") and word.lower not in UNNAMING_NOUNS
    return is_noun or word.lower in INDEFINITE


INDEFINITE = frozenset(
    ("whoever", "who", "everyone", "anyone", "someone", "nobody", "each", "those", "people", "one")
)
ADVERBIAL_NOUNS = frozenset(
    ("fact", "course", "example", "instance", "contrast", "addition", "mr", "turn", "lot", "bit", "deal")
)
"""Nouns of set phrases, to which no pronoun refers: "In fact, we warned it was coming"."""

UNNAMING_NOUNS = ADVERBIAL_NOUNS | TIMES


def _is_compared(part: Part, i: int, following: Word | None) -> bool:
    """Return whether "this" or "that" stands for something said before.

    Examples: "more than that", "doing this", "For this you have".
    """
    if not i:
        return False
    previous = part.words[i - 1].lower
    is_last = following is None or part.gaps[i + 1].strip() != ""
    if is_last and previous in ("than", "doing"):
        return True
    if part.words[i - 1].tag == "VERB" and following is not None:
        is_end = i + 2 == len(part.words) or part.gaps[i + 2].strip() != ""
        if following.lower == "done" or (is_end and following.lower in AFTER_THIS):
            return True  # "to get that done", "when I raised that before, ..."
    if previous in ("just", "exactly") and i > 1 and part.words[i - 2].lower in DOING:
        return True  # "We did just that"
    is_head = i == 1 and part.words[0].tag in ("ADP", "SCONJ")
    return is_head and following is not None and following.lower in NOMINATIVES


def _is_one_of(part: Part, i: int) -> bool:
    """Return whether "one", without a noun, follows "this" or "that": "We worked on this one"."""
    following = [word.lower for word in part.words[i + 1 : i + 2]]
    return following == ["one"] and (i + 2 == len(part.words) or part.gaps[i + 2].strip() != "")


def _list_nouns(words: Sequence[Word]) -> list[Word]:
    """Return the common nouns among words, except nouns of time and nouns of set phrases such as "in
    fact".
    """
    return [word for word in words if word.tag == "NOUN" and word.lower not in UNNAMING_NOUNS]


def _is_clause_end(part: Part, i: int) -> bool:
    """Return whether word `i`, a pronoun, follows a preposition or verb and has no word after it.

    Example: "we are committed to this". It must be the last printed word, or stand before punctuation.
    """
    is_last = i + 1 == len(part.words) or part.gaps[i + 1].strip() != ""
    return i > 0 and is_last and part.words[i - 1].tag in ("ADP", "VERB", "SCONJ", "PART")


def _is_pointing(part: Part, i: int, following: Word) -> bool:
    """Return whether a "that" tagged as a conjunction is in fact a demonstrative.

    Examples: "We face that point", "use that wealth to ...", "why that should slow up".
    """
    previous = part.words[i - 1]
    if previous.lower in ("why", "how") and following.is_finite:
        return True
    is_noun = following.tag == "NOUN" and not following.lower.endswith("s")
    after = part.words[i + 2] if i + 2 < len(part.words) else None
    goes_on = after is not None and (after.is_finite or after.lower in DESCRIBING)
    if following.lower in TIMES and not goes_on:
        return after is None or after.tag not in ("PRON", "DET")
    is_taking = previous.lower in TAKING_VERBS or (
        previous.tag == "VERB" and previous.lower not in CLAUSE_TAKERS
    )
    return is_taking and is_noun and not goes_on


PLURALS = frozenset(("they", "them", "their", "theirs", "themselves"))


def _list_plurals(seen: Sequence[Word]) -> list[Word]:
    """Return the words that "they" may refer to: plurals, coordinated nouns, "everyone"."""
    return [
        word
        for i, word in enumerate(seen)
        if (
            word.tag in ("NOUN", "PROPN")
            and word.lower != "thanks"
            and (word.lower.endswith("s") or word.lower in IRREGULAR_PLURALS)
        )
        or (word.lower == "and" and i + 1 < len(seen))
        or word.lower in ("who", "whoever", "everyone", "everybody", "anyone", "someone", "nobody", "each")
        or (word.lower in COLLECTIVES and not _is_before_of(seen, i) and not _is_one_noun(seen, i))
    ]


def _is_one_noun(words: Sequence[Word], i: int) -> bool:
    """Return whether word `i` is "one" before a noun or an adjective: "one nation", "one great nation"."""
    return words[i].lower == "one" and i + 1 < len(words) and words[i + 1].tag in ("NOUN", "ADJ")


def _is_before_of(words: Sequence[Word], i: int) -> bool:
    is_part = words[i].lower in ("some", "many", "one", "all", "both", "few", "most", "those", "these")
    return is_part and i + 1 < len(words) and words[i + 1].lower == "of"  # "some of them"


def _list_persons(seen: Sequence[Word]) -> list[Word]:
    """Return the words that "he" and "she" may refer to: names, and nouns such as "worker"."""
    return [
        word
        for i, word in enumerate(seen)
        if word.tag == "PROPN"
        or word.lower in PERSONS
        or (i and seen[i - 1].lower in ("every", "each", "any"))
        or (word.tag == "NOUN" and word.lower.endswith(AGENTS) and word.lower not in THINGS)
    ]


AGENTS = ("man", "woman", "person", "ist", "ian", "er", "or")


def _has_later_nominal(part: Part, i: int) -> bool:
    """Return whether a pronoun in an opening clause refers to a later noun: "Before he spoke, Lee wept"."""
    return i == 1 and part.words[0].lower in ADVERBIALS and any(w.tag in ("PROPN",) for w in part.words[i:])


EXPLETIVE_WORDS = 20
"""Number of words after "it" within which a clause that it announces must begin."""


def _is_expletive(part: Part, i: int) -> bool:
    """Return whether "it" has no referent: "It is time to ...", "It was there that ..."."""
    stop = next((k for k in range(i + 1, len(part.words)) if is_hard(part.gaps[k])), len(part.words))
    following = [w.lower for w in part.words[i + 1 : min(stop, i + EXPLETIVE_WORDS)]]
    if not following or following[0] not in BEGIN_EXPLETIVES:
        return False
    if following[1:2] in (["why"], ["because"], ["about"]) or following[1:3] == ["one", "of"]:
        return False  # "It's why we reject stereotypes"
    if following[0] in ("takes", "seems", "took", "appears"):
        return True
    if following[0] == "means":
        return following[1:2] in (["a"], ["so"], ["nothing"], ["everything"], ["much"])
    if following[0] not in ("matters", "becomes") and not _is_copula(part, i + 1):
        return False
    verbs = [
        k for k, w in enumerate(part.words[i + 1 : i + 5], i + 1) if w.tag == "VERB" and w.form == "Part"
    ]
    if verbs and not part.words[verbs[0]].lower.endswith("ing"):
        after = {w.lower for w in part.words[verbs[0] + 1 : verbs[0] + 4]}
        return bool(after & {"to", "that", "how"})  # "It was said that", but not "It was paid by those who"
    if "time" in following[1:3] or set(following[1:]) & {"that", "who", "when", "if", "because"}:
        return True
    infinitives = zip(part.words[i + 1 : stop], part.words[i + 2 : stop + 1], strict=False)
    return any(one.lower == "to" and two.tag in ("VERB", "AUX") for one, two in infinitives)


def _is_expletive_object(part: Part, i: int) -> bool:
    """Return whether "it" only announces a clause: "make it clear to all that ...", "find it hard to ..."."""
    after = part.words[i + 1 : i + EXPLETIVE_WORDS]
    is_object = i > 0 and part.words[i - 1].lower in JUDGING_VERBS and bool(after) and after[0].tag == "ADJ"
    return is_object and any(word.lower in ("that", "to") for word in after)


EXPLETIVE_VERBS = (
    "is 's was will has would may takes seems matters 'll 'd becomes took can does appears means"
)


BEGIN_EXPLETIVES = frozenset(EXPLETIVE_VERBS.split())


def _is_copula(part: Part, at: int) -> bool:
    """Return whether the verb at `at` is a form of "be", alone or after an auxiliary: "is", "would be"."""
    verbs = [w for w in part.words[at : at + 4] if w.tag in ("AUX", "VERB")]
    main = next((w for w in verbs if w.tag == "VERB"), None)
    is_be = any(w.lower in BE_FORMS for w in verbs) or any(
        w.lower in ("take", "seem", "matter") for w in verbs
    )
    is_progressive = main is not None and main.form == "Part" and main.lower.endswith("ing")
    return is_be and (not is_progressive or any(word.lower == "that" for word in part.words[at + 1 : at + 4]))


def _name_demonstrative_fault(part: Part, i: int, following: Word, seen: Sequence[Word]) -> str:
    word = part.words[i]
    if (
        word.tag == "SCONJ"
        or following.lower in ("who", "which", "that", "whose")
        or (following.tag == "PRON" and word.lower == "that")
    ):
        return ""
    if word.lower == "such" and following.lower == "as":
        return ""
    if word.lower in ("these", "those") and following.lower in ("last", "past", "next", "coming"):
        return ""  # "within these last 19 months"
    if word.lower == "that" and following.lower in ("a", "an") and i and part.words[i - 1].tag == "VERB":
        return "demonstrative without referent"  # "consider that an accomplishment"
    if word.lower in ("this", "that") and i and _is_doing(part.words[i - 1], following, seen):
        return "demonstrative without referent"  # "my inclination to do this"
    if word.lower == "this" and ":" in part.gaps[i] and following.is_finite:
        return "demonstrative without referent"  # "I said last night: This is ..."
    if word.lower == "this" and following.lower in SPEAKERS and i == 0:
        return "demonstrative without referent"  # "This I propose to offer"
    if word.lower == "such" and following.lower in ("a", "an") and i and part.words[i - 1].lower in BE_FORMS:
        return "demonstrative without referent"  # "is such an issue"
    if word.lower == "this" and i == 1 and part.words[0].lower == "with" and following.lower not in DEICTIC:
        return "demonstrative without referent"  # "With this pledge taken"
    if following.lower == "matter" and i and part.words[i - 1].lower == "for":
        return ""  # "for that matter"
    clause_word = (
        word.lower == "that"
        and word.tag == "PRON"
        and i
        and part.words[i - 1].tag in ("NOUN", "PROPN", "PRON")
    )
    if clause_word:
        return ""
    is_opening = i == 0 and part.first == 0
    if word.lower == "this" and is_opening and following.lower in BE_FORMS and _has_time_name(part):
        return ""  # "This is the 37th time I have spoken to you"
    if following.is_finite or following.tag in ("ADV", "ADP", "CCONJ", "PUNCT") or (following.tag == "AUX"):
        if word.lower in ("those", "such", "that") and following.tag == "ADP":
            return ""
        return "demonstrative without referent" if not [w for w in seen if w.tag == "NOUN"] or i == 0 else ""
    if word.tag == "PRON" and following.tag not in ("NOUN", "ADJ", "PROPN", "NUM"):
        return ""
    noun = next((w for w in part.words[i + 1 : i + 6] if w.tag in ("NOUN", "PROPN")), None)
    head = noun
    for w in part.words[i + 1 : i + 7]:
        if w.tag in ("NOUN", "PROPN"):
            head = w
        elif head is not None:
            break
    if head is None:
        return ""
    mentioned = {w.lower.rstrip("s") for w in seen}
    if head.lower.rstrip("s") in mentioned:
        return ""
    if word.lower == "that" and head.lower in ("kind", "sort", "type"):
        return "demonstrative without referent"
    if word.lower == "this" and _is_described(part, i):
        return ""
    if word.lower == "this" and head.lower not in DEICTIC and head.lower.endswith(ABSTRACT):
        return "demonstrative without referent"
    is_abstract = head.lower in SUMMING_NOUNS or head.lower.endswith(ABSTRACT_ENDINGS)
    is_near = head.lower in DEICTIC or ((i or seen) and not is_abstract)
    if word.lower == "this" and (is_near or _is_announcing(part, i)):
        return ""
    if word.lower == "those" and _is_described(part, i):
        return ""
    if word.lower in ("that", "such", "these") and _is_described(part, i) and word.lower != "these":
        return ""
    return "demonstrative without referent"


def _has_time_name(part: Part) -> bool:
    """Return whether a noun of time follows soon after the first two words: "This is the 37th time"."""
    return any(word.lower in TIMES and word.tag == "NOUN" for word in part.words[2:6])


AFTER_THIS = frozenset(("before", "again", "now", "then", "earlier", "today", "too", "right"))
DOING = frozenset(("do", "does", "did", "done", "doing"))


def _is_doing(previous: Word, following: Word, seen: Sequence[Word]) -> bool:
    """Return whether "this" or "that" is the object of "do" ("to do this") and refers to nothing printed.

    The result is false if a clause before says what is done.
    """
    is_object = previous.lower in DOING and following.tag not in (
        "NOUN",
        "PROPN",
    )
    return is_object and not any(word.is_finite for word in seen[:-1])


def _is_announcing(part: Part, i: int) -> bool:
    """Return whether a colon soon after "this" and its noun says what "this" means: "this promise: ..."."""
    return any(":" in gap for gap in part.gaps[i + 2 : i + 6])


ABSTRACT_ENDINGS = ("tion", "sion", "ness", "ance", "ence", "ity", "ment", "hood", "ship", "dom", "ism")


ABSTRACT = ("bination", "vantage", "angement", "ituation", "umstance", "osition", "trine", "erence", "posal")
"""Endings of abstract nouns, with which "this" sums up what was said before."""


def _is_described(part: Part, i: int) -> bool:
    """Return whether words such as "who" or "of" shortly after a noun say which one is meant.

    Example: "those men who ...". The word before the noun, here "those", has index `i`.
    """
    for word in part.words[i + 2 : i + 6]:
        if word.lower in DESCRIBING:
            return True
        if word.is_finite:
            return False  # "That experience guides my conviction that ..."
    return False
