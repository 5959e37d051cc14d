"""Define tasks of model code, and runners that execute them in this process or on workers."""
