"""Recognise words that a quotation may omit, or add, without a change of meaning.

Speakers break off, start again, and say things twice. A writer who tidies this up may omit "I can't" from "I
can't -- I could not" without changing the meaning. The rules here look at the context. They never excuse a
word that is replaced by another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from quotations.grammar.cut_vocabulary import BROKEN_OFF
from quotations.text.meaning import (
    CONDITIONS,
    FILLERS,
    HEDGES,
    MODAL_PHRASES,
    MODALS,
    NEGATIONS,
    OPINIONS,
    PRONOUNS,
    QUANTIFIERS,
    MeaningClass,
    count_negations,
    make_word_set,
    select_content_words,
)
from quotations.text.spoken import Spoken

NEAR_WORDS = 15  # a repetition stands within so many words
LEAST_REPEATED = 3  # words of a repetition that is not immediate
SCOPE_WORDS = 25  # a modal governs what is joined to it within so many words
RESTART_WORDS = 3  # after a dash, in which a speaker says a word again
DASH = re.compile(r"--|[—–]|\.\.\.|…|-\s*$")
BOUNDARY = re.compile(r"[.,;:!?—–…]|--")
RESTARTED_WORDS = 4  # longest phrase that is taken up again from its first word
JOINING = make_word_set("and or")
SUBJECTS = make_word_set("i you he she it we they there")
LISTED_DENIALS = make_word_set("nobody nothing none nowhere")
LISTED_WORDS = 4  # of one denial in a list: "not me, not Bill"
MERELY = make_word_set("only just merely simply")
DEICTIC_DAYS = make_word_set("today tonight")
ALL_OF_THEM = ("all of us", "all of you", "all of them", "both of us", "both of them", "each of us")
LIMITING = frozenset(
    ("who", "whom", "whose", "that", "which", "except", "but", "if", "unless", "when", "not")
)
DISCOURSE = frozenset((
    "i will tell you", "i will tell you what", "i can tell you", "i have to tell you",
    "i have to say", "i must say", "i must tell you", "i will say", "i will say this", "let me tell you",
    "i will give you", "i will show you",
    "if you will", "if you like", "if i may", "as you can see", "as you may know", "as i said before",
))  # fmt: skip
"""Fillers: phrases before a speaker comes to the point."""

LOOKING = ("if you look at", "if you think about it", "if you look")
ANNOUNCED = (("tell", "you"), ("give", "you"), ("say", "this"))
STANDALONE = frozenset((
    MeaningClass.MODAL, MeaningClass.QUANTIFIER, MeaningClass.NUMBER, MeaningClass.DATE, MeaningClass.NAME,
    MeaningClass.OPPOSITE,
))  # fmt: skip
"""Classes that affect only their own sentence. A hedge or a negation may affect the previous sentence."""

LEAST_SENTENCE = 3  # words
SENTENCE_END = re.compile(r"[.!?]")
CONTRASTED = frozenset((MeaningClass.NEGATION, MeaningClass.QUANTIFIER, MeaningClass.OPPOSITE))
BROKEN_CLASSES = frozenset((MeaningClass.MODAL, MeaningClass.NEGATION, MeaningClass.QUANTIFIER))
MEANING_WORDS = (
    NEGATIONS | CONDITIONS | HEDGES | frozenset(MODALS) | frozenset(OPINIONS) | frozenset(QUANTIFIERS)
)


@dataclass(frozen=True, slots=True)
class OmittedWords:
    """Hold the words `first` to `stop` (exclusive) of a transcript that a quotation omits.

    `quoted` are the words of the quotation. `classes` are the kinds of meaning that the omitted words
    express, such as negation.
    """

    spoken: Spoken
    first: int
    stop: int
    quoted: Sequence[str]
    classes: frozenset[MeaningClass]

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the omitted words in their normalised form, for comparison."""
        return self.spoken.keys[self.first : self.stop]

    @property
    def gap_before(self) -> str:
        """Return the characters between the first omitted word and the word before it."""
        return read_gap(self.spoken, self.first)

    @property
    def gap_after(self) -> str:
        """Return the characters between the last omitted word and the word after it."""
        return read_gap(self.spoken, self.stop)


def read_gap(spoken: Spoken, at: int) -> str:
    """Return the text between word `at` and the previous word; a full stop if they are in different
    paragraphs.

    >>> read_gap(Spoken(("I can't -- I could",)), 3)
    ' -- '
    """
    if not 0 < at < len(spoken.words):
        return "."
    before, after = spoken.words[at - 1], spoken.words[at]
    return spoken.texts[after.text][before.end_char : after.start_char] if before.text == after.text else "."


