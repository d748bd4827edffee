#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""quantized_test.py BUILD MODELS [PATTERN...] - how far quantized models on the GPU are from TensorFlow Lite's outputs, in steps.

Models are those of MODELS/quant that MODELS/../golden/tflite_gpu_log.json knows; inputs and golden outputs those of its check.py.
Of golden outputs too large to be kept there is the hash: the CPU's own outputs stand for them, and the line says whether they have
it. An integer output counts in its own steps. A float output that holds multiples of one number (what DEQUANTIZE makes) counts in
that number, any other in 1/255 of its range.

A model passes where 99.9 % of all elements of its outputs are no step off, integers all of them, and the GPU has all
nodes if TensorFlow Lite's delegate has all. One with operators that multiply floats by 8-bit weights, which the CPU quantizes
first and the GPU does not, passes as `by design` where it is what inference_diff allows off the CPU's products of floats. The
weights of a MobileNet v2 take at most 1.1 of its file's size on the device. Without PATTERNs, at least 58 models must run on the
GPU in full or in part. A line for each model:

  nodes on the GPU and all, what TensorFlow Lite's GPU delegate did (full, part, -), elements, of these no step off, 99.9 %, largest

The last line is "N passed, N failed, N skipped"; what is not there is skipped. Needs cc."""

import array
import fnmatch
import hashlib
import json
import math
import os
import subprocess
import sys
import tempfile

CODES = {"FLOAT32": "f", "INT8": "b", "UINT8": "B", "INT16": "h", "INT32": "i", "INT64": "q", "BOOL": "B"}
SECONDS = 900
MOST_STEPS, SHARE, WANTED = 0.01, 0.999, 58  # floats of DEQUANTIZE are not whole steps to the last bit
LIMITED, MOST_WEIGHTS = "*mobilenet*v2*", 1.1
ONCE = ["--num_runs=1", "--warmup_runs=0", "--min_secs=0", "--warmup_min_secs=0"]

BUILD, MODELS = sys.argv[1:3] if len(sys.argv) > 2 else sys.exit(__doc__)
GOLDEN = os.path.join(MODELS, "..", "golden")


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def content(path):
    with open(path, "rb") as f:
        return f.read()


def file_of(name):
    return os.path.join(MODELS, name + ".tflite")


def step_of(golden):
    """The number that all values are multiples of from the least one, or 1/255 of the range."""
    values = sorted({v for v in golden if math.isfinite(v)})
    if len(values) < 2:
        return max(abs(values[0]) if values else 0, 1e-30) / 255
    span = values[-1] - values[0]
    least = min(b - a for a, b in zip(values, values[1:]))
    for part in range(1, 9):
        gap = least / part
        if span / gap > 66000:
            break
        near = 0.02 * max(1, span / gap / 255)
        if all(abs((v - values[0]) / gap - round((v - values[0]) / gap)) < near for v in values):
            return gap
    return span / 255


def off_by(type_, got, golden):
    """How many steps each element is off."""
    a, b = array.array(CODES[type_], got), array.array(CODES[type_], golden)
    if got == golden:
        return [0] * len(b)
    if type_ != "FLOAT32":
        return [abs(x - y) for x, y in zip(a, b)]
    step = step_of(b)
    off = [0 if x == y or (x != x and y != y) else abs(x - y) / step for x, y in zip(a, b)]
    return [v if v == v else math.inf for v in off]


def peer(row):
    """What TensorFlow Lite's delegate did."""
    if row.get("exit") or not row.get("gpu_partitions"):
        return "-"
    return "part" if row.get("cpu_nodes") else "full"


class Failed(Exception):
    """What a tool said last."""


def run(tool, *flags):
    try:
        r = subprocess.run([os.path.join(BUILD, tool), *flags], capture_output=True, text=True, timeout=SECONDS, errors="replace",
                           check=False)
    except subprocess.TimeoutExpired as e:
        raise Failed(f"no answer of {tool} in {SECONDS} s") from e
    if r.returncode:
        said = [line for line in (r.stdout + r.stderr).splitlines() if line.strip()]
        raise Failed(f"{tool}: exit status {r.returncode}: {said[-1][:150] if said else ''}")


def benchmark(name, tmp, where, *flags):
    """Its report; its outputs lie in tmp/where."""
    report = os.path.join(tmp, "report.json")
    run("benchmark_model", f"--graph={file_of(name)}", f"--input_dir={tmp}/in", f"--output_dir={tmp}/{where}", f"--json={report}",
        *ONCE, *flags)
    return load(report)


def coverage(name, tmp):
    report = os.path.join(tmp, "report.json")
    run("op_coverage", f"--graph={file_of(name)}", f"--json={report}")
    return load(report)["coverage"]


def draw_inputs(entry, tmp):
    for k, t in enumerate(entry["inputs"]):
        elems = t["bytes"] // array.array(CODES[t["type"]]).itemsize
        with open(f"{tmp}/in/input_{k}.bin", "wb") as f:
            subprocess.run([f"{tmp}/gen_input", str(entry["seed"]), str(k), t["type"], str(elems)], stdout=f, check=True)


