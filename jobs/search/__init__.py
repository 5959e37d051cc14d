"""Search paragraphs by words and phrases, with highlighting, facet counts, and order by fit or date."""
