#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads what the tools write for other people's readers, with these readers: protocol buffers, CSV, traces, node data, models.

  profile_test.py BUILD

CSV and JSON are read with Python's own modules. A model that inference_diff --extract wrote runs in the wheel's interpreter, on
the arrays beside it. The messages of the op profile and the runtime info are decoded with the wheel's
own classes (PyPI: ai-edge-litert), BenchmarkResult, of which no package has classes, with a description of its fields made here
(PyPI: protobuf). Traces are held against the Trace Event Format here; Perfetto's trace_processor (PyPI: perfetto) reads one as well
where that package is there and finds its program, which it downloads from elsewhere, or where TRACE_PROCESSOR names it. What is
missing is said in a line "NOT RUN"; PROFILE_PYTHON may name a Python that has it.

Prints a line per failure, then "N passed, N failed, N skipped".
"""
import csv
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

from checks import check, finish, not_run

RUN = ["--num_runs=3", "--min_secs=0", "--warmup_min_secs=0"]
NAME = 'a, "b"\nc'   # of a tensor of the model "dense"


def run(build, model, *flags):
    command = [f"{build}/benchmark_model", f"--graph=models/{model}.tflite", *RUN, *flags]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        print(done.stderr)
    check(f"{' '.join(command[1:])}: exit status {done.returncode}", done.returncode == 0)


def read(path):
    with open(path, "rb") as f:
        return f.read()


def check_csv(build):
    run(build, "dense", "--op_profiling_output_mode=csv", "--op_profiling_output_file=p.csv", "--profiling_output_csv_file=t.csv")
    with open("p.csv", encoding="utf-8", newline="") as f:
        rows = list(csv.reader(f, strict=True))
    check("CSV: as many cells in every row as in the header", all(len(row) == len(rows[0]) for row in rows))
    table = [dict(zip(rows[0], row)) for row in rows[1:]]
    check("CSV: rows of the start and of the run", [row["phase"] for row in table] == ["init", "run", "run"])
    dense = table[1]
    check("CSV: names as in the model", dense["name"] == f"[{NAME}]:0")
    check("CSV: work", (dense["macs"], dense["bytes"]) == ("12", "76"))
    rate = 2 * 12 / (1e3 * float(dense["avg_us"]))
    check("CSV: GFLOP/s is work over time", abs(float(dense["gflops"]) - rate) < 1e-5 * rate)
    lines = read("t.csv").decode().split("\n")
    header = "node type, first, avg_ms, %, cdf%, mem KB, times called, name"
    check("TFLite's CSV: its header four times", lines.count(header) == 4)
    row = lines[lines.index("Operator-wise Profiling Info for Regular Benchmark Runs:") + 3].split(", ")
    check("TFLite's CSV: eight cells, commas of names are tabs", len(row) == 8 and row[7] == '[a\t "b"?c]:0')
    check("TFLite's CSV: shares have their sign", row[3].endswith("%") and row[4].endswith("%") and row[5:7] == ["0", "1"])


def check_nodes(build):
    run(build, "dense", "--op_profiling_output_mode=json", "--op_profiling_output_file=n.json", "--json=r.json")
    data = json.loads(read("n.json"))
    rows = {row["tensor"]["name"]: row["avg_us"] for row in json.loads(read("r.json"))["profile"]["rows"]}
    check("node data: a value for each node, by its output", data["results"].keys() == {NAME, "y"} == rows.keys())
    check("node data: milliseconds", all(abs(v["value"] - rows[k] / 1e3) < 1e-9 for k, v in data["results"].items()))
    check("node data: colours from 0 to 1", [stop["stop"] for stop in data["gradient"]] == [0, 1])
    run(build, "names", "--op_profiling_output_mode=json", "--op_profiling_output_file=n.json")
    check("node data: names that are no text", len(json.loads(read("n.json"))["results"]) == 2)


def slices(trace):
    return [e for e in trace["traceEvents"] if e["ph"] == "X"]


def is_number(x):
    return isinstance(x, (int, float)) and not isinstance(x, bool) and math.isfinite(x)


def bad_event(e):
    """What the Trace Event Format ("JSON Object Format", Google 2016) forbids of the kinds of events that are written, or ""."""
    if not isinstance(e, dict) or e.get("ph") not in ("X", "M", "C"):
        return "no complete event, no counter and no metadata"
    if not isinstance(e.get("name"), str) or not all(type(e.get(k)) is int for k in ("pid", "tid")):
        return "name is no text, or pid or tid no integer"
    if e["ph"] == "M":
        known = e["name"] in ("process_name", "thread_name") and e.keys() == {"ph", "name", "pid", "tid", "args"}
        return "" if known and e["args"].keys() == {"name"} and isinstance(e["args"]["name"], str) else "metadata of another form"
    if e["ph"] == "C":
        known = e.keys() == {"ph", "name", "pid", "tid", "ts", "args"} and is_number(e["ts"]) and e["ts"] >= 0
        return "" if known and len(e["args"]) == 1 and all(map(is_number, e["args"].values())) else "a counter of another form"
    members = {"ph", "name", "pid", "tid", "ts", "dur", "args"}
    if not all(is_number(e.get(k)) and e[k] >= 0 for k in ("ts", "dur")) or e.keys() - members:
        return "ts or dur is no time, or a member that complete events do not have"
    values = e.get("args", {}).values() if isinstance(e.get("args", {}), dict) else [None]
    return "" if all(isinstance(v, str) or is_number(v) for v in values) else "args hold what is no text and no number"


def no_constant(name):
    raise ValueError(f"{name} is no JSON")


def check_trace_format(build, model, *flags):
    """All that viewers rely on, by our own reading of the format: the reader of the format's makers is not always to be had."""
    run(build, model, "--op_profiling_output_mode=trace", "--op_profiling_output_file=t.json", *flags)
    trace = json.loads(read("t.json").decode("utf-8"), parse_constant=no_constant)
    check("trace: an object of events and a unit", trace.keys() == {"traceEvents", "displayTimeUnit"}
          and isinstance(trace["traceEvents"], list) and trace["displayTimeUnit"] in ("ms", "ns"))
    problems = {bad_event(e) for e in trace["traceEvents"]} - {""}
    check(f"trace: {', '.join(problems) or 'events of the form'}", not problems)
    if problems:
        return
    events, meta = slices(trace), [e for e in trace["traceEvents"] if e["ph"] == "M"]
    threads = [(e["pid"], e["tid"]) for e in meta if e["name"] == "thread_name"]
    processes = [e["pid"] for e in meta if e["name"] == "process_name"]
    check("trace: each track and process has one name", len(set(threads)) == len(threads) and len(set(processes)) == len(processes)
          and {(e["pid"], e["tid"]) for e in events} <= set(threads) and {e["pid"] for e in events} <= set(processes))
    titles = {(e["pid"], e["tid"]): e["args"]["name"] for e in meta if e["name"] == "thread_name"}
    spans = [(e["ts"], e["ts"] + e["dur"]) for e in events if titles.get((e["pid"], e["tid"])) == "profiled runs"]
    inside = [e for e in events if titles.get((e["pid"], e["tid"]), "").startswith("profiled: ")]
    check("trace: what ran in a profiled run lies within it", inside and all(
        any(a - 1e-3 <= e["ts"] and e["ts"] + e["dur"] <= b + 1e-3 for a, b in spans) for e in inside))


