"""Find what changes the meaning of a span for print: words left out around it, laughter, opinions of
others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from quotations.cuts.cut_rules import find_losses
from quotations.cuts.cuts import Severity
from quotations.grammar.cut_vocabulary import BE_FORMS, CONNECTIVES, CONTRASTS, NEGATORS, REPORT_VERBS
from quotations.grammar.gaps import is_hard
from quotations.grammar.passages import Passage
from quotations.grammar.tagging import Word
from quotations.printing.print_spans import SPEAKERS, Flaw, FlawKind, Part, PrintSpan, is_dash


def find_lost_meaning(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw for each word outside the span, such as "not", without which the span's meaning changes.

    `cut_rules` finds these losses. Losses of the severity `NOTE` are skipped, with two exceptions. A question
    mark outside the span is a flaw of the kind `BOUNDARY`. A "he said" outside the span is a flaw of the kind
    `MEANING` if the span completes a form of "be": "he said he was [more afraid]", where the brackets are the
    span.
    """
    for loss in find_losses(span.passage, span.start_char, span.end_char):
        is_reported = loss.kind == "reported_speech" and _is_complement(span.parts[0])
        if loss.severity >= Severity.WARNING or is_reported:
            yield Flaw(FlawKind.MEANING, loss.kind.value, loss.start_char, loss.end_char)
        elif loss.kind == "question":
            yield Flaw(FlawKind.BOUNDARY, "question mark outside", loss.start_char, loss.end_char)


EXCEPTIONS = frozenset(("except", "beyond", "excepting", "unless", "barring", "excluding"))


INVERTING = frozenset(("neither", "nor", "never", "hardly", "seldom", "rarely", "scarcely"))


SAYING = frozenset(("say", "says", "said", "saying", "ask", "asks", "asked", "claim", "claims", "claimed"))


