"""Find the well-known quote that fits between two texts."""
