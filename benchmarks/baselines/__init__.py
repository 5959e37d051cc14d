"""Measure the baselines of the paper on the same rows and with the same metrics; they are no part of the
product.

Source of all: "Context-Based Quotation Recommendation" (ICWSM 2021).
"""
