"""Format the attribution of a quote for print, such as "Abraham Lincoln, Gettysburg Address, November 19,
1863", and the link to the speech.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from indexer.tag_names import GENERATIONS
from indexer.titles import capitalise_title
from indexer.vocabulary import TITLES
from jobs.moments import format_clock, link_moment
from rostrum_core.dates import format_date
from rostrum_core.names import fold_name, split_people
from rostrum_core.printable import safe
from rostrum_core.types import NOBODY_KNOWN, Document, DocumentInfo

WORDS = re.compile(r"[^\W\d_][\w'’-]*")
ANOTHER = r"(?:(?:and|with)\b|&)"  # next to the speaker's name: another person is named
GENERATION = r"(?:,?\s+(?:(?i:[JS]r)\b\.?|I{2,3}\b|IV\b))"
ORDINAL = r"\d+(?:st|nd|rd|th)\b"  # "44th President"
GENRE = r"(?:\w+ )?(?:Remarks|Address|Speech|Statement)(?: as Prepared for Delivery)?"


def make_attribution(
    document: Document | DocumentInfo, speaker: str | None = None, start_s: float | None = None
) -> str:
    """Return an attribution for print: speaker, title and date, leaving out what is unknown.

    `speaker` is the name in the speaker tag, as in `Paragraph.speaker`. If `start_s` is set, a position in
    the recording in seconds, the attribution ends with this position: "at 0:12:03".

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
    """Return the two halves of an attribution: the speaker, and the title with the date.

    An unknown speaker gives "".

    >>> split_attribution(DocumentInfo("g", "Gettysburg Address", "Abraham Lincoln", "1863-11-19"))
    ('Abraham Lincoln', 'Gettysburg Address, November 19, 1863')
    """
    moment = None if start_s is None else f"at {format_clock(start_s)}"
    day = format_date(document.spoken_on) if document.spoken_on else None
    title = _shorten_title(document.title, document.speaker)
    where = ", ".join(safe(part) for part in (title, day, moment) if part)
    return safe(_describe_holder(document, speaker) or ""), where


def make_address(document: Document | DocumentInfo, start_s: float | None = None) -> str | None:
    """Return the URL of a speech; `None` if it has no URL.

    If `start_s` is set, the URL opens the recording of the speech at this second.
    """
    if not document.url:
        return None
    return safe(document.url if start_s is None else link_moment(document.url, start_s))


def _shorten_title(title: str, speaker: str | None) -> str:
    """Return a title without the speaker's name: "Remarks by President Biden on Jobs" -> "Remarks on Jobs".

    An attribution already has the name before the title. A title stays whole if it goes on with another name
    ("Remarks by President Biden and Prime Minister Kishida"), or if the name runs on ("Remarks by President
    Biden’s Press Secretary").
    """
    words = [
        word
        for word in WORDS.findall(speaker.split(",")[0] if speaker else "")
        if word.lower() not in GENERATIONS
    ]
    plain = " ".join(part.strip() for part in title.split("|") if part.strip()).strip()
    if not words:
        return plain
    before = rf"(?:(?!{ANOTHER})[^\W\d_][\w.'’-]*\s+){{0,5}}?"
    name = rf"(?:the\s+)?{before}{re.escape(words[-1])}(?!\w){GENERATION}?+"
    after = rf"(?=[\s,:]|$)(?!,?\s+(?:{ANOTHER}|of\b)|,\s+(?:[^\W\d_a-z]|{ORDINAL}))"
    return re.sub(rf"^({GENRE})\s+(?:by|of)\s+{name}{after}[\s,:]*", r"\1 ", plain).strip()


def _describe_holder(document: Document | DocumentInfo, tag: str | None) -> str | None:
    """Return the name of the person who speaks in a paragraph, for print.

    `tag` is the name in the transcript's speaker tag. If it names another person than the document's speaker,
    a note after the name says whose speech it is: "A Voice (speech of Abraham Lincoln)".

    A tag such as "LINCOLN" names the document's speaker, because all its words are in that speaker's name. If
    it has a title, the speaker must have the same one: in a speech of Jill Biden, "PRESIDENT BIDEN" is
    another person. For some tags, the archive has already found that they name the speaker (see
    `DocumentInfo.find_holder`).
    """
    speaker = document.speaker
    if tag == NOBODY_KNOWN:
        return f"unknown speaker (speech of {speaker})" if speaker else None
    if not tag or not speaker:
        return capitalise_title(tag) if tag else speaker
    if isinstance(document, DocumentInfo) and document.speakers and tag not in document.speakers:
        return document.resolve_tag(tag)
    (title, name), (own_title, own_name) = _split_name(tag), _split_name(speaker)
    if len(split_people(speaker)) > 1 and set(name) < set(own_name):
        return capitalise_title(tag)
    same = set(name) <= set(own_name) and title in ([], own_title)
    return speaker if same else f"{capitalise_title(tag)} (speech of {speaker})"


def _split_name(name: str) -> tuple[list[str], list[str]]:
    """Split a name into its leading titles and the remaining words, in lower case and without accents.

    A "the" at the beginning is dropped. If the name consists of titles only, the last one counts as a
    remaining word.

    >>> _split_name("THE VICE PRESIDENT"), _split_name("Dr. Martin Luther King, Jr.")
    ((['vice'], ['president']), (['dr'], ['martin', 'luther', 'king', 'jr']))
    """
    words = [word.strip(".,") for word in fold_name(name).split()]
    words = words[1:] if words[:1] == ["the"] else words
    end = next((at for at, word in enumerate(words[:-1]) if word not in TITLES), len(words) - 1)
    return words[: max(0, end)], words[max(0, end) :]


def get_info(infos: Mapping[str, DocumentInfo], document_id: str) -> DocumentInfo:
    """Return the metadata of a document from `infos`, by its id.

    If `infos` lacks the document, because the archive no longer has it, return a record with only the id.
    """
    return infos.get(document_id) or DocumentInfo(document_id, document_id)
