"""The job verify: check whether every quotation is what was said, by whom, and cut fairly."""
