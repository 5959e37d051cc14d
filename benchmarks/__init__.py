"""Scripts that measure, and write what they saw to results/."""
