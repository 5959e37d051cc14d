"""Rostrum finds the quote a writer needs: ranked paragraphs with the words worth quoting marked."""
