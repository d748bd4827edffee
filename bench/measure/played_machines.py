#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often benchmark_model and benchmark_compare are right together, on machines that are played: one table.

  played_machines.py [--build build] [--pairs 100] [--processes 5] [--seed 1] MODEL

The times of each process are told to the dummy delegate (--dummy_delegate_options=times:FILE), so that the truth is known; all
else is as a user has it: a process of benchmark_model for each report, in the order A B, B A, and benchmark_compare with its gate
of 5 %. Machines are those of lib/measure/comparison_test.c. Each cell is of --pairs comparisons: in per cent, how many intervals
held the truth, how many were called slower, and how many failed the gate.
"""
import argparse
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

RUNS, USUAL_US = 21, 20000
# name: scatter of processes and of runs, slowdown from the first process to the last, the part of all processes after which it is
# throttled to half its speed.
MACHINES = {"idle": (0.01, 0.02, 0, 1), "drifting by 30 %": (0.01, 0.02, 0.3, 1), "throttled between rounds": (0.01, 0.02, 0, 0.4),
            "busy": (0.06, 0.3, 0, 1)}
SLOWDOWNS = (1, 1.03, 1.1)


def times_of(rng, machine, place, of, slowdown):
    """The microseconds of one process, the number `place` of `of`."""
    between, within, drift, throttled = machine
    usual = USUAL_US * slowdown * math.exp(rng.gauss(0, between)) * (1 + drift * place / (of - 1)) * (1 + (place >= throttled * of))
    return [usual * (1 + within * abs(rng.gauss(0, 1)) ** 1.5) for _ in range(RUNS)]


def report(args, folder, name, times):
    (folder / "us").write_text("".join(f"{us:.6f}\n" for us in times), encoding="utf-8")
    path = folder / f"{name}.json"
    subprocess.run([f"{args.build}/benchmark_model", args.model, "--use_dummy_delegate",
                    f"--dummy_delegate_options=times:{folder}/us", f"--num_runs={RUNS}", "--min_secs=0", "--warmup_runs=0",
                    "--warmup_min_secs=0", f"--json={path}"], check=True, capture_output=True)
    return path


def compare(args, rng, machine, slowdown):
    """One comparison: (the interval holds the truth, called slower, the gate failed)."""
    with tempfile.TemporaryDirectory() as name:
        folder, sides, place = Path(name), {"old": [], "new": []}, 0
        for turn in range(args.processes):
            for side in ("old", "new") if turn % 2 == 0 else ("new", "old"):
                times = times_of(rng, machine, place, 2 * args.processes, slowdown if side == "new" else 1)
                sides[side].append(report(args, folder, f"{side}-{turn:02}", times))
                place += 1
        done = subprocess.run([f"{args.build}/benchmark_compare", *sides["old"], "--", *sides["new"], f"--json={folder}/c.json"],
                              check=False, capture_output=True, text=True)
        if done.returncode > 1:
            sys.exit(done.stderr)
        times = json.loads((folder / "c.json").read_text(encoding="utf-8"))["pairs"][0]["run_us"]
    low, high = times["ratio_low"], times["ratio_high"]
    return low <= slowdown <= high, times["verdict"] == "slower", done.returncode == 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--processes", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("model")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    print("| machine |" + "".join(f" slower by {100 * (slowdown - 1):.0f} % |" for slowdown in SLOWDOWNS))
    print("|---|" + "---:|" * len(SLOWDOWNS))
    for name, machine in MACHINES.items():
        cells = []
        for slowdown in SLOWDOWNS:
            found = [compare(args, rng, machine, slowdown) for _ in range(args.pairs)]
            cells.append(", ".join(f"{100 * sum(hit[i] for hit in found) / args.pairs:.0f}" for i in range(3)))
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
