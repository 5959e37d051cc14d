"""Find a phrase of a flawed span that a writer can embed in a sentence of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from quotations.grammar.cut_vocabulary import (
    BE_FORMS,
    CONDITIONS,
    DENIALS,
    NEGATORS,
    REPORT_VERBS,
    THIRD_PERSONS,
    TIMES,
    UNREALISED,
)
from quotations.grammar.tagging import Word
from quotations.printing.lost_meaning import SAYING
from quotations.printing.nearby_ranges import rank_worst
from quotations.printing.other_sentences import has_content, is_tolerable
from quotations.printing.print_rules import find_flaws, find_lesser_flaws
from quotations.printing.print_spans import LONGEST, SHORTEST, Flaw, FlawKind, Part, PrintSpan

MOST_SUBJECT_WORDS = 9
REFERRING = THIRD_PERSONS | {"this", "that", "these", "those", "such", "one", "here", "there"}


def find_phrase(cut: PrintSpan, span: PrintSpan, flaws: Sequence[Flaw]) -> PrintSpan | None:
    """Return the longest phrase of a flawed span that a writer can embed in a sentence of the article.

    Examples, with the phrase in brackets: "That would be [one of the biggest investments of the century]",
    "He said that he was [more afraid there than in the war]". Nothing before the phrase may deny it, put it
    under a condition, or report it. Return `None` if there is no such phrase. `flaws` are those of `span`,
    which is `cut`, the span that was chosen first, or an improved version of it.
    """
    if not FlawKind.CONTEXT <= rank_worst(flaws) < FlawKind.MEANING or is_tolerable(span, flaws):
        return None
    if cut is not span and rank_worst(find_flaws(cut)) == FlawKind.MEANING:
        return None
    options = [
        replace(span, start_char=part.words[at].start_char, end_char=_find_part_end(span, part))
        for part in span.parts
        for at in _list_phrase_starts(part)
    ]
    options.sort(key=lambda option: option.start_char - option.end_char)
    for option in options:
        is_long_enough = SHORTEST <= option.length <= LONGEST
        is_one = is_long_enough and has_content(option) and not _has_clause_of_its_own(option)
        if is_one and find_lesser_flaws(option, FlawKind.LENGTH) is not None:
            return option
    return None


def _has_clause_of_its_own(option: PrintSpan) -> bool:
    """Return whether a phrase contains a main clause: "an apology, and he owes us one too"."""
    clauses = option.parts[0].clauses
    return any(clause.kind == "main" and clause.subject is not None for clause in clauses)


def _find_part_end(span: PrintSpan, part: Part) -> int:
    return span.end_char if part is span.parts[-1] else part.words[-1].end_char


def _list_phrase_starts(part: Part) -> Iterator[int]:
    """Yield the index of each printed word that begins a phrase for a writer to embed in a sentence.

    The phrase is a predicate, an infinitive, or a noun phrase after a form of "be": "afraid of the war" in
    "He was afraid of the war". It ends where the printed words of its sentence end.
    """
    words = part.words
    for at in range(1, len(words) - SHORTEST + 1):
        previous, word = words[at - 1], words[at]
        if part.gaps[at].strip() or _is_taken_back(part, at):
            continue
        is_named = word.tag in ("DET", "NUM", "NOUN", "PROPN") and not _is_time(words, at)
        is_object = is_named and previous.lower in BE_FORMS
        is_infinitive = previous.lower == "to" and word.form == "Inf"
        is_predicate = previous.tag == "AUX" and word.tag in ("VERB", "ADJ") and previous.lower in BE_FORMS
        is_verb = word.tag == "VERB" and word.is_finite and previous.lower in THIRD_PERSONS
        if is_object or is_infinitive or is_predicate or is_verb:
            yield at


def _is_time(words: Sequence[Word], at: int) -> bool:
    """Return whether a phrase of time begins at the word `at`: "every 12 years"."""
    return any(word.lower in TIMES for word in words[at : at + 3])


def _is_taken_back(part: Part, at: int) -> bool:
    """Return whether the speaker may not claim the words from the printed word `at` on.

    This is so if "not", "said", "if" or the like comes before them in the sentence, or if a question mark
    follows the printed words.
    """
    before = part.sentence.words[: part.first + at]
    return part.gap_after.strip().startswith("?") or any(word.lower in TAKING_BACK for word in before)


TAKING_BACK = NEGATORS | DENIALS | CONDITIONS | UNREALISED | REPORT_VERBS


def drop_subject(span: PrintSpan) -> tuple[PrintSpan, list[Flaw]] | None:
    """Remove a subject that refers to something outside the span, and return the rest; `None` if this is not
    possible.

    Examples, with the rest in brackets: "They [fan the flames of violence]", "That is why [we go]".
    """
    part = span.parts[0]
    reason = _find_after_reason(part)
    at = _find_predicate(part) if reason is None else reason
    if at is None or at >= len(part.words):
        return None
    end = span.end_char if len(span.parts) == 1 or reason is not None else part.words[-1].end_char
    shorter = replace(span, start_char=part.words[at].start_char, end_char=end)
    flaws = find_flaws(shorter)
    is_fit = rank_worst(flaws) <= FlawKind.LENGTH and shorter.length >= SHORTEST
    is_after_copula = part.words[at - 1].lower in BE_FORMS and _has_main_clause(shorter)
    is_phrase = reason is not None or (len(shorter.parts) == 1 and not is_after_copula)
    return (shorter, flaws) if is_fit and is_phrase else None


def _find_after_reason(part: Part) -> int | None:
    """Return the index of the word after "That is why" or "It is for this reason that" at the start of a
    span.

    The result is `None` after other words.
    """
    lowers = [word.lower for word in part.words[:7]]
    if len(lowers) < 3 or lowers[0] not in REFERRING or lowers[1] not in BE_FORMS:
        return None
    if lowers[2] == "why":
        return 3
    is_reason = lowers[2] == "for" and lowers[4:5] in (["reason"], ["reasons"]) and lowers[5:6] == ["that"]
    return 6 if is_reason else None


def _find_predicate(part: Part) -> int | None:
    """Return the index of the predicate's first word, if the subject refers to something outside the span.

    An auxiliary is skipped: the word is "place" in "It would place us". Return `None` in all other cases.
    """
    words, verb = part.words, part.clauses[0].verb
    if verb is None or not 0 < verb <= MOST_SUBJECT_WORDS or verb + 1 >= len(words):
        return None
    if not any(word.lower in REFERRING for word in words[:verb]) or words[verb].lower in SAYING:
        return None
    after = words[verb + 1]
    if words[verb].lower in BE_FORMS:
        if after.lower == "going" and verb + 3 < len(words) and words[verb + 3].form == "Inf":
            return verb + 3  # "It is going to [change the country]"
        is_phrase = after.tag in ("DET", "NUM", "NOUN", "PROPN") or after.lower == "nothing"
        return verb + 1 if is_phrase else None
    forms = {"has": "Part", "have": "Part", "had": "Part"}
    is_auxiliary = words[verb].tag == "AUX" and after.form == forms.get(words[verb].lower, "Inf")
    return verb + 1 if is_auxiliary and after.tag == "VERB" else verb


def _has_main_clause(span: PrintSpan) -> bool:
    return any(c.kind == "main" and c.verb is not None for part in span.parts for c in part.clauses)


def is_noun_phrase(span: PrintSpan) -> bool:
    """Return whether a span is a noun phrase that a writer can embed: "an enormous promise of risk"."""
    if len(span.parts) != 1:
        return False
    first = span.parts[0]
    opens = first.words[0].tag in ("DET", "NOUN", "PROPN", "NUM")
    return opens and len(first.words) >= SHORTEST and first.clauses[0].verb is None
