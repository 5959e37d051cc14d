"""Find the words that carry the meaning of a sentence, and compare two wordings by these words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise


def make_word_set(text: str) -> frozenset[str]:
    """Return the words in a text as a set.

    >>> sorted(make_word_set("one two"))
    ['one', 'two']
    """
    return frozenset(text.split())


class MeaningClass(StrEnum):
    """Name the classes of words that change what a sentence says: negations, numbers, dates."""

    NEGATION = "negation"
    NUMBER = "number"
    DATE = "date"
    NAME = "name"
    MODAL = "modal"
    HEDGE = "hedge"
    CONDITION = "condition"
    QUANTIFIER = "quantifier"
    OPPOSITE = "opposite"


NEGATIONS = make_word_set(
    "not no never nobody nothing none neither nor nowhere without hardly scarcely barely cannot"
)

CONDITIONS = make_word_set("if unless until whether provided providing assuming except otherwise")
CONDITION_PHRASES = ("as long as", "so long as", "in case", "in the event", "on condition", "only when")

# One class of modality; words of the same class stand for each other.
MODALS = {
    "will": "will", "shall": "will", "would": "would", "can": "can", "could": "could", "may": "may",
    "might": "may", "must": "must", "should": "should", "ought": "should",
}  # fmt: skip
MODAL_PHRASES = {
    "going to": "will", "able to": "can", "unable to": "can",
    "have to": "must", "has to": "must", "had to": "must",
    "got to": "must", "need to": "must", "needs to": "must",
}  # fmt: skip

MODAL_WORDS = frozenset(MODALS) | make_word_set("going able need needs got gotta")
"""Words in MODALS and MODAL_PHRASES besides function words."""

HEDGES = make_word_set("""
perhaps maybe possibly probably likely unlikely apparently allegedly reportedly seemingly
seem seems seemed appear appears appeared supposedly arguably potentially presumably conceivably roughly
approximately generally suspect""")
SAME_HEDGES = {"maybe": "perhaps", "possibly": "perhaps", "likely": "probably"}
OPINIONS = {
    "think": "think", "believe": "think", "guess": "think", "suppose": "think", "feel": "think",
    "assume": "think", "imagine": "think", "thought": "think", "believed": "think", "hope": "hope",
    "expect": "expect",
}  # fmt: skip
SPEAKERS = make_word_set("i we")
BEFORE_OPINIONS = make_word_set("""
just really actually only also still always truly certainly definitely strongly honestly do did simply
personally firmly""")
"""Words that may be between a speaker and the verb of an opinion: "I only hope"."""

HEDGE_PHRASES = (
    "in my opinion",
    "in my view",
    "in our view",
    "to my mind",
    "is possible",
    "tend to",
    "tends to",
)

QUANTIFIERS = {
    "all": "all", "every": "all", "everyone": "all", "everybody": "all", "everything": "everything",
    "most": "most", "mostly": "most", "majority": "most", "some": "some", "few": "few", "many": "many",
    "several": "several", "only": "only", "always": "always", "sometimes": "sometimes", "often": "often",
    "frequently": "often", "usually": "usually", "rarely": "rarely", "seldom": "rarely", "almost": "almost",
    "nearly": "almost", "entirely": "wholly", "completely": "wholly", "totally": "wholly", "partly": "partly",
    "partially": "partly", "half": "half", "both": "both", "each": "all", "any": "any", "someone": "some",
    "somebody": "some", "something": "something", "anyone": "any", "anybody": "any", "little": "little",
    "much": "much", "more": "more", "less": "less", "fewer": "less", "least": "least", "once": "once",
    "twice": "twice", "virtually": "almost", "practically": "almost",
}  # fmt: skip
# Ignored if they are omitted or inserted; counted only as a replacement for another quantifier.
IDIOMS = (
    "all right", "all of a sudden", "after all", "first of all", "above all", "each and every", "all over",
    "all around", "all across", "all along",
)  # fmt: skip
INDEFINITE = make_word_set("day place time")  # "some place" is a spelling of "someplace"
WEAK_QUANTIFIERS = make_word_set("any both much more something wholly each little once")

MONTH_NAMES = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
)  # fmt: skip
MONTHS = {name: name for name in MONTH_NAMES} | {
    "jan": "january", "feb": "february", "mar": "march", "apr": "april", "jun": "june", "jul": "july",
    "aug": "august", "sept": "september", "sep": "september", "oct": "october", "nov": "november",
    "dec": "december",
}  # fmt: skip
WEEKDAYS = make_word_set("monday tuesday wednesday thursday friday saturday sunday")
DAYS = make_word_set("today tomorrow yesterday tonight")
DATES = WEEKDAYS | DAYS

MAGNITUDES = {
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "thousand": 1000,
    "hundred": 100,
    "dozen": 12,
}
NUMBER = re.compile(r"\d+(?:\.\d+)*(?:th|s)?")
WHOLE = frozenset(("entire", "whole"))
SMALL_NUMBERS = frozenset(("couple",))  # "a couple of" for "a few"
NO_SUPERLATIVES = make_word_set("""
interest request protest forest honest suggest invest arrest harvest modest midwest northwest southwest
contest conquest manifest digest attest detest""")
RANGES = make_word_set("or to and")  # between two numbers that share one magnitude: "10 or 15 million"
MERELY = frozenset(("just", "merely", "simply"))

FILLERS = make_word_set("""
uh um er ah oh hmm mm eh well like so and but now look okay yeah yes right just really
actually very you know mean see folks frankly honestly basically literally simply indeed also too then again
even anyway please sir that""")
ARTICLES = make_word_set("a an the this that these those")
FUNCTION = make_word_set("""
a an the this that these those and or but so of to in on at by for from with as into
about over is are was were be been being am do does did done has have had having i you he she it we they me
him her us them my your his its our their mine yours ours theirs who whom which what there here than then
s""")
DETERMINERS = ARTICLES | make_word_set("my your his her its our their")
PRONOUNS = make_word_set(
    "i you he she it we they me him her us them my your his its our their this that these those who"
)

EQUIVALENT = {
    "an": "a", "gov": "governor", "sen": "senator", "rep": "representative", "pres": "president",
    "mr": "mister", "everybody": "everyone", "somebody": "someone", "anybody": "anyone", "toward": "towards",
    "till": "until", "til": "until", "cause": "because", "yeah": "yes", "yep": "yes", "ya": "you",
    "cuz": "because", "usa": "us", "thru": "through", "tonite": "tonight", "ok": "okay", "mom": "mother",
    "dad": "father", "alright": "right", "might": "may", "vs": "versus", "gray": "grey",
    "bn": "billion", "tn": "trillion", "mn": "million",
}  # fmt: skip

PHRASES = {
    "us": ("united", "states"), "un": ("united", "nations"), "eu": ("european", "union"),
    "uk": ("united", "kingdom"), "dc": ("district", "of", "columbia"), "tv": ("television",),
    "nyc": ("new", "york", "city"), "gop": ("republican", "party"), "ones": ("one", "is"),
    "lets": ("let", "us"), "gov": ("governor",), "sen": ("senator",), "rep": ("representative",),
    "gen": ("general",), "dr": ("doctor",), "mr": ("mister",), "prof": ("professor",), "lt": ("lieutenant",),
    "col": ("colonel",), "capt": ("captain",), "sgt": ("sergeant",), "ii": ("2",), "iii": ("3",),
    "ala": ("alabama",), "ariz": ("arizona",), "ark": ("arkansas",), "calif": ("california",),
    "colo": ("colorado",), "conn": ("connecticut",), "del": ("delaware",), "fla": ("florida",),
    "ga": ("georgia",), "ill": ("illinois",), "ind": ("indiana",), "kan": ("kansas",), "ky": ("kentucky",),
    "la": ("louisiana",), "md": ("maryland",), "mass": ("massachusetts",), "mich": ("michigan",),
    "minn": ("minnesota",), "miss": ("mississippi",), "mo": ("missouri",), "mont": ("montana",),
    "neb": ("nebraska",), "nev": ("nevada",), "nh": ("new", "hampshire"), "nj": ("new", "jersey"),
    "nm": ("new", "mexico"), "ny": ("new", "york"), "nc": ("north", "carolina"), "nd": ("north", "dakota"),
    "okla": ("oklahoma",), "ore": ("oregon",), "pa": ("pennsylvania",), "ri": ("rhode", "island"),
    "sc": ("south", "carolina"), "sd": ("south", "dakota"), "tenn": ("tennessee",), "tex": ("texas",),
    "vt": ("vermont",), "va": ("virginia",), "wash": ("washington",), "wva": ("west", "virginia"),
    "wis": ("wisconsin",), "wyo": ("wyoming",), "bn": ("billion",), "tn": ("trillion",), "mn": ("million",),
}  # fmt: skip
"""Phrases that stand for one word, by that word's key."""

