#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the GPU delegate makes of models and what it holds for that, one line of a table each. Nothing is run.

  gpu_memory.py [--binary build/benchmark_model] MODEL...

Columns: partitions, programs, dispatches; tensors that share memory (kB), that over what is alive at the busiest dispatch (the
least there can be); staging for inputs and outputs (kB). A model that does not load, or of which the GPU takes nothing, is left
out with a line on standard error. Exit status 1 where any takes more than --most times the least.
"""
import argparse
import json
import subprocess
import sys
from pathlib import Path

QUICK = ["--num_runs=0", "--warmup_runs=0", "--warmup_min_secs=0", "--min_secs=0", "--use_gpu=true", "--json=-"]


def report(binary, model):
    """The tool's JSON, or None."""
    done = subprocess.run([binary, f"--graph={model}", *QUICK], capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def main():
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/benchmark_model")
    parser.add_argument("--most", type=float, default=1.02)
    parser.add_argument("models", nargs="+")
    args = parser.parse_args()
    above = 0
    print("| model | partitions | programs | dispatches | tensors | over the least | staging |\n|---|---|---|---|---|---|---|")
    for model in args.models:
        name, got = Path(model).stem, report(args.binary, model)
        parts = got["assignment"]["partitioning"]["partitions"] if got else []
        if not parts:
            print(f"{name}: {'nothing on the GPU' if got else 'does not load'}", file=sys.stderr)
            continue
        memory, work = got["memory_bytes"]["delegate"], got["delegate_work"]
        ratio = memory["tensors"] / memory["lower_bound"] if memory["lower_bound"] else 1
        above += ratio > args.most
        print(f"| {name} | {len(parts)} | {work['programs']} | {work['dispatches']} | {memory['tensors'] / 1e3:.1f} | {ratio:.3f} "
              f"| {memory['staging'] / 1e3:.1f} |", flush=True)
    return above > 0


if __name__ == "__main__":
    sys.exit(main())
