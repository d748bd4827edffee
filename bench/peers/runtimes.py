#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Models in a runtime that is loaded as a library, against the reference kernels: a verdict for each, and the node to blame.

  runtimes.py BUILD MODELS [--bisect] -- FLAGS of inference_diff, as --litert_lib=PATH/libLiteRt.so

Prints a row of a table of Markdown for every model that is not equal: off (beyond the preset's tolerance), refused (by the runtime,
with its reason), failed (it ended or gave no answer), or not compared (the reference kernels refuse it). The sums follow. With
--bisect a model that is off is searched for the node to blame.
"""
import argparse
import collections
import os
import re
import subprocess
import sys

TIMEOUT = 240
BLAME_TIMEOUT = 40    # seconds for a search


def run(tool, model, flags, timeout=TIMEOUT):
    try:
        done = subprocess.run([tool, model, "--num_runs=1", "--repeat=1", *flags], capture_output=True, text=True, errors="replace",
                              check=False, timeout=timeout)
    except subprocess.TimeoutExpired:
        return 4, "", f"ERROR: no answer in {timeout} s"
    return done.returncode, done.stdout, done.stderr


def error_line(said):
    lines = [line for line in said.splitlines() if line.startswith("ERROR: ")]
    return lines[-1].removeprefix("ERROR: ") if lines else ""


def first_reason(out):
    """The line behind "Following operations are not supported"."""
    match = re.search(r"^Following operations are not supported.*\n(.*)$", out, re.M)
    return match.group(1) if match else ""


def largest_error(out):
    return ", ".join(re.findall(r"max_error=(\S+)", out)[:2])


def judge(code, out, said):
    """The kind of answer, and what there is to say of it."""
    if code in (2, 4):
        reason = error_line(said)
        ended = re.match(r"(test: )?(litert|tflite)[: ]", reason)
        return ("failed" if ended else "not compared"), reason
    if code == 0:
        return "equal", ""
    if "Too few nodes on" in out:
        return "refused", first_reason(out)
    error = largest_error(out)
    return ("off", f"largest error {error}") if error else ("not compared", "it has no nodes, or outputs that are no numbers")


def blame(tool, model, flags):
    """The lines of the bisection that name nodes, and how many trials it took."""
    _, out, said = run(tool, model, ["--bisect", *flags], BLAME_TIMEOUT)
    found = [line.rstrip(".") for line in out.splitlines() if line.startswith("Off ")]
    trials = len(re.findall(r"^ +\d+ +\d+ +\d+ +\d+ .* (?:yes|no)$", out, re.M))
    return f"{'; '.join(found[:2]) or 'no node by itself'} ({trials} trials)" if trials else error_line(said)


def signatures(build, model):
    """The keys of a model that has several."""
    done = subprocess.run([os.path.join(build, "benchmark_model"), model, "--list_signatures"], capture_output=True, text=True,
                          errors="replace", check=False, timeout=TIMEOUT)
    keys = re.findall(r"-> Signature Key: (.*)$", done.stdout, re.M)
    return keys if len(keys) > 1 else []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("models")
    parser.add_argument("--bisect", action="store_true")
    args, flags = parser.parse_known_args()
    args.flags = [flag for flag in flags if flag != "--"]
    tool = os.path.join(args.build, "inference_diff")
    names = sorted(os.path.relpath(os.path.join(folder, name), args.models) for folder, _, files in os.walk(args.models)
                   for name in files if name.endswith(".tflite"))
    sums = collections.Counter()
    print("| model | answer | what |\n|---|---|---|")
    for name in names:
        model = os.path.join(args.models, name)
        for key in signatures(args.build, model) or [""]:
            flags = [*args.flags, f"--signature={key}"] if key else args.flags
            kind, what = judge(*run(tool, model, flags))
            sums[kind] += 1
            if kind == "off" and args.bisect:
                what += "; " + blame(tool, model, flags)
            if kind != "equal":
                row = name.removesuffix(".tflite") + (f" ({key})" if key else "")
                print(f"| {row} | {kind} | {what.replace('|', ' ')[:300]} |", flush=True)
    print("\n" + ", ".join(f"{kind} {n}" for kind, n in sums.most_common()) + f" of {sum(sums.values())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
