"""Define tasks of model code, and the runners that run them in this process or on workers."""
