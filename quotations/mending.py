"""Replace a span, words of a speech chosen for print, by a nearby range of words that can be printed.

Candidates begin and end where sentences and clauses do. The nearest candidate that overlaps the span and is
fit for print is chosen, or else the whole sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from quotations.clauses import is_hard
from quotations.cut_places import list_ends, list_starts
from quotations.cut_vocabulary import (
    ADVERBIALS,
    BE_FORMS,
    CONDITIONS,
    CONNECTIVES,
    COORDINATORS,
    DENIALS,
    NEGATORS,
    RELATIVES,
    REPORT_VERBS,
    THIRD_PERSONS,
    TIMES,
    UNREALISED,
)
from quotations.lost_meaning import SAYING
from quotations.passages import Sentence
from quotations.print_rules import find_flaws, find_lesser_flaws
from quotations.print_spans import LONGEST, SHORTEST, Flaw, FlawKind, Part, PrintSpan
from quotations.span_starts import is_causal
from quotations.tagging import Word

MOST_SUBJECT_WORDS = 9
REFERRING = THIRD_PERSONS | {"this", "that", "these", "those", "such", "one", "here", "there"}
OPENED_STARTS = ADVERBIALS | {"to", "what", "how", "why"}
NO_STARTS = OPENED_STARTS | RELATIVES | COORDINATORS | {"that"}
FAR_TOO_LONG = 75
"""Number of words above which a span is shortened. Below it, a shorter span is offered in addition."""

MOST_STARTS = 24  # of candidates around a span: a sentence of 100 words has about ten clauses


def mend(span: PrintSpan) -> tuple[PrintSpan, list[Flaw]]:
    """Return the span to print instead of `span`, and its remaining flaws.

    If no span that shares words with `span` is fit for print, take a sentence nearby that is fit (see
    `choose_other`), or else a phrase (see `find_phrase`).
    """
    near, flaws = mend_near(span)
    other = choose_other(span, near, flaws) or find_phrase(span, near, flaws)
    return (near, flaws) if other is None else (other, [])


def mend_near(span: PrintSpan) -> tuple[PrintSpan, list[Flaw]]:
    """Return the most printable span that shares words with `span`, and its flaws.

    A span is kept if it has no flaws except of length. Otherwise it is replaced by the best candidate: a
    range that begins and ends at clauses. A candidate's score is its overlap with the span, minus penalties
    for flaws and for a bad length. The result is extended to the end of its sentence if the rest changes what
    it says: "[a town of builders], not of brokers". If the result then has more than `FAR_TOO_LONG` words, it
    is shortened to its longest part that is fit for print, if there is one.
    """
    mended, flaws = _widen(*_move(span))
    shorter = shorten(mended, span) if mended.length > FAR_TOO_LONG else None
    return (mended, flaws) if shorter is None else shorter


def _move(span: PrintSpan) -> tuple[PrintSpan, list[Flaw]]:
    flaws = find_flaws(span)
    if _rank(flaws) <= FlawKind.LENGTH:
        return span, flaws
    best, best_flaws = _find_nearest(span, flaws, is_opened, is_self_contained)
    if best is span and flaws[0].kind == FlawKind.GRAMMAR:
        best, best_flaws = _find_nearest(span, flaws, _is_noun_phrase)
    if best is span and _rank(flaws) >= FlawKind.BOUNDARY:
        best, best_flaws = _fall_back(span, flaws)
    if _rank(best_flaws) == FlawKind.CONTEXT:
        return _drop_subject(best) or _prepend_sentences(best) or (best, best_flaws)
    return best, best_flaws


def _widen(span: PrintSpan, flaws: list[Flaw]) -> tuple[PrintSpan, list[Flaw]]:
    """Extend a span to the end of its sentence, if the rest of the sentence changes what the span says.

    Example: "[a town of builders], not of brokers", where the brackets are the span. The span stays as it is
    if it would get longer than `LONGEST` words, or would get a graver flaw.
    """
    part = span.parts[-1] if span.parts else None
    if part is None or part.last == len(part.sentence.words) - 1 or not _is_going_on(part):
        return span, flaws
    if part.clauses[0].verb is None:
        return span, flaws
    wider = replace(span, end_char=max(part.sentence.compute(list_ends)))
    if wider.length > LONGEST:
        return span, flaws
    wider_flaws = find_lesser_flaws(wider, max(_rank(flaws), FlawKind.LENGTH) + 1)
    return (span, flaws) if wider_flaws is None else (wider, wider_flaws)


def _is_going_on(part: Part) -> bool:
    """Return whether a part of a sentence says something else without the rest of the sentence.

    The rest follows a comma. It begins with "not", "only to", "unless" or the like: "[a town of builders],
    not of brokers". Or it is a main clause without "and": "[I know, as you said], it was late". The brackets
    are the part.
    """
    words, after = part.sentence.words, part.last + 1
    if part.gap_after.strip() != ",":
        return False
    if words[after].lower in LIMITING:
        return True
    clause = part.sentence.clause_of[after]
    if clause.first != after or clause.verb is None or clause.subject is None or clause.kind == "relative":
        return False
    return words[after].lower not in CLAUSE_OPENERS and after <= clause.subject < clause.verb


CLAUSE_OPENERS = COORDINATORS | ADVERBIALS | RELATIVES
LIMITING = frozenset(("not", "only", "nor", "unless", "until", "except", "though", "although", "rather"))
"""Words after a comma that limit or contradict what is said before it."""


def _prepend_sentences(span: PrintSpan) -> tuple[PrintSpan, list[Flaw]] | None:
    """Extend a span by the fewest sentences before it that make it fit for print; `None` if this is not
    possible.

    These sentences contain what the first pronoun or "this" of the span refers to. The result has at most
    `LONGEST` words.
    """
    for sentence in _list_before(span):
        longer = replace(span, start_char=sentence.words[0].start_char)
        if longer.length > LONGEST:
            return None
        if (flaws := find_lesser_flaws(longer, FlawKind.LENGTH)) is not None:
            return longer, flaws
    return None


def _list_before(span: PrintSpan) -> Iterator[Sentence]:
    """Yield the sentences that begin before a span, nearest first.

    If the span begins inside a sentence, this sentence is the first.
    """
    start = span.parts[0].words[0].start_char
    for sentence in reversed(span.passage.sentences):
        if sentence.start_char < start and sentence.words and sentence.words[0].start_char < start:
            yield sentence


def choose_other(cut: PrintSpan, span: PrintSpan, flaws: Sequence[Flaw]) -> PrintSpan | None:
    """Return a nearby sentence that is fit for print, to replace the flawed `span`; `None` to keep `span`.

    The sentence shares words with `span` or is at most `FURTHEST` sentences away. Of two equally near
    sentences, the one before the span is taken. `span` is kept if it is fit or a joke, or if no sentence is
    fit. `cut` is the span that was chosen first, before it was mended. `span` is also kept if the meaning of
    `span` or `cut` depends on the words around it.
    """
    if not FlawKind.CONTEXT <= _rank(flaws) < FlawKind.MEANING:
        return None
    is_late = _is_tolerable(span, flaws)
    if is_late and (flaws[0].rule == "joke" or flaws[0].kind != FlawKind.CONTEXT):
        return None
    furthest = NEXT if is_late else FURTHEST
    if cut is not span and _rank(find_flaws(cut)) == FlawKind.MEANING:
        return None
    sentences = span.passage.sentences
    touched = [
        i for i, s in enumerate(sentences) if s.start_char < span.end_char and s.end_char > span.start_char
    ]
    if not touched:
        return None
    away = {i: max(0, touched[0] - i, i - touched[-1]) for i in range(len(sentences))}
    for i in sorted((i for i in away if away[i] <= furthest), key=lambda i: (away[i], i)):
        for option in _list_wholes(span, sentences[i]):
            if (
                _has_content(option)
                and is_opened(option)
                and find_lesser_flaws(option, FlawKind.LENGTH, is_self_contained) is not None
            ):
                return option
    return None


def find_phrase(cut: PrintSpan, span: PrintSpan, flaws: Sequence[Flaw]) -> PrintSpan | None:
    """Return the longest phrase of a flawed span that a writer can embed; `None` if no phrase can be
    embedded.

    "That would be [one of the biggest investments of the century]", "He said that he was [more afraid there
    than in the war]", where the brackets are the phrase. Nothing before the phrase may deny it, put it under
    a condition, or report it. `cut` is the span that was chosen first, before it was mended.
    """
    if not FlawKind.CONTEXT <= _rank(flaws) < FlawKind.MEANING or _is_tolerable(span, flaws):
        return None
    if cut is not span and _rank(find_flaws(cut)) == FlawKind.MEANING:
        return None
    options = [
        replace(span, start_char=part.words[at].start_char, end_char=_find_part_end(span, part))
        for part in span.parts
        for at in _list_phrase_starts(part)
    ]
    options.sort(key=lambda option: option.start_char - option.end_char)
    for option in options:
        is_long_enough = SHORTEST <= option.length <= LONGEST
        is_one = is_long_enough and _has_content(option) and not _has_clause_of_its_own(option)
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
    """Yield the index of each printed word at which a phrase begins that a writer can embed.

    The phrase goes on to the end of the printed words of the sentence. It is a predicate, an infinitive, or a
    noun phrase after a form of "be".
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


