"""Run model code: in this process, or by Celery workers."""
