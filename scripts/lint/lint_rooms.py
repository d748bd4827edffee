#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lint_rooms.py - the walls of the tree: every source file lies in a room, and a room includes itself and rooms of lower floors.

ROOMS lists the rooms of each part of the tree from the lowest floor up; rooms with | between them, and folders that a "*" stands
for, share a floor and never see each other. PARTS says which other parts a part may include. Tests include any room of these. A
room has at most MOST files, and calls the same rooms that it may include, found by name as lint_circles.py does. EXPLAINED holds
the includes that go up all the same, IMPLEMENTED_ABOVE the headers whose functions lie above them; an entry that nothing needs any
more is a finding, too. RENAMED has names of files that are not to come back. Prints one line per finding and ends with exit status
1 if there was any.
"""
import functools
import glob
import os
import re
import subprocess
import sys

from lint_circles import TEXT, call_graph

ROOMS = {
    "schema": ".",
    "lib": "base tensor model graph ops delegate session generate measure rules rewrite coverage compare eval tflite"
    " runtime delegates/* api testing",
    "lib/gl": "device options ir lower passes software codegen plan run cache compile tune gpu testing",
    "kernels_cpu": "common quant matmul|ops recurrent",
    "kernels_gl": "common transfer quant matmul recurrent int64 ops",
    "cmd": "host print input tool export evaluation benchmark|classification|compare|coverage|detection|diff|segmentation testing",
    "bench": "models limits opcheck cases fuzz example|measure|peers",
    "scripts": "lib make lint|android|package|report|reference test",
}

# The kernels of the GPU have the numbers of exact integer kernels from those of the CPU.
PARTS = {
    "schema": "",
    "lib": "schema",
    "lib/gl": "lib schema",
    "kernels_cpu": "lib schema",
    "kernels_gl": "lib/gl lib schema kernels_cpu",
    "cmd": "lib schema",
    "bench": "lib lib/gl schema kernels_cpu",
    "scripts": "",
}
PARTS_OF_TESTS = {"bench", "lib", "lib/gl", "schema", "kernels_cpu"}

MOST = 50
LARGE = {"kernels_cpu/ops", "kernels_cpu/matmul", "kernels_gl/ops", "kernels_gl/matmul", "bench/cases"}

# Names that nobody would guess, and the field's words that took their place.
RENAMED = {
    "alike": "dedup_shaders", "beside": "node_rerun", "border": "boundary_reshapes", "calls": "control_flow", "chain": "fused_mlp",
    "enlarge": "resize_after_conv", "few_programs": "share_programs", "halves": "fp16_probe", "lent_variables": "variable_binding",
    "loop_ahead": "loop_condition", "numbers": "uniforms", "own_functions": "gl_loader", "parts": "split_k",
    "places": "tensor_placement", "rising": "hoist_slices", "sinking": "sink_transpose", "staying": "resident_tensors",
    "tree": "workgroup_reduce", "turns": "commute_reshape_transpose", "unmet": "variant_coverage", "unwaited": "async_runs",
    "user": "external_buffers", "wide": "int64_value", "words": "int64",
}

# "file: what it includes" -> why it stands.
EXPLAINED = {
    "kernels_cpu/matmul/fully_connected_stored.c: kernels_cpu/ops/densify.h": "sparse weights are those of DENSIFY",
    "kernels_cpu/quant/hybrid.h: kernels_cpu/matmul/gemm.h": "a hybrid product is a gemm on quantized rows",
    "kernels_cpu/quant/requant.h: kernels_cpu/matmul/gemm.h": "it is the last step of a gemm of integers",
    "lib/gl/device/program.h: lib/gl/software/helpers.h": "programs of a software driver are compiled side by side",
    "lib/graph/resource.c: lib/delegate/delegate.h": "a variable may be a delegate's",
}

# A plan runs without what made it: files of lib/gl that these may include of lib/gl, below other rooms though they lie.
ONLY = {
    "lib/gl/run/": ("lib/gl/run/", "lib/gl/device/", "lib/gl/plan/plan.h"),
    "lib/gl/plan/plan.h": ("lib/gl/device/", "lib/gl/ir/format.h", "lib/gl/software/host_layout.h"),
}

# Headers of a low room whose functions a higher one defines, so that a call of them goes up -> why.
IMPLEMENTED_ABOVE = {
    "kernels_gl/common/data_movement.h": "lowerings of all rooms move elements; the operators that do so are in ops",
    "kernels_gl/common/kinds.h": "lowerings of all rooms are made of operations; the kinds are where their kernels are",
    "lib/gl/lower/int64.h": "kernels_gl/int64 lowers 64-bit elements by the kernels of its neighbours",
    "lib/graph/op.h": "the registry of operators names all kernels, and is linked on top",
}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.M)
CALL = re.compile(r"\b([a-z_]\w*)\s*\(")
SOURCE = (".c", ".h", ".comp", ".def", ".py", ".sh", ".awk", ".mk")

findings = []


def part_of(path):
    """The part of the tree that a file belongs to, or None."""
    return next((p for p in sorted(ROOMS, key=len, reverse=True) if path.startswith(p + "/")), None)


@functools.lru_cache
def floors(part):
    """From each room of a part to its floor; folders that a "*" stands for share one."""
    found = {}
    for i, level in enumerate(ROOMS[part].split()):
        for room in level.split("|"):
            folders = glob.glob(f"{part}/{room}/") if "*" in room else [f"{part}/{room}"]
            found.update({os.path.relpath(f, part): i for f in folders})
    return found


def room_of(path):
    """The part and the room of a file; None for the room where the file lies in none."""
    part = part_of(path)
    if part is None:
        return None, None
    folder = os.path.relpath(os.path.dirname(path), part)
    rooms = floors(part)
    return part, next((r for r in rooms if folder == r or (r != "." and folder.startswith(r + "/"))), None)


def is_test(path):
    """Tests, fuzz targets and what they share."""
    return path.endswith(("_test.c", "_fuzz.c")) or "/testing/" in path


def check_include(path, included, used):
    """One include of a source file."""
    part, room = room_of(path)
    other, below = room_of(included)
    if other is None or room is None or below is None:
        return
    if other != part:
        if other not in set(PARTS[part].split()) | (PARTS_OF_TESTS if is_test(path) else set()):
            findings.append(f"{path}: includes {included}: {part} may include {PARTS[part] or 'nothing'}")
        elif below == "testing" and not is_test(path) and part != "bench":
            findings.append(f"{path}: includes {included}, which is for tests")
        return
    for prefix, may in ONLY.items():
        if path.startswith(prefix) and other == "lib/gl" and not is_test(path) and not included.startswith(may):
            findings.append(f"{path}: includes {included}: {prefix} may include {' '.join(may)}")
    at, to = floors(part)[room], floors(part)[below]
    if room == below or to < at or is_test(path):
        return
    key = f"{path}: {included}"
    used.add(key)
    if key not in EXPLAINED:
        why = "is on the same floor as" if to == at else "lies above"
        findings.append(f"{path}: includes {included}: {part}/{below} {why} {part}/{room}")


def declared(files, names):
    """From each of these functions to the headers that declare it."""
    headers = {}
    for path in files:
        if path.endswith(".h"):
            with open(path, encoding="utf-8") as file:
                for name in names & set(CALL.findall(TEXT.sub(" ", file.read()))):
                    headers.setdefault(name, set()).add(path)
    return headers


def check_calls(files, used):
    """Calls from one room to another, which need no include that tells them."""
    graph = call_graph()
    headers = declared(files, {name for calls in graph.values() for names in calls.values() for name in names})
    for path, calls in sorted(graph.items()):
        with open(path, encoding="utf-8") as file:
            called = set(CALL.findall(TEXT.sub(" ", file.read())))
        part, room = room_of(path)
        at = floors(part) if part else {}
        for owner, names in sorted(calls.items()):
            names = {n for n in names & called if n in headers}
            other, above = room_of(owner)
            if not names or None in (room, above):
                continue
            if other in PARTS[part].split() or (other == part and (room == above or at[above] < at[room])):
                continue
            for name in sorted(names):
                why = {h for h in headers[name] if h in IMPLEMENTED_ABOVE} | {k for k in EXPLAINED if k == f"{path}: {owner[:-1]}h"}
                used |= why
                if not why:
                    findings.append(f"{path}: calls {name} of {other}/{above}, which lies above {part}/{room}")


def main():
    """Reads every file once."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], check=True, capture_output=True, text=True).stdout
    files = [f for f in listed.splitlines() if f.endswith(SOURCE) and os.path.isfile(f)]
    known, used, sizes = set(files), set(), {}
    for path in files:
        part, room = room_of(path)
        if part is None:
            continue
        if room is None:
            findings.append(f"{path}: lies in no room of {part}: there are {ROOMS[part].replace('|', ' ')}")
            continue
        stem = os.path.basename(path).split(".")[0]
        if stem in RENAMED and part != "scripts":
            findings.append(f"{path}: {stem} was given up for {RENAMED[stem]}")
        name = os.path.normpath(f"{part}/{room}")
        sizes[name] = sizes.get(name, 0) + 1
        if not path.endswith((".c", ".h")):
            continue
        with open(path, encoding="utf-8") as file:
            for included in INCLUDE.findall(file.read()):
                if included in known:
                    check_include(path, included, used)
                elif os.path.isfile(os.path.join(os.path.dirname(path), included)) and part != "bench":
                    findings.append(f"{path}: includes {included} as seen from itself: paths begin at the top of the tree")
    for name, count in sorted(sizes.items()):
        if count > MOST and name not in LARGE:
            findings.append(f"{name}: {count} files, more than {MOST}")
    check_calls(files, used)
    for key in sorted((set(EXPLAINED) | set(IMPLEMENTED_ABOVE)) - used):
        findings.append(f"lint_rooms.py: nothing needs the explanation of {key}")
    print("\n".join(findings), end="\n" if findings else "")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
