"""Parse and format time codes: times from the beginning of a recording, such as "0:12:03.500" in captions."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rostrum_core.types import Mark

ARROW = " --> "
CLOCK = r"(?:(\d{1,6}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,9}))?"
# Match a time as transcripts print it. Hours or two-digit minutes distinguish it from a verse or a score.
BRACKETED = r"[\[(](?:\d{1,2}:\d\d:\d\d(?:[.,]\d{1,3})?|\d\d:\d\d)[\])]"
# Match a time next to a name: "Jane Roe  0:12". It needs neither brackets nor two-digit minutes.
CLOCK_TIME = r"\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,3})?)?"
HOURS = re.compile(r"[\[(]?(?:[01]?\d|2[0-3]):[0-5]\d[\])]?:?[*_]*")
# Characters per second: a recording with pauses, and the fastest speech. A sitting begins after six o'clock.
LATEST_START_S = 6 * 3600.0  # seconds; no recording begins this late
SLOW_RATE, FASTEST_RATE, EARLIEST_SITTING_S = 5.0, 40.0, 360.0
CODE = re.compile(rf"[\[(]?{CLOCK}(?:{ARROW}{CLOCK})?[\])]?:?[*_]*")


def format_time_code(start_s: float, end_s: float | None) -> str:
    """Format the start and the end of a passage, in seconds, as a time code; the end may be missing.

    >>> format_time_code(723.5, 3725), format_time_code(7, None)
    ('0:12:03.500 --> 1:02:05.000', '0:00:07.000')
    """
    return _format_time(start_s) if end_s is None else f"{_format_time(start_s)}{ARROW}{_format_time(end_s)}"


def parse_time_code(code: str) -> tuple[float, float | None] | None:
    """Parse a time code, and return the start and the end of its passage in seconds.

    The end is `None` if it is missing or precedes the start. Return `None` for any other text, such as a time
    of day.

    >>> parse_time_code("0:12:03.500 --> 1:02:05.000"), parse_time_code("[00:07]")
    ((723.5, 3725.0), (7.0, None))
    >>> parse_time_code("12:40 P.M. EDT") is None
    True
    """
    match = CODE.fullmatch(code)
    if not match:
        return None
    start_s = convert_clock(*match.groups()[:4])
    end_s = convert_clock(*match.groups()[4:]) if match[6] else None
    return start_s, end_s if end_s is not None and end_s >= start_s else None


@dataclass(frozen=True, slots=True)
class Recording:
    """Hold at which seconds of a recording each passage of a document begins and ends.

    Passage `i` extends from character `starts[i]` of the document to the next passage. It is spoken from
    second `begun_s[i]` to second `ended_s[i]`; an end that is not known is `None`.
    """

    starts: tuple[int, ...] = ()
    begun_s: tuple[float, ...] = ()
    ended_s: tuple[float | None, ...] = ()

    def find_times(self, start_char: int, end_char: int) -> tuple[float | None, float | None]:
        """Return when a range of the document's text is spoken: (start, end), in seconds into the recording.

        The start is that of the passage in which the range begins. The end is that of the passage in which
        the range ends. Each is `None` if it is unknown.

        >>> recording = Recording((2, 5, 9), (1.0, 2.5, 4.0), (2.0, 3.5, None))
        >>> recording.find_times(6, 9), recording.find_times(3, 12), recording.find_times(0, 2)
        ((2.5, 3.5), (1.0, None), (None, None))
        """
        first = bisect_right(self.starts, start_char) - 1
        last = bisect_left(self.starts, end_char) - 1
        begun_s = self.begun_s[first] if first >= 0 else None
        return begun_s, self.ended_s[last] if last >= 0 else None


def build_recording(marks: Iterable[Mark]) -> Recording:
    """Build the `Recording` of a document from its marks: each time code among them begins a passage.

    A time code without an end, such as "(0:07)", ends where the next one begins. So does one whose end is its
    start, because captions and rows without an end have such a code. The result is empty if the
    times decrease, as in a document with several recordings. It is also empty if the codes are times of day,
    or if there is only one code, without an end.
    """
    codes = [mark for mark in marks if mark.kind == "time"]
    timed = [(code.start_char, times) for code in codes if (times := parse_time_code(code.text))]
    begun_s = tuple(begin for _, (begin, _) in timed)
    if _are_clock_times(codes):
        return Recording()
    if [end for _, (_, end) in timed] == [None] or any(later < sooner for sooner, later in pairwise(begun_s)):
        return Recording()
    ends = tuple(
        after if end is None or end == begin else end
        for (_, (begin, end)), after in zip(timed, (*begun_s[1:], None), strict=False)
    )
    return Recording(tuple(start for start, _ in timed), begun_s, ends)


def _are_clock_times(codes: Sequence[Mark]) -> bool:
    """Return whether time codes, such as "(14:02)", are times of day instead of times in a recording.

    They are times of day if the first one, read as a time in a recording, is six hours or later. Codes that
    all have the form "14:02" could be minutes and seconds. They are times of day if nobody could speak the
    text between the first and the last one in so few minutes.
    """
    first_code = next((seconds for mark in codes if (seconds := parse_time_code(mark.text))), None)
    if first_code and first_code[0] >= LATEST_START_S:
        return True
    times = [(mark.start_char, parse_time_code(mark.text)) for mark in codes if HOURS.fullmatch(mark.text)]
    begun = [(start, span[0]) for start, span in times if span]
    if len(begun) < 2 or len(begun) < sum(parse_time_code(mark.text) is not None for mark in codes):
        return False
    (first, begun_s), (last, ended_s) = begun[0], begun[-1]
    rate = (last - first) / max(1.0, ended_s - begun_s)
    return rate > FASTEST_RATE or (begun_s >= EARLIEST_SITTING_S and rate > SLOW_RATE)


def convert_clock(hours: str | None, minutes: str, whole: str, fraction: str | None) -> float:
    """Convert hours, minutes, seconds (`whole`) and the digits of a fraction to seconds.

    The pattern `CLOCK` captures these four groups from a time code.

    >>> convert_clock("100", "00", "02", "5"), convert_clock(None, "12", "03", None)
    (360002.5, 723.0)
    """
    return int(hours or 0) * 3600 + int(minutes) * 60 + int(whole) + float(f"0.{fraction or 0}")


def _format_time(time_s: float) -> str:
    minutes, milliseconds = divmod(round(time_s * 1000), 60_000)
    return f"{minutes // 60}:{minutes % 60:02d}:{milliseconds / 1000:06.3f}"
