#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""segmentation.py FILE - writes testdata/segmentation.txt: maps of classes and figures by NumPy, for lib/eval/label_map_test.c.

Outputs and truths are made by formulas that the test repeats. A line is: kind, type and layout of the output, its height, width and
channels, height and width of the truth, how the sizes are made equal, the hash of the map, and of these figures: pixels, right
ones, accuracy, mean accuracy, mean IoU, weighted IoU. Needs numpy of PyPI.
"""
import sys

import numpy as np

IGNORED = 65535
# Height, width and channels of the output, height and width of the truth.
SIZES = ((7, 9, 4, 7, 9), (7, 9, 4, 15, 20), (7, 9, 4, 5, 3), (8, 8, 21, 33, 17), (1, 5, 2, 9, 9), (6, 6, 1, 13, 11),
         (16, 12, 1, 5, 5))


def scores(height, width, channels):
    """8-bit scores with many ties."""
    y, x, c = np.mgrid[0:height, 0:width, 0:channels]
    return ((x * x * 3 + y * y * 5 + x * y * 7 + c * c * 50 + c * x * 11 + 31) % 64).astype(np.uint8)


def truth(height, width, classes):
    """Classes in blocks, some of them ignored."""
    y, x = np.mgrid[0:height, 0:width]
    label = (x // 3 + y // 2 * 2) % (classes + 1)
    return np.where(label == classes, IGNORED, label)


def nearest(size, source):
    return ((2 * np.arange(size) + 1) * source) // (2 * size)


def bilinear(values, size, axis):
    """Between the centers of pixels."""
    source = values.shape[axis]
    at = np.maximum((np.arange(size) + 0.5) * source / size - 0.5, 0)
    low = np.minimum(at.astype(int), source - 1)
    high = np.minimum(low + 1, source - 1)
    shape = [1] * values.ndim
    shape[axis] = size
    a, b = np.take(values, low, axis), np.take(values, high, axis)
    return a + (b - a) * (at - low).reshape(shape)


def answer(kind, real, size, way, classes):
    """The map of an output [H,W,C], in the size of the truth or, for way truth, in its own."""
    if way == "bilinear":
        real = bilinear(bilinear(real, size[0], 0), size[1], 1)
    elif way == "nearest":
        real = real[nearest(size[0], real.shape[0])][:, nearest(size[1], real.shape[1])]
    if kind == "probability":
        return (real[:, :, 0] > 0.5).astype(int)
    if kind == "labels":
        return np.where(real[:, :, 0] < classes, real[:, :, 0], IGNORED).astype(int)
    return np.argmax(real, axis=2)


def figures(said, right, classes):
    """Counts, then the usual figures of the matrix of confusions."""
    judged = right != IGNORED
    said = np.where(said < classes, said, classes)
    matrix = np.zeros((classes + 1, classes + 1), np.int64)
    np.add.at(matrix, (right[judged], said[judged]), 1)
    both, of_truth, of_answer = np.diag(matrix)[:classes], matrix.sum(1)[:classes], matrix.sum(0)[:classes]
    with np.errstate(invalid="ignore"):
        iou, accuracy = both / (of_truth + of_answer - both), both / of_truth
    pixels = int(judged.sum())
    return [pixels, int(both.sum()), both.sum() / pixels, np.nanmean(accuracy), np.nanmean(iou),
            np.nansum(of_truth * iou) / pixels]


def main():
    """All lines."""
    lines = []
    for height, width, channels, high, wide in SIZES:
        for kind in ("scores",) if channels > 1 else ("probability", "labels"):
            for dtype in ("FLOAT32", "UINT8", "INT8") if kind != "labels" else ("INT64", "UINT8"):
                raw = scores(height, width, channels)
                stored = raw.astype(int) - 32 if dtype == "INT8" else raw
                # Floats are 64ths; INT8 has scale 1/64 and zero point -32, UINT8 scale 1/64 and zero point 0.
                real = raw.astype(np.float64) if kind == "labels" else raw / 64.0
                assert stored.min() >= -128
                classes = channels if kind == "scores" else 2 if kind == "probability" else 50
                for layout in ("NHWC", "NCHW") if kind == "scores" else ("NHWC",):
                    for way in ("bilinear", "nearest", "truth") if kind != "labels" else ("nearest", "truth"):
                        right = truth(high, wide, classes)
                        if way == "truth":
                            right = right[nearest(height, high)][:, nearest(width, wide)]
                        said = answer(kind, real, (high, wide), way, classes)
                        value = 0
                        for label in said.reshape(-1):
                            value = (value * 31 + int(label)) & 0xFFFFFFFF
                        numbers = " ".join(f"{v:.17g}" for v in figures(said, right, classes))
                        sizes = f"{height} {width} {channels} {high} {wide}"
                        lines.append(f"{kind} {dtype} {layout} {sizes} {way} {value:08x} {numbers}\n")
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("# Maps of classes and their figures by NumPy; written by scripts/reference/segmentation.py.\n")
        file.writelines(lines)


if __name__ == "__main__":
    main()
