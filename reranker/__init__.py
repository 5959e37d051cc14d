"""Run the models that find quotable paragraphs for a draft, and combine their scores.

The parts are the tokenizer (WordPieces), the encoder, the ranker, the choice of the words to quote (spans),
and the fusion of scores. The only I/O of this package is to read files of the models and the flags of the
processor.
"""

from rostrum_core.telemetry import disable_telemetry

disable_telemetry()  # before an inference engine is imported
