#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""html_check.py - holds the pages of --html against what a page must be, and against the report of the same run.

  html_check.py PAGE.html...

Beside each page lies PAGE.json. A page must be well-formed XML, which any HTML parser then reads alike; it has no element and no
attribute but those that the generator makes (so no name of a model became markup), nothing that a browser would load, and less than
a megabyte, or ten with pictures, which are within it. Its figures are those of the report: of benchmark_model headline, table of
runs, operators, reasons, memory, flags; of inference_diff verdict, outputs, nodes, charts, maps, and what was found; of op_coverage
sums, operators, reasons, and the picture node by node; of evaluations figures, classes, and the pictures that went wrong. A page
may have one script, whose hash is the one that its policy names.

Prints a line per problem, then "N passed, N failed".
"""
import base64
import hashlib
import json
import math
import re
import sys
import xml.etree.ElementTree as ET

ELEMENTS = {
    "html", "head", "meta", "title", "style", "body", "section", "h1", "h2", "p", "div", "b", "span", "i", "table",
    "thead", "tbody", "tr", "th", "td", "svg", "line", "polyline", "rect", "text", "path",
}
OF_PICTURES = {"h3", "image"}    # of pages with pictures of a data set
MAGIC = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}
OF_GRAPHS = {"h3", "ul", "li", "input", "output", "button", "script"}    # of pages with a picture of the graph
ATTRIBUTES = {
    "lang", "charset", "name", "content", "http-equiv", "class", "role", "height", "width", "style", "x", "y", "x1",
    "x2", "y1", "y2", "text-anchor", "viewBox", "preserveAspectRatio", "vector-effect", "stroke-width", "points", "d",
    "shape-rendering", "id", "tabindex", "type", "placeholder", "aria-label", "data-kind",
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
    """Each table as the list of its rows, by the title of its first column; tables of one title behind each other."""
    found = {}
    for table in (e for e in page.iter() if tag(e) == "table"):
        rows = [[text(c) for c in row] for row in table.iter() if tag(row) == "tr"]
        found[rows[0][0]] = found.get(rows[0][0], []) + rows[1:]
    return found


def script_problems(page, source):
    """Nothing runs but the generator's one script, by its hash; a page without it has no word of scripts."""
    scripts = [text(e) for e in page.iter() if tag(e) == "script"]
    hashes = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts]
    allowed = re.findall(r"script-src '([^']*)'", source[:source.index("</head>")])
    yield from expect("script", [f"sha256-{h}" for h in hashes], allowed)
    if len(scripts) > 1 or [e for e in page.iter() if any(name.startswith("on") for name in e.attrib)]:
        yield "more than one script"


def picture_problems(e):
    """A picture is within the page, and an image file."""
    found = re.fullmatch(r"data:(image/\w+);base64,([A-Za-z0-9+/]+={0,2})", e.attrib.get("href", ""))
    if not found or not base64.b64decode(found[2], validate=True).startswith(MAGIC.get(found[1], b"no")):
        yield f"a picture {e.attrib.get('href', '')[:60]}"


def safety_problems(page, source):
    pictures = "img-src data:" in source[:source.index("</head>")]
    elements = ELEMENTS | (OF_GRAPHS if "script-src" in source else set()) | (OF_PICTURES if pictures else set())
    for e in page.iter():
        if tag(e) not in elements:
            yield f"an element {tag(e)}"
        if tag(e) == "image":
            yield from picture_problems(e)
        for name in e.attrib:
            if name not in ATTRIBUTES and (tag(e), name) != ("image", "href"):
                yield f"an attribute {name} of {tag(e)}"
    if re.search(r"url\(|@import|javascript:", "".join(text(e) for e in page.iter() if tag(e) == "style")):
        yield "a style that loads something"
    if len(source.encode()) >= (10_000_000 if pictures else 1_000_000):
        yield f"{len(source.encode())} bytes"
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
               (r["variant"] or "") + (f"; only copies: {r['copy_reason']}" if r["copy_reason"] else ""), str(i), *work(i, r)]
              for i, r in enumerate((profile or {"rows": []})["rows"])]
    yield from expect("operators", [r[:4] + r[5:12] for r in rows], sorted(wanted))
    memory = {row[0]: row[1] for row in shown["memory"]}
    yield from expect("memory", memory["process at the end"], f"{report['memory_bytes']['at_end']['resident'] / 1e6:.3f}")
    tensors = [*report["model"]["inputs"], *report["model"]["outputs"]]
    yield from expect("tensors", [row[1] for row in shown[""]], [NO_TEXT.sub("\ufffd", t["name"]) for t in tensors])
    flags = dict(shown["flag"])
    yield from expect("flag --graph", flags["--graph"], report["parameters"]["graph"])


