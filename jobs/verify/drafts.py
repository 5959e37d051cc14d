"""Find the quotations in a draft, and return them as rows to check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from jobs.verify.attribution import find_attribution
from quotations.text.extraction import Quotation, find_quotations
from quotations.text.sentences import split_sentences
from quotations.text.words import split_words
from rostrum_core.quote_checks import QuoteRow
from rostrum_core.types import Draft

LONGEST_INTERRUPTION: Final = 12  # words between two pieces of one quotation, as in: he said
MARKS: Final = "”\"’'»›“‘"
CONTEXT_CHARACTERS: Final = 2000


def find_quotes(draft: Draft, *, is_known: Callable[[str], bool] = lambda _: False) -> list[QuoteRow]:
    """Return the quotations in a draft in order, each with the speaker and the date that the draft names for
    it.

    A quotation interrupted by "he said" is one row with two parts. The id of a row consists of the
    quotation's number and start offset, as in "3@482". `is_known` returns whether a person is known, to find
    whom a "he" means.

    >>> [row] = find_quotes(Draft(left="“Ask not,” Kennedy said, “what your country can do.”"))
    >>> row.parts, row.speaker
    (('Ask not,', 'what your country can do.'), 'Kennedy')
    """
    text = join_draft(draft)
    return [
        _make_row(text, number, group, draft.written_on, is_known)
        for number, group in enumerate(_join_quotations(text, find_quotations(text)), 1)
    ]


def locate_quote(row: QuoteRow, text: str) -> tuple[int, int]:
    """Return the character range of a quotation in the text of its draft, without the quotation marks.

    `row` is a row of `find_quotes`.

    >>> text = "He said: “Ask not.”"
    >>> locate_quote(find_quotes(Draft(left=text))[0], text)
    (10, 18)
    """
    opened = int(row.id.partition("@")[2].partition(".")[0])
    start = text.index(row.parts[0], opened)
    return start, text.index(row.parts[-1], start) + len(row.parts[-1])


def join_draft(draft: Draft) -> str:
    """Return the whole text of a draft: title, left and right, separated by blank lines."""
    body = f"{draft.left}\n\n{draft.right}" if draft.right else draft.left
    return f"{draft.title}\n\n{body}" if draft.title else body


def _join_quotations(text: str, result: list[Quotation]) -> Iterator[list[Quotation]]:
    group: list[Quotation] = []
    for quotation in result:
        if group and not _is_continued(text, group[-1], quotation):
            yield group
            group = []
        group.append(quotation)
    if group:
        yield group


def _is_continued(text: str, before: Quotation, after: Quotation) -> bool:
    """Return whether two successive quotations belong to one sentence, interrupted only by words such as "he
    said".
    """
    between = text[before.end_char : after.opened_at]
    if "\n" in between or not before.closed or text[before.end_char - 1] in ".!?":
        return False
    size = len(split_words(between))
    if not 0 < size <= LONGEST_INTERRUPTION or len(split_sentences(f"x{between}“X")) != 1:
        return False
    if ";" in between:
        own, following = (
            between.rpartition(";")[2],
            text[after.end_char + 1 : after.end_char + CONTEXT_CHARACTERS],
        )
        if find_attribution(own.lstrip(), following).speaker is not None or _is_attributed(following):
            return False
    return _is_attributed(between.strip(MARKS))


def _is_attributed(narration: str) -> bool:
    return find_attribution("Somebody Else spoke. ", narration).speaker is not None


def _make_row(
    text: str, number: int, group: list[Quotation], printed_on: str | None, is_known: Callable[[str], bool]
) -> QuoteRow:
    parts = tuple(text[start:end] for quotation in group for start, end in quotation.parts)
    first, last = group[0], group[-1]
    before = text[max(0, first.opened_at - CONTEXT_CHARACTERS) : first.opened_at]
    after = text[last.end_char + 1 : last.end_char + CONTEXT_CHARACTERS]
    inner = text[first.end_char + 1 : group[1].opened_at] if len(group) > 1 else ""
    ends_sentence = text[first.end_char - 1] in ".!?"
    named = find_attribution(
        before, inner or after, printed_on=printed_on, is_known=is_known, ends_sentence=ends_sentence
    )
    return QuoteRow(
        f"{number}@{first.opened_at}",
        parts,
        speaker=named.speaker,
        said_on=named.said_on,
        printed_on=printed_on,
        before=before,
        after=after,
        others=named.others,
        is_relayed=named.is_relayed,
    )