FURTHEST = 3
NEXT = 1
OPENING_WORDS = 6
"""Number of first words in which an unresolved reference misleads a reader most."""


def _is_tolerable(span: PrintSpan, flaws: Sequence[Flaw]) -> bool:
    """Return whether a span with these flaws should be kept with warnings instead of being replaced.

    This applies to a joke, to a span whose worst flaw is a late reference to other sentences ("that plan"),
    and to a whole sentence without a verb, because the tagger may have missed the verb.
    """
    worst = flaws[0]
    if (worst.rule == "joke" and worst.kind == FlawKind.CONTEXT) or (
        worst.rule == "subject without a verb" and span.parts[0].is_whole
    ):
        return True
    before = span.passage.text[span.start_char : worst.start_char].split()
    return worst.kind == FlawKind.CONTEXT and len(before) >= OPENING_WORDS


FEWEST_CONTENT_WORDS = 4


def _has_content(option: PrintSpan) -> bool:
    """Return whether a span has enough content to be quoted on its own, and is not just thanks."""
    words = [word for part in option.parts for word in part.words]
    content = [word for word in words if word.tag in ("NOUN", "PROPN", "ADJ", "NUM", "VERB")]
    return len(content) >= FEWEST_CONTENT_WORDS and not {"thank", "thanks"} & {word.lower for word in words}


