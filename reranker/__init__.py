"""Models and arithmetic at run time: WordPieces, encoder, ranker, spans, fusion. No I/O but weights."""

from rostrum_core.telemetry import disable_telemetry

disable_telemetry()  # before an inference engine is imported