def check_trace(build, gpu):
    check_trace_format(build, "names")
    if gpu:
        check_trace_format(build, "chain", "--use_gpu")
    run(build, "dense", "--op_profiling_output_mode=trace", "--op_profiling_output_file=t.json", "--json=r.json")
    trace, report = json.loads(read("t.json")), json.loads(read("r.json"))
    events, runs = slices(trace), report["profile"]["runs"]
    check("trace: what an event must have", all({"name", "pid", "tid", "ts", "dur"} <= e.keys() for e in events))
    check("trace: every timed run", sum(e["name"] == "timed run" for e in events) == report["times_us"]["inference"]["count"])
    check("trace: every row of every profiled run", sum(e["name"] == "FULLY_CONNECTED" for e in events) == runs)
    ends, apart = {}, True
    for e in events:
        apart &= e["ts"] >= ends.get(e["tid"], 0) - 1e-6
        ends[e["tid"]] = e["ts"] + e["dur"]
    check("trace: slices of a track do not overlap", apart)
    check_begins(events, report)
    memory = [e["args"]["MB"] for e in trace["traceEvents"] if e["ph"] == "C" and e["name"] == "resident memory"]
    check("trace: a counter of memory", memory and all(0 < mb < 1e5 for mb in memory))
    ask_perfetto(len(events), len(memory), runs)


