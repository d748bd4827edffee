#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs inference_diff on a folder of float models, in float32 and in float16, and writes what came out as a page.

  float16_table.py BUILD MODELS REPORTS PAGE [--secs=N] [--only=NAME,...]

BUILD has inference_diff, MODELS the *.tflite; smaller ones come first. REPORTS keeps the JSON reports of each run: what is there
already is not run again, so that the page can be made in several sittings. --secs bounds a single run (300); the search for nodes
is then interrupted and tells the best set so far, another run counts as not run.

Of each model: a run in float32; one in float16_storage with --why; and where that is beyond the tolerance, the search --auto_fp32,
and a last run with the flags it named.
"""
import json
import math
import pathlib
import re
import signal
import subprocess
import sys

RUNS = ["--delegate=gpu", "--num_runs=2", "--repeat=1", "--min_delegated=0"]
HALF = [*RUNS, "--gpu_precision=fp16_storage"]
FINDINGS = {
    "beyond": "values beyond 65504", "small": "values below 2^-14", "cancelling": "terms cancel",
    "constant_beyond": "constants beyond 65504", "constant_vanishes": "constants that become 0", "saturated": "saturated"}


def run(build, model, flags, report, secs):
    """Leaves the report, or none where there is no result; the reason is then in a file beside it."""
    failed = report.with_suffix(".failed")
    if report.exists() or failed.exists():
        return
    command = [str(build / "inference_diff"), f"--model_file={model}", *flags, f"--json={report}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            text = process.communicate(timeout=secs)[0]
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            text = process.communicate()[0] + f"\nERROR: not finished within {secs} s"
    print(f"{report.name}: {process.returncode}", flush=True)
    if not report.exists():
        lines = [line for line in text.splitlines() if line.startswith(("ERROR", " #> Signature key: "))]
        failed.write_text("\n".join(lines or ["ERROR: no report"]), "utf-8")


def run_model(build, model, reports, secs):
    """Runs the model, or each of its signatures where there are several."""
    run(build, model, [*RUNS, "--gpu_precision=fp32"], reports / f"{model.stem}.fp32.json", secs)
    failed = reports / f"{model.stem}.fp32.failed"
    keys = re.findall(r"^ #> Signature key: (.+)", failed.read_text("utf-8"), re.MULTILINE) if failed.exists() else []
    for key in keys or [None]:
        run_case(build, model, reports, secs, key)


def run_case(build, model, reports, secs, key):
    name = model.stem if key is None else f"{model.stem} {key}"
    signature = [] if key is None else [f"--signature={key}"]
    half_flags = [*HALF, *signature]
    run(build, model, [*RUNS, *signature, "--gpu_precision=fp32"], reports / f"{name}.fp32.json", secs)
    run(build, model, [*half_flags, "--why"], reports / f"{name}.fp16.json", secs)
    half = load(reports, name, "fp16")
    if half is None or half["passed"] or half["test"]["assignment"]["delegated"] == 0:
        return
    run(build, model, [*half_flags, "--auto_fp32"], reports / f"{name}.auto.json", secs)
    found = load(reports, name, "auto")
    if found and found["auto_fp32"] and flags_of(found["auto_fp32"]):
        run(build, model, [*half_flags, *flags_of(found["auto_fp32"])], reports / f"{name}.repaired.json", secs)


def flags_of(found):
    both = [found, *([found["on_cpu"]] if found["on_cpu"] else [])]
    return [f"--{search['flag']}={search['value']}" for search in both if search["value"]]


def names_of(model, reports):
    """Of what was run: the model, or its signatures."""
    keys = sorted(p.name.split(".fp32.")[0] for p in reports.glob(f"{model.stem} *.fp32.*"))
    return keys or [model.stem]


def load(reports, name, kind):
    path = reports / f"{name}.{kind}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else None


def relative(error, output):
    """In terms of the largest value of the reference, from the two figures of the output itself."""
    d = output["raw"]
    if error is None:
        return math.nan
    return error * d["relative"] / d["max_error"] if d["max_error"] else 0.0 if not error else math.nan


def number(x):
    return "not finite" if x is None or math.isnan(x) else f"{x:.1e}" if x else "0"


def worst(report, errors):
    """Of several outputs the one that is farthest off."""
    pairs = [(relative(e, o), i) for i, (e, o) in enumerate(zip(errors, report["outputs"], strict=True))]
    nans = [p for p in pairs if math.isnan(p[0])]
    return nans[0] if nans else max(pairs, default=(0.0, 0))


def own_errors(report):
    return worst(report, [o["raw"]["max_error"] for o in report["outputs"]])


def verdict(report):
    return "passes" if report["passed"] else "FAILS"


def suspect(report):
    """The node that is farthest off alone in half precision."""
    nodes = [n for n in report["why"]["nodes"] if n["own_error"] is None or n["own_error"] > 0]
    if not nodes:
        return "none"
    node = max(nodes, key=lambda n: math.inf if n["own_error"] is None else n["own_error"])
    found = ", ".join(FINDINGS[f] for f in node["findings"])
    error = "infinite" if node["own_error"] is None else f"{node['own_error']:.1e}"
    return f"{node['node']} {node['op']}, {error}" + (f" ({found})" if found else "")


def explained(report, at):
    words = {"half": "yes", "not_half": "NO", "unknown": "unknown", "no_error": "no error", None: "stores float32"}
    return words[report["why"]["outputs"][at]["explained"]] if report["why"]["outputs"] else "not run"


def remedy(reports, name, half):
    if half["passed"]:
        return "none needed"
    if half["test"]["assignment"]["delegated"] == 0:
        return "nothing on the GPU"
    report, repaired = load(reports, name, "auto"), load(reports, name, "repaired")
    found = report["auto_fp32"] if report else None
    if not found:
        return "search not run"
    if found["end"] == "not_enough":
        return "neither float32 nor the CPU for all nodes repairs it"
    on_cpu = found["on_cpu"]
    if on_cpu:
        last = f": {number(own_errors(repaired)[0])}, {verdict(repaired)}" if repaired else "; not verified"
        return f"`{' '.join(flags_of(found))}` ({len(on_cpu['nodes'])} of {on_cpu['candidates']} on the CPU){last}"
    if not found["value"]:
        return "search ended early"
    more = "" if found["end"] == "found" else ", fewer may do"
    last = f"; with it: {number(own_errors(repaired)[0])}, {verdict(repaired)}" if repaired else "; not verified"
    return f"`{found['value']}` ({len(found['nodes'])} of {found['candidates']} nodes, {found['trials']} trials{more}){last}"


def row(reports, name):
    full, half = load(reports, name, "fp32"), load(reports, name, "fp16")
    failed = [path for kind in ("fp32", "fp16") if (path := reports / f"{name}.{kind}.failed").exists()]
    why_not = [path.read_text("utf-8").splitlines()[-1].removeprefix("ERROR: ") for path in failed]
    if full and half is None:
        a, why = full["test"]["assignment"], why_not[0] if why_not else "no report"
        return (f"| {name} | {a['delegated']} of {a['delegated'] + a['cpu']} | {number(own_errors(full)[0])}, {verdict(full)} | "
                f"not run: {why} | | | | |")
    if full is None:
        return f"| {name} | not run: {why_not[0] if why_not else 'no report'} | | | | | | |"
    error, at = own_errors(half)
    a = half["test"]["assignment"]
    alone = worst(half, [o["max_error"] for o in half["why"]["outputs"]])[0] if half["why"]["outputs"] else math.nan
    return (f"| {name} | {a['delegated']} of {a['delegated'] + a['cpu']} | {number(own_errors(full)[0])}, {verdict(full)} | "
            f"{number(error)}, {verdict(half)} | {number(alone)} | {explained(half, at)} | {suspect(half)} | "
            f"{remedy(reports, name, half)} |")


def write_page(page, reports, names):
    rows = [row(reports, name) for name in names]
    full = (load(reports, name, "fp32") for name in names)
    device = next((report["environment"]["delegate"]["device"] for report in full if report), "none")
    text = page.read_text("utf-8") if page.exists() else "<!-- table -->\n"
    head = text.split("<!-- table -->", 1)[0]
    page.write_text(
        f"{head}<!-- table -->\n\nDevice: {device}.\n\n"
        "| Model | Nodes on the GPU | float32: error, verdict | float16: error, verdict | float16 alone, on the CPU "
        f"| Explained by it? | The op that is off most by itself | Remedy: `--gpu_fp32_nodes=` |\n{'| --- ' * 8}|\n"
        + "\n".join(rows) + "\n", "utf-8")


def main():
    plain = [a for a in sys.argv[1:] if not a.startswith("--")]
    flags = dict(a[2:].split("=", 1) for a in sys.argv[1:] if a.startswith("--"))
    if len(plain) != 4:
        sys.exit(__doc__)
    build, folder, reports, page = map(pathlib.Path, plain)
    models = sorted(folder.glob("*.tflite"), key=lambda p: (p.stat().st_size, p.name))
    only = flags.get("only", "").split(",") if flags.get("only") else None
    reports.mkdir(parents=True, exist_ok=True)
    for model in models:
        if only is None or model.stem in only:
            run_model(build, model, reports, int(flags.get("secs", "300")))
    write_page(page, reports, [name for m in models for name in names_of(m, reports)])


if __name__ == "__main__":
    main()
