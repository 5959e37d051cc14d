"""Quotations in text: find them, compare their words with a transcript, and say which words differ."""
