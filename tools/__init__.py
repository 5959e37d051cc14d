"""Programs of development that tests and benchmarks use too; no part of the product."""