def find_lost_frame(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw if earlier words of the span's sentence change its meaning, and the parser misses this.

    Such words are an exception ("Except in war, [no power ...]"), a verb of saying with a colon ("men will
    say: It was then that [man ...]"), a negation before verb and subject ("neither can two great and
    [powerful ..."), or a plan ("we will build a road so [all farmers can sell their grain]"). The brackets
    are the span.
    """
    part = span.parts[0]
    words, gaps = part.sentence.words, part.sentence.gaps
    for at in range(part.first):
        rule = ""
        is_opener = at == part.first - 1 and _is_conditional_opener(part)
        if is_opener or (words[at].lower in EXCEPTIONS and _is_at_head(part, at)):
            rule = "condition"
        elif words[at].lower in SAYING and ":" in gaps[at + 1]:
            before = {word.lower for word in words[max(0, at - 8) : at]}
            rule = "" if before & SPEAKERS else "reported_speech"
        elif at == part.first - 1 and (
            _is_said_by_another(part) or _is_also_thought(part) or _is_declared_by_others(part)
        ):
            rule = "reported_speech"
        elif words[at].lower == "if" and part.words[0].lower == "then":
            rule = "condition"
        elif at == part.first - 1 and _is_denied_before(part):
            rule = "negation"
        elif words[at].lower == "so" and _is_purpose(part, at):
            rule = "wish"
        elif at == part.first - 1 and is_dash(part.gap_before):
            rule = _name_loss_before_aside(part)
        elif at == part.first - 2 and _is_view_of_others(words, gaps, at):
            rule = "reported_speech"
        elif words[at].lower in INVERTING and words[at + 1].tag == "AUX":
            is_near = not any(gap.strip() for gap in gaps[at + 1 : part.first + 1])
            rule = "negation" if is_near else ""
        elif at == part.first - 1 and words[at].lower == "quote" and "I quote" not in part.sentence.text:
            rule = "reported_speech"
        elif words[at].lower == "that" and _is_requested(part, at):
            rule = "wish"
        if rule:
            yield span.make_flaw(FlawKind.MEANING, rule, words[at], words[part.first - 1])


def _name_loss_before_aside(part: Part) -> str:
    """Return what is lost if a span begins right after a dash: "negation", "question", "condition" or "wish".

    The lost words precede the dash, or an aside between two dashes. Example: "about whether — excuse me —
    [you can give them water]" loses a question. The brackets are the printed words. The result is "" if
    nothing is lost.
    """
    words, gaps, first = part.sentence.words, part.sentence.gaps, part.first
    dash = next((at for at in range(first - 1, max(0, first - ASIDE_WORDS), -1) if is_dash(gaps[at])), first)
    if words[first].is_finite and {words[at].lower for at in (dash, first - 1) if at < first} & NEGATORS:
        return "negation"
    for at in {first, dash}:
        before = [word.lower for word in words[max(0, at - 3) : at]]
        if before[-1:] == ["whether"] or before == ["whether", "or", "not"]:
            return "question"
        if before[-1:] in (["if"], ["unless"]):
            return "condition"
    aim = [word.lower for word in words[max(0, dash - ASIDE_WORDS) : dash]]
    if "that" in aim and aim[max(0, aim.index("that") - 1)] in ENSURING:
        return "wish"
    return ""


ENSURING = frozenset(("ensure", "ensures", "sure", "so", "hope", "wish"))
"""Words before "that" and what a speaker aims at: "to ensure that key roads — [key roads are mended]".
"""


ASIDE_WORDS = 6


def _is_said_by_another(part: Part) -> bool:
    """Return whether the printed words follow a clause that ascribes them to others: "as the old songs say".

    Example: "as the old songs say [the road is long]", where the brackets are the printed words. Nothing but
    a space may be between the two: with a comma, the result is false. The result is also false if the clause
    names the speaker or the listeners: "as I say", "as you say".
    """
    before = [word.lower for word in part.sentence.words[max(0, part.first - 6) : part.first]]
    named = before[before.index("as") + 1 : -1] if "as" in before else []
    is_other = bool(named) and not (SPEAKERS | {"you"}) & set(named)
    return is_other and before[-1] in SAYING and not part.gap_before.strip()


def _is_declared_by_others(part: Part) -> bool:
    """Return whether the printed words come after a colon, as the words of other people.

    Example: "They made it clear: [we ...]", where the brackets are the printed words.
    """
    if ":" not in part.gap_before:
        return False
    before = [word.lower for word in part.sentence.words[max(0, part.first - DECLARED_WITHIN) : part.first]]
    is_clear = "clear" in before and bool({"made", "make", "makes"} & set(before))
    return (is_clear or bool(DECLARING & set(before))) and not SPEAKERS & set(before)


DECLARED_WITHIN = 10
DECLARING = frozenset(
    ("declared", "proclaimed", "wrote", "insisted", "declares", "proclaims", "insist", "argued")
)


def _is_also_thought(part: Part) -> bool:
    """Return whether the printed words are the second of two thoughts that the speaker reports of others.

    Example: "They thought us weak, that [we ...]", where the brackets are the printed words.
    """
    words, gaps, at = part.sentence.words, part.sentence.gaps, part.first - 1
    if words[at].lower != "that" or "," not in gaps[at]:
        return False
    verbs = [i for i in range(max(0, at - THOUGHT_WORDS), at) if words[i].lower in REPORT_VERBS]
    before = {word.lower for word in words[max(0, verbs[-1] - 6) : verbs[-1]]} if verbs else SPEAKERS
    return not SPEAKERS & before


THOUGHT_WORDS = 20


def _is_denied_before(part: Part) -> bool:
    """Return whether "not" or the like, shortly before the printed words, denies the first of these words.

    Example: "Not [a lot came]", where the brackets are the printed words. The speaker may have broken off the
    first word before: "no evacua- — [evacuation]".
    """
    words, at = part.sentence.words, part.first - 1
    if words[at].lower == "not" and not part.gap_before.strip():
        return part.words[0].tag in ("DET", "ADJ", "NUM", "PRON")
    begun, whole = words[at].lower, part.words[0].lower
    is_restart = is_dash(part.gap_before) and begun != whole and whole.startswith(begun[:-1])
    return is_restart and len(begun) >= BROKEN_LETTERS and at > 0 and words[at - 1].lower in NEGATORS


BROKEN_LETTERS = 3


def _is_at_head(part: Part, at: int) -> bool:
    """Return whether an exception before the printed words applies to them.

    Example: "We hold it; but beyond what we need, [there will be no force]". The exception begins at word
    `at`. It applies if it opens the sentence. It also applies if it follows a mark such as ";" and ends at a
    comma before the printed words.
    """
    gaps = part.sentence.gaps
    if at < 2 and part.sentence.words[at].lower != "beyond":
        return True
    is_near = not any(is_hard(gap) for gap in gaps[at + 1 : part.first + 1])
    opens = at < 2 or is_hard(gaps[at]) or is_hard(gaps[at - 1])
    return opens and is_near and "," in gaps[part.first]


def _is_conditional_opener(part: Part) -> bool:
    """Return whether a single word before the printed words states a condition for them: "United, [we
    win]".
    """
    opening = part.sentence.words[part.first - 1]
    is_participle = opening.tag == "VERB" and opening.form == "Part" and not opening.lower.endswith("ing")
    is_one = part.first == 1 and (is_participle or opening.lower in CONDITIONAL_OPENERS)
    return is_one and part.gap_before.strip() == ","


CONDITIONAL_OPENERS = frozenset(
    ("united", "divided", "alone", "left", "given", "unchecked", "unless", "properly")
)


MANDATIVE = frozenset(
    (
        "ask",
        "asks",
        "asked",
        "demand",
        "demanded",
        "propose",
        "proposed",
        "recommend",
        "request",
        "urge",
        "insist",
    )
)
"""Verbs that say with "that" what should be: "I ask that the Congress declare"."""


def _is_requested(part: Part, at: int) -> bool:
    """Return whether the "that" at `at` makes the printed words a request: "we ask that [the laws be
    executed]".

    If a verb of asking comes before "that", the printed words must have a subject and a verb. Otherwise, as
    in "take care that [the laws be executed]", they must begin right after "that" and have a bare "be".
    """
    if part.sentence.words[at - 1].lower not in MANDATIVE:
        return at == part.first - 1 and _is_subjunctive(part)
    main = part.clauses[0]
    is_near = not any(is_hard(gap) for gap in part.sentence.gaps[at + 1 : part.first + 1])
    return is_near and main.verb is not None and main.subject is not None


def _is_subjunctive(part: Part) -> bool:
    """Return whether the first verb of the printed words is a bare "be": "take care that [the laws be
    executed]".
    """
    verb = next((i for i, word in enumerate(part.words) if word.tag in ("AUX", "VERB")), 0)
    is_bare = verb > 0 and part.words[verb].lower == "be"
    return is_bare and part.words[verb - 1].tag in ("NOUN", "PROPN", "PRON")


def find_lost_reason(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw if the span ends with a denial whose reason or condition is outside the span.

    The span then denies more than the speaker did: "[I didn't run] because it was easy". There is also a flaw
    if the negation applies to a second verb outside the span: "[I'm not signing it] and forgetting the rest".
    The brackets are the span.
    """
    part = span.parts[-1]
    following = part.get_word(part.last + 1)
    if following is None or part.gap_after.strip():
        return
    after = part.get_word(part.last + 2)
    if following.lower in ("until", "unless", "without") and _is_denied(part):
        yield span.make_flaw(FlawKind.MEANING, "condition", following)
        return
    is_joined = (
        following.lower in ("and", "or") and after is not None and after.form in ("Part", "Ger", "Inf")
    )
    if following.lower not in ("because", "just", "simply", "only") and not is_joined:
        return
    if _is_denied(part):
        yield span.make_flaw(FlawKind.MEANING, "negation", following)


