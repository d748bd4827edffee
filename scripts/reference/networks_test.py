#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds networks of TensorFlow's converter against what TensorFlow Lite's reference kernels make of them.

  networks_test.py BUILD DIR [PATTERN...]

DIR is what networks.py wrote. inference_diff runs each network on the reference kernels and the fast ones, and on the GPU:

  float32, float16, dynamic   in fp32, fp16_storage and fp16
  int8, 16x8                  --gpu_quant=simulate and exact, in fp32; simulate in fp16_storage and fp16

Integers are equal to TensorFlow Lite's to the bit, in fp16_storage and fp16 within a step; floats are off by no more than 0.005,
0.02 or 0.05 of the largest (the presets of inference_diff), or by what --why says that 16 bits explain; places of the largest may
be others for one in a hundred there. The GPU multiplies the
floats of `dynamic` by 8-bit weights as they are, and is held against --reference_hybrid=float. A line FAIL tells how far off what
is, and which node is to blame: on the CPU the first that is not TensorFlow Lite's. PATTERNs choose networks or forms of one: gpt,
swin.int8. The last line is "N passed, N failed, N skipped". Needs ai-edge-litert, flatbuffers and numpy of PyPI.
"""
import fnmatch
import glob
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

import feedable
import golden

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "test"))
from checks import check, finish

SECONDS = 600
SHARES = {"fp32": 0.005, "fp16_storage": 0.02, "fp16": 0.05}
NEAR_TIES = 0.01   # of what is chosen by the largest of 16-bit floats
FLOAT_MODES = [["--gpu_precision=" + precision] for precision in SHARES]
QUANT_MODES = [["--gpu_quant=simulate"], ["--gpu_quant=exact"], *FLOAT_MODES[1:]]


class Failed(Exception):
    """What a tool said last."""


def diff(build, base, tmp, *flags):
    """The report of inference_diff, and the outputs of both sides."""
    report, outputs = os.path.join(tmp, "report.json"), os.path.join(tmp, "outputs")
    subprocess.run(["rm", "-rf", report, outputs], check=True)
    command = [os.path.join(build, "inference_diff"), f"--model_file={base}.tflite", f"--input_dir={base}", "--num_runs=1",
               "--repeat=1", "--min_delegated=0", f"--json={report}", f"--save_outputs={outputs}", *flags]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired as e:
        raise Failed(f"no answer in {SECONDS} s") from e
    if not os.path.exists(report) or done.returncode not in (0, 1):
        said = [line for line in (done.stdout + done.stderr).splitlines() if line.startswith("ERROR")]
        raise Failed(f"exit status {done.returncode}: {said[0] if said else done.stderr.strip()[-200:]}")
    with open(report, encoding="utf-8") as f:
        return json.load(f), *(arrays(os.path.join(outputs, side, "run_0")) for side in ("reference", "test"))


def arrays(folder):
    return [np.load(os.path.join(folder, f"output_{k}.npy")) for k in range(len(glob.glob(f"{glob.escape(folder)}/output_*.npy")))]


def differences(expected, got, precision):
    """'' or how far off an output is."""
    if len(expected) != len(got):
        return f"{len(got)} outputs instead of {len(expected)}"
    for k, (e, g) in enumerate(zip(expected, got)):
        if e.dtype != g.dtype or e.shape != g.shape:
            return f"output {k} is {g.dtype}{g.shape} instead of {e.dtype}{e.shape}"
        if e.dtype.kind == "f":
            largest, most = np.max(np.abs(e), initial=0), np.max(np.abs(e - g), initial=0)
            if not most <= SHARES[precision] * largest:
                return f"output {k}: {most:.3g} off, of {largest:.3g}"
        else:
            steps = np.abs(e.astype(np.int64) - g.astype(np.int64))
            if precision != "fp32" and e.dtype == np.int32 and np.count_nonzero(steps) <= NEAR_TIES * e.size:
                continue
            if np.max(steps, initial=0) > (precision != "fp32" and e.dtype != np.int32):
                return f"output {k}: {np.count_nonzero(steps)} of {e.size} are off, by {np.max(steps)} at most"
    return ""


def first_node(report):
    """Which node inference_diff has to blame, or else the first that is off."""
    def error(row, kind):
        return (row[kind] or {}).get("max_error") or 0

    rows = report["ops"] or []
    off = [row for row in rows if row["to_blame"] or row["off"]] or [r for r in rows if error(r, "alone") or error(r, "diff")]
    return f"node {off[0]['node']} {off[0]['op']}: alone {error(off[0], 'alone'):.3g} off" if off else "no node is off"


def first_cpu_node(build, base, tmp):
    """The first node, in the order of execution, whose outputs are not TensorFlow Lite's, of a model that has all as outputs."""
    with open(base + ".tflite", "rb") as f:
        tree = feedable.unpack(f.read())
    graph = tree.subgraphs[0]
    made = [(k, i) for k, node in enumerate(graph.operators) for i in node.outputs if i >= 0]
    graph.outputs, tree.signatureDefs = [i for _, i in made], None
    whole = os.path.join(tmp, "whole")
    with open(whole + ".tflite", "wb") as f:
        f.write(feedable.pack(tree))
    inputs = []
    for k in range(len(graph.inputs)):
        with open(os.path.join(base, f"input_{k}.npy"), "rb") as f:
            inputs.append(np.load(f).tobytes())
    expected, why = golden.run_guarded(golden.infer, feedable.pack(tree), inputs, 1)
    if why:
        return f"all tensors at once: {why}"
    got = diff(build, whole, tmp, "--delegate=none", f"--input_dir={base}")[1]
    for (k, i), e, g in zip(made, expected, got, strict=True):
        if off := differences([e], [g], "fp32"):
            codes = {value: name for name, value in vars(feedable.schema.BuiltinOperator).items() if name.isupper()}
            code = codes[tree.operatorCodes[graph.operators[k].opcodeIndex].builtinCode]
            return f"node {k} {code} to {feedable.types_of(graph, [i])[0]}: {off}"
    return "no node is off"


