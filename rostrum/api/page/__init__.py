"""Serve the pages for people: forms that work without scripts, and their templates, style and scripts."""
