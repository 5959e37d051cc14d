"""Decide which words that look like a speaker tag are one.

Some tags are accepted at once: those with a title or a role in capitals ("MR. KIRBY:", "Mr. ROE.", "Q:"),
with a number ("Speaker 2:") or with a time next to them. Others need further evidence, since "Fact:",
"First:" and "Mr. President:" (a way to begin a speech) look the same. A name in capitals needs another tag
or a second turn. A mixed-case name needs a dialogue, in which tags open many of the lines. Tags with a
full stop ("The President.") look like short sentences. They are accepted only in a document in which "Q."
or an office recurs.

A rejected tag may be a tag all the same. It is then doubted: after it, the speaker is unknown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from indexer.called_names import find_called
from indexer.offices import ARTICLES, FRENCH_HONORIFICS, PREPOSITIONS, has_vocative, is_office
from indexer.speaker_tags import (
    BARE_QUESTION,
    DOTTED_QUESTION,
    EXAMINATION,
    SENTENCE_END,
    SMALL_WORDS,
    Form,
    Tag,
    find_any_name,
    find_opening,
    is_dotted,
    is_in_capitals,
    is_sentence,
)
from indexer.vocabulary import (
    EVENTS,
    GAPS,
    HONORIFICS,
    LABELS,
    LINKS,
    LOST,
    NO_NAMES,
    OFFICES,
    PARTICLES,
    PLACES,
    QUANTITIES,
    ROLES,
    ROSTERS,
    TITLES,
    VOCATIVES,
)

LONGEST_CAPITAL_NAME = 3
# In a dialogue, tags open this share of the lines and reach this number; a short dialogue needs a larger
# share.
DIALOGUE_SHARE, DIALOGUE_TURNS = 0.2, 5
SHORT_DIALOGUE_SHARE, SHORT_DIALOGUE_TURNS = 0.5, 3
ALONE_SHARE = 0.3  # of the blocks, that are names with a colon and nothing else
LONGEST_DOUBTED_NAME = 6  # words
# A debate has this many recurring names and this many turns of theirs; an office has this share of all
# turns.
FEWEST_MEMBERS, DEBATE_TURNS, OFFICE_SHARE = 5, 20, 0.1
TITLE_SHARE = 0.3  # of the recurring names, that begin with the same word
LONGEST_OFFICE = 12  # words
FEWEST_OFFICES = 3  # turns
FEWEST_WORDS_OF_LANGUAGE = 500  # distinct words, from which on an English text contains all of these
ENGLISH = frozenset(("the", "of", "and", "to"))
LONGEST_ROSTER_NAME = 6
LONGEST_ITEM = 8  # words
OFTEN, COMMON_SHARE = 3, 0.001  # occurrences, and share of the lower-case words of a document
# Share of blocks that tags open where nearly every utterance has one.
EXHAUSTIVE_SHARE, EXHAUSTIVE_TURNS = 0.7, 3
ROSTER = re.compile(
    r"[\W_]*(?P<head>[A-Za-z]+)[*_]*(?::[*_]*[ \t]+|[ \t:*_]*\n[ \t]*)(?P<names>\S[^\n:]{2,300})"
)
ROSTER_HEAD = re.compile(r"[\W_]*(?:{})\b".format("|".join(sorted(ROSTERS))), re.IGNORECASE)
NAMES_APART = re.compile(r"[,;•|]|\band\b")
BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
JOINED = re.compile(r"/| [aA][nN][dD] | & ")
NUMBERED = re.compile(r"(?P<base>.*?)[ _#]?\d{1,3}")
# "Mrs. DOE of Maine.", "The PRESIDENT pro tempore."
OF_RECORD = re.compile(
    r"(?:(?:Mr|Mrs|Ms|Dr)\.|Miss|Senator|Representative|The)(?: [^\W\d_][\w.'’\-]*)*? (?P<last>[\w'’\-]+)"
    r"(?: pro tempore| of(?: [A-Z][\w.]*)+)?\."
)
ROLL_CALL = re.compile(r"[«“„\"]\w+[.!]?[»”“\"]?\s*")  # "Jane Roe: «No.»", read out by the chair
ITEM = re.compile(r"[A-Z]|[IVXLC]+")  # "(A)" and "(IV)" number the items of a law
GENERATIONS = frozenset(("jr", "sr", "ii", "iii", "iv"))
PERSONS = ROLES - {"q", "a", "question", "answer", "all", "both", "group", "unidentified", "unknown"}


@dataclass(frozen=True, slots=True)
class Floor:
    """Store the names that are speaker tags in a document, and those that may be.

    After a tag in `doubted` the speaker is unknown. `is_exhaustive` is set if tags open nearly all blocks;
    then any text before a colon may be a tag.
    """

    believed: frozenset[str] = frozenset()
    doubted: frozenset[str] = frozenset()
    is_exhaustive: bool = False

    def find_tag(self, text: str, start: int = 0) -> tuple[Tag, bool] | None:
        """Return the tag at `start`, and whether it is accepted, or `None`."""
        tag = find_opening(text, start)
        is_roll_call = tag is not None and ROLL_CALL.fullmatch(text, tag.text_start) is not None
        if (
            tag
            and tag.name in self.believed
            and not is_roll_call
            and not parse_roster(text[tag.start : tag.end + MOST_OF_A_ROSTER])
        ):
            return tag, True
        if tag and (tag.name in self.doubted or tag.name in self.believed):
            return tag, False
        loose = find_any_name(text) if self.is_exhaustive and not start else None
        return (loose, False) if loose and _has_figures(loose.name) else None


MOST_OF_A_ROSTER = 320


def judge(
    blocks: Iterable[str], speaker: str | None, named: Collection[str] = (), cut: Sequence[str] = ()
) -> Floor:
    r"""Decide which names are speaker tags in a document of these blocks.

    `speaker` is the speaker of the document, if known: that name in capitals is accepted at once. `named`
    are names that the file itself marks as those of speakers. `cut` are the lines that are no speech: lists
    of participants may be among them.

    >>> blocks = ["Q: Why?\nJo Ames: So.\nFact: it rains.", "Jo Ames: Yes.", "Jo Ames: No.\nQ: Oh?"]
    >>> sorted(judge(blocks, None).believed)
    ['Jo Ames', 'Q']
    """
    blocks = [block for block in blocks if block.strip(" \n\0")]
    lines = [line for block in blocks for line in block.split("\n") if line.strip(" \0")]
    tags = [tag for line in lines if (tag := find_opening(line)) and not parse_roster(line)]
    if not tags:
        return Floor()
    dotted = Counter(tag.name for tag in tags if is_dotted(tag))
    plain = [tag for tag in tags if not is_dotted(tag) and _is_candidate(tag)]
    lists = [*blocks, *cut, *_join_labels(cut)]
    listed = [name for name in (speaker, *named, *_collect_rosters(lists)) if name]
    surnames = frozenset(_get_surname(name) for name in listed)
    believed = _judge_colons(plain, surnames, blocks, len(lines)) | _judge_full_stops(dotted, len(blocks))
    believed |= _find_alone(blocks) | {tag.name for tag in plain if tag.name in listed}
    believed |= _judge_brackets(tags, believed)
    turns = sum(tag.name in believed for tag in tags)
    is_exhaustive = turns >= max(EXHAUSTIVE_TURNS, EXHAUSTIVE_SHARE * len(blocks))
    doubted = _find_doubted(plain, believed, blocks, speaker)
    if named:  # the file marks its turns: an unclear name within a turn is a list or a heading
        doubted = frozenset(
            name for name in doubted if _is_in_capitals(name) or _is_titled(_split_words(name))
        )
    return Floor(believed, doubted, is_exhaustive)


def _collect_rosters(blocks: Iterable[str]) -> list[str]:
    """Collect the names in lists of participants."""
    return [name for block in blocks for name in parse_roster(block)]


def _join_labels(lines: Iterable[str]) -> Iterator[str]:
    """Yield each line of names below a label of participants, with the label."""
    label: str | None = None
    for line in lines:
        if ROSTER_HEAD.match(line):
            label = line
        elif label and parse_roster(f"{label}\n{line}"):
            yield f"{label}\n{line}"
        else:
            label = None


def parse_roster(text: str) -> list[str]:
    """Return the names on a line that lists participants; return none for any other line.

    >>> parse_roster("PARTICIPANTS: Mayor Jane Roe; Sam Doe"), parse_roster("MODERATOR: Good evening.")
    (['Mayor Jane Roe', 'Sam Doe'], [])
    """
    match = ROSTER.match(text) if ROSTER_HEAD.match(text) else None
    if not match or match["head"].lower() not in ROSTERS or match["names"].rstrip()[-1] in ".?!…":
        return []
    names = [name.strip() for name in NAMES_APART.split(BRACKETS.sub("", match["names"]))]
    names = [name for name in names if name]
    fits = all(_is_capitalised(name) and len(name.split()) <= LONGEST_ROSTER_NAME for name in names)
    return names if fits and any(len(name.split()) > 1 for name in names) else []


def _judge_colons(
    tags: Sequence[Tag], surnames: frozenset[str], blocks: Sequence[str], lines: int
) -> frozenset[str]:
    turns = Counter(tag.name for tag in tags)
    sure = {name for name in turns if _is_sure(name, surnames)} | _find_timed(tags, turns, surnames)
    sure |= {tag.name for tag in tags if tag.has_named_remark and _is_office_of(_split_words(tag.name))}
    titles = [
        name for name in turns if turns[name] > 1 and name != BARE_QUESTION and _is_titled(_split_words(name))
    ]
    offices = _find_offices(turns, sure)
    company = bool(sure or offices) or len(titles) > 1 or _is_dialogue_in_capitals(turns, lines)
    names = offices | {name for name in turns if name in sure or _is_likely(name, turns, company)}
    if offices:
        names |= find_called(blocks, _find_people(turns))
    names -= _find_labels(names - sure, turns, blocks)
    if not _is_mostly_in_capitals(turns, names):
        names |= set() if offices else _find_in_dialogue(turns, names, blocks, lines)
        names |= _find_in_parliament(tags, turns, blocks)
    return frozenset(names | _find_joint(turns, names))


def _find_offices(turns: Counter[str], sure: Collection[str]) -> set[str]:
    """Find the offices in other languages than English: a few of them, or one next to an accepted tag."""
    offices = {name for name in turns if is_office(name)}
    return offices if sure or sum(turns[name] for name in offices) >= FEWEST_OFFICES else set()


def _find_labels(names: Collection[str], turns: Counter[str], blocks: Sequence[str]) -> set[str]:
    """Find the words in capitals that occur once as a tag and otherwise in lower case: "TAXES:"."""
    words = {name for name in names if turns[name] == 1 and name.isupper() and len(_split_words(name)) == 1}
    words = {name for name in words if not _is_titled(_split_words(name)) and name != BARE_QUESTION}
    small = _collect_small_words(blocks) if words else frozenset()
    return {name for name in words if name.lower() in small}


def _find_timed(tags: Sequence[Tag], turns: Counter[str], surnames: frozenset[str]) -> set[str]:
    """Find the names with a time next to them.

    If name and time fill a line, one of these names has to recur, have a number or be known: schedules
    have such lines too.
    """
    inline = {tag.name for tag in tags if tag.is_timed and tag.form is not Form.TIMED_LINE}
    alone = {tag.name for tag in tags if tag.form is Form.TIMED_LINE}
    if not any(turns[name] > 1 or _get_number(name) or _get_surname(name) in surnames for name in alone):
        alone = set()
    return {name for name in inline | alone if may_name(name)}


def _find_alone(blocks: Sequence[str]) -> frozenset[str]:
    """Find the names that fill a block of their own, with a colon, or before a time and speech."""
    tags = [(tag, block) for block in blocks if (tag := find_opening(block)) and may_name(tag.name)]
    colons = [tag.name for tag, block in tags if tag.form is Form.COLON and tag.text_start == len(block)]
    timed = [
        tag.name
        for tag, block in tags
        if tag.form is Form.TIMED_LINE and tag.text_start < len(block.rstrip())
    ]
    fewest = max(SHORT_DIALOGUE_TURNS, ALONE_SHARE * len(blocks))
    return frozenset(name for names in (colons, timed) if len(names) >= fewest for name in names)


def _judge_full_stops(turns: Counter[str], blocks: int) -> frozenset[str]:
    record = frozenset(name for name in turns if _is_of_record(name)) | _find_dotted_offices(turns)
    record |= _find_dotted_capitals(turns)
    again = {name for name in turns if turns[name] > 1} - record
    titled = [name for name in turns if _is_titled(_split_words(name)) and _is_capitalised(name)]
    dense = sum(turns[name] for name in titled) >= max(DIALOGUE_TURNS, SHORT_DIALOGUE_SHARE * blocks)
    hearing = dense and not again.isdisjoint(titled)
    if (
        DOTTED_QUESTION not in again
        and not any(_is_office(_split_words(name)) for name in again)
        and not hearing
    ):
        return record
    named = {name for name in again if len(name.split()) > 1 and may_name(name)}
    roles = {name for name in turns if ROLES.issuperset(_split_words(name)) and name[0].isupper()}
    return record | {name for name in named.union(titled, roles) if not _is_address(_split_words(name))}


def _find_dotted_offices(turns: Counter[str]) -> frozenset[str]:
    """Find the tags of the French and the Italian parliament: "M. le président.", "PRESIDENTE.".

    Next to these, a name of two words or more in capitals is a tag as well: "ANNA ROE (PD).".
    """
    offices = {name for name in turns if is_office(name) and (_is_french(name) or _is_in_capitals(name[:-1]))}
    if sum(turns[name] for name in offices) < FEWEST_OFFICES or all(turns[name] == 1 for name in offices):
        return frozenset()
    people = {name for name in turns if 1 < len(name.split()) <= LONGEST_DOUBTED_NAME and name.isupper()}
    ministers = {name for name in turns if ", " in name and is_office(name)}
    return frozenset(offices | {name for name in people if may_name(name)} | ministers)


def _find_dotted_capitals(turns: Counter[str]) -> frozenset[str]:
    """Find the names in capitals of a press conference, next to a recurring office: "CHAIR ROE."."""
    people = {
        name
        for name in turns
        if 1 < len(name.split()) <= LONGEST_CAPITAL_NAME + 1 and name.isupper() and may_name(name)
    }
    chairs = [name for name in people if turns[name] > 1 and _is_titled(_split_words(name))]
    is_dialogue = sum(turns[name] for name in people) >= DIALOGUE_TURNS
    return frozenset(people if chairs and is_dialogue else ())


def _is_french(name: str) -> bool:
    return _split_words(name)[0] in FRENCH_HONORIFICS and len(name.split()) > 1


def _is_of_record(name: str) -> bool:
    """Return whether a name is printed as in the Congressional Record: "Mr. ROE.", "The CLERK."."""
    match = OF_RECORD.fullmatch(name)
    if not match or not is_in_capitals(match["last"]) or len(match["last"]) < 2:
        return False
    return not name.startswith("The ") or match["last"].lower() in OFFICES | ROLES | TITLES


def _judge_brackets(tags: Sequence[Tag], believed: Collection[str]) -> frozenset[str]:
    """Return the bracketed names that are tags: numbered ones, persons with a role, and recurring ones.

    A bracketed name is also a tag if it is a tag in another form.
    """
    names = [tag.name for tag in tags if tag.form is Form.BRACKET and not _is_note(tag.name)]
    often = Counter(name.casefold() for name in names)
    parts = {part for name in believed for part in (_get_surname(name), _split_words(name)[0])}
    return frozenset(
        name
        for name in names
        if (_get_number(name) and _may_be_numbered(name))
        or _is_person(_split_words(name))
        or (
            may_name(name)
            and not ITEM.fullmatch(name)
            and (often[name.casefold()] > 1 or _get_surname(name) in parts)
        )
    )


def _is_note(name: str) -> bool:
    """Return whether words in brackets note an omission or an event and do not name anybody."""
    words = _split_words(name)
    return bool((GAPS | EVENTS).intersection(words)) or (LABELS | LOST).issuperset(words)


def _find_doubted(
    tags: Sequence[Tag], believed: Collection[str], blocks: Sequence[str], speaker: str | None
) -> frozenset[str]:
    """Find the names that may be tags although they were not accepted.

    Without accepted tags, a doubt matters only if the speaker of the document is known. In such a document,
    words that also occur in lower case belong to a heading.
    """
    if not believed and not speaker:
        return frozenset()
    left = [tag for tag in tags if tag.name not in believed]
    small = _collect_small_words(blocks) if left else frozenset()
    if _is_english(small):
        names = {tag.name for tag in left if _may_be_doubted(tag)}
    else:
        names = _find_doubted_abroad(left, blocks, small)
    if not believed:
        names = {
            name
            for name in names
            if 1 < len(name.split()) <= LONGEST_CAPITAL_NAME and small.isdisjoint(_split_words(name))
        }
    return frozenset(names)


def _may_be_doubted(tag: Tag) -> bool:
    words = _split_words(tag.name)
    if tag.name == BARE_QUESTION or _is_vocative(tag.name):
        return False
    is_phrase = is_sentence(tag.name) or not NO_NAMES.intersection(words) <= PARTICLES | {"for"}
    is_titled = not is_phrase and (_is_titled(words) or _is_holder(tag.name))
    return len(words) <= LONGEST_DOUBTED_NAME and (may_name(tag.name) or _is_person(words) or is_titled)


def _find_doubted_abroad(tags: Sequence[Tag], blocks: Iterable[str], small: frozenset[str]) -> set[str]:
    """Find the names that may be tags in a language other than English.

    There an office may be in lower case. A sentence contains frequent words that link no parts of a name,
    a phrase that occurs now and then consists of words that are in lower case elsewhere, and the heading of
    a list stands above its items.
    """
    turns = Counter(tag.name for tag in tags)
    often = max(OFTEN, OFFICE_SHARE * len(tags))
    common = _collect_common_words(blocks) - ARTICLES - PREPOSITIONS
    return {
        name
        for name in turns.keys() - _find_headings(blocks)
        if name[0].isupper()
        and len(name.split()) <= LONGEST_OFFICE
        and not NO_NAMES.intersection(_split_words(name))
        and not _is_vocative(name)
        and (is_office(name) or common.isdisjoint((name.split()[0].lower(), *name.split())))
        and (turns[name] >= often or is_office(name) or not small.issuperset(_split_words(name)))
    }


def _find_headings(blocks: Iterable[str]) -> set[str]:
    """Find the names that stand alone above a short line that is no sentence, like the items of a list."""
    return {
        tag.name
        for block, after in pairwise(blocks)
        if (tag := find_opening(block))
        and tag.text_start >= len(block.rstrip())
        and len(after.split()) <= LONGEST_ITEM
        and not SENTENCE_END.search(after)
    }


def _is_vocative(name: str) -> bool:
    """Return whether words address somebody: "Mr. President", "Señor presidente"."""
    return " ".join(_split_words(name)) in VOCATIVES or has_vocative(name)


def _is_candidate(tag: Tag) -> bool:
    """Return whether a tag may name a person: without a title, some forms mean something else."""
    words = _split_words(tag.name)
    is_byline = words[0] == "by" and not EXAMINATION.match(tag.name)
    if tag.form is Form.BRACKET or LABELS.issuperset(words) or is_byline:
        return False
    if tag.form is Form.DASH:
        return _is_titled(words) and may_name(tag.name)
    return _may_be_numbered(tag.name)


def _is_sure(name: str, surnames: frozenset[str]) -> bool:
    words = _split_words(name)
    if _get_number(name) or _is_person_somewhere(words):
        return True
    if name == BARE_QUESTION or not _is_in_capitals(name) or _is_vocative(name):
        return False
    titled = len(name) > 1 and (_is_titled(words) or (len(words) > 1 and is_office(name)))
    titled = titled or EXAMINATION.match(name) is not None
    return name == "Q" or titled or _get_surname(name) in surnames or words == ["the", "court"]


def _is_likely(name: str, turns: Counter[str], company: bool) -> bool:
    """Return whether a name in capitals, or a title or role next to accepted tags, is a tag too."""
    words = _split_words(name)
    if name == BARE_QUESTION:
        return company or turns[name] > 1
    if _is_titled(words):
        is_printed_so = _is_capitalised(name.replace(" for ", " of "))
        return is_printed_so and (company or (turns[name] > 1 and _is_in_capitals(name)))
    if _is_holder(name):
        return company
    if NO_NAMES.intersection(_strip_article(words)) or not _is_in_capitals(name):
        return False
    initials = sum(len(word) == 1 for word in words)  # "Nkul Z S MAKHUBELE"
    return len(words) - initials <= LONGEST_CAPITAL_NAME and (company or turns[name] > 1)


def _is_dialogue_in_capitals(turns: Counter[str], lines: int) -> bool:
    """Return whether names in capitals support each other: by a full name, or by a dense dialogue."""
    capital = [name for name in turns if _is_in_capitals(name) and may_name(name) and name != BARE_QUESTION]
    again = [name for name in capital if turns[name] > 1]
    often = sum(turns[name] for name in capital)
    dense = often >= max(SHORT_DIALOGUE_TURNS, SHORT_DIALOGUE_SHARE * lines)
    return any(len(name.split()) > 1 for name in again) or bool(again and dense)


def _is_mostly_in_capitals(turns: Counter[str], names: set[str]) -> bool:
    """Return whether most tags are in capitals, so that "Washington Post:" is a heading."""
    capital = sum(turns[name] for name in names if _is_in_capitals(name) and len(name) > len(BARE_QUESTION))
    small = sum(
        count for name, count in turns.items() if count > 1 and not _is_in_capitals(name) and may_name(name)
    )
    return capital > small


def _is_office_of(words: list[str]) -> bool:
    """Return whether words may be the office of a person whose name follows in brackets."""
    return _is_titled(words) or (words[0] == "the" and not (OFFICES | TITLES).isdisjoint(words))


def _is_holder(name: str) -> bool:
    """Return whether words name a person and, after a comma, an office: "Jane Roe, Director of Works"."""
    person, _, office = name.partition(", ")
    words = _split_words(office) if office else []
    return bool(words) and len(person.split()) > 1 and may_name(person) and words[0] in OFFICES | TITLES


def _is_titled(words: list[str]) -> bool:
    """Return whether words are a title with a name, an office or a role: "mr kirby", "the president"."""
    bare = [word for word in _strip_article(words) if word not in PARTICLES] or words
    if words[0] == "the" and bare[0] in TITLES and {"of", "for"}.intersection(words):
        return True  # "The MINISTER OF SPORT AND RECREATION"
    if words[0] in OFFICES and words[1:2] == ["for"] and len(words) > 2:
        return True  # "Minister for Transport"
    if bare[-1] in ROLES or OFFICES.intersection(bare[-1:]):
        return not NO_NAMES.intersection(bare[:-1]) or bare[0] in ("first", "second")
    titled = bare[0] in TITLES or OFFICES.intersection(bare[1:2])
    return bool(titled) and len(bare) > 1 and not NO_NAMES.intersection(bare[1:])


def _is_person(words: list[str]) -> bool:
    """Return whether words name a person by a role: "reporter", "woman in the audience"."""
    before = next((at for at, word in enumerate(words) if word not in QUANTITIES), len(words) - 1)
    return words[before] in PERSONS and PLACES.issuperset(words[before + 1 :])


def _is_person_somewhere(words: list[str]) -> bool:
    """Return whether words name a person by a role and a place, or as unidentified."""
    unknown = {"unidentified", "unknown", "unnamed", "hon", "honourable", "honorable"}.intersection(words)
    somewhere = len(words) > 2 and PLACES.issuperset(words[-1:])
    return _is_person(words) and bool(unknown or somewhere or words == ["v.o"])


def _is_office(words: list[str]) -> bool:
    """Return whether words are an office that stands for its holder: "the vice president"."""
    return words[0] == "the" and len(words) > 1 and (OFFICES | TITLES).issuperset(words[1:])


def _is_address(words: list[str]) -> bool:
    """Return whether titles alone address somebody: "mr secretary", "prime minister", but not "dr king"."""
    named = words[0] in HONORIFICS and words[-1] not in OFFICES
    return (OFFICES | TITLES).issuperset(words) and not named


def _find_in_dialogue(turns: Counter[str], names: set[str], blocks: Sequence[str], lines: int) -> set[str]:
    """Find the mixed-case names that are tags of a dialogue, in which tags open many of the lines.

    Accept names that recur, begin with a title, or have two or three words. In a language other than
    English, no word of the name may occur in lower case elsewhere.
    """
    possible = {name for name in turns if may_name(name)}
    again = {name for name in possible if turns[name] > 1}
    alike = again | {
        name for name in possible if 2 <= len(name.split()) <= 3 or _is_titled(_split_words(name))
    }
    long = sum(turns[name] for name in names | again) >= max(DIALOGUE_TURNS, DIALOGUE_SHARE * lines)
    short = sum(turns[name] for name in alike) >= max(SHORT_DIALOGUE_TURNS, SHORT_DIALOGUE_SHARE * lines)
    if not long and not (again and short):
        return set()
    small = _collect_small_words(blocks)
    if _is_english(small):
        return alike
    return {name for name in alike if small.isdisjoint(set(_split_words(name)) - LINKS)}


def _find_in_parliament(tags: Sequence[Tag], turns: Counter[str], blocks: Sequence[str]) -> set[str]:
    """Find the mixed-case names that are tags of a long debate, whose turns have many paragraphs.

    Names of two or more words have to recur, and none of their words may occur in lower case in the debate.
    With enough of these, a name that occurs once is accepted if it begins with the same title or is
    followed by brackets: "Abgeordneter Jan Roe (XPÖ):", "El president de la Generalitat (Jan Roe):". In a
    language other than English an office may be in lower case. It is accepted if it has many of the turns:
    "La presidenta:".
    """
    if not _is_membership([name for name in _find_people(turns) if turns[name] > 1], turns):
        return set()
    small = _collect_small_words(blocks)
    people = _find_people(turns, small)
    again = {name for name in people if turns[name] > 1}
    if not _is_membership(again, turns):
        return set()
    first = Counter(_split_words(name)[0] for name in again)
    titles = {word for word, often in first.items() if often >= TITLE_SHARE * len(again)}
    others = [
        tag
        for tag in tags
        if tag.name[0].isupper()
        and len(tag.name.split()) <= LONGEST_OFFICE
        and not NO_NAMES.intersection(_split_words(tag.name))
    ]
    once = {
        tag.name
        for tag in others
        if _split_words(tag.name)[0] in titles or (tag.remarks and tag.name in people)
    }
    offices = {tag.name for tag in others if tag.has_named_remark}
    if not _is_english(small):
        offices |= {tag.name for tag in others if turns[tag.name] >= OFFICE_SHARE * len(tags)}
    return again | once | offices


def _find_people(turns: Iterable[str], small: frozenset[str] = frozenset()) -> set[str]:
    """Find names of two words or more, none of which is in `small` but those that link the others."""
    likely = {name for name in turns if may_name(name) and 1 < len(name.split()) <= LONGEST_DOUBTED_NAME}
    return {name for name in likely if small.isdisjoint(set(_split_words(name)) - LINKS)}


def _is_membership(names: Collection[str], turns: Counter[str]) -> bool:
    return len(names) >= FEWEST_MEMBERS and sum(turns[name] for name in names) >= DEBATE_TURNS


def _is_english(small: frozenset[str]) -> bool:
    """Return whether a document may be in English, judging by its lower-case words."""
    return len(small) < FEWEST_WORDS_OF_LANGUAGE or small.issuperset(ENGLISH)


def _collect_small_words(blocks: Iterable[str]) -> frozenset[str]:
    """Collect the lower-case words of a document."""
    return frozenset(
        word for block in blocks for word in re.findall(r"[^\W\d_]+", block) if word[0].islower()
    )


def _collect_common_words(blocks: Iterable[str]) -> frozenset[str]:
    """Collect the lower-case words that make up a good part of a document."""
    often = Counter(word for block in blocks for word in block.split() if word[0].islower())
    fewest = max(OFTEN, COMMON_SHARE * often.total())
    return frozenset(word for word, count in often.items() if count >= fewest)


def _find_joint(turns: Counter[str], names: Collection[str]) -> set[str]:
    """Find the names that join several known names: "ROE AND DOE", "Roe/Doe"."""
    surnames = {_get_surname(name) for name in names}
    joint = {name: JOINED.split(name) for name in turns if JOINED.search(name)}
    return {
        name for name, parts in joint.items() if all(_get_surname(part) in surnames for part in parts if part)
    }


def is_titled_name(name: str) -> bool:
    """Return whether a name has a title or is an office or a role.

    >>> is_titled_name("Mr Speaker"), is_titled_name("The Minister for Works"), is_titled_name("Jane Roe")
    (True, True, False)
    """
    words = name.split()
    capitalised = words[0][:1].isupper() and all(w[:1].isupper() or w in SMALL_WORDS for w in words)
    offices = (OFFICES | TITLES).intersection(_split_words(name))
    return (capitalised and (bool(offices) or _is_titled(_split_words(name)))) or _is_person(
        _split_words(name)
    )


def may_name(name: str) -> bool:
    """Return whether a tag can be a name, judging by its letters and words alone.

    >>> may_name("Jane Roe"), may_name("we have a plan"), may_name("First")
    (True, False, False)
    """
    words = _split_words(name)
    bare = _strip_article(words)
    unlikely = NO_NAMES.intersection(bare[:1]) or NO_NAMES.intersection(bare) - PARTICLES
    return _is_capitalised(name) and not unlikely and not LABELS.issuperset(words)


def _has_figures(name: str) -> bool:
    """Return whether a name has figures and no other word in lower case: "+1 (555) 010-0199"."""
    words = name.split()
    return any(char.isdigit() for char in name) and not any(word[0].islower() for word in words[::2])


def _get_number(name: str) -> str:
    """Return the figures at the end of "Speaker 2"; return an empty text if there are none."""
    return name[len(name.rstrip("0123456789")) :]


def _may_be_numbered(name: str) -> bool:
    """Return whether a name has no number, or one that distinguishes it: "Speaker 2", not "Lesson 2"."""
    match = NUMBERED.fullmatch(name)
    words = _split_words(match["base"]) if match else []
    return match is None or bool(words and words[-1] in ROLES and (len(words) == 1 or _is_titled(words)))


def _strip_article(words: list[str]) -> list[str]:
    return words[1:] if words[0] in ("the", "a", "an") and len(words) > 1 else words


def _is_in_capitals(name: str) -> bool:
    return is_in_capitals(name.split()[-1])


def _is_capitalised(name: str) -> bool:
    words = name.split()
    return name[:1].isupper() and all(word[:1].isupper() or word in LINKS or word.isdigit() for word in words)


def _get_surname(name: str) -> str:
    """Return the last word of a name in lower case, without "Jr." and the like."""
    words = [word for word in _split_words(name) if word not in GENERATIONS] or [""]
    return words[-1]


def _split_words(name: str) -> list[str]:
    """Return the words of a name in lower case, without "Rt" and "Right" before "Hon"."""
    words = [word.strip(".,()[]").lower() for word in name.split()]
    return (
        words[1:] if words[:1] in (["rt"], ["right"]) and words[1:2] and words[1].startswith("hon") else words
    )
