#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""LiteRT and TensorFlow Lite as delegates: libraries of testdata/runtimes that err on purpose, and the real ones where they are.

  runtimes_test.py BUILD [--every] [--kills=N]

Compiles with CC (cc). The real ones are those of scripts/package/install_runtimes.sh in build/runtimes; without them "NOT RUN" is
said. --every plants an error at every node, not at two; --kills=N disturbs a host N times (2), at random, with either library.
Prints a line per failure, then "N passed, N failed, N skipped".
"""
import collections
import glob
import json
import os
import platform
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

from checks import check, finish, not_run

HERE = os.path.dirname(os.path.abspath(__file__))
FAKES = os.path.join(HERE, "..", "..", "testdata", "runtimes")

# FAKE_DO, flags, exit status, and what one line of standard error says.
TFLITE = [
    ("crash@Version", [], 4, "tflite ended by SIGSEGV (11) in TfLiteVersion(); its last words: this is the end of Version"),
    ("exit@ModelCreate", [], 4, "tflite ended the process with status 3 in TfLiteModelCreate(); its last words: this is the end"),
    ("throw@InterpreterCreate", [], 4, "tflite ended by SIGABRT (6) in TfLiteInterpreterCreate(); its last words: this is the end "
     "of InterpreterCreate / terminate called after throwing an instance of 'std::bad_alloc' /   what():  std::bad_alloc"),
    ("crash@InterpreterInvoke", [], 4, "tflite ended by SIGSEGV (11) in TfLiteInterpreterInvoke()"),
    ("hang@InterpreterInvoke", ["--tflite_timeout=0.5"], 4, "tflite gave no answer in 0.5 s in TfLiteInterpreterInvoke()"),
    ("hang@InterpreterAllocateTensors", ["--tflite_timeout=0.5"], 4, "no answer in 0.5 s in TfLiteInterpreterAllocateTensors()"),
    ("fail@InterpreterInvoke", [], 4, "tflite: TfLiteInterpreterInvoke() fails: InterpreterInvoke is not for today"),
    ("short", [], 4, "tflite: output 0 \"sum\" has 4 bytes, and 16 by the model's shapes"),
    ("invalid", [], 4, "tflite: the results are invalid: Validation error: the shader is no shader"),
    ("cpu", ["--tflite_xnnpack"], 4, "the delegate asked for (xnnpack, cpu) takes none of the 1 nodes"),
    ("", ["--tflite_xnnpack", "--tflite_delegate=x"], 2, "--tflite_xnnpack, --tflite_gpu_lib and --tflite_delegate: one of them"),
    ("", ["--tflite_gpu_options=a=1"], 2, "--tflite_gpu_options is of no use without --tflite_gpu_lib"),
    ("", ["--use_dummy_delegate"], 2, "delegate TFLite takes the model as a whole: only one that is alone does that"),
]
LITERT = [
    ("fail@CreateEnvironment", [], 4, "litert: LiteRtCreateEnvironment() fails with status 3 (runtime failure)"),
    ("throw@GetCompiledModelOutputTensorLayouts", [], 4,
     "litert ended by SIGABRT (6) in LiteRtGetCompiledModelOutputTensorLayouts()"),
    ("crash@RunCompiledModel", [], 4, "litert ended by SIGSEGV (11) in LiteRtRunCompiledModel()"),
    ("fail@RunCompiledModel", [], 4, "litert: LiteRtRunCompiledModel() fails with status 3 (runtime failure)"),
    ("invalid", ["--litert_accelerator=gpu"], 4, "litert: the results are invalid: Validation error"),
    ("", ["--litert_accelerator=tpu"], 2, "--litert_accelerator=tpu: cpu, gpu, npu, or some of them"),
    ("early", ["--litert_accelerator=gpu"], 4, "litert: the results are invalid: Validation error: of a shader"),
    ("", ["--litert_options=gpu_options.precision=abc"], 2, "gpu_options.precision=abc: a whole number is needed"),
    ("", ["--litert_options=gpu_options.benchmark_mode=1"], 2, "gpu_options.benchmark_mode=1: true or false is needed"),
    ("", ["--litert_options=nothing"], 2, "--litert_options=nothing: no key=value, and no file that can be read"),
]

# What the library refuses: FAKE_DO, flags, and the reason in the verdict FAILED.
REFUSED = [
    ("fail@CreateCompiledModel", [], "LiteRtCreateCompiledModel() fails with status 3"),
    ("short", [], "its buffer for \"sum\" has 4 bytes, and the tensor 16"),
    ("cpu", ["--litert_accelerator=gpu,cpu"], "gpu takes none of the 1 nodes, and LiteRT would run them on the CPU"),
    ("drop", ["--litert_accelerator=gpu,cpu"], "LiteRT drops the options: Failed to parse GPU options TOML payload"),
    ("none", ["--litert_accelerator=gpu,cpu"], "gpu is asked for, and the library offers cpu (FakeCpu)"),
    ("none", ["--litert_accelerator=npu"], "npu is asked for, and the library offers cpu (FakeCpu)"),
]


def run(command, fake="", **more):
    environment = {**os.environ, "FAKE_DO": fake, **more}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=environment)
    return done.returncode, done.stdout, done.stderr


def compile_library(path, source, *flags):
    command = [os.environ.get("CC", "cc").split()[-1], "-fPIC", "-shared", "-O1", "-fvisibility=hidden", "-o", path, *flags,
               os.path.join(FAKES, source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    check(f"{os.path.basename(path)} is compiled", done.returncode == 0, done.stderr)


def sentences(said):
    return [line for line in said.splitlines() if line.startswith("ERROR")]


def fakes(diff, tflite, litert):
    for at, ends in [(f"--tflite_lib={tflite}", TFLITE), (f"--litert_lib={litert}", LITERT)]:
        code, out, said = run([*diff, at, "--tolerance=0"])
        check(f"{at}: right", code == 0 and "Nodes: 1 on the" in out and not said, (code, out, said))
        code, out, said = run([*diff, at], "wrong")
        check(f"{at}: a wrong sum is seen", code == 1 and "Verdict: FAILED" in out, (code, out))
        for fake, flags, status, word in ends:
            code, _, said = run([*diff, at, *flags], fake)
            lines = sentences(said)
            check(f"'{fake}' {flags} ends in one sentence", code == status and len(lines) == 1 and word in lines[0], (code, said))
    for fake, flags, word in REFUSED:
        code, out, said = run([*diff, f"--litert_lib={litert}", *flags], fake)
        check(f"'{fake}' {flags} is a refusal", code == 1 and word in out and "Verdict: FAILED" in out and not sentences(said),
              (code, out, said))
    for fake, different, status in [("", 0, 0), ("load", 3, 1)]:
        code, out, _ = run([*diff, f"--tflite_lib={tflite}", "--preset=none", "--repeat_loads=4"], fake)
        check(f"fresh loads, '{fake}'", code == status and f"{different} of 4 fresh loads give other bits" in out, (code, out))
    code, out, _ = run([*diff, f"--tflite_lib={tflite}"], "fail@InterpreterCreate")
    check("a model that TensorFlow Lite refuses fails", code == 1 and "InterpreterCreate is not for today" in out, (code, out))
    code, out, _ = run([*diff, f"--litert_lib={litert}", "--litert_accelerator=gpu"])
    check("the GPU takes all", code == 0 and "LiteRT runs on: gpu for 1 nodes" in out, (code, out))


def libraries(diff, tmp, litert):
    """Libraries that cannot be used, each with one sentence and status 2."""
    old, ancient, other, text = (os.path.join(tmp, name) for name in ("old.so", "ancient.so", "other.so", "text.so"))
    compile_library(old, "LiteRt.c", "-DOLD")
    compile_library(ancient, "LiteRt.c", "-DANCIENT")
    with open(litert, "rb") as f:
        data = bytearray(f.read())
    data[18] ^= 0x55
    with open(other, "wb") as f:
        f.write(data)
    with open(text, "w", encoding="utf-8") as f:
        f.write("GROUP ( libLiteRt.so )\n")
    for flags, word in [(["--litert_lib=/nowhere/libLiteRt.so"], "--litert_lib=/nowhere/libLiteRt.so: No such file or directory"),
                        ([f"--litert_lib={ancient}"], "is older than LiteRT 2.1.3"),
                        ([f"--litert_lib={text}"], "no shared library"),
                        ([f"--litert_lib={other}"], "a library for another machine"),
                        ([f"--tflite_lib={litert}"], "has no function TfLiteVersion"),
                        (["--use_litert"], "--litert_lib=PATH is needed: the library of LiteRT")]:
        code, _, said = run([*diff, *flags])
        check(f"{flags}: one sentence", code == 2 and len(sentences(said)) == 1 and word in said, (code, said))
    code, out, said = run([*diff, f"--litert_lib={old}", "--tolerance=0"])
    check("2.1.5 has its own form of a function", code == 0 and "version 2.1.3 to 2.1.5" in out, (code, out, said))


def options(diff, litert):
    """What the library is told is what it prints, and the last words of a crash."""
    flags = ["--litert_accelerator=gpu,cpu", "--litert_precision=fp16", "--litert_options=gpu_options.priority=2;vendor.a.b=c"]
    code, _, said = run([*diff, f"--litert_lib={litert}", *flags], "exit@RunCompiledModel")
    check("options of a vendor are passed on", code == 4 and "vendor: a.b = c" in said, said)
    code, _, said = run([*diff, f"--litert_lib={litert}", "--litert_precision=fp16", "--litert_cache_dir=.",
                         "--litert_options=gpu_options.priority=2;vendor.a.b=c;xnnpack.thread=3;xnnpack.num_threads=2"])
    here = platform.machine() == "x86_64"    # where words can be looked for in the code
    warnings = [line for line in said.splitlines() if line.startswith("WARN")]
    check("options that do nothing are told", code == 0 and len(warnings) == 5 + here and all(word in said for word in (
        "this version of LiteRT has no 'xnnpack.num_threads'" if here else "",
        "--litert_precision does nothing without gpu in", "--litert_cache_dir does nothing without gpu or npu in",
        "'gpu_options.priority' does nothing without gpu in", "no part of LiteRT is known to read 'vendor.a.b'",
        "'xnnpack.thread' is none of LiteRT's known options")), (code, said))
    code, _, said = run([*diff, f"--litert_lib={litert}", *flags], "exit@SetOptionsHardwareAccelerators")
    check("an end among options", code == 4 and "in LiteRtSetOptionsHardwareAccelerators()" in said, said)


def precisions(build, model, tmp, litert):
    """The precision in a report is that of the options that the library gets; nodes to which it does not apply are told."""
    report = os.path.join(tmp, "report.json")
    gpu, fp16 = "--litert_accelerator=gpu,cpu", "--litert_precision=fp16"
    for flags, precision in [([fp16], None), ([gpu, fp16], "fp16"), ([gpu], "fp32"),
                             ([gpu, "--litert_options=gpu_options.precision=3"], "fp16_sum32"),
                             ([gpu, fp16, "--litert_options=gpu_options.precision=0"], None),
                             (["--litert_options=xnnpack.flags=13"], "fp16"), (["--litert_options=xnnpack.flags=9"], None)]:
        code, out, said = run([os.path.join(build, "inference_diff"), model, f"--litert_lib={litert}", *flags, "--num_runs=1",
                               f"--json={report}"])
        with open(report, encoding="utf-8") as f:
            told = json.load(f)["environment"]["delegate"]["library"]["precision"]
        line = next((line for line in out.splitlines() if line.startswith("INFO: LiteRT: ")), "")
        check(f"{flags}: the precision is {precision}", code == 0 and told == precision and
              line.endswith(f"), {precision}" if precision else ")"), (code, told, line, said))
    _, _, said = run([os.path.join(build, "inference_diff"), model, f"--litert_lib={litert}", gpu, f"--litert_cache_dir={tmp}",
                      "--litert_options=gpu_options.precision=1"], "exit@AddOpaqueOptions")
    check("programs are kept under their precision", re.search('model_cache_key = "[^"]*-fp16"', said), said)
    sums = [os.path.join(build, "benchmark_model"), os.path.join(tmp, "sums.tflite"), f"--litert_lib={litert}", gpu, "--num_runs=3",
            "--min_secs=0.01", "--warmup_runs=0"]
    word = "2 of 5 nodes: LiteRT runs them on its CPU, to which the GPU's precision fp16 does not apply"
    for fake, flags, times in [("some", [fp16], 1), ("some", [], 0), ("", [fp16], 0)]:
        code, _, said = run([*sums, *flags], fake, FAKE_INPUTS="6")
        check(f"'{fake}' {flags}: nodes of another precision are told {times} times", code == 0 and said.count(word) == times,
              (code, said))


def tools(build, model, tmp, tflite, litert):
    report = os.path.join(tmp, "report.json")
    bench = [os.path.join(build, "benchmark_model"), model, "--num_runs=3", "--min_secs=0.01", "--warmup_min_secs=0",
             "--warmup_runs=1"]
    code, out, said = run([*bench, f"--tflite_lib={tflite}", f"--json={report}"])
    check("benchmark_model measures", code == 0 and "A run: write " in out and "for 1 nodes" in out, (code, out, said))
    with open(report, encoding="utf-8") as f:
        library = json.load(f)["environment"]["delegate"]["library"]
    check("the report has the library", library["version"] == "0.0.fake" and len(library["sha256"]) == 64 and
          library["run_us"] > 0 and library["accelerators_used"] == "cpu", library)
    cache = os.path.join(tmp, "cache")
    gpu = [f"--litert_lib={litert}", "--litert_accelerator=gpu", f"--litert_cache_dir={cache}", f"--json={report}"]
    os.mkdir(cache)
    for state in ("cold, 1 file written", "warm, nothing written"):
        code, out, said = run([*bench, *gpu], FAKE_CACHE=os.path.join(cache, "program"))
        with open(report, encoding="utf-8") as f:
            library = json.load(f)["environment"]["delegate"]["library"]
        check("the state of the programs' folder is told", code == 0 and f"cache {state};" in out and library["cache"] == state and
              library["handover_us"] > 0, (code, out, said))
    check("the library's memory is told beside that of its process", "tensors=0.004 constants=0.001" in out and
          "LiteRT memory (MB): process=" in out and "MB in the process of LiteRT" in out, out)
    code, _, said = run([*bench, *gpu], "exit@AddOpaqueOptions")
    check("the GPU gets the folder, and a key", code == 4 and f'serialization_dir = "{cache}"' in said, said)
    code, _, said = run([*bench, f"--litert_lib={litert}"], "fail@CreateCompiledModel")
    check("benchmark_model does not measure its own kernels instead", code == 4 and "LiteRT does not run the model: " in said,
          (code, said))
    cycles = [bench[0], model, f"--litert_lib={litert}", "--cycles=40", "--num_runs=200"]
    for fake, status, word in [("", 0, "ok"), ("leak", 1, "GROWS")]:
        code, out, said = run(cycles, fake)
        lines = [line.split()[-1] for line in out.splitlines() if line.startswith("resident kB of the library")]
        check(f"cycles of a library, '{fake}'", code == status and lines == [word], (code, out, said))
    code, out, said = run([*bench, f"--tflite_lib={tflite}", "--sweep=use_tflite:1,0"], "crash@InterpreterInvoke")
    check("one that ends does not end the others", code == 4 and "SIGSEGV" in out + said and out.count("Case ") == 2,
          (code, out, said))
    command = [os.path.join(build, "op_coverage"), model]
    code, out, said = run([*command, "--delegate=litert", f"--litert_lib={litert}", "--litert_accelerator=gpu,cpu"])
    check("op_coverage asks the runtime", code == 0 and "Covered: 1 of 1 node" in out, (code, out, said))
    code, out, said = run([*command, "--delegate=litert", f"--litert_lib={litert}", "--litert_accelerator=gpu,cpu"], "cpu")
    check("op_coverage has its reason beside that of rules", "the runtime itself" in run([*command, "--delegate=litert",
          f"--litert_lib={litert}", "--rules=this,ml-drift"])[1])
    check("op_coverage has the runtime's reason", "Covered: 0 of 1 node" in out and "not today" in out, (code, out, said))


def several(diff, tmp, tflite, litert):
    """A table of runtimes, each with flags of its own; one that ends takes no other with it."""
    path, report = os.path.join(tmp, "all.txt"), os.path.join(tmp, "all.json")
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"# what we ship\nTFLite: tflite --tflite_lib={tflite}\n\nLiteRT GPU: litert  --litert_lib={litert} "
                f"--litert_accelerator=gpu\nnone: tflite --tflite_lib=/nowhere\n")
    code, _, said = run([*diff, f"--all_runtimes={path}", f"--json={report}"], "crash@RunCompiledModel")
    with open(report, encoding="utf-8") as f:
        rows = json.load(f)["matrix"]
    fits = run([sys.executable, "scripts/test/json_check.py", "schema/json/report.schema.json", report,
                os.path.join(tmp, "report.json")])
    check("their reports fit the schema", fits[0] in (0, 77), fits)   # 77: without the modules, as in the other suites
    check("one runtime that ends does not end the others", code == 4 and
          [row["passed"] for row in rows] == [True, True, False, False] and "SIGSEGV" in rows[2]["failure"] and
          rows[3]["failure"].startswith("--tflite_lib=/nowhere"), (code, rows, said))
    code, out, _ = run([*diff, f"--all_runtimes={path}"], "wrong")
    check("the first wrong node is named", code in (1, 2) and out.count("FAILED: max  node 0 ADD") == 2, (code, out))
    for line, word in [("a b", "is no line NAME: DELEGATE"), ("a: tpu", "this build knows none, gpu"),
                       ("a: tflite --gpu_precision=fp16", "'--gpu_precision' is no flag of the delegate tflite"),
                       ("a: tflite --tflite_timeout=x", "--tflite_timeout=x")]:
        with open(path, "w", encoding="utf-8") as f:
            f.write(line)
        code, _, said = run([*diff, f"--all_runtimes={path}"])
        check(f"'{line}' is one sentence", code == 2 and len(sentences(said)) == 1 and word in said, (code, said))


def masks(build, tmp, litert, every):
    """A wrong node is found by LiteRT's masks; by parts where masks do nothing, or leave the model off."""
    report = os.path.join(tmp, "masks.json")
    command = [os.path.join(build, "inference_diff"), os.path.join(tmp, "sums.tflite"), "--num_runs=1", "--preset=none",
               "--atol=0.1", f"--litert_lib={litert}", "--litert_accelerator=gpu,cpu", "--bisect", f"--json={report}"]
    for node in range(5) if every else (0, 3):
        code, out, said = run(command, f"node@{node}", FAKE_INPUTS="6")
        with open(report, encoding="utf-8") as f:
            found = json.load(f)["bisect"]
        check(f"node {node} is found by masks", code == 1 and found["masked"] and found["trials"] <= 3 + 4 and
              found["found"] == [{"nodes": [{"node": node, "op": "ADD"}]}] and f"Trials: {found['trials']}, for 5 nodes" in out,
              (code, found, said))
        check("what it runs on is told of the whole model", "LiteRT runs on: gpu for 5 nodes" in out, out)
    for fake, why in [("wrong", "the model is off with all of its nodes masked"),
                      ("blind,node@1", "the library has no masks of nodes"),
                      ("masks,node@1", "litert: LiteRtRunCompiledModel() fails with status 3 (runtime failure)")]:
        code, out, said = run(command, fake, FAKE_INPUTS="6")
        check(f"'{fake}': parts, not masks", f"Parts of the model, not its masks, were tried: {why}." in out, (code, out, said))