def check_begins(events, report):
    """All but the phases of a start, of which sums are known, begin when they began."""
    timed = [e for e in events if e["name"] == "timed run"]
    check("trace: runs begin by the host's clock", all(e["args"]["begin"] == "host" for e in timed))
    check("trace: operators begin by a clock", all(e["args"]["begin"] == "host" for e in events if e["name"] == "FULLY_CONNECTED"))
    check("trace: times as in the report", [round(e["dur"], 3) for e in timed]
          == [round(us, 3) for us in report["times_us"]["inference"]["samples"]])


def ask_perfetto(n_events, n_memory, runs):
    try:
        from perfetto.trace_processor import TraceProcessor, TraceProcessorConfig
    except ImportError:
        not_run("perfetto", "no trace was read by trace_processor (PyPI package perfetto)")
        return
    path = os.environ.get("TRACE_PROCESSOR")
    try:
        processor = TraceProcessor(trace="t.json", config=TraceProcessorConfig(bin_path=path) if path else TraceProcessorConfig())
    except Exception as e:   # what a download that fails raises is nowhere written down
        not_run("perfetto", f"no trace_processor, which TRACE_PROCESSOR may name: {type(e).__name__} (PyPI package perfetto)")
        return
    with processor:
        found = [row.n for row in processor.query("select count(*) as n from slice")][0]
        rows = [row.n for row in processor.query("select count(*) as n from slice where name = 'FULLY_CONNECTED'")][0]
        memory = [row.n for row in processor.query("select count(*) as n from counter join counter_track on track_id = "
                                                   "counter_track.id where name glob '*resident memory*'")][0]
        errors = [row.n for row in processor.query("select ifnull(sum(value), 0) as n from stats where severity = 'error'")][0]
    check("perfetto: all slices and counters, no errors", (found, rows, memory, errors) == (n_events, runs, n_memory, 0))


def decoded(message, path):
    data = read(path)
    check(f"{path}: all of it is the message", message.ParseFromString(data) == len(data))
    check(f"{path}: no field is unknown", message.SerializeToString(deterministic=True) == data)
    return message


def check_profile_proto(build, gpu):
    try:
        from ai_edge_litert import profiling_info_pb2
    except ImportError:
        not_run("profile proto", "no op profile was decoded (PyPI package ai-edge-litert)")
        return
    for model, flags in [("dense", [])] + [("chain", ["--use_gpu"])] * gpu:
        run(build, model, "--op_profiling_output_mode=proto", "--op_profiling_output_file=p.pb", "--json=r.json", *flags)
        data = decoded(profiling_info_pb2.BenchmarkProfilingData(), "p.pb")
        profile = json.loads(read("r.json"))["profile"]
        init = [op.node_type for op in data.init_profile.subgraph_profiles[0].per_op_profiles]
        check("profile proto: the start", init == ["ModifyGraphWithDelegate"] * bool(flags) + ["AllocateTensors"])
        ops = data.runtime_profile.subgraph_profiles[0].per_op_profiles
        check("profile proto: rows", [(op.node_type, op.run_order) for op in ops]
              == [(row["type"], i) for i, row in enumerate(profile["rows"])])
        for op, row in zip(ops, profile["rows"]):
            us, samples = op.inference_microseconds, row["samples_us"]
            wanted = (min(samples), max(samples), sum(samples), samples[0], samples[-1])
            check("profile proto: figures, in whole microseconds", us.count == profile["runs"] and all(
                abs(value - exact) < 0.501 for value, exact in zip((us.min, us.max, us.sum, us.first, us.last), wanted)))


