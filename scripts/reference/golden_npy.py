#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""golden_npy.py DIR - writes with NumPy the .npy files that lib/tensor/npy_test.c reads and that the fuzz targets begin with.

Element i, counted in C order, is i - 3 (i for unsigned types, i odd for bool, (i - 3) + (i + 0.5)j for complex ones,
"s" * i for strings); shapes are [2,3] unless the name says more.
"""
import os
import sys

import numpy as np


def elements(dtype, shape):
    """The array that the test expects."""
    n = int(np.prod(shape))
    i = np.arange(n)
    kind = np.dtype(dtype).kind
    if kind == "c":
        values = (i - 3) + 1j * (i + 0.5)
    elif kind == "S":
        values = np.array([b"s" * k for k in i])
    else:
        values = i % 2 == 1 if kind == "b" else i if kind == "u" else i - 3
    return values.astype(dtype).reshape(shape)


def write(folder, name, array, version=(1, 0)):
    """One file of a given version of the format."""
    with open(os.path.join(folder, name + ".npy"), "wb") as file:
        np.lib.format.write_array(file, array, version=version)


def main():
    """All of them."""
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for dtype in ("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16", "S5"):
        write(folder, dtype, elements(dtype, (2, 3)))
    write(folder, "f4_fortran_2_3_4", np.asfortranarray(elements("f4", (2, 3, 4))))
    write(folder, "i2_big", elements(">i2", (2, 3)))
    write(folder, "c8_big_fortran", np.asfortranarray(elements(">c8", (2, 3))))
    write(folder, "f4_version2", elements("f4", (2, 3)), (2, 0))
    write(folder, "f4_version3", elements("f4", (2, 3)), (3, 0))
    write(folder, "f4_scalar", elements("f4", ()))
    write(folder, "f4_empty_0_3", elements("f4", (0, 3)))
    write(folder, "f4_one_4", elements("f4", (4,)))
    bf16 = (elements("f4", (2, 3)).view("u4") >> 16).astype("u2").view("V2")
    write(folder, "V2", bf16)


if __name__ == "__main__":
    main()