def golden_of(name, entry, tmp):
    """The outputs that are right, and what is to be said of them."""
    if all("file" in t for t in entry["outputs"]):
        return [content(os.path.join(GOLDEN, "out", t["file"])) for t in entry["outputs"]], ""
    benchmark(name, tmp, "cpu", "--cpu_kernels=fast", "--num_threads=2")
    outputs = [content(f"{tmp}/cpu/output_{i}.bin") for i in range(len(entry["outputs"]))]
    same = all(hashlib.sha256(v).hexdigest() == t["sha256"] for v, t in zip(outputs, entry["outputs"]))
    return outputs, "the CPU's outputs, which " + ("have the golden hash" if same else
                                                   f"lack the golden hash, of TensorFlow Lite's {entry['kernels']} kernels")


def is_by_design(name, hybrid):
    if hybrid:
        run("inference_diff", f"--model_file={file_of(name)}", "--delegate=gpu", "--num_runs=1", "--reference_hybrid=float")
    return hybrid > 0


def judge(name, entry, theirs, tmp):
    """(it is on the GPU, it has passed, its line)"""
    if entry is None:
        c = coverage(name, tmp)
        gpu, nodes = c["covered"], c["node_count"]
        return gpu > 0, theirs != "full" or gpu == nodes, f"{gpu:5d}/{nodes:<5d} {theirs:>6s} no golden outputs"
    draw_inputs(entry, tmp)
    report = benchmark(name, tmp, "gpu", "--use_gpu")
    gpu, nodes = report["assignment"]["delegated"], report["assignment"]["node_count"]
    weights = sum(report["memory_bytes"]["delegate"]["weights"].values()) / os.path.getsize(file_of(name))
    golden, remark = golden_of(name, entry, tmp)
    off, whole = [], True
    for i, t in enumerate(entry["outputs"]):
        got = content(f"{tmp}/gpu/output_{i}.bin")
        if len(got) != len(golden[i]):
            raise Failed(f"output {i} has {len(got)} bytes instead of {len(golden[i])}")
        steps = off_by(t["type"], got, golden[i])
        whole = whole and (t["type"] == "FLOAT32" or max(steps, default=0) <= MOST_STEPS)
        off += steps
    off.sort()
    share = sum(v <= MOST_STEPS for v in off) / max(1, len(off))
    ok = share >= SHARE and whole
    if not ok:
        hybrid = coverage(name, tmp)["hybrid_nodes"]
        ok = is_by_design(name, hybrid)
        remark = f"by design: {hybrid} nodes multiply floats" if ok else "too far off"
    if fnmatch.fnmatch(name, LIMITED):
        ok, remark = ok and weights <= MOST_WEIGHTS, f"weights are {weights:.3f} of the file  {remark}"
    if theirs == "full" and gpu < nodes:
        ok, remark = False, "TensorFlow Lite's delegate has all nodes"
    return gpu > 0, ok, (f"{gpu:5d}/{nodes:<5d} {theirs:>6s} {len(off):9d} {100 * share:8.3f}% "
                         f"{off[int(SHARE * (len(off) - 1))] if off else 0:8.2f} {off[-1] if off else 0:8.2f}  {remark}").rstrip()


def main():
    patterns = sys.argv[3:]
    index, log = load(os.path.join(GOLDEN, "index.json")), load(os.path.join(GOLDEN, "tflite_gpu_log.json"))
    names = [n for n in sorted(log) if n.startswith("quant/") and any(fnmatch.fnmatch(n, p) for p in patterns or ["*"])]
    count = {True: 0, False: 0}
    taken = skipped = 0
    with tempfile.TemporaryDirectory() as tmp:
        subprocess.run(["cc", "-O2", "-o", f"{tmp}/gen_input", os.path.join(GOLDEN, "gen_input.c")], check=True)
        print(f"     {'model':50s} {'GPU nodes':>11s} {'TFLite':>6s} {'elements':>9s} {'the same':>9s} {'99.9 %':>8s}"
              f" {'largest':>8s}")
        for name in names:
            if not os.path.exists(file_of(name)):
                skipped += 1
                continue
            for folder in ("in", "cpu", "gpu"):
                subprocess.run(["rm", "-rf", f"{tmp}/{folder}"], check=True)
                os.makedirs(f"{tmp}/{folder}")
            try:
                on_gpu, ok, line = judge(name, index.get(name), peer(log[name]), tmp)
            except Failed as e:
                on_gpu, ok, line = False, False, str(e)
            taken += on_gpu
            count[ok] += 1
            print(f"{'ok  ' if ok else 'FAIL'} {name:50s} {line}", flush=True)
    if not patterns and not skipped:
        count[taken >= WANTED] += 1
        print(f"{'ok  ' if taken >= WANTED else 'FAIL'} {taken} of {len(names)} on the GPU in full or in part, {WANTED} wanted")
    print(f"{count[True]} passed, {count[False]} failed, {skipped} skipped")
    return 1 if count[False] else 0


if __name__ == "__main__":
    sys.exit(main())
