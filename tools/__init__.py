"""Development programs that tests and benchmarks also use; not part of the product."""
