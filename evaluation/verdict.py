"""Decide from four comparisons with the models in use whether candidate models may be published."""

from __future__ import annotations

from dataclasses import dataclass

SIGNIFICANT = 0.05
COMPARISONS = 4
LEAST_SPEECHES = 8
"""Minimum number of speeches.

The rows of a speech flip signs together, so with k speeches p is at least 2 / 2 ** k: with 7 it is 0.016.
"""


@dataclass(frozen=True)
class Comparison:
    """Compare the candidate models with those in use by one `measure`, from 0 to 1.

    `candidate` and `in_use` are the means over `n` rows, which quote `speeches` different speeches. `p_value`
    is that of the difference between the two means.
    """

    measure: str
    n: int
    speeches: int
    candidate: float
    in_use: float
    p_value: float

    @property
    def conclusive(self) -> bool:
        """Return whether the rows quote at least `LEAST_SPEECHES` speeches.

        With fewer speeches, no difference can be significant.
        """
        return self.speeches >= LEAST_SPEECHES

    @property
    def proven(self) -> bool:
        """Return whether the candidate is significantly better, corrected (Bonferroni) for four comparisons.

        In the example, the candidate has 0.42 and the version in use 0.40.

        >>> [Comparison("map", 300, 90, 0.42, 0.40, p).proven for p in (0.01, 0.02)]
        [True, False]
        """
        return self.candidate > self.in_use and COMPARISONS * self.p_value < SIGNIFICANT

    @property
    def proven_worse(self) -> bool:
        """Return whether the candidate is significantly worse, without Bonferroni's correction.

        With the correction, fewer candidates would be proven worse, so that more candidates would pass.

        In the example, the candidate has 0.40 and the version in use 0.42.

        >>> [Comparison("f1", 300, 90, 0.40, 0.42, p).proven_worse for p in (0.04, 0.06)]
        [True, False]
        """
        return self.candidate < self.in_use and self.p_value < SIGNIFICANT

    def __str__(self) -> str:
        """Format the means of both versions in percent, with p and the numbers of rows and speeches.

        >>> print(Comparison("map", 300, 90, 0.42, 0.40, 0.01))
        map 42.00 against 40.00 of the version in use, p 0.0100, 300 rows of 90 speeches
        """
        return (
            f"{self.measure} {100 * self.candidate:.2f} against {100 * self.in_use:.2f}"
            f" of the version in use, p {self.p_value:.4f}, {self.n} rows of {self.speeches} speeches"
        )


@dataclass(frozen=True)
class Verdict:
    """Hold the four comparisons of the publication gate (see `evaluation.gate`) between two versions."""

    refitted: Comparison
    as_they_are: Comparison
    span_f1: Comparison
    span_em: Comparison

    @property
    def better(self) -> bool:
        """Return whether the candidate may be published.

        At least one of the four comparisons must prove it better. It must not rank worse with its published
        fusion (`as_they_are`), and its spans must not be proven worse (`span_f1`, `span_em`).

        >>> found = [(0.42, 0.01), (0.40, 0.90), (0.38, 0.04)]
        >>> better, alike, worse = (Comparison("f1", 300, 90, mean, 0.40, p) for mean, p in found)
        >>> Verdict(better, alike, alike, alike).better, Verdict(alike, alike, better, alike).better
        (True, True)
        >>> Verdict(better, worse, alike, alike).better, Verdict(better, alike, worse, alike).better
        (False, False)
        >>> Verdict(better, better, better, worse).better
        False
        """
        return any(comparison.proven for comparison in self._all) and not self._faults

    @property
    def refusal(self) -> str:
        """Return the reason why the candidate may not be published, as text for the user.

        In the example, the four comparisons are of refitted fusion, of published fusion, and two of spans.

        >>> found = [(0.42, 0.01), (0.40, 0.90), (0.38, 0.04)]
        >>> better, alike, worse = (Comparison("f1", 300, 90, mean, 0.40, p) for mean, p in found)
        >>> Verdict(alike, alike, alike, alike).refusal, Verdict(better, worse, worse, alike).refusal
        ('not proven better', 'better, but it ranks worse as it is, its spans are proven worse')
        >>> few = Comparison("map", 300, 7, 0.42, 0.40, 0.03)
        >>> Verdict(few, few, few, few).refusal
        'rows of fewer than 8 speeches can prove nothing'
        """
        if not any(comparison.conclusive for comparison in self._all):
            return f"rows of fewer than {LEAST_SPEECHES} speeches can prove nothing"
        if not any(comparison.proven for comparison in self._all):
            return "not proven better"
        return f"better, but {', '.join(self._faults)}"

    @property
    def _faults(self) -> list[str]:
        """Return the reasons to reject the candidate models even if they are proven better; [] if none."""
        reasons = []
        if self.as_they_are.candidate < self.as_they_are.in_use:
            reasons.append("it ranks worse as it is")
        if self.span_f1.proven_worse or self.span_em.proven_worse:
            reasons.append("its spans are proven worse")
        return reasons

    @property
    def _all(self) -> tuple[Comparison, ...]:
        return (self.refitted, self.as_they_are, self.span_f1, self.span_em)

    def __str__(self) -> str:
        """Format the four comparisons, one on each line."""
        named = zip(("fusion refitted", "as they are", "spans", "spans"), self._all, strict=True)
        return "\n".join(f"{what}: {comparison}" for what, comparison in named)
