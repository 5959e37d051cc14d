"""Decide which possible speaker tags are accepted. A tag names the speaker before a speech: "MR. KIRBY:".

Some tags are accepted at once: those with a title or a role in capitals ("MR. KIRBY:", "Mr. ROE.", "Q:"),
with a number ("Speaker 2:") or with a time next to them. Others need further evidence, because "Fact:",
"First:" and "Mr. President:" (as the opening of a speech) look the same. A name in capitals needs another
accepted tag, or must recur. A mixed-case name needs a dialogue, in which many lines begin with tags. Tags
with a full stop ("The President.") look like short sentences, so they are accepted only in a document in
which "Q." or an office recurs.

A tag that is not accepted may still name a speaker. Then its name is called doubted, and the speaker after
the tag is unknown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from indexer.called_names import find_called
from indexer.characters import MARKS
from indexer.offices import ARTICLES, PREPOSITIONS, is_office
from indexer.rosters import collect_rosters, join_labels, parse_roster
from indexer.speaker_tags import (
    BARE_QUESTION,
    DOTTED_QUESTION,
    EXAMINATION,
    SENTENCE_END,
    Form,
    Tag,
    find_any_name,
    find_opening,
    is_dotted,
)
from indexer.tag_names import (
    LONGEST_DOUBTED_NAME,
    get_number,
    get_surname,
    has_figures,
    is_address,
    is_bare_office,
    is_candidate,
    is_capitalised,
    is_french,
    is_holder,
    is_name_in_capitals,
    is_note,
    is_of_record,
    is_office_of,
    is_person,
    is_person_somewhere,
    is_titled,
    is_vocative,
    may_be_doubted,
    may_be_numbered,
    may_name,
    split_name,
    strip_article,
)
from indexer.vocabulary import (
    LINKS,
    NO_NAMES,
    ROLES,
)
from rostrum_core.names import fold_name, strip_accents

LONGEST_CAPITAL_NAME = 3
# In a dialogue, tags open this share of the lines and reach this number; a short dialogue needs a larger
# share.
DIALOGUE_SHARE, DIALOGUE_TURNS = 0.2, 5
SHORT_DIALOGUE_SHARE, SHORT_DIALOGUE_TURNS = 0.5, 3
ALONE_SHARE = 0.3  # of the blocks, that are names with a colon and nothing else
# A debate has this many recurring names and this many turns of theirs; an office has this share of all
# turns.
FEWEST_MEMBERS, DEBATE_TURNS, OFFICE_SHARE = 5, 20, 0.1
TITLE_SHARE = 0.3  # of the recurring names, that begin with the same word
LONGEST_OFFICE = 12  # words
FEWEST_OFFICES = 3  # turns
FEWEST_WORDS_OF_LANGUAGE = 500  # distinct words, from which on an English text contains all of these
ENGLISH = frozenset(("the", "of", "and", "to"))
LONGEST_ITEM = 8  # words
OFTEN, COMMON_SHARE = 3, 0.001  # occurrences, and share of the lower-case words of a document
# Share of blocks that tags open where nearly every utterance has one.
EXHAUSTIVE_SHARE, EXHAUSTIVE_TURNS = 0.7, 3
JOINED = re.compile(r"/| [aA][nN][dD] | & ")
ROLL_CALL = re.compile(rf"[«“„\"][\w{MARKS}]+[.!]?[»”“\"]?\s*")  # "Jane Roe: «No.»", read out by the chair
ITEM = re.compile(r"[A-Z]|[IVXLC]+")  # "(A)" and "(IV)" number the items of a law


@dataclass(frozen=True, slots=True)
class Floor:
    """Hold the names in the speaker tags of one document.

    `believed` are the names that are accepted as speakers. `doubted` are names that may be speakers; after
    their tags, the speaker is unknown. `is_exhaustive` is true if nearly all blocks (paragraphs) begin with
    tags; then any text before a colon may be a tag.
    """

    believed: frozenset[str] = frozenset()
    doubted: frozenset[str] = frozenset()
    is_exhaustive: bool = False

    def find_tag(self, text: str, start: int = 0) -> tuple[Tag, bool] | None:
        """Find a possible speaker tag at offset `start` of a text: return (tag, whether it is accepted).

        Return `None` if no tag is there. If the tag is not accepted, the caller has to treat the speaker of
        the following words as unknown.
        """
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
        return (loose, False) if loose and has_figures(loose.name) else None


MOST_OF_A_ROSTER = 320


def judge(
    blocks: Iterable[str], speaker: str | None, named: Collection[str] = (), cut: Sequence[str] = ()
) -> Floor:
    r"""Decide which names are speaker tags in the blocks (paragraphs) of a document.

    `speaker` is the speaker of the document, if known: a tag with that name in capitals is accepted at once.
    `named` are names that the file itself marks as speakers. `cut` are lines that are not speech. If they
    have a list of participants, its names also count as known speakers.

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
    plain = [tag for tag in tags if not is_dotted(tag) and is_candidate(tag)]
    lists = [*blocks, *cut, *join_labels(cut)]
    listed = [name for name in (speaker, *named, *collect_rosters(lists)) if name]
    surnames = frozenset(get_surname(name) for name in listed)
    believed = _judge_colons(plain, surnames, blocks, len(lines)) | _judge_full_stops(dotted, len(blocks))
    unaccented = set(map(strip_accents, listed))
    believed |= _find_alone(blocks) | {tag.name for tag in plain if strip_accents(tag.name) in unaccented}
    believed |= _judge_brackets(tags, believed)
    turns = sum(tag.name in believed for tag in tags)
    is_exhaustive = turns >= max(EXHAUSTIVE_TURNS, EXHAUSTIVE_SHARE * len(blocks))
    doubted = _find_doubted(plain, believed, blocks, speaker)
    if named:  # the file marks its turns: an unclear name within a turn is a list or a heading
        doubted = frozenset(
            name for name in doubted if is_name_in_capitals(name) or is_titled(split_name(name))
        )
    return Floor(believed, doubted, is_exhaustive)


