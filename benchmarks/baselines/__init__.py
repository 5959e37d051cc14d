"""Run the baselines of the paper over the same rows and metrics; they are no part of the product.

Source of all: "Context-Based Quotation Recommendation" (ICWSM 2021).
"""
