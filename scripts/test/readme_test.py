#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""readme_test.py [BUILD] - README.md and the guides: their transcripts and flags, and "Adding an operator" of CONTRIBUTING.md and
"Writing one" of lib/delegates/README.md, followed step by step in a copy of the tree.

Transcripts are blocks that begin with "$ ". Each command runs; its lines must stand in the output, in their order, equal but for
numbers (counts of nodes and shapes must be equal) and white space. "…" at the end of a line stands for the rest of it, "[…]"
for other lines. Without llvmpipe the commands that use a GPU are left out, in lines NOT RUN, as those of a runtime's library always
are. Every flag that a document names must be one of a tool or a script. Commands of our tools that stand indented run on small
models; those with a delegate that is not here are left out. readme_test.py --documents [BUILD] does this alone.

Each numbered step names a file and holds its text; a row for a table is added to that. Then opcheck is built and must pass
the new operator's cases on the CPU and, where there is one, on the GPU, and lint_stems.py must find its three files. The delegate
must be lib/delegates/dummy/sample.c under another name, and run in benchmark_model with its flags.
Starts from the objects in BUILD (build), so that few files are compiled; CC counts. Exit status 0: it works."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

STEP = re.compile(r"^\d+\. `([\w./]+)`:(?:(?!^\d+\. ).)*?^   ```\w+\n(.*?)^   ```$", re.M | re.S)
KERNEL, FEWEST_ON_CPU, FEWEST_ON_GPU = "pelu", 3, 4
TOOLS = ("benchmark_model", "benchmark_compare", "inference_diff", "op_coverage", "eval_classification", "eval_detection",
         "eval_segmentation")
FEWEST_COMMANDS = 45
COMMAND = re.compile(rf"^    ((?:build/)?(?:{'|'.join(TOOLS)}) (?:[^\n]*\\\n)*[^\n]*)", re.M)
# Runtimes' libraries, a real model, drivers that are chosen, and answers of earlier commands.
LEFT_OUT = re.compile(r"_lib=|blazeface|MODEL|--merge=")
FENCE = re.compile(r"^```\n(\$ .*?)^```$", re.M | re.S)
KEPT = re.compile(r"\d+(?= of \d+ nodes?\b)|(?<= of )\d+(?= nodes?\b)|\d+(?= on the )|(?<=\d,)\d+|(?<=\[)\d+(?=,)")
NUMBER = re.compile(r"\d+(\.\d+)?(e[-+]?\d+)?")
# Flags in commands of other programs, and of none.
FOREIGN = {"flag", "android", "cflags", "gpu", "libs", "npu", "spec"}


