"""Find the sentences of documents that support or contradict a claim."""
