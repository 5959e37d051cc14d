"""List all signals in `SIGNALS`: the scores, such as BM25, that are reasons to recommend a paragraph.

Signals of the first stage select candidates; all signals count in the order of the final answer. To add a
signal, write its module and a test, add the object to `SIGNALS`, and fit the weights.
"""

from __future__ import annotations

from reranker.signals.announced_words import ANNOUNCED
from reranker.signals.begun_sentence import BEGUN
from reranker.signals.exact_words import EXACT
from reranker.signals.following import FOLLOWS, QUOTED
from reranker.signals.length import LENGTH
from reranker.signals.named_speaker import NAMED
from reranker.signals.neighbours import AROUND
from reranker.signals.paraphrase import FRESH, RETOLD
from reranker.signals.recency import RECENCY
from reranker.signals.shared_names import NAMES
from reranker.signals.signal import Context, Signal
from reranker.signals.stored import DENSE, DOCUMENT, LEXICAL

SIGNALS = (
    LEXICAL,
    DOCUMENT,
    DENSE,
    QUOTED,
    FOLLOWS,
    AROUND,
    EXACT,
    BEGUN,
    ANNOUNCED,
    RETOLD,
    FRESH,
    NAMES,
    NAMED,
    RECENCY,
    LENGTH,
)
FIRST_STAGE = tuple(signal for signal in SIGNALS if not signal.merged)
STAGES = tuple(signal.name for signal in FIRST_STAGE)
MERGED = tuple(signal.name for signal in SIGNALS)
BY_NAME = {signal.name: signal for signal in SIGNALS}
DEFAULTS = {signal.name: signal.default for signal in SIGNALS if signal.default is not None}

__all__ = ["BY_NAME", "DEFAULTS", "FIRST_STAGE", "MERGED", "SIGNALS", "STAGES", "Context", "Signal"]
