# SPDX-License-Identifier: GPL-3.0-or-later
"""Statistics of paired measurements on a noisy machine: nothing here assumes a distribution."""

from math import comb, exp, log
from statistics import median

CONFIDENCE = 0.95

# An interval wider than this says nothing about a difference of some percent.
WIDEST = 1.2


def pair_ratios(a, b):
    """
    One ratio a/b per round: what drifts from round to round hits both and cancels. A may be 0 (less processor
    time than one tick of the kernel's accounting); a round in which b is 0 says nothing.
    """
    return [x / y for x, y in zip(a, b) if y > 0]


def interval(values):
    """
    Order-statistics interval of the median with at least 95 % confidence: between the k-th smallest and the k-th
    largest of n values the median lies with probability 1 - 2 x sum(C(n, i), i < k) / 2^n (sign test). Below six
    values that is not reached even by the extremes, which are then given: 94 % for five.
    """
    ordered, n, k = sorted(values), len(values), 1
    while k < n // 2 and 1 - 2 * sum(comb(n, i) for i in range(k + 1)) / 2 ** n >= CONFIDENCE:
        k += 1
    return ordered[k - 1], ordered[n - k]


def self_noise(values):
    """
    How much a tool differs from itself between neighbouring rounds: the median of |ln(next / this)|, as a share.
    The yardstick for a difference between two tools.
    """
    steps = [abs(log(b / a)) for a, b in zip(values, values[1:]) if a > 0 and b > 0]
    return exp(median(steps)) - 1 if steps else 0.0


def per_io(results, figure):
    """
    FIGURE(result) is a time per I/O; this is the time of all rounds over the I/Os of all rounds. The kernel counts
    processor time in ticks of some ms, and a median of small counts is biased, often down to 0; their sum is not.
    """
    return sum(figure(r) * r.ios for r in results) / sum(r.ios for r in results)


class Comparison:
    """Tool A beside tool B in one figure, over the rounds."""

    def __init__(self, a, b):
        self.a, self.b = list(a), list(b)
        ratios = pair_ratios(self.a, self.b)
        if not ratios:
            raise ValueError('no round with both figures')
        self.median_a, self.median_b = median(self.a), median(self.b)
        self.of_medians = self.median_a / self.median_b if self.median_b else 0.0
        self.of_pairs = median(ratios)
        self.low, self.high = interval(ratios)
        self.noise_a, self.noise_b = self_noise(self.a), self_noise(self.b)

    def verdict(self, low, high):
        """
        'ok' inside [low, high]; 'OUTSIDE' when the whole interval is outside; 'noise' when this many rounds cannot
        tell: the median is outside but the interval reaches in, or the median is inside by an interval so wide
        (a tenth on each side) that it would be there by chance.
        """
        if self.high < low or self.low > high:
            return 'OUTSIDE'
        inside = low <= self.of_pairs <= high
        return 'ok' if inside and self.high <= self.low * WIDEST else 'noise'

    def record(self):
        return {
            'median_a': self.median_a, 'median_b': self.median_b, 'ratio_of_medians': self.of_medians,
            'median_of_ratios': self.of_pairs, 'interval': [self.low, self.high],
            'self_noise_a': self.noise_a, 'self_noise_b': self.noise_b, 'a': self.a, 'b': self.b,
        }
