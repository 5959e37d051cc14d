"""Recommend paragraphs for a draft, with the words worth quoting in each."""
