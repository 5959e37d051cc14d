"""Match quotations with transcripts, and find the differences between their words."""
