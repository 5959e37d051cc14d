"""Build the checks (results) of quotations.

A quotation that cannot be checked gets a warning with the reason. Other warnings say that a quotation leaves
out words of its source, or that the source has another speaker or date than the draft names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from jobs.verify.context import read_cut
from jobs.verify.sources import Source, is_one_of
from jobs.verify.speakers import is_nobody
from quotations.names.person_names import split_name
from rostrum_core.quote_checks import QuoteCheck, QuoteRow, QuoteWarning, Verdict

REWRITTEN: Final = 3  # unexcused differences from which the words count as rewritten


def refuse(row: QuoteRow, kind: str, reason: str) -> QuoteCheck:
    """Return the result for a quotation that cannot be checked.

    A warning of the kind `kind`, such as "short", gives the reason.
    """
    return QuoteCheck(row, Verdict.CANNOT_BE_CHECKED, 1.0, warnings=(QuoteWarning(kind, reason),))


def split_parts(row: QuoteRow) -> list[QuoteRow]:
    """Return a row for each part of a quotation, such as the parts before and after "he said".

    If the quotation has only one part, return an empty list.
    """
    if len(row.parts) < 2:
        return []
    return [replace(row, id=f"{row.id}.{n}", parts=(part,)) for n, part in enumerate(row.parts, 1)]


def is_rewritten(check: QuoteCheck) -> bool:
    """Return whether a quotation has so many changes that its source may be a different place."""
    unexplained = [item for item in check.differences if item.kind != "cut" and item.reason is None]
    return check.verdict is Verdict.ALTERED and len(unexplained) >= REWRITTEN


def check_cut(check: QuoteCheck, best: Source, is_statement: bool) -> QuoteCheck:
    """Return the check with added warnings about words of the source that the quotation leaves out.

    `best` is the source. If the omission changes the meaning, the verdict `VERBATIM` or `EDITED` becomes
    `OUT_OF_CONTEXT`.
    """
    reading, place = best.reading, best.place
    text = next(item.text for item in reading.window.paragraphs if item.ordinal == place.paragraph)
    cut = read_cut(
        text,
        place.start_char,
        place.end_char,
        reading.differences,
        speaker=place.speaker,
        is_statement=is_statement,
        is_attributed=bool(best.by_speaker) and not check.row.is_relayed,
    )
    unfair = cut.is_unfair and check.verdict in (Verdict.VERBATIM, Verdict.EDITED)
    return replace(
        check,
        verdict=Verdict.OUT_OF_CONTEXT if unfair else check.verdict,
        warnings=(*check.warnings, *cut.warnings),
        suggestion=cut.faithful or check.suggestion,
    )


def attribute(check: QuoteCheck, best: Source) -> QuoteCheck:
    """Return the check, with a warning if the source has another speaker or date than the draft names.

    `best` is the source. If its speaker or date is certainly another one, the verdict becomes
    `SAID_BY_ANOTHER`, unless the words are altered or doubtful.
    """
    row, place = check.row, best.place
    if best.by_speaker is False and _is_repeated_from(row.speaker or "", check.warnings):
        return check
    if best.by_speaker is False:
        warning = QuoteWarning(
            "speaker", f"said by {place.speaker}, not by {row.speaker}", place.speaker or ""
        )
    elif not best.on_occasion:
        warning = QuoteWarning(
            "occasion", f"said on {place.spoken_on}, not {row.said_on}", place.spoken_on or ""
        )
    elif best.by_speaker is None and is_one_of(row.others, place.speaker):
        message = f"said by {place.speaker}; the draft may mean {row.speaker}"
        return replace(check, warnings=(QuoteWarning("speaker", message), *check.warnings))
    elif best.by_speaker is None and _is_office_for_name(row.speaker, place.speaker):
        message = f"said by {place.speaker}, whom the archive does not name; the draft names {row.speaker}"
        return replace(
            check, warnings=(QuoteWarning("speaker", message, place.speaker or ""), *check.warnings)
        )
    else:
        return check
    keeps = check.verdict in (Verdict.ALTERED, Verdict.SOURCE_SUSPECT)
    verdict = check.verdict if keeps else Verdict.SAID_BY_ANOTHER
    return replace(check, verdict=verdict, warnings=(warning, *check.warnings))


def _is_office_for_name(claimed: str | None, said: str | None) -> bool:
    """Return whether the draft names a person, and the archive only an office such as "THE MAYOR"."""
    return bool(claimed and said) and is_nobody(said or "") and not is_nobody(claimed or "")


def _is_repeated_from(speaker: str, warnings: Sequence[QuoteWarning]) -> bool:
    """Return whether the source says that its words are those of `speaker`: "Clinton said ...".

    If a quotation leaves out words such as "Clinton said", its check has a warning of kind "context" with
    these words. The speaker's last name is looked up in these `warnings`.
    """
    last = split_name(speaker)[-1:]
    words = {word for item in warnings if item.kind == "context" for word in split_name(item.words)}
    return bool(last) and last[0] in words
