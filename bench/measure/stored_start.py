#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a stored start saves: cold and warm starts of models on the GPU, one line of a table each.

  stored_start.py [--binary build/benchmark_model] [--pairs 9] MODEL...

Cold and warm starts take turns, each pair in an empty folder of its own, with the driver's own cache off
(MESA_SHADER_CACHE_DISABLE=true), so that a cold start is one. Columns, medians of all pairs, ms: what preparing took (claims,
lowering, packing, programs) cold and warm, and the median of the pairs' ratios; from nothing to the first result, likewise (the
model, opening the device, preparing, the first inference); of the warm start, what opening the
device and an inference that is not the first take, which no stored start can save; the first result's ratio without these two.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

QUICK = ["--num_runs=3", "--min_secs=0", "--warmup_runs=1", "--warmup_min_secs=0", "--use_gpu=true", "--json=-"]


def start(binary, model, folder):
    """Times of a start in ms, by name; None where the model does not run."""
    stored = [f"--delegate_serialize_dir={folder}", "--delegate_serialize_token=m"]
    env = {**os.environ, "MESA_SHADER_CACHE_DISABLE": "true"}
    done = subprocess.run([binary, f"--graph={model}", *QUICK, *stored], capture_output=True, text=True, check=False, env=env)
    if done.returncode:
        return None
    got = json.loads(done.stdout)
    times = {name: got["times_us"][name] / 1e3 for name in ("open_delegate", "prepare", "init", "first_inference")}
    times["inference"] = got["times_us"]["inference"]["min"] / 1e3
    times["result"] = times["init"] + times["first_inference"]
    times["rest"] = max(times["result"] - times["open_delegate"] - times["inference"], 0)
    times["warm"] = got["delegate_start"]["programs_compiled"] + got["delegate_start"]["nodes_lowered"] == 0
    return times


def pairs(args, model):
    """A cold and a warm start, args.pairs times; None where the model does not run."""
    both = []
    for _ in range(args.pairs):
        with tempfile.TemporaryDirectory() as folder:
            both.append([start(args.binary, model, folder) for _ in range(2)])
        if not all(both[-1]):
            return None
        if not both[-1][1]["warm"]:
            print(f"{Path(model).stem}: the second start was not warm", file=sys.stderr)
    return both


def medians(both, name, digits):
    """ "cold | warm | ratio" of that time."""
    cold, warm = (statistics.median(pair[i][name] for pair in both) for i in range(2))
    ratio = statistics.median(warm[name] / max(cold[name], 1e-3) for cold, warm in both)
    return f"{cold:.0f} | {warm:.{digits}f} | {ratio:.2f}"


def main():
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/benchmark_model")
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("models", nargs="+")
    args = parser.parse_args()
    print("| model | prepare, cold | warm | ratio | first result, cold | warm | ratio "
          "| of it device | an inference | ratio without these |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for model in args.models:
        if not (both := pairs(args, model)):
            print(f"{Path(model).stem}: does not run", file=sys.stderr)
            continue
        last = [statistics.median(pair[1][name] for pair in both) for name in ("open_delegate", "inference")]
        print(f"| {Path(model).stem} | {medians(both, 'prepare', 1)} | {medians(both, 'result', 0)} "
              f"| {last[0]:.0f} | {last[1]:.1f} | {medians(both, 'rest', 0).split('| ')[-1]} |", flush=True)


if __name__ == "__main__":
    main()
