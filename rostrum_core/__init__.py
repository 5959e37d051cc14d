"""The ground of Rostrum: types, ports, errors, settings, codec, locks. Imports nothing of ours."""
