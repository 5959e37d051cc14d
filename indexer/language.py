"""Recognise the language of a speech by its letters, if neither file nor sidecar says it."""

from __future__ import annotations

from functools import cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from rostrum_core.errors import ModelError

# A few passages tell a language as well as a whole speech, and show where a second one is spoken.
PASSAGES, PASSAGE_CHARS = 6, 160
# At this certainty no English text was taken for another language, cut to 20 characters or to 4,000, and of
# texts in 76 other languages 1 in 100 was: docs/cleaning.md has the figures.
SURE = 0.99
# A passage that is as sure as this of another language makes a speech of two.
DOUBT = 0.9


def language_of(text: str) -> str | None:
    """Return the ISO 639-1 code of a text's language; `None` for a short text, or one in two languages.

    The same text always has the same language.

    Raises:
        ModelError: the model cannot be read.

    >>> language_of("오늘 우리는 새로운 시대의 출발점에 서 있습니다."), language_of("Yes, we can.")
    ('ko', None)
    """
    passages = _cut_passages(text)
    language, certainty = _classify(" ".join(passages))
    if certainty < SURE or len(language) != 2:
        return None
    others = (_classify(passage) for passage in passages)
    mixed = any(other != language and other_certainty >= DOUBT for other, other_certainty in others)
    return None if mixed else language


def _cut_passages(text: str) -> list[str]:
    """Cut a short text into at least two pieces; of a long one, take pieces evenly spread over it."""
    length = min(PASSAGE_CHARS, -(-len(text) // 2))
    starts = range(0, len(text), max(1, length, -(-len(text) // PASSAGES)))
    return [text[start : start + length] for start in starts]


def _classify(text: str) -> tuple[str, float]:
    language, certainty = _load_identifier().classify(text)
    return str(language), float(certainty)


@cache
def _load_identifier() -> LanguageIdentifier:
    """Load the model when it is first needed: a second and 90 MB.

    Raises:
        ModelError: there is no room to unpack it in the folder for temporary files.
    """
    try:
        return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    except OSError as error:
        raise ModelError(f"the model of languages cannot be unpacked: {error}") from error