def _is_denied(part: Part) -> bool:
    """Return whether the last clause of the printed words has a negation."""
    clause = part.sentence.clause_of[part.last]
    return any(part.sentence.words[i].lower in ("not", "n't", "never") for i in clause.words)


def _is_purpose(part: Part, at: int) -> bool:
    """Return whether the printed words are a purpose after "so" or "so that".

    Examples: "a road so [we can sell our grain]", "Build a road, so [no one has to wade]".
    """
    words, gaps = part.sentence.words, part.sentence.gaps
    has_that = at == part.first - 2 and words[at + 1].lower == "that"
    if at < 2 or not (has_that or at == part.first - 1) or gaps[part.first].strip():
        return False
    is_command = words[0].tag == "VERB" and words[0].form in ("Inf", "Fin")
    gap = gaps[at].strip(CLOSING_MARKS).strip("," if is_command else "")
    if not has_that and (gap or words[at - 1].tag not in NAMING_TAGS):
        return False
    clause = part.sentence.clause_of[part.first]
    if clause.verb is None or clause.verb > part.last:
        return False
    if is_command:
        return True
    is_aim = words[clause.verb].lower in AIMING
    return is_aim or {word.lower for word in words[: part.first]} & PLANNING != frozenset()


CLOSING_MARKS = " ”\"’')"
NAMING_TAGS = ("NOUN", "PROPN", "NUM", "ADJ")


