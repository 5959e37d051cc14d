"""Find words that a speaker repeats or leaves unfinished: false starts, repetitions and fillers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from quotations.grammar.cut_vocabulary import BROKEN_OFF, FILLERS, NEGATORS
from quotations.grammar.passages import Passage, Sentence
from quotations.grammar.tagging import Word
from quotations.names.speaker_names import is_one_letter_off
from quotations.printing.print_spans import STRAY_DASHES, Flaw, FlawKind, Part, PrintSpan, is_dash, is_open

BROKEN_WORD = re.compile(r"-(?<=\w-)\s+[—–]|[—–]\s*[.?!]")
"""Match a word with a hyphen before a dash, or a dash at the end. A search skips to the next such mark."""


def find_false_start(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw where the speaker broke off and started again: "what it means that — it means that"."""
    for part in span.parts:
        words, gaps = part.words, part.gaps
        is_to_end = part.last == len(part.sentence.words) - 1
        end = part.sentence.end_char if is_to_end else words[-1].end_char
        if BROKEN_WORD.search(span.passage.text, words[0].start_char, end):
            yield span.make_flaw(FlawKind.GRAMMAR, "false start", words[0], words[-1])
        for i in part.list_inside(_list_restarts):
            if (
                i
                and is_dash(gaps[i])
                and not _is_hyphen(gaps, i)
                and (
                    _is_broken_off(words, gaps, i)
                    or _is_repetition(words, gaps, i)
                    or _is_corrected_verb(words, i)
                    or _is_broken_word(words, i)
                    or _is_new_beginning(words, gaps, i)
                    or _is_infinitive_again(words, i)
                )
            ):
                yield span.make_flaw(FlawKind.GRAMMAR, "false start", words[i - 1], words[i])
            elif i and _is_stutter(words, gaps, i):
                yield span.make_flaw(FlawKind.GRAMMAR, "repeated word", words[i - 1], words[i])
        yield from _find_doubled_preposition(span, part)
        for word, following in pairwise(words):
            if (word.lower, following.lower) == ("excuse", "me"):
                yield span.make_flaw(FlawKind.GRAMMAR, "false start", word, following)


def _list_restarts(sentence: Sentence) -> list[int]:
    """Return the indices of the words after a dash, and of the words that repeat the word before."""
    words = sentence.words
    return [
        i
        for i, gap in enumerate(sentence.gaps)
        if (gap != " " and is_dash(gap)) or (i and words[i].lower == words[i - 1].lower)
    ]


def _is_hyphen(gaps: Sequence[str], i: int) -> bool:
    """Return whether the dash before word `i` joins a compound of three words: "over—the—horizon"."""
    return gaps[i] in ("—", "–") and gaps[i] in (gaps[i - 1], *gaps[i + 1 : i + 2])


def _is_broken_off(words: Sequence[Word], gaps: Sequence[str], i: int) -> bool:
    """Return whether the speaker broke off at the dash before word `i`: "and that was the —".

    The words before the dash then cannot end a phrase.
    """
    last = words[i - 1].lower
    if last in ("are", "is", "were", "was") and i > 1 and words[i - 2].lower in ("that", "who", "which"):
        return words[i].tag == "AUX" and words[i].lower != last  # "countries that are — have been"
    if last in (
        "this",
        "that",
        "those",
        "these",
        "it",
        "they",
        "you",
        "we",
        "i",
        "so",
        "have",
        "do",
        "will",
        "can",
        "not",
        "is",
        "are",
        "her",
        "in",
        "on",
        "been",
    ):
        if last in ("in", "on") and i > 1 and words[i - 1].tag == "ADP" and words[i - 2].tag == "NOUN":
            return True  # "the people in — rural folks"
        if words[i].lower in ("each", "all", "both") and _is_resumed_by_verb(words, gaps, i):
            return False  # "we — each of us in this room — must be clear"
        following = [word.lower for word in words[i : i + 4]]
        before = [word.lower for word in words[max(0, i - 3) : i]]
        return bool(set(following[:1]) & set(before)) or (
            last in ("i", "we", "they")
            and gaps[i].strip() in ("—", "--", "–")
            and "not" not in (words[i].lower, words[i - 2].lower if i > 1 else "")
        )
    if last == "that" and words[i].tag == "PART":
        return True  # "the kind of actions that — to unite the world"
    closes = any(is_dash(gaps[k]) for k in range(i + 1, min(len(gaps), i + 12)))
    if last in ("and", "but", "or", "because", "that", "as", "with") and closes:
        return False  # an aside: "and — as you know — we ..."
    return last in BROKEN_OFF


