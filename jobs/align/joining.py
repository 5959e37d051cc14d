"""Match the quotations in an article with transcripts, joining two quotations that a "he said" separates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jobs.align.articles import Article
from quotations.matching.quotation_matches import Matcher, Reason
from quotations.matching.verification import Match
from quotations.text.extraction import Quotation, find_quotations
from quotations.text.sentences import split_sentences
from quotations.text.words import split_words

LONGEST_ATTRIBUTION = 12  # words between two parts of a quotation


@dataclass(frozen=True, slots=True)
class MatchedQuotation:
    """Hold a quotation in an article with its match in a transcript, or the reason why it has no match."""

    quotation: Quotation
    result: Match | Reason


def match_quotations(article: Article, matcher: Matcher) -> Iterator[MatchedQuotation]:
    """Match the quotations in `article` with the transcripts, and yield them in order.

    Quotations that continue one sentence, such as those before and after "he said", are joined if the joined
    quotation has a match. If a quotation over several paragraphs has no match, it is split into one quotation
    per paragraph, because a closing quotation mark may be missing. If a quotation within one paragraph has no
    match, the quotations nested in it are matched by themselves.
    """
    waiting = find_quotations(article.text)
    while waiting:
        quotation, result, taken = _join_longest(article, waiting, matcher)
        del waiting[:taken]
        yield MatchedQuotation(quotation, result)
        if isinstance(result, Reason):
            waiting[:0] = quotation.split_parts() or quotation.nested


def _join_longest(
    article: Article, waiting: list[Quotation], matcher: Matcher
) -> tuple[Quotation, Match | Reason, int]:
    """Match the first quotation of `waiting`, joined with as many of the next ones as continue its sentence.

    In “We go,” he said, “to the moon,” the second quotation continues the sentence of the first. It is joined
    only if the words of both match together. Return the joined quotation, its match or the reason why it has
    no match, and the number of quotations that were joined.
    """
    quotation, taken = waiting[0], 1
    result = _match(article, quotation, matcher)
    while taken < len(waiting) and _is_continued(article.text, waiting[taken - 1], waiting[taken]):
        joined = quotation.join(waiting[taken])
        together = _match(article, joined, matcher)
        if isinstance(together, Reason):
            break
        quotation, result, taken = joined, together, taken + 1
    return quotation, result, taken


def _match(article: Article, quotation: Quotation, matcher: Matcher) -> Match | Reason:
    return matcher.match([article.text[start:end] for start, end in quotation.parts], article.published)


def _is_continued(text: str, before: Quotation, after: Quotation) -> bool:
    """Return whether two successive quotations belong to one sentence, interrupted only by words such as "he
    said".
    """
    between = text[before.end_char : after.opened_at]
    if "\n" in between or not before.closed or text[before.end_char - 1] == ".":
        return False
    attribution = len(split_words(between))
    return 0 < attribution <= LONGEST_ATTRIBUTION and len(split_sentences(f"x{between}“X")) == 1
