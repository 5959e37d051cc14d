"""Search paragraphs by words and phrases: highlighted, counted by facet, ordered by fit or date."""