def is_harmless(omission: OmittedWords) -> bool:
    """Return whether a quotation can omit the words of `omission` without a change of meaning.

    >>> from quotations.text.meaning import MeaningClass
    >>> spoken = Spoken(("It is so perfect. I can't -- and that was long ago.",))
    >>> modal = frozenset((MeaningClass.MODAL, MeaningClass.NEGATION))
    >>> is_harmless(OmittedWords(spoken, 4, 7, "it is so perfect and that was long ago".split(), modal))
    True
    """
    return any(rule(omission) for rule in RULES)


def is_repeated(omission: OmittedWords) -> bool:
    """Return whether the speaker says the omitted words twice, and the quotation still has them elsewhere.

    The speaker must say them again shortly before or after. One of the words must be a content word: a phrase
    such as "as long as" may occur in two different statements.
    """
    run = omission.keys
    content = [word for word in select_content_words(run) if word not in MEANING_WORDS]
    if len(run) < LEAST_REPEATED or not content:
        return False
    return has_run(omission.quoted, run) and any(has_run(words, run) for words in _read_around(omission))


def is_repeated_clause(omission: OmittedWords) -> bool:
    """Return whether the omitted words are a clause that the speaker says twice and the quotation keeps once.

    A clause here is words between two punctuation marks. Example: "I can't do it. I just can't do it."
    Fillers are ignored. Unlike in `is_repeated`, a content word is not required, because such a clause is a
    whole statement.
    """
    if not (BOUNDARY.search(omission.gap_before) and BOUNDARY.search(omission.gap_after)):
        return False
    run = _remove_fillers(omission.keys)
    if len(run) < LEAST_REPEATED:
        return False
    around = map(_remove_fillers, _read_around(omission))
    return has_run(_remove_fillers(omission.quoted), run) and any(has_run(words, run) for words in around)


def _read_around(omission: OmittedWords) -> tuple[Sequence[str], Sequence[str]]:
    """Return the words shortly before and shortly after the omitted words."""
    reach = NEAR_WORDS + len(omission.keys)
    return (
        omission.spoken.keys[max(0, omission.first - reach) : omission.first],
        omission.spoken.keys[omission.stop : omission.stop + reach],
    )


def _remove_fillers(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word not in FILLERS)


def has_run(words: Sequence[str], run: Sequence[str]) -> bool:
    """Return whether `words` contains `run` as consecutive words.

    >>> has_run("I never liked you".split(), ["liked", "you"])
    True
    """
    size = len(run)
    return any(tuple(words[at : at + size]) == tuple(run) for at in range(len(words) - size + 1))


def is_broken_off(omission: OmittedWords) -> bool:
    """Return whether the omitted words are a phrase that the speaker breaks off before a dash.

    After the dash, the speaker says the first or last word of the phrase again: "we need -- we want". Or the
    phrase begins like a clause and ends with a word that seldom ends a sentence: "I could not --".
    """
    if not DASH.search(omission.gap_after):
        return False
    next_word = omission.spoken.keys[omission.stop : omission.stop + 1]
    if len(omission.keys) <= RESTARTED_WORDS and next_word == omission.keys[:1]:
        return True
    last = omission.keys[-1]
    hedge = {MeaningClass.HEDGE} if last in SUBJECTS else set()  # "I think she --"
    if not omission.classes <= BROKEN_CLASSES | hedge:
        return False
    is_said_again = last in omission.spoken.keys[omission.stop : omission.stop + RESTART_WORDS]
    if is_said_again and last not in NEGATIONS:
        return True
    opens = bool(BOUNDARY.search(omission.gap_before)) or omission.keys[0] in FILLERS
    if omission.keys[0] in SUBJECTS and all(word in QUANTIFIERS for word in omission.keys[1:]):
        return len(omission.keys) > 1  # "until it all -- both get there"
    begins = opens or omission.keys[0] in SUBJECTS
    return begins and len(omission.keys) > 1 and last in (BROKEN_OFF | NEGATIONS)


def is_joined(omission: OmittedWords) -> bool:
    """Return whether the omitted words only repeat a modal verb: "we will win and [we will] go on".

    In the transcript, "and" or "or" must join them to words with the same modal verb. The quotation must have
    this verb as well.
    """
    return omission.classes == {MeaningClass.MODAL} and is_joined_modal(
        omission.keys,
        omission.spoken.keys[max(0, omission.first - SCOPE_WORDS) : omission.first],
        omission.quoted,
    )


