#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lint_files.py - what the shape of the source tree promises, checked.

Every file opens with its SPDX line and "name - idea", headers then with "#pragma once"; files include in no circle of two
(lint_rooms.py says who may include whom); GL and EGL are spoken in lib/gl and GL_FILES alone, cJSON in cmd/print/report.c and
cmd/print/report_read.c alone; a file holds one idea, so it is short. Prints one line per finding and ends with exit status 1
if there was any.
"""
import os
import re
import subprocess
import sys

SPDX = "SPDX-License-Identifier: Apache-2.0"
MAX_LINES = 800
WIDTH = 132

PARTS = ("schema", "lib", "lib/gl", "kernels_cpu", "kernels_gl", "cmd", "bench")

CJSON_FILES = ("cmd/print/report.c", "cmd/print/report_read.c")

# Beside lib/gl: what measures a device, and is in no library.
GL_FILES = ("bench/limits/limits_check.c", "bench/limits/limits_gl.c")

# Headers without "#pragma once": templates, included once for each kind of CPU, and what other programs include.
GUARDLESS = ("kernels_cpu/matmul/depthwise_row.h", "kernels_cpu/matmul/gemm_f32_tile.h", "kernels_cpu/matmul/gemm_int_tile.h",
             "kernels_cpu/matmul/gemm_tile_sizes.h", "lib/api/delegauge.h")

# Findings that stand, and why: "file: what it includes", "file: lines" or "a and b" -> the reason.
EXPLAINED = {
    "lib/session/loop_condition and lib/session/session": "session_impl.h is the whole of a session, which this is a part of",
    "lib/session/session and lib/session/tensor_placement": "the same",
    "bench/opcheck/check and bench/opcheck/check_gpu": "check_gpu.c is the part of check.c that needs a GPU",
    "bench/opcheck/opcheck and bench/opcheck/variant": "opcheck.h is the format of cases; opcheck.c is the main program",
    "lib/graph/graph and lib/graph/kernel": "kernel.h is the interface of kernels; a graph asks it whether one keeps state",
}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+([<"])([^>"]+)[>"]', re.M)
COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
GL_CALL = re.compile(r"\b(?:egl|gl)[A-Z]\w*\s*\(")

findings = []


def report(path, text):
    """Notes one finding."""
    findings.append(f"{path}: {text}")


def tracked():
    """Files that git tracks or would track."""
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], check=True, capture_output=True, text=True).stdout
    return [f for f in out.splitlines() if os.path.isfile(f)]


def folder(path):
    """The part of the tree that a file belongs to."""
    return "lib/gl" if path.startswith("lib/gl/") else path.split("/", 1)[0]


def check_head(path, text):
    """The SPDX line, then the file's own name and its idea."""
    lines = text.split("\n", 4)
    name = os.path.basename(path)
    if path.endswith((".c", ".h", ".def")):
        if lines[0] != f"/* {SPDX} */":
            report(path, f"the first line must be /* {SPDX} */")
        if len(lines) < 2 or not lines[1].startswith(f"/* {name} - "):
            report(path, f'the second line must begin with "/* {name} - " and say what the file is')
        if path.endswith(".h") and path not in GUARDLESS and "\n#pragma once\n" not in text:
            report(path, "#pragma once must stand behind the first comment")
    elif path.endswith(".comp"):
        if lines[0] != f"// {SPDX}":
            report(path, f"the first line must be // {SPDX}")
        if len(lines) < 2 or not lines[1].startswith(f"// {name} - "):
            report(path, f'the second line must begin with "// {name} - " and say what the file is')
    elif path.endswith((".sh", ".py", ".awk")) or name == "Makefile" or path == ".ci/run":
        if SPDX not in "\n".join(lines[:2]):
            report(path, f"no {SPDX} in the first two lines")
        if path.endswith(".sh") and not re.search(rf"^# {re.escape(name)}[^\n]* - ", text, re.M):
            report(path, f'"# {name} - " and what it does must follow the SPDX line')


def check_size(path, text):
    """Files are short, lines fit the width."""
    lines = text.splitlines()
    if len(lines) > MAX_LINES and f"{path}: lines" not in EXPLAINED:
        report(path, f"{len(lines)} lines, more than {MAX_LINES}")
    for i, line in enumerate(lines, 1):
        if len(line) > WIDTH and not path.startswith("bench/cases/"):
            report(path, f"line {i} has {len(line)} characters, more than {WIDTH}")
        if line != line.rstrip():
            report(path, f"line {i} ends in white space")


def check_prose(path, text):
    """Lines of a document fit the width, too, but for tables and for what tools printed."""
    fence = False
    for i, line in enumerate(text.splitlines(), 1):
        fence ^= line.startswith("```")
        if len(line) > WIDTH and not fence and not line.startswith("|"):
            report(path, f"line {i} has {len(line)} characters, more than {WIDTH}")


