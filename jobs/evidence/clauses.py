"""Compare a claim with the clause of a sentence that says most of it: whether it says so, or the opposite.

The shipped model does not recognize contradictions: of the test rows of SciFact that it calls so with a share
of 0.5 or more, 31 % are. This comparison needs most of the claim's words in one clause, and a negation or an
opposite in one of both. Figures: docs/lab/evidence.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from jobs.verify.paraphrases import find_contradiction, stem_words

CUT = re.compile(
    r"""[;:–—()]|,?\s+(?:but|although|though|while|whereas|however|because|since|if|when|unless|except|despite
    |rather[ ]than|in[ ]contrast)\b|[.,]\s""",
    re.VERBOSE | re.IGNORECASE,
)
LEAST_STEMS = 3  # of a claim: fewer words stand in any sentence about the matter


@dataclass(frozen=True, slots=True)
class ClauseMatch:
    """The clause of a sentence that says most of a claim.

    `coverage` is the share of the claim's words that carry its sense and stand in the clause. `differs` is
    true if one of both has a negation that the other lacks, or an opposite of a word of the other.
    """

    coverage: float
    differs: bool


def match_clause(claim: str, sentence: str) -> ClauseMatch | None:
    """Return the best clause of a sentence for a claim; `None` if the claim has too few words to compare.

    >>> match_clause("The sanctions were lifted in May.", "The sanctions were not lifted in May, he said.")
    ClauseMatch(coverage=1.0, differs=True)
    >>> match_clause("The sanctions were lifted.", "But the sanctions were lifted.") is None
    True
    """
    stems = stem_words(claim)
    if len(stems) < LEAST_STEMS:
        return None
    parts = [(len(stems & stem_words(part)) / len(stems), part) for part in CUT.split(sentence)]
    coverage, part = max(parts, key=lambda item: item[0])
    return ClauseMatch(coverage, bool(find_contradiction(claim, part)))