def work(i, row):
    """Its multiply-accumulates, GFLOP/s, bytes and GB/s as the page shows them."""
    if row["work_row"] != i:
        return [f"with row {row['work_row']}", "", "", "", ""]
    cells = (("macs", 1e6, 3, "unknown"), ("gflops", 1, 2, "-"), ("bytes", 1e3, 1, "unknown"), ("gbytes_per_s", 1, 2, "-"),
             ("limit_percent", 1, 1, "-"))
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
                                                  f"{s['last_over_first']['ratio']:.3f} times as long"]),
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


# ---- inference_diff ----

def shown(value):
    """A figure as the page shows it; null is one that is not finite."""
    return "not finite" if value is None else f"{value:.4g}"


def finite(cell):
    return "not finite" if cell in ("NaN", "∞", "-∞") else cell


def cells(rows, columns):
    return [[finite(c) for c in row[columns]] for row in rows]


def clean(name):
    return NO_TEXT.sub("\ufffd", name)


def verdict_of(out):
    if not out["error_per_run"]["count"]:
        return "not compared"
    return "FAILED on " + ", ".join(out["failed_on"]) if out["failed_on"] else "within"


def output_problems(page, report):
    found = tables(page)
    keys, more = ("max_error", "relative", "mean_error", "rms_error"), ("max_ulp", "mean_ulp", "cosine", "snr_db", "psnr_db")
    rows, figures = [], []
    for i, out in enumerate(report["outputs"]):
        for kind in ("raw", "dequantized"):
            d = out[kind]
            if d:
                rows.append([str(i), clean(out["tensor"]["name"]), verdict_of(out) if kind == "raw" else "",
                             *(shown(d[k]) for k in keys), f"{d['different']} of {d['elements']}"])
        d = out["raw"]
        figures.append([str(i), *(shown(d[k]) for k in more), f"{d['top1_different']} of {d['rows']}",
                        f"{d['nan_reference']}, {d['nan_test']}", f"{d['inf_reference']}, {d['inf_test']}"])
    got = [row[:2] + row[3:] for row in cells(found.get("output", []), slice(0, 9))]
    yield from expect("outputs", got, rows)
    yield from expect("figures of outputs", cells(found.get("of output", []), slice(0, 9)), figures)
    worst = [out["raw"]["worst"] for out in report["outputs"]]
    text_of = [row[9] for row in found.get("output", []) if row[2] != "dequantized"]
    for w, words in zip(worst, text_of):
        if w and f"{w['reference']:.6g}, {w['test']:.6g} in run {w['run']}" not in words:
            yield f"worst element: the page has {words}"
    bars = [text(e[-1]) for e in sections(page)["How often each error comes"].iter() if e.get("class") == "bar"]
    wanted = [f"{b['elements']}, {100 * b['elements'] / out['raw']['elements']:.4g} %"
              for out in report["outputs"][:8] for b in out["raw"]["histogram"]]
    yield from expect("histogram", bars, wanted)


def relative(d):
    """Of a node's error, where it is known: not finite only where one side is not as the other."""
    return None if d is None else "not finite" if d["not_finite_unequal"] or d["shapes_differ"] else shown(d["relative"] or 0)


def points(page):
    """The words at all points of charts that have any."""
    return [finite_end(text(e)) for e in page.iter() if tag(e) == "path" and e.get("class") in ("p", "q", "r")]


