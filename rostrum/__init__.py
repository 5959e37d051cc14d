"""Rostrum finds the quote a writer needs: ranked paragraphs with the words worth quoting marked."""

from rostrum_core.telemetry import disable_telemetry

disable_telemetry()