def check_runtime_info(build, gpu):
    try:
        from ai_edge_litert import model_runtime_info_pb2
    except ImportError:
        not_run("runtime info", "no runtime info was decoded (PyPI package ai-edge-litert)")
        return
    run(build, "dense", "--model_runtime_info_output_file=i.pb")
    info = decoded(model_runtime_info_pb2.ModelRuntimeDetails(), "i.pb")
    graph = info.subgraphs[0]
    check("runtime info: the model", info.model_name == "models/dense.tflite" and graph.subgraph_type == 1)
    check("runtime info: tensors", [(e.id, e.name, list(e.shape), e.data_type, e.size) for e in graph.edges]
          == [(0, "x", [1, 4], 1, 16), (1, "w", [3, 4], 1, 48), (2, NAME, [1, 3], 1, 12), (3, "y", [1, 3], 1, 12)])
    check("runtime info: memory", [e.allocation_type for e in graph.edges][:2] == ["kTfLiteArenaRw", "kTfLiteMmapRo"])
    check("runtime info: nodes", [(n.id, n.name, list(n.inputs), list(n.outputs), n.HasField("delegated_to_node_id"))
          for n in graph.nodes] == [(0, "FULLY_CONNECTED", [0, 1], [2], False), (1, "ABS", [2], [3], False)])
    check("runtime info: the order", list(graph.execution_plan) == [0, 1])
    if gpu:
        run(build, "chain", "--use_gpu", "--export_model_runtime_info", "--model_runtime_info_output_file=i.pb")
        graph = decoded(model_runtime_info_pb2.ModelRuntimeDetails(), "i.pb").subgraphs[0]
        part = graph.nodes[2].delegate_node_details
        check("runtime info: a partition", (part.delegate_name, list(part.tflite_node_ids_replaced), list(graph.execution_plan))
              == ("TfLiteGpuDelegateV2", [0, 1], [2]))
        check("runtime info: its nodes", [n.delegated_to_node_id for n in graph.nodes[:2]] == [2, 2])


def result_class():
    """tflite.tools.benchmark.BenchmarkResult; floats are kind 2, int64 3, int32 5, messages 11."""
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
    latency = ["avg", "min", "max", "stddev", "median", "p5", "p95", "init", "first_inference", "average_warm_up"]
    fields = {"LatencyMetrics": [(name + "_ms", 2) for name in latency],
              "MemoryMetrics": [("init_footprint_kb", 3), ("overall_footprint_kb", 3), ("peak_mem_mb", 2)],
              "MiscMetrics": [("model_size_mb", 2), ("num_runs", 5), ("num_warmup_runs", 5), ("model_throughput_in_mb_per_sec", 2)],
              "BenchmarkResult": [("name", 9), ("latency_metrics", 11), ("memory_metrics", 11), ("misc_metrics", 11)]}
    file = descriptor_pb2.FileDescriptorProto(name="result.proto", package="t", syntax="proto2")
    for message, rows in fields.items():
        m = file.message_type.add(name=message)
        for i, (name, kind) in enumerate(rows):
            of = {"latency_metrics": ".t.LatencyMetrics", "memory_metrics": ".t.MemoryMetrics", "misc_metrics": ".t.MiscMetrics"}
            m.field.add(name=name, number=i + 1, type=kind, label=1, type_name=of.get(name))
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("t.BenchmarkResult"))


def example_class():
    """tensorflow.Example: Features is a map, which is a list of entries; kinds as above, bytes are 12."""
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
    file = descriptor_pb2.FileDescriptorProto(name="example.proto", package="e", syntax="proto3")
    for name, kind in (("BytesList", 12), ("FloatList", 2), ("Int64List", 3)):
        file.message_type.add(name=name).field.add(name="value", number=1, type=kind, label=3)
    feature = file.message_type.add(name="Feature")
    for i, name in enumerate(("BytesList", "FloatList", "Int64List")):
        feature.field.add(name=name, number=i + 1, type=11, label=1, type_name=f".e.{name}")
    features = file.message_type.add(name="Features")
    entry = features.nested_type.add(name="FeatureEntry")
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, type=9, label=1)
    entry.field.add(name="value", number=2, type=11, label=1, type_name=".e.Feature")
    features.field.add(name="feature", number=1, type=11, label=3, type_name=".e.Features.FeatureEntry")
    file.message_type.add(name="Example").field.add(name="features", number=1, type=11, label=1, type_name=".e.Features")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("e.Example"))


def check_example(build):
    try:
        example = example_class()
    except ImportError:
        not_run("example proto", "no outputs were decoded (PyPI package protobuf)")
        return
    files = ["--output_proto_filepath=e.pb", "--output_filepath=y"]
    run(build, "dense", *files)
    feature = decoded(example(), "e.pb").features.feature
    check("example: floats", list(feature) == ["y"] and list(feature["y"].FloatList.value) == list(struct.unpack("<3f", read("y"))))
    run(build, "quantized", *files)
    feature = decoded(example(), "e.pb").features.feature
    values = [list(f.Int64List.value) for f in feature.values()]
    check("example: integers", values == [list(struct.unpack(f"{len(read('y'))}b", read("y")))] and min(values[0]) < 0)
    run(build, "names", *files)
    check("example: names that are no text", len(decoded(example(), "e.pb").features.feature) == 1)


