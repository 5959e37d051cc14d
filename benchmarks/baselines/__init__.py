"""The baselines of the paper, each over the same rows, judged by the same metrics; no part of the product.

Source of all: "Context-Based Quotation Recommendation" (ICWSM 2021).
"""
