#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""quantized_models.py - a table of how far quantized models on the GPU are from TensorFlow Lite's golden outputs, in steps.

  quantized_models.py [--bin build/benchmark_model] [--flags=...] [--only 'quant/*'] [--golden DIR] [--models DIR]

Inputs and golden outputs are those of GOLDEN/check.py: index.json, gen_input.c, out/. An integer output counts in its own steps. A
float output that holds multiples of one number (what DEQUANTIZE makes) counts in that number, any other in 1/255 of its range.
A model is within where 99.9 % of all elements of its outputs are at most 2 steps off. One line for each model:

  nodes on the GPU and all, what TensorFlow Lite's GPU delegate did (full, part, -), elements, within 2 steps, 99.9 %, largest

Exit status: 0 all that TensorFlow Lite's delegate takes is within, 1 not, 2 bad usage. Needs cc and numpy.
"""
import argparse
import fnmatch
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

import numpy as np

TYPES = {"FLOAT32": "f4", "INT8": "i1", "UINT8": "u1", "INT16": "i2", "INT32": "i4", "INT64": "i8", "BOOL": "u1"}


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def content(path):
    with open(path, "rb") as f:
        return f.read()


def step_of(golden):
    """The number that all values are multiples of from the least one, or 1/255 of the range."""
    values = np.unique(golden[np.isfinite(golden)].astype(np.float64))
    if len(values) < 2:
        return max(abs(values[0]) if len(values) else 0, 1e-30) / 255
    gap = float(np.min(np.diff(values)))
    span = float(values[-1] - values[0])
    counts = (values - values[0]) / gap
    if span / gap < 66000 and np.max(np.abs(counts - np.round(counts))) < 0.02 * max(1, span / gap / 255):
        return gap
    return span / 255


def off_by(type_, got, golden):
    """How many steps each element is off; None where sizes differ."""
    if len(got) != len(golden):
        return None
    a, b = np.frombuffer(got, TYPES[type_]), np.frombuffer(golden, TYPES[type_])
    if type_ != "FLOAT32":
        return np.abs(a.astype(np.int64) - b.astype(np.int64)).astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.abs(a.astype(np.float64) - b) / step_of(b)
    off[(a == b) | (np.isnan(a) & np.isnan(b))] = 0
    return np.where(np.isnan(off), np.inf, off)


def peer(row):
    """What TensorFlow Lite's delegate did."""
    if row is None or row.get("exit") or not row.get("gpu_partitions"):
        return "-"
    return "part" if row.get("cpu_nodes") else "full"


def run(args, name, entry, tmp, gen):
    """(nodes on the GPU, all nodes, steps off of all elements) or a text that says what went wrong."""
    inputs, outputs, report = (os.path.join(tmp, d) for d in ("in", "out", "report.json"))
    subprocess.run(["rm", "-rf", inputs, outputs, report], check=True)
    os.makedirs(inputs)
    for k, t in enumerate(entry["inputs"]):
        elems = t["bytes"] // np.dtype(TYPES[t["type"]]).itemsize
        with open(os.path.join(inputs, f"input_{k}.bin"), "wb") as f:
            subprocess.run([gen, str(entry["seed"]), str(k), t["type"], str(elems)], stdout=f, check=True)
    command = [args.bin, f"--graph={os.path.join(args.models, name)}.tflite", "--num_runs=1", "--warmup_runs=0", "--min_secs=0",
               "--warmup_min_secs=0", f"--input_dir={inputs}", f"--output_dir={outputs}", f"--json={report}", "--use_gpu",
               *shlex.split(args.flags)]
    try:
        r = subprocess.run(command, capture_output=True, text=True, timeout=args.timeout, errors="replace", check=False)
    except subprocess.TimeoutExpired:
        return f"no answer in {args.timeout:g} s"
    if r.returncode:
        return (re.findall("ERROR: .*", r.stderr) or [f"exit {r.returncode}"])[0]
    nodes = load(report)["assignment"]
    off = []
    for i, t in enumerate(entry["outputs"]):
        if "file" not in t:
            return "its golden outputs are too large to be kept"
        got = content(os.path.join(outputs, f"output_{i}.bin"))
        want = content(os.path.join(args.golden, "out", t["file"]))
        off.append(off_by(t["type"], got, want))
        if off[-1] is None:
            return f"output {i} has {len(got)} bytes, golden {len(want)}"
    return nodes["delegated"], nodes["node_count"], np.concatenate(off) if off else np.zeros(0)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bin", default="build/benchmark_model")
    p.add_argument("--models", default="../shared/models")
    p.add_argument("--golden", default="../shared/golden")
    p.add_argument("--only", default="quant/*")
    p.add_argument("--flags", default="")
    p.add_argument("--timeout", type=float, default=300)
    args = p.parse_args()
    index = load(os.path.join(args.golden, "index.json"))
    peers = load(os.path.join(args.golden, "tflite_gpu_log.json"))
    taken = within = bad = 0
    with tempfile.TemporaryDirectory() as tmp:
        gen = os.path.join(tmp, "gen_input")
        subprocess.run(["cc", "-O2", "-o", gen, os.path.join(args.golden, "gen_input.c")], check=True)
        print(f"{'model':52s} {'GPU nodes':>11s} {'TFLite':>6s} {'elements':>9s} {'within 2':>9s} {'99.9 %':>8s} {'largest':>8s}")
        for name in sorted(n for n in index if any(fnmatch.fnmatch(n, o) for o in args.only.split(","))):
            theirs = peer(peers.get(name))
            result = run(args, name, index[name], tmp, gen)
            if isinstance(result, str):
                print(f"{name:52s} {'':11s} {theirs:>6s} {result}", flush=True)
                bad += theirs != "-"
                continue
            gpu, nodes, off = result
            part = float(np.mean(off <= 2.001)) if len(off) else 1.0
            taken += gpu > 0
            within += part >= 0.999
            bad += theirs != "-" and part < 0.999
            most = np.quantile(off, 0.999) if len(off) else 0
            print(f"{name:52s} {gpu:5d}/{nodes:<5d} {theirs:>6s} {len(off):9d} {100 * part:8.3f}% {most:8.2f}"
                  f" {np.max(off, initial=0):8.2f}{'' if part >= 0.999 else '  FAIL'}", flush=True)
    print(f"{taken} on the GPU in full or in part, {within} within; {bad} that TensorFlow Lite's GPU delegate takes are not")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
