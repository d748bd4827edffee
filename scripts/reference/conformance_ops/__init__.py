# SPDX-License-Identifier: Apache-2.0
"""What scripts/reference/conformance.py tries: per operator, its types and a function that draws a legal case.

A generator takes (draw, type) and returns a Case. It says nothing of output shapes: TensorFlow Lite finds them."""
from . import arith, cells, move, other, weights
from .draw import FORMS, TYPES, Draw

__all__ = ["FORMS", "OPS", "TYPES", "Draw"]

# operator: (options table in the schema or None, types, generator)
OPS = {**arith.OPS, **weights.OPS, **move.OPS, **cells.OPS, **other.OPS}
