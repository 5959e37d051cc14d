"""The jobs of Rostrum, one folder each."""
