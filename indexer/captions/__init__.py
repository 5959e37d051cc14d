"""Convert captions of a recording to running text: cues, repeats, turns, paragraphs."""
