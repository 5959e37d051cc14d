"""Say who said words, where and when, as print does, and where a reader finds them."""

from __future__ import annotations

import re

from indexer.titles import capitalise_title
from indexer.vocabulary import TITLES
from jobs.moments import format_clock, link_moment
from rostrum_core.dates import format_date
from rostrum_core.printable import safe
from rostrum_core.types import NOBODY_KNOWN, Document, DocumentInfo

WORDS = re.compile(r"[^\W\d_][\w'’-]*")
GENRE = r"(?:\w+ )?(?:Remarks|Address|Speech|Statement)(?: as Prepared for Delivery)?"


def make_attribution(
    document: Document | DocumentInfo, speaker: str | None = None, start_s: float | None = None
) -> str:
    """Return who said it, where and when, for print, as far as it is known.

    `speaker` is who holds the floor, as `Paragraph.speaker` has it; `start_s` is the second of the
    recording.

    >>> speech = DocumentInfo("g", "Gettysburg Address", "Abraham Lincoln", "1863-11-19")
    >>> make_attribution(speech), make_attribution(speech, "LINCOLN") == make_attribution(speech)
    ('Abraham Lincoln, Gettysburg Address, November 19, 1863', True)
    >>> make_attribution(speech, "A VOICE")
    'A Voice (speech of Abraham Lincoln), Gettysburg Address, November 19, 1863'
    >>> make_attribution(DocumentInfo("r", "Remarks by President Biden on Jobs", "Joe Biden", "2021-03"))
    'Joe Biden, Remarks on Jobs, March 2021'
    """
    return ", ".join(part for part in split_attribution(document, speaker, start_s) if part)


def split_attribution(
    document: Document | DocumentInfo, speaker: str | None = None, start_s: float | None = None
) -> tuple[str, str]:
    """Return who said it, and where and when: the two halves of an attribution, "" where nothing is known.

    >>> split_attribution(DocumentInfo("g", "Gettysburg Address", "Abraham Lincoln", "1863-11-19"))
    ('Abraham Lincoln', 'Gettysburg Address, November 19, 1863')
    """
    moment = None if start_s is None else f"at {format_clock(start_s)}"
    day = format_date(document.spoken_on) if document.spoken_on else None
    title = _shorten_title(document.title, document.speaker)
    where = ", ".join(safe(part) for part in (title, day, moment) if part)
    return safe(_describe_holder(document, speaker) or ""), where


def make_address(document: Document | DocumentInfo, start_s: float | None = None) -> str | None:
    """Return the address of a speech, or of a second of its recording; `None` if it has none."""
    if not document.url:
        return None
    return safe(document.url if start_s is None else link_moment(document.url, start_s))


def _shorten_title(title: str, speaker: str | None) -> str:
    """Return a title without the speaker, whom an attribution names before it."""
    words = WORDS.findall(speaker.split(",")[0]) if speaker else []
    plain = " ".join(part.strip() for part in title.split("|") if part.strip()).strip()
    if not words:
        return plain
    name = rf"(?:the\s+)?(?:[^\W\d_][\w.'’-]*\s+){{0,5}}?{re.escape(words[-1])}(?:,?\s+[JS]r\b\.?)?"
    return re.sub(rf"^({GENRE})\s+(?:by|of)\s+{name}(?!\w)[\s,:]*", r"\1 ", plain).strip()


def _describe_holder(document: Document | DocumentInfo, tag: str | None) -> str | None:
    """Return who holds the floor: the document's speaker, or another one with a note on whose speech it is.

    A tag with words of the speaker's name alone means the speaker. So does one that the archive has
    resolved (`DocumentInfo.holder`). A title that is not part of the name may be another person's: in a
    speech of Jill Biden, "PRESIDENT BIDEN" is not she.
    """
    speaker = document.speaker
    if tag == NOBODY_KNOWN:
        return f"unknown speaker (speech of {speaker})" if speaker else None
    if not tag or not speaker:
        return capitalise_title(tag) if tag else speaker
    if isinstance(document, DocumentInfo) and document.speakers and tag not in document.speakers:
        return speaker
    (title, name), (own_title, own_name) = _split_name(tag), _split_name(speaker)
    same = set(name) <= set(own_name) and title in ([], own_title)
    return speaker if same else f"{capitalise_title(tag)} (speech of {speaker})"


def _split_name(name: str) -> tuple[list[str], list[str]]:
    """Split a name into the titles at its head and the other words, at least one if there is any.

    >>> _split_name("THE VICE PRESIDENT"), _split_name("Dr. Martin Luther King, Jr.")
    ((['vice'], ['president']), (['dr'], ['martin', 'luther', 'king', 'jr']))
    """
    words = [word.strip(".,").casefold() for word in name.split()]
    words = words[1:] if words[:1] == ["the"] else words
    end = next((at for at, word in enumerate(words[:-1]) if word not in TITLES), len(words) - 1)
    return words[: max(0, end)], words[max(0, end) :]
