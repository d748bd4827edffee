#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds op_coverage --rules=tflite-gpu against what TFLite's own GPU delegate said of real models.

  tflite_log_test.py BUILD MODELS

MODELS/../golden/tflite_gpu_log.json has, for each model, the lines about unsupported operations, the counts, the partitions and
whether the delegate then started. The lines must be equal word for word, and with them every node's verdict; the counts and the
number of partitions too, where the log has them; the log was taken with at most 8 partitions. Of tflite-gl it is counted how often
it foresees whether the delegate starts on OpenGL: at least 98 in 100.

Prints a line per model that differs, then "N passed, N failed, N skipped"."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

BUILD, MODELS = sys.argv[1:3]
DYNAMIC = "Attempting to use a delegate that only supports static-sized tensors"


def ask(model):
    run = subprocess.run([os.path.join(BUILD, "op_coverage"), os.path.join(MODELS, model + ".tflite"), "--json=-",
                          "--rules=tflite-gpu,tflite-gl", "--max_delegated_partitions=8"], capture_output=True, check=False)
    return model, json.loads(run.stdout) if run.stdout else None, run.stderr.decode(errors="replace")


def lines_of(report, rules):
    """As the delegate lists them; nothing where the whole graph is refused before it is asked."""
    said = {(node["op"], verdict["reason"]) for node, verdict in zip(report["verdicts"], rules["verdicts"])
            if verdict["verdict"] == "no" and verdict["reason_code"] != "PARTITION_LIMIT"}
    if any(reason.startswith(DYNAMIC) for _, reason in said):
        return "dynamic"
    return sorted(f"{op}: {reason}" for op, reason in said)


def differences(log, report):
    rules, dynamic = report["rules"][0], log.get("error", "").endswith(" 3")
    theirs = "dynamic" if dynamic else sorted(line.removeprefix("CUSTOM ") for line in log["unsupported"])
    ours = lines_of(report, rules)
    if ours != theirs:
        yield f"lines {ours}, not {theirs}"
    counts = rules["delegated"], len(rules["verdicts"]) - rules["delegated"]
    if "gpu_ops" in log and counts != (log["gpu_ops"], log["cpu_ops"]):
        yield f"counts {counts}, not {log['gpu_ops'], log['cpu_ops']}"
    if "gpu_partitions" in log and rules["partition_count"] != log["gpu_partitions"]:
        yield f"{rules['partition_count']} partitions, not {log['gpu_partitions']}"


def main():
    with open(os.path.join(MODELS, "..", "golden", "tflite_gpu_log.json"), encoding="utf-8") as f:
        logs = json.load(f)
    passed, failed, foreseen, started = 0, 0, 0, 0
    with ThreadPoolExecutor(2) as pool:
        for model, report, errors in pool.map(ask, logs):
            found = list(differences(logs[model], report)) if report else [errors.strip()]
            for text in found:
                print(f"FAIL {model}: {text}")
            passed, failed = passed + (not found), failed + bool(found)
            if report and logs[model]["exit"] is not None and lines_of(report, report["rules"][0]) != "dynamic":
                started += 1
                foreseen += (report["rules"][1]["crash"] > 0) == (logs[model]["exit"] != 0)
    print(f"tflite-gl foresees {foreseen} of {started} starts")
    failed, passed = failed + (foreseen < 0.98 * started), passed + (foreseen >= 0.98 * started)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
