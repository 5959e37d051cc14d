"""Compare a claim with the clause of a sentence that says most of it: whether it says so, or the opposite.

The shipped model does not recognize contradictions: of the test rows of SciFact that it calls so with a share
of 0.5 or more, 31 % are. This comparison needs most of the claim's words in one clause, and a negation or an
opposite in one of both. Figures: docs/lab/evidence.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from jobs.verify.paraphrases import find_contradiction, stem_words
from quotations.meaning import MeaningClass

CUT = re.compile(
    r"""[;:–—()]|,?\s+(?:but|although|though|while|whereas|however|because|since|if|when|unless|except|despite
    |rather[ ]than|in[ ]contrast)\b|[.,]\s""",
    re.VERBOSE | re.IGNORECASE,
)
ATTRIBUTION = re.compile(
    r"^[^.,;:]{1,60}?\b(?:said|says|claimed|claims|argued|insisted|warned|promised|wrote|thought)\s+(?:that\s+)?"
)
"""Who says so, at the beginning of a claim: the speaker's own sentence has no such words."""

LEAST_STEMS = 3  # that both share: fewer words stand in any sentence about the matter


@dataclass(frozen=True, slots=True)
class ClauseMatch:
    """The clause of a sentence that says most of a claim.

    `coverage` is the share of the claim's words that carry its sense and stand in the clause. `differs` is
    true if one of both has a negation that the other lacks, or an opposite of a word of the other.
    """

    coverage: float
    differs: bool


def match_clause(claim: str, sentence: str) -> ClauseMatch | None:
    """Return the best clause of a sentence for a claim; `None` if they share too few words to compare.

    >>> match_clause("The sanctions were lifted in May.", "The sanctions were not lifted in May, he said.")
    ClauseMatch(coverage=1.0, differs=True)
    >>> match_clause("Lee said that the sanctions were lifted in May.", "The sanctions were lifted in May.")
    ClauseMatch(coverage=1.0, differs=False)
    >>> match_clause("The sanctions were lifted.", "But the sanctions were lifted.") is None
    True
    """
    claim = ATTRIBUTION.sub("", claim)
    stems = stem_words(claim)
    parts = [(len(stems & stem_words(part)), part) for part in CUT.split(sentence)]
    shared, part = max(parts, key=lambda item: item[0])
    differences = find_contradiction(claim, part)
    shared += MeaningClass.OPPOSITE in differences  # it stands where the claim's word would
    if shared < LEAST_STEMS:
        return None
    return ClauseMatch(shared / len(stems), bool(differences))
