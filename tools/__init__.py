"""Collect development programs that tests and benchmarks use too; not part of the product."""
