#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs benchmark_model and reads its output as public scripts do: testdata/readers.txt has their expressions.

  readers_test.py BUILD

Each expression is applied to the output of a run, and what it captures is held against the JSON report of the same run. Blocks of
the table, in which lines that begin with # are comments:

  command NAME ARGS      benchmark_model with ARGS and --json=NAME.json; models lie in models/. A first word VARIABLE=VALUE is set.
                         A name that begins with gpu is left out where there is no GPU
  reader WHO             begins an entry
  run NAME               the command whose output (both streams) is read
  file FILE              this file, which the command wrote, is read in place of its output
  find HOW EXPRESSION    in Python's syntax. HOW is one or two words: line (at the first column of a line) or text (anywhere, .
                         takes no newline) or whole (. takes newlines); first (as without) or last. Of several lines the first that
                         matches counts
  is TRUTH...            what the groups hold: a path in the report (times_us/inference/avg), which may have a factor (…/avg*0.001)
                         and is cut to a whole number after "floor:"; ="TEXT" is that text; - is anything. None: it must only match
  cannot REASON          in place of "is": the expression finds nothing, or reads what it did not mean, since REASON

Prints a line per entry that fails, then "N passed, N failed, N skipped"; exit status 0 where nothing failed."""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile


def parse(path):
    commands, readers = {}, []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if not line or line.startswith("#"):
                continue
            word, _, rest = line.partition(" ")
            rest = rest.lstrip()
            if word == "command":
                name, _, args = rest.partition(" ")
                commands[name] = shlex.split(args)
            elif word == "reader":
                readers.append({"who": rest, "line": number, "find": []})
            elif word == "find":
                readers[-1]["find"].append(how_and_expression(rest))
            elif word in ("run", "file", "is", "cannot"):
                readers[-1][word] = rest
            else:
                sys.exit(f"{path}:{number}: no such word: {word}")
    return commands, readers


def how_and_expression(text):
    how = []
    while (first := text.split(" ", 1)[0]) in ("line", "text", "whole", "first", "last"):
        how.append(first)
        text = text.split(" ", 1)[1]
    return how, text


def run(build, name, args):
    """The output of the command, and its report, or {} where there is none."""
    env = dict(os.environ)
    while args and re.match(r"[A-Za-z_]+=", args[0]):
        variable, _, value = args[0].partition("=")
        env[variable] = value
        args = args[1:]
    done = subprocess.run([f"{build}/benchmark_model", *args, f"--json={name}.json"], env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    try:
        with open(f"{name}.json", encoding="utf-8") as file:
            return done.stdout, json.load(file)
    except FileNotFoundError:
        return done.stdout, {}


def matches(how, expression, output):
    if "line" in how:
        found = [m for m in (re.match(expression, line) for line in output.splitlines()) if m]
    else:
        found = list(re.finditer(expression, output, re.S if "whole" in how else 0))
    if not found:
        return None
    return found[-1] if "last" in how else found[0]


def value_at(report, path):
    for key in path.split("/"):
        report = report[int(key)] if isinstance(report, list) else report[key]
    return report


def problem(truth, got, report):
    """What is wrong with one group, or None."""
    if truth == "-":
        return None
    if truth.startswith("="):
        return None if got == truth[1:].strip('"') else f"{got!r} is not {truth[1:]}"
    path, _, factor = truth.removeprefix("floor:").partition("*")
    want = value_at(report, path) * float(factor or 1)
    try:
        value = float(got)
    except (TypeError, ValueError):
        return f"{got!r} is no number"
    if truth.startswith("floor:"):
        good = value == int(want)
    else:
        # Whole microseconds are rounded; other figures have six digits, or three behind the point.
        good = abs(value - want) <= (0.5001 if "." not in got else max(1e-5 * abs(want), 0.0005001))
    return None if good else f"{got}, but {truth} is {want}"


def judge(reader, output, report):
    """What is wrong with a reader, or None."""
    found = next((m for m in (matches(*f, output) for f in reader["find"]) if m), None)
    if not found and "cannot" in reader:
        return None
    if not found:
        return "finds nothing"
    truths = re.findall(r'="[^"]*"|\S+', reader.get("is", ""))
    if truths and len(truths) != len(found.groups()):
        return f"{len(found.groups())} groups, {len(truths)} truths"
    wrong = [p for p in (problem(t, g, report) for t, g in zip(truths, found.groups())) if p]
    if "cannot" in reader:
        return None if wrong else "can be read, though the table says that it cannot"
    return "; ".join(wrong) or None


def main():
    build = os.path.abspath(sys.argv[1])
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    commands, readers = parse(f"{root}/testdata/readers.txt")
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        subprocess.run([f"{build}/make_models", "--cli", "models"], check=True, stdout=subprocess.DEVNULL)
        gpu = subprocess.run([f"{build}/benchmark_model", "--list_gpus"], capture_output=True, check=False).returncode == 0
        xnnpack = subprocess.run([f"{build}/op_coverage", "models/chain.tflite", "--delegate=xnnpack"], capture_output=True,
                                 check=False).returncode < 2
        missing = (() if gpu else ("gpu",)) + (() if xnnpack else ("xnnpack",))
        runs = {name: run(build, name, args) for name, args in commands.items() if not name.startswith(missing)}
        for reader in readers:
            if reader["run"] not in runs:
                skipped += 1
                continue
            output, report = runs[reader["run"]]
            if "file" in reader:
                with open(reader["file"], encoding="utf-8") as file:
                    output = file.read()
            wrong = judge(reader, output, report)
            if wrong:
                print(f"FAIL {reader['who']} (line {reader['line']}, run {reader['run']}): {wrong}")
            failed += bool(wrong)
            passed += not wrong
        for name, (output, _) in runs.items() if failed else ():
            print(f"---- {name}\n{output}")
        os.chdir("/")
    if not gpu:
        print("NOT RUN (gpu): readers of runs on the GPU, without a GPU")
    if not xnnpack:
        print("NOT RUN (xnnpack): readers of runs with XNNPACK (Debian package libxnnpack-dev)")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
