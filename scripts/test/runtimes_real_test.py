#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""LiteRT's GPU and its way to an NPU, with the libraries of scripts/package/install_runtimes.sh in build/runtimes.

  runtimes_real_test.py BUILD MODELS gpu | npu

gpu: WebGPU on the Vulkan driver that is there; without one that LiteRT takes, "NOT RUN". npu: compiler and dispatch libraries of
Intel's, with OpenVINO computing on the CPU. MODELS is a folder with ops/t2o_relu6-power.float32.tflite, or there is none. Prints a
line per failure, then "N passed, N failed, N skipped".
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

from checks import check, finish, not_run

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "build", "runtimes")
SMALL = ("add", "chain", "branches", "dense", "sums")


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, env={**os.environ, **more})
    return done.returncode, done.stdout, done.stderr


def compare(build, model, report, flags, **more):
    """Exit status, what it says, and the report."""
    command = [os.path.join(build, "inference_diff"), model, "--num_runs=2", f"--json={report}", *flags]
    code, out, said = run(command, **more)
    with open(report, encoding="utf-8") as f:
        return code, out + said, json.load(f)


def library(report):
    return report["environment"]["delegate"]["library"]


def gpu(build, models, tmp):
    report, diff = os.path.join(tmp, "report.json"), os.path.join(build, "inference_diff")
    for path in sorted(glob.glob(os.path.join(ROOT, "litert-*", "libLiteRt.so"))):
        flags = [f"--litert_lib={path}", "--litert_accelerator=gpu,cpu"]
        if run([diff, os.path.join(tmp, "add.tflite"), *flags, "--num_runs=1"])[0]:
            not_run("litert-gpu", f"{path}: LiteRT's GPU does not run an ADD here; lavapipe of Mesa 25 is one that it takes "
                    "(VK_DRIVER_FILES names its file)")
            continue
        for name in SMALL:
            code, said, found = compare(build, os.path.join(tmp, f"{name}.tflite"), report, flags)
            check(f"{path}: {name} on the GPU", code == 0 and library(found)["accelerators_used"] == "gpu", said[-600:])
        model = os.path.join(models, "ops", "t2o_relu6-power.float32.tflite")
        if not os.path.exists(model):
            continue
        code, said, found = compare(build, model, report, [*flags, "--bisect"])
        if code == 1:    # POW(0, 0) is 0 on lavapipe
            search = found["bisect"]
            check(f"{path}: masks of nodes name POW", search["masked"] and search["trials"] <= 6 and
                  search["found"] == [{"nodes": [{"node": 2, "op": "POW"}]}], (search, said[-600:]))
        cache = os.path.join(tmp, "cache-" + os.path.basename(os.path.dirname(path)))
        os.mkdir(cache)
        states = [library(compare(build, model, report, [*flags, f"--litert_cache_dir={cache}"])[2])["cache"] for _ in range(2)]
        check(f"{path}: programs are kept", states == ["cold, 1 file written", "warm, nothing written"], states)


def npu(build, tmp):
    report = os.path.join(tmp, "report.json")
    folder, openvino = os.path.join(ROOT, "litert-2.3.0"), os.path.join(ROOT, "openvino")
    if not os.path.exists(os.path.join(openvino, "libopenvino_intel_cpu_plugin.so")):
        not_run("litert-npu", "OpenVINO is not in build/runtimes: scripts/package/install_runtimes.sh openvino")
        return
    flags = [f"--litert_lib={folder}/libLiteRt.so", "--litert_accelerator=npu,cpu", f"--litert_plugin_dir={folder}",
             f"--litert_dispatch_dir={folder}", "--litert_options=intel_openvino.graph.-1.graph_backend=0;"
             'intel_openvino.graph.-1.configs_map.INFERENCE_PRECISION_HINT="f32"']
    for name in SMALL:
        code, said, found = compare(build, os.path.join(tmp, f"{name}.tflite"), report, flags, LD_LIBRARY_PATH=openvino)
        check(f"{name} on the NPU's way", code == 0 and library(found)["accelerators_used"].startswith("npu"), said[-600:])


def main():
    build, models, part = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as tmp:
        subprocess.run([os.path.join(build, "make_models"), "--cli", tmp], stdout=subprocess.DEVNULL, check=True)
        if not glob.glob(os.path.join(ROOT, "litert-*", "libLiteRt.so")):
            not_run(f"litert-{part}", "LiteRT's libraries are not in build/runtimes: scripts/package/install_runtimes.sh")
        elif part == "gpu":
            gpu(build, models, tmp)
        else:
            npu(build, tmp)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
