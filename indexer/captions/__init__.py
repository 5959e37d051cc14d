"""Convert captions to running text: parse cues, remove repeats, find speakers and paragraphs."""
