from zlib import crc32

from quotations.text.kept_words import KEPT, RULES

TEXTS = [
    "We choose to go to the Moon in this decade, not because it is easy: because it is hard, said Kennedy.",
    "Of twenty-two men 1,500 miles away, he’d say “Don’t!” twice; the U.S. Navy’s cities weren't theirs.",
    "Two thousand, five hundred e-mails of McNamara — O'Brien's, in No. 5 — were passed, faced and denied.",
]


def test_a_change_of_the_rules_has_a_new_number():
    """Raise `RULES` when the words of these texts change: archives keep them by its number."""
    words = [f"{name}: {' '.join(sorted(read(text)))}" for name, read in KEPT.items() for text in TEXTS]
    assert (RULES, crc32("\n".join(words).encode())) == (1, 3830049882)