def is_joined_modal(run: Sequence[str], before: Sequence[str], quoted: Sequence[str]) -> bool:
    """Return whether the words `run` only repeat a modal verb that is in `before` and in the quotation.

    In "we will win and we will go on", the second "we will" only repeats the first. `run` may contain the
    subject ("we"). The words `before` and `run` must be joined by "and" or "or".

    >>> is_joined_modal("we will".split(), "we will win and".split(), "we will win and go on".split())
    True
    >>> is_joined_modal(["will"], "we will win because we".split(), "we will win".split())
    False
    """
    words = [word for word in run if word not in PRONOUNS and word not in JOINING]
    joins = any(word in JOINING for word in (*before[-1:], *run[:1], *before[-2:-1]))
    modals = find_modals(words)
    plain = all(word in MODALS for word in words) or " ".join(words) in MODAL_PHRASES
    return joins and plain and bool(modals) and modals <= find_modals(before) & find_modals(quoted)


def find_modals(words: Sequence[str]) -> set[str]:
    """Return the classes of the modal verbs among words: "will" for "going to".

    >>> sorted(find_modals("we are going to win and must".split()))
    ['must', 'will']
    """
    singles = {MODALS[word] for word in words if word in MODALS}
    return singles | {MODAL_PHRASES[pair] for pair in map(" ".join, pairwise(words)) if pair in MODAL_PHRASES}


def is_comparison(omission: OmittedWords) -> bool:
    """Return whether an inserted comparison is omitted: "I would wait, [as all others have,] for it"."""
    stands_apart = BOUNDARY.search(omission.gap_before) and BOUNDARY.search(omission.gap_after)
    return bool(stands_apart) and is_comparing(omission.keys, omission.classes)


def is_comparing(words: Sequence[str], classes: Iterable[MeaningClass]) -> bool:
    """Return whether words are only a comparison: "like everybody", "as I have said many times".

    `classes` are the classes of meaning in the words. A condition or a negation makes them more than a
    comparison.

    >>> is_comparing("like everybody".split(), {MeaningClass.QUANTIFIER})
    True
    >>> is_comparing("as long as all agree".split(), {MeaningClass.CONDITION})
    False
    """
    is_plain = len(words) > 1 and words[0] in ("as", "like") and words[1] not in ("if", "though")
    return is_plain and set(classes) <= {MeaningClass.QUANTIFIER, MeaningClass.MODAL}


def is_answer(omission: OmittedWords) -> bool:
    """Return whether the omitted words are only an answer at the beginning of a sentence: "No, ..."."""
    run = [word for word in omission.keys if word not in FILLERS]
    opens = re.search(r"[.!?:]|--|[—–]", omission.gap_before) is not None
    return set(run) == {"no"} and opens and BOUNDARY.search(omission.gap_after) is not None


def is_emphasis(omission: OmittedWords) -> bool:
    """Return whether the omitted word repeats a negation for emphasis: "It never happened, [never].".

    It stands between two punctuation marks. The end of a list of negations counts as well: "not me, not Bill,
    [nobody]".
    """
    [*run] = omission.keys
    near = omission.spoken.keys[max(0, omission.first - NEAR_WORDS) : omission.first]
    stands_apart = BOUNDARY.search(omission.gap_before) and BOUNDARY.search(omission.gap_after)
    return bool(
        len(run) == 1
        and run[0] in NEGATIONS
        and stands_apart
        and (
            (run[0] in near and run[0] in omission.quoted)
            or (run[0] in LISTED_DENIALS and _is_denied_before(omission, near))
        )
    )


def _is_denied_before(omission: OmittedWords, near: Sequence[str]) -> bool:
    """Return whether the last negation shortly before the omitted words is in the quotation, too.

    In "not me, not Bill, [nobody]", it is the second "not".
    """
    last = [word for word in near[-LISTED_WORDS:] if word in NEGATIONS]
    return bool(last) and last[-1] in omission.quoted


def is_whole_sentence(omission: OmittedWords) -> bool:
    """Return whether the omitted words are whole sentences without a negation, hedge or condition.

    A quotation may omit such sentences, because they do not change the meaning of other sentences.
    """
    return (
        len(omission.keys) >= LEAST_SENTENCE
        and omission.classes <= STANDALONE
        and SENTENCE_END.search(omission.gap_before) is not None
        and SENTENCE_END.search(omission.gap_after) is not None
        and omission.spoken.is_sentence_start(omission.first)
    )