def finite_end(words):
    head, _, value = words.rpartition(" ")
    return f"{head} {finite(value)}"


def node_problems(page, report):
    found, ops = tables(page), report["ops"]
    twins = (report["reference_model"] or report["reference_tensors"] or {}).get("tensors")
    rows, wanted = found.get("node", []), []
    for o in ops or []:
        d, own = o["diff"] or {}, o["alone"] or {}
        what = "to blame" if o["to_blame"] else "off by itself" if o["off"] else "first seen" if o["first_drift"] else ""
        known = [shown(x[k]) if x else "-" for x in (d, own) for k in ("max_error", "relative")]
        known += [shown(o["times_rounding"]) if own else "-"]
        wanted.append([str(o["node"]), clean(o["op"]), what, *known])
    if ops and twins:   # --per_op and --reference_tensors: a table of each, under one heading
        rows, twin_rows = [r for r in rows if len(r) > 7], [r for r in rows if len(r) == 7]
    else:
        twin_rows = rows
    if ops:
        yield from expect("nodes", [r[:3] + [finite(c) for c in r[4:9]] for r in rows], wanted)
        yield from expect("adds", [r[9] for r in rows if r[9] not in ("-", "∞")],
                          [shown(o["adds_to_outputs"]) for o in ops if o["adds_to_outputs"] is not None])
    if twins:
        keys = ("max_error", "relative", "mean_error", "snr_db")
        wanted = [[str(o["node"]), clean(o["op"]), *(shown(o[k]) if o["runs_compared"] else "-" for k in keys)] for o in twins]
        yield from expect("tensors by name", cells(twin_rows, slice(0, 6)), wanted)
    elif rows and not ops:
        yield "nodes that the report has not"
    words = []
    for kind, key in (("drift", "diff"), ("own error", "alone")):
        words += [f"node {o['node']} {clean(o['op'])}, {kind} {relative(o[key])}" for o in ops or [] if o[key]]
    words += [f"node {o['node']} {clean(o['op'])}, times rounding {shown(o['times_rounding'])}" for o in ops or [] if o["alone"]]
    words += [f"node {o['node']} {clean(o['op'])}, error {shown(o['relative'])}" for o in twins or [] if o["runs_compared"]]
    yield from expect("points", points(page), words)


def shade(value, most):
    """Which of a map's shades a number has: html_map.c."""
    if value is None:
        return 9
    if value == 0:
        return 0
    s = 8
    while s > 1 and value <= most / math.pow(10, (9 - s) / 2):
        s -= 1
    return s


