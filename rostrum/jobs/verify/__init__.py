"""The job verify: whether every quotation is what was said, by whom, and cut fairly."""
