"""Read and compare names of persons."""
