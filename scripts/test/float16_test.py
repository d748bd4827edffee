#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""float16_test.py BUILD MODELS [PATTERN...] - whether 16-bit floats explain what float models lose by them on the GPU.

Runs MODELS/../golden/check.py on the models of MODELS/float with --use_gpu --gpu_precision=fp16_storage: an output of floats may be
2e-2 of its largest value off what TensorFlow Lite's reference kernels make, or absolutely where that is less than 1, and one of
integers by 2. Of each model that is further off inference_diff --why then runs our reference kernels on the same inputs, with every
value and constant that they store rounded to 16 bits. It passes where every output is off by no more than that explains (four times
as far, as largest error and as root mean square); what does not run fails. A line for each model of these two kinds:

  name, of the output that is farthest off the error, and that of the CPU's 16-bit floats, in terms of the output's largest value

PATTERNs choose models, float/mtcnn_*. The last line is "N passed, N failed, N skipped". Needs cc."""

import json
import math
import os
import re
import subprocess
import sys
import tempfile

SECONDS = 900
TOLERANCE = "2e-2"
HALF = ["--gpu_precision=fp16_storage"]
CODES = {"FLOAT32": 4, "INT8": 1, "UINT8": 1, "INT16": 2, "INT32": 4, "INT64": 8, "BOOL": 1}

BUILD, MODELS = sys.argv[1:3] if len(sys.argv) > 2 else sys.exit(__doc__)
GOLDEN = os.path.join(MODELS, "..", "golden")


def check(patterns):
    """What check.py says: the names of models that are too far off, and how many passed, failed and were skipped."""
    command = [sys.executable, os.path.join(GOLDEN, "check.py"), f"--bin={BUILD}/benchmark_model", f"--models={MODELS}",
               f"--only={','.join(patterns)}", f"--flags={' '.join(['--use_gpu=true', *HALF])}", f"--tol={TOLERANCE}",
               "--int-tol=2", f"--timeout={SECONDS}", "--quiet"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    counts = re.search(r"^(\d+) passed, (\d+) failed, (\d+) skipped$", said.stdout, re.MULTILINE)
    if not counts:
        sys.exit(said.stdout + said.stderr)
    off = re.findall(r"^FAIL (\S+) .* output \d+: max \|d\|", said.stdout, re.MULTILINE)
    for line in said.stdout.splitlines():
        if line.startswith("FAIL") and line.split()[1] not in off:
            print(line)
    return off, *map(int, counts.groups())


def draw_inputs(entry, tmp):
    for k, t in enumerate(entry["inputs"]):
        with open(os.path.join(tmp, f"input_{k}.bin"), "wb") as f:
            elements = str(t["bytes"] // CODES[t["type"]])
            subprocess.run([os.path.join(tmp, "gen_input"), str(entry["seed"]), str(k), t["type"], elements], stdout=f, check=True)


def relative(error, output):
    """In terms of the output's largest value, from the two figures of the output itself."""
    d = output["raw"]
    if error is None:
        return math.inf
    return error * d["relative"] / d["max_error"] if d["max_error"] else 0.0


def explain(name, entry):
    """Whether every output is explained, and a line about the one that is farthest off."""
    with tempfile.TemporaryDirectory() as tmp:
        subprocess.run(["cc", "-O2", "-o", os.path.join(tmp, "gen_input"), os.path.join(GOLDEN, "gen_input.c")], check=True)
        draw_inputs(entry, tmp)
        report = os.path.join(tmp, "report.json")
        said = subprocess.run(
            [os.path.join(BUILD, "inference_diff"), f"--model_file={os.path.join(MODELS, name)}.tflite", "--delegate=gpu", *HALF,
             "--why", "--num_runs=1", "--repeat=1", "--min_delegated=0", f"--input_dir={tmp}", f"--json={report}"],
            capture_output=True, text=True, check=False, timeout=4 * SECONDS)
        if not os.path.exists(report):
            return False, (said.stderr.strip().splitlines() or ["inference_diff has no report"])[-1]
        with open(report, encoding="utf-8") as f:
            told = json.load(f)
    pairs = list(zip(told["outputs"], told["why"]["outputs"], strict=True))
    output, why = max(pairs, key=lambda p: relative(p[0]["raw"]["max_error"], p[0]))
    line = f"{relative(output['raw']['max_error'], output):9.2e} {relative(why['max_error'], output):9.2e}"
    return all(w["explained"] in ("half", "no_error") for _, w in pairs), line


def main():
    off, passed, failed, skipped = check(sys.argv[3:] or ["float/*"])
    with open(os.path.join(GOLDEN, "index.json"), encoding="utf-8") as f:
        index = json.load(f)
    for name in off:
        explained, line = explain(name, index[name])
        print(f"{'explained' if explained else 'FAIL     '} {name:40s} {line}", flush=True)
        passed, failed = passed + explained, failed - explained
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed > 0 or not passed


if __name__ == "__main__":
    sys.exit(main())
