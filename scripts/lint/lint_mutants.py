#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lint_mutants.py - every error of testdata/mutants can still be planted: its text stands exactly once in its file.

So the list does not rot between two runs of `make mutants`, which takes long. Prints what does not fit; exit status 1 then."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "test"))
from mutants import misfit, read_list  # noqa: E402

root = Path(__file__).resolve().parents[2]
wrong = [(m["mutant"], misfit(m, root)) for m in read_list(root / "testdata/mutants")]
for name, why in wrong:
    if why:
        print(f"testdata/mutants: {name}: {why}")
sys.exit(any(why for _, why in wrong))
