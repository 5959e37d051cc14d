"""List closing marks, abbreviations and usual first words of sentences, to find where a sentence ends."""

from __future__ import annotations


def _split_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CLOSING = r"\"'”’“‘»«›‹)\]"
"""Marks that may follow the end of a sentence, as a regex class: closing marks of English, German, French,
Swedish.
"""
# A full stop after these never ends a sentence: a name, a number or an example follows.
NEVER = _split_words(
    """mr mrs ms dr prof sen rep gov gen col maj capt lt sgt cmdr adm rev hon fr pres st mt ft messrs mme
    vs e.g i.e cf viz jan feb mar apr aug sept sep oct nov dec"""
)
# After these a number follows, or else the sentence ends: "No. 5", "No. That is all."
BEFORE_FIGURES = _split_words("no nos vol art fig p pp sec ch approx est incl excl max min avg c ca")
# After these, and after a single letter, only a word that commonly starts a sentence marks the end.
PERHAPS = _split_words("jr sr inc co corp ltd bros etc a.m p.m u.s u.n u.k e.u d.c ph.d m.d b.c a.d")
STARTERS = _split_words(
    """the a an and but so or yet for in on at to from with if when while as after before since because
    although i we you he she it they this that these those there here my our your his her its their what
    who how why where which now then today tonight let no not yes well thank many some all every each one
    it's we're i'm that's there's he's she's they're we've i've let's what's don't"""
)