OPPOSITES = {
    frozenset(pair.split("/"))
    for pair in make_word_set("""
increase/decrease increased/decreased increases/decreases increasing/decreasing
    rise/fall rising/falling rose/fell up/down more/less more/fewer good/bad best/worst better/worse win/lose
    won/lost winning/losing support/oppose supports/opposes supported/opposed for/against accept/reject
    accepted/rejected before/after above/below with/without friend/enemy friends/enemies war/peace right/wrong
    true/false left/right guilty/innocent legal/illegal high/low higher/lower strong/weak stronger/weaker
    love/hate rich/poor safe/dangerous begin/end began/ended start/stop started/stopped open/close open/closed
    opened/closed first/last buy/sell young/old allow/ban raise/cut raise/lower raised/cut cut/increase
    success/failure succeed/fail succeeded/failed pass/fail passed/failed give/take gave/took remember/forget
    ally/enemy allies/enemies agree/disagree agreed/disagreed lawful/unlawful possible/impossible
    likely/unlikely fair/unfair legitimate/illegitimate inside/outside yes/no large/small larger/smaller
    big/small bigger/smaller easy/hard easier/harder public/private build/destroy protect/harm create/destroy
    victory/defeat hope/fear hope/despair light/dark men/women man/woman his/her he/she him/her hot/cold
    early/late earlier/later gain/loss gains/losses profit/loss add/subtract minimum/maximum majority/minority
    all/none always/never everyone/nobody everything/nothing least/most""")
}
NO_OPPOSITES = make_word_set(
    "improve impress impart implant import impose inform inspire insure intend invent"
)
"""Words that begin like negated words but are not: "improve" does not negate "prove"."""

PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis", "mis")


@lru_cache(1 << 16)
def normalise_word(word: str) -> str:
    """Return the standard spelling of a word.

    >>> normalise_word("gov"), normalise_word("21th"), normalise_word("legalise")
    ('governor', '21th', 'legalize')
    """
    word = EQUIVALENT.get(word, word)
    return re.sub(r"(?<=\w{3})is(e[ds]?|ing|ation)$", r"iz\1", word)


def expand_phrases(words: Sequence[str]) -> list[str]:
    """Return the words with abbreviations written out.

    >>> expand_phrases(["the", "us"])
    ['the', 'united', 'states']
    """
    return [part for word in words for part in PHRASES.get(word, (word,))]


def count_negations(words: Sequence[str]) -> int:
    """Return the number of negations among words.

    >>> count_negations("it is not a matter without precedent".split())
    2
    """
    return sum(word in NEGATIONS for word in words)


def count_modals(words: Sequence[str]) -> Counter[str]:
    """Count the modal verbs among words by class.

    "Going to" before a word such as "the" does not count, nor does "need to" before "have".

    >>> sorted(count_modals("we are going to win because we must".split()).elements())
    ['must', 'will']
    >>> sorted(count_modals("it is going to the government and we need to have it".split()).elements())
    []
    """
    result = Counter(MODALS[word] for word in words if word in MODALS)
    result.update(
        MODAL_PHRASES[pair]
        for pair, following in zip(map(" ".join, pairwise(words)), (*words[2:], ""), strict=False)
        if pair in MODAL_PHRASES and not _is_literal(pair, following)
    )
    return result


def _is_literal(pair: str, following: str) -> bool:
    """Return whether a modal phrase is used literally, as in "going to the sea", judging by the next word."""
    if pair == "going to":
        return following in DETERMINERS
    return pair in ("need to", "needs to") and following == "have"


def count_hedges(words: Sequence[str]) -> Counter[str]:
    """Count the hedges among words; count an opinion ("I think") under its verb.

    >>> sorted(count_hedges("i think that it is likely right".split()).elements())
    ['probably', 'think']
    """
    text = f" {' '.join(words)} "
    result = Counter(SAME_HEDGES.get(word, word) for word in words if word in HEDGES)
    result.update(
        OPINIONS[word]
        for at, word in enumerate(words)
        if word in OPINIONS and _find_holder(words, at) in (*SPEAKERS, "")
    )
    result.update(phrase for phrase in HEDGE_PHRASES if f" {phrase} " in text)
    return result


def _find_holder(words: Sequence[str], at: int) -> str:
    """Return the word that says whose opinion the verb with index `at` states: "i" for "i really think".

    It is the word before the verb and its adverbs; "" at the beginning.
    """
    while at and words[at - 1] in BEFORE_OPINIONS:
        at -= 1
    return words[at - 1] if at else ""


