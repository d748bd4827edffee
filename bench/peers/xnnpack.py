#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Our CPU kernels beside TensorFlow Lite with its XNNPACK delegate, in turn on the same machine.

  xnnpack.py [--bin build/benchmark_model] [--threads 1] [--rounds 5] [--cpu-time] MODEL.tflite ...

Each round times RUNS inferences of ours, then as many of theirs; the ratio is that of the medians over all rounds. Also prints
how much faster two threads are than one, ours. --cpu-time counts processor time instead, which says more on a busy machine; ours
is then that of a run of 2 * RUNS less one of RUNS, the least of all rounds, and so is theirs. Needs Python with ai-edge-litert and
numpy. Judges nothing: exit status 0.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
from ai_edge_litert.interpreter import Interpreter


def theirs(path, threads, clock):
    """Returns a function that times n inferences, in seconds each."""
    it = Interpreter(model_path=path, num_threads=threads)
    it.allocate_tensors()
    for d in it.get_input_details():
        shape, kind = d["shape"], d["dtype"]
        rng = np.random.default_rng(1)
        it.set_tensor(d["index"], (rng.random(shape) - 0.5).astype(kind) if np.issubdtype(kind, np.floating)
                      else rng.integers(0, 100, shape).astype(kind))

    def run(n):
        out = []
        for _ in range(n):
            start = clock()
            it.invoke()
            out.append(clock() - start)
        return out

    run(2)
    return run


def ours(binary, path, threads, n):
    with tempfile.TemporaryDirectory() as tmp:
        out = os.path.join(tmp, "r.json")
        subprocess.run([binary, f"--graph={path}", f"--num_threads={threads}", f"--num_runs={n}", "--warmup_runs=2", "--min_secs=0",
                        "--warmup_min_secs=0", "--cpu_kernels=fast", f"--json={out}"], check=True, capture_output=True)
        return [us / 1e6 for us in json.load(open(out))["times_us"]["inference"]["samples"]]


def ours_cpu(binary, path, threads, n):
    def spent(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        ours(binary, path, threads, runs)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return (spent(2 * n) - spent(n)) / n


def cpu_table(a):
    print(f"{'model':34s} {'ours ms':>9s} {'XNNPACK ms':>10s} {'ratio':>6s}")
    for path in a.models:
        run, mine, peer = theirs(path, a.threads, time.process_time), [], []
        for _ in range(a.rounds):
            mine.append(ours_cpu(a.bin, path, a.threads, a.runs))
            peer.append(statistics.mean(run(a.runs)))
        m, t = 1e3 * min(mine), 1e3 * min(peer)
        print(f"{os.path.basename(path)[:34]:34s} {m:9.2f} {t:10.2f} {m / t:6.2f}", flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("models", nargs="+", metavar="MODEL")
    p.add_argument("--bin", default="build/benchmark_model")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--runs", type=int, default=10)
    p.add_argument("--cpu-time", action="store_true")
    a = p.parse_args()
    if a.cpu_time:
        return cpu_table(a)
    print(f"{'model':34s} {'ours ms':>9s} {'XNNPACK ms':>10s} {'ratio':>6s} {'2 threads':>9s}")
    for path in a.models:
        run, mine, peer, two = theirs(path, a.threads, time.perf_counter), [], [], []
        for _ in range(a.rounds):
            mine += ours(a.bin, path, a.threads, a.runs)
            peer += run(a.runs)
            two += ours(a.bin, path, 2 * a.threads, a.runs)
        m, t, d = (1e3 * statistics.median(v) for v in (mine, peer, two))
        print(f"{os.path.basename(path)[:34]:34s} {m:9.2f} {t:10.2f} {m / t:6.2f} {m / d:8.2f}x", flush=True)


sys.exit(main())
