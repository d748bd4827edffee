#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gpu_table_test.py - what TensorFlow Lite's GPU delegate takes, this GPU takes: each of its operators, in each case of opcheck.

    gpu_table_test.py BUILD        (prints a line for each finding, and last "N passed, N failed, N skipped")

schema/rules/tflite-gpu-cl.rules is the delegate's table of operators. Each must be one that op_coverage covers in some case of
opcheck. Each case that it leaves to the CPU, and that can run there, is shown to the rules: what these take is a failure, unless
testdata/gpu/behind.txt lists the operator and the case with what op_coverage says, and so is a line of that file which nothing is
behind any more."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RULES = "tflite-gpu-cl"


def run(program, *args):
    """Status 1 is an answer too: a model that cannot run, a requirement not met."""
    done = subprocess.run([program, *args], capture_output=True, text=True, check=False)
    if done.returncode > 2:
        sys.exit(f"{program}: {done.stderr.strip()}")


def operators_of_table():
    text = (ROOT / "schema/rules" / f"{RULES}.rules").read_text(encoding="utf-8")
    return {name for line in re.findall(r"^(?:op|custom) (.+)$", text, re.M) for name in line.split()}


def behind(build, model, answer):
    """What op_coverage says of the first node that the rules take and the GPU does not; None: there is none. Tensors without
    elements are nothing to compute, and what the CPU refuses runs nowhere."""
    run(build / "op_coverage", f"--graph={model}", f"--rules=this-es31,{RULES}", f"--json={answer}")
    own, theirs = json.loads(answer.read_text(encoding="utf-8"))["rules"]
    taken = {v["node"] for v in theirs["verdicts"] if v["verdict"] == "yes"}
    for verdict in own["verdicts"]:
        runs_nowhere = verdict.get("reason_code") == "REFUSED_BY_CPU" or verdict.get("reason", "").endswith(" is empty")
        if verdict["node"] in taken and verdict["verdict"] == "no" and not runs_nowhere:
            return verdict["reason"]
    return None


def main():
    build = Path(sys.argv[1]).resolve()
    table, seen, found, asked = operators_of_table(), set(), {}, 0
    with tempfile.TemporaryDirectory() as folder:
        cases, answer = Path(folder) / "cases", Path(folder) / "answer.json"
        run(build / "opcheck", f"--export={cases}")
        run(build / "op_coverage", cases, f"--json={answer}")
        models = {Path(m["path"]).stem: m for m in json.loads(answer.read_text(encoding="utf-8"))["models"]}
        for line in (cases / "manifest.tsv").read_text(encoding="utf-8").splitlines():
            kernel, number, _, kind, operator, name = line.split("\t")[:6]
            model = models[f"{kernel}__{number}"]
            if operator not in table or model["failure"] or kind == "fails":
                continue
            asked += 1
            if model["covered"] + model["folded"] == model["node_count"]:
                seen.add(operator)
                continue
            reason = behind(build, cases / f"{kernel}__{number}.tflite", answer)
            if reason:
                found[f"{operator}\t{name}"] = reason
    lines = (ROOT / "testdata/gpu/behind.txt").read_text(encoding="utf-8").splitlines()
    known = dict(line.rsplit("\t", 1) for line in lines if line and not line.startswith("#"))
    wrong = [f"{operator}: no case of it is covered" for operator in sorted(table - seen)]
    wrong += [f"{case}\t{reason}\tis not in behind.txt" for case, reason in found.items() if known.get(case) != reason]
    wrong += [f"{case}\tis in behind.txt, but nothing is behind" for case in known if case not in found]
    for text in wrong:
        print("FAIL", text)
    print(f"{len(table) + asked - len(wrong)} passed, {len(wrong)} failed, 0 skipped")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
