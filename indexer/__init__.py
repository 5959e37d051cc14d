"""From a transcript file to documents and paragraphs."""