def copy_tree(build, target):
    """The files that git knows or would, and the objects that are there already, with their times."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        if os.path.isfile(name):
            os.makedirs(os.path.dirname(f"{target}/{name}") or target, exist_ok=True)
            shutil.copy2(name, f"{target}/{name}")
    for part in ("obj", "gen"):
        if os.path.isdir(f"{build}/{part}"):
            shutil.copytree(f"{build}/{part}", f"{target}/build/{part}")
    if os.path.isfile(f"{build}/flags"):
        shutil.copy2(f"{build}/flags", f"{target}/build/flags")


def follow(target, guide, heading):
    """Writes what the steps of a section say. Returns how many there are."""
    with open(guide, encoding="utf-8") as file:
        section = re.search(rf"^## {heading}$(.*?)(?:^## |\Z)", file.read(), re.M | re.S).group(1)
    steps = STEP.findall(section)
    for path, text in steps:
        text = textwrap.dedent(text)
        known = os.path.exists(f"{target}/{path}")
        os.makedirs(os.path.dirname(f"{target}/{path}"), exist_ok=True)
        with open(f"{target}/{path}", "a", encoding="utf-8") as file:
            file.write(("\n" if known and not path.endswith("delegates.def") else "") + text)
        print(f"{'added to' if known else 'wrote'} {path}")
    return len(steps)


def tool(target, *command):
    """Its status and all that it prints."""
    done = subprocess.run(command, cwd=target, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def demand(what, good, text):
    if not good:
        sys.exit(f"readme_test: the new delegate: {what}\n{text}")


def delegate(target, make):
    """The delegate of the guide, through the tools."""
    if follow(target, "lib/delegates/README.md", "Writing one") != 7:
        sys.exit("readme_test: lib/delegates/README.md should have seven steps, each `FILE`: with a block of text")
    texts = []
    for path in ("lib/delegates/dummy/sample.c", f"{target}/lib/delegates/mine/mine.c"):
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    demand("it is not sample.c under another name", texts[0].replace("sample", "mine").replace("Sample", "Mine") == texts[1], "")
    code, text = tool(target, *make, "build/benchmark_model", "build/op_coverage", "build/make_models")
    demand("it does not build", code == 0, text)
    code, text = tool(target, "build/make_models", "--cli", ".")
    graph = ["--graph=add.tflite", "--num_runs=1", "--min_secs=0", "--warmup_min_secs=0"]
    code, text = tool(target, "build/benchmark_model", *graph, "--use_mine_delegate")
    demand("it should run the node", code == 0 and "mine delegate created." in text and "1 out of 1" in text, text)
    code, text = tool(target, "build/op_coverage", "add.tflite", "--delegate=mine", "--mine_delegate_ops=sub")
    demand("its reason should be shown", "not among --mine_delegate_ops" in text, text)
    code, text = tool(target, "build/benchmark_model", *graph, "--use_mine_delegate", "--mine_delegate_ops=mul")
    demand("a bad value should be refused", code == 2 and "mine_delegate_ops" in text, text)
    code, text = tool(target, "build/benchmark_model", "--help=delegate")
    demand("--help should list its flags", "--use_mine_delegate" in text and "--mine_delegate_ops" in text, text[-300:])


def shown(line):
    """A line of output or of a transcript, comparable: numbers that no run repeats are #."""
    kept = {m.span() for m in KEPT.finditer(line)}
    text = NUMBER.sub(lambda m: m.group() if m.span() in kept else "#", line)
    text = re.sub(r"^  trust .*", "  trust", text)  # load and scatter are those of the hour
    if text.startswith("  latency"):
        text = text.replace(" max", "")  # of how many runs a percentile is the longest, the machine's speed decides
    return " ".join(text.replace("#%", "#").split())


def missing(lines, output):
    """The first line of a transcript that the output does not have behind those before it; None if it has all."""
    said = [shown(line) for line in output.splitlines()]
    at = 0
    for line in filter(str.strip, lines):
        text = shown(line.rstrip("…"))
        if text == "[…]":
            continue
        error = line.startswith(("WARN", "ERROR"))  # on standard error, which comes last
        cut = len(text) if line.endswith("…") else None
        found = next((i for i in range(0 if error else at, len(said)) if said[i][:cut] == text), None)
        if found is None:
            return line
        at = at if error else found + 1
    return None


def transcripts(target, path, text, gpu):
    """Runs the commands of a document, standard error behind standard output. Returns how many there were."""
    commands = 0
    for block in FENCE.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, *lines = part.split("\n")
            commands += 1
            if "gpu" in command and "op_coverage" not in command and not gpu:
                print(f"NOT RUN ({path}): $ {command}: the GPU is not llvmpipe")
                continue
            if "_lib=" in command or path == "lib/runtime/GUIDE.md":
                print(f"NOT RUN ({path}): $ {command}: the library of a runtime")
                continue
            code, output = tool(target, "sh", "-c", command)
            line = missing(lines, output)
            if line is not None or code > 1:
                sys.exit(f"readme_test: {path}: $ {command}\nstatus {code}, and its output lacks\n{line}\n{output}")
    return commands