def is_gone(pid):
    """True if there is no such process, or nobody has asked for its status yet."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
            return f.read().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


def interrupts(build, model, tflite):
    """Ctrl-C ends the tool and its host."""
    command = [os.path.join(build, "inference_diff"), model, f"--tflite_lib={tflite}"]
    tool = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                            env={**os.environ, "FAKE_DO": "hang@InterpreterInvoke"})
    children = ""
    for _ in range(100):
        time.sleep(0.05)
        with open(f"/proc/{tool.pid}/task/{tool.pid}/children", encoding="utf-8") as f:
            children = f.read().split()
        if children:
            break
    time.sleep(0.2)
    for _ in range(2):    # signals that follow at once count as one
        tool.send_signal(signal.SIGINT)
        time.sleep(0.4)
    code = tool.wait(timeout=10)
    time.sleep(0.2)
    check("Ctrl-C ends it, and the host with it", code in (130, -signal.SIGINT) and children and is_gone(children[0]),
          (code, children))
    tool.stderr.close()


SIGNALS = [signal.SIGKILL, signal.SIGSTOP, signal.SIGSEGV, signal.SIGABRT, signal.SIGTERM, signal.SIGBUS]
LIMITS = ["AS", "NOFILE", "CPU", "FSIZE", "DATA", "STACK"]


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as f:
            return [int(child) for child in f.read().split()]
    except OSError:
        return []


def disturb(pid, draw):
    """Signals the process, or takes resources away from it, and says what; None if it is gone."""
    try:
        if draw.random() < 0.6:
            number = draw.choice(SIGNALS)
            os.kill(pid, number)
            return number.name
        what = draw.choice(LIMITS)
        limit = getattr(resource, "RLIMIT_" + what)
        resource.prlimit(pid, limit, (draw.choice([0, 1]), resource.prlimit(pid, limit)[1]))
        return "no " + what
    except (ProcessLookupError, PermissionError):
        return None


def is_told(code, out, said):
    """Status 4 and one sentence. What starves may also be the loader (2), and a library that then refuses the model (1)."""
    lines = sentences(said)
    if code in (0, 1):
        return not lines and ("Verdict: FAILED" in out) == (code == 1)
    told = len(lines) == 1 and re.search("litert|tflite", lines[0])
    return told and (code == 4 or (code == 2 and "cannot be loaded" in lines[0]))


def kills(build, model, flags, n):
    """The host is killed, stopped or starved at random: the tool ends and says so, or had ended before."""
    draw, ends = random.Random(47), collections.Counter()
    command = [os.path.join(build, "inference_diff"), model, "--num_runs=100000", "--max_secs=0.2", *flags]
    for i in range(n):
        tool = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        hosts, what, until = [], None, time.monotonic() + draw.random() * 0.25
        while tool.poll() is None and (time.monotonic() < until or not hosts) and what is None:
            hosts = children(tool.pid) or hosts
            time.sleep(0.001)
        # Not one that has ended, whose number may be another's.
        for pid in children(tool.pid)[-1:] if tool.poll() is None else []:
            what = disturb(pid, draw)
        try:
            out, said = tool.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            tool.kill()
            out, said = tool.communicate()
        check(f"{i}: {what} of a host", is_told(tool.returncode, out, said) and all(is_gone(pid) for pid in hosts),
              (tool.returncode, out[-300:], said))
        ends[f"{what}: status {tool.returncode}" if what else "ended before"] += 1
    if n > 9:
        print(", ".join(f"{count} {end}" for end, count in sorted(ends.items())))


def real(build, models, root):
    """The libraries that users ship: their own answers on small models."""
    diff = os.path.join(build, "inference_diff")
    litert = sorted(glob.glob(os.path.join(root, "litert-*", "libLiteRt.so")))
    tflite = sorted(glob.glob(os.path.join(root, "tflite", "libtensorflowlite_c.so")))
    if not litert or not tflite:
        not_run("runtimes", "LiteRT's and TensorFlow Lite's libraries are not in build/runtimes; "
                "scripts/package/install_runtimes.sh fetches them (PyPI package ai-edge-litert)")
        return
    for path in litert + tflite:
        at = f"--litert_lib={path}" if path in litert else f"--tflite_lib={path}"
        for name in ("add", "chain", "branches", "dense", "quantized", "loop"):
            code, out, said = run([diff, os.path.join(models, f"{name}.tflite"), at, "--num_runs=2"])
            check(f"{path}: {name}", code == 0 and "Verdict: passed" in out and not sentences(said), (code, out[-400:], said))
    at = f"--tflite_lib={tflite[0]}"
    code, out, _ = run([diff, os.path.join(models, "dynamic.tflite"), at, "--num_runs=3", "--tolerance=0"])
    check("TensorFlow Lite: outputs whose shape a run tells", code == 0 and "Nodes: 4 on the TFLite" in out, (code, out))
    code, out, _ = run([diff, os.path.join(models, "chain.tflite"), at, "--tflite_xnnpack", "--num_runs=1"])
    check("XNNPACK in TensorFlow Lite", code == 0 and "TFLite runs on: xnnpack" in out, (code, out))


def main():
    build = sys.argv[1]
    with tempfile.TemporaryDirectory() as tmp:
        subprocess.run([os.path.join(build, "make_models"), "--cli", tmp], stdout=subprocess.DEVNULL, check=True)
        tflite, litert = os.path.join(tmp, "tflite.so"), os.path.join(tmp, "litert.so")
        compile_library(tflite, "tensorflowlite_c.c")
        compile_library(litert, "LiteRt.c")
        model = os.path.join(tmp, "add.tflite")
        diff = [os.path.join(build, "inference_diff"), model, "--num_runs=1"]
        fakes(diff, tflite, litert)
        libraries(diff, tmp, litert)
        options(diff, litert)
        precisions(build, model, tmp, litert)
        tools(build, model, tmp, tflite, litert)
        several(diff, tmp, tflite, litert)
        masks(build, tmp, litert, "--every" in sys.argv)
        interrupts(build, model, tflite)
        times = next((int(arg.removeprefix("--kills=")) for arg in sys.argv if arg.startswith("--kills=")), 0)
        kills(build, model, [f"--tflite_lib={tflite}", "--tflite_timeout=0.4"], times or 2)
        kills(build, model, [f"--litert_lib={litert}", "--litert_timeout=0.4"], times or 2)
        real(build, tmp, os.path.join(HERE, "..", "..", "build", "runtimes"))
    return finish()


if __name__ == "__main__":
    sys.exit(main())
