"""Compare the top results of saved drafts before a generation or other models are published.

Saved drafts are drafts for which an operator watches the top results.
"""