def prepare(target):
    """What the commands of documents name: models, boxes and reports. Returns the folder of each evaluation with pictures."""
    tool(target, "build/make_models", "--cli", ".")
    for name in ("model", "m", "mobilenet"):
        shutil.copy2(f"{target}/branches.tflite", f"{target}/{name}.tflite")
    shutil.copy2(f"{target}/build/libdelegauge_gpu.so", f"{target}/libX.so")
    for name in ("old", "old-1", "new", "new-1"):
        tool(target, "build/benchmark_model", "model.tflite", "--num_runs=3", "--min_secs=0", f"--json={name}.json")
    pictures = f"{target}/pictures"
    os.mkdir(pictures)
    digits = f"{target}/testdata/digits"
    for own, name in (("model.tflite", "digits.tflite"), ("FOLDER", "images"), ("cat.jpg", "images/01.png"), ("labels.txt",) * 2):
        os.symlink(f"{digits}/{name}", f"{pictures}/{own}")
    with open(f"{digits}/labels.txt", encoding="utf-8") as labels, open(f"{digits}/truth.txt", encoding="utf-8") as names:
        classes = labels.read().split()
        numbers = [str(classes.index(name)) for name in names.read().split()]
    with open(f"{pictures}/truth.txt", "w", encoding="utf-8") as file:
        file.write("\n".join(numbers) + "\n")
    maps = f"{target}/maps"
    for name in ("FOLDER", "MAPS"):
        os.makedirs(f"{maps}/{name}")
    os.symlink(f"{target}/segments.tflite", f"{maps}/model.tflite")
    with open(f"{maps}/FOLDER/1.ppm", "w", encoding="ascii") as picture, open(f"{maps}/MAPS/1.pgm", "wb") as labels:
        picture.write("P6 8 8 255\n" + "~!!" * 32 + "!~!" * 32)
        labels.write(b"P5 8 8 255\n" + b"\0" * 30 + b"\1" * 34)
    boxes = f"{target}/boxes"
    os.mkdir(boxes)
    os.symlink(f"{target}/yolo.tflite", f"{boxes}/model.tflite")
    os.symlink(f"{target}/testdata/detection/annotations/instances.json", f"{boxes}/instances.json")
    os.symlink(f"{target}/testdata/detection/images", f"{boxes}/FOLDER")
    with open(f"{boxes}/results.json", "w", encoding="ascii") as file:
        file.write("[]\n")
    return {"eval_classification": pictures, "eval_segmentation": maps, "eval_detection": boxes}


def commands_of(target, folders, path, text, gpu):
    """Runs the commands of our tools that stand indented in a document, with the models of `prepare`; how many there were."""
    ran, xnnpack = 0, tool(target, "build/op_coverage", "model.tflite", "--delegate=xnnpack")[0] == 0
    for command in COMMAND.findall(text):
        command = re.sub(r" *#.*", "", command.replace("\\\n", " ")).strip()
        name = command.removeprefix("build/").split()[0]
        lacking = (not gpu and re.search("gpu|external", command)) or (not xnnpack and "xnnpack" in command)
        if LEFT_OUT.search(command) or lacking:
            print(f"NOT RUN ({path}): {command}")
            continue
        truth = {"eval_segmentation": "_labels_path=MAPS", "eval_detection": "=instances.json"}.get(name, "_labels=truth.txt")
        command = command.replace(" ...", f" --ground_truth_images_path=FOLDER --ground_truth{truth}")
        command = command.replace("key:value;key:value", "gpu_precision:fp32")
        code, output = tool(folders.get(name, target), "sh", "-c", f"PATH={target}/build:$PATH; {command}")
        if code > 1:
            sys.exit(f"readme_test: {path}: {command}\nstatus {code}\n{output}")
        ran += 1
    return ran


