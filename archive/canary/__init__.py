"""Compare the top results of saved drafts before a new generation or new models replace those in use.

A generation is a version of the archive. Saved drafts are drafts for which an operator watches the top
results.
"""
