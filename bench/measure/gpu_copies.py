#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts what the GPU would run of each model, and what of it only copies, as a table in Markdown.

  gpu_copies.py [--build DIR] [--models DIR] [--device] [PATTERN...]

Models are DIR/PATTERN.tflite ("float/*"). Asks `op_coverage --json` for each, which compiles nothing. Nodes that compute
are those that are no RESHAPE, TRANSPOSE, PAD or the like. Reasons are numbered below the table.
"""
import argparse
import json
import subprocess
import sys
from pathlib import Path

MOVES = {
    "RESHAPE", "TRANSPOSE", "PAD", "PADV2", "MIRROR_PAD", "CONCATENATION", "SPLIT", "SPLIT_V", "SLICE", "STRIDED_SLICE", "PACK",
    "UNPACK", "SQUEEZE", "EXPAND_DIMS", "TILE", "BROADCAST_TO", "REVERSE_V2", "SPACE_TO_DEPTH", "DEPTH_TO_SPACE",
    "SPACE_TO_BATCH_ND", "BATCH_TO_SPACE_ND", "DEQUANTIZE", "RESIZE_NEAREST_NEIGHBOR",
}


def ask(tool, model, device):
    """The report of op_coverage; None where it has none."""
    flags = ["--device"] if device else []
    run = subprocess.run([tool, f"--graph={model}", "--json=-", *flags], capture_output=True, text=True, check=False)
    return json.loads(run.stdout) if run.stdout.startswith("{") else None


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--build", default="build")
    args.add_argument("--models", default="../shared/models")
    args.add_argument("--device", action="store_true", help="ask the device, not the least of all")
    args.add_argument("patterns", nargs="*", default=["float/*"])
    args = args.parse_args()
    reasons, refused = [], []
    print("| model | nodes on the GPU | that compute | dispatches | only copy | why |\n|---|---|---|---|---|---|")
    for model in sorted(m for p in args.patterns for m in Path(args.models).glob(p + ".tflite")):
        report = ask(f"{args.build}/op_coverage", model, args.device)
        if not report or report["coverage"]["dispatches"] is None:
            refused.append(model.stem)
            continue
        verdicts = [v for v in report["verdicts"] if v["covered"]]
        computes = sum(v["op"] not in MOVES for v in verdicts)
        copies = report["coverage"]["copies"]
        why = {}
        for c in copies:
            if c["reason"] not in reasons:
                reasons.append(c["reason"])
            k = reasons.index(c["reason"]) + 1
            why[k] = why.get(k, 0) + 1
        text = ", ".join(f"{n} × {k}" for k, n in sorted(why.items()))
        print(f"| {model.stem} | {len(verdicts)} | {computes} | {report['coverage']['dispatches']} | {len(copies)} | {text} |")
    for k, reason in enumerate(reasons, 1):
        print(f"\n{k}. {reason}", end="")
    print()
    if refused:
        print("\nNo answer: " + ", ".join(refused))
    return 0


if __name__ == "__main__":
    sys.exit(main())