def _is_new_beginning(words: Sequence[Word], gaps: Sequence[str], i: int) -> bool:
    """Return whether the speaker begins anew after the dash before word `i`, with "now," or "I mean".

    Example: "I want you to know — now, I have to say". The result is false if a second dash follows, because
    words between two dashes are an aside.
    """
    closes = any(is_dash(gap) for gap in gaps[i + 1 :])
    turns = words[i].lower in TURNS and i + 1 < len(words) and gaps[i + 1].startswith(",")
    means = words[i].lower == "i" and [word.lower for word in words[i + 1 : i + 2]] == ["mean"]
    return (turns or means) and not closes


def _is_infinitive_again(words: Sequence[Word], i: int) -> bool:
    """Return whether the infinitive before the dash is said again soon after the dash, with a subject.

    Example: "help fulfill — the industry fulfill its duty".
    """
    last, following = words[i - 1], [word.lower for word in words[i + 1 : i + 4]]
    return last.form == "Inf" and words[i].tag in ("DET", "NOUN", "PROPN") and last.lower in following


TURNS = frozenset(("now", "well", "look", "listen", "anyway", "actually", "sorry", "rather"))
"""Words with which a speaker begins anew, if a comma follows."""


def _is_resumed_by_verb(words: Sequence[Word], gaps: Sequence[str], i: int) -> bool:
    closes = next((k for k in range(i + 1, len(gaps)) if is_dash(gaps[k])), 0)
    return closes > 0 and words[closes].is_finite


def _is_repetition(words: Sequence[Word], gaps: Sequence[str], i: int) -> bool:
    """Return whether the words after the dash before word `i` repeat earlier words as a slip, not as
    rhetoric.

    A repeated full sentence is rhetoric, and so is a single repeated word ("much deeper—deeper than").
    """
    for length in range(min(6, i, len(words) - i), 1, -1):
        if [w.lower for w in words[i - length : i]] == [w.lower for w in words[i : i + length]]:
            is_rest = i + length == len(words) or gaps[i + length].strip()
            return not (i == length and is_rest)
    if any(resumes(words, i) for resumes in RESUMPTIONS):
        return True
    again = [word.lower for word in words[i + 1 : i + 4]]
    if is_open(words[i - 1]) and words[i - 1].tag != "VERB" and words[i - 1].lower in again:
        return True  # "for a presidential — in a presidential election"
    same = words[i - 1].lower == words[i].lower
    is_name = words[i].tag == "PROPN" and gaps[i] != gaps[i].strip()
    return same and (
        is_name
        or words[i].tag not in ("NOUN", "ADJ", "ADV", "VERB", "PROPN")
        or words[i].lower in BROKEN_OFF | {"other", "such", "own", "same"}
    )


def _is_resumed_after_opener(words: Sequence[Word], i: int) -> bool:
    """Return whether a clause begins again with another first word.

    Example: "when it comes in — whether it comes in".
    """
    if i < 3 or words[i - 1].lower not in BROKEN_OFF or words[i].tag not in ("SCONJ", "ADV", "PRON", "ADP"):
        return False
    last, again = ([word.lower for word in words[k : k + 2]] for k in (i - 2, i + 2))
    return last in (again, [word.lower for word in words[i + 1 : i + 3]])


def _is_resumed_phrase(words: Sequence[Word], i: int) -> bool:
    """Return whether the two nouns or adjectives after the dash were also said shortly before it.

    The speaker then begins a list again: "clean water road cuts — clean water, and road cuts".
    """
    pair = [word.lower for word in words[i : i + 2]]
    if len(pair) < 2 or any(word.tag not in ("NOUN", "ADJ") for word in words[i : i + 2]):
        return False
    return any([word.lower for word in words[k : k + 2]] == pair for k in range(max(0, i - 5), i - 2))


