"""Evaluate models and archives: scores of every stage, measures, significance tests, the publication gate and
reports.
"""
