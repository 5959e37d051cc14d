"""Run the models and their arithmetic: WordPieces, encoder, ranker, spans, fusion. The only I/O is reading
weights.
"""

from rostrum_core.telemetry import disable_telemetry

disable_telemetry()  # before an inference engine is imported
