"""Make training pairs from articles and the transcripts that they quote."""
