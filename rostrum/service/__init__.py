"""The one code path of each job."""
