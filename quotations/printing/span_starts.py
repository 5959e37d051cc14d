"""Find spans for print that begin at a bad place: inside a word, a phrase, a list or a clause."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quotations.grammar.cut_vocabulary import ADVERBIALS, COMPOUND_HEADS
from quotations.grammar.gaps import is_hard
from quotations.grammar.tagging import Word
from quotations.printing.print_spans import (
    IN_CLAUSE,
    IN_LIST,
    IN_PHRASE,
    IN_SERIES,
    IN_VERB,
    IN_WORD,
    Flaw,
    FlawKind,
    Part,
    PrintSpan,
    Rules,
    is_dash,
    name_first,
    skip_abbreviation,
)
from quotations.printing.starts_in_clauses import (
    has_own_predicate,
    has_second_that,
    is_after_concession,
    is_after_relative,
    is_before_colon,
    is_before_outer_verb,
    is_broken_off,
    is_completing,
    is_fronted_clause,
    is_inside_subject,
    is_inverted,
    is_mid_clause,
    is_participle_after_that,
    is_purpose_before_clause,
    is_purpose_of_relative,
    is_relative_and_more,
    is_second_relative,
    is_verb_of_adverbial,
)
from quotations.printing.starts_in_lists import (
    is_any_other,
    is_inside_aside,
    is_inside_listed_subject,
    is_item,
    is_last_before_dash,
    is_left_hanging,
)
from quotations.printing.starts_in_phrases import (
    has_relative_only,
    is_apposed_name,
    is_before_abbreviated,
    is_inside_noun_phrase,
    is_inside_pair,
    is_inside_verb,
    is_number_wrong,
    is_pointed_at,
    is_pointing_at_subject,
    is_second_adjective,
    is_year,
)

CURRENCIES = "$£€"
FEWEST_OPENING_WORDS = 4
"""Minimum words of a first sentence for a span of several sentences to begin inside it."""

MARKUP = re.compile(r"[\\\[\]<>]")
"""Match the marks of a transcript for a corrected word: "demastation \\ — [devastation"."""

AFTER_BLANK: Rules = (
    (IN_PHRASE, is_pointed_at),
    (IN_PHRASE, is_inside_noun_phrase),
    (IN_VERB, is_inside_verb),
    (IN_PHRASE, is_inside_pair),
    (IN_LIST, is_inside_subject),
    (IN_LIST, is_any_other),
    (IN_PHRASE, is_pointing_at_subject),
    (IN_PHRASE, is_number_wrong),
    (IN_PHRASE, has_relative_only),
    (IN_CLAUSE, has_own_predicate),
    (IN_CLAUSE, is_second_relative),
    (IN_CLAUSE, is_fronted_clause),
    (IN_CLAUSE, is_purpose_of_relative),
    (IN_CLAUSE, is_verb_of_adverbial),
    (IN_CLAUSE, is_participle_after_that),
    (IN_CLAUSE, is_inverted),
    (IN_CLAUSE, is_before_colon),
    (IN_CLAUSE, is_relative_and_more),
)
"""Rules for a span with only a blank before its first word. The first rule that applies names the flaw."""

AFTER_COMMA: Rules = (
    (IN_PHRASE, is_year),
    (IN_PHRASE, is_second_adjective),
    (IN_PHRASE, is_apposed_name),
    (IN_LIST, is_item),
    (IN_LIST, is_inside_aside),
    (IN_LIST, is_last_before_dash),
    (IN_CLAUSE, is_inside_subject),
)
AFTER_DASH: Rules = ((IN_CLAUSE, is_left_hanging), (IN_CLAUSE, is_completing))
AFTER_PUNCTUATION: Rules = (
    (IN_CLAUSE, is_before_outer_verb),
    (IN_CLAUSE, is_after_relative),
    (IN_CLAUSE, is_broken_off),
)
AFTER_ANYTHING: Rules = (
    (IN_SERIES, has_second_that),
    (IN_LIST, is_inside_listed_subject),
    (IN_CLAUSE, is_purpose_before_clause),
)


def find_bad_start(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw if a span begins inside a word, phrase, list or clause."""
    part = span.parts[0]
    word = part.words[0]
    if span.start_char == word.start_char and find_printed_start(part.passage.text, word) < word.start_char:
        yield span.make_flaw(FlawKind.BOUNDARY, IN_WORD, word)
    elif part.first and (rule := _name_fault(span, part)):
        yield span.make_flaw(FlawKind.BOUNDARY, rule, part.previous, word)


def find_printed_start(text: str, word: Word) -> int:
    """Return the offset at which a word begins in print, including a currency sign before the word: "$5"."""
    start = word.start_char
    return start - 1 if start and text[start - 1] in CURRENCIES else start


def _name_fault(span: PrintSpan, part: Part) -> str:
    """Return the flaw of a span that begins with `part`, inside a sentence; "" if it begins at a good
    place.
    """
    gap = skip_abbreviation(part.gap_before.rstrip(CURRENCIES))
    rule = _name_fault_by_gap(part, gap)
    if not rule and gap.strip() and not is_hard(gap) and _is_few_words(span, part):
        rule = IN_CLAUSE
    rule = rule or name_first(AFTER_ANYTHING, part)
    if not rule and (_is_end_of_question(span, part) or (not is_hard(gap) and _is_inside_clause(part))):
        return IN_CLAUSE
    return rule


def _name_fault_by_gap(part: Part, gap: str) -> str:
    """Return the flaw that the rules for this gap, the text before the first printed word, find first."""
    if _is_inside_word(part, gap):
        return IN_WORD
    if MARKUP.search(gap):
        return IN_PHRASE
    if is_dash(gap) and (rule := name_first(AFTER_DASH, part)):
        return rule
    if is_before_abbreviated(part):
        return IN_PHRASE
    if not gap.strip():
        return name_first(AFTER_BLANK, part)
    rules = (*AFTER_COMMA, *AFTER_PUNCTUATION) if gap.strip() == "," else AFTER_PUNCTUATION
    return name_first(rules, part)


def _is_inside_word(part: Part, gap: str) -> bool:
    """Return whether a word goes on from before the printed words: "mid-[day]", "post—[war]"."""
    is_compound = part.previous.lower in COMPOUND_HEADS or part.sentence.gaps[part.first - 1] in ("—", "–")
    is_hyphen = gap.endswith("-") and not gap.endswith("--")
    return gap == "" or is_hyphen or (gap in "—–" and is_compound)


def _is_few_words(span: PrintSpan, part: Part) -> bool:
    """Return whether a span of several sentences begins with only a few words of its first sentence."""
    return len(span.parts) > 1 and len(part.words) < FEWEST_OPENING_WORDS


def _is_end_of_question(span: PrintSpan, part: Part) -> bool:
    """Return whether a span is the end of a question, without the question's verb."""
    word = part.words[0]
    is_infinitive = word.form == "Inf" or word.lower == "to"
    return span.text.endswith("?") and (is_infinitive or not any(w.is_finite for w in part.words))


def _is_inside_clause(part: Part) -> bool:
    """Return whether a clause begins before the printed words and needs the words before.

    Words after "because" or "for the reason that" at the beginning of a sentence do not count.
    """
    is_reason = part.first == 1 and part.previous.lower == "because" and part.words[0].lower in ADVERBIALS
    before_last = part.sentence.words[max(0, part.first - 2)].lower
    is_reason |= part.first == 6 and part.previous.lower == "that" and before_last in ("reason", "reasons")
    return not is_reason and (is_mid_clause(part) or is_after_concession(part))
