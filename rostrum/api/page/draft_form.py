"""Parse the form of the page Write: the draft, the place of the quote, the filter and the button pressed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Final

from starlette.datastructures import FormData

from jobs.filters import read_filter
from rostrum.api.edge.unicode import replace_surrogates
from rostrum.api.page.forms import read_field
from rostrum.api.routes.drafts import LONGEST_TEXT, LONGEST_TITLE
from rostrum_core.errors import BadInput
from rostrum_core.types import Draft, Filter

PLACE: Final = re.compile(r"\[quote\]", re.IGNORECASE)
LONGEST_CLAIM: Final = 4_000
FINDS: Final = ("evidence", "counter", "famous")
MOST_HIDDEN: Final = 200
"""Most paragraphs that may be dismissed for one draft."""


@dataclass(frozen=True, slots=True)
class DraftFields:
    """Hold the fields of the form on the page Write.

    The quote goes to the mark [quote] in `text`. Without a mark, it goes to the cursor, which is after the
    first `place` characters, or at the end if `place` is `None`. `hidden` names the paragraphs (`ID:ordinal`)
    that the writer dismissed. If `like` names a paragraph, paragraphs similar to it are searched, instead of
    paragraphs that fit the draft.

    `find` says what to search for: "" for quotes, "evidence" for sentences that support or contradict a
    claim, "counter" for counter-voices (sentences on the same point as a statement), or "famous" for
    well-known quotes. `claim` is this claim or statement; if it is empty, the sentence before the cursor is
    used. If `against` names words in a paragraph of the archive (`ID:ordinal:start:end`), these words are the
    statement.
    """

    title: str = ""
    text: str = ""
    place: int | None = None
    speaker: str = ""
    collection: str = ""
    since: str = ""
    until: str = ""
    like: str = ""
    find: str = ""
    claim: str = ""
    against: str = ""
    not_useful: str = ""
    hidden: tuple[str, ...] = field(default=())

    @property
    def is_blank(self) -> bool:
        """Return whether the draft has neither a title nor a text, or only spaces."""
        return not (self.title + self.text).strip()

    @property
    def has_filter(self) -> bool:
        """Return whether the form limits the quotes by speaker, collection or date."""
        return bool(self.speaker or self.collection or self.since or self.until)

    def read_draft(self) -> Draft:
        """Return the draft, split into the texts before and after the place where the quote goes.

        Raises:
            BadInput: the draft is too long, or marks several places.
        """
        _check_length("title", self.title, LONGEST_TITLE)
        _check_length("text", self.text, LONGEST_TEXT)
        left, *rest = PLACE.split(self.text)
        if len(rest) > 1:
            raise BadInput("[quote] stands in it more than once: mark one place", field="text")
        if rest:
            return Draft(self.title, left.rstrip(), rest[0].strip())
        at = len(self.text) if self.place is None else self.place
        return Draft(self.title, self.text[:at], self.text[at:])

    def read_filter(self) -> Filter:
        """Return the filter by speaker, collection and dates that the form sets.

        Raises:
            BadInput: a date cannot be read, or the first date is after the last.
        """
        return read_filter(
            speakers=[self.speaker] if self.speaker else [],
            collections=[self.collection] if self.collection else [],
            since=self.since or None,
            until=self.until or None,
        )


@dataclass(frozen=True, slots=True)
class ChosenWords:
    """Hold the place of words that a writer selected: a document, a paragraph, and a range of characters."""

    document_id: str
    ordinal: int
    start_char: int
    end_char: int

    @property
    def place(self) -> str:
        """Return the name by which forms identify the paragraph: document "a", paragraph 12 -> "a:12"."""
        return f"{self.document_id}:{self.ordinal}"


def read_place(place: str) -> tuple[str, int]:
    """Parse the name of a paragraph in forms into the document's id and the paragraph's number, from 0.

    >>> read_place("speech:1:12")
    ('speech:1', 12)

    Raises:
        BadInput: the name is malformed.
    """
    document_id, _, ordinal = place.rpartition(":")
    if not document_id:
        raise BadInput("names no paragraph", field="place")
    return document_id, _read_number(ordinal, "place")


def read_span(text: str) -> tuple[str, int, int, int]:
    """Parse the name by which forms identify words of a paragraph.

    Return the document's id, the paragraph's number from 0, and the start and end of the words in characters.

    >>> read_span("speech:1:12:40:95")
    ('speech:1', 12, 40, 95)

    Raises:
        BadInput: the field is malformed.
    """
    place, _, end_char = text.rpartition(":")
    place, _, start_char = place.rpartition(":")
    return *read_place(place), _read_number(start_char, "against"), _read_number(end_char, "against")


def read_words(form: FormData) -> ChosenWords:
    """Read from a form which words of a paragraph the writer selected.

    Raises:
        BadInput: a field is missing or is not a number.
    """
    start_char, end_char = (_read_number(read_field(form, name), name) for name in ("start_char", "end_char"))
    return ChosenWords(*read_place(read_field(form, "at")), start_char, end_char)


def read_fields(form: FormData) -> DraftFields:
    """Read the fields of the page Write from a form, sent with or without the page's script.

    Raises:
        BadInput: a field is too long, or is a file.
    """
    place, find, against = (read_field(form, name) for name in ("place", "find", "against"))
    fields = DraftFields(
        " ".join(read_field(form, "title", LONGEST_TITLE).split()),
        read_field(form, "text", 2 * LONGEST_TEXT),
        _read_number(place, "place") if place else None,
        speaker=read_field(form, "speaker").strip(),
        collection=read_field(form, "collection").strip(),
        since=read_field(form, "since").strip(),
        until=read_field(form, "until").strip(),
        like=read_field(form, "like").strip(),
        find=find if find in FINDS else "counter" if against else "",
        claim=read_field(form, "claim", LONGEST_CLAIM),
        against=against.strip(),
        not_useful=read_field(form, "not_useful").strip(),
    )
    hidden = [replace_surrogates(item) for item in form.getlist("hidden") if isinstance(item, str)]
    hidden += [fields.not_useful] if fields.not_useful else []
    return _apply_choice(replace(fields, hidden=tuple(dict.fromkeys(hidden))[-MOST_HIDDEN:]), form)


def _apply_choice(fields: DraftFields, form: FormData) -> DraftFields:
    """Return the fields with a filter by the speaker, collection or decade that the writer chose.

    If the writer removed the filters, return the fields without filters.
    """
    if read_field(form, "clear"):
        return replace(fields, speaker="", collection="", since="", until="")
    if speaker := read_field(form, "choose_speaker"):
        return replace(fields, speaker=speaker)
    if collection := read_field(form, "choose_collection"):
        return replace(fields, collection=collection)
    decade = read_field(form, "choose_decade")
    if decade.isascii() and decade.isdigit():
        return replace(fields, since=decade, until=f"{int(decade) + 9:04d}")
    return fields


def _read_number(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise BadInput("is not a number", field=name)
    return int(text)


def _check_length(name: str, text: str, longest: int) -> None:
    if len(text) > longest:
        raise BadInput(f"more than {longest:,} characters", field=name)
