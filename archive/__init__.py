"""Fill and maintain an archive: refresh, delete documents, switch model versions; and the service with all
jobs.
"""