def _judge_colons(
    tags: Sequence[Tag], surnames: frozenset[str], blocks: Sequence[str], lines: int
) -> frozenset[str]:
    turns = Counter(tag.name for tag in tags)
    sure = {name for name in turns if _is_sure(name, surnames)} | _find_timed(tags, turns, surnames)
    sure |= {tag.name for tag in tags if tag.has_named_remark and is_office_of(split_name(tag.name))}
    titles = [
        name for name in turns if turns[name] > 1 and name != BARE_QUESTION and is_titled(split_name(name))
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
    """Return the possible speaker tags that are offices in a language other than English: "La presidenta".

    `turns` has the number of tags with each name, and `sure` the names that are already accepted. If `sure`
    is empty and all offices together have too few tags, return an empty set.
    """
    offices = {name for name in turns if is_office(name)}
    return offices if sure or sum(turns[name] for name in offices) >= FEWEST_OFFICES else set()


def _find_labels(names: Collection[str], turns: Counter[str], blocks: Sequence[str]) -> set[str]:
    """Return those of `names` that are labels, such as "TAXES:", and not speakers.

    A label is a single word in capitals. It occurs once as a tag, and elsewhere in the text in lower case.
    """
    words = {name for name in names if turns[name] == 1 and name.isupper() and len(split_name(name)) == 1}
    words = {name for name in words if not is_titled(split_name(name)) and name != BARE_QUESTION}
    small = _collect_small_words(blocks) if words else frozenset()
    return {name for name in words if name.lower() in small}


def _find_timed(tags: Sequence[Tag], turns: Counter[str], surnames: frozenset[str]) -> set[str]:
    """Return the names of possible speakers that have a time next to them: "[00:12] Jane Roe:".

    Lines with only a name and a time, such as "Jane Roe 0:12", may be a schedule. The names in such lines are
    returned only if at least one of them recurs, has a number ("Speaker 2"), or has the surname of a known
    speaker.
    """
    inline = {tag.name for tag in tags if tag.is_timed and tag.form is not Form.TIMED_LINE}
    alone = {tag.name for tag in tags if tag.form is Form.TIMED_LINE}
    if not any(turns[name] > 1 or get_number(name) or get_surname(name) in surnames for name in alone):
        alone = set()
    return {name for name in inline | alone if may_name(name)}


def _find_alone(blocks: Sequence[str]) -> frozenset[str]:
    """Return the names that stand alone on a line, if enough blocks (paragraphs) begin with such a line.

    There are two forms. A name with a colon is a block of its own: "Jane Roe:". A name with a time is the
    first line of a block, and speech follows in the lines below: "Jane Roe 0:12".
    """
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
    record = frozenset(name for name in turns if is_of_record(name)) | _find_dotted_offices(turns)
    record |= _find_dotted_capitals(turns)
    again = {name for name in turns if turns[name] > 1} - record
    titled = [name for name in turns if is_titled(split_name(name)) and is_capitalised(name)]
    dense = sum(turns[name] for name in titled) >= max(DIALOGUE_TURNS, SHORT_DIALOGUE_SHARE * blocks)
    hearing = dense and not again.isdisjoint(titled)
    if (
        DOTTED_QUESTION not in again
        and not any(is_bare_office(split_name(name)) for name in again)
        and not hearing
    ):
        return record
    named = {name for name in again if len(name.split()) > 1 and may_name(name)}
    roles = {name for name in turns if ROLES.issuperset(split_name(name)) and name[0].isupper()}
    return record | {name for name in named.union(titled, roles) if not is_address(split_name(name))}


def _find_dotted_offices(turns: Counter[str]) -> frozenset[str]:
    """Return the names that end with a full stop and are tags in the French or the Italian parliament.

    Examples are "M. le président." and "PRESIDENTE.". If there are such tags, a name of two or more words in
    capitals is a tag as well: "ANNA ROE (PD).".
    """
    offices = {
        name for name in turns if is_office(name) and (is_french(name) or is_name_in_capitals(name[:-1]))
    }
    if sum(turns[name] for name in offices) < FEWEST_OFFICES or all(turns[name] == 1 for name in offices):
        return frozenset()
    people = {name for name in turns if 1 < len(name.split()) <= LONGEST_DOUBTED_NAME and name.isupper()}
    ministers = {name for name in turns if ", " in name and is_office(name)}
    return frozenset(offices | {name for name in people if may_name(name)} | ministers)


def _find_dotted_capitals(turns: Counter[str]) -> frozenset[str]:
    """Return the names in capitals that are speaker tags with a full stop: "CHAIR ROE.".

    Transcripts of press conferences have such tags. They are accepted only if there are enough of them for a
    dialogue, and if a name with an office, such as "CHAIR", occurs at least twice.
    """
    people = {
        name
        for name in turns
        if 1 < len(name.split()) <= LONGEST_CAPITAL_NAME + 1 and name.isupper() and may_name(name)
    }
    chairs = [name for name in people if turns[name] > 1 and is_titled(split_name(name))]
    is_dialogue = sum(turns[name] for name in people) >= DIALOGUE_TURNS
    return frozenset(people if chairs and is_dialogue else ())


def _judge_brackets(tags: Sequence[Tag], believed: Collection[str]) -> frozenset[str]:
    """Return the names that are speaker tags in brackets: numbered ones, roles, and recurring ones.

    Examples are "[Speaker 2]" and "[Moderator]". A name that occurs once is a tag, too, if its last word is
    the first word or the surname of an accepted name: "[Jane]" or "[Mr. Roe]" if "Jane Roe" is in `believed`.
    """
    names = [tag.name for tag in tags if tag.form is Form.BRACKET and not is_note(tag.name)]
    often = Counter(name.casefold() for name in names)
    parts = {part for name in believed for part in (get_surname(name), fold_name(split_name(name)[0]))}
    return frozenset(
        name
        for name in names
        if (get_number(name) and may_be_numbered(name))
        or is_person(split_name(name))
        or (
            may_name(name)
            and not ITEM.fullmatch(name)
            and (often[name.casefold()] > 1 or get_surname(name) in parts)
        )
    )


def _find_doubted(
    tags: Sequence[Tag], believed: Collection[str], blocks: Sequence[str], speaker: str | None
) -> frozenset[str]:
    """Return the names that were not accepted as speakers, but may nevertheless be speakers.

    If no tag was accepted, most names are headings. Then a name of one word or of more than three words is
    left out, and so is a name with a word that occurs in lower case in the document. If the document's
    speaker is unknown as well, the result is empty.
    """
    if not believed and not speaker:
        return frozenset()
    left = [tag for tag in tags if tag.name not in believed]
    small = _collect_small_words(blocks) if left else frozenset()
    if _is_english(small):
        names = {tag.name for tag in left if may_be_doubted(tag)}
    else:
        names = _find_doubted_abroad(left, blocks, small)
    if not believed:
        names = {
            name
            for name in names
            if 1 < len(name.split()) <= LONGEST_CAPITAL_NAME and small.isdisjoint(split_name(name))
        }
    return frozenset(names)


def _find_doubted_abroad(tags: Sequence[Tag], blocks: Iterable[str], small: frozenset[str]) -> set[str]:
    """Return the names in unaccepted tags that may be speakers, for a document that is not in English.

    In other languages, an office may be in lower case: "La presidenta". Three kinds of names are left out:
    sentences (recognised by frequent words other than articles and prepositions), phrases whose words are in
    lower case elsewhere, and headings above a list.
    """
    turns = Counter(tag.name for tag in tags)
    often = max(OFTEN, OFFICE_SHARE * len(tags))
    common = _collect_common_words(blocks) - ARTICLES - PREPOSITIONS
    return {
        name
        for name in turns.keys() - _find_headings(blocks)
        if name[0].isupper()
        and len(name.split()) <= LONGEST_OFFICE
        and not NO_NAMES.intersection(split_name(name))
        and not is_vocative(name)
        and (is_office(name) or common.isdisjoint((name.split()[0].lower(), *name.split())))
        and (turns[name] >= often or is_office(name) or not small.issuperset(split_name(name)))
    }


def _find_headings(blocks: Iterable[str]) -> set[str]:
    """Return the words that look like a speaker's tag, but are the heading of a list: "Goals:".

    Such a heading is a whole block (paragraph). The next block is short and not a sentence, as an item of a
    list is: "Better roads".
    """
    return {
        tag.name
        for block, after in pairwise(blocks)
        if (tag := find_opening(block))
        and tag.text_start >= len(block.rstrip())
        and len(after.split()) <= LONGEST_ITEM
        and not SENTENCE_END.search(after)
    }


def _is_sure(name: str, surnames: frozenset[str]) -> bool:
    words = split_name(name)
    if get_number(name) or is_person_somewhere(words):
        return True
    if name == BARE_QUESTION or not is_name_in_capitals(name) or is_vocative(name):
        return False
    titled = len(name) > 1 and (is_titled(words) or (len(words) > 1 and is_office(name)))
    titled = titled or EXAMINATION.match(name) is not None
    return name == "Q" or titled or get_surname(name) in surnames or words == ["the", "court"]


def _is_likely(name: str, turns: Counter[str], company: bool) -> bool:
    """Return whether a name, in capitals or with a title or a role, is probably a speaker tag.

    `company` is true if the document has other signs of speaker tags. Without them, the name must recur, and
    be in capitals. `turns` counts the tags by name.
    """
    words = split_name(name)
    if name == BARE_QUESTION:
        return company or turns[name] > 1
    if is_titled(words):
        is_printed_so = is_capitalised(name.replace(" for ", " of "))
        return is_printed_so and (company or (turns[name] > 1 and is_name_in_capitals(name)))
    if is_holder(name):
        return company
    if NO_NAMES.intersection(strip_article(words)) or not is_name_in_capitals(name):
        return False
    initials = sum(len(word) == 1 for word in words)  # "Nkul Z S MAKHUBELE"
    return len(words) - initials <= LONGEST_CAPITAL_NAME and (company or turns[name] > 1)


def _is_dialogue_in_capitals(turns: Counter[str], lines: int) -> bool:
    """Return whether the names in capitals before colons are the speakers of a dialogue, instead of headings.

    A name of several words must recur. If only shorter names recur, many lines must begin with names in
    capitals.
    """
    capital = [
        name for name in turns if is_name_in_capitals(name) and may_name(name) and name != BARE_QUESTION
    ]
    again = [name for name in capital if turns[name] > 1]
    often = sum(turns[name] for name in capital)
    dense = often >= max(SHORT_DIALOGUE_TURNS, SHORT_DIALOGUE_SHARE * lines)
    return any(len(name.split()) > 1 for name in again) or bool(again and dense)


def _is_mostly_in_capitals(turns: Counter[str], names: set[str]) -> bool:
    """Return whether most speaker tags are in capitals, such as "MR. ROE:".

    If they are, "Washington Post:" is probably a heading and not a speaker tag.
    """
    capital = sum(
        turns[name] for name in names if is_name_in_capitals(name) and len(name) > len(BARE_QUESTION)
    )
    small = sum(
        count
        for name, count in turns.items()
        if count > 1 and not is_name_in_capitals(name) and may_name(name)
    )
    return capital > small


def _find_in_dialogue(turns: Counter[str], names: set[str], blocks: Sequence[str], lines: int) -> set[str]:
    """Return the mixed-case names that are speaker tags, such as "Jane Roe", if the document is a dialogue.

    In a dialogue, many lines begin with tags. Names are accepted if they recur, begin with a title, or have
    two or three words. In a language other than English, no word of the name may occur in lower case
    elsewhere.
    """
    possible = {name for name in turns if may_name(name)}
    again = {name for name in possible if turns[name] > 1}
    alike = again | {name for name in possible if 2 <= len(name.split()) <= 3 or is_titled(split_name(name))}
    long = sum(turns[name] for name in names | again) >= max(DIALOGUE_TURNS, DIALOGUE_SHARE * lines)
    short = sum(turns[name] for name in alike) >= max(SHORT_DIALOGUE_TURNS, SHORT_DIALOGUE_SHARE * lines)
    if not long and not (again and short):
        return set()
    small = _collect_small_words(blocks)
    if _is_english(small):
        return alike
    return {name for name in alike if small.isdisjoint(set(split_name(name)) - LINKS)}


def _find_in_parliament(tags: Sequence[Tag], turns: Counter[str], blocks: Sequence[str]) -> set[str]:
    """Return the mixed-case names that are speaker tags in a long debate, such as that of a parliament.

    Names of two or more words must recur, and none of their words may occur in lower case in the debate. If
    there are enough such names, a name that occurs once is accepted if it begins with the same title or is
    followed by brackets: "Abgeordneter Jan Roe (XPÖ):", "El president de la Generalitat (Jan Roe):". In a
    language other than English, an office in lower case is accepted if it has many of the turns: "La
    presidenta:".
    """
    if not _is_membership([name for name in _find_people(turns) if turns[name] > 1], turns):
        return set()
    small = _collect_small_words(blocks)
    people = _find_people(turns, small)
    again = {name for name in people if turns[name] > 1}
    if not _is_membership(again, turns):
        return set()
    first = Counter(split_name(name)[0] for name in again)
    titles = {word for word, often in first.items() if often >= TITLE_SHARE * len(again)}
    others = [
        tag
        for tag in tags
        if tag.name[0].isupper()
        and len(tag.name.split()) <= LONGEST_OFFICE
        and not NO_NAMES.intersection(split_name(tag.name))
    ]
    once = {
        tag.name
        for tag in others
        if split_name(tag.name)[0] in titles or (tag.remarks and tag.name in people)
    }
    offices = {tag.name for tag in others if tag.has_named_remark}
    if not _is_english(small):
        offices |= {tag.name for tag in others if turns[tag.name] >= OFFICE_SHARE * len(tags)}
    return again | once | offices


def _find_people(turns: Iterable[str], small: frozenset[str] = frozenset()) -> set[str]:
    """Return the names among `turns` that look like a person's full name, with two or more words.

    `small` are the words that the document has in lower case. A name that contains such a word is left out,
    except for linking words such as "de".
    """
    likely = {name for name in turns if may_name(name) and 1 < len(name.split()) <= LONGEST_DOUBTED_NAME}
    return {name for name in likely if small.isdisjoint(set(split_name(name)) - LINKS)}


def _is_membership(names: Collection[str], turns: Counter[str]) -> bool:
    return len(names) >= FEWEST_MEMBERS and sum(turns[name] for name in names) >= DEBATE_TURNS


def _is_english(small: frozenset[str]) -> bool:
    """Return whether a document may be in English, judging by `small`, the set of its lower-case words.

    This is so if the set has all of "the", "of", "and" and "to", or if it is too small to judge.
    """
    return len(small) < FEWEST_WORDS_OF_LANGUAGE or small.issuperset(ENGLISH)


def _collect_small_words(blocks: Iterable[str]) -> frozenset[str]:
    """Return the set of words in a document that begin in lower case."""
    return frozenset(
        word for block in blocks for word in re.findall(r"[^\W\d_]+", block) if word[0].islower()
    )


def _collect_common_words(blocks: Iterable[str]) -> frozenset[str]:
    """Return the set of frequent words in a document that begin in lower case."""
    often = Counter(word for block in blocks for word in block.split() if word[0].islower())
    fewest = max(OFTEN, COMMON_SHARE * often.total())
    return frozenset(word for word, count in often.items() if count >= fewest)


def _find_joint(turns: Counter[str], names: Collection[str]) -> set[str]:
    """Return the names that join several accepted names: "ROE AND DOE", "Roe/Doe"."""
    surnames = {get_surname(name) for name in names}
    joint = {name: JOINED.split(name) for name in turns if JOINED.search(name)}
    return {
        name for name, parts in joint.items() if all(get_surname(part) in surnames for part in parts if part)
    }