PLANNING = frozenset(
    ("propose", "proposed", "proposing", "plan", "planned", "ask", "asked", "asking", "call")
)
"""Words of a plan: what follows "so" is its purpose, whatever its verb."""

AIMING = frozenset(("can", "could", "may", "might", "will", "would", "'ll"))


def _is_view_of_others(words: Sequence[Word], gaps: Sequence[str], at: int) -> bool:
    """Return whether "for many,", "to some," or the like begins at the word `at`."""
    pair = (words[at].lower, words[at + 1].lower)
    return pair[0] in ("for", "to") and pair[1] in OTHERS and "," in gaps[at + 2]


OTHERS = frozenset(("many", "some", "others", "most", "them", "critics"))


def _is_complement(part: Part) -> bool:
    """Return whether a form of "be" comes right before the printed words, so that they complete it.

    In "he said he was [more afraid than in the war]", the brackets are the printed words.
    """
    before = part.get_word(part.first - 1)
    return before is not None and before.lower in BE_FORMS


REFUTED = re.compile(
    r"""\b(?:there\s+(?:is|was|are|were)\s+(?:an?|the|some|those|many|people)\b[^.,;]{0,30}?
        (?:opinion|notion|view|belief|idea|theory|argument|feeling
            |who\s+(?:say|said|claim|believe|argue|think|would|question|suggest|doubt|insist|tell))
    | \b(?:some|many|others|critics|skeptics|cynics|pundits|opponents|people|folks|they)\s+(?:\w+\s+){0,3}?
        (?:say|says|said|claim|claims|argue|argues|insist|tell\s+us|told\s+us|would\s+have\s+us)\b
    | \bit\s+(?:is|was|has\s+been)\s+(?:often\s+|sometimes\s+)?(?:said|argued|claimed|alleged)
    | \bwe\s+(?:are|were|have\s+been)\s+(?:often\s+)?told\b)""",
    re.VERBOSE | re.IGNORECASE,
)


