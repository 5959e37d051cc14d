"""The shared words: types, ports, errors, settings, codec. Standard library and numpy only."""
