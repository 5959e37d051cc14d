"""Fill and maintain an archive: refresh, withdraw, model versions, and the service over it."""