def known_flags(target):
    """The flags of all tools and scripts, without dashes."""
    flags = set(FOREIGN)
    for name in TOOLS:
        table = tool(target, f"build/{name}", "--list_flags")[1]
        flags |= {line.split("\t")[0] for line in table.splitlines()[1:]}
    for folder, _, names in (entry for at in ("scripts", "bench") for entry in os.walk(at)):
        for name in names:
            if name.endswith((".sh", ".py", ".c")):
                with open(f"{folder}/{name}", encoding="utf-8") as file:
                    flags |= set(re.findall(r"--(\w+)", file.read()))
    return flags


def documents(target, make):
    """Transcripts and flags of README.md, CONTRIBUTING.md and the guides."""
    code, text = tool(target, *make, *(f"build/{name}" for name in (*TOOLS, "make_models", "libdelegauge_gpu.so")))
    if code:
        sys.exit(f"readme_test: the tools do not build\n{text}")
    os.makedirs(f"{target}/build/models", exist_ok=True)
    tool(target, "build/make_models", "build/models")
    tool(target, "build/make_models", "--wrong_ops", "build/ops")
    gpu = "llvmpipe" in tool(target, "build/benchmark_model", "--list_gpus")[1]
    flags, commands, folders = known_flags(target), 0, prepare(target)
    listed = tool(".", "git", "ls-files", "-co", "--exclude-standard", "*.md")[1].split()
    for path in filter(os.path.isfile, listed):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        commands += transcripts(target, path, text, gpu) + commands_of(target, folders, path, text, gpu)
        if path in ("README.md", "CONTRIBUTING.md") or path.endswith("GUIDE.md"):
            for flag in sorted(set(re.findall(r"(?<![\w-])--([a-z]\w+)", text)) - flags):
                sys.exit(f"readme_test: {path}: no tool or script has --{flag}")
    if commands < FEWEST_COMMANDS:
        sys.exit(f"readme_test: {commands} commands in documents, at least {FEWEST_COMMANDS} wanted")
    print(f"documents: {commands} commands", flush=True)


def opcheck(target, flag):
    """What it prints of the new operator's cases."""
    done = subprocess.run(["build/opcheck", f"--op={KERNEL}", flag], cwd=target, capture_output=True, text=True, check=False)
    print(f"opcheck {flag}:\n{done.stdout}{done.stderr}", end="", flush=True)
    if done.returncode and flag != "--record":
        sys.exit("readme_test: the cases do not pass")
    return done.stdout


def main():
    alone = sys.argv[1:2] == ["--documents"]
    build = next(iter(sys.argv[2 if alone else 1 :]), "build")
    with tempfile.TemporaryDirectory() as target:
        copy_tree(build, target)
        make = ["make", "-s", f"-j{os.cpu_count()}", f"CC={os.environ.get('CC', 'cc')}"]
        documents(target, make)
        if alone:
            return 0
        if follow(target, "CONTRIBUTING.md", "Adding an operator") != 6:
            sys.exit("readme_test: CONTRIBUTING.md should have six steps, each `FILE`: with a block of text")
        if subprocess.run([*make, "build/opcheck"], cwd=target, check=False, stdout=subprocess.DEVNULL).returncode:
            sys.exit("readme_test: it does not build")
        gpu = opcheck(target, "--record").startswith("GPU: ")
        for flags, fewest in (("--cpu", FEWEST_ON_CPU), ("--gpu", FEWEST_ON_GPU if gpu else 0)):
            passed = re.search(r"^(\d+) passed, 0 failed", opcheck(target, flags), re.M)
            if not passed or int(passed.group(1)) < fewest:
                sys.exit(f"readme_test: opcheck {flags} should pass {fewest} cases")
        if subprocess.run([sys.executable, "scripts/lint/lint_stems.py"], cwd=target, check=False).returncode:
            sys.exit("readme_test: the new files do not have one stem")
        delegate(target, make)
    return 0


if __name__ == "__main__":
    sys.exit(main())
