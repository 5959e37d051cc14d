"""Rostrum finds the quote a writer needs: ranked paragraphs of speeches, with the words worth quoting marked."""
