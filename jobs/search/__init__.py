"""Search paragraphs by words and phrases, with highlighting and facet counts, sorted by match or by date."""
