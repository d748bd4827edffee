#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants each fault of lib/delegates/dummy/dummy_op_faults.c in a network of 10 to 20 nodes; inference_diff must name the node.

  wrong_ops_test.py BUILD [--table]

make_models --wrong_ops writes the networks, one for each fault, whose node to spoil makes the tensor "wrong". Without the fault a
network passes. With it, --per_op and --bisect each name that node and no other, and --bisect prints at most ceil(log2 n) + 4 trials
for n nodes; --extract writes that node alone, which fails as well (PART_NODES has the exception). A fault without a network fails,
and so does a row of bench/WRONG_OPS.md that has other figures than those seen.
--table prints the rows instead, with the second column (where the fault was seen) as the page has it.

Prints a line per failure, then "N passed, N failed, N skipped". Runs in the root of the source.
"""
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import check, failed, finish

PAGE = Path("bench/WRONG_OPS.md")
# Nodes that --extract writes, where one is too few: an ADD is wrong only if several nodes read it.
PART_NODES = {"alias": 3}


def read_faults():
    """The names of the table's rows."""
    rows = Path("lib/delegates/dummy/dummy_op_faults.c").read_text(encoding="utf-8").split("dummy_op_faults[] = {")[1]
    return re.findall(r'^    \{"(\w+)",', rows, re.M)


def read_rows():
    """The rows of the page: fault -> cells."""
    rows = [[c.strip() for c in line.strip("|\n").split("|")] for line in PAGE.read_text(encoding="utf-8").splitlines()
            if line.startswith("| `")]
    return {row[0].strip("`"): row for row in rows}


def diff(build, model, *flags):
    done = subprocess.run([f"{build}/inference_diff", str(model), "--delegate=dummy", "--num_runs=1", *flags], capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def named(text):
    """The nodes that a report calls off by themselves: index, operator, output."""
    return re.findall(r"^Off by itself.*?: node (\d+) (\w+), output '([^']*)'", text, re.M)


def try_fault(build, folder, fault):
    """Returns the cells of the fault's row but for its report, or None."""
    model, before = folder / f"{fault}.tflite", len(failed)
    check(f"{fault}: it has a network", model.exists())
    if not model.exists():
        return None
    status, text = diff(build, model)
    nodes = int((re.findall(r"(\d+)/\d+ nodes on the dummy", text) or [0])[0])
    check(f"{fault}: right without it", status == 0 and "Verdict: passed" in text, text[-300:])
    check(f"{fault}: a network of 10 to 20 nodes", 10 <= nodes <= 20, nodes)
    plant = f"--dummy_delegate_options=plant:{fault}@wrong"
    status, text = diff(build, model, plant, "--per_op")
    per_op = named(text)
    marked = re.findall(r"^! +(\d+) (\w+)", text, re.M)
    check(f"{fault}: --per_op fails", status == 1 and "Verdict: FAILED" in text, status)
    check(f"{fault}: --per_op names the node", len(per_op) == 1 and per_op[0][2] == "wrong", per_op)
    check(f"{fault}: --per_op marks it", marked == [p[:2] for p in per_op], marked)
    status, text = diff(build, model, plant, "--bisect")
    trials = re.findall(r"^Trials: (\d+), for (\d+) nodes\.", text, re.M)
    check(f"{fault}: --bisect fails", status == 1 and "Verdict: FAILED" in text, status)
    check(f"{fault}: --bisect names the same node", len(named(text)) == 1 and named(text) == per_op, named(text))
    check(f"{fault}: --bisect tells its trials", len(trials) == 1 and int(trials[0][1]) == nodes, trials)
    part = folder / f"{fault}.part.tflite"
    status, _ = diff(build, model, plant, f"--extract={part}")
    check(f"{fault}: --extract writes a part", status == 1 and part.exists(), status)
    if len(failed) > before:
        return None
    status, text = diff(build, part, plant, f"--input_dir={part.with_suffix('.inputs')}")
    size = PART_NODES.get(fault, 1)
    check(f"{fault}: the part of {size} nodes fails", status == 1 and f"; {size}/{size} nodes on the dummy" in text, text[-300:])
    most = math.ceil(math.log2(nodes)) + 4
    check(f"{fault}: at most {most} trials", int(trials[0][0]) <= most, trials[0][0])
    verdict = re.search(r"^Verdict: FAILED.*\((.*)\); ", text, re.M)
    return [f"`{fault}`", per_op[0][1], f"node {per_op[0][0]} of {nodes}, on {verdict[1]}", trials[0][0]]


def main():
    build, faults, rows = sys.argv[1], read_faults(), read_rows()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        made = subprocess.run([f"{build}/make_models", "--wrong_ops", str(folder)], capture_output=True, text=True, check=False)
        check("the networks are made", made.returncode == 0, made.stderr)
        check("the table has faults", len(faults) > 0)
        check("each network is of a fault", {m.stem for m in folder.iterdir()} <= set(faults), sorted(folder.iterdir()))
        check(f"{PAGE}: each row is of a fault", set(rows) <= set(faults), sorted(set(rows) - set(faults)))
        for fault in faults:
            cells = try_fault(build, folder, fault)
            row = rows.get(fault, [""] * 5)
            if cells and sys.argv[2:] == ["--table"]:
                print(f"| {cells[0]} | {row[1]} | {' | '.join(cells[1:])} |")
            elif cells:
                check(f"{fault}: its row of {PAGE}", row[1] and [row[0], *row[2:]] == cells, f"{row}, but seen: {cells}")
    return finish()


if __name__ == "__main__":
    sys.exit(main())