def _is_resumed_name(words: Sequence[Word], i: int) -> bool:
    """Return whether a name is said again after another preposition: "for Anna — with Anna's family"."""
    if i < 2 or i + 2 >= len(words) or words[i - 1].tag != "PROPN":
        return False
    is_same = words[i + 1].lower == words[i - 1].lower
    return is_same and words[i].tag == words[i - 2].tag == "ADP" and words[i].lower != words[i - 2].lower


def _is_resumed_article(words: Sequence[Word], i: int) -> bool:
    """Return whether another article begins a phrase again: "the old — an old mill burned"."""
    if i < 2 or i + 2 >= len(words) or words[i].tag != "DET" or words[i - 2].tag != "DET":
        return False
    return words[i + 1].lower == words[i - 1].lower and words[i + 2].tag in ("NOUN", "ADJ")


def _is_resumed_pair(words: Sequence[Word], i: int) -> bool:
    """Return whether the speaker says a phrase again with another word before it: "the very mill — our very
    mill".

    `i` is the index of this other word, here "our". The two words after it are the last two before the dash.
    The first time, the article may be missing: "build narrow gauge — a narrow gauge railway".
    """
    if i < 3 or words[i].tag not in ("DET", "PRON"):
        return False
    again, last = words[i + 1 : i + 3], words[i - 2 : i]
    is_left_out = words[i - 3].tag == "VERB" and i + 3 < len(words) and words[i + 3].tag == "NOUN"
    is_article = is_left_out or words[i - 3].tag in ("DET", "PRON")
    return is_article and [word.lower for word in again] == [word.lower for word in last]


def _is_resumed_preposition(words: Sequence[Word], i: int) -> bool:
    """Return whether a prepositional phrase is said again with another form of its noun: "of the history — of
    our historical".
    """
    if i < 3 or i + 2 >= len(words) or words[i].tag != "ADP" or words[i].lower != words[i - 3].lower:
        return False
    one, other = words[i - 1].lower, words[i + 2].lower
    return (
        one != other and one[:CORRECTED_LETTERS] == other[:CORRECTED_LETTERS] and len(one) > CORRECTED_LETTERS
    )


def _is_resumed_clause(words: Sequence[Word], i: int) -> bool:
    """Return whether the clause after the dash begins with the same words as the clause before the dash.

    The clause before was broken off: "We have to make just — we have to make a choice".
    """
    last, opening = words[i - 1], [word.lower for word in words[i : i + RESUMED_WORDS]]
    if len(opening) < RESUMED_WORDS or not (last.lower in INCOMPLETE or last.tag in ("DET", "ADP")):
        return False
    starts = range(max(0, i - 9), i - RESUMED_WORDS + 1)
    return any([word.lower for word in words[k : k + RESUMED_WORDS]] == opening for k in starts)


RESUMED_WORDS = 3
INCOMPLETE = frozenset(("just", "really", "also", "only", "very", "even", "some", "more", "so", "such"))
"""Words that ask for another: after them a clause that begins again was broken off."""


def _is_resumed_adverb(words: Sequence[Word], i: int) -> bool:
    """Return whether an adverb is said again, now followed by a second adverb: "right — right away"."""
    is_same = words[i - 1].lower == words[i].lower and words[i].tag == "ADV"
    return is_same and i + 1 < len(words) and words[i + 1].lower in ("away", "now", "here", "there", "after")


def _is_resumed_after_and(words: Sequence[Word], i: int) -> bool:
    """Return whether "and" follows the dash, and then the last words before the dash: "their fair — and their
    fair share".
    """
    if words[i].tag != "CCONJ" or words[i - 1].tag in ("NOUN", "PROPN", "PRON"):
        return False
    last, again = ([w.lower for w in words[k : k + 2]] for k in (i - 2, i + 2))
    return i > 1 and (last == again or last == [w.lower for w in words[i + 1 : i + 3]])


def _is_resumed_opening(words: Sequence[Word], i: int) -> bool:
    """Return whether the first word of the sentence is said again after a dash, with "the".

    Example: "Rule — the rule of ...".
    """
    following = [word.lower for word in words[i : i + 2]]
    goes_on = any(word.is_finite for word in words[i + 2 : i + 8])
    return i == 1 and following == ["the", words[0].lower] and words[i + 1].tag == "NOUN" and goes_on


