"""Measure the product, and write the figures to results/."""