def check_shader(path, text):
    """Two line continuations in a row are an error to ANGLE's preprocessor, unless a blank stands before the second."""
    for i, line in enumerate(text.splitlines(), 1):
        if line == "\\":
            report(path, f"line {i} is a backslash alone, which ANGLE refuses: put a blank before it")


def resolve(path, name):
    """The file that an include of `name` in `path` means, or None for one of the system or of the build."""
    beside = os.path.join(os.path.dirname(path), name)
    return next((f for f in (name, beside) if os.path.isfile(f)), None)


def includes(path, text):
    """The project's files that `path` includes."""
    return [(n, resolve(path, n)) for kind, n in INCLUDE.findall(text) if kind == '"']


def check_includes(path, text):
    """Its own header first; the libraries that only one place may use."""
    test = path.endswith(("_test.c", "_fuzz.c")) or os.path.basename(path).startswith("test_")
    mine = includes(path, text)
    own = re.sub(r"\.c$", ".h", os.path.basename(path))
    names = (own, own.replace(".h", "_impl.h"))
    has_own = path.endswith(".c") and os.path.isfile(os.path.join(os.path.dirname(path), own))
    if has_own and mine and os.path.basename(mine[0][0]) not in names:
        report(path, f"its own header {own} must be the first include, so that it is known to stand alone")
    for _, name in INCLUDE.findall(text):
        if name.startswith(("epoxy/", "GLES", "EGL")) and folder(path) != "lib/gl":
            report(path, f"includes <{name}>: only lib/gl speaks GL and EGL")
        if "cJSON" in name and path not in CJSON_FILES and not test:
            report(path, f"includes <{name}>: only {' and '.join(CJSON_FILES)} know cJSON")
    if folder(path) != "lib/gl" and path not in GL_FILES:
        for call in sorted(set(GL_CALL.findall(COMMENT_OR_STRING.sub(" ", text)))):
            report(path, f"calls {call.rstrip('( ')}: only lib/gl speaks GL and EGL")


def check_cycles(texts):
    """X.c with X.h (and X_impl.h) is one part. Headers include in no circle; two parts do not include each other."""
    def part(path):
        return re.sub(r"(_impl)?\.[ch]$", "", path)

    edges, headers = {}, {}
    for path, text in texts.items():
        for _, full in includes(path, text):
            if full and part(full) != part(path) and not path.endswith("_test.c"):
                edges.setdefault(part(path), {})[part(full)] = path
            if full and path.endswith(".h"):
                headers.setdefault(path, set()).add(full)
    for a, others in sorted(edges.items()):
        for b, path in sorted(others.items()):
            pair = f"{a} and {b}"
            if a < b and a in edges.get(b, {}) and pair not in EXPLAINED:
                report(path, f"{pair} include each other: one of them must not know the other")
    done, stack = set(), []

    def visit(node):
        if node in stack:
            report(node, f"headers include in a circle: {' -> '.join(stack[stack.index(node):] + [node])}")
        elif node not in done:
            stack.append(node)
            for other in sorted(headers.get(node, ())):
                visit(other)
            done.add(stack.pop())

    for node in sorted(headers):
        visit(node)


def check_kinds():
    """Every kind of operation of the GPU has its row, by which --gpu_variant finds it."""
    with open("kernels_gl/common/kinds.def", encoding="utf-8") as f:
        rows = set(re.findall(r"^KIND\((\w+)\)", f.read(), re.M))
    for path in tracked():
        if folder(path) != "kernels_gl" or not path.endswith(".c"):
            continue
        with open(path, encoding="utf-8") as f:
            for name in re.findall(r"^(?:static )?const struct ir_kind (\w+) =", f.read(), re.M):
                if not name.startswith("gl_kind_") or name[len("gl_kind_") :] not in rows:
                    report(path, f"{name} is no row of kernels_gl/common/kinds.def (gl_kind_ and the row's name)")


def main():
    """Reads every file once."""
    texts = {}
    for path in tracked():
        if path.startswith("testdata/") and not path.endswith((".sh", ".py", ".c", ".h")):
            continue
        if path.endswith(".md"):
            with open(path, encoding="utf-8") as f:
                check_prose(path, f.read())
            continue
        if not path.endswith((".c", ".h", ".def", ".comp", ".sh", ".py", ".awk", "Makefile")) and path != ".ci/run":
            continue
        with open(path, encoding="utf-8") as f:
            text = f.read()
        check_head(path, text)
        check_size(path, text)
        if path.endswith(".comp"):
            check_shader(path, text)
        if path.endswith((".c", ".h")) and folder(path) in PARTS:
            texts[path] = text
            check_includes(path, text)
    check_cycles(texts)
    check_kinds()
    for line in findings:
        print(line)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
