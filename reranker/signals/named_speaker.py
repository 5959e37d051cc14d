"""Score a paragraph by whether the draft names the paragraph's speaker near the place of the quote.

The score is higher if the draft names the speaker as the person who is quoted.
"""

from __future__ import annotations

import numpy as np

from quotations.names.speaker_names import find_named
from reranker.signals.attributed_speaker import read_attributed, read_near
from reranker.signals.signal import Context, Floats, Signal

ATTRIBUTED = 2.0
"""Score of the speaker to whom the draft attributes the quote, where the full name alone scores 1.

Of 278 drafts whose unfinished sentence has a speaker of the archive as the subject of "said" or the like, 257
continue with words of that speaker (dev and test; debates, which have no single speaker, left out).
"""


def read_named(context: Context) -> Floats:
    """Return, for each document, how certainly the draft names the document's speaker.

    The value is 1 for the full name, less for the surname alone, else 0. If the draft attributes the quote to
    the speaker ("Lincoln said:"), the value is higher than 1 (`ATTRIBUTED`).
    """
    draft, speakers = context.draft, context.candidates.speakers
    named = find_named(speakers, f"{draft.title}\n{read_near(draft)}")
    attributed = context.compute(read_attributed)
    is_attributed = np.array([speaker in attributed for speaker in speakers], np.bool_)
    return np.where(is_attributed & (named > 0), ATTRIBUTED, named)


def _score_named(context: Context) -> Floats | None:
    if not context.names or not len(context.candidates):
        return None
    return context.compute(read_named)[context.candidates.owners]


NAMED = Signal("named", "the speaker is named in the draft", "log", "document", _score_named)
