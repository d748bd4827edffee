# SPDX-License-Identifier: Apache-2.0
"""golden_diff.py - distances between two arrays as NumPy computes them, for lib/compare/diff_figures_test.c.

  golden_diff.py >testdata/diff_figures.txt

Each case is a line "case NAME TYPE COLUMNS [SCALE ZERO]", two lines of its elements' bits (reference, test; hexadecimal), lines
"NAME VALUE" of figures, and "histogram" with a count per bin. "real_" figures are of the dequantized values.
"""

import sys

import numpy as np

EDGES = [0, np.nextafter(0, 1)] + [10.0**e for e in range(-9, 4)] + [np.inf]
ATOL, RTOL, SHARE = 1e-3, 1e-2, 0.01


def ordered(a):
    """Floats as whole numbers that count them, 0 and -0 being one."""
    bits = a.view({2: np.uint16, 4: np.uint32, 8: np.uint64}[a.itemsize])
    sign = 8 * a.itemsize - 1
    magnitude = [int(b) & ((1 << sign) - 1) for b in bits.ravel()]
    return [-m if int(b) >> sign else m for m, b in zip(magnitude, bits.ravel())]


def ulps(reference, test):
    if reference.dtype.kind != "f":
        return [abs(int(a) - int(b)) for a, b in zip(reference.ravel(), test.ravel())]
    return [abs(a - b) for a, b in zip(ordered(reference), ordered(test))]


def figures(reference, test):
    """Of two arrays of doubles."""
    error = np.abs(reference - test)
    signal, noise = np.sum(reference**2), np.sum(error**2)
    rms = np.sqrt(np.mean(error**2))
    with np.errstate(divide="ignore"):
        return {
            "mean": np.mean(error),
            "max": np.max(error),
            "rms": rms,
            "relative": np.max(error) / np.max(np.abs(reference)),
            "cosine": np.sum(reference * test) / np.linalg.norm(reference) / np.linalg.norm(test),
            "snr": 10 * np.log10(signal / noise),
            "psnr": 20 * np.log10((np.max(reference) - np.min(reference)) / rms),
        }


def top1(reference, test):
    """Rows whose largest element is another one."""
    a, b = np.argmax(reference, axis=-1), np.argmax(test, axis=-1)
    rows = np.arange(len(a))
    return int(np.sum((reference[rows, a] > reference[rows, b]) & (test[rows, b] > test[rows, a])))


def say(name, reference, test, quant=None):
    r, t = reference.astype(np.float64), test.astype(np.float64)
    columns = reference.shape[-1]
    print("case", name, reference.dtype.name, columns, *([repr(float(quant[0])), quant[1]] if quant else []))
    for a in (reference, test):
        print(*(f"{int(v):x}" for v in a.view({1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[a.itemsize]).ravel()))
    both = np.isfinite(r) & np.isfinite(t)
    for key, value in figures(r[both], t[both]).items():
        print(key, f"{value:.17g}")
    steps = [u for u, ok in zip(ulps(reference, test), both.ravel()) if ok]
    print("max_ulp", f"{max(steps):.17g}")
    print("mean_ulp", f"{float(np.mean([float(s) for s in steps])):.17g}")
    print("different", int(np.sum(r[both] != t[both])))
    print("top1", top1(r, t))
    print("beyond", int(np.sum(~np.isclose(t[both], r[both], rtol=RTOL, atol=ATOL))))
    print("histogram", *np.histogram(np.abs(r[both] - t[both]), bins=EDGES)[0])
    if quant:
        real = [quant[0] * (a - quant[1]) for a in (r, t)]
        for key, value in figures(*real).items():
            print("real_" + key, f"{value:.17g}")


def main():
    rng = np.random.default_rng(7)
    print("# Made by scripts/reference/golden_diff.py with NumPy " + np.__version__ + ".")
    for dtype in (np.float32, np.float16, np.float64):
        a = rng.normal(size=(9, 7)).astype(dtype)
        noise = rng.normal(size=a.shape) * 10.0 ** rng.integers(-11, 1, size=a.shape)
        say("noise_" + a.dtype.name, a, (a + noise).astype(dtype))
    a = rng.normal(size=(5, 11)).astype(np.float32) * np.float32(4000)
    say("large", a, a * np.float32(1.0625) - np.float32(3))
    say("equal", a[:, :2], a[:, :2].copy())
    a = np.array([[0.0, -0.0, 1e-45, -1e-45, 1.0, 65504.0], [1.0, 1.0, 2.0, -2.0, 3.0, 3.0]], np.float32)
    one_up = np.nextafter(np.float32(1), np.float32(2))
    b = np.array([[-0.0, 0.0, -1e-45, 1e-40, one_up, 65536.0], [1.0, 2.0, 1.0, 2.0, 3.0, 2.0]], np.float32)
    say("ends", a, b)
    a = np.array([[np.inf, 1.0, 2.0], [-np.inf, np.nan, 4.0]], np.float32)
    b = np.array([[np.inf, 1.5, 2.0], [-np.inf, np.nan, 3.0]], np.float32)
    say("special", a, b)
    for dtype in (np.int8, np.uint8, np.int16):
        limits = np.iinfo(dtype)
        a = rng.integers(limits.min, limits.max, size=(6, 5), dtype=dtype, endpoint=True)
        b = np.clip(a.astype(np.int64) + rng.integers(-3, 4, size=a.shape), limits.min, limits.max).astype(dtype)
        say("quantized_" + a.dtype.name, a, b, (np.float32(0.0472), 0 if dtype == np.int16 else 3))
    a = rng.integers(-(2**31), 2**31, size=(4, 4), dtype=np.int32)
    say("int32", a, np.roll(a, 1))


if __name__ == "__main__":
    sys.exit(main())
