"""Captions of a recording become running text: cues, repeats, turns, paragraphs."""
