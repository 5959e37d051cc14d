"""Define the foundations of Rostrum: types, ports, errors, settings, codec and locks.

This package imports no other package of ours.
"""
