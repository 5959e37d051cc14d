"""Compare names as written: other spellings and short forms of the same name."""

from __future__ import annotations

import re

from rapidfuzz.distance import DamerauLevenshtein, Levenshtein

from quotations.text.meaning import make_word_set, normalise_word

SPELLING_SIMILARITY, SPELLING_LETTERS = 0.8, 6  # two names with at least this similarity are spellings of one
SOUND_SIMILARITY = 0.6  # the same threshold for names that sound alike

SHORT_FORMS = make_word_set("""
abe:abraham al:albert/alan andy:andrew barb:barbara ben:benjamin bernie:bernard bill:william
billy:william bob:robert bobby:robert cathy:catherine/katherine charlie:charles
chris:christopher/christine chuck:charles dan:daniel danny:daniel dave:david debbie:deborah
dick:richard don:donald ed:edward/edwin eddie:edward frank:francis/franklin fred:frederick
gabby:gabrielle gene:eugene greg:gregory hank:henry harry:harold/henry jack:john jeff:jeffrey
jen:jennifer jerry:gerald/jerome jim:james jimmy:james joe:joseph johnny:john jon:jonathan
kate:katherine kathy:kathleen/katherine ken:kenneth larry:lawrence leo:leonard liz:elizabeth
maggie:margaret matt:matthew mike:michael mick:michael nancy:ann ned:edward nick:nicholas
pat:patrick/patricia pete:peter peggy:margaret phil:philip/phillip ray:raymond rich:richard
rick:richard rob:robert ron:ronald ronny:ronald russ:russell sam:samuel/samantha sandy:sandra
steve:steven/stephen stu:stuart sue:susan ted:edward/theodore teddy:edward/theodore tim:timothy
tom:thomas tommy:thomas tony:anthony vicky:victoria walt:walter will:william""")
TITLES = make_word_set("""
mr mrs ms miss mister dr doctor prof professor sir dame lord lady sen senator senators rep representative
congressman congresswoman gov governor president vice secretary minister prime chancellor ambassador general
gen admiral captain capt colonel col sergeant sgt lieutenant lt judge justice mayor speaker chairman
chairwoman king queen prince princess pope reverend rev father""")
"""Titles before a name that are not names themselves."""

HONORIFICS = make_word_set("mr mrs ms miss mister")

NICKNAMES = {
    short: frozenset(full.split("/")) for short, _, full in (pair.partition(":") for pair in SHORT_FORMS)
}


GIVEN_NAMES = (
    NICKNAMES.keys()
    | frozenset[str]().union(*NICKNAMES.values())
    | make_word_set("""
aaron abigail adam alice amanda amy angela anna anne annie barack beau betty beverly brandon brenda brian
bruce calvin carl carol caroline carolyn cheryl claudia craig cynthia deborah denise dennis diana diane
donna dorothy douglas duane dwayne dwight earl eleanor elena ella ellen emily emma eric erica ernest ethan
eva evan evelyn gary george gloria grace hannah harvey heather helen henry herbert hillary howard hubert
hugh hunter ivanka jack jackie jacob jacqueline jane janet janice jason jean jeremy jesse jessica jill joan
joanna jordan joshua joyce judith judy julia julie justin kamala karen keith kelly kevin kimberly kyle laura
lauren leon leroy leslie linda lisa lois louis louise lucy luke luther lyndon marcus margaret maria marie
marilyn marion marjorie mark marsha martha martin marvin mary melania melissa michelle mildred mitch monica
nathan neil nicole nora norman oliver oscar pamela patricia paul paula philippa rachel ralph rebecca roger
ronnie rosa rose roy ruby ruth ryan sally sara sarah scott sean sharon sheila shirley simon sophia sophie
stacy stanley stephanie susan sylvia teresa terry thelma tiffany todd tracy vanessa vera vernon victor
victoria vincent virginia wayne wendy
alexander alexei andrei angelina anwar ariel barron bashar benazir benito bernadette boris booker charlotte
chelsea clement coretta denzel desmond dmitri earvin elizabeth emmanuel ethel felipe fidel francois
francisco gamal giorgia golda gustavo hamid helmut hosni hugo imran indira ivan jacinda jacques jair jared
javier jawaharlal jeb jens jerome jose juan justin keir kofi konrad kwame lara lech luiz mahatma mahmoud
malala malcolm malia mario matteo menachem mikhail muammar narendra nelson nicolas nigel nikita nikki olaf
pedro pierre recep rigoberta rishi rosalynn rosemary saddam sasha shimon shinzo silvio theresa ursula vaclav
viktor vladimir volodymyr willy winston yasser yitzhak yuri""")
)
"""Common given names, except those that are also common words, such as "grant" and "dawn"."""


def is_same_name(name: str, other: str) -> bool:
    """Return whether two words are spellings of one name.

    >>> is_same_name("Vashem", "Vashim"), is_same_name("Iran", "Iraq"), is_same_name("Gov.", "Governor")
    (True, False, True)
    >>> is_same_name("Katy", "Katie"), is_same_name("John", "Jane"), is_same_name("Steve", "Stephen")
    (True, False, True)
    >>> is_same_name("SenJohnMcCain", "McCain"), is_same_name("LBGT", "LGBT"), is_same_name("Salem", "Selma")
    (True, True, False)
    """
    if _is_name_at_end(name, other) or _is_name_at_end(other, name):
        return True
    name, other = (
        normalise_word(word.casefold().rstrip(".").removesuffix("'s").removesuffix("’s").replace("'", ""))
        for word in (name, other)
    )
    if name == other or name.startswith(other) or other.startswith(name) or is_nickname(name, other):
        return True
    if len(name) == len(other) > 3 and DamerauLevenshtein.distance(name, other) == 1 < _count_other_letters(
        name, other
    ):
        return True  # two letters next to each other have changed places
    similarity = Levenshtein.normalized_similarity(name, other)
    if similarity >= SPELLING_SIMILARITY and min(len(name), len(other)) >= SPELLING_LETTERS:
        return True
    return (
        similarity >= SOUND_SIMILARITY
        and reduce_to_sound(name) == reduce_to_sound(other)
        and name[0] == other[0]
    )


def _is_name_at_end(handle: str, name: str) -> bool:
    """Return whether `handle` writes several names as one word and `name` is the last: "McCain" in
    "SenJohnMcCain".
    """
    return len(name) > 3 and name[:1].isupper() and re.search(f"[a-z]{re.escape(name)}$", handle) is not None


def _count_other_letters(name: str, other: str) -> int:
    return sum(letter != same for letter, same in zip(name, other, strict=True))


def reduce_to_sound(name: str) -> str:
    """Reduce a name to its consonants, with one letter for spellings of the same sound.

    >>> [reduce_to_sound(name) for name in ("katie", "katy", "obama", "osama")]
    ['kt', 'kt', 'bm', 'sm']
    """
    for spelled, sound in (("ph", "f"), ("ck", "k"), ("c", "k"), ("q", "k"), ("z", "s")):
        name = name.replace(spelled, sound)
    return re.sub(r"[aeiouyhw]|(.)(?=\1)", "", name)


def is_nickname(name: str, other: str) -> bool:
    """Return whether two first names are forms of the same name: a name and its short form, or two short
    forms.

    >>> is_nickname("steve", "stephen"), is_nickname("bob", "bobby"), is_nickname("bob", "bill")
    (True, True, False)
    """
    mine, theirs = ({word} | NICKNAMES.get(word, frozenset()) for word in (name, other))
    return not mine.isdisjoint(theirs)
