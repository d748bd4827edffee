#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a stored start saves: a cold and a warm start of models on the GPU, one line of a table each.

  stored_start.py [--binary build/benchmark_model] [--rounds 3] [--warm 5] MODEL...

Each round stores into an empty folder, then starts from it --warm times, with the driver's own cache off
(MESA_SHADER_CACHE_DISABLE=true), so that a cold start is one. Columns, the least of all rounds, ms: what preparing took (claims,
lowering, packing, programs) cold and warm; from nothing to the first result, likewise (the model, opening the device, preparing,
the first inference); of the warm one, what opening the device and an inference that is not the first take, which no stored start
can save; what is left of the ratio without these two.
"""
import argparse
import json
import os
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
    times["warm"] = got["delegate_start"]["programs_compiled"] + got["delegate_start"]["nodes_lowered"] == 0
    return times


def rounds(args, model):
    """The least of cold and of warm starts, two dictionaries, or None."""
    cold, warm = [], []
    for _ in range(args.rounds):
        with tempfile.TemporaryDirectory() as folder:
            for runs in (cold, *[warm] * args.warm):
                runs.append(start(args.binary, model, folder))
        if not warm[-1]:
            return None
        if not warm[-1]["warm"]:
            print(f"{Path(model).stem}: the second start was not warm", file=sys.stderr)
    return [{name: min(run[name] for run in runs) for name in runs[0]} for runs in (cold, warm)]


def main():
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/benchmark_model")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--warm", type=int, default=5)
    parser.add_argument("models", nargs="+")
    args = parser.parse_args()
    print("| model | prepare, cold | warm | ratio | first result, cold | warm | ratio | of it device | inference | ratio without |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for model in args.models:
        if not (both := rounds(args, model)):
            print(f"{Path(model).stem}: does not run", file=sys.stderr)
            continue
        cold, warm = both
        rest = [max(t["result"] - t["open_delegate"] - t["inference"], 0) for t in both]
        print(f"| {Path(model).stem} | {cold['prepare']:.0f} | {warm['prepare']:.1f} | {warm['prepare'] / cold['prepare']:.2f} "
              f"| {cold['result']:.0f} | {warm['result']:.0f} | {warm['result'] / cold['result']:.2f} "
              f"| {warm['open_delegate']:.0f} | {warm['inference']:.1f} | {rest[1] / rest[0]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
