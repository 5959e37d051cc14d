"""Compare the top results of saved drafts before a generation or other models are published."""
