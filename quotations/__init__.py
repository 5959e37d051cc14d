"""Find quotations in text, compare their words with a transcript, and say which words differ."""