def is_discourse(omission: OmittedWords) -> bool:
    """Return whether the omitted words only announce a statement: "I'll tell you", "if you look at"."""
    run = [word for word in omission.keys if word not in JOINING]
    while run and run[0] in ("but", "so", "well", "now"):
        run = run[1:]
    text = " ".join(run)
    following = omission.spoken.keys[omission.stop : omission.stop + 2]
    if run in (["i", "will"], ["will"]) and following in ANNOUNCED:
        return True
    looks = omission.classes == {MeaningClass.CONDITION} and f"{text} ".startswith(
        tuple(f"{phrase} " for phrase in LOOKING)
    )
    return looks or text in DISCOURSE or text.removesuffix(" that") in DISCOURSE


def is_floating(omission: OmittedWords) -> bool:
    """Return whether the omitted words begin with "all of us" or the like and stand between two punctuation
    marks.

    Such words only repeat the subject: "You, all of you watching tonight, ...". The result is false if a
    word such as "who" limits the subject: "all of us who did not vote".
    """
    stands_apart = BOUNDARY.search(omission.gap_before) and BOUNDARY.search(omission.gap_after)
    starts_so, rest = " ".join(omission.keys[:3]) in ALL_OF_THEM, omission.keys[3:]
    return bool(stands_apart) and starts_so and LIMITING.isdisjoint(rest)


def is_contrast(omission: OmittedWords) -> bool:
    """Return whether the omitted words are a whole contrast between two punctuation marks.

    Example: "a man, [not a boy,] came". The rest of the sentence means the same without the contrast.
    """
    return (
        len(omission.keys) >= LEAST_REPEATED
        and omission.keys[0] == "not"
        and omission.classes <= CONTRASTED
        and count_negations(omission.keys) == 1
        and BOUNDARY.search(omission.gap_before) is not None
        and SENTENCE_END.search(omission.gap_before) is None
        and BOUNDARY.search(omission.gap_after) is not None
    )


def is_restated(omission: OmittedWords) -> bool:
    """Return whether the omitted words repeat a quantifier between two punctuation marks.

    Example: "the only man -- [the only one], ...".
    """
    counted = [word for word in omission.keys if word in QUANTIFIERS]
    near = omission.spoken.keys[max(0, omission.first - NEAR_WORDS) : omission.first]
    stands_apart = BOUNDARY.search(omission.gap_before) and BOUNDARY.search(omission.gap_after)
    return bool(
        omission.classes == {MeaningClass.QUANTIFIER}
        and stands_apart
        and counted
        and all(word in near and word in omission.quoted for word in counted)
    )


def is_parallel_condition(omission: OmittedWords) -> bool:
    """Return whether the omitted words repeat the opening of a condition: "whether you are ... [whether you
    are]".
    """
    run = omission.keys
    before = omission.spoken.keys[max(0, omission.first - NEAR_WORDS) : omission.first]
    plain = [word for word in run if word not in JOINING]
    return (
        omission.classes == {MeaningClass.CONDITION}
        and len(plain) > 1
        and has_run(before, plain)
        and has_run(omission.quoted, plain)
    )


def is_deictic_day(omission: OmittedWords) -> bool:
    """Return whether the omitted words only name the day of the speech itself: "tonight"."""
    return omission.classes == {MeaningClass.DATE} and is_day_of_speech(omission.keys)


def is_day_of_speech(words: Sequence[str]) -> bool:
    """Return whether words only name the day on which they are said.

    >>> is_day_of_speech(["here", "tonight"]), is_day_of_speech(["just", "today"])
    (False, True)
    """
    return set(words) - FILLERS <= DEICTIC_DAYS


def is_pair(omission: OmittedWords) -> bool:
    """Return whether the omitted words are "not only" or the like, or "or not" after "whether"."""
    run = omission.keys
    before = omission.spoken.keys[max(0, omission.first - NEAR_WORDS) : omission.first]
    return (len(run) == 2 and run[0] == "not" and run[1] in MERELY) or (
        run == ("or", "not") and "whether" in before
    )


RULES = (
    is_repeated,
    is_repeated_clause,
    is_broken_off,
    is_joined,
    is_comparison,
    is_answer,
    is_emphasis,
    is_whole_sentence,
    is_discourse,
    is_floating,
    is_contrast,
    is_restated,
    is_parallel_condition,
    is_deictic_day,
    is_pair,
)
