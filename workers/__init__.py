"""Tasks of model code, and the runners that have them done here or by workers."""
