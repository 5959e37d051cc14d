"""Run the models and their arithmetic: WordPieces, encoder, ranker, spans, fusion.

Reading weights is the only I/O of this package.
"""

from rostrum_core.telemetry import disable_telemetry

disable_telemetry()  # before an inference engine is imported
