#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""html_check.py - holds the pages of benchmark_model --html against what a page must be, and against the report of the same run.

  html_check.py PAGE.html...

Beside each page lies PAGE.json. A page must be well-formed XML, which any HTML parser then reads alike; it has no element and no
attribute but those that the generator makes (so no name of a model became markup), and nothing that a browser would load. Its
figures are those of the report: headline, table of runs, operators, reasons, memory, flags.

Prints a line per problem, then "N passed, N failed".
"""
import json
import math
import re
import sys
import xml.etree.ElementTree as ET

ELEMENTS = {
    "html", "head", "meta", "title", "style", "body", "section", "h1", "h2", "p", "div", "b", "span", "i", "table",
    "thead", "tbody", "tr", "th", "td", "svg", "line", "polyline", "rect", "text",
}
ATTRIBUTES = {
    "lang", "charset", "name", "content", "http-equiv", "class", "role", "height", "width", "style", "x", "y", "x1",
    "x2", "y1", "y2", "text-anchor", "viewBox", "preserveAspectRatio", "vector-effect", "stroke-width", "points",
}
NO_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]")    # what the page shows as U+FFFD


def tag(element):
    return element.tag.rsplit("}", 1)[-1]


def text(element):
    return "".join(element.itertext())


def number(us):
    """A time in microseconds as the page shows it, in ms."""
    if us is None:
        return "-"
    before = math.floor(math.log10(us / 1e3)) + 1 if us > 0 else 1
    return f"{us / 1e3:.{max(4 - before, 0)}f}"


def tables(page):
    """Each table as the list of its rows, by the title of its first column."""
    found = {}
    for table in (e for e in page.iter() if tag(e) == "table"):
        rows = [[text(c) for c in row] for row in table.iter() if tag(row) == "tr"]
        found[rows[0][0]] = rows[1:]
    return found


def safety_problems(page, source):
    for e in page.iter():
        if tag(e) not in ELEMENTS:
            yield f"an element {tag(e)}"
        for name in e.attrib:
            if name not in ATTRIBUTES:
                yield f"an attribute {name} of {tag(e)}"
    if re.search(r"url\(|@import|javascript:", "".join(text(e) for e in page.iter() if tag(e) == "style")):
        yield "a style that loads something"
    if "default-src 'none'" not in source:
        yield "no policy that forbids to load anything"


def expect(what, got, wanted):
    if got != wanted:
        yield f"{what}: the page has {got}, the report {wanted}"


def figure_problems(page, report):
    stats, profile = report["times_us"]["inference"], report["profile"]
    figures = {text(d[0]): text(d[1]) for d in page.iter() if tag(d) == "div" and [tag(e) for e in d][:2] == ["span", "b"]}
    shown = tables(page)
    median = number(stats["median"])
    yield from expect("median", figures["Median time of a run"], median if median == "-" else median + " ms")
    init = number(report["times_us"]["init"])
    yield from expect("initialization", figures["Initialization"], f"{init} ms")
    keys = ("first", "last", "min", "max", "avg", "std", "p5", "median", "p95", "mad")
    for row, key in zip(shown["in ms"], ("warmup", "inference")):
        s = report["times_us"][key]
        yield from expect(key, row[1:], [str(s["count"]), *(number(s[k]) for k in keys), str(s["outliers"] or 0)])
    rows = sorted(shown.get("operator", []) if profile else [])
    wanted = [[r["type"], NO_TEXT.sub("\ufffd", r["name"]), r["backend"], number(r["avg_us"]) if r["timed"] else "no time",
               r["variant"] or "", str(i), *work(i, r)]
              for i, r in enumerate((profile or {"rows": []})["rows"])]
    yield from expect("operators", [r[:4] + r[5:11] for r in rows], sorted(wanted))
    memory = {row[0]: row[1] for row in shown["memory"]}
    yield from expect("memory", memory["process at the end"], f"{report['memory_bytes']['at_end']['resident'] / 1e6:.3f}")
    tensors = [*report["model"]["inputs"], *report["model"]["outputs"]]
    yield from expect("tensors", [row[1] for row in shown[""]], [NO_TEXT.sub("\ufffd", t["name"]) for t in tensors])
    flags = dict(shown["flag"])
    yield from expect("flag --graph", flags["--graph"], report["parameters"]["graph"])


def work(i, row):
    """Its multiply-accumulates, GFLOP/s, bytes and GB/s as the page shows them."""
    if row["work_row"] != i:
        return [f"with row {row['work_row']}", "", "", ""]
    cells = (("macs", 1e6, 3, "unknown"), ("gflops", 1, 2, "-"), ("bytes", 1e3, 1, "unknown"), ("gbytes_per_s", 1, 2, "-"))
    return [none if row[key] is None else f"{row[key] / unit:.{digits}f}" for key, unit, digits, none in cells]


def sections(page):
    """Each section by its heading."""
    return {text(s.find("{*}h2")): s for s in page.iter() if tag(s) == "section"}


def part_problems(page, report):
    """Phases: each that took time has a bar, in their order."""
    for key, heading in (("start", "Where the time of the start goes"), ("profiled_run", "Where the time of a profiled run goes")):
        parts, section = report["phases_us"][key], sections(page).get(heading)
        wanted = [f"{number(us)} ms, {100 * us / parts['total']:.1f} %" for name, us in (parts or {}).items()
                  if name != "total" and us]
        bars = section.iter() if section is not None else ()
        yield from expect(heading, [text(e[-1]) for e in bars if e.get("class") == "bar"], wanted)


def measured_problems(page, report):
    """What was measured beside the timed runs, and only that."""
    m, found = report["measurement"], sections(page)
    for key, heading, values in (
            ("sustained", "Sustained", lambda s: [f"{number(s['first_us'])} ms", f"{number(s['last_us'])} ms",
                                                  f"{s['last_over_first']['ratio']:.3g} times"]),
            ("compare_cpu", "Against the CPU", lambda c: [f"{c['speedup']['ratio']:.3g} times",
                                                          f"{number(c['delegate_us']['median'])} ms",
                                                          f"{number(c['cpu_us']['median'])} ms"]),
            ("submission_us", "Submission and completion", lambda s: [f"{number(s['median'])} ms"]),
            ("plausible", "Speed of the device", lambda p: [f"{p['gflops']:.4g} GFLOP/s", f"{p['peak_gflops']:.4g} GFLOP/s"])):
        shown = [text(e) for e in found[heading].iter() if tag(e) == "b"] if heading in found else []
        wanted = values(m[key]) if m[key] else []
        yield from expect(heading, shown[:len(wanted)] if wanted else shown, wanted)


def assignment_problems(page, report):
    shown, sums = " ".join(text(page).split()), report["assignment"]
    parts = sums["partitioning"]
    if parts:
        for key, words in (("delegated", "it runs {}"), ("cpu", "the CPU runs {}"), ("folded", "and {} were folded")):
            if words.format(sums[key]) not in shown:
                yield f"{key}: the page does not say {sums[key]}"
    for node in parts["not_delegated"] if parts else ():
        if " ".join(NO_TEXT.sub("\ufffd", node["reason"]).split()) not in shown:
            yield f"the reason of node {node['node']} is missing"


def check(path):
    with open(path, encoding="utf-8") as f:
        source = f.read()
    with open(path.removesuffix(".html") + ".json", encoding="utf-8") as f:
        report = json.load(f)
    try:
        page = ET.fromstring(source)
    except ET.ParseError as e:
        return [f"not well-formed: {e}"]
    return [*safety_problems(page, source), *figure_problems(page, report), *assignment_problems(page, report),
            *part_problems(page, report), *measured_problems(page, report)]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    failed = 0
    for path in sys.argv[1:]:
        problems = check(path)
        for problem in problems:
            print(f"{path}: {problem}")
        failed += bool(problems)
    print(f"{len(sys.argv) - 1 - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
