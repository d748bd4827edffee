#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs what op_coverage --extract_partitions writes, here and in TensorFlow Lite itself, beside the model that it is of.

  extract_tflite_test.py BUILD MODELS [FLAG...]

Every model of MODELS/float, MODELS/quant and MODELS/ops is cut, with these flags for op_coverage. No partition may be missing,
each file must run in benchmark_model, and wherever TensorFlow Lite runs the whole model, it must run the file: fed with what the
whole had where the part begins, in its first inference, it must make what the whole made, within 1e-5 of the largest value. Models
of more than half a gigabyte of tensors are not run. Needs the PyPI packages ai-edge-litert (or tensorflow) and numpy; exit status
77 without them. Prints a line per failure, how many tensors were compared, then "N passed, N failed"."""

import contextlib
import glob
import json
import multiprocessing
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
FLAGS = sys.argv[3:]
ALLOWED = 1e-5
CRASH = "a crash"    # of a tool of ours
MOST = 1 << 29    # bytes of all tensors of a model that is run; a larger one is only loaded


def load(path, **more):
    interpreter = Interpreter(path, experimental_op_resolver_type=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES, **more)
    interpreter.allocate_tensors()
    return interpreter


def tensor_bytes(path):
    details = Interpreter(path).get_tensor_details()
    return sum(int(np.prod(d["shape"], dtype=np.int64)) * np.dtype(d["dtype"]).itemsize for d in details)


def run_whole(path):
    """The values of all tensors by name after one run, or None where TensorFlow Lite cannot run it. A name of two has none."""
    rng = np.random.default_rng(1)
    values, doubles = {}, set()
    try:
        if tensor_bytes(path) > MOST:
            return None
        whole = load(path, experimental_preserve_all_tensors=True)
        for d in whole.get_input_details():
            value = rng.uniform(-1, 1, d["shape"]) if np.issubdtype(d["dtype"], np.floating) else rng.integers(0, 2, d["shape"])
            whole.set_tensor(d["index"], value.astype(d["dtype"]))
        given = {d["name"]: whole.get_tensor(d["index"]) for d in whole.get_input_details()}
        whole.invoke()
    except (RuntimeError, ValueError, TypeError):
        return None
    for d in whole.get_tensor_details():
        if d["name"] in values or not d["name"]:
            doubles.add(d["name"])
        if d["dtype"] is np.object_:    # handles, whose content the interpreter crashes to tell; and strings
            continue
        with contextlib.suppress(RuntimeError, ValueError):
            values[d["name"]] = whole.get_tensor(d["index"]).copy()
    values.update(given)
    return {name: value for name, value in values.items() if name not in doubles}


def distance(a, b):
    if a.shape != b.shape:
        return float("inf")
    if a.dtype.kind not in "fiub" or not a.size:
        return 0.0 if np.array_equal(a, b) else float("inf")
    x, y = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(invalid="ignore"):
        off = np.where((x == y) | (np.isnan(x) & np.isnan(y)), 0, np.abs(x - y))
    finite = np.abs(x[np.isfinite(x)])
    return float(np.max(off) / max(1.0, np.max(finite, initial=0)))


def compare(part, values):
    """How far off an output is at most, of those that the whole has, and how many these are; inputs that it lacks leave none."""
    for d in part.get_input_details():
        if d["name"] not in values:
            return 0.0, 0
        if tuple(d["shape"]) != values[d["name"]].shape:
            part.resize_tensor_input(d["index"], values[d["name"]].shape)
    part.allocate_tensors()
    for d in part.get_input_details():
        part.set_tensor(d["index"], values[d["name"]])
    part.invoke()
    worst = compared = 0
    for d in part.get_output_details():
        if d["name"] in values:
            worst = max(worst, distance(values[d["name"]], part.get_tensor(d["index"])))
            compared += 1
    return worst, compared


def last_line(ran):
    if ran.returncode < 0:
        return f"{CRASH}: signal {-ran.returncode}"
    return ((ran.stdout + ran.stderr).strip().splitlines() or ["says nothing"])[-1]


def check(path, folder):
    """The findings about one model, how many of its partitions were written, and how many tensors were compared."""
    said = os.path.join(folder, "report.json")
    ran = subprocess.run([os.path.join(BUILD, "op_coverage"), path, f"--extract_partitions={folder}", f"--json={said}", *FLAGS],
                         capture_output=True, text=True, check=False)
    try:
        with open(said, encoding="utf-8") as f:
            parts = json.load(f)["extracted"]
    except (OSError, ValueError):
        return [f"op_coverage: {last_line(ran)}"], 0, 0
    if ran.returncode < 0:
        return [f"op_coverage: {last_line(ran)}"], 0, 0
    values = run_whole(path) if parts else None
    findings, compared = [], 0
    dry = ["--dry_run"] if values is None else []
    for part in parts:
        if part["path"] is None:
            findings.append(f"partition {part['partition']}: {part['reason']}")
            continue
        ours = subprocess.run([os.path.join(BUILD, "benchmark_model"), f"--graph={part['path']}", "--num_runs=1", "--warmup_runs=0",
                               "--min_secs=0", *dry], capture_output=True, text=True, check=False)
        if ours.returncode:
            findings.append(f"partition {part['partition']}: benchmark_model: {last_line(ours)}")
        if values is None:
            continue
        try:
            off, n = compare(load(part["path"]), values)
            compared += n
            if off > ALLOWED:
                findings.append(f"partition {part['partition']}: off by {off}")
        except (RuntimeError, ValueError) as why:
            findings.append(f"partition {part['partition']}: TensorFlow Lite: {why}")
    return findings, len(parts), compared


def check_apart(path, queue):
    with tempfile.TemporaryDirectory() as folder:
        queue.put(check(path, folder))


def is_read(path):
    """Whether benchmark_model runs it, or crashes."""
    return subprocess.run([os.path.join(BUILD, "benchmark_model"), path, "--num_runs=1", "--warmup_runs=0", "--min_secs=0"],
                              capture_output=True, check=False).returncode <= 0


def main():
    passed = failed = parts = compared = 0
    context = multiprocessing.get_context("fork")
    for path in sorted(path for kind in ("float", "quant", "ops") for path in glob.glob(os.path.join(MODELS, kind, "*.tflite"))):
        queue = context.SimpleQueue()
        process = context.Process(target=check_apart, args=(path, queue))    # for the interpreter crashes with some models
        process.start()
        process.join()
        findings, n, alike = ([f"TensorFlow Lite crashes: signal {-process.exitcode}"], 0, 0) if queue.empty() else queue.get()
        if findings and not any(CRASH in finding for finding in findings) and not is_read(path):
            continue
        parts += n
        compared += alike
        passed += not findings
        failed += bool(findings)
        for finding in findings:
            print(f"FAIL {path}: {finding}", flush=True)
    print(f"{parts} partitions, {compared} tensors compared")
    print(f"{passed} passed, {failed} failed")
    if not compared:
        print("no tensor was compared")
    return failed > 0 or not passed or not compared


if __name__ == "__main__":
    sys.exit(main())
