"""Find words that a quotation omits although they change its meaning, and suggest a faithful span.

A cut is the range of a paragraph that is quoted. The rules look at the sentences in which the cut begins and
ends. They check the clauses that govern the quoted words ("They say that ...", "if ...", "not ..."), the rest
of the same clause, and quotation marks. The rules know which clause depends on which: see
`quotations.grammar.clauses`. So an unrelated negation in the sentence does not count as an omission.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from quotations.cuts.cut_rules import find_losses
from quotations.cuts.cuts import Loss, LossKind, Severity
from quotations.grammar.passages import Passage, read_passage
from quotations.printing.cut_places import list_ends, list_starts
from quotations.printing.print_rules import find_flaws
from quotations.printing.print_spans import FlawKind, PrintSpan
from quotations.printing.unresolved_references import find_unresolved_reference

REASONS = {
    LossKind.NEGATION: "a negation stands outside the quote",
    LossKind.CONDITION: "the speaker said this under a condition",
    LossKind.HEDGE: "the speaker was less certain",
    LossKind.LIMIT: "the speaker limits this to less",
    LossKind.REPORTED: "the speaker reports what others say or think",
    LossKind.WISH: "the speaker wishes for this and does not state it",
    LossKind.QUESTION: "the speaker asks this and does not state it",
    LossKind.QUOTED: "these words are quoted or read out by the speaker",
    LossKind.REFERENT: "a pronoun refers to something outside the quote",
}


@dataclass(frozen=True, slots=True)
class Omission:
    """Locate words that a quotation omits and that change its meaning: `paragraph[start_char:end_char]`."""

    kind: LossKind
    severity: Severity
    start_char: int
    end_char: int
    words: str

    @property
    def reason(self) -> str:
        """Return a clause that explains why the omission misleads: "the speaker was less certain"."""
        return REASONS[self.kind]


@dataclass(frozen=True, slots=True)
class FairCut:
    """Hold what a quotation leaves out, gravest first, and the shortest span around it that is faithful.

    A span is faithful if it leaves out nothing that changes its meaning. `faithful` is the quotation itself
    if it is fair. It is `None` if no span of the paragraph is faithful, for example if the speaker reads out
    somebody else's words.
    """

    omissions: tuple[Omission, ...]
    faithful: tuple[int, int] | None

    @property
    def severity(self) -> Severity | None:
        """Return the severity of the gravest omission; `None` if the quotation omits nothing relevant."""
        return self.omissions[0].severity if self.omissions else None

    @property
    def is_fair(self) -> bool:
        """Return whether the quotation is fair: none of its omissions deserves a warning."""
        return self.severity is None or self.severity < Severity.WARNING


def check_fair_cut(
    paragraph: str, start_char: int, end_char: int, *, speaker: str = "", is_statement: bool = False
) -> FairCut:
    """Find the words around the quotation `paragraph[start_char:end_char]` that change its meaning.

    Offsets are code points, half-open. An empty range, or one without a word, is fair. The time grows with
    the length of the paragraph.

    Words in quotation marks count as somebody else's, unless they are attributed to `speaker`. With
    `is_statement`, they count as the speaker's own, as in a press release
    (`quotations.grammar.passages.is_quoted_statement`).

    >>> text = "I do not think that we should go to war."
    >>> result = check_fair_cut(text, 20, 39)
    >>> [(omission.kind.value, omission.severity.name, omission.words) for omission in result.omissions]
    [('negation', 'GRAVE', 'not'), ('hedge', 'WARNING', 'I do not think that')]
    >>> result.is_fair, text[slice(*result.faithful)]
    (False, 'I do not think that we should go to war')
    """
    passage = read_passage(paragraph, speaker, is_statement=is_statement)
    losses = [
        *find_losses(passage, start_char, end_char),
        *_find_lost_referents(passage, start_char, end_char),
    ]
    losses.sort(key=lambda loss: (-loss.severity, loss.start_char))
    omissions = tuple(
        Omission(
            loss.kind,
            loss.severity,
            loss.start_char,
            loss.end_char,
            paragraph[loss.start_char : loss.end_char],
        )
        for loss in losses
    )
    is_fair = not losses or losses[0].severity < Severity.WARNING
    faithful = (start_char, end_char) if is_fair else find_faithful_span(passage, start_char, end_char)
    return FairCut(omissions, faithful)


def find_faithful_span(passage: Passage, start_char: int, end_char: int) -> tuple[int, int] | None:
    """Return the shortest span around the quotation that leaves out nothing relevant; `None` if no span does.

    The quotation is `start_char` to `end_char`. The span begins and ends at clauses. Spans that are also fit
    for print in grammar and boundaries are preferred to shorter ones.
    """
    sentences = [
        sentence
        for sentence in passage.sentences
        if sentence.start_char < end_char and sentence.end_char > start_char
    ]
    if not sentences:
        return None
    starts = {start for start in list_starts(sentences[0]) if start <= start_char} | {start_char}
    ends = {end for end in list_ends(sentences[-1]) if end >= end_char} | {end_char}
    ranges = sorted((end - start, start, end) for start in starts for end in ends)
    fallback = None
    for _, start, end in ranges:
        if any(loss.severity >= Severity.WARNING for loss in find_losses(passage, start, end)):
            continue
        fallback = fallback or (start, end)
        flaws = find_flaws(PrintSpan(passage, start, end))
        if not flaws or flaws[0].kind < FlawKind.BOUNDARY:
            return start, end
    return fallback


def _find_lost_referents(passage: Passage, start_char: int, end_char: int) -> Iterator[Loss]:
    for flaw in find_unresolved_reference(PrintSpan(passage, start_char, end_char)):
        yield Loss(LossKind.REFERENT, Severity.NOTE, flaw.start_char, flaw.end_char)
