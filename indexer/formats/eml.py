"""Read e-mail (`.eml`): the text of a message, as a press office sends a speech."""

from __future__ import annotations

import email
import email.policy
from collections.abc import Iterator
from email.message import EmailMessage

from indexer.characters import normalise_line
from indexer.files import LARGEST_TEXT_BYTES
from indexer.formats.html import NO_TREE, split_page
from indexer.formats.source import LocatedDocument, Refused, Source, build_document
from indexer.formats.text import split_paragraphs
from indexer.front_matter import split_front_matter
from indexer.metadata import LONGEST_VALUE, Metadata
from rostrum_core.errors import TranscriptError


def read(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read the speech in an e-mail message: its plain text, or else its HTML part.

    The subject is the title. Sender and date are ignored: they do not describe the speech.

    Raises:
        TranscriptError: the file is not a message, is too large, or has no text.
    """
    data = source.read_bytes(LARGEST_TEXT_BYTES)
    message = email.message_from_bytes(data, policy=email.policy.default)
    try:
        body = message.get_body(("plain", "html")) if isinstance(message, EmailMessage) else None
        text = body.get_content() if body is not None else None
        subject, kind = (
            normalise_line(str(message.get("subject", ""))),
            body.get_content_type() if body else "",
        )
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        raise TranscriptError(source.file, f"no message that can be read: {error}") from error
    if not message.keys() or not isinstance(text, str):
        raise TranscriptError(source.file, "no message with a text")
    said = Metadata(title=subject if 0 < len(subject) <= LONGEST_VALUE else None)
    if kind == "text/html":
        yield build_document(source, _split_page(text, source.file), said, supplied=False, head=True)
        return
    front, body_text = split_front_matter(text.replace("\r\n", "\n"), source.file, refused, source.fields)
    yield build_document(
        source, split_paragraphs(body_text), front.fill_from(said), supplied=False, wrapped=True, head=True
    )


def _split_page(page: str, file: str) -> list[str]:
    try:
        return split_page(page)
    except NO_TREE as error:
        raise TranscriptError(file, f"no HTML within it: {error}") from error