def find_unnamed_opinion(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw for an opinion of unnamed people that opens a sentence of the span: "Some say ...".

    An opinion that the speaker answers within the span does not count.
    """
    for part in span.parts:
        start = part.words[0].start_char
        match = REFUTED.match(span.passage.text, start) or REFUTED.match(
            span.passage.text, min(start + len(_read_connective(part)), part.words[-1].end_char)
        )
        if match and not _is_answered(span, part):
            yield Flaw(FlawKind.MEANING, "unnamed opinion", match.start(), match.end())


def _read_connective(part: Part) -> str:
    """Return the connective that opens the printed words, with the space after it: "But ", "Now, ".

    The result is "" if the printed words open with another word.
    """
    word = part.words[0]
    if word.lower in OPENERS and len(part.words) > 1:
        return part.passage.text[word.start_char : part.words[1].start_char]
    return ""


OPENERS = CONNECTIVES | {"now", "well"}


def _is_answered(span: PrintSpan, part: Part) -> bool:
    """Return whether the span also has the speaker's answer to an opinion of others.

    Example: "Some say it is late, but I say it is early".
    """
    later = [
        w.lower for p in span.parts if p.sentence.start_char >= part.sentence.start_char for w in p.words
    ]
    return any(later[i] in CONTRASTS for i in range(3, len(later)))


def find_lost_laughter(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw if the transcript notes laughter inside the span or next to it, because the words may be a
    joke.
    """
    for at in span.laughter:
        if span.start_char <= at <= _find_sentence_end(span):
            yield Flaw(FlawKind.CONTEXT, "joke", at, at)


def _find_sentence_end(span: PrintSpan) -> int:
    end = span.parts[-1].sentence.end_char
    text = span.passage.text
    while end < len(text) and text[end].isspace():
        end += 1
    return end


def find_whole_quotation(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw if a span is little more than a quotation and does not say whose words it quotes.

    A reader would take the quoted words for the speaker's own.
    """
    for opens, closes in span.passage.quoted:
        if span.start_char == opens - 1 and span.end_char <= closes + 1:
            for loss in find_losses(span.passage, opens, min(closes, span.end_char)):
                if loss.kind == "quoted_words" and loss.severity >= Severity.WARNING:
                    yield Flaw(FlawKind.MEANING, "quoted_words", span.start_char, span.end_char)
        elif span.start_char < opens and closes < span.end_char and _is_unattributed(span, opens, closes):
            yield Flaw(FlawKind.MEANING, "quoted_words", opens, closes)


def _is_unattributed(span: PrintSpan, opens: int, closes: int) -> bool:
    """Return whether a span is mostly a quotation and does not say who said it.

    Example: "worst of all, “...”". A quotation of few words does not count, as it may be a name. Nor does a
    quotation with a verb outside it, as the verb may attribute it ("he said"). In a passage marked as a
    statement, no quotation counts, as quotation marks there enclose the speaker's own words.
    """
    if span.passage.is_statement or 2 * (closes - opens) < span.end_char - span.start_char:
        return False
    words = [word for part in span.parts for word in part.words]
    outside = [word for word in words if not opens <= word.start_char < closes]
    is_most = len(words) - len(outside) >= max(LEAST_QUOTATION, 2 * len(outside))
    return is_most and not any(word.tag in ("VERB", "AUX") for word in outside)


LEAST_QUOTATION = 6
"""Fewest words of a quotation; fewer may be the name of something."""


def find_unbalanced_marks(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw for a quotation mark or bracket whose other half is outside the span."""
    if not span.passage.compute(_has_marks):
        return
    text = span.text
    for opening, closing in (("“", "”"), ("(", ")"), ("[", "]")):
        if text.count(opening) != text.count(closing):
            yield Flaw(FlawKind.GRAMMAR, "unbalanced marks", span.start_char, span.end_char)
            return
    start, end = span.start_char, span.end_char
    crosses = any(
        (opens <= start < closes and end > closes + 1) or (opens < end <= closes and start < opens - 1)
        for opens, closes in span.passage.quoted
    )
    if text.count('"') % 2 or crosses:
        yield Flaw(FlawKind.GRAMMAR, "unbalanced marks", span.start_char, span.end_char)


def _has_marks(passage: Passage) -> bool:
    return any(mark in passage.text for mark in '"“”()[]')
