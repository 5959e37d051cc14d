"""ParagraphStore in this process: tantivy for BM25, FAISS for vectors, SQLite for the rest."""
