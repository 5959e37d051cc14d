"""Find the speeches and articles that repeat the words of a text."""
