"""The signals of the first stage, one module each."""
