"""Misspelt words of a draft, over a small archive."""

from collections.abc import Callable
from pathlib import Path

import pytest

from embedded.store import EmbeddedStore
from jobs.recommend.spelling import correct_draft
from rostrum_core.ports import Entry
from rostrum_core.types import Draft

KNOWN = (
    "industry",
    "influence",
    "government",
    "analysis",
    "ministry",
    "remember",
    "thirties",
    "person",
    "persons",
    "forty",
    "fourth",
)
VOCABULARY = frozenset([*KNOWN, "facing", "neighbor", "gorbachev"])


@pytest.fixture
def store(tmp_path: Path, entry: Callable[..., Entry], publish: Callable[..., str]) -> EmbeddedStore:
    store = EmbeddedStore(tmp_path / "archive")
    publish(
        store,
        entry(
            "a",
            [
                "the arms industry and its influence on government",
                "Gorbachev spoke of lobi",
                "a person in the thirties, facing a neighbor",
                "the fourth of forty persons, and a fourth",
            ],
        ),
    )
    return store


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        ("the arms indstry has influnce in goverment", "the arms industry has influence in government"),
        ("the military-indstry complex", "the military-industry complex"),
        ("fourty persns", "forty persons"),  # "fourth" is as near
        ("al-Indstry", "al-Indstry"),
        ("Goverment has to act", "Government has to act"),
        ("the minstry", "the minstry"),  # its word is not in the archive
        ("lobi and arms", "lobi and arms"),  # the archive has it
        ("the INDSTRY", "the INDSTRY"),
        ("see indstry.org", "see indstry.org"),
        ("", ""),
    ],
)
def test_a_word_that_nobody_knows_is_read_as_the_nearest_that_the_archive_has(store, left, expected):
    assert correct_draft(Draft(left=left), store, VOCABULARY)[0].left == expected


@pytest.mark.parametrize(
    "left",
    [
        "the thirtieth anniversary",
        "they were fracking",
        "the neighbour",
        "a neighbourless and unfaced wall",
        "then Pierson spoke",
    ],
)
def test_no_english_word_and_no_name_is_read_as_another(store, left):
    assert correct_draft(Draft(left=left), store, VOCABULARY) == (Draft(left=left), [])


def test_a_misspelt_name_is_read_as_the_name(store):
    assert (
        correct_draft(Draft(left="then Gorbachov spoke"), store, VOCABULARY)[0].left == "then Gorbachev spoke"
    )


def test_what_was_read_otherwise_is_said(store):
    _, remarks = correct_draft(Draft(title="indstry", left="influnce"), store, VOCABULARY)
    assert remarks == ["read as misspelt: indstry as industry, influnce as influence"]
    assert correct_draft(Draft(left="industry"), store, VOCABULARY)[1] == []


@pytest.mark.parametrize("word", ["couldnt", "Shouldnt", "theyre", "youve", "wouldve", "couldn"])
def test_a_short_form_without_its_apostrophe_is_a_word_and_what_is_left_of_one_none(
    tmp_path, entry, publish, word
):
    store = EmbeddedStore(tmp_path / "archive")
    publish(store, entry("a", ["They couldn't know, and they shouldn't guess what there is."]))
    known = frozenset(["couldn", "shouldn", "there", "your", "could"])
    draft = Draft(left=f"They {word} know")
    assert correct_draft(draft, store, known) == (draft, [])


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        ("never a quiter", "never a quitter"),  # an English word that no model knows; "quite" is as near
        ("an axis of evel", "an axis of evil"),
        ("a ship of evol men", "a ship of evil men"),
        ("the evils of evle", "the evils of evle"),  # of four letters, only a vowel may be wrong
    ],
)
def test_doubled_letters_and_short_words_are_corrected(tmp_path, entry, publish, left, expected):
    store = EmbeddedStore(tmp_path / "archive")
    publish(store, entry("a", ["quite a quitter, and quite a ship", "the axis of evil, quite evil"]))
    corrected, _ = correct_draft(Draft(left=left), store, frozenset({"quite", "evil", "ship", "men"}))
    assert corrected.left == expected
