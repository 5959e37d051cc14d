"""Recognise parliamentary offices and titles in languages other than English.

English capitalises offices. Most other languages write "La presidenta:" and "El secretari segon:" before a
speech. Judged by its letters alone, such a speaker tag looks like the beginning of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from indexer.vocabulary import TITLES


def _split(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Some words begin with what they lead: "Alterspräsident", "Vizekanzlerin", "vicepresidenta", "místopředseda".
GERMAN = (
    r"\w*(?:präsident|minister|kanzler|sekretär|bürgermeister|kommissar|senator)(?:in)?"
    r"|\w*abgeordnete[rn]?|abg|\w*vorsitzende[rn]?|vorsitz|\w*hauptmann|\w*hauptfrau|\w*obmann|\w*obfrau"
    r"|\w*anwalt|\w*anwältin|(?:landes|bundes|stadt|staats)r(?:at|ätin)|berichterstatter(?:in)?|schriftführer(?:in)?"
)
ROMANCE = (
    r"(?:vice-?|sots|ex)?pr[eéè][sș](?:id|edin)[eè]nt[aeèăo]?s?|(?:sotto|vice|sub)?se[cg]r[eé]t[aà]r[iía][oaà]?|secrétaire"
    r"|secretària|(?:vice)?(?:primer)?ministr[aeou]l?|conseller[as]?|consejer[oa]|conselleir[oa]|conseiller"
    r"|d[ie]put(?:at|ad|é|at)[oaeăul]*|sen[aá](?:dor|tor|teur|trice)[aei]?|sénat(?:eur|rice)|portaveu|portavo[zc]e?|porta-voz"
    r"|rapporteure?|relat(?:or|ora|ore|rice)|ponent[e]?|candidat[oa]?|lletra(?:t|da)|letrad[oa]|síndic[oa]?"
    r"|intervento[r]a?|alcald(?:e|essa|esa)|maire|sindac[oa]|prefeit[oa]|chancelier|cancell[ie]re|canciller"
    r"|comisari[oa]|commissaire|moderador[a]?|moderat(?:ore|rice)|modérat(?:eur|rice)|gobernador[a]?|governador[a]?"
    r"|orador[a]?|orat(?:eur|rice|ore)|compar(?:eciente|eixent)|onorevole|procurador[a]?"
)
OTHERS = (
    r"(?:onder)?voorzitter|\w*minister|staatssecretaris|kamerlid|premier|commissaris"
    r"|talmannen|talman|(?:ålders|vice)?president(?:en)?|\w*formand(?:en)?|\w*minister(?:en)?|statsråd(?:et|en)?"
    r"|(?:vara)?puhemies|edustaja|\w*ministeri|(?:místo|pod)?p[rř]eds(?:eda|edkyně|edající|edníčka)"
    r"|(?:pod|do)?predsedn?i(?:k|ca)|posl(?:anec|ankyně|ankyňa|anka)|poseł|posłanka|(?:wice)?marszałek|zastupni(?:k|ca)"
    r"|senát(?:or|orka)|senator(?:ka)?|minist(?:r|ryně|erka)|(?:al)?elnök|képviselő|miniszter|πρόεδρος|προεδρε[υύ]ων"
    r"|председател(?:ь|ят)|председательствующий|депутат|министр?|головуючий|başkan"
)
OFFICE = re.compile(rf"(?:{GERMAN}|{ROMANCE}|{OTHERS})")
# Offices of the person in the chair, whom every speaker addresses.
CHAIR = re.compile(
    r"(?:\w*präsident(?:in)?|vorsitzende[rn]?|(?:vice-?)?pr[eé]sid(?:ent[aeo]?)|président[e]?|pre[sș]edint[ea]"
    r"|voorzitter|talman|formand|puhemies|p[rř]edseda(?:jící)?|předsedkyně|predsedni(?:k|ca)|marszałku|elnök|speaker)"
)
# Words of English too: "A senator: ...", "As president: ..." are no tags.
ENGLISH_ALIKE = _split("president minister senator premier")
ENGLISH_ARTICLES = _split("a as die den")
ARTICLES = _split("el la els les los las lo l' l’ le il i gli un una une o a os as de het der die das den")
# "El señor Roe" is a tag, "Señor Roe" addresses somebody. Abbreviated, only "Sr. presidente" does.
SHORT_HONORIFICS = _split(
    "sr sra sr.ª srta m mm mme mmes mlle mw mevr dhr dña domnul doamna domnișoara mevrouw"
)
FRENCH_HONORIFICS = _split("m mm mme mmes mlle")
LONG_HONORIFICS = _split(
    """senyor senyora señor señora señorita senhor senhora signor signora signore monsieur madame mademoiselle
    heer heere herr frau dr dra dott prof ilm ilma excm excma hble"""
)
NUMERALS = re.compile(
    r"(?:prime[ri]a?|primeir[oa]|prim[oa]|premi(?:er|ère)|seg[ou]nd?[oa]?|second[oae]?|deuxième|tercer[oa]?|terceir[oa]"
    r"|terz[oa]|troisième|quart[oa]?|cuart[oa]|quatrième|(?:erst|zweit|dritt|viert)e[rn]?|första|andra|tredje"
    r"|første|ensimmäinen|toinen|\d{1,2}[.ªºae]*)"
)
ADJECTIVES = _split(
    """major mayor general générale accidental suplent suplente adjunt adjunta adjunto adjoint adjointe interí
    interina interino delegat delegada délégué déléguée delegado substitut substituta sustituto pro-tempore
    electe electa electo electa provisional honorari executiu ejecutivo"""
)
PREPOSITIONS = _split(
    """de del dels des du do da dos das della dello dei degli di la las les los el els le i y e et und
    a à al als aux au para per pel pels en em im in für van voor der den het og och za na ds dla til
    pentru al ale"""
)
ELIDED = re.compile(r"(?:d|l|dell|dall|all|nell|s|n)['’](?=\w)")
LONGEST_OFFICE = 14  # words


def is_office(name: str) -> bool:
    """Return whether a name is an office in a language other than English, with or without its holder's name.

    An office in lower case needs an article before it. A form of address with a name counts as an office.

    >>> is_office("La presidenta"), is_office("El secretari segon"), is_office("Abgeordneter Jan Roe")
    (True, True, True)
    >>> is_office("El president de la Mesa d'Edat"), is_office("El president ha dit")
    (True, False)
    >>> is_office("El Sr. Roe"), is_office("Señor presidente"), is_office("A senator")
    (True, False, False)
    >>> is_office("Eva Roe, Bundesministerin für Verkehr"), is_office("Jane Roe, Ministro dei Lavori")
    (True, True)
    """
    if has_vocative(name):
        return False
    person, comma, office = name.partition(", ")
    if comma and all(word[0].isupper() for word in person.split()) and is_office(office):
        return True
    words = [word.strip(".,()[]") for word in name.split()]
    article = words[0].lower() if len(words) > 1 and words[0].lower() in ARTICLES else ""
    words = words[1:] if article else words
    if not all(words) or len(words) > LONGEST_OFFICE:
        return False
    if _is_honorific(words[0], article):
        return len(words) > 1 and _is_rest(words[1:], is_linked=True)
    at = next((at for at, word in enumerate(words) if not NUMERALS.fullmatch(word.lower())), 0)
    return _is_leading(words[at], article) and _is_rest(words[at + 1 :])


def has_vocative(name: str) -> bool:
    """Return whether a name addresses somebody by an office: "Señor presidente", "Herr Präsident".

    >>> has_vocative("Sr. presidente"), has_vocative("Monsieur le président"), has_vocative("El Sr. Roe")
    (True, True, False)
    """
    words = [word.strip(".,").lower() for word in name.split()]
    rest = [word for word in words[1:] if word not in ARTICLES]
    is_honorific = words[0] in LONG_HONORIFICS | SHORT_HONORIFICS - FRENCH_HONORIFICS
    return is_honorific and len(rest) > 0 and all(OFFICE.fullmatch(word) for word in rest)


def is_form_of_address(word: str) -> bool:
    """Return whether a word is a form of address: "senyora", "Abgeordneter", "Mr", "Senator"."""
    bare = word.lower()
    return bare in SHORT_HONORIFICS | LONG_HONORIFICS | TITLES or OFFICE.fullmatch(bare) is not None


def _is_honorific(word: str, article: str) -> bool:
    return word.lower() in (SHORT_HONORIFICS | LONG_HONORIFICS if article else SHORT_HONORIFICS)


def _is_leading(word: str, article: str) -> bool:
    """Return whether a word is an office: "presidenta", after the article "la".

    Without an article (`article` is ""), the word must begin with a capital. A word that is also English,
    such as "president", is an office only after an article that is not an English word.
    """
    if word.lower() in ENGLISH_ALIKE and (not article or article in ENGLISH_ARTICLES):
        return False
    return bool(article or word[0].isupper()) and OFFICE.fullmatch(word.lower()) is not None


def _is_rest(words: Sequence[str], *, is_linked: bool = False) -> bool:
    """Return whether words may follow an office in a speaker tag: "segon", "de la Mesa", "Jan Roe".

    Capitalised words may always follow. A word in lower case must be a preposition, an adjective or a
    numeral, or come after a preposition, which may be joined to it: "d'edat". If `is_linked` is true, the
    first word may be any word.
    """
    for word in words:
        bare = word.lower()
        may_be_small = is_linked or bare in PREPOSITIONS | ADJECTIVES or NUMERALS.fullmatch(bare)
        if word[0].islower() and not may_be_small and not ELIDED.match(bare):
            return False
        is_linked = bare in PREPOSITIONS
    return True
