"""Detect the language of a speech from its text, if neither the file nor its metadata file states it."""

from __future__ import annotations

from functools import cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from rostrum_core.errors import ModelError

# A few passages suffice to identify a language, and show where a second one is spoken.
PASSAGES, PASSAGE_CHARS = 6, 160
# At this certainty no English text was mistaken for another language, cut to 20 characters or to 4,000. Of
# texts in 76 other languages, 1 in 100 was: docs/cleaning.md has the figures.
SURE = 0.99
# A passage identified this surely as another language makes the speech bilingual.
DOUBT = 0.9
# How many times as likely two texts are in two languages as in one. The upper and lower lines of captions in
# one language, made of 1 to 10 cues, never came so far (n = 22,500: English, German, Catalan with Spanish).
TWO_LANGUAGES = 200.0


def detect_language(text: str) -> str | None:
    """Return the ISO 639-1 code of a text's language; `None` for a short text, or a text in two languages.

    The result is deterministic.

    Raises:
        ModelError: the model cannot be read.

    >>> detect_language("오늘 우리는 새로운 시대의 출발점에 서 있습니다."), detect_language("Yes, we can.")
    ('ko', None)
    """
    passages = _cut_passages(text)
    language, certainty = _classify(" ".join(passages))
    if certainty < SURE or len(language) != 2:
        return None
    others = (_classify(passage) for passage in passages)
    mixed = any(other != language and other_certainty >= DOUBT for other, other_certainty in others)
    return None if mixed else language


def guess_language(text: str) -> str:
    """Return the ISO 639-1 code of the most likely language of a text, however uncertain.

    Raises:
        ModelError: the model cannot be read.

    >>> guess_language("No realistic American can expect generosity from a dictator's peace.")
    'en'
    """
    return _classify(" ".join(_cut_passages(text)))[0]


def are_two_languages(first: str, second: str) -> bool:
    """Return whether two texts are far more likely to be in two languages than in the same.

    Raises:
        ModelError: the model cannot be read.

    >>> are_two_languages("Good morning. Thank you all for coming.", "Buenos días. Gracias por venir.")
    True
    >>> are_two_languages("We came here to open", "a bridge that took nine years.")
    False
    """
    scores, others = _rank(first), _rank(second)
    language, other = (max(ranked, key=ranked.__getitem__) for ranked in (scores, others))
    same = max(scores[code] * others[code] for code in scores)
    return language != other and scores[language] * others[other] > TWO_LANGUAGES * same


def _rank(text: str) -> dict[str, float]:
    """Return the probability of each language for a text, by language code.

    Of a long text, only a few passages are read.
    """
    sample = text if len(text) <= PASSAGES * PASSAGE_CHARS else " ".join(_cut_passages(text))
    return {str(code): float(score) for code, score in _load_identifier().rank(sample)}


def _cut_passages(text: str) -> list[str]:
    """Return up to six passages of at most 160 characters, spread evenly over a text.

    A text that is too short for six such passages is cut into fewer or shorter ones, at least two.
    """
    length = min(PASSAGE_CHARS, -(-len(text) // 2))
    starts = range(0, len(text), max(1, length, -(-len(text) // PASSAGES)))
    return [text[start : start + length] for start in starts]


def _classify(text: str) -> tuple[str, float]:
    language, certainty = _load_identifier().classify(text)
    return str(language), float(certainty)


@cache
def _load_identifier() -> LanguageIdentifier:
    """Load the language model on first use; this takes a second and 90 MB.

    Raises:
        ModelError: the folder for temporary files lacks the space to unpack the model.
    """
    try:
        return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    except OSError as error:
        raise ModelError(f"the model of languages cannot be unpacked: {error}") from error
