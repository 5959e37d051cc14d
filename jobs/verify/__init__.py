"""Verify quotations: check whether each quotation has the right words, the right speaker, and a fair cut (one
that does not change the meaning).
"""