def _is_resumed_compound(words: Sequence[Word], i: int) -> bool:
    """Return whether the speaker begins a compound again, with another word before it.

    Example: "reduce child — Black child poverty".
    """
    if i + 2 >= len(words) or words[i - 1].lower != words[i + 1].lower:
        return False
    return words[i].tag in ("ADJ", "PROPN") and words[i + 1].tag == "NOUN" and words[i + 2].tag == "NOUN"


def _is_resumed_contraction(words: Sequence[Word], i: int) -> bool:
    """Return whether the words before the dash are said again, contracted: "We are here — we're here"."""
    ahead = _write_out(words[i : i + 2 * MOST_RESUMED])
    for count in range(FEWEST_RESUMED, min(i, MOST_RESUMED) + 1):
        if _write_out(words[i - count : i]) == ahead[:count]:
            following = words[i + count : i + count + 1]
            return bool(following) and following[0].tag in ("DET", "NOUN", "PROPN", "ADJ", "NUM", "PRON")
    return False


def _write_out(words: Sequence[Word]) -> list[str]:
    return [WRITTEN_OUT.get(word.lower, word.lower) for word in words]


FEWEST_RESUMED, MOST_RESUMED = 3, 6  # words
WRITTEN_OUT = {"'re": "are", "'ve": "have", "'ll": "will", "'m": "am", "'s": "is", "n't": "not"}


def _is_respelt(words: Sequence[Word], i: int) -> bool:
    """Return whether a mispronounced word is said again: "the tranfer — transfer"."""
    last, again = words[i - 1].lower, words[i].lower
    is_ending = again.startswith(last) or last.startswith(again)
    return not is_ending and is_one_letter_off(last, again)


RESUMPTIONS = (
    _is_resumed_contraction,
    _is_respelt,
    _is_resumed_compound,
    _is_resumed_after_opener,
    _is_resumed_adverb,
    _is_resumed_phrase,
    _is_resumed_name,
    _is_resumed_article,
    _is_resumed_pair,
    _is_resumed_preposition,
    _is_resumed_clause,
    _is_resumed_after_and,
    _is_resumed_opening,
)


def _is_broken_word(words: Sequence[Word], i: int) -> bool:
    """Return whether the verb after the dash replaces the verb before the dash.

    Examples: "go over — get overseas", "to take — make sure we take", "who will bring — do big things".
    """
    if i < 2 or i + 1 >= len(words):
        return False
    begun, later = words[i - 1], words[i + 1]
    if words[i - 2].tag == "AUX" and begun.form == words[i].form == "Inf":
        return True
    if words[i - 2].lower == "to" and begun.form == "Inf" and words[i].tag in ("VERB", "NOUN"):
        again = {word.lower for word in words[i + 1 : i + 5]}
        is_verb = words[i].tag == "VERB" and words[i].form == "Inf"
        return is_verb or begun.lower in again
    is_particle = words[i - 2].tag == "VERB" and begun.tag in ("ADP", "ADV")
    return is_particle and later.lower.startswith(begun.lower) and later.lower != begun.lower


def _is_corrected_verb(words: Sequence[Word], i: int) -> bool:
    """Return whether the words after the dash repeat the verb before the dash, possibly in another form.

    The dash stands before word `i`. Examples: "is falling — began falling", "is committing to — committed
    to".
    """
    verb = words[i - 1]
    again = [word.lower for word in words[i + 1 : i + 4]]
    if verb.tag == "VERB" and words[i].tag in ("VERB", "AUX") and verb.lower in again:
        return True
    if words[i].lower in NEGATORS and verb.form in ("Part", "Ger") and verb.lower in again:
        return True  # "After being — no longer being in office"
    mine, theirs = verb.lower, words[i].lower
    if mine != theirs and mine[:STEM_LETTERS] == theirs[:STEM_LETTERS] and len(mine) >= STEM_LETTERS:
        return True  # "the norms of responsibility — responsible behavior"
    before = [word.lower[:CORRECTED_LETTERS] for word in words[max(0, i - 4) : i] if word.tag == "VERB"]
    is_long = len(words[i].lower) >= CORRECTED_LETTERS
    is_other_form = words[i].lower not in {word.lower for word in words[max(0, i - 4) : i]}
    return (
        is_long
        and is_other_form
        and words[i].tag in ("VERB", "ADJ")
        and words[i].lower[:CORRECTED_LETTERS] in before
    )


