"""Define the ground of Rostrum: types, ports, errors, settings, codec and locks. Imports no other package
of ours.
"""
