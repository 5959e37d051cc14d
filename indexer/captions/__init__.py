"""Convert captions of a recording to running text: parse cues, remove repeats, find turns and paragraphs."""
