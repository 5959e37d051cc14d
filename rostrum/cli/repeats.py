"""`rostrum repeats`: find who repeats a paragraph."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from jobs.repeats.job import cut_paragraph
from rostrum.cli.options import TEXT, archive_option, open_service
from rostrum.cli.terminal import open_messages, open_output, safe
from rostrum_core.companions import ARTICLES, Repeat
from rostrum_core.errors import BadInput


@click.command(short_help="Find speeches and printed articles that repeat a paragraph.")
@click.argument("document", required=False, type=TEXT)
@click.argument("paragraph", required=False, type=click.IntRange(1))
@click.option("--text", type=TEXT, help="Text to look for, instead of a paragraph.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per repeat and line.")
@archive_option
def repeats(
    document: str | None, paragraph: int | None, text: str | None, as_json: bool, archive: Path | None
) -> None:
    """Find speeches and printed articles that share at least six consecutive words with a paragraph.

    DOCUMENT and PARAGRAPH are printed in brackets by `rostrum recommend`.

    \b
    Example:
      rostrum index articles.jsonl --as articles
      rostrum repeats 1961-01-20-inaugural-address 25
    """
    if (text is None) == (document is None or paragraph is None):
        raise BadInput("give DOCUMENT and PARAGRAPH, or --text")
    service = open_service(archive)
    if text is None:
        speech = service.store.get(document or "")
        if speech is None:
            raise BadInput(f"there is no speech {document}", field="document")
        if (paragraph or 1) > len(speech[1]):
            raise BadInput(f"{document} has {len(speech[1])} paragraphs", field="paragraph")
        _, text = cut_paragraph(speech[1][(paragraph or 1) - 1].text)
    answer = service.repeats(text, document=document)
    if ARTICLES not in answer.archives:
        open_messages().print(
            f"no articles: rostrum index FILES --as {ARTICLES}", style="yellow", soft_wrap=True
        )
    for repeat in answer.repeats:
        if as_json:
            open_output().print(json.dumps(asdict(repeat), ensure_ascii=False), soft_wrap=True)
        else:
            open_output().print(safe(describe_repeat(repeat)), soft_wrap=True)
    if not answer.repeats and not as_json:
        open_output().print("Nobody repeats it.")


def describe_repeat(repeat: Repeat) -> str:
    """Return one line about a repeat: a paragraph of another speech or article with the same words.

    The line has day, speaker of the speech or source of the article, title, place and words. The place is the
    id of the document with the number of the paragraph, from 1.

    >>> describe_repeat(Repeat("articles", "a", 0, 0, 6, 0, 6, "We go.", "Go!", None, "1962-09-13", "Times"))
    '1962-09-13, Times, Go! [a, 1]: “We go.”'
    """
    parts = (repeat.day, repeat.speaker, repeat.source if repeat.archive else None, repeat.title)
    place = f"[{repeat.document}, {repeat.paragraph + 1}]"
    return f"{', '.join(part for part in parts if part)} {place}: “{repeat.words}”"
