"""Parse English: parts of speech, clauses, and passages with all that was parsed of them."""
