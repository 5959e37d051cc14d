"""Measure models and archives: judged rows, measures, significance, the gate and its reports."""
