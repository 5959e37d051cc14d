"""Define the signals of the first stage and of the merged answer, one object each; `SIGNALS` lists them
all.

To add one, write its module here with its test, add the object to `SIGNALS`, and fit the weights.
"""

from __future__ import annotations

from reranker.signals.exact_words import EXACT
from reranker.signals.following import FOLLOWS, QUOTED
from reranker.signals.length import LENGTH
from reranker.signals.named_speaker import NAMED
from reranker.signals.neighbours import AROUND
from reranker.signals.recency import RECENCY
from reranker.signals.signal import Context, Signal
from reranker.signals.stored import DENSE, DOCUMENT, LEXICAL

SIGNALS = (LEXICAL, DOCUMENT, DENSE, QUOTED, FOLLOWS, AROUND, EXACT, NAMED, RECENCY, LENGTH)
FIRST_STAGE = tuple(signal for signal in SIGNALS if not signal.merged)
STAGES = tuple(signal.name for signal in FIRST_STAGE)
MERGED = tuple(signal.name for signal in SIGNALS)
BY_NAME = {signal.name: signal for signal in SIGNALS}

__all__ = ["BY_NAME", "FIRST_STAGE", "MERGED", "SIGNALS", "STAGES", "Context", "Signal"]
