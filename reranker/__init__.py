"""Models and arithmetic at run time: WordPieces, encoder, ranker, spans, fusion. No I/O but weights."""
