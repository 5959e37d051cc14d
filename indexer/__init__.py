"""Convert transcript files to documents and paragraphs."""
