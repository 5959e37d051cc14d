"""Fill and maintain an archive: refresh it, delete documents, and switch versions of the models.

The module `archive.service` provides all jobs of an archive.
"""
