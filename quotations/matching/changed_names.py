"""Find the names that a quotation prints although the speaker did not say them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quotations.grammar.cut_vocabulary import THIRD_PERSONS
from quotations.matching.harmless import MEANING_WORDS
from quotations.matching.printed_quote import Quoted
from quotations.names.spellings import HONORIFICS, TITLES, is_same_name
from quotations.text.meaning import ARTICLES, FILLERS, FUNCTION
from quotations.text.spoken import Spoken

NO_NAMES = FUNCTION | FILLERS | MEANING_WORDS | TITLES
UNNAMED = THIRD_PERSONS | ARTICLES | FILLERS | HONORIFICS
"""Words that a writer may replace by the name that they refer to."""


@dataclass(frozen=True, eq=False)
class NameReader:
    """Compare the names in a quotation with the names in its transcript.

    The methods take words by their index in the quotation or in the transcript.
    """

    quoted: Quoted
    spoken: Spoken

    def has_other_name(self, printed: range, said: range) -> bool:
        """Return whether the quotation's words `printed` wrongly have a name in place of the words `said`.

        It is always wrong to replace another name, such as "Nixon" by "Kennedy". It is right to replace a
        pronoun, because writers explain who "he" is. Other words, such as "the bridge", may be replaced only
        at the start or end of the quotation.
        """
        ours = [self.quoted.get_text(at, at + 1) for at in printed if self._is_printed_name(at)]
        theirs = [self.spoken.read_word(at) for at in said if self._is_spoken_name(at)]
        if not _leave_out(ours, theirs):
            return False
        if _leave_out(theirs, ours):
            return True
        if printed.start == 0 or printed.stop == len(self.quoted.keys):
            return False
        replaced = [self.spoken.read_word(at) for at in said if not self._is_unnamed(at)]
        inner = [
            self.quoted.get_text(at, at + 1)
            for at in printed
            if self._is_printed_name(at) and not self.quoted.is_sentence_start(at)
        ]
        return bool(replaced and _leave_out(inner, replaced))

    def _is_unnamed(self, at: int) -> bool:
        """Return whether the spoken word `at` names nobody ("she"), so that a printed name may replace it.

        A title such as "Miss" names nobody either, except after "a" or "the": "the Miss Universe pageant" is
        a name.
        """
        key, before = self.spoken.keys[at], self.spoken.keys[at - 1] if at else ""
        return key in UNNAMED and not (key in HONORIFICS and before in ("a", "the"))

    def _is_printed_name(self, at: int) -> bool:
        written, key = self.quoted.get_text(at, at + 1), self.quoted.keys[at]
        return not self.quoted.inserted[at] and self._is_name(
            written, key, opens=self.quoted.is_sentence_start(at)
        )

    def _is_spoken_name(self, at: int) -> bool:
        written, key = self.spoken.read_word(at), self.spoken.keys[at]
        return self._is_name(written, key, opens=self.spoken.is_sentence_start(at))

    def _is_name(self, written: str, key: str, *, opens: bool) -> bool:
        """Return whether a word is a name: it has a capital letter and is no title, number or function word.

        If the word begins a sentence (`opens`), it is a name only if neither quotation nor transcript has the
        word in lower case.
        """
        if not written[:1].isupper() or key in NO_NAMES or len(key) < 2:
            return False
        lower = written.lower()
        return not (opens and any(lower in text for text in (*self.spoken.texts, *self.quoted.parts)))


def _leave_out(names: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the names in `names` that are not the same as any name in `others`."""
    return [name for name in names if not any(is_same_name(name, other) for other in others)]