def _list_wholes(span: PrintSpan, sentence: Sentence) -> Iterator[PrintSpan]:
    """Yield a sentence, then its rest after an opening "And" or "For" and after each semicolon and colon.

    The longest comes first.
    """
    words = sentence.words
    if not words:
        return
    end = max(sentence.compute(list_ends))
    starts = [0, *(i for i in range(1, len(words)) if ";" in sentence.gaps[i] or ":" in sentence.gaps[i])]
    if words[0].lower in COORDINATORS or is_causal(sentence):
        starts.insert(1, 1)
    for i in sorted(starts):
        if i < len(words):
            yield replace(span, start_char=words[i].start_char, end_char=end)


def _drop_subject(span: PrintSpan) -> tuple[PrintSpan, list[Flaw]] | None:
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
    is_fit = _rank(flaws) <= FlawKind.LENGTH and shorter.length >= SHORTEST
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
    """Return the index of the first word after a subject that refers to something outside the span.

    An auxiliary is skipped: the word is "place" in "It would place". The result is `None` if the subject
    refers to nothing outside.
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


def _find_nearest(
    span: PrintSpan,
    flaws: list[Flaw],
    may_be_allowed: Callable[[PrintSpan], bool],
    is_allowed: Callable[[PrintSpan], bool] | None = None,
) -> tuple[PrintSpan, list[Flaw]]:
    """Return the nearest allowed candidate whose flaws are less grave, or the span itself if no candidate is
    better.

    A candidate is a range of words that may replace the span. `may_be_allowed` is called before all rules,
    `is_allowed` only before the slow rules.
    """
    best, best_flaws = span, flaws
    least = _add_penalty(_measure_distance(span, span.start_char, span.end_char), flaws)
    is_long_enough = span.length >= SHORTEST
    is_misleading = _rank(flaws) == FlawKind.MEANING
    distances = [
        _measure_distance(span, start, end)
        for start, end in _list_ranges(span)
        if _is_near(span, start, end, must_hold=is_misleading)
    ]
    for distance, size, start in sorted(distances):
        if distance >= least[0]:
            break
        option = _take_range(span, start, start + size)
        is_cut_short = is_long_enough and option.length < SHORTEST
        if is_cut_short or _is_opened_inside_earlier(span, option) or not may_be_allowed(option):
            continue
        unfit = min(_rank(flaws), FlawKind.BOUNDARY)
        if (distance + PENALTIES[FlawKind.CONTEXT], size, start) >= least:
            unfit = min(unfit, FlawKind.CONTEXT)
        option_flaws = find_lesser_flaws(option, unfit, is_allowed)
        if option_flaws is None:
            continue
        if (cost := _add_penalty((distance, size, start), option_flaws)) < least:
            best, best_flaws, least = option, option_flaws, cost
    return best, best_flaws


def _is_opened_inside_earlier(span: PrintSpan, option: PrintSpan) -> bool:
    """Return whether `option`, which may replace `span`, begins in the middle of an earlier sentence.

    An earlier sentence ends before the sentence in which `span` begins. A start after punctuation, or
    after only one word of the sentence, does not count.
    """
    if not span.parts or option.start_char >= span.parts[0].sentence.words[0].start_char:
        return False
    part = option.parts[0]
    return part.first > 1 and not part.gap_before.strip()


def is_self_contained(span: PrintSpan) -> bool:
    """Return whether a span has, in each of its sentences, a main clause with its subject, a command or a
    question.
    """
    parts = span.parts
    if not is_opened(span):
        return False
    is_order = parts[0].words[0].lower == "let" and _is_after_opening(parts[0])
    for number, part in enumerate(parts):
        main = part.clauses[0]
        if main.verb is None or (len(main.words) == 2 and part.words[main.verb].lower in ("mean", "know")):
            return False
        if (
            number == 0
            and part.first > 0
            and not is_order
            and (main.subject is None or main.subject > main.verb)
        ):
            return False
    return True


def is_opened(span: PrintSpan) -> bool:
    """Return whether a span begins where a sentence begins, or with a clause that can stand alone."""
    return bool(span.parts) and not (span.parts[0].first > 0 and _is_dependent_start(span))


def _is_dependent_start(span: PrintSpan) -> bool:
    """Return whether a span that begins inside a sentence depends on the words before it.

    It begins with a word such as "that" or "who", or it lacks the question word of its question.
    """
    opening, gap = span.parts[0].words[0], span.parts[0].gap_before
    is_opened = is_hard(gap) or _is_after_connective(span.parts[0])
    if is_opened and opening.lower in OPENED_STARTS:
        return False
    is_dependent = (
        opening.lower in NO_STARTS or opening.tag == "SCONJ" or (not is_opened and opening.tag == "ADP")
    )
    return is_dependent or (not is_hard(gap) and span.text.endswith("?"))


def _is_after_opening(part: Part) -> bool:
    """Return whether the printed words follow a connective and a comma: "So, first of all, [let me]"."""
    if _is_after_connective(part):
        return True
    return part.sentence.words[0].lower in CONNECTIVES | COORDINATORS and "," in part.gap_before


def _is_after_connective(part: Part) -> bool:
    """Return whether only a connective comes before the printed words in their sentence: "However, [to avoid
    ...]".
    """
    return part.first == 1 and (part.sentence.words[0].lower in CONNECTIVES or is_causal(part.sentence))


def _is_noun_phrase(span: PrintSpan) -> bool:
    """Return whether a span is a noun phrase that a writer can embed: "an enormous promise of risk"."""
    if len(span.parts) != 1:
        return False
    first = span.parts[0]
    opens = first.words[0].tag in ("DET", "NOUN", "PROPN", "NUM")
    return opens and len(first.words) >= SHORTEST and first.clauses[0].verb is None


def shorten(span: PrintSpan, cut: PrintSpan | None = None) -> tuple[PrintSpan, list[Flaw]] | None:
    """Return the longest span without flaws inside a too long span; `None` if all have flaws.

    A span is too long if it has more than `LONGEST` words; the result has at most as many. If `cut` is set,
    spans that share words with `cut` are preferred.
    """
    if span.length <= LONGEST:
        return None
    inside = [
        c for c in list_candidates(span) if c.start_char >= span.start_char and c.end_char <= span.end_char
    ]

    def rank(option: PrintSpan) -> tuple[bool, int, int]:
        is_apart = cut is not None and not _is_overlapping(cut, option.start_char, option.end_char)
        return (is_apart, option.start_char - option.end_char, option.start_char)

    for option in sorted(inside, key=rank):
        is_printable = SHORTEST <= option.length <= LONGEST and is_opened(option)
        if is_printable and find_lesser_flaws(option, FlawKind.LENGTH, is_self_contained) is not None:
            return option, []
    return None


def list_candidates(span: PrintSpan) -> Iterator[PrintSpan]:
    """Yield spans that overlap `span`, and that begin and end at clauses or punctuation marks."""
    return (_take_range(span, start, end) for start, end in _list_ranges(span))


def _take_range(span: PrintSpan, start: int, end: int) -> PrintSpan:
    return PrintSpan(span.passage, start, end, span.laughter, span.following, span.preceding, span.turn)


def _list_ranges(span: PrintSpan) -> Iterator[tuple[int, int]]:
    """Yield start and end offset of each range around a span that may replace the span."""
    sentences = _list_nearby(span)
    starts = sorted({start for sentence in sentences for start in sentence.compute(list_starts)})
    ends = sorted({end for sentence in sentences for end in sentence.compute(list_ends)})
    starts = [start for start in starts if start < span.end_char][-MOST_STARTS:]
    ends = [end for end in ends if end > span.start_char][:MOST_STARTS]
    for start in starts:
        for end in ends:
            if start < end and _is_overlapping(span, start, end):
                yield start, end


def _list_nearby(span: PrintSpan) -> list[Sentence]:
    sentences = span.passage.sentences
    touched = [
        i for i, s in enumerate(sentences) if s.start_char < span.end_char and s.end_char > span.start_char
    ]
    if not touched:
        return list(sentences[:1])
    last = max(touched[-1] + 1, _find_quotation_end(span, touched[-1]))
    return list(sentences[max(0, touched[0] - 1) : last + 1])


def _find_quotation_end(span: PrintSpan, last: int) -> int:
    """Return the index of the sentence that ends a quotation, if the span ends inside this quotation.

    In other cases, return `last`, the index of the last sentence of the span.
    """
    sentences, text = span.passage.sentences, span.passage.text
    closes = [end for start, end in span.passage.quoted if start <= span.end_char <= end < len(text)]
    reached = (
        i
        for i in range(last, min(len(sentences), last + FURTHEST + 1))
        if closes and sentences[i].end_char >= closes[0]
    )
    return next(reached, last)


def _is_overlapping(span: PrintSpan, start: int, end: int) -> bool:
    return min(span.end_char, end) > max(span.start_char, start)


def _is_near(span: PrintSpan, start: int, end: int, *, must_hold: bool) -> bool:
    """Return whether a span and a range share at least half of the characters of the shorter one.

    With `must_hold`, the range must also contain the whole span.
    """
    if must_hold and not (start <= span.start_char and span.end_char <= end):
        return False
    shared = min(span.end_char, end) - max(span.start_char, start)
    return 2 * shared >= min(span.end_char - span.start_char, end - start)


def _rank(flaws: Sequence[Flaw]) -> int:
    return flaws[0].kind if flaws else 0


def _measure_distance(span: PrintSpan, start: int, end: int) -> tuple[float, int, int]:
    """Return a sort key for a range: (distance from the span, size, start).

    The distance is 1 minus the overlap of range and span. It is higher for a range that is too short or too
    long.
    """
    shared = min(span.end_char, end) - max(span.start_char, start)
    overlap = 2 * shared / max(1, end - start + span.end_char - span.start_char)
    words = span.passage.count_words(start, end)
    length = 0.3 if words < SHORTEST else 0.2 if words > LONGEST else 0.0
    return 1 - overlap + length, end - start, start


def _add_penalty(distance: tuple[float, int, int], flaws: Sequence[Flaw]) -> tuple[float, int, int]:
    """Add the penalty for the gravest flaw to the distance of a candidate, a range that may replace the
    span.
    """
    worst = PENALTIES[FlawKind(_rank(flaws))] if flaws else 0.0
    return distance[0] + worst, *distance[1:]


PENALTIES = {
    FlawKind.LENGTH: 0.0,
    FlawKind.CONTEXT: 0.6,
    FlawKind.BOUNDARY: 0.8,
    FlawKind.GRAMMAR: 1.0,
    FlawKind.MEANING: 2.0,
}


def _fall_back(span: PrintSpan, flaws: list[Flaw]) -> tuple[PrintSpan, list[Flaw]]:
    """Extend a span to whole sentences, and return the result with its flaws.

    A span whose flaws are all less grave than `BOUNDARY` (a bad cut) is returned unchanged. If the gravest
    flaw of the whole sentences is broken grammar, such as a false start, `_find_fit_rest` looks for a better
    span nearby. If there is such a span, it is returned instead.
    """
    if _rank(flaws) < FlawKind.BOUNDARY or not span.parts:
        return span, flaws
    first, last = span.parts[0].sentence, span.parts[-1].sentence
    whole = replace(span, start_char=first.words[0].start_char, end_char=max(last.compute(list_ends)))
    whole_flaws = find_flaws(whole)
    rest = _find_fit_rest(span) if _rank(whole_flaws) == FlawKind.GRAMMAR else None
    return (whole, whole_flaws) if rest is None else (rest, find_flaws(rest))


def _find_fit_rest(span: PrintSpan) -> PrintSpan | None:
    """Return the range without flaws, of those that may replace a span, that shares most words with the span.

    The result is `None` if every such range has flaws.
    """

    def measure_share(option: PrintSpan) -> int:
        return min(span.end_char, option.end_char) - max(span.start_char, option.start_char)

    options = [c for c in list_candidates(span) if SHORTEST <= c.length <= LONGEST]
    options.sort(key=lambda c: (-measure_share(c), c.end_char - c.start_char))
    for option in filter(is_opened, options):
        if find_lesser_flaws(option, FlawKind.CONTEXT, is_self_contained) is not None:
            return option
    for option in filter(_is_phrase_after_dash, options):
        if find_lesser_flaws(option, FlawKind.CONTEXT) is not None:
            return option
    return None


def _is_phrase_after_dash(span: PrintSpan) -> bool:
    """Return whether a span begins with an infinitive right after a dash: "to — [keep the mill open]"."""
    if len(span.parts) != 1:
        return False
    part = span.parts[0]
    return is_hard(part.gap_before) and part.words[0].form == "Inf"
