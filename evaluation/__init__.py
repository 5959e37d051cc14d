"""Evaluate models and archives: judged rows, measures, significance tests, the publication gate and
reports.
"""
