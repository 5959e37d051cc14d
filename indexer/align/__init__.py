"""Training pairs from articles and transcripts: quotations, and the words of a speech that they quote."""
