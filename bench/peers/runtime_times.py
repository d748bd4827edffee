#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""benchmark_model --delegate=litert beside LiteRT's own Python interface: the same library, and the same calls, by turns.

  runtime_times.py [--bin build/benchmark_model] [--rounds 9] [--secs 1] MODEL.tflite ...

A round is a process of each, which side first by turns. A process writes the inputs, runs and reads the outputs, over and over, and
has the median of these times and the least. A round has the ratio of both sides' medians, and a model the median of its rounds,
with their quartiles. The last column is the ratio of the least of all rounds, which other load on the machine disturbs less. Needs
a Python with ai-edge-litert and numpy, whose library both sides load. Judges nothing: exit status 0.
"""
import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time


def package():
    return os.path.dirname(importlib.util.find_spec("ai_edge_litert").origin)


def one(path, secs):
    """This process: times of the calls of LiteRT's Python interface, in seconds."""
    import numpy as np
    from ai_edge_litert.compiled_model import CompiledModel

    model = CompiledModel.from_file(path)
    ins, outs = model.create_input_buffers(0), model.create_output_buffers(0)
    names = next(iter(model.get_signature_list().values()))
    details = model.get_input_tensor_details(next(iter(model.get_signature_list())))
    rng = np.random.default_rng(1)
    data = [rng.random(details[name]["shape"]).astype(details[name]["dtype"]) for name in names["inputs"]]
    results = model.get_output_tensor_details(next(iter(model.get_signature_list())))
    wanted = [(int(np.prod(results[name]["shape"])), results[name]["dtype"]) for name in names["outputs"]]
    out, end = [], time.perf_counter() + 2 * secs
    while time.perf_counter() < end:
        start = time.perf_counter()
        for buffer, content in zip(ins, data):
            buffer.write(content)
        model.run_by_index(0, ins, outs)
        for buffer, (n, kind) in zip(outs, wanted):
            buffer.read(n, kind)
        out.append(time.perf_counter() - start)
    print(json.dumps(out[len(out) // 2:]))    # half of the time warms up


def figures(seconds):
    return statistics.median(seconds), min(seconds)


def theirs(path, secs):
    command = [sys.executable, __file__, "--one", "--secs", str(secs), path]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return figures(json.loads(done.stdout.splitlines()[-1]))


def ours(binary, path, secs):
    with tempfile.TemporaryDirectory() as tmp:
        out = os.path.join(tmp, "r.json")
        subprocess.run([binary, path, f"--litert_lib={package()}/libLiteRt.so", "--num_threads=1", "--num_runs=1",
                        f"--min_secs={secs}", f"--warmup_min_secs={secs}", f"--json={out}"], check=True, capture_output=True)
        with open(out, encoding="utf-8") as f:
            return figures([us / 1e6 for us in json.load(f)["times_us"]["inference"]["samples"]])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("models", nargs="+", metavar="MODEL")
    p.add_argument("--bin", default="build/benchmark_model")
    p.add_argument("--rounds", type=int, default=9)
    p.add_argument("--secs", type=float, default=1)
    p.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    a = p.parse_args()
    if a.one:
        return one(a.models[0], a.secs)
    print("| model | LiteRT's Python, ms | benchmark_model, ms | ratio | quartiles of the rounds | of the least |\n"
          "|---|---|---|---|---|---|")
    for path in a.models:
        mine, peer = [], []
        for k in range(a.rounds):
            for side in (0, 1) if k % 2 else (1, 0):
                if side:
                    mine.append(ours(a.bin, path, a.secs))
                else:
                    peer.append(theirs(path, a.secs))
        ratios = [m[0] / t[0] for m, t in zip(mine, peer)]
        least = min(m[1] for m in mine) / min(t[1] for t in peer)
        peer, mine = [t[0] for t in peer], [m[0] for m in mine]
        low, _, high = statistics.quantiles(ratios, n=4)
        print(f"| {os.path.basename(path).removesuffix('.tflite')} | {1e3 * statistics.median(peer):.3f} | "
              f"{1e3 * statistics.median(mine):.3f} | {statistics.median(ratios):.3f} | {low:.3f} to {high:.3f} | "
              f"{least:.3f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