def hold_cpu(build, base, tmp, expected):
    """Both sets of CPU kernels."""
    _, *answers = diff(build, base, tmp, "--delegate=none")
    for kernels, got in zip(("reference", "fast"), answers):
        why = differences(expected, got, "fp32")
        if why:
            why += "; " + first_cpu_node(build, base, tmp)
        check(f"{os.path.basename(base)} cpu {kernels}", not why, why)


def explained(report):
    """Whether 16 bits of a float are reason enough for what the outputs are off by, as inference_diff --why has it."""
    return all(output["explained"] in ("half", "no_error") for output in report["why"]["outputs"])


def hold_gpu(build, base, tmp, expected, flags):
    flags = ["--delegate=gpu", *flags]
    hybrid = base.endswith("dynamic")
    precision = next((f.split("=")[1] for f in flags if f.startswith("--gpu_precision")), "fp32")
    report, reference, got = diff(build, base, tmp, *flags, *["--reference_hybrid=float"] * hybrid)
    nodes = report["test"]["assignment"]
    why = differences(reference if hybrid else expected, got, precision)
    if why and not (precision != "fp32" and explained(diff(build, base, tmp, *flags, "--why")[0])):
        why += "; " + first_node(diff(build, base, tmp, *flags, "--per_op")[0])
        why += f" ({nodes['delegated']}/{nodes['node_count']} on the GPU)"
    else:
        why = ""
    check(" ".join([os.path.basename(base), *flags[1:]]), not why, why)


def hold(build, base):
    expected = arrays(base)
    modes = FLOAT_MODES if base.endswith(("float32", "float16", "dynamic")) else QUANT_MODES
    with tempfile.TemporaryDirectory() as tmp:
        for flags in [None, *modes]:
            try:
                if flags is None:
                    hold_cpu(build, base, tmp, expected)
                else:
                    hold_gpu(build, base, tmp, expected, flags)
            except Failed as e:
                check(" ".join([os.path.basename(base), *(flags or ["cpu"])]), False, e)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    build, folder, patterns = sys.argv[1], sys.argv[2], sys.argv[3:] or ["*"]
    for path in sorted(glob.glob(f"{glob.escape(folder)}/*.tflite")):
        name = os.path.basename(path)[:-len(".tflite")]
        if any(fnmatch.fnmatch(name, p) or fnmatch.fnmatch(name.split(".")[0], p) for p in patterns):
            hold(build, path[:-len(".tflite")])
            sys.stdout.flush()
    return finish()


if __name__ == "__main__":
    sys.exit(main())
