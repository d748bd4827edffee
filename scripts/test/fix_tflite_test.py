#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs what op_coverage --fix writes in TensorFlow Lite itself, beside the old model.

  fix_tflite_test.py BUILD MODELS [RULES]

Every model of MODELS/float and MODELS/ops is rewritten for RULES (tflite-gpu-2019); each new model must load, and give what the old
one gives on one random input within 1e-4 of the largest value, with the interpreter's own kernels. Needs the PyPI packages
ai-edge-litert (or tensorflow) and numpy; exit status 77 without them. Prints a line per failure, then "N passed, N failed"."""

import glob
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    try:
        from ai_edge_litert.interpreter import Interpreter, OpResolverType
    except ImportError:
        from tensorflow.lite.python.interpreter import Interpreter, OpResolverType
except ImportError as missing:
    print(f"{missing}: PyPI packages ai-edge-litert and numpy")
    sys.exit(77)

BUILD, MODELS = sys.argv[1:3]
RULES = sys.argv[3] if len(sys.argv) > 3 else "tflite-gpu-2019"
ALLOWED = 1e-4


def load(path):
    interpreter = Interpreter(path, experimental_op_resolver_type=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES)
    interpreter.allocate_tensors()
    return interpreter


def distance(old, new):
    rng = np.random.default_rng(1)
    for a, b in zip(old.get_input_details(), new.get_input_details()):
        value = rng.uniform(-1, 1, b["shape"]) if np.issubdtype(a["dtype"], np.floating) else rng.integers(0, 2, b["shape"])
        old.set_tensor(a["index"], value.astype(a["dtype"]))
        new.set_tensor(b["index"], value.astype(b["dtype"]))
    old.invoke()
    new.invoke()
    worst = 0.0
    for a, b in zip(old.get_output_details(), new.get_output_details()):
        x, y = (i.get_tensor(d["index"]).astype(np.float64) for i, d in ((old, a), (new, b)))
        if x.shape != y.shape:
            return float("inf")
        if x.size:
            worst = max(worst, float(np.max(np.abs(x - y)) / max(1.0, np.max(np.abs(x)))))
    return worst


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        new = os.path.join(folder, "new.tflite")
        for path in sorted(path for kind in ("float", "ops") for path in glob.glob(os.path.join(MODELS, kind, "*.tflite"))):
            if os.path.exists(new):
                os.remove(new)
            subprocess.run([os.path.join(BUILD, "op_coverage"), path, f"--rules={RULES}", f"--fix={new}"], capture_output=True,
                           check=False)
            if not os.path.exists(new):
                continue
            try:
                old = load(path)
            except (RuntimeError, ValueError):
                continue    # nothing to hold it against
            try:
                off = distance(old, load(new))
            except (RuntimeError, ValueError) as why:
                off = str(why)
            if isinstance(off, float) and off <= ALLOWED:
                passed += 1
            else:
                failed += 1
                print(f"FAIL {path}: {off}")
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


sys.exit(main())
