# SPDX-License-Identifier: Apache-2.0
"""statistics.py > testdata/statistics.txt - what scipy and pymannkendall say of lists of samples; lib/measure/significance_test.c
holds lib/measure/stats.c, lib/base/sorted.c and lib/measure/significance.c against it.

A line `list NAME VALUES…` is a list; `stats NAME mean std cv median mad low high` are its figures, the last two the 95 % interval
of the median; `trend NAME s p`; `utest NAME NAME u p exact`. What is not to be had is nan. To make it anew:

    python3 -m venv build/venv && build/venv/bin/pip install scipy pymannkendall
    build/venv/bin/python3 scripts/reference/statistics.py >testdata/statistics.txt
"""
import importlib.metadata
import random
import warnings

import numpy
import pymannkendall
import scipy.stats


def lists():
    draw = random.Random(20)
    times = lambda n, scale=1.0: [round(scale * (100 + draw.expovariate(0.2)), 5) for _ in range(n)]  # noqa: E731
    return {
        "few": times(5), "six": times(6), "odd": times(11), "shifted": [round(x + 4, 5) for x in times(9)], "exact": times(25),
        "even": times(24, 1.03), "beyond": times(26, 1.05), "large": times(401, 1.02),
        "tied": [draw.randrange(5) + 1.0 for _ in range(31)],
        "rising": [round(100 + i * 0.4 + draw.random() * 10, 2) for i in range(41)],
        "falling": [float(100 - i // 4) for i in range(23)], "same": [7.0] * 9, "four": times(4),
    }


def figures(v):
    low = high = float("nan")
    if len(v) >= 6:
        interval = scipy.stats.quantile_test(v, q=numpy.median(v), p=0.5).confidence_interval(0.95)
        low, high = interval.low, interval.high
    mad = scipy.stats.median_abs_deviation(v)
    return numpy.mean(v), numpy.std(v), scipy.stats.variation(v), numpy.median(v), mad, low, high


def utest(a, b):
    ties = len(set(a + b)) < len(a) + len(b)
    exact = not ties and max(len(a), len(b)) <= 25
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = scipy.stats.mannwhitneyu(a, b, alternative="two-sided", method="exact" if exact else "asymptotic")
    return result.statistic, 1.0 if numpy.isnan(result.pvalue) else result.pvalue, int(exact)


def main():
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("scipy", "pymannkendall"))
    print(f"# Made by scripts/reference/statistics.py with {versions}.")
    every = lists()
    for name, v in every.items():
        print("list", name, *v)
        print("stats", name, *(f"{x:.17g}" for x in figures(v)))
        trend = pymannkendall.original_test(v)
        print("trend", name, int(trend.s), f"{trend.p:.17g}")
    for a, b in [("few", "six"), ("few", "shifted"), ("odd", "shifted"), ("exact", "even"), ("exact", "beyond"), ("large", "odd"),
                 ("tied", "tied"), ("tied", "falling"), ("large", "exact"), ("same", "same"), ("rising", "falling")]:
        print("utest", a, b, *(f"{x:.17g}" for x in utest(every[a], every[b])))


if __name__ == "__main__":
    main()
