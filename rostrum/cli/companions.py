"""Print the companions of recommendations: counter-voices, and earlier printings of the quotes.

A counter-voice is a sentence of a speech on the same point as the quote, for example a contradiction.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Console

from quotations.text.markup import remove_markup
from rostrum.cli.repeats import describe_repeat
from rostrum.cli.terminal import safe
from rostrum_core.companions import CounterVoices
from rostrum_core.evidence import EvidenceSentence
from rostrum_core.types import Answer

if TYPE_CHECKING:
    from archive.companions import Companions


def print_companions(answer: Answer, companions: Companions, console: Console) -> None:
    """Print the articles that already printed the words of a recommendation, and its counter-voices.

    A counter-voice is a sentence on the same point, for example a contradiction. Each line begins with the
    rank of its recommendation.
    """
    for recommendation in answer.recommendations:
        at = recommendation.rank - 1
        printed = companions.printed or ()
        voices = companions.counter or ()
        for repeat in printed[at] if at < len(printed) else ():
            console.print(safe(f"{recommendation.rank}. printed: {describe_repeat(repeat)}"), soft_wrap=True)
        for line in describe_voices(voices[at]) if at < len(voices) else ():
            console.print(safe(f"{recommendation.rank}. {line}"), soft_wrap=True)


def describe_voices(voices: CounterVoices) -> Iterator[str]:
    """Yield a line for each counter-voice, such as "others: contradicts: We stay. – Ann Roe [a, 1]".

    A counter-voice is a sentence on the same point as a statement. Its line begins with "same speaker" if the
    speaker of the statement said it, or else with "others".
    """
    for name, sentences in (("same speaker", voices.own), ("others", voices.others)):
        for sentence in sentences:
            yield f"{name}: {describe_voice(sentence)}"


def describe_voice(sentence: EvidenceSentence) -> str:
    """Return one line about a sentence, such as "contradicts: We stay. – Ann Roe, 1962-09-13 [a, 1]".

    A neutral stance is left out. The place, in brackets, is the id of the document with the number of the
    paragraph, from 1.
    """
    stance = "" if sentence.stance == "neutral" else f"{sentence.stance}: "
    said = ", ".join(part for part in (sentence.speaker, sentence.spoken_on) if part)
    place = f"[{sentence.document}, {sentence.paragraph + 1}]"
    words = f"{stance}{remove_markup(sentence.text)}"
    return f"{words} – {said} {place}" if said else f"{words} {place}"
