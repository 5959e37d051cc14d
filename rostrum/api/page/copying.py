"""Format a quote with its attribution for pasting: as plain text, Markdown and HTML."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from markupsafe import escape

from quotations.markup import remove_markup
from rostrum_core.printable import safe

INNER_MARKS: Final = str.maketrans("“”", "‘’")
MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]<>#|~])")


@dataclass(frozen=True, slots=True)
class Copies:
    """Hold a quote with its attribution in three formats."""

    plain: str
    markdown: str
    html: str


def make_copies(words: str, attribution: str, url: str | None) -> Copies:
    r"""Format a quote for pasting, without the transcript's markup.

    `url` is the address at which a reader finds the words.

    >>> copies = make_copies("I said “no”.", "Ann Roe, 1999", "https://a.example")
    >>> copies.plain
    '“I said ‘no’.” – Ann Roe, 1999'
    >>> copies.markdown
    '> “I said ‘no’.”\n>\n> – [Ann Roe, 1999](<https://a.example>)'
    """
    quoted = f"“{safe(remove_markup(words)).translate(INNER_MARKS)}”"
    return Copies(
        f"{quoted} – {attribution}",
        f"> {_escape_markdown(quoted)}\n>\n> – {_link_markdown(_escape_markdown(attribution), url)}",
        f"<blockquote{_write_cite(url)}><p>{escape(quoted)}</p>"
        f"<footer>– {_link_html(attribution, url)}</footer></blockquote>",
    )


def _escape_markdown(text: str) -> str:
    return MARKDOWN.sub(r"\\\1", text)


def _link_markdown(text: str, url: str | None) -> str:
    return f"[{text}](<{url.replace('<', '%3C').replace('>', '%3E')}>)" if url else text


def _write_cite(url: str | None) -> str:
    return f' cite="{escape(url)}"' if url else ""


def _link_html(text: str, url: str | None) -> str:
    return f'<a href="{escape(url)}">{escape(text)}</a>' if url else str(escape(text))
