#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""shader_db_test.py - the readers of shader_db.py on stored messages, and the comparison with the record.

The last line is "N passed, N failed, N skipped".
"""
import os
import sys

import shader_db
import zoo_test

SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../testdata/shader_db.txt")
NAMES = {
    "conv_4x2_+RELU6-9dbf35181730.comp": ("conv 4x2 +RELU6", "conv-4x2", 128),
    "conv_2x2_+ADD_+RELU-9dbf35181730.comp": ("conv 2x2 +ADD +RELU", "conv-2x2", 64),
    "depthwise_rows-000000000000.comp": ("depthwise rows", "depthwise-rows", 0),
    "conv_shared-a76018292c2f.comp": ("conv shared", "conv-shared", 128),
}
count = [0, 0]


def check(what, is_, wanted):
    """Counts, and tells a difference."""
    count[is_ != wanted] += 1
    if is_ != wanted:
        print(f"FAIL {what}: {is_}, expected {wanted}")


def check_samples():
    """Each block of the file: a line with what comes out, and messages."""
    blocks = [b.splitlines() for b in open(SAMPLES, encoding="utf-8").read().split("\n\n")]
    for lines in ([line for line in b if not line.startswith("#")] for b in blocks):
        if not lines:
            continue
        driver, *texts = lines[0].split()
        wanted = None if texts == ["nothing"] else {k: float(v) for k, v in (t.split("=") for t in texts)}
        check(lines[0], shader_db.parse(driver, [line[2:] for line in lines[1:]]), wanted)


def check_record():
    """A row of sums against columns of the record."""
    rows = {}
    for spills, threads in ((2, 4), (0, 1)):
        figures = {"code": 100, "registers": 30 + spills, "occupancy": threads, "spills": spills, "cycles": 1.25}
        zoo_test.add(rows, "conv-4x2", figures)
    row = rows["conv-4x2"]
    columns = zoo_test.columns_of(row)
    check("columns", columns, ["2", "200", "32", "1", "2", "-", "2.5", "256", "0.78", "0.01"])
    check("the same", zoo_test.differences(columns, row), "")
    check("fewer spills", zoo_test.differences(["2", "200", "32", "1", "3", "-", "2.5"], row), "")
    check("more", zoo_test.differences(["2", "199", "31", "2", "1", "-", "2.4"], row),
          "code 199 -> 200, registers 31 -> 32, occupancy 2 -> 1, spills 1 -> 2, cycles 2.4 -> 2.5")
    check("not said any more", zoo_test.differences(["2", "200", "32", "1", "2", "0", "2.5"], row), "fills 0 -> -")
    check("new", zoo_test.differences(None, row), "is not on record")
    check("gone", zoo_test.differences(columns, None), "is on record, and no program has it any more")


def main():
    """All of it."""
    check_samples()
    for name, (label, kind, madds) in NAMES.items():
        check(name, (shader_db.label_of(name), shader_db.kind_of(name), shader_db.multiply_adds(shader_db.kind_of(name))),
              (label, kind, madds))
    check_record()
    print(f"{count[0]} passed, {count[1]} failed, 0 skipped")
    return count[1] > 0


if __name__ == "__main__":
    sys.exit(main())
