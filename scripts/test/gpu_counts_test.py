#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gpu_counts_test.py BUILD MODELS - how much of real models the GPU takes, and in how few dispatches.

The GPU takes all nodes of at least so many models of a folder of MODELS, before its limits on partitions. Of some models no more
dispatches than nodes compute (bench/measure/gpu_copies.py), or than a number; of each of a folder no more that only copy than are
named here. Nothing is run: op_coverage answers for the least device.
What is not there is skipped, and a line "NOT RUN (models): ..." says so. The last line counts.
"""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench/measure"))
from gpu_copies import MOVES, ask  # noqa: E402

WHOLE = {"float": 55, "ops": 265}
DISPATCHES = {"float/yolox_nano_wheel_f16": 200, "float/deeplabv3_257_mv_gpu": None, "float/mobilenet_v1_0.25_224": None}
COPIES = {"float": {
    "dilated_conv": 1, "dtln_aec_128_1": 5, "dtln_model_1": 4, "lyra_old_lyragan": 3, "pose_detection": 2, "rope": 2,
    "yolox_nano_wheel_f16": 6,
}}
BUILT = {"mobilenet_v1_1.0_224": None, "mobilenet_v2_1.0_224": None}


def whole(tool, folder):
    """How many the GPU takes whole. All are asked about in one go: the report has a row for each."""
    run = subprocess.run([tool, str(folder), "--json=-"], capture_output=True, text=True, check=False)
    rows = json.loads(run.stdout)["models"]
    return sum(not row["failure"] and row["covered"] + row["folded"] == row["node_count"] for row in rows)


def dispatches(tool, model, most):
    """How many there are, and how many there may be."""
    report = ask(tool, model, False)
    computes = sum(v["op"] not in MOVES for v in report["verdicts"] if v["covered"])
    return report["coverage"]["dispatches"], computes if most is None else most


def limit(counts, name, what, n, most):
    counts["passed" if n <= most else "failed"] += 1
    print(f"{name}: {n} {what}, at most {most}")


def copies(tool, folder, most, counts):
    """Of every model in the folder, and of all together. One that is not named here may have none."""
    found = {file.stem: None for file in folder.glob("*.tflite")}
    if not found:
        counts["skipped"] += 1
        print(f"NOT RUN (models): how many dispatches only copy: {folder} holds none")
        return
    for name in sorted(most.keys() | found.keys()):
        if name not in found:
            counts["skipped"] += 1
            print(f"NOT RUN (models): copies: there is no {folder / name}.tflite")
            continue
        report = ask(tool, folder / f"{name}.tflite", False)
        listed = report and report["coverage"]["copies"]
        if listed is None:
            counts["failed"] += 1
            print(f"{name}: op_coverage does not say what only copies")
            continue
        found[name] = len(listed)
        limit(counts, name, "dispatches that only copy", len(listed), most.get(name, 0))
    print(f"{folder}: {sum(n or 0 for n in found.values())} dispatches of {len(found)} models only copy")


def main():
    build, models = (pathlib.Path(path) for path in sys.argv[1:3])
    tool, counts = str(build / "op_coverage"), {"passed": 0, "failed": 0, "skipped": 0}
    for folder, least in WHOLE.items():
        files = sorted((models / folder).glob("*.tflite"))
        if not files:
            counts["skipped"] += 1
            print(f"NOT RUN (models): how many the GPU takes whole: {models / folder} holds none")
            continue
        n = whole(tool, models / folder)
        counts["passed" if n >= least else "failed"] += 1
        print(f"{folder}: {n} of {len(files)} models whole on the GPU, at least {least}")
    for folder, most in COPIES.items():
        copies(tool, models / folder, most, counts)
    limits = {models / f"{name}.tflite": most for name, most in DISPATCHES.items()}
    limits.update({build / "models" / f"{name}.tflite": most for name, most in BUILT.items()})
    for model, most in limits.items():
        if not model.exists():
            counts["skipped"] += 1
            print(f"NOT RUN (models): dispatches: there is no {model}")
            continue
        n, most = dispatches(tool, model, most)
        limit(counts, model.stem, "dispatches", n, most)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    return counts["failed"] > 0


if __name__ == "__main__":
    sys.exit(main())