def count_conditions(words: Sequence[str]) -> Counter[str]:
    """Count the words and phrases that state a condition, such as "if" and "as long as"."""
    text = f" {' '.join(words)} "
    result = Counter(word for word in words if word in CONDITIONS)
    result.update(phrase for phrase in CONDITION_PHRASES if f" {phrase} " in text)
    return result


def count_quantifiers(words: Sequence[str]) -> Counter[str]:
    """Count the quantifiers among words by class: "all" and "every" are both of the class "all".

    Words used in another sense do not count, such as those of "all right" and "majority leader".

    >>> sorted(count_quantifiers("some day the majority leader goes all over the state".split()).elements())
    []
    """
    text = f" {' '.join(words)} "
    result = Counter(
        QUANTIFIERS[word]
        for word, following in zip(words, (*words[1:], ""), strict=False)
        if word in QUANTIFIERS and not _is_no_quantity(word, following)
    )
    result["all"] -= sum(text.count(f" {idiom} ") for idiom in IDIOMS)
    return +result


def _is_no_quantity(word: str, following: str) -> bool:
    """Return whether a quantifier is used in another sense, given the next word: "majority" in "majority
    leader".
    """
    if word == "majority":
        return following not in ("of", "")
    return word == "some" and following in INDEFINITE


def count_numbers(words: Sequence[str]) -> Counter[float | str]:
    """Count the values of the numbers among words.

    >>> count_numbers("2.5 million people in 1963".split()) == Counter([2500000.0, 1963.0])
    True
    >>> count_numbers("a trillion".split()) == count_numbers("1 trillion".split())
    True
    >>> count_numbers("10 or 15 million".split()) == Counter([10000000.0, 15000000.0])
    True
    """
    result: Counter[float | str] = Counter()
    at = 0
    while at < len(words):
        word = words[at]
        if NUMBER.fullmatch(word):
            value: float | str = _read_value(word)
            if isinstance(value, float) and _has_shared_magnitude(words, at):
                value *= MAGNITUDES[words[at + 3]]
            while at + 1 < len(words) and words[at + 1] in MAGNITUDES and isinstance(value, float):
                at += 1
                value *= MAGNITUDES[words[at]]
            result[value] += 1
        elif word in MAGNITUDES:
            result[float(MAGNITUDES[word])] += 1
        elif word.removesuffix("s") in MAGNITUDES:
            result[word.removesuffix("s")] += 1
        at += 1
    return result


def _has_shared_magnitude(words: Sequence[str], at: int) -> bool:
    """Return whether number `at` shares the magnitude of the next number: "10" in "10 or 15 million"."""
    if at + 3 >= len(words):
        return False
    joining, number, magnitude = words[at + 1 : at + 4]
    return joining in RANGES and NUMBER.fullmatch(number) is not None and magnitude in MAGNITUDES


def _read_value(word: str) -> float | str:
    try:
        return float(word.removesuffix("th"))
    except ValueError:
        return word


def count_dates(words: Sequence[str]) -> Counter[str]:
    """Count the names of days and months among words; "may" and "march" do not count, as they have other
    senses.
    """
    return Counter(
        MONTHS.get(word, word)
        for word in words
        if word in DATES or (word in MONTHS and word not in ("may", "march"))
    )


def is_opposite(word: str, other: str) -> bool:
    """Return whether two words are opposites.

    >>> is_opposite("increase", "decrease"), is_opposite("fair", "unfair"), is_opposite("fair", "fairly")
    (True, True, False)
    >>> is_opposite("improve", "prove")
    False
    """
    if frozenset((word, other)) in OPPOSITES:
        return True
    longer, shorter = (word, other) if len(word) > len(other) else (other, word)
    if longer.endswith("less") and shorter.endswith("ful"):
        return longer[:-4] == shorter[:-3]
    return (
        len(shorter) > 3
        and longer not in NO_OPPOSITES
        and any(longer == prefix + shorter for prefix in PREFIXES)
    )


