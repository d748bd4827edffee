#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""board.py DIR... [--out=FILE] [--title=TEXT] - one page of many JSON reports: models by devices.

DIR is searched for *.json, folders below it too. Reports of benchmark_model (a run, or the cases of a sweep), inference_diff,
eval_classification and eval_detection each fill a cell with the figure, its interval, the commit, the nodes that delegates run, and
what speaks against it. Of several reports of one cell the latest is shown, and how far all of them go. The page (FILE, else
DIR/board.html) loads nothing, and a click on a heading sorts its table. Files that are no report, broken ones and reports of other
tools are counted, and named on the page with the reason. Exit status: 0; 2 if no report was shown, or the page cannot be written.
"""
import argparse
import base64
import collections
import hashlib
import html
import json
import math
import os
import re
import stat
import sys
import tempfile

SCHEMA_VERSION = 2
MOST_BYTES = 64 << 20
MOST_TEXT = 200
MOST_NAMED = 200    # unread files that the page names
FEW_RUNS = 10
NO_TEXT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

KINDS = {
    "latency": "Latency: median in ms, with its 95 % interval",
    "difference": "Difference from the reference: largest error in terms of the largest value",
    "accuracy": "Classification: top-1 accuracy in percent, with its 95 % interval",
    "detection": "Detection: average precision of COCO",
}

# value: what is sorted by; lines: of the cell; bad: it failed; doubts: what speaks against the figure.
Entry = collections.namedtuple("Entry", "kind model device value lines bad doubts time")

STYLE = """
:root{color-scheme:light dark;--bg:#fff;--fg:#1c2126;--dim:#5b6570;--line:#d5dae0;--warn:#a85a00;--bad:#b00020;--good:#19703a}
@media(prefers-color-scheme:dark){:root{--bg:#14181c;--fg:#e4e8ec;--dim:#9aa5b1;--line:#343c45;--warn:#f0a54a;--bad:#ff7a8a;
--good:#6fd08c}}
body{margin:0 auto;padding:16px;background:var(--bg);color:var(--fg);font:15px/1.4 system-ui,sans-serif}
h1{font-size:1.5em;margin:.2em 0}h2{font-size:1.15em;margin:1.8em 0 .5em}.dim,span{color:var(--dim)}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.9em}
th,td{text-align:left;vertical-align:top;padding:5px 14px 5px 0;border-bottom:1px solid var(--line);max-width:24em;
overflow-wrap:anywhere}
td b{font-variant-numeric:tabular-nums}td span{display:block;font-size:.88em}
button{all:unset;cursor:pointer;font-weight:600;color:var(--dim)}button:focus-visible{outline:2px solid}
.low span.doubt{color:var(--warn)}.bad b{color:var(--bad)}.ok b{color:var(--good)}
"""

SCRIPT = """
for (const table of document.querySelectorAll('table'))
  table.querySelectorAll('th').forEach((th, column) => th.addEventListener('click', () => {
    const body = table.tBodies[0], up = th.getAttribute('aria-sort') !== 'ascending';
    const value = row => row.cells[column].dataset.v;
    const compare = (a, b) => {
      if (a === undefined || b === undefined)
        return (a === undefined) - (b === undefined);
      const order = a - b || (isNaN(a - b) ? a.localeCompare(b) : 0);
      return up ? order : -order;
    };
    table.querySelectorAll('th').forEach(other => other.removeAttribute('aria-sort'));
    th.setAttribute('aria-sort', up ? 'ascending' : 'descending');
    body.append(...[...body.rows].sort((a, b) => compare(value(a), value(b))));
  }));
"""


class Unread(Exception):
    """Why a file is not on the board."""


# ---- values of any type, as a report of another hand may have them ----


def get(o, *path):
    """The member at the end of a path of names and indices; None where there is none."""
    for name in path:
        if isinstance(o, dict) and isinstance(name, str):
            o = o.get(name)
        elif isinstance(o, list) and isinstance(name, int) and name < len(o):
            o = o[name]
        else:
            return None
    return o


def number(o, *path):
    """A finite number, or NaN."""
    v = get(o, *path)
    if isinstance(v, bool) or not isinstance(v, (int, float)):
        return math.nan
    try:
        v = float(v)
    except OverflowError:
        return math.nan
    return v if math.isfinite(v) else math.nan


def word(o, *path):
    """A text of one line, or ""."""
    v = get(o, *path)
    return NO_TEXT.sub("\ufffd", v[:MOST_TEXT]) if isinstance(v, str) else ""


def items(o, *path):
    v = get(o, *path)
    return v if isinstance(v, list) else []


def count(o, *path):
    v = number(o, *path)
    return "?" if math.isnan(v) else f"{v:.0f}"


def shown(v, digits=4):
    return "?" if math.isnan(v) else f"{v:.{digits}g}"


def base_name(path):
    return re.split(r"[/\\]", path.rstrip("/\\"))[-1]


# ---- what a report says ----


def short_device(device):
    """"llvmpipe" of "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL ES 3.2 Mesa 22.3.6"."""
    return re.split(r"[(,]", device)[0].strip() or device


def machine_of(report):
    return word(report, "environment", "adb", "model") or word(report, "environment", "cpu") or "unknown machine"


def device_of(report):
    """A column: the delegate's device and precision, or the CPU and its threads; and the machine."""
    delegate = get(report, "environment", "delegate")
    device = word(delegate, "device")
    if not device:
        threads = number(report, "parameters", "num_threads")
        return f"CPU, {max(1, threads):.0f} threads, {machine_of(report)}"
    precision = word(delegate, "precision", "in_force")
    return f"{word(delegate, 'name')} {short_device(device)}{', ' + precision if precision else ''}, {machine_of(report)}"


def model_of(report):
    """A row: the file's name, and the begin of its hash, since files of one name differ."""
    name = base_name(word(report, "model", "path"))
    if not name:
        raise Unread("it names no model")
    return f"{name} {word(report, 'model', 'sha256')[:8]}".strip()


def nodes_of(assignment):
    delegated, cpu = number(assignment, "delegated"), number(assignment, "cpu")
    if math.isnan(delegated + cpu):
        return "nodes unknown"
    return f"{delegated:.0f}/{delegated + cpu:.0f} nodes delegated" if delegated else f"{cpu:.0f} nodes on the CPU"


def origin_of(report):
    commit = word(report, "environment", "commit") or "commit unknown"
    return f"{commit}, {word(report, 'environment', 'time')[:10] or 'date unknown'}"


def interval_of(stats):
    low, high = number(stats, "median_low") / 1e3, number(stats, "median_high") / 1e3
    return "no interval" if math.isnan(low + high) else f"{shown(low)} to {shown(high)}"


def stats_doubts(stats):
    runs, cv = number(stats, "count"), number(stats, "cv")
    if runs < FEW_RUNS:
        yield f"{runs:.0f} runs"
    elif cv > 0.1:
        yield f"scatter {100 * cv:.0f} %"


def latency_doubts(report):
    if get(report, "interrupted") is True:
        yield "interrupted"
    advice = items(report, "measurement", "machine", "advice")
    yield from (word(advice, i).split(":")[0] for i in range(min(len(advice), 3)))
    yield from stats_doubts(get(report, "times_us", "inference"))
    if get(report, "measurement", "drifted") is True:
        yield "drift"
    if get(report, "measurement", "warmup", "end") == "unsteady":
        yield "warm-up not steady"
    if get(report, "measurement", "plausible", "beyond") is True:
        yield "faster than the device can be"


def entry(report, kind, value, lines, bad=None, doubts=(), model=None, device=None):
    return Entry(kind, model or model_of(report), device or device_of(report), value, [*lines, origin_of(report)], bad,
                 [d for d in doubts if d], word(report, "environment", "time"))


def of_benchmark(report):
    stats = get(report, "times_us", "inference")
    median = number(stats, "median") / 1e3
    if math.isnan(median):
        raise Unread("no run was timed")
    yield entry(report, "latency", median, [f"{shown(median)} ms", interval_of(stats), nodes_of(get(report, "assignment"))],
                doubts=latency_doubts(report))


def of_case(report, case):
    median = number(case, "inference_us", "median") / 1e3
    settings = " ".join(f"{word(s, 'flag')}={word(s, 'value')}" for s in items(case, "settings"))
    device = short_device(word(case, "device")) or "CPU"
    if math.isnan(median):
        return
    stats = get(case, "inference_us")
    yield entry(report, "latency", median, [f"{shown(median)} ms", interval_of(stats), nodes_of(get(case, "assignment"))],
                doubts=stats_doubts(stats), model=base_name(word(case, "graph")) or "unknown model",
                device=", ".join(part for part in (device, settings, machine_of(report)) if part))


def of_sweep(report):
    entries = [e for case in items(report, "cases") for e in of_case(report, case)]
    if not entries:
        raise Unread("no case ran")
    yield from entries


def of_diff(report):
    passed = get(report, "passed")
    outputs = get(report, "outputs")
    if not isinstance(passed, bool) or not isinstance(outputs, list):
        raise Unread("it has no verdict")
    errors = [number(o, "raw", "relative") for o in outputs]
    worst = max((e for e in errors if not math.isnan(e)), default=math.nan)
    doubts = ["interrupted"] if get(report, "interrupted") is True else []
    yield entry(report, "difference", worst, [shown(worst, 2), "passed" if passed else "FAILED",
                                              nodes_of(get(report, "test", "assignment"))], bad=not passed, doubts=doubts)


def of_classification(report):
    side = get(report, "sides", 0)
    top = get(side, "accuracy", 0)
    value, low, high = (100 * number(top, name) for name in ("accuracy", "low", "high"))
    if math.isnan(value):
        raise Unread("no picture was classified")
    doubts = ["interrupted"] if get(report, "interrupted") is True else []
    bad = number(report, "pictures", "bad")
    if bad > 0:
        doubts.append(f"{bad:.0f} pictures could not be read")
    yield entry(report, "accuracy", value, [f"{shown(value)} %", f"{shown(low)} to {shown(high)}",
                                            f"{count(report, 'pictures', 'done')} pictures",
                                            nodes_of(get(side, "assignment"))],
                bad=get(report, "passed") is False or None, doubts=doubts)


def of_detection(report):
    ap = number(report, "metrics", "ap")
    if math.isnan(ap):
        raise Unread("it has no average precision")
    doubts = items(report, "doubts")
    name = base_name(word(report, "parameters", "detections")) or "detections"
    yield entry(report, "detection", ap, [shown(ap), f"{count(report, 'images')} images"], model=name, device="any",
                doubts=[word(doubts, i) for i in range(min(len(doubts), 3))])


READERS = {"benchmark_model": of_benchmark, "benchmark_sweep": of_sweep, "inference_diff": of_diff,
           "eval_classification": of_classification, "eval_detection": of_detection}


# ---- files ----


def load(path):
    about = os.stat(path)
    if not stat.S_ISREG(about.st_mode):
        raise Unread("it is no file")
    if about.st_size > MOST_BYTES:
        raise Unread(f"it has {about.st_size} bytes, {MOST_BYTES} at most")
    with open(path, encoding="utf-8-sig") as f:
        return json.load(f)


def read(path):
    """The entries of a report; Unread, with the reason, for everything else."""
    try:
        report = load(path)
    except OSError as e:
        raise Unread(e.strerror or "it cannot be read") from e
    except RecursionError as e:
        raise Unread("it is nested too deeply") from e
    except ValueError as e:    # JSON's and UTF-8's errors
        raise Unread(f"it is no JSON: {e}") from e
    tool = get(report, "tool")
    if not isinstance(tool, str):
        raise Unread("it is no report: it has no tool")
    if get(report, "schema_version") != SCHEMA_VERSION:
        raise Unread(f"its schema_version is not {SCHEMA_VERSION}")
    if tool not in READERS:
        raise Unread(f"reports of {word(report, 'tool')} are not shown")
    return list(READERS[tool](report))


def find(folders):
    for folder in folders:
        for root, below, names in os.walk(folder):
            below.sort()
            yield from (os.path.join(root, name) for name in sorted(names) if name.endswith(".json"))


# ---- the page ----


def text(s):
    return html.escape(NO_TEXT.sub("\ufffd", s))


def cell(entries):
    """The latest report, and how many more there are."""
    if not entries:
        return "<td></td>"
    e = max(entries, key=lambda one: one.time)
    kind = "bad" if e.bad else "low" if e.doubts else "ok" if e.bad is False else ""
    spans = [f"<span>{text(line)}</span>" for line in e.lines[1:]]
    trust = "trust LOW: " + ", ".join(e.doubts) if e.doubts else "trust OK" if e.kind == "latency" else ""
    if trust:
        spans.append(f'<span class="doubt">{text(trust)}</span>')
    if len(entries) > 1:
        values = [one.value for one in entries if not math.isnan(one.value)]
        spread = f", {shown(min(values))} to {shown(max(values))}" if values else ""
        spans.append(f"<span>{len(entries)} reports{spread}; this is the latest</span>")
    value = "" if math.isnan(e.value) else f' data-v="{e.value!r}"'
    return f'<td class="{kind}"{value}><b>{text(e.lines[0])}</b>{"".join(spans)}</td>'


def table(kind, entries):
    at = {}
    for e in entries:
        at.setdefault((e.model, e.device), []).append(e)
    rows = sorted({e.model for e in entries})
    columns = sorted({e.device for e in entries})
    yield f'<h2>{text(KINDS[kind])}</h2>\n<div class="scroll"><table>\n<thead><tr>'
    yield from (f"<th><button>{text(name)}</button></th>" for name in ["model", *columns])
    yield "</tr></thead>\n<tbody>\n"
    for model in rows:
        cells = "".join(cell(at.get((model, device), [])) for device in columns)
        yield f'<tr><td data-v="{text(model)}">{text(model)}</td>{cells}</tr>\n'
    yield "</tbody></table></div>\n"


def unread_list(unread):
    yield f"<h2>Not shown: {len(unread)} files</h2>\n<ul>\n"
    yield from (f"<li>{text(path)}: {text(why)}</li>\n" for path, why in unread[:MOST_NAMED])
    if len(unread) > MOST_NAMED:
        yield f"<li>and {len(unread) - MOST_NAMED} more</li>\n"
    yield "</ul>\n"


def page(title, entries, n_reports, unread):
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    yield ('<!DOCTYPE html>\n<html lang="en" xmlns="http://www.w3.org/1999/xhtml">\n<head>\n<meta charset="utf-8"/>\n'
           '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n<meta http-equiv="Content-Security-Policy" '
           f"content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'\"/>\n"
           f"<title>{text(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{text(title)}</h1>\n"
           f'<p class="dim">{n_reports} reports. A click on a heading sorts by it.</p>\n')
    for kind in KINDS:
        of_kind = [e for e in entries if e.kind == kind]
        if of_kind:
            yield from table(kind, of_kind)
    if unread:
        yield from unread_list(unread)
    # An XML parser would read "<" and "&" of the script as markup, so it has neither.
    yield f"<script>{SCRIPT}</script>\n</body>\n</html>\n"


def write(path, parts):
    """Whole or not at all."""
    fd, tmp = tempfile.mkstemp(dir=os.path.dirname(os.path.abspath(path)), prefix=".board")
    try:
        with os.fdopen(fd, "w", encoding="utf-8", errors="replace") as f:
            f.writelines(parts)
        os.chmod(tmp, 0o644)
        os.replace(tmp, path)
    except BaseException:
        os.unlink(tmp)
        raise


def main():
    parser = argparse.ArgumentParser(usage="board.py DIR... [--out=FILE] [--title=TEXT]", description=__doc__.splitlines()[0])
    parser.add_argument("dirs", nargs="+", metavar="DIR")
    parser.add_argument("--out", help="the page; DIR/board.html")
    parser.add_argument("--title", default="Benchmark reports")
    args = parser.parse_args()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")    # of names that are no UTF-8
    for folder in args.dirs:
        if not os.path.isdir(folder):
            print(f"board.py: {folder} is no folder", file=sys.stderr)
            return 2
    entries, unread, n_reports = [], [], 0
    for path in find(args.dirs):
        try:
            entries += read(path)
            n_reports += 1
        except Unread as e:
            unread.append((path, str(e)))
    if not entries:
        print(f"board.py: no report in {', '.join(args.dirs)}" + (f": {len(unread)} files are none; {unread[0][0]}: {unread[0][1]}"
                                                                 if unread else ""), file=sys.stderr)
        return 2
    out = args.out or os.path.join(args.dirs[0], "board.html")
    try:
        write(out, page(args.title, entries, n_reports, unread))
    except OSError as e:
        print(f"board.py: {out}: {e.strerror}", file=sys.stderr)
        return 2
    print(f"{out}: {n_reports} reports, {len(unread)} files not shown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
