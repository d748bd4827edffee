#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the CPU kernels against TensorFlow Lite's reference kernels on random single-op models.

  conformance.py                                all of scripts/reference/conformance_ops, 3 cases per operator and type
  conformance.py --op CONV_2D --type i8 --seed 7 --count 100
  conformance.py --keep testdata/conformance    keep a small case of each operator and type for `make check`

Integers must be equal, floats within 1e-5 of max(1, largest magnitude), on our reference kernels and on the fast ones, with one
thread and with three: opcheck --conformance does this. Case k of operator X and type T draws from seed + k, whatever else runs: a
failure repeats with `--op X --type T --seed S --count 1`. A case that TensorFlow Lite refuses, or answers differently when memory
held something else before, is counted as refused and skipped; one that only we refuse has failed.
--keep writes an archive per operator (bench/opcheck/conformance.h), the same bytes from the same cases.
Needs ai_edge_litert, flatbuffers and numpy. Exit status: 0 nothing failed, 1 something did.
"""
import argparse
import ctypes
import io
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zlib

import pypi_packages  # noqa: F401  first: it ends with a message where one of the next is missing
import numpy as np

from conformance_ops import FORMS, OPS, TYPES, Draw
from conformance_ops.model import encode, make_model, model_inputs
from golden import infer, run_guarded, same_outputs, section

TABLES = {op: row[0] for op, row in OPS.items()}
M_PERTURB = -6


def draw_case(op, type_, seed):
    return OPS[op][2](Draw([seed, zlib.crc32(f"{op} {type_}".encode())]), type_)


def describe(case):
    shapes = " ".join(f"{t.type}{t.shape}{'const' if t.const else ''}" if t else "none" for t in case.inputs)
    return f"{shapes} -> {' '.join(t.type for t in case.outputs)} {case.options}"


def ask(model, inputs, runs):
    """The outputs of TensorFlow Lite. A kernel that reads what it never wrote gives others the second time."""
    answers = []
    for byte in (0x11, 0xee):
        ctypes.CDLL(None).mallopt(M_PERTURB, byte)
        answers.append([np.asarray(o) for o in infer(model, inputs, runs)])
    if not same_outputs(*answers):
        raise ValueError("two runs, two answers")
    return answers[0]


def make_case(directory, op, type_, seed):
    """Writes OP.TYPE.SEED.tflite. Returns (text of its golden outputs, None), or (None, reason)."""
    case = draw_case(op, type_, seed)
    model, inputs = make_model(TABLES, op, case), [encode(t) for t in model_inputs(op, case)]
    outputs, reason = run_guarded(ask, model, inputs, max(1, case.runs))
    if outputs is None:
        return None, reason
    with open(f"{directory}/{op}.{type_}.{seed}.tflite", "wb") as f:
        f.write(make_model(TABLES, op, case, outputs))
    return section(op, f"{type_}.{seed}", outputs, [TYPES[t.type][1] for t in case.outputs]), None


def make_cell(work):
    directory, op, type_, seeds = work
    return op, type_, {seed: make_case(directory, op, type_, seed) for seed in seeds}


def write_archive(path, golden, models):
    """OPERATOR.tar as opcheck reads it: the text of golden outputs, then {name: path of model}, by name. Without times and owners,
    so that equal cases are equal bytes."""
    def add(archive, name, data):
        member = tarfile.TarInfo(name)
        member.size, member.mode = len(data), 0o644
        archive.addfile(member, io.BytesIO(data))

    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:
        add(archive, "golden.txt", golden.encode())
        for name, model in sorted(models.items()):
            with open(model, "rb") as f:
                add(archive, f"{name}.tflite", f.read())


def hold(opcheck, directory, op, names):
    """{name: '' or why it failed} of the cases of an operator. One that crashes takes the rest along: these run alone."""
    def run(*flags):
        done = subprocess.run([opcheck, f"--conformance={directory}", f"--op={op}", "--cpu", "--verbose", *flags],
                              capture_output=True, text=True, errors="replace", check=False)
        found = re.findall(r'^(pass|FAIL) \S+ "(.*?)" cpu:? ?(.*)$', done.stdout, re.M)
        return {name: why if word == "FAIL" else "" for word, name, why in found}, done

    answers, _ = run()
    for name in names:
        if name not in answers:
            alone, done = run(f"--case={name}")
            answers[name] = alone.get(name, f"exit {done.returncode}: {done.stderr.strip()[-200:]}")
    return answers


def keep(source, target, sections, most_bytes, count):
    """Archives of each cell's `count` largest cases of at most so many bytes, or its smallest; sections: (op, type, name) -> golden
    text."""
    cells, kept = {}, {}
    for (op, type_, name), text in sections.items():
        size = os.path.getsize(f"{source}/{op}.{name}.tflite") + len(text)
        cells.setdefault((op, type_), []).append((size, name, text))
    for (op, _), cases in sorted(cells.items()):
        for _, name, text in sorted(c for c in cases if c[0] <= most_bytes)[-count:] or [min(cases)]:
            kept.setdefault(op, {})[name] = text
    shutil.rmtree(target, ignore_errors=True)
    os.makedirs(target)
    for op, texts in kept.items():
        write_archive(f"{target}/{op}.tar", "\n".join(texts.values()), {n: f"{source}/{op}.{n}.tflite" for n in texts})
    print(f"{target}: {sum(map(len, kept.values()))} cases")


def print_table(counts):
    print("\nCases that passed, per operator and type; a/b: a passed, b failed; (r): refused by TensorFlow Lite.\n")
    types = [t for t in (*TYPES, *FORMS) if any(t == type_ for _, type_ in counts)]
    print("| Operator | " + " | ".join(types) + " |\n|---|" + "---|" * len(types))
    for op in OPS:
        cells = []
        for t in types:
            passed, failed, refused = counts.get((op, t), (0, 0, 0))
            text = f"{passed}/{failed}" if failed else str(passed) if passed else ""
            cells.append(text + (f" ({refused})" if refused else ""))
        if any(cells):
            print(f"| {op} | " + " | ".join(cells) + " |")


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opcheck", default="build/opcheck")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=3, help="cases per operator and type")
    parser.add_argument("--op", default="", help="operators, separated by commas (default: all)")
    parser.add_argument("--type", default="", help="types, separated by commas (default: all)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes that ask TensorFlow Lite")
    parser.add_argument("--verbose", action="store_true", help="print why TensorFlow Lite refused a case")
    parser.add_argument("--keep", metavar="DIR", help="write cases that passed into this folder, emptied before")
    parser.add_argument("--keep-count", type=int, default=1, help="how many of each operator and type to keep")
    parser.add_argument("--most-bytes", type=int, default=1200, help="of a kept case and its outputs")
    args = parser.parse_args()
    args.ops = args.op.upper().split(",") if args.op else list(OPS)
    args.types = args.type.split(",") if args.type else [*TYPES, *FORMS]
    unknown = [x for x in args.ops if x not in OPS] + [x for x in args.types if x not in (*TYPES, *FORMS)]
    if unknown:
        parser.error(f"no such operator or type: {', '.join(unknown)}")
    return args


def run(args, directory):
    seeds = range(args.seed, args.seed + args.count)
    work = [(directory, op, t, seeds) for op in args.ops for t in OPS[op][1].split() if t in args.types]
    counts, passed, texts = {}, {}, {}

    def complain(word, op, type_, seed, why):
        print(f"{word} --op {op} --type {type_} --seed {seed}: {describe(draw_case(op, type_, seed))}: {why}", flush=True)

    with multiprocessing.Pool(args.jobs) as pool:
        for op, type_, made in pool.imap(make_cell, work):
            counts[op, type_] = [0, 0, sum(text is None for text, _ in made.values())]
            for seed, (text, why) in made.items():
                if text:
                    texts[op, type_, f"{type_}.{seed}"] = text
                elif args.verbose:
                    complain("REFUSED", op, type_, seed, why)
    for op in args.ops:
        mine = {key: text for key, text in texts.items() if key[0] == op}
        if not mine:
            continue
        models = {name: f"{directory}/{op}.{name}.tflite" for _, _, name in mine}
        write_archive(f"{directory}/{op}.tar", "\n".join(mine.values()), models)
        answers = hold(args.opcheck, directory, op, models)
        os.remove(f"{directory}/{op}.tar")
        for key, text in mine.items():
            why = answers[key[2]]
            counts[op, key[1]][1 if why else 0] += 1
            if why:
                complain("FAILED", op, key[1], int(key[2].split(".")[1]), why)
            else:
                passed[key] = text
    return counts, passed


def main():
    args = parse_args()
    print(f"seeds {args.seed} to {args.seed + args.count - 1}", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        counts, passed = run(args, directory)
        if args.keep:
            keep(directory, args.keep, passed, args.most_bytes, args.keep_count)
    print_table(counts)
    good, bad, refused = (sum(c[i] for c in counts.values()) for i in range(3))
    print(f"\n{good} passed, {bad} failed, {refused} skipped")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