def compare_meaning(quoted: Sequence[str], spoken: Sequence[str]) -> set[MeaningClass]:
    """Return the classes of meaning, such as negation, in which the quoted and the spoken words differ.

    Names are not compared here.

    >>> compare_meaning(["is"], ["is", "not"]) == {MeaningClass.NEGATION}
    True
    >>> compare_meaning("is no reason".split(), "is not any reason".split())
    set()
    >>> compare_meaning("uh the 50".split(), "50".split())
    set()
    """
    result = set()
    if count_negations(quoted) != count_negations(spoken):
        result.add(MeaningClass.NEGATION)
    if count_numbers(quoted) != count_numbers(spoken) and not _is_trivial_number(quoted, spoken):
        result.add(MeaningClass.NUMBER)
    if count_dates(quoted) != count_dates(spoken):
        result.add(MeaningClass.DATE)
    if count_modals(quoted) != count_modals(spoken):
        result.add(MeaningClass.MODAL)
    if count_hedges(quoted) != count_hedges(spoken):
        result.add(MeaningClass.HEDGE)
    if count_conditions(quoted) != count_conditions(spoken):
        result.add(MeaningClass.CONDITION)
    if _has_other_quantity(quoted, spoken):
        result.add(MeaningClass.QUANTIFIER)
    only_quoted, only_spoken = set(quoted) - set(spoken), set(spoken) - set(quoted)
    opposites = [(word, other) for word in only_quoted for other in only_spoken if is_opposite(word, other)]
    if opposites:
        result.add(MeaningClass.OPPOSITE)
    if _is_same_denial(quoted, spoken, opposites):
        result -= {MeaningClass.NEGATION, MeaningClass.OPPOSITE}
    if _is_same_possibility(quoted, spoken):
        result -= {MeaningClass.MODAL, MeaningClass.HEDGE}
    return result


def _is_same_denial(
    quoted: Sequence[str], spoken: Sequence[str], opposites: Sequence[tuple[str, str]]
) -> bool:
    """Return whether one wording has a negation and the other a prefix: "not satisfied", "unsatisfied"."""
    more = count_negations(quoted) - count_negations(spoken)
    if abs(more) != 1 or len(opposites) != 1:
        return False
    [(word, other)] = opposites
    plain, denied = (word, other) if more == 1 else (other, word)
    return any(denied == prefix + plain for prefix in PREFIXES)


def _is_same_possibility(quoted: Sequence[str], spoken: Sequence[str]) -> bool:
    """Return whether one wording has "may" where the other has "maybe" or "perhaps"."""
    modals, hedges = count_modals(quoted), count_hedges(quoted)
    modals.subtract(count_modals(spoken))
    hedges.subtract(count_hedges(spoken))
    other_modals = {word: count for word, count in modals.items() if count}
    other_hedges = {word: count for word, count in hedges.items() if count}
    return (other_modals, other_hedges) in (
        ({"may": 1}, {"perhaps": -1}),
        ({"may": -1}, {"perhaps": 1}),
    )


def _is_trivial_number(quoted: Sequence[str], spoken: Sequence[str]) -> bool:
    """Return whether the only differing number is a "one" that does not count: "this one", "one of"."""
    difference = count_numbers(quoted)
    difference.subtract(count_numbers(spoken))
    return all(value == 1.0 for value, count in difference.items() if count) and not (
        any(count_numbers(quoted)) and any(count_numbers(spoken))
    )


def _has_other_quantity(quoted: Sequence[str], spoken: Sequence[str]) -> bool:
    """Return whether two wordings differ in a quantifier, such as "all" or "few".

    A weak quantifier, such as "any", counts only if another quantifier replaces it.
    """
    mine, theirs = count_quantifiers(quoted), count_quantifiers(spoken)
    if count_negations(quoted) or count_negations(spoken):  # "no" for "not any" is compared as a negation
        for words in (mine, theirs):
            words.pop("any", None)
    for words, own, others in ((mine, set(quoted), spoken), (theirs, set(spoken), quoted)):
        if words["all"] and not WHOLE.isdisjoint(
            others
        ):  # "across the entire world" for "all across the world"
            del words["all"]
        if words["only"] and "only" not in others and not MERELY.isdisjoint(others):
            del words["only"]
        if words["most"] and any(map(_is_superlative, set(others) - own)):
            del words["most"]
        if words["few"] and not SMALL_NUMBERS.isdisjoint(set(others) - own):
            del words["few"]
    only_mine, only_theirs = mine - theirs, theirs - mine
    if only_mine and only_theirs:
        return True
    return any(word not in WEAK_QUANTIFIERS for word in (only_mine + only_theirs))


def _is_superlative(word: str) -> bool:
    """Return whether a word is a superlative, by its ending.

    >>> [_is_superlative(word) for word in ("greatest", "interest", "west")]
    [True, False, False]
    """
    return len(word) > 5 and word.endswith("est") and word not in NO_SUPERLATIVES


def select_content_words(words: Iterable[str]) -> list[str]:
    """Return the words that are neither function words nor fillers."""
    return [word for word in words if word not in FUNCTION and word not in FILLERS]