def check_result(build):
    try:
        result = result_class()
    except ImportError:
        not_run("result proto", "no benchmark result was decoded (PyPI package protobuf)")
        return
    run(build, "dense", "--result_file_path=b.pb", "--report_peak_memory_footprint", "--json=r.json")
    got, report = decoded(result(), "b.pb"), json.loads(read("r.json"))
    times, latency = report["times_us"], got.latency_metrics
    wanted = [times["inference"][key] for key in ("avg", "min", "max", "std", "p50", "p5", "p95")]
    wanted += [times["init"], times["first_inference"], times["warmup"]["avg"]]
    check("result: every latency", [f.number for f, _ in latency.ListFields()] == list(range(1, 11)))
    check("result: latencies in milliseconds",
          all(abs(value - us / 1e3) <= 1e-6 * us / 1e3 for (_, value), us in zip(latency.ListFields(), wanted)))
    memory = report["memory_bytes"]
    growth = (memory["at_end"]["peak"] - memory["at_start"]["peak"]) // 1024
    check("result: memory", got.memory_metrics.overall_footprint_kb == growth
          and abs(got.memory_metrics.peak_mem_mb * 2**20 - memory["sampled_peak"]) < 2**10)
    check("result: runs", (got.misc_metrics.num_runs, got.misc_metrics.num_warmup_runs) == (3, times["warmup"]["count"]))
    rate = 16 / 2**20 * 1e6 / times["inference"]["avg"]
    check("result: throughput", abs(got.misc_metrics.model_throughput_in_mb_per_sec - rate) < 1e-5 * rate)


def check_extract(build):
    """The model that shows an error, in TensorFlow Lite: it gives what our reference kernels give, not what the delegate does."""
    for fault in ("swap@t", "alias@s", "padding@b"):
        command = [f"{build}/inference_diff", "models/branches.tflite", "--use_dummy_delegate", "--num_runs=2",
                   f"--dummy_delegate_options=plant:{fault}", "--extract=part.tflite"]
        done = subprocess.run(command, capture_output=True, check=False)
        check(f"extract {fault}: exit status {done.returncode}", done.returncode == 1 and os.path.exists("part.tflite"))
        try:
            import numpy
            from ai_edge_litert import interpreter
        except ImportError:
            not_run("extract", "no extracted model was run (PyPI package ai-edge-litert)")
            return
        part = interpreter.Interpreter("part.tflite", experimental_op_resolver_type=interpreter.OpResolverType.BUILTIN_REF)
        part.allocate_tensors()
        for i, tensor in enumerate(part.get_input_details()):
            part.set_tensor(tensor["index"], numpy.load(f"part.input{i}.npy"))
        part.invoke()
        for i, tensor in enumerate(part.get_output_details()):
            made = part.get_tensor(tensor["index"])
            ours, wrong = numpy.load(f"part.reference{i}.npy"), numpy.load(f"part.test{i}.npy")
            check(f"extract {fault}: output {i} is the reference's", numpy.allclose(made, ours, rtol=1e-5, atol=1e-6))
            check(f"extract {fault}: output {i} is not the delegate's", not numpy.allclose(made, wrong, rtol=1e-3, atol=1e-3))
        os.remove("part.tflite")


def main():
    if os.environ.get("PROFILE_PYTHON") and os.environ["PROFILE_PYTHON"] != sys.executable:
        os.execvp(os.environ["PROFILE_PYTHON"], [os.environ["PROFILE_PYTHON"], *sys.argv])
    build = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        subprocess.run([f"{build}/make_models", "--cli", "models"], check=True, capture_output=True)
        gpu = subprocess.run([f"{build}/benchmark_model", "--list_gpus"], capture_output=True, check=False).returncode == 0
        for part in (check_csv, check_nodes, check_result, check_example, check_extract):
            part(build)
        for part in (check_trace, check_profile_proto, check_runtime_info):
            part(build, gpu)
        os.chdir("/")
    return finish()


if __name__ == "__main__":
    sys.exit(main())
