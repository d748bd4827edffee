#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gpu_ranks_test.py - which operators the GPU takes at rank 1 to 6, more than 65,535 long along which axes, and why not the others.

    gpu_ranks_test.py BUILD [--record]     (prints a line for each finding, and last "N passed, N failed")

testdata/gpu/ranks.txt has what gpu_fuzz --ranks says, of the least device: nothing is run. Each operator is a test, of its axes;
the reasons, which follow the cases, are those of the last --record, which writes the file anew: read the difference. What is taken
there gpu_fuzz --walk runs."""

import itertools
import subprocess
import sys
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "testdata/gpu/ranks.txt"
HEAD = """\
# Of each operator that the GPU has and each rank: the axes that can be 65,539 long on the least device, and in parentheses why the
# first other one cannot. Written by scripts/test/gpu_ranks_test.py BUILD --record.
"""


def by_operator(text):
    lines = (line.split(" (")[0] for line in text.splitlines() if not line.startswith("#"))
    return {name: list(group) for name, group in itertools.groupby(lines, lambda line: line.split()[0])}


def main():
    run = subprocess.run([Path(sys.argv[1]) / "gpu_fuzz", "--ranks"], capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(f"gpu_fuzz --ranks: status {run.returncode}: {run.stderr.strip()}")
    if "--record" in sys.argv:
        FILE.write_text(HEAD + run.stdout, encoding="utf-8")
    here, there = by_operator(run.stdout), by_operator(FILE.read_text(encoding="utf-8"))
    failed = [name for name in sorted(here.keys() | there.keys()) if here.get(name) != there.get(name)]
    for name in failed:
        for sign, lines, others in (("-", there, here), ("+", here, there)):
            for line in lines.get(name, []):
                if line not in others.get(name, []):
                    print(f"FAIL {sign} {line}")
    print(f"{len(here.keys() | there.keys()) - len(failed)} passed, {len(failed)} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
