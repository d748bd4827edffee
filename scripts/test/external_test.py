#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Delegates of shared libraries inside of our tools: those of testdata/external, broken libraries, and our own plugin.

  external_test.py BUILD

The plugin's results are held against --use_gpu=true bit for bit, where there is a GPU. Compiles with CC (cc). Prints a line per
failure and, for what is missing, "NOT RUN"; then "N passed, N failed, N skipped".
"""
import filecmp
import glob
import os
import signal
import subprocess
import sys
import tempfile
import time

from checks import check, finish, not_run

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE, SHAPES = (os.path.join(HERE, "..", "..", "testdata", "external", f"{name}.c") for name in ("delegate", "shapes"))
SAME = ("add", "branches", "chain", "dense", "quantized", "text", "log")    # of make_models --cli

BUFFERS = "outputs:buffer"    # of our plugin: outputs stay on the GPU till asked for

REAL = ("float/mlperftiny_resnet8", "quant/mlperftiny_kws_int8", "quant/qwen_fc_blockwise_quantized")

# Options, exit status, and what one line of standard error says; nothing else is said there.
ENDS = [
    ("at:create;do:fail;say:not today", 4, "it makes no delegate: not today"),
    ("at:delegate_prepare;do:fail", 4, "the delegate's Prepare fails with status 2: this is no day for graphs"),
    ("at:init;do:fail", 4, "the delegate's Prepare fails with status 2: a kernel's init failed"),
    ("at:prepare;do:fail", 4, "a kernel's prepare fails with status 1: no luck with 1 nodes"),
    ("at:invoke;do:fail", 4, "a kernel's invoke fails with status 1"),
    ("outside:1", 4, "GetExecutionPlan is for the delegate's Prepare, and called in a kernel's invoke"),
    ("resize:1", 4, "ResizeTensor: tensor 2 'y' is [1,4] in this graph, and cannot become [1]"),
    ("at:create;do:segv", -signal.SIGSEGV, "crashed in tflite_plugin_create_delegate: SIGSEGV"),
    ("at:delegate_prepare;do:abort", -signal.SIGABRT, "crashed in the delegate's Prepare: SIGABRT"),
    ("at:init;do:segv", -signal.SIGSEGV, "crashed in a kernel's init: SIGSEGV"),
    ("at:prepare;do:abort", -signal.SIGABRT, "crashed in a kernel's prepare: SIGABRT"),
    ("at:invoke;do:segv", -signal.SIGSEGV, "crashed in a kernel's invoke: SIGSEGV"),
    ("at:invoke;do:overflow", -signal.SIGSEGV, "crashed in a kernel's invoke: SIGSEGV"),
    ("at:free;do:segv", -signal.SIGSEGV, "crashed in a kernel's free: SIGSEGV"),
    ("at:destroy;do:double_free", -signal.SIGABRT, "crashed in tflite_plugin_destroy_delegate: SIGABRT"),
    ("noise", 2, "--external_delegate_options: 'noise' is no key:value"),
    (":noise", 2, "--external_delegate_options: ':noise' is no key:value"),
    (";".join(f"k{i}:v" for i in range(257)), 2, "more than 256 options"),
]

# Options under which sums are right, and what standard error says.
RIGHT = [("", ""), ("form:64", ""), ("how:own", ""), ("how:added", ""), ("say:a:b=c", "WARN: external delegate: a:b=c"),
         ("say=d:e;", "WARN: external delegate: d:e"), ("how:buffer", "1 handles freed"),
         ("how:count", "1 kernels made")]


def diff(build, model, *flags):
    command = [os.path.join(build, "inference_diff"), f"--model_file={model}", "--num_runs=1", *flags]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stdout, done.stderr


def compile_library(path, source, *flags):
    command = [os.environ.get("CC", "cc").split()[-1], "-fPIC", "-shared", "-O1", "-o", path, *flags, "-x", "c", source]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    check(f"{os.path.basename(path)} is compiled", done.returncode == 0, done.stderr)


def delegate(build, model, path):
    at = f"--external_delegate_path={path}"
    for options, word in RIGHT:
        code, out, said = diff(build, model, at, "--tolerance=0", f"--external_delegate_options={options}")
        check(f"'{options}' adds", code == 0 and "Nodes: 1 on the external in 1 partition" in out and said.strip() == word,
              (code, said))
    code, _, said = diff(build, model, at, "--tolerance=1e-6", "--external_delegate_options=plus:0.5")
    check("a wrong sum is seen", code == 1, (code, said))
    for options, status, word in ENDS:
        code, _, said = diff(build, model, at, f"--external_delegate_options={options}")
        lines = [line for line in said.splitlines() if line.startswith(("ERROR", "WARN"))]
        check(f"'{options[:30]}' ends in one sentence", code == status and len(lines) == 1 and word in lines[0], (code, said))


# Model, options, nodes that the delegate takes, and what it tells in the end: places are others in each of three random inputs, so
# that what reads them is prepared anew, and texts are the same.
CHANGING = [("dynamic", "", 2, ""), ("dynamic", "together:1", 2, ""), ("dynamic", "take:WHERE;count:1", 1, "1 prepared, 9 run"),
            ("dynamic", "take:CAST;count:1", 1, "3 prepared, 9 run"), ("strings", "", 2, ""), ("strings", "together:1", 2, "")]

# How a kernel gets it wrong, and the sentence.
WRONG_SHAPES = [
    ("dims", "tensor 3: it has no dimensions"),
    ("rank", "tensor 3: rank 99, the most supported is 8"),
    ("negative", "ResizeTensor: tensor 3 cannot be [2,-2] of INT64"),
    ("bytes", "tensor 3 has 40 bytes, its shape needs 32"),
    ("data", "tensor 3 has 32 bytes and no data, its shape needs 32"),
    ("input", "ResizeTensor: tensor 1 'above' is [2,8] in this graph, and cannot become [2,2]"),
    ("bool", "tensor 1: element 0 of BOOL[2,8] is 2, neither 0 nor 1"),
    ("early", "ResizeTensor: tensor 1 'above' is [2,8] in this graph, and cannot become [1,1]"),
]


def shapes(build, models, path):
    """Shapes and texts that kernels make while they run."""
    at = f"--external_delegate_path={path}"
    for model, options, nodes, word in CHANGING:
        code, out, said = diff(build, models[model], at, "--tolerance=0", "--num_runs=3", f"--external_delegate_options={options}")
        check(f"{model} '{options}': right, of any shape", code == 0 and f"Nodes: {nodes} on the external" in out and
              said.strip() == word, (code, said, out))
    code, out, _ = diff(build, models["dynamic"], at, "--external_delegate_options=flags:0")
    check("who does not say that it takes such shapes is not asked", "Nodes: 0 on the external" in out and
          "WHERE: its shapes are known only while running" in out, out)
    for how, word in WRONG_SHAPES:
        code, _, said = diff(build, models["dynamic"], at, f"--external_delegate_options=take:WHERE;wrong:{how}")
        lines = [line for line in said.splitlines() if line.startswith(("ERROR", "WARN"))]
        check(f"'wrong:{how}' ends in one sentence", code == 4 and len(lines) == 1 and word in lines[0], (code, said))
    code, _, said = diff(build, models["strings"], at, "--external_delegate_options=wrong:string")
    lines = [line for line in said.splitlines() if line.startswith(("ERROR", "WARN"))]
    check("a text that begins behind the end ends in one sentence", code == 4 and len(lines) == 1 and
          "string 1 begins at 1073741824, the one before at " in lines[0], (code, said))


def several(build, models, adds, shaper):
    """Two libraries at once, each with its own options, asked in the order of their flags; what is off has no place in it."""
    both = [f"--external_delegate_path={adds}", f"--external_delegate_path={shaper}"]
    dummy = ["--use_dummy_delegate", "--dummy_delegate_options=ops:CAST,ADD"]
    for flags, told, nodes in [
            ([*both, *dummy], ["how:added", "take:WHERE"], "0 on the external in 0 partitions, 1 on the external 2 in 1 partition, "
             "0 on the dummy in 0 partitions"),
            ([*both, *dummy], ["", "count:1"], "0 on the external in 0 partitions, 2 on the external 2 in 1 partition, 0 on the "),
            ([both[1], both[0]], ["", ""], "2 on the external in 1 partition, 0 on the external 2")]:
        told_each = [f"--external_delegate_options={t}" for t in told]
        code, out, said = diff(build, models["dynamic"], *flags, *told_each, "--tolerance=0")
        right = code == 0 and f"Nodes: {nodes}" in out and ("prepared" in said) == ("count:1" in told)
        check(f"two libraries told {told}", right, (code, said, out))
    at = f"--external_delegate_path={adds}"
    for flags, first in [([*dummy, at], "dummy"), ([at, *dummy], "external"),
                         (["--use_dummy_delegate=false", at, "--delegate=dummy"], "external"),
                         ([at, "--delegate=dummy", "--use_external_delegate"], "dummy")]:
        out = diff(build, models["add"], *flags)[1]
        check(f"{flags}: {first} is asked first", f"Nodes: 1 on the {first} in 1 partition, 0 on the" in out, out)
    report = os.path.join(os.path.dirname(adds), "r.json")
    command = [os.path.join(build, "op_coverage"), models["dynamic"], *both, f"--json={report}"]
    out = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    check("op_coverage has both", f"external on {adds}, then external 2 on {shaper}" in out and
          "0: nodes=2 first=1 last=2 inputs=1 outputs=1 delegate=external 2" in out, out)
    again = [command[0], f"--config={report}"]
    check("--config asks both again", subprocess.run(again, capture_output=True, text=True, check=False).stdout == out)
    between = [f"--external_delegate_path={shaper}", "--external_delegate_options=count:1", *dummy, "--external_delegate_options=",
               f"--external_delegate_path={adds}"]
    lines = []
    for flags in (between, again[1:], again[1:]):
        out = subprocess.run([command[0], models["dynamic"], *flags, f"--json={report}"], capture_output=True, text=True,
                             check=False).stdout
        lines.append([line for line in out.splitlines() if line.startswith("Delegate: ")])
    order = f"Delegate: external on {shaper}, told count:1, then dummy on the CPU's kernels, as told by " \
            f"--dummy_delegate_options: ops:CAST,ADD, then external 2 on {adds}"
    check("--config keeps what stood between two libraries, twice", lines == [[order]] * 3, lines)
    done = subprocess.run([command[0].replace("op_coverage", "inference_diff"), models["add"], *both, "--precisions=fp32"],
                          capture_output=True, text=True, check=False)
    check("what is for one delegate refuses two", done.returncode == 2 and "ask for two" in done.stderr, done.stderr)


def coverage(build, model, path):
    """What it takes and leaves op_coverage says, and no word of a GPU."""
    command = [os.path.join(build, "op_coverage"), model, f"--external_delegate_path={path}"]
    out = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    for words in (f"Delegate: external on {path}", "the external delegate leaves it, and has no way to say why",
                  "Covered: 2 of 9 nodes"):
        check(f"op_coverage says '{words[:30]}'", words in out, out)
    out = subprocess.run([*command, "--delegate=gpu"], capture_output=True, text=True, check=False).stdout
    check("op_coverage --delegate=gpu is another one", f"Delegate: external on {path}, then GPU" in out, out)
    done = subprocess.run([*command, "--delegate=none"], capture_output=True, text=True, check=False)
    check("op_coverage --delegate=none is none besides", done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr)
    command = [command[0].replace("op_coverage", "benchmark_model"), *command[1:], "--num_runs=1", "--min_secs=0"]
    out = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    check("memory that nobody knows is not printed as zero", "external memory (MB): unknown\n" in out, out)


def hangs(build, model, path, phase, times):
    """Nothing but a signal ends it."""
    command = [os.path.join(build, "benchmark_model"), f"--graph={model}", f"--external_delegate_path={path}",
               f"--external_delegate_options=at:{phase};do:hang"]
    # Shells let what they start in the background ignore SIGINT, which is inherited; a handler of ours is not.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as run:
        for line in run.stdout:
            if {"init": "external: ", "invoke": "Running benchmark"}[phase] in line:
                break
        time.sleep(0.5)
        end = time.monotonic() + 10
        while run.poll() is None and time.monotonic() < end:
            run.send_signal(signal.SIGINT)
            time.sleep(0.3)
        check(f"a delegate that hangs {phase} is ended by {times} Ctrl-C", run.poll() == -signal.SIGINT, run.poll())
        told = [line for line in run.stdout if "interrupted" in line]
        check(f"a delegate that hangs {phase} is told of once, with what it is at",
              len(told) == 1 and os.path.basename(path) in told[0] and f"in a kernel's {phase}" in told[0], told)
        run.kill()


def broken(build, model, tmp):
    """Libraries that are none, and flags that go nowhere."""
    for name, text, word in [("text.so", "no library", "file too short"),
                             ("empty.so", "int nothing;", "it has no function tflite_plugin_create_delegate"),
                             ("half.so", "void *tflite_plugin_create_delegate(void) { return 0; }",
                              "it has no function tflite_plugin_destroy_delegate"),
                             ("newer.so", "int not_there(void); int tflite_plugin_create_delegate(void) { return not_there(); }",
                              "undefined symbol: not_there")]:
        path = os.path.join(tmp, name)
        with open(f"{path}.c", "w", encoding="utf-8") as f:
            f.write(text)
        if name == "text.so":
            os.rename(f"{path}.c", path)
        else:
            compile_library(path, f"{path}.c")
        code, _, said = diff(build, model, f"--external_delegate_path={path}")
        check(f"{name} ends in one sentence", code == 4 and said.count("\n") == 1 and word in said, (code, said))
    for flags, word in [(["--external_delegate_path=/nonexistent.so"], "cannot open shared object file"),
                        (["--use_external_delegate"], "--external_delegate_path names no library"),
                        (["--external_delegate_options=a:b"], "is of no use without"),
                        (["--use_external_delegate=false", "--external_delegate_path=x.so"], "=false, but")]:
        code, _, said = diff(build, model, *flags)
        check(f"{flags[0]}: one sentence", code in (2, 4) and said.count("\n") == 1 and word in said, (code, said))


def sparse(build, path):
    """Sparse constants are lent with their levels: the first of this model has 77 elements of 2 bytes."""
    model = f"{os.environ.get('MODELS', '../shared/models')}/float/hand_landmark_sparse.tflite"
    if not os.path.isfile(model):
        not_run("models", f"no {model}: sparse constants lent to a delegate")
        return
    # Its additions are too large for that delegate, which says so when it runs.
    said = diff(build, model, f"--external_delegate_path={path}", "--external_delegate_options=sparse:1")[2]
    lines = [line for line in said.splitlines() if "sparse: " in line]
    check("sparse constants are lent", lines and "broken" not in said and
          lines[0] == "WARN: external delegate: sparse: 4 levels of 4, 77 there, 154 bytes", said[:500])


def own(build, models, plugin, tmp):
    """What our plugin computes in here is what the GPU computes without it."""
    code, out, said = diff(build, models["add"], "--use_gpu")
    if code:
        not_run("gpu", f"the plugin inside of our tools: {said}")
        return
    said = diff(build, models["add"], f"--external_delegate_path={plugin}", "--external_delegate_options=no_delegate_ops:NOSUCH")[2]
    check("no operator: named by the key", " no_delegate_ops: no operator is called 'NOSUCH'" in said, said)
    for to in ("stderr", "host"):
        said = diff(build, models["add"], f"--external_delegate_path={plugin}", f"--external_delegate_options=log_to:{to}")[2]
        plain = any(line.startswith("Delegauge GPU delegate (") for line in said.splitlines())
        check(f"log_to:{to}: the plugin's line without the host's words or with them",
              plain == (to == "stderr") and "1 nodes delegated out of 1 nodes" in said, said)
    real = {os.path.basename(m): f"{os.environ.get('MODELS', '../shared/models')}/{m}.tflite" for m in REAL}
    if not all(os.path.isfile(m) for m in real.values()):
        not_run("models", f"no {list(real.values())[0]}: the plugin inside of our tools, with real models")
        real = {}
    for name in (*SAME, *real):
        sides, nodes = [], []
        for flag in ("--use_gpu", f"--external_delegate_path={plugin}", f"--external_delegate_options={BUFFERS}"):
            flags = [f"--external_delegate_path={plugin}", flag] if BUFFERS in flag else [flag]
            sides.append(os.path.join(tmp, f"{name}{len(sides)}"))
            code, out, said = diff(build, real.get(name) or models[name], *flags, "--tolerance=0.05",
                                   f"--save_outputs={sides[-1]}")
            nodes += [line.split(" on the ")[0] for line in out.splitlines() if line.startswith("INFO: Nodes:")]
            check(f"{name} runs with {flag}", code == 0, said)
        files = [[os.path.relpath(f, s) for f in sorted(glob.glob(f"{s}/test/run_*/*.npy"))] for s in sides]
        same = files[0] and files[0] == files[1] == files[2] and all(
            filecmp.cmp(os.path.join(sides[0], f), os.path.join(side, f), shallow=False) for f in files[0] for side in sides[1:])
        check(f"{name}: the same bits, and nodes, as without the plugin", same and len(set(nodes)) == 1, (files, nodes))


def main():
    build = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as tmp:
        subprocess.run([os.path.join(build, "make_models"), "--cli", tmp], check=True, stdout=subprocess.DEVNULL)
        models = {os.path.basename(f)[:-7]: f for f in glob.glob(f"{tmp}/*.tflite")}
        path = os.path.join(tmp, "delegate.so")
        compile_library(path, SOURCE, "-fvisibility=hidden")
        delegate(build, models["add"], path)
        coverage(build, models["branches"], path)
        hangs(build, models["add"], path, "init", 1)
        hangs(build, models["add"], path, "invoke", 2)
        path_of_shapes = os.path.join(tmp, "shapes.so")
        compile_library(path_of_shapes, SHAPES, "-fvisibility=hidden")
        shapes(build, models, path_of_shapes)
        several(build, models, path, path_of_shapes)
        sparse(build, path)
        broken(build, models["add"], tmp)
        own(build, models, os.path.join(build, "libdelegauge_gpu.so"), tmp)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