def map_problems(page, report):
    pictures = [e[0] for e in page.iter() if e.get("class") == "map"]
    planes = [p for m in report["error_maps"] or [] for p in m["planes"]]
    if len(pictures) != len(planes):
        yield f"{len(pictures)} maps, the report has {len(planes)}"
    for n, (picture, plane) in enumerate(zip(pictures, planes)):
        errors = plane["max_errors"]
        most = max((v for row in errors for v in row if v is not None), default=0)
        got = [[0] * len(errors[0]) for _ in errors]
        for path in picture:
            for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", path.get("d", "")):
                for k in range(int(x), int(x) + int(width)):
                    got[int(y)][k] = int(path.get("class")[1:])
        if got != [[shade(v, most) for v in row] for row in errors]:
            yield f"map {n}: other shades than the report's numbers have"
        if [-(-plane[side] // plane["cell_" + side]) for side in ("rows", "columns")] != [len(errors), len(errors[0])]:
            yield f"map {n}: {len(errors)} rows of {len(errors[0])} cells"
    for m in report["error_maps"] or []:
        if m["output"] is None or not m["planes"]:
            continue
        most, of = report["outputs"][m["output"]]["raw"]["max_error"], m["planes"][0]["max_errors"]
        if most == 0:
            yield f"a map of output {m['output']}, which is equal"
        if most is not None and not math.isclose(max(v for row in of for v in row), most, rel_tol=1e-6):
            yield f"the map's largest error is not output {m['output']}'s, {most}"


def found_problems(page, report):
    """Only what was asked for, and all of it."""
    here, words = sections(page), " ".join(text(page).split())
    for heading, key in (("Delegates and precisions", "matrix"), ("Extracted", "extract"),
                         ("Remedy", "auto_fp32")):
        if report[key] and heading not in here:
            yield f"no section {heading}"
    if ("Why" in here) != bool(report["why"] or report["other_precision"]):
        yield "a section on reasons without them, or the other way round"
    steps = cells(tables(page).get("step", []), slice(1, 6))
    wanted = [[str(s["first_node"]), str(s["last_node"]), str(s["delegated"]), shown(s["max_error"]), "yes" if s["off"] else "no"]
              for s in (report["bisect"] or {"steps": []})["steps"]]
    yield from expect("steps", steps, wanted)
    rows = [[row[0], row[2]] for row in tables(page).get("delegate", [])]
    yield from expect("rows", rows, [[m["delegate"], "-" if m["failure"] else f"{m['nodes_delegated']} of "
                                      f"{m['nodes_delegated'] + m['nodes_cpu']}"] for m in report["matrix"] or []])
    sentences = {"half": "The error is what rounding stored values to float16 explains", "no_error": "The error is none",
                 "not_half": "The error is NOT explained by rounding stored values to float16",
                 "unknown": "The error cannot be judged"}
    for out in (report["why"] or {"outputs": []})["outputs"]:
        if out["explained"] and sentences[out["explained"]] not in words:
            yield f"the page does not say {out['explained']}"
    for key in ("value", "path"):
        for part in ("auto_fp32", "extract"):
            value = (report[part] or {}).get(key)
            if value and value not in words:
                yield f"{part}: the page does not say {value}"


def verdict_problems(page, report):
    figures = {text(d[0]): text(d[1]) for d in page.iter() if tag(d) == "div" and [tag(e) for e in d][:2] == ["span", "b"]}
    yield from expect("verdict", figures["Verdict"], "passed" if report["passed"] else "FAILED")
    yield from expect("runs", figures["Compared"], f"{report['runs']} run{'s' if report['runs'] != 1 else ''}")
    if f"Verdict: {figures['Verdict']}." not in " ".join(text(page).split()):
        yield "no sentence with the verdict"
    worst = max((d["relative"] if d["relative"] is not None else math.inf
                 for d in (out["raw"] for out in report["outputs"])), default=None)
    if "Largest error" in figures and worst is not None:
        yield from expect("largest error", finite(figures["Largest error"]), shown(None if worst == math.inf else worst))
    names = [row[1] for row in tables(page)[""]]
    if not report["parameters"]["signature"]:    # else the report names those of the first subgraph
        yield from expect("tensors", names, [clean(t["name"]) for t in (*report["model"]["inputs"], *report["model"]["outputs"])])
    for key in ("reference", "test"):
        rows = [row for row in tables(page).get("in ms", []) if row[0].startswith(key)]
        us = report[key]["latency_us"]
        wanted = [[str(us["count"]), *(number(us[k]) for k in ("first", "min", "median", "avg", "max"))]] if us["count"] else []
        yield from expect(f"times of the {key}", [row[1:] for row in rows], wanted)


# ---- op_coverage ----

FAILURES = {"incorrect": "incorrect: ", "crash": "crash: "}    # what a rule set takes and fails with


def verdict_words(v, answer, report):
    """A node's verdict as the page says it, with the answer of the first rule set, if any was asked."""
    if v["reason_code"]:
        return clean(f"{FAILURES.get(answer, '')}{v['reason_code']}: {v['reason']}")
    if not v["covered"]:
        return "folded into a constant"
    label = "dummy" if report["asked"]["delegate"] == "dummy" else "GPU"
    return f"{label}, partition {v['partition']}" if v["partition"] >= 0 else "CPU kernel"


def graph_problems(page, report):
    """Every node has its row, with its verdict in words, as colour and where it is pointed at; marks and lines end in rows."""
    rows = [e for e in page.iter() if e.get("class", "").startswith("op k")]
    verdicts = report["verdicts"]
    answers = [v["verdict"] for v in report["rules"][0]["verdicts"]] if report["rules"] else ["yes"] * len(verdicts)
    got = [(text(e.find("{*}b")), text(e.find("{*}i"))) for e in rows]
    wanted = [(clean(f"{v['node']} {v['op'][:96]}"), verdict_words(v, a, report)) for v, a in zip(verdicts, answers)]
    yield from expect("nodes", got, wanted)
    kinds = [2 if (v["reason_code"] or "").startswith("PARTITION_") else 3 if v["reason_code"] else 0 if v["covered"] else 1
             for v in verdicts]
    yield from expect("kinds of nodes", [e.get("class") for e in rows],
                      [f"op k{k} p{max(v['partition'], 0) % 4}" for k, v in zip(kinds, verdicts)])
    tips = [e.find("{*}div") for e in rows]
    yield from expect("words where it is pointed at", [text(e.find("{*}p")) for e in tips], [w for _, w in got])
    tensors = [sum(1 for t in v["inputs"] + v["outputs"]) for v in verdicts]
    yield from expect("tensors of nodes", [len(e.findall(".//{*}li")) for e in tips], tensors)
    buttons = {e.get("data-kind"): text(e).rpartition(" ")[2] for e in page.iter() if tag(e) == "button"}
    yield from expect("buttons", buttons, {f"k{k}": str(kinds.count(k)) for k in range(4) if k in kinds})
    strips = [e for e in page.iter() if e.get("class") == "strip"]
    widths = sum(int(r.get("width")) for s in strips for r in s if tag(r) == "rect")
    yield from expect("nodes of the strip", widths, len(verdicts))
    for svg in (e for e in page.iter() if e.get("class") == "lines"):
        _, _, width, height = map(int, svg.get("viewBox").split())
        for x, y in re.findall(r"M(\d+) (\d+)", " ".join(e.get("d") for e in svg if tag(e) == "path")):
            if int(x) >= width or int(y) >= height:
                yield f"a line at {x}, {y} of a picture of {width} by {height}"


def coverage_problems(page, report):
    c, found = report["coverage"], tables(page)
    figures = {text(d[0]): text(d[1]) for d in page.iter() if tag(d) == "div" and [tag(e) for e in d][:2] == ["span", "b"]}
    to_run = c["node_count"] - c["folded"]
    yield from expect("share", figures["Covered"], f"{100 * c['covered'] / to_run if to_run else 100:.1f} %")
    if c["partitioning"]:
        yield from expect("partitions", figures["Partitions"], str(len(c["partitioning"]["partitions"])))
        yield from expect("bytes", figures["Bytes that cross"], str(c["bytes_in"] + c["bytes_out"]))
    rows = [[clean(o["name"]), str(o["node_count"]), str(o["covered"]), str(o["folded"])] for o in report["operators"]]
    yield from expect("operators", [r[:4] for r in found["operator"]], rows)
    refused = {}
    for v in report["verdicts"]:
        if v["reason_code"]:
            key = (clean(v["op"]), v["reason_code"], clean(v["reason"]))
            refused.setdefault(key, []).append(v["node"])
    yield from expect("refusals", sorted(((r[0], r[3], r[4]), r[1], r[2]) for r in found.get("refused operator", [])),
                      sorted((key, str(len(nodes)), str(nodes[0])) for key, nodes in refused.items()))
    sets = [[s["name"], s["title"], *(str(s[key]) for key in ("yes", "no", "incorrect", "crash", "delegated", "partition_count"))]
            for s in report["rules"]]
    yield from expect("rule sets", found.get("rule set", []), sets)
    said = [[text(p) for p in e.findall("{*}p") if p.find("{*}b") is not None]
            for e in page.iter() if e.get("class") == "tip" and text(e[0]).startswith("Node ")]
    wanted = [[clean(f"{s['name']} {v['verdict']}" + (f": {v['reason_code']}: {v['reason']}" if v["reason_code"] else ""))
               for s in report["rules"] for v in (s["verdicts"][i],)] if len(report["rules"]) > 1 else []
              for i in range(len(report["verdicts"]))]
    yield from expect("answers of rule sets", said, wanted)
    items = [text(e) for e in page.iter() if e.get("class") == "item"]
    moves = [m for m in (re.match(r"(lost|gained|other): .*?, ([0-9]+) nodes? \(", item) for item in items) if m]
    changes = {kind: sum(int(m[2]) for m in moves if m[1] == kind) for kind in ("lost", "gained", "other")}
    yield from expect("changed nodes", changes, {kind: len((report["change"] or {}).get(kind, [])) for kind in changes})
    gains = [g for key in ("with_one_more_operator", "without_one_reason", "with_one_more_node") for g in report[key] or []]
    yield from expect("number of gains", len(items) - len(moves), len(gains))
    words = " ".join(text(page).split())
    for q in report["required"]:
        if f"Required: {clean(q['requirement'])}: {'met' if q['met'] else 'not met'}" not in words:
            yield f"the page does not say whether {q['requirement']} is met"


def classification_problems(page, report):
    """The figures, the accuracies of every side, classes, and the first of the pictures that went wrong."""
    figures = {text(d[0]): text(d[1]) for d in page.iter() if tag(d) == "div" and [tag(e) for e in d][:2] == ["span", "b"]}
    found, done = tables(page), report["pictures"]["done"]
    yield from expect("accuracy", figures["Top-1 accuracy"], f"{100 * report['sides'][0]['accuracy'][0]['accuracy']:.2f} %")
    if report["agreement"]:
        yield from expect("agreement", figures["Agreement"], f"{100 * report['agreement']['same'] / done:.2f} %")
    yield from expect("right answers", [[row[1 + 3 * i] for i in range(len(report["sides"]))] for row in found["rank"]],
                      [[str(s["accuracy"][i]["right"]) for s in report["sides"]] for i in range(len(found["rank"]))])
    yield from expect("classes", [row[:2] for row in found["class"]],
                      [[clean(c["name"]), str(c["pictures"])] for c in report["classes"]])
    names = [row[0] for row in found.get("picture", [])]
    yield from expect("pictures", names, [clean(p["file"]) for p in report["misclassified"]][:len(names)])
    yield from shown_problems(page, report, [p["file"] for p in report["misclassified"]])


def shown_problems(page, report, wrong):
    """Photographs of the first that went wrong, under their names: for an image file, a picture."""
    shown = [text(e) for e in page.iter() if tag(e) == "h3"]
    images = [n for n in wrong[:report["parameters"]["html_pictures"]] if not n.endswith((".npy", ".rgb8"))]
    if "this build writes no JPEG" not in text(page):
        yield from expect("photographs", shown[:len(images)], [clean(n) for n in images])


def segmentation_problems(page, report):
    """The figures of every side, classes, and the pictures of the least IoU."""
    figures = {text(d[0]): text(d[1]) for d in page.iter() if tag(d) == "div" and [tag(e) for e in d][:2] == ["span", "b"]}
    found = tables(page)
    yield from expect("mean IoU", figures["Mean IoU"], f"{100 * report['sides'][0]['mean_iou']:.3f} %")
    if report["agreement"]:
        yield from expect("agreement", figures["Agreement"], f"{100 * report['agreement']['share']:.3f} %")
    keys = ("mean_iou", "pixel_accuracy", "mean_accuracy", "weighted_iou")
    yield from expect("figures", [row[1:] for row in found["in %"]],
                      [[f"{100 * s[key]:.3f}" for s in report["sides"]] for key in keys])
    yield from expect("classes", [row[:2] for row in found["class"]],
                      [[clean(c["name"]), str(c["pixels"])] for c in report["classes"]])
    yield from expect("pictures", [row[0] for row in found.get("picture", [])], [clean(p["file"]) for p in report["worst"]])
    yield from shown_problems(page, report, [p["file"] for p in report["worst"]])


def detection_problems(page, report):
    """The figures, those of COCO of every side, categories, and the first of the pictures that went wrong."""
    figures = {text(d[0]): text(d[1]) for d in page.iter() if tag(d) == "div" and [tag(e) for e in d][:2] == ["span", "b"]}
    found = tables(page)
    yield from expect("AP", figures["Average precision"], f"{report['metrics']['ap']:.4f}")
    if report["agreement"]:
        yield from expect("agreement", figures["Agreement"], f"{100 * report['agreement']['share']:.2f} %")
    yield from expect("metrics", [row[0] for row in found["metric"]], list(report["metrics"]))
    yield from expect("categories", [row[:3] for row in found["id"]],
                      [[str(c["id"]), clean(c["name"]), str(c["truths"])] for c in report["categories"]])
    names = [row[0] for row in found.get("picture", [])]
    wrong = {p["file"]: sum(s["missed"] + s["false"] for s in p["sides"]) for p in report["wrong_pictures"]}
    yield from expect("pictures", [n for n in names if n not in map(clean, wrong)], [])
    yield from shown_problems(page, report, sorted(wrong, key=lambda file: -wrong[file]))
    boxes = [e for e in page.iter() if tag(e) == "rect" and e.get("class") in ("box", "box2")]
    if wrong and report["parameters"]["html_pictures"] and any(tag(e) == "image" for e in page.iter()):
        yield from expect("boxes", bool(boxes), True)


def sweep_problems(page, report):
    """A row for each case, under its name."""
    yield from expect("cases", [row[0] for row in tables(page)["case"]], [case["label"] for case in report["cases"]])


def concurrent_problems(page, report):
    """A row for each worker: its model, and whether its outputs stayed the same."""
    labels = [model["label"] for model in report["models"]]
    rows = tables(page)["worker"]
    yield from expect("models", [row[1] for row in rows], [labels[w["model"]] for w in report["workers"]])
    yield from expect("outputs", [row[-1] for row in rows], ["DIFFER" if w["difference"] else "equal" for w in report["workers"]])


def compare_problems(page, report):
    """A row for each pair with its verdict, and what the gate came to."""
    words = {"slower": "slower", "faster": "faster", "none": "undecided", "untested": "not tested"}
    rows = tables(page)["report"]
    yield from expect("verdicts", [row[-1] for row in rows], [words[p["run_us"]["verdict"]] for p in report["pairs"]])
    yield from expect("gate", "FAILED" in text(page), not report["passed"])


SWEEP_CHECKS = (sweep_problems,)
CONCURRENT_CHECKS = (concurrent_problems,)
COMPARE_CHECKS = (compare_problems,)
CLASSIFICATION_CHECKS = (classification_problems,)
DETECTION_CHECKS = (detection_problems,)
SEGMENTATION_CHECKS = (segmentation_problems,)
COVERAGE_CHECKS = (coverage_problems, graph_problems)
DIFF_CHECKS = (verdict_problems, output_problems, node_problems, map_problems, found_problems)
BENCHMARK_CHECKS = (figure_problems, assignment_problems, part_problems, measured_problems)


def check(path):
    with open(path, encoding="utf-8") as f:
        source = f.read()
    with open(path.removesuffix(".html") + ".json", encoding="utf-8") as f:
        report = json.load(f)
    try:
        page = ET.fromstring(source)
    except ET.ParseError as e:
        return [f"not well-formed: {e}"]
    checks = {"inference_diff": DIFF_CHECKS, "op_coverage": COVERAGE_CHECKS, "benchmark_sweep": SWEEP_CHECKS,
              "benchmark_concurrent": CONCURRENT_CHECKS, "benchmark_compare": COMPARE_CHECKS,
              "eval_classification": CLASSIFICATION_CHECKS, "eval_detection": DETECTION_CHECKS,
              "eval_segmentation": SEGMENTATION_CHECKS}
    checks = checks.get(report["tool"], BENCHMARK_CHECKS)
    of_report = (problem for part in checks for problem in part(page, report))
    return [*safety_problems(page, source), *script_problems(page, source), *of_report]


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