def _is_stutter(words: Sequence[Word], gaps: Sequence[str], i: int) -> bool:
    """Return whether a small word is repeated by mistake: "the the", "we, we"."""
    word = words[i].lower
    if word != words[i - 1].lower or word in (
        "that",
        "had",
        "very",
        "no",
        "never",
        "now",
        "is",
        "more",
        "many",
        "long",
        "all",
    ):
        return False
    return gaps[i].strip() in ("", ",") and words[i].tag in (
        "DET",
        "PRON",
        "ADP",
        "AUX",
        "CCONJ",
        "SCONJ",
        "PART",
    )


def _find_doubled_preposition(span: PrintSpan, part: Part) -> Iterator[Flaw]:
    for i in part.list_inside(_list_doubled_prepositions):
        if i + 3 < len(part.words):
            yield span.make_flaw(FlawKind.GRAMMAR, "repeated word", part.words[i], part.words[i + 3])


def _list_doubled_prepositions(sentence: Sentence) -> list[int]:
    """Return the indices of prepositions that are repeated after "not only" or "not just".

    Example: the first "in" of "in not only in".
    """
    lowers = [word.lower for word in sentence.words]
    return [
        i
        for i in range(len(lowers) - 3)
        if lowers[i + 1] == "not"
        and lowers[i + 2] in ("only", "just")
        and lowers[i] == lowers[i + 3]
        and sentence.words[i].tag == "ADP"
    ]


STEM_LETTERS = 7


CORRECTED_LETTERS = 5
"""Number of first letters by which a verb is recognised in another form."""


def find_filler(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw for each filler, such as "uh" or "you know,", and for marks such as "[inaudible]"."""
    for part in span.parts:
        for i in part.list_inside(_list_fillers):
            word = part.words[i]
            if word.lower in FILLERS:
                yield span.make_flaw(FlawKind.CONTEXT, "filler", word)
            elif (
                i
                and i + 1 < len(part.words)
                and "," in (part.gaps[i - 1] or ",")
                and ("," in part.gaps[i + 1] or is_dash(part.gaps[i + 1]))
            ):
                yield span.make_flaw(FlawKind.CONTEXT, "filler", part.words[i - 1], word)
        if span.passage.compute(_has_signs_of_transcript):
            yield from _find_signs_of_transcript(span, part)


def _has_signs_of_transcript(passage: Passage) -> bool:
    """Return whether a passage has marks that a transcriber may have left, such as "[" or " ,"."""
    text = passage.text
    return any(sign in text for sign in SIGNS_OF_TRANSCRIPT) or STRAY_DASHES.search(text) is not None


SIGNS_OF_TRANSCRIPT = ("\\", "<", ">", "(", "[", " ,")


def _find_signs_of_transcript(span: PrintSpan, part: Part) -> Iterator[Flaw]:
    text, first, last = span.passage.text, part.words[0], part.words[-1]
    if STRAY_DASHES.search(text, first.start_char, last.end_char):
        yield span.make_flaw(FlawKind.GRAMMAR, "stray dash", first, last)
    if CORRECTION.search(text, first.start_char, last.end_char):
        yield span.make_flaw(FlawKind.GRAMMAR, "marks of the transcript", first, last)
    if " ," in text[first.start_char : last.end_char]:
        yield span.make_flaw(FlawKind.CONTEXT, "stray space", first, last)


def _list_fillers(sentence: Sentence) -> list[int]:
    """Return the indices of the words that can be fillers: "uh", and "know" after "you"."""
    lowers = [word.lower for word in sentence.words]
    return [
        i
        for i, word in enumerate(lowers)
        if word in FILLERS or (word == "know" and i and lowers[i - 1] == "you")
    ]


CORRECTION = re.compile(r"[\\<>]|[(\[](?:inaudible|unintelligible|crosstalk|ph|sic)\b", re.IGNORECASE)
