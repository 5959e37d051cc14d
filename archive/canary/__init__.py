"""Compare the top results of saved drafts now with those after an update, before the update takes effect.

An update is a new generation (a version of the archive) or new models. Saved drafts are drafts for which an
operator watches the top results.
"""
