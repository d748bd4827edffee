#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fix_models_test.py BUILD MODELS [RULES...] - which models a GPU takes whole only after op_coverage --fix, and that these run.

Every model of MODELS/float, ops and quant is rewritten for this GPU backend and for each of RULES (tflite-gpu). A line for each
that is whole then and was not before: nodes that were refused, rewrites, name. The new model must be whole when it is asked about,
equal to the old one (--fix itself holds that, in its report), and on this GPU inference_diff must pass on it, 8-bit weights times
floats held against products of floats. The last line is
"N passed, N failed, N skipped"; without MODELS, or a GPU to run on, that is skipped."""

import glob
import json
import os
import subprocess
import sys
import tempfile

import checks

SECONDS = 120
BUILD, MODELS = sys.argv[1:3] if len(sys.argv) > 2 else sys.exit(__doc__)
RULES = ["", *(sys.argv[3:] or ["tflite-gpu"])]


def run(tool, *args):
    """Its exit status, None where it takes too long."""
    try:
        return subprocess.run([os.path.join(BUILD, tool), *args], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              timeout=SECONDS, check=False).returncode
    except subprocess.TimeoutExpired:
        return None


def whole_after(path, flags, folder):
    """What --fix says where the model is whole after it alone; "late" where it takes too long, None otherwise."""
    report = os.path.join(folder, "r.json")
    status = run("op_coverage", path, *flags, f"--fix={folder}/new.tflite", f"--json={report}")
    if status is None:
        return "late"
    if status not in (0, 1):
        return None
    with open(report, encoding="utf-8") as f:
        fix = json.load(f)["fix"]
    os.remove(report)
    return fix if fix and fix["written"] and fix["refused_before"] and not fix["refused_after"] else None


def hold(path, rules, fix, new, has_gpu):
    name = os.path.relpath(path, MODELS)
    print(f"{rules or 'this GPU':12} {fix['refused_before']:4} refused, {len(fix['done']):4} rewritten  {name}")
    flags = [f"--rules={rules}"] if rules else []
    checks.check(f"{name}: whole for {rules or 'this GPU'}", run("op_coverage", new, *flags, "--require=full") == 0)
    checks.check(f"{name}: equal", fix["failed"] is None and fix["runs"] > 0)
    if not has_gpu:
        checks.not_run(name, "no GPU")
    else:
        checks.check(f"{name}: runs", run("inference_diff", f"--graph={new}", "--delegate=gpu", "--num_runs=3",
                                            "--reference_hybrid=float") == 0)


def main():
    models = sorted(path for part in ("float", "ops", "quant") for path in glob.glob(os.path.join(MODELS, part, "*.tflite")))
    has_gpu = run("inference_diff", f"--graph={models[0]}", "--delegate=gpu", "--num_runs=1") != 3 if models else False
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in models:
            for rules in RULES:
                fix = whole_after(path, [f"--rules={rules}"] if rules else [], folder)
                if fix == "late":
                    checks.not_run(os.path.relpath(path, MODELS), f"--fix takes more than {SECONDS} s")
                elif fix:
                    found += 1
                    hold(path, rules, fix, os.path.join(folder, "new.tflite"), has_gpu)
    if models:
        checks.check("some models are whole only after --fix", found > 0)
    else:
        checks.not_run("fix-models", f"no models in {MODELS}")
    return checks.finish()


sys.exit(main())
