"""Recommend paragraphs, and the words of each, for a draft."""
