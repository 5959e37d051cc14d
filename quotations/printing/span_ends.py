"""Find spans for print that end at a bad place: inside a phrase or list, or before the words that a colon
introduces.
"""

from __future__ import annotations

from collections.abc import Iterator

from quotations.grammar.cut_vocabulary import BE_FORMS, QUESTION_WORDS, QUOTING_VERBS
from quotations.grammar.tagging import Word
from quotations.printing.ends_before_dashes import (
    is_after_aside,
    is_begun_again,
    is_broken_off,
    is_closing_aside,
    is_dangling,
    is_going_on,
    is_resuming,
    is_said_again,
)
from quotations.printing.ends_in_clauses import (
    is_before_aside,
    is_before_auxiliary,
    is_inside_aside,
    is_without_content,
    is_without_infinitive,
    is_without_main_clause,
    is_without_verb,
)
from quotations.printing.ends_in_lists import (
    is_announcing_list,
    is_before_item,
    is_before_second_item,
    is_between_adverbs,
    is_between_numbers,
    is_cut_list,
    is_half_a_contrast,
    is_infinitive_item,
    is_interrupted,
    is_parallel,
    is_repeating,
)
from quotations.printing.ends_in_phrases import is_before_adjectives, name_fault_before_blank
from quotations.printing.print_spans import (
    IN_CLAUSE,
    IN_LIST,
    IN_PHRASE,
    IN_SERIES,
    IN_WORD,
    STRAY_DASHES,
    Flaw,
    FlawKind,
    Part,
    PrintSpan,
    Rules,
    is_dash,
    name_first,
    skip_abbreviation,
)

BEFORE_EXPLANATION = "before what follows the dash or colon"

BEFORE_DASH: Rules = (
    (IN_CLAUSE, is_broken_off),
    (IN_CLAUSE, is_after_aside),
    (IN_CLAUSE, is_said_again),
    (IN_CLAUSE, is_begun_again),
    (IN_CLAUSE, is_dangling),
)
"""Rules for a span with a dash after its last word. The first rule that applies names the flaw."""

BEFORE_COMMA: Rules = (
    (IN_LIST, is_before_item),
    (IN_LIST, is_parallel),
    (IN_LIST, is_between_numbers),
    (IN_LIST, is_announcing_list),
    (IN_PHRASE, is_before_adjectives),
    (IN_CLAUSE, is_before_auxiliary),
    (IN_CLAUSE, is_inside_aside),
    (IN_LIST, is_between_adverbs),
    (IN_LIST, is_infinitive_item),
)
BEFORE_ANYTHING: Rules = (
    (IN_LIST, is_cut_list),
    (IN_SERIES, is_before_second_item),
    (IN_SERIES, is_interrupted),
    (IN_CLAUSE, is_without_infinitive),
    (IN_CLAUSE, is_before_aside),
    (IN_SERIES, is_half_a_contrast),
    (IN_CLAUSE, is_without_verb),
    (IN_CLAUSE, is_repeating),
    ("before the main clause", is_without_main_clause),
    ("before the main clause", is_without_content),
)


def find_bad_end(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw if a span ends inside a word, phrase, list or clause, or before the words that a dash or
    colon introduces.
    """
    part = span.parts[-1]
    last = part.words[-1]
    if _is_before_question_mark(span, part):
        yield span.make_flaw(FlawKind.BOUNDARY, "question mark outside", last)
    if part.last + 1 == len(part.sentence.words):
        yield from _find_flaws_at_sentence_end(span, part)
    elif rule := _name_fault(span, part):
        yield span.make_flaw(FlawKind.BOUNDARY, rule, last, part.following)


def _is_before_question_mark(span: PrintSpan, part: Part) -> bool:
    """Return whether a question mark follows a span that is a question."""
    if not span.passage.text.startswith("?", span.end_char):
        return False
    asks = any(word.lower in QUESTION_WORDS for word in part.words[:2])  # "And what better way to begin"
    return asks or part.is_whole or part.clauses[0].verb is not None


def _find_flaws_at_sentence_end(span: PrintSpan, part: Part) -> Iterator[Flaw]:
    last, gap = part.words[-1], part.gap_after
    if gap.startswith("%") and span.end_char == last.end_char:
        yield span.make_flaw(FlawKind.BOUNDARY, IN_WORD, last)
    if gap.strip() == ":":
        yield span.make_flaw(FlawKind.BOUNDARY, BEFORE_EXPLANATION, last)


def _name_fault(span: PrintSpan, part: Part) -> str:
    """Return the flaw of a span that ends with `part`, inside a sentence; "" if it ends at a good place."""
    gap = skip_abbreviation(part.gap_after)
    if _is_inside_word(gap) or span.passage.text.startswith("%", span.end_char):
        return IN_WORD
    return _name_fault_by_gap(part, gap) or name_first(BEFORE_ANYTHING, part)


def _is_inside_word(gap: str) -> bool:
    """Return whether a word goes on after the printed words: "[U].S.", "[mid]-day"."""
    is_joined = gap in ("", "-", "’", "'", ".") or (gap.startswith("-") and not gap.startswith("--"))
    return is_joined or not {"\\", "<"}.isdisjoint(gap) or gap.startswith("[")


def _name_fault_by_gap(part: Part, gap: str) -> str:
    """Return the flaw that the rules for this gap, the text after the last printed word, find first."""
    if STRAY_DASHES.search(gap):
        return IN_CLAUSE if is_going_on(part) else ""
    if is_dash(gap) and (rule := name_first(BEFORE_DASH, part)):
        return rule
    if (":" in gap or is_dash(gap)) and not (is_closing_aside(part) or is_resuming(part)):
        return BEFORE_EXPLANATION
    if gap.rstrip().endswith(("“", '"', "‘")) and _is_announcing_quotation(part.words[-1], gap):
        return "before a quotation"
    if not gap.strip():
        return name_fault_before_blank(part)
    if gap.strip() == ",":
        return name_first(BEFORE_COMMA, part)
    return IN_LIST if is_announcing_list(part) else ""


def _is_announcing_quotation(last: Word, gap: str) -> bool:
    """Return whether the printed words announce a quotation that follows: "[the sign read] “...”".

    After a comma, the last word must be a verb such as "was" or "said": "[her answer was], “...”".
    """
    if gap.strip().startswith("."):
        return False
    return not gap.strip().startswith(",") or last.lower in BE_FORMS | QUOTING_VERBS
