"""Verify quotations, and give a verdict on each.

The steps are: look up runs of words in the archive, build windows (consecutive paragraphs), align each window
with the quotation, list differences, split the quotation into pieces, look for paraphrases, give the verdict.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jobs.verify.attribution import make_name_test
from jobs.verify.checks import attribute, check_cut, is_rewritten, refuse, split_parts
from jobs.verify.drafts import find_quotes
from jobs.verify.evidence import Claim, Evidence
from jobs.verify.lookup import make_lookup
from jobs.verify.paraphrases import Paraphrase, find_contradiction, find_paraphrase
from jobs.verify.pieces import QuotedPiece, describe_distance, find_pieces, split_long_gaps
from jobs.verify.places import find_lost_words, find_sentences_around, list_repeats
from jobs.verify.readings import Printed, Reading, read_window
from jobs.verify.sources import (
    Source,
    choose_best,
    is_by_speaker,
    is_one_of,
    is_stock_phrase,
    leave_out_equal,
)
from jobs.verify.speakers import (
    RosterCache,
    find_occasion_bounds,
    is_nobody,
    is_occasion,
    is_same_person,
    parse_day_span,
)
from jobs.verify.speeches import Speeches
from jobs.verify.verdicts import (
    RULES,
    SHORTEST_WORDS,
    Wording,
    estimate_confidence,
    is_title,
    judge_pieces,
    judge_wording,
)
from jobs.verify.windows import Window, make_window, make_windows
from quotations.grammar.passages import is_quoted_statement
from rostrum_core.dates import count_day
from rostrum_core.errors import TaskError
from rostrum_core.ports import ParagraphStore, Runner
from rostrum_core.quote_checks import QuoteCheck, QuoteRow, QuoteWarning, Verdict, Verification
from rostrum_core.types import Draft, Filter, Paragraph
from workers.runner.payloads import read_encodings

BATCH: Final = 64
MOST_WINDOWS: Final = 10
NEAR_SHARE: Final = 0.25  # windows with so much fewer words in common than the best are not fitted
ENCODE_TIMEOUT_S: Final = 60.0
WHOLE_COVERAGE: Final = 0.9  # below it, what is not matched is looked for in other places
MOST_PLACES: Final = 5
LONGEST_WORDS: Final = 500
LEAST_PIECES: Final = 2  # that are no chance by themselves, of a quotation that nobody is named for

UNFOUND: Final = (Verdict.NOT_FOUND, Verdict.PARAPHRASED, Verdict.CANNOT_BE_CHECKED)

Vectors = dict[str, NDArray[np.float32]]


class Verifier:
    """Check quotations against one archive with one set of models."""

    def __init__(
        self,
        store: ParagraphStore,
        runner: Runner | None = None,
        *,
        encoder: str | None = None,
        models: dict[str, str] | None = None,
        rosters: RosterCache | None = None,
    ) -> None:
        self._store, self._runner, self._encoder, self._models = store, runner, encoder, models
        self._speeches = Speeches(store, rosters or RosterCache())
        self._degraded: list[str] = []
        self._evidence = Evidence(store)

    def verify(
        self, rows: Sequence[QuoteRow], *, progress: Callable[[int], None] = lambda done: None
    ) -> Verification:
        """Check each quotation; `progress` is called with the number of quotations checked so far.

        Raises:
            StoreError: there is no archive, or it cannot be searched.
        """
        started = time.monotonic()
        checks: list[QuoteCheck] = []
        for check in self.check_rows(rows):
            checks.append(check)
            progress(len(checks))
        published = self._store.published()
        return Verification(
            tuple(checks),
            published.name if published else None,
            RULES,
            self._models,
            tuple(dict.fromkeys(self._degraded)),
            time.monotonic() - started,
        )

    def verify_draft(self, draft: Draft) -> Verification:
        """Check every quotation in a draft.

        If a quotation has several parts (such as before and after "he said") and no source as a whole, check
        each part.

        Raises:
            BadInput: the day of the draft is not a day.
        """
        if draft.written_on is not None:
            count_day(draft.written_on, "written_on")
        rows = find_quotes(draft, is_known=make_name_test(self._speeches.roster.list_names()))
        verification = self.verify(rows)
        checks: list[QuoteCheck] = []
        for check in verification.checks:
            apart = split_parts(check.row) if check.verdict in UNFOUND else []
            checks += self.check_rows(apart) if apart else [check]
        return replace(verification, checks=tuple(checks))

    def check_rows(self, rows: Sequence[QuoteRow]) -> Iterator[QuoteCheck]:
        """Check each quotation and yield the results in order."""
        for batch in _split_batches(rows):
            result = self._store.find_wording([make_lookup(row.quote) for row in batch])
            first = [self._check(row, paragraphs) for row, paragraphs in zip(batch, result, strict=True)]
            open_rows = [
                row.quote
                for row, check in zip(batch, first, strict=True)
                if check is None or is_rewritten(check)
            ]
            vectors = self._encode(open_rows)
            for row, check in zip(batch, first, strict=True):
                if check is None:
                    yield self._look_for_sense(row, vectors) or self._judge_absent(row)
                elif is_rewritten(check):
                    yield self._look_for_sense(row, vectors) or check
                else:
                    yield check

    def _check(self, row: QuoteRow, paragraphs: Sequence[Paragraph]) -> QuoteCheck | None:
        """Check a quotation by its words, and return the result; `None` if no place in the archive has enough
        of the words.

        The result is also `None` if the quotation only resembles a phrase that several people use.
        """
        printed = Printed.of(row.parts)
        if printed.quoted.printed < SHORTEST_WORDS:
            return refuse(row, "short", f"fewer than {SHORTEST_WORDS} words")
        if len(printed.quoted.keys) > LONGEST_WORDS:
            return refuse(row, "long", f"more than {LONGEST_WORDS} words")
        readings = self._read(printed, make_windows(paragraphs, len(paragraphs)))
        sources = self._find_sources(row, readings)
        best = choose_best(sources)
        if best is not None and is_stock_phrase(best, sources):
            return None
        is_open = best is None or not best.fits or (row.speaker is not None and not best.by_speaker)
        if (row.speaker or row.said_on) and is_open:
            sources = leave_out_equal([*sources, *self._find_attributed(row, printed)])
            best = choose_best(sources)
        if best is None or best.reading.coverage < WHOLE_COVERAGE:
            apart = self._check_pieces(row, best.reading if best else max(readings, key=_score, default=None))
            if apart is not None and (best is None or apart.verdict is not Verdict.ALTERED):
                return apart
        return None if best is None else self._decide(row, best, sources)

    def _read(self, printed: Printed, windows: Sequence[Window]) -> list[Reading]:
        """Compare a quotation with the windows that share most of its words, and return the comparisons, best
        first.
        """
        shares = [
            len(printed.raw_words & window.raw_words) / max(1, len(printed.raw_words)) for window in windows
        ]
        least = max(shares, default=0.0) - NEAR_SHARE
        chosen = [window for window, share in zip(windows, shares, strict=True) if share >= least][
            :MOST_WINDOWS
        ]
        readings = [reading for window in chosen if (reading := read_window(printed, window))]
        return sorted(readings, key=_score, reverse=True)

    def _find_sources(self, row: QuoteRow, readings: Sequence[Reading]) -> list[Source]:
        """Return the places of the archive that match a quotation so well that they may be its source.

        `readings` compare the quotation with places. The better the place fits the speaker and the date of
        the quotation, the fewer words must match.
        """
        span = parse_day_span(row.said_on)
        sources = [self._make_source(row, reading, span) for reading in readings if reading.is_likely]
        return [item for item in sources if self._evidence.is_enough(item.reading, item.claim)]

    def _make_source(self, row: QuoteRow, reading: Reading, span: tuple[int, int] | None) -> Source:
        place = self._speeches.make_place(reading.window, reading.first, reading.last)
        by_speaker = is_by_speaker(row, place.speaker)
        on_occasion = is_occasion(place.spoken_on, span)
        is_dated, is_named = span is not None, bool(row.speaker)
        return Source(reading, judge_wording(reading), place, by_speaker, on_occasion, is_dated, is_named)

    def _find_attributed(self, row: QuoteRow, printed: Printed) -> list[Source]:
        """Return possible sources of a quotation in the speeches of the speaker and date that `row` names."""
        roster = self._speeches.roster
        speaker = None if is_nobody(row.speaker or "") else row.speaker
        names = roster.find_names(speaker) if speaker else []
        if speaker and not names:
            return []
        since, until = find_occasion_bounds(parse_day_span(row.said_on), is_exact=roster.is_exact)
        filter = Filter(speakers=tuple(names), since=since, until=until)
        [paragraphs] = self._store.find_wording([make_lookup(row.quote)], filter=filter)
        readings = self._read(printed, make_windows(paragraphs, len(paragraphs)))
        own = [item for item in paragraphs if self._speeches.find_holder(item) in names]
        if names and len(own) < len(paragraphs):  # they may stand in two adjacent turns
            readings += self._read(printed, make_windows(own, len(own)))
        return self._find_sources(row, readings)

    def _check_pieces(self, row: QuoteRow, reading: Reading | None) -> QuoteCheck | None:
        if reading is None:
            return None
        pieces = find_pieces(reading, partial(self._find_windows_near, reading))
        if pieces is None or not self._is_no_chance(row, reading, pieces):
            return None
        wording = judge_pieces(pieces, describe_distance(pieces))
        return self._finish(row, reading, wording, pieces, estimate_confidence(reading.printed, 1.0))

    def _is_no_chance(self, row: QuoteRow, reading: Reading, pieces: Sequence[QuotedPiece]) -> bool:
        """Return whether the pieces of a quotation have words so rare that they hardly match by chance.

        `reading` compares the quotation with its main place in the archive. The words that match there must
        be rare enough, and so must the words of each piece from another speech. If the draft names no speaker
        or time that points to the main place (`Claim.NONE`), two more conditions apply: at least
        `LEAST_PIECES` pieces have words that are rare enough, and all pieces are by one speaker.
        """
        claim = self._make_source(row, reading, parse_day_span(row.said_on)).claim
        if self._evidence.measure(reading, 0.0) < self._evidence.archive_bits + claim:
            return False
        keys, own = reading.printed.quoted.keys, reading.window.document_id
        enough = [
            self._evidence.is_enough_for_piece(keys[piece.at : piece.at + piece.words]) for piece in pieces
        ]
        if claim is Claim.NONE and enough.count(True) < LEAST_PIECES:
            return False
        if claim is Claim.NONE and not self._are_of_one_speaker(pieces):
            return False
        elsewhere = (piece.window.document_id != own for piece in pieces)
        return all(not far or is_enough for far, is_enough in zip(elsewhere, enough, strict=True))

    def _are_of_one_speaker(self, pieces: Sequence[QuotedPiece]) -> bool:
        """Return whether all pieces of a quotation are from one speech, or from speeches by one person."""
        if len({piece.window.document_id for piece in pieces}) == 1:
            return True
        places = [self._speeches.make_place(piece.window, piece.first, piece.last) for piece in pieces]
        first = places[0].speaker
        return first is not None and all(is_one_of((first,), place.speaker) for place in places)

    def _find_windows_near(self, reading: Reading, text: str) -> list[Window]:
        """Return the windows (consecutive paragraphs) in which to look for `text`, a piece of a quotation.

        The first window is the whole document that has the rest of the quotation, according to `reading`. The
        others are anywhere in the archive.
        """
        document = self._speeches.get(reading.window.document_id)
        own = [make_window(document[1])] if document and document[1] else []
        [paragraphs] = self._store.find_wording([make_lookup(text)])
        return [*own, *make_windows(paragraphs, 3)]

    def _decide(self, row: QuoteRow, best: Source, sources: Sequence[Source]) -> QuoteCheck:
        reading = best.reading
        pieces = split_long_gaps(reading) if best.wording.verdict is Verdict.MERGED else []
        if not pieces:
            pieces = [QuotedPiece(reading.window, reading.first, reading.last, 0, False)]
        check = self._finish(
            row, reading, best.wording, pieces, estimate_confidence(reading.printed, reading.weighted)
        )
        others = [
            item.place
            for item in sorted(sources, key=lambda item: item.rank, reverse=True)
            if item is not best and item.wording.verdict is best.wording.verdict
        ]
        check = replace(check, places=(*check.places, *others)[:MOST_PLACES])
        document = self._speeches.get(best.place.document)
        is_statement = is_quoted_statement([paragraph.text for paragraph in document[1]] if document else [])
        cut = check_cut(check, best, is_statement)
        if cut.warnings and not reading.differences:
            cut, best = self._choose_fairer(check, best, cut, is_statement)
        return attribute(cut, best)

    def _choose_fairer(
        self, check: QuoteCheck, best: Source, cut: QuoteCheck, is_statement: bool
    ) -> tuple[QuoteCheck, Source]:
        """Choose another place nearby with the same words, if it causes fewer warnings on omitted words.

        For example, a speaker reads out another person's sentence, and then says it in the speaker's own
        name. `best` is the source that was chosen before. `cut` is its check with the warnings on omitted
        words, and `check` is the same without them. Return check and source of the place with fewer warnings.
        """
        window = best.reading.window
        for first, last in list_repeats(window, best.reading.first, best.reading.last):
            place = self._speeches.make_place(window, first, last)
            other = replace(best, place=place, by_speaker=is_by_speaker(check.row, place.speaker))
            before, after = find_sentences_around(window, first, last)
            moved = replace(check, places=(place, *check.places[1:]), before=before, after=after)
            fair = check_cut(moved, other, is_statement)
            if other.by_speaker is best.by_speaker and len(fair.warnings) < len(cut.warnings):
                return fair, other
        return cut, best

    def _finish(
        self,
        row: QuoteRow,
        reading: Reading,
        wording: Wording,
        pieces: Sequence[QuotedPiece],
        confidence: float,
    ) -> QuoteCheck:
        places = tuple(self._speeches.make_place(piece.window, piece.first, piece.last) for piece in pieces)
        head, tail = pieces[0], pieces[-1]
        before, after = find_sentences_around(head.window, head.first, head.last)
        if tail is not head:
            _, after = find_sentences_around(tail.window, tail.first, tail.last)
        exact = wording.verdict is Verdict.VERBATIM
        check = QuoteCheck(
            row,
            wording.verdict,
            confidence,
            places,
            wording.differences,
            wording.warnings,
            before,
            after,
            None if exact else " … ".join(place.words for place in places),
        )
        return self._check_source(check, pieces)

    def _check_source(self, check: QuoteCheck, pieces: Sequence[QuotedPiece]) -> QuoteCheck:
        """Return the check with a warning, if the transcript marks words of the source as lost, as by
        "(inaudible)".

        The verdict then becomes `SOURCE_SUSPECT`, unless the quotation is altered.
        """
        for piece in pieces:
            result = self._speeches.get(piece.window.document_id)
            lost = find_lost_words(piece.window, piece.first, piece.last, result[0] if result else None)
            if lost is not None:
                warning = QuoteWarning("source", f"the transcript is marked {lost} here", lost)
                verdict = check.verdict if check.verdict is Verdict.ALTERED else Verdict.SOURCE_SUSPECT
                return replace(check, verdict=verdict, warnings=(warning, *check.warnings))
        return check

    def _encode(self, quotes: Sequence[str]) -> Vectors:
        """Return the vectors of quotations, by quotation.

        The result is empty if the models cannot be run, or if other models encoded the archive.
        """
        published = self._store.published()
        if not quotes or self._runner is None or published is None or published.encoder != self._encoder:
            return {}
        try:
            answers = self._runner.run("encode", [{"texts": list(quotes)}], timeout_s=ENCODE_TIMEOUT_S)
        except TaskError as error:
            self._degraded.append(f"paraphrases: {error}")
            return {}
        encodings = [encoding for answer in answers for encoding in read_encodings(answer)]
        return {quote: item.vector for quote, item in zip(quotes, encodings, strict=True)}

    def _look_for_sense(self, row: QuoteRow, vectors: Vectors) -> QuoteCheck | None:
        """Look for a paraphrase of a quotation in the archive, and return its check; `None` if there is no
        paraphrase.
        """
        paraphrase = find_paraphrase(self._store, row.quote, vectors.get(row.quote))
        return None if paraphrase is None else self._check_paraphrase(row, paraphrase)

    def _check_paraphrase(self, row: QuoteRow, result: Paraphrase) -> QuoteCheck | None:
        window = make_window([result.paragraph])
        at = [
            n
            for n, word in enumerate(window.spoken.words)
            if result.start_char <= word.start_char < result.end_char
        ]
        if not at:
            return None
        place = self._speeches.make_place(window, at[0], at[-1])
        if row.speaker and place.speaker and not is_same_person(row.speaker, place.speaker):
            return None
        before, after = find_sentences_around(window, at[0], at[-1])
        warnings = tuple(
            QuoteWarning("contradiction", f"{kind.value}: the source may say the opposite", place.words)
            for kind in sorted(find_contradiction(row.quote, place.words))
        )
        confidence = min(1.0, result.score / 2)
        return QuoteCheck(
            row, Verdict.PARAPHRASED, confidence, (place,), (), warnings, before, after, place.words
        )

    def _judge_absent(self, row: QuoteRow) -> QuoteCheck:
        """Return the check of a quotation without a source.

        The quotation is not found, or it cannot be checked, for example because its speaker has no speech in
        the archive.
        """
        if is_title(Printed.of(row.parts)):
            return refuse(row, "title", "this looks like a title, not like speech")
        span = parse_day_span(row.said_on)
        speaker = None if is_nobody(row.speaker or "") else row.speaker
        names = self._speeches.roster.find_names(speaker) if speaker else None
        if names is not None and not names:
            return refuse(row, "speaker", f"{speaker} has no speech in the archive")
        if not self._speeches.roster.has_speeches(names, span):
            whose = speaker or "anybody"
            return refuse(row, "period", f"the archive has no speech of {whose} of that time")
        whose = f"the speeches of {speaker}" if speaker else "the archive"
        warning = QuoteWarning("absent", f"{whose} {'have' if speaker else 'has'} no such words")
        return QuoteCheck(row, Verdict.NOT_FOUND, 0.9 if speaker else 0.7, warnings=(warning,))


def _score(reading: Reading) -> int:
    return reading.fit.score


def _split_batches(rows: Sequence[QuoteRow]) -> Iterator[Sequence[QuoteRow]]:
    for first in range(0, len(rows), BATCH):
        yield rows[first : first + BATCH]
