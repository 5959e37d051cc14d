"""Read e-mail (`.eml`): the text of a message, as a press office sends a speech."""

from __future__ import annotations

import codecs
import email
import email.policy
from collections.abc import Iterator
from email.message import EmailMessage, MIMEPart

from indexer.characters import normalise_line
from indexer.encodings import decode
from indexer.files import LARGEST_TEXT_BYTES
from indexer.formats.html import NO_TREE, split_page
from indexer.formats.source import LocatedDocument, Refused, Source, build_document
from indexer.formats.text import split_paragraphs
from indexer.front_matter import split_front_matter
from indexer.metadata import LONGEST_VALUE, Metadata
from rostrum_core.errors import TranscriptError

# Encodings of ASCII bytes that mean other characters; such bytes are also valid UTF-8.
SEVEN_BIT = ("iso2022", "hz", "utf-7")


def read(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read the speech in an e-mail message: its plain text or, if that is blank or missing, its HTML part.

    The subject is the title. Sender and date are ignored: they do not describe the speech.

    Raises:
        TranscriptError: the file is not a message, is too large, or has no text.
    """
    data = source.read_bytes(LARGEST_TEXT_BYTES)
    message = email.message_from_bytes(data, policy=email.policy.default)
    try:
        body = _read_body(message, source.file) if isinstance(message, EmailMessage) else None
        subject = normalise_line(str(message.get("subject", "")))
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        raise TranscriptError(source.file, f"no message that can be read: {error}") from error
    if not message.keys() or body is None:
        raise TranscriptError(source.file, "no message with a text")
    kind, text = body
    said = Metadata(title=subject if 0 < len(subject) <= LONGEST_VALUE else None)
    if kind == "text/html":
        yield build_document(source, _split_page(text, source.file), said, supplied=False, head=True)
        return
    front, body_text = split_front_matter(text.replace("\r\n", "\n"), source.file, refused, source.fields)
    yield build_document(
        source, split_paragraphs(body_text), front.fill_from(said), supplied=False, wrapped=True, head=True
    )


def _read_body(message: EmailMessage, file: str) -> tuple[str, str] | None:
    """Return the content type of the message's text, and the text; `None` if there is no text.

    If a message has both plain text and HTML, the plain text is returned, unless it is blank.

    Raises:
        ValueError: a text part consists of parts itself.
        TranscriptError: the text is in no encoding that can be detected.
    """
    blank = None
    for kind in ("plain", "html"):
        part = message.get_body((kind,))
        if part is None:
            continue
        body = part.get_content_type(), _decode_part(part, file)
        if body[1].strip():
            return body
        blank = blank or body
    return blank


def _decode_part(part: MIMEPart, file: str) -> str:
    data, charset = part.get_payload(decode=True), part.get_content_charset("")
    if not isinstance(data, bytes):
        raise ValueError("a text that has parts")
    if data.isascii() and _is_seven_bit(charset):
        return data.decode(charset, "replace")
    return decode(data, file, declared=charset)


def _is_seven_bit(charset: str) -> bool:
    try:
        return codecs.lookup(charset).name.startswith(SEVEN_BIT)
    except LookupError:
        return False


def _split_page(page: str, file: str) -> list[str]:
    try:
        return split_page(page)
    except NO_TREE as error:
        raise TranscriptError(file, f"no HTML within it: {error}") from error
