#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""board_test.py BUILD - scripts/report/board.py on reports of the tools in BUILD, and on files that somebody made to break it."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

import checks
from html_check import script_problems, tables, text

if len(sys.argv) != 2:
    sys.exit(__doc__)
BUILD = os.path.abspath(sys.argv[1])
BOARD = os.path.join(os.path.dirname(__file__), "..", "report", "board.py")
ELEMENTS = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "div", "table", "thead", "tbody", "tr", "th", "td",
            "b", "span", "button", "ul", "li", "script"}
ATTRIBUTES = {"lang", "charset", "name", "content", "http-equiv", "class", "data-v"}
FAST = ["--num_runs=12", "--min_secs=0", "--warmup_min_secs=0", "--warmup_runs=1"]
EVIL = "<script>alert(1)</script>&\"'\x00\ud800.tflite"


def board(*args):
    return subprocess.run([sys.executable, BOARD, *map(str, args)], capture_output=True, text=True, check=False)


def tool(name, *args):
    subprocess.run([os.path.join(BUILD, name), *map(str, args)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def measure(folder):
    """One report of each kind but those that need data sets."""
    subprocess.run([os.path.join(BUILD, "make_models"), "--cli", folder / "models"], stdout=subprocess.DEVNULL, check=True)
    models = folder / "models"
    tool("benchmark_model", models / "chain.tflite", *FAST, f"--json={folder}/a.json")
    tool("benchmark_model", models / "add.tflite", *FAST, "--num_threads=2", f"--json={folder}/b.json")
    tool("benchmark_model", models / "chain.tflite", *FAST, "--sweep=num_threads:1,2", f"--json={folder}/sweep.json")
    tool("inference_diff", models / "chain.tflite", "--use_dummy_delegate", "--dummy_delegate_options=plant:offset=1@1",
         "--num_runs=2", f"--json={folder}/diff.json")


def classification(like):
    """A report as eval_classification writes it, in the members that the board reads."""
    side = {"name": "CPU", "accuracy": [{"rank": 1, "right": 7, "accuracy": 0.7, "low": 0.4, "high": 0.89}],
            "assignment": {"delegated": 0, "cpu": 5}}
    return {**{k: like[k] for k in ("schema_version", "environment", "parameters", "model")}, "tool": "eval_classification",
            "passed": True, "interrupted": False, "pictures": {"done": 10, "bad": 1}, "sides": [side]}


def hostile(folder, good):
    """Files that are no reports, and how many; one report is full of markup, another of wrong types."""
    folder.mkdir()
    broken = {
        "empty": "", "cut": json.dumps(good)[:500], "list": "[1, 2]", "null": "null", "deep": "[" * 100000,
        "old": json.dumps({**good, "schema_version": 1}), "other": json.dumps({**good, "tool": "op_coverage"}),
        "tool": json.dumps({**good, "tool": ["x"]}), "strings": json.dumps({**good, "times_us": "fast"}),
        "untimed": json.dumps({**good, "times_us": {"inference": {"median": True}}}),
        "digits": '{"schema_version": 2, "tool": "benchmark_model", "x": ' + "9" * 5000 + "}",
        "unnamed": json.dumps({**good, "model": 7}), "cases": json.dumps({**good, "tool": "benchmark_sweep", "cases": 5}),
    }
    for name, content in broken.items():
        (folder / f"{name}.json").write_text(content, "utf-8")
    (folder / "bytes.json").write_bytes(b'{"tool": "\xff"}')
    os.mkfifo(folder / "pipe.json")
    (folder / "loop.json").symlink_to("loop.json")
    evil = {**good, "model": {**good["model"], "path": EVIL},
            "environment": {"cpu": "</td><img src=x onerror=alert(1)>", "commit": 3, "time": {}, "delegate": []},
            "measurement": {"machine": {"advice": [EVIL, 7, None, EVIL]}}, "assignment": {"delegated": 1e400, "cpu": "none"}}
    (folder / "evil.json").write_text(json.dumps(evil), "utf-8")
    huge = {**good, "times_us": {"inference": {"median": 10**400, "count": None}}}
    (folder / "huge.json").write_text(json.dumps(huge), "utf-8")
    return len(broken) + 4    # bytes, pipe, loop, huge


def looks_safe(source):
    page = ET.fromstring(source)
    elements = {e.tag.rsplit("}", 1)[-1] for e in page.iter()}
    checks.check("elements", elements <= ELEMENTS, elements - ELEMENTS)
    attributes = {name for e in page.iter() for name in e.attrib}
    checks.check("attributes", attributes <= ATTRIBUTES, attributes - ATTRIBUTES)
    checks.check("one script, by its hash", not list(script_problems(page, source)), list(script_problems(page, source)))
    checks.check("loads nothing", not re.search(r"url\(|@import|https?://(?!www\.w3\.org/1999/xhtml)", source))
    return page


def shows_figures(folder):
    said = board(folder, f"--out={folder}/page.html", "--title=Ours & <theirs>")
    checks.check("a folder of reports", said.returncode == 0 and "5 reports, 0 files not shown" in said.stdout,
                 said.stdout + said.stderr)
    source = (folder / "page.html").read_text("utf-8")
    page = looks_safe(source)
    a = json.loads((folder / "a.json").read_text("utf-8"))
    rows = {row[0].split()[0]: row for e in [page] for row in all_rows(e)}
    checks.check("title", "Ours & <theirs>" in text(page))
    checks.check("the median and its interval", f"{a['times_us']['inference']['median'] / 1e3:.4g} ms" in text(page))
    checks.check("commit", (a["environment"]["commit"] or "commit unknown") in text(page))
    checks.check("models", {"add.tflite", "chain.tflite"} <= set(rows), set(rows))
    checks.check("nodes", "nodes on the CPU" in text(page))
    checks.check("a difference that failed", "FAILED" in text(page) and 'class="bad"' in source)
    checks.check("an accuracy", "70 %" in text(page) and "40 to 89" in text(page) and "1 pictures could not be read" in text(page))
    checks.check("numbers to sort by", f'data-v="{a["times_us"]["inference"]["median"] / 1e3!r}"' in source)


def all_rows(page):
    for e in page.iter():
        if e.tag.endswith("}tbody"):
            yield from ([text(c) for c in row] for row in e)


def survives(folder, n_unread):
    said = board(folder, f"--out={folder}/page.html")
    checks.check("hostile files", said.returncode == 0 and f"1 reports, {n_unread} files not shown" in said.stdout,
                 said.stdout + said.stderr)
    source = (folder / "page.html").read_text("utf-8")
    page = looks_safe(source)
    checks.check("markup is text", "<script>alert(1)</script>&" in text(page) and "onerror=alert" in text(page))
    named = [text(e) for e in page.iter() if e.tag.endswith("}li")]
    checks.check("each is named with its reason", len(named) == n_unread and all(": " in line for line in named), named)
    for name, why in (("cut", "no JSON"), ("deep", "nested too deeply"), ("pipe", "no file"), ("old", "schema_version"),
                      ("other", "op_coverage"), ("bytes", "no JSON"), ("huge", "no run"), ("cases", "no case")):
        checks.check(f"{name}.json", any(f"/{name}.json" in line and why in line for line in named), named)


def latest_wins(folder, good):
    folder.mkdir()
    for i, time in enumerate(("2026-01-02T00:00:00Z", "2026-03-01T00:00:00Z", "2025-12-31T00:00:00Z")):
        report = {**good, "environment": {**good["environment"], "time": time, "commit": f"c{i}"},
                  "times_us": {"inference": {"count": 50, "cv": 0, "median": 1e3 * (i + 1), "median_low": None, "median_high": 7}}}
        (folder / f"{i}.json").write_text(json.dumps(report), "utf-8")
    board(folder)
    page = ET.fromstring((folder / "board.html").read_text("utf-8"))
    latest = "c1, 2026-03-01" in text(page) and "3 reports, 1 to 3; this is the latest" in text(page)
    checks.check("the latest of three", latest, text(page))
    checks.check("its figure", "2 msno interval" in text(page), text(page))
    checks.check("one table", list(tables(page)) == ["model"])


def refuses(folder):
    (folder / "none").mkdir()
    for what, args, why in (("no folder", [folder / "nowhere"], "is no folder"), ("no report", [folder / "none"], "no report in"),
                            ("no room", [folder, "--out=/proc/board.html"], "board.py: /proc/board.html: ")):
        said = board(*args)
        checks.check(what, said.returncode == 2 and why in said.stderr and "Traceback" not in said.stderr, said.stderr)


def main():
    with tempfile.TemporaryDirectory() as tmp:
        folder = pathlib.Path(tmp) / "reports"
        (folder / "models").mkdir(parents=True)
        measure(folder)
        good = json.loads((folder / "a.json").read_text("utf-8"))
        (folder / "eval.json").write_text(json.dumps(classification(good)), "utf-8")
        shows_figures(folder)
        survives(pathlib.Path(tmp) / "hostile", hostile(pathlib.Path(tmp) / "hostile", good))
        latest_wins(pathlib.Path(tmp) / "several", good)
        refuses(folder)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
