#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lint_stems.py - where is ADD? For each row of lib/ops/ops.def the CPU kernel, the GL kernel and the cases lie in files of one
stem.

Run from the top of the tree. Prints the exceptions, each with its explanation. Status 1 where a row's files are not found or
differ in stem without an explanation, and where an explanation is no longer needed.
    --table: every row and its stem"""

import glob
import os
import re
import sys

# From the row's kernel to the reason for stems that differ.
EXCEPTIONS = {}

ROW = re.compile(r'^(?:OP|CUSTOM)\("?([\w.]+)"?, (\w+), \d+, (?:&gl_)?(\w+)', re.M)
CPU = r"\bconst struct cpu_kernel cpu_NAME\s*="
GL = r"\bconst struct gl_kernel gl_NAME\s*="
CASES = r"\bconst struct op_case NAME_cases\[\]"


def by_macros(text, declarator):
    """Names that the file's own macros define: the macro's body is the declarator with a parameter pasted in."""
    lines = text.replace("\\\n", " ")
    for macro, params, body in re.findall(r"^#define (\w+)\(([^)]*)\)(.*)$", lines, re.M):
        params = [p.strip() for p in params.split(",")]
        for pasted in re.findall(declarator.replace("NAME", r"((?:\w*##)+\w*)"), body):
            for call in re.findall(r"^%s\(([^()]*(?:\([^()]*\)[^()]*)*)" % macro, lines, re.M):
                given = dict(zip(params, (a.strip() for a in call.split(","))))
                yield "".join(given.get(part, part) for part in pasted.split("##"))


def stems(pattern, declarator):
    """From each name to the stem of the file that defines it."""
    found = {}
    for path in sorted(glob.glob(pattern, recursive=True)):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        names = re.findall(declarator.replace("NAME", r"(\w+)"), text) + list(by_macros(text, declarator))
        found.update((name, os.path.splitext(os.path.basename(path))[0]) for name in names)
    return found


def main():
    cpu, gl, cases = stems("kernels_cpu/**/*.c", CPU), stems("kernels_gl/**/*.c", GL), stems("bench/cases/*.c", CASES)
    with open("lib/ops/ops.def", encoding="utf-8") as file:
        rows = ROW.findall(file.read())
    unused, wrong = set(EXCEPTIONS), 0
    for op, kernel, gpu in rows:
        own = {cpu.get(kernel), cases.get(kernel)} | ({gl.get(gpu)} if gpu != "NULL" else set())
        on_gpu = gl.get(gpu) if gpu != "NULL" else "none"
        places = f"kernels_cpu: {cpu.get(kernel)}, kernels_gl: {on_gpu}, bench/cases: {cases.get(kernel)}"
        if "--table" in sys.argv:
            print(f"{op}: {places}")
        if len(own) == 1 and None not in own:
            continue
        unused.discard(kernel)
        if kernel in EXCEPTIONS and None not in own:
            print(f"exception: {op} ({places}): {EXCEPTIONS[kernel]}")
        else:
            print(f"lint_stems: {op} has more than one stem ({places})", file=sys.stderr)
            wrong += 1
    for kernel in sorted(unused):
        print(f"lint_stems: the exception for {kernel} is no longer needed", file=sys.stderr)
    return 1 if wrong or unused or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
