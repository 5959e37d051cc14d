"""The job verify: check whether each quotation has the right words, the right speaker, and a fair cut."""
