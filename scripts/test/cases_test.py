#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cases_test.py BUILD CASES [PATTERN...] - small models that stand for faults which users met, against TensorFlow Lite's outputs.

CASES holds NAME.tflite, NAME.input_N.npy and NAME.expected_N.npy. Each runs on the CPU's kernels, on the GPU in its default mode,
exactly, and with float16. Integers must be the expected ones; floats are within 1e-6 of the largest finite one (stored as halves
1e-3, computed as such 1e-2), NaN where NaN is, and on the GPU infinite where a reference kernel clamps to the largest float. LEFT
says what is left out, and why; other models without expected outputs must be refused with one message.

The last line is "N passed, N failed, N skipped"; ways that need a GPU are skipped where there is none."""

import array
import ast
import fnmatch
import glob
import json
import math
import os
import subprocess
import sys
import tempfile

BUILD, CASES = sys.argv[1:3] if len(sys.argv) > 2 else sys.exit(__doc__)
ONCE = ["--num_runs=1", "--warmup_runs=0", "--min_secs=0", "--warmup_min_secs=0"]
WAYS = {
    "reference": ["--cpu_kernels=reference"],
    "fast": ["--cpu_kernels=fast"],
    "gpu": ["--use_gpu", "--gpu_precision=fp32"],
    "gpu exact": ["--use_gpu", "--gpu_precision=fp32", "--gpu_quant=exact"],
    "gpu fp16_storage": ["--use_gpu", "--gpu_precision=fp16_storage"],
    "gpu fp16": ["--use_gpu", "--gpu_precision=fp16"],
}
CODES = {"f4": "f", "i1": "b", "u1": "B", "b1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q"}

# (pattern of the case, pattern of the way, why its numbers are not held).
LEFT = [
    ("a09b_*", "*", "TensorFlow Lite's outputs are not kept"),
    ("a09c_*", "*", "ARG_MAX and ARG_MIN of NaN depend on the order in which TensorFlow Lite's vector code compares"),
    ("a16_*", "gpu fp16*", "1e-30 is 0 as a half, and 0 / 0 is NaN"),
    ("a42_*", "gpu fp16*", "numbers beyond the largest half"),
    ("a52_*", "gpu fp16*", "the result is stored as a half, of numbers that are not near it"),
    ("a57_*", "*", "TensorFlow Lite reads the INT32 bias as INT64"),
    ("a58_*", "*", "TensorFlow Lite reads a scale behind the end"),
]


def read_npy(path):
    """(dtype without byte order, shape, array)"""
    with open(path, "rb") as f:
        data = f.read()
    wide = data[6] > 1
    start = 12 if wide else 10
    length = int.from_bytes(data[8:start], "little")
    head = ast.literal_eval(data[start:start + length].decode("latin1"))
    values = array.array(CODES[head["descr"][1:]])
    values.frombytes(data[start + length:])
    return head["descr"][1:], head["shape"], values


def by_number(pattern):
    return sorted(glob.glob(pattern), key=lambda p: int(p.rsplit("_", 1)[1][:-4]))


TOLERANCES = {"gpu fp16_storage": 1e-3, "gpu fp16": 1e-2}
MOST = 3.4028234663852886e38


def difference(got, want, code, way):
    """Of the first element that is off, a sentence; "" where there is none."""
    if len(got) != len(want):
        return f"{len(got)} elements, not {len(want)}"
    finite = [abs(v) for v in want if code == "f4" and math.isfinite(v)]
    unclamped = [v for v in finite if not way.startswith("gpu") or v < MOST]
    allowed = TOLERANCES.get(way, 1e-6) * max([1, *unclamped]) if code == "f4" else 0
    for i, (a, b) in enumerate(zip(got, want)):
        if way.startswith("gpu") and abs(b) >= MOST and code == "f4":
            b = math.copysign(math.inf, b)
        if a != b and not (a != a and b != b) and not abs(a - b) <= allowed:
            return f"element {i} is {a}, not {b}"
    return ""


def run(name, flags, folder):
    command = [os.path.join(BUILD, "benchmark_model"), f"--graph={CASES}/{name}.tflite", *ONCE, f"--output_dir={folder}",
               f"--json={folder}/report.json", *flags]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def inputs_of(name):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([os.path.join(BUILD, "op_coverage"), f"--graph={CASES}/{name}.tflite", f"--json={folder}/report.json"],
                       capture_output=True, check=False, timeout=120)
        with open(f"{folder}/report.json", encoding="utf-8") as f:
            names = [t["name"].replace(":", "::") for t in json.load(f)["model"]["inputs"]]
    files = by_number(f"{CASES}/{name}.input_*.npy")
    return ["--input_layer_value_files=" + ",".join(f"{n}:{p}" for n, p in zip(names, files))]


def judge(name, way, flags):
    """"": passed; None: left out; else what is wrong."""
    expected = by_number(f"{CASES}/{name}.expected_*.npy")
    with tempfile.TemporaryDirectory() as folder:
        r = run(name, [*WAYS[way], *flags], folder)
        left = any(fnmatch.fnmatch(name, c) and fnmatch.fnmatch(way, w) for c, w, _ in LEFT)
        if not expected and not left:
            errors = [line for line in r.stderr.splitlines() if line.startswith("ERROR: ") and "Benchmarking failed" not in line]
            return "" if r.returncode == 2 and len(errors) == 1 else f"exit status {r.returncode}, {len(errors)} messages"
        if r.returncode:
            return f"exit status {r.returncode}: {r.stderr[-300:]}"
        if left:
            return None
        for i, path in enumerate(expected):
            code, _, want = read_npy(path)
            got = array.array(CODES[code])
            with open(f"{folder}/output_{i}.bin", "rb") as f:
                got.frombytes(f.read())
            text = difference(got, want, code, way)
            if text:
                return f"output {i}: {text}"
    return ""


def main():
    patterns = sys.argv[3:] or ["*"]
    names = [os.path.basename(p)[:-len(".tflite")] for p in sorted(glob.glob(f"{CASES}/*.tflite"))]
    gpu = subprocess.run([os.path.join(BUILD, "benchmark_model"), "--list_gpus"], capture_output=True, check=False).returncode == 0
    count = {"passed": 0, "failed": 0, "skipped": 0}
    for name in names:
        if not any(fnmatch.fnmatch(name, p) for p in patterns):
            continue
        flags = inputs_of(name)
        for way in WAYS:
            text = judge(name, way, flags) if gpu or not way.startswith("gpu") else None
            count["skipped" if text is None else "failed" if text else "passed"] += 1
            if text:
                print(f"FAIL {name}, {way}: {text}", flush=True)
    if not gpu:
        print("NOT RUN (gpu): no GPU")
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
