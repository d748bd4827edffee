#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tools on a terminal of 80 columns, and behind a pipe.

  terminal_test.py BUILD

No line of ours is wider than the terminal, but for a word that is. Lines of TensorFlow Lite's tools (KNOWN), which scripts read,
are whole on both sides; so are tables with tabs and headings between signs of equality. A pipe gets no escape sequence, nor does a
terminal with NO_COLOR or TERM=dumb. What op_coverage says, which is the same in every run, has the same words on both sides, in
fewer lines behind the pipe. Commands with a GPU are left out where there is none.

Prints a line per failure, then "N passed, N failed, N skipped"."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios

from checks import check, finish, not_run

COLUMNS = 80
TOOLS = ("benchmark_model", "inference_diff", "op_coverage", "benchmark_compare", "eval_classification", "eval_detection")
# Of TensorFlow Lite's tools, and a list's values.
KNOWN = re.compile(
    r"(INFO: )?(Running benchmark for at least|count=|Inference timings in us: |Note: as the benchmark tool|Memory footprint delta|"
    r"Replacing \d+ out of|Explicitly applied|Though .* delegate is explicitly applied|Graph: \[|\d+ operations will run|"
    r" *[\w,= ]+: +count=|The list of TFLite runtime options|=)"
)
SHORT = ["--num_runs=3", "--min_secs=0", "--warmup_min_secs=0"]
ESCAPES = re.compile(r"\033\[[0-9;]*[A-Za-z]")


def on_terminal(command, **variables):
    """What a terminal of 80 columns gets from both streams."""
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
        os.environ.pop("COLUMNS", None)
        os.environ.pop("NO_COLOR", None)
        os.environ.update({"TERM": "xterm", **variables})
        os.execv(command[0], command)
    text = b""
    try:
        while piece := os.read(terminal, 65536):
            text += piece
    except OSError:  # its end
        pass
    os.close(terminal)
    os.waitpid(pid, 0)
    return text.decode(errors="replace").replace("\r\n", "\n")


def behind_pipe(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.stdout.decode(errors="replace")


def too_wide(text):
    """The first line of ours that the terminal would break; None without one."""
    for line in text.split("\n"):
        line = ESCAPES.sub("", line.split("\r")[-1])
        if len(line) > COLUMNS and "\t" not in line and " " in line.strip() and not KNOWN.match(line):
            return line
    return None


def commands(gpu):
    """Of all tools: results, tables, warnings, errors, and help."""
    long = "/".join(["a folder with blanks"] * 5)
    yield from ([tool, flag] for tool in TOOLS for flag in ("--help", "--help=all"))
    bench = ["benchmark_model", "models/branches.tflite", *SHORT]
    diff = ["inference_diff", "models/branches.tflite", "--num_runs=2"]
    yield [*bench, "--json=a.json"]
    yield [*bench, "--json=b.json", "--enable_op_profiling"]
    yield [*bench, "--sweep=num_threads:1,2;cpu_kernels:fast,reference", "--with_accuracy"]
    yield ["benchmark_model", "models/signatures.tflite", "--list_inputs"]
    yield ["benchmark_model", f"{long}.tflite"]
    yield ["benchmark_compare", "a.json", "b.json"]
    yield ["op_coverage", "models/branches.tflite", "models/text.tflite"]
    yield ["op_coverage", "models/mendable.tflite", "--rules=tflite-gpu,ml-drift"]
    yield ["op_coverage", "models/mendable.tflite", "--rules=tflite-gpu", "--fix=fixed.tflite"]
    yield [*diff, "--use_dummy_delegate", "--per_op", "--why"]
    if gpu:
        yield [*bench, "--use_gpu", "--compare_cpu", "--gpu_precision=fp16"]
        yield [*diff, "--delegate=gpu", "--per_op", "--why", "--gpu_precision=fp16"]


def check_pipe(build):
    command = [f"{build}/op_coverage", "models/mendable.tflite", "--rules=tflite-gpu"]
    wide, narrow = behind_pipe(command), on_terminal(command)
    check("op_coverage says the same words on a terminal", wide.split() == narrow.split())
    check("op_coverage behind a pipe has fewer, longer lines", too_wide(wide) and wide.count("\n") < narrow.count("\n"))
    check("COLUMNS counts in place of the terminal's", on_terminal(command, COLUMNS="400") == wide)


def check_color(build):
    command = [f"{build}/inference_diff", "models/branches.tflite", "--num_runs=1", "--use_dummy_delegate"]
    check("a verdict has a colour on a terminal", ESCAPES.search(on_terminal(command)))
    check("NO_COLOR is respected", not re.search(r"\033\[\d+m", on_terminal(command, NO_COLOR="1")))
    check("TERM=dumb gets no escape", "\033" not in on_terminal(command, TERM="dumb"))
    check("a pipe gets no escape", "\033" not in behind_pipe(command))


def main():
    build = os.path.abspath(sys.argv[1])
    gpu = subprocess.run([f"{build}/benchmark_model", "--list_gpus"], capture_output=True, check=False).returncode == 0
    if not gpu:
        not_run("gpu", "no GPU: what benchmark_model and inference_diff print of one")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        subprocess.run([f"{build}/make_models", "--cli", "models"], check=True, stdout=subprocess.DEVNULL)
        for tool, *arguments in commands(gpu):
            text = on_terminal([f"{build}/{tool}", *arguments])
            line = too_wide(text)
            check(f"{tool} {' '.join(arguments)[:60]}: lines of {COLUMNS} columns", text.count("\n") > 0 and line is None, line)
        check_pipe(build)
        check_color(build)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
