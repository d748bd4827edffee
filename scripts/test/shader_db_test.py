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
        zoo_test.add(rows, "conv-4x2", figures, (300 + spills, 128))
    row = rows["conv-4x2"]
    columns = zoo_test.columns_of(row)
    check("columns", columns, ["2", "200", "32", "1", "2", "-", "2.5", "602", "256", "2.35", "0.78", "0.01"])
    check("the same", zoo_test.differences(columns, row), "")
    check("fewer spills", zoo_test.differences(["2", "200", "32", "1", "3", "-", "2.5", "602"], row), "")
    check("more", zoo_test.differences(["2", "199", "31", "2", "1", "-", "2.4", "601"], row),
          "code 199 -> 200, registers 31 -> 32, occupancy 2 -> 1, spills 1 -> 2, cycles 2.4 -> 2.5, loop 601 -> 602")
    check("not said any more", zoo_test.differences(["2", "200", "32", "1", "2", "0", "2.5", "602"], row), "fills 0 -> -")
    check("new", zoo_test.differences(None, row), "is not on record")
    check("gone", zoo_test.differences(columns, None), "is on record, and no program has it any more")


IR3 = """Native code for an earlier shader
MESA: info: mad.f32 r0.x, r1.x, r2.x, r3.x
MESA: info: Native code for unnamed CL shader GLSL2:
MESA: info: l1:
MESA: info: (sy)mov.f32f32 r48.x, c0.x
MESA: info: l4:
MESA: info: (rpt2)mad.f32 r9.x, (r)r24.x, r21.w, (r)r9.x
MESA: info: (sy)(nop3) mad.f32 r21.y, r24.w, r18.x, r13.y
MESA: info: br !p0.x, #l9
MESA: info: jump #l4
MESA: info: l9:
MESA: info: mad.f32 r0.x, r1.x, r2.x, r3.x
MESA: info: jump #l1
"""
BIFROST = """
clause_0:
{
    *FMA.f32 r0:t0, r1, r2, r3
    +NOP t1
}
clause_2:
{
    *FMA.v2f16 r0:t0, r1, r2, r3
    +NOP t1
    *FMA.f32 r0:t0, r1, r2, r3
    +JUMP t1, clause_2
}
clause_9:
    *NOP t0
    +JUMP t1, clause_0
"""
VALHALL = """block1 {
   FMA.f32 r1, r2, r3
   BRANCHZ.eq r0 -> block1
} from block0

   MOV.i32 r0, r1
   FMA.f32 r20, ^r20, ^r21, r22

   NOP
   BRANCHZ.eq.reconverge 0x0, offset:-3
   BRANCHZ.eq.reconverge 0x0, offset:1
"""


def check_loops():
    """Passes of the innermost loop: issued, and multiply-adds."""
    check("ir3", shader_db.innermost("freedreno", IR3), (3 + 4 + 1 + 1, 4))
    check("Bifrost", shader_db.innermost("panfrost", BIFROST), (2, 3))
    check("Valhall", shader_db.innermost("panfrost", VALHALL), (3, 1))
    check("no loop", shader_db.innermost("panfrost", VALHALL.replace("-3", "3")), None)
    check("no code", shader_db.innermost("v3d", IR3), None)


def main():
    """All of it."""
    check_samples()
    for name, (label, kind, madds) in NAMES.items():
        check(name, (shader_db.label_of(name), shader_db.kind_of(name), shader_db.multiply_adds(shader_db.kind_of(name))),
              (label, kind, madds))
    check_record()
    check_loops()
    print(f"{count[0]} passed, {count[1]} failed, 0 skipped")
    return count[1] > 0


if __name__ == "__main__":
    sys.exit(main())
