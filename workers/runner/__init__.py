"""Run model code, such as ranking paragraphs: in this process, or on Celery workers."""
