#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""libdelegauge_gpu.so inside of TensorFlow Lite: the same results as TensorFlow Lite's own CPU kernels, and our own tools' latency.

  plugin.py [--plugin build/libdelegauge_gpu.so] [--option KEY=VALUE ...] [--only 'quant/*'] MODEL.tflite|DIR ...
  plugin.py --latency [--bin build/benchmark_model] [--rounds 5] MODEL.tflite ...
  plugin.py --threads MODEL.tflite MODEL.tflite        two interpreters at once, each on a thread of its own
  plugin.py --cycles 1000 MODEL.tflite                 delegates made and destroyed: memory after 100 of them and after all
  plugin.py --resize MODEL.tflite                      another batch, and back
  plugin.py --small MODEL.tflite ...                   all of these with small models in one process, for make check

Each model is run by the wheel's interpreter without and with the plugin, in a process of its own, on the same random inputs. A
float output passes within --tol of the largest magnitude (at least 1), one of integers within --steps, and so do floats that are
integers in their steps (what DEQUANTIZE makes). What does not pass is held against TensorFlow Lite's reference kernels too,
since its fast ones differ from these by some steps (the line says how far); and, where there are integers, once more with
gpu_quant=exact: floats that meet 8-bit weights TensorFlow Lite rounds to 8 bits first, which gpu_quant=simulate does not, and its
rounding adds up in deep networks. The reference resolver lists old versions of some operators whose kernels compute the new ones
(DEPTH_TO_SPACE of INT8 is version 2): for it they are called what it lists. Weights with a scale for each block, which
gpu_quant=exact leaves to the CPU, are widened to floats in a copy of the model instead, which TensorFlow Lite runs.
A line a model: how many partitions, the largest difference, "ok" or what is wrong. The last line reads "N passed, N
failed, N skipped"; models that the wheel itself cannot run are skipped and say why. --latency shows medians of alternating
rounds and judges, --within 1.10, the median over the rounds of how the fastest runs of each side compare: others are the
machine's. Small models run as often as fills --least-seconds, since on a busy machine few runs are none that nobody disturbed;
what the interpreter takes for a call besides, --fixed microseconds, is allowed whatever the model's size. What fails is measured
again, by an interpreter of its own, three times at most: what is slower is so each time.
Beside them stands the processor time of an inference, of all threads, which load of others does not change: what benchmark_model
takes for many runs less what it takes for one. Where the load is above 1.5 a processor, it is enough that this is within bounds.
Exit status: 0 nothing failed, 1 something did. Needs Python with ai-edge-litert and numpy.
"""
import argparse
import fnmatch
import glob
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "reference"))
import pypi_packages  # noqa: E402,F401  says what is missing
import flatbuffers  # noqa: E402
import numpy as np  # noqa: E402
from ai_edge_litert.interpreter import Interpreter, OpResolverType, load_delegate  # noqa: E402
from ai_edge_litert import schema_py_generated as schema  # noqa: E402

DELEGATE_NODE = "DELEGATE"    # no other delegate is there
WARMUP = 3


def interpreter(path, delegate=None, kernels=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES):
    delegates = [delegate] if delegate else None
    it = Interpreter(model_path=path, experimental_delegates=delegates, experimental_op_resolver_type=kernels)
    it.allocate_tensors()
    return it


def reference(path):
    """An interpreter with the reference kernels; ValueError where there is none for a node."""
    with open(path, "rb") as f:
        model = bytearray(f.read())
    names = {v: k for k, v in vars(schema.BuiltinOperator).items() if isinstance(v, int)}
    while True:
        try:
            it = Interpreter(model_content=bytes(model), experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
        except ValueError as e:
            refused = re.search(r"builtin opcode '(\w+)' version '(\d+)'", str(e))
            if not refused or not lower_version(model, names, refused[1], int(refused[2])):
                raise
        else:
            it.allocate_tensors()
            return it


def lower_version(model, names, name, version):
    """Calls operators of that version of the one before, in place. False where there are none, or there is none before."""
    root, found = schema.Model.GetRootAs(model), False
    for i in range(root.OperatorCodesLength()):
        code = root.OperatorCodes(i)
        builtin = max(code.DeprecatedBuiltinCode(), code.BuiltinCode())
        if names.get(builtin) == name and code.Version() == version > 1:
            at = code._tab.Pos + code._tab.Offset(8)    # pylint: disable=protected-access  # the field "version"
            model[at:at + 4] = (version - 1).to_bytes(4, "little")
            found = True
    return found


def with_wide_weights(path):
    """The model with FLOAT32 in the place of INT4 constants that have a scale for each block; None where there are none."""
    with open(path, "rb") as f:
        model = schema.ModelT.InitFromPackedBuf(f.read(), 0)
    found = False
    for tensor, tensors in ((t, g.tensors) for g in model.subgraphs for t in g.tensors):
        blocks = tensor.quantization and tensor.quantization.details
        if not isinstance(blocks, schema.BlockwiseQuantizationT):
            continue
        packed = np.asarray(model.buffers[tensor.buffer].data, np.uint8)
        values = np.stack([packed & 15, packed >> 4], -1).astype(np.int8)
        scales = np.asarray(model.buffers[tensors[blocks.scales].buffer].data, np.uint8).view(np.float16).astype(np.float32)
        wide = np.where(values > 7, values - 16, values).reshape(len(scales), blocks.blockSize) * scales[:, None]
        model.buffers.append(schema.BufferT())
        model.buffers[-1].data = np.ascontiguousarray(wide).reshape(-1).view(np.uint8)
        tensor.buffer, tensor.type, tensor.quantization = len(model.buffers) - 1, schema.TensorType.FLOAT32, None
        found = True
    builder = flatbuffers.Builder(0)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output()) if found else None


def drawn(details, seed=7, below=10):
    """Floats in [-1, 1), 8 and 16 bits over their range, wider integers 0 to 9, booleans, and one short text."""
    rng, out = np.random.default_rng(seed), []
    for d in details:
        kind, shape = np.dtype(d["dtype"]), d["shape"]
        if kind.kind == "f":
            out.append((2 * rng.random(shape) - 1).astype(kind))
        elif kind.kind == "b":
            out.append(rng.integers(0, 2, shape).astype(bool))
        elif kind.kind in "iu":
            low, high = (np.iinfo(kind).min, np.iinfo(kind).max + 1) if kind.itemsize < 4 else (0, below)
            out.append(rng.integers(low, high, shape).astype(kind))
        elif kind.kind in "SOU":
            out.append(np.full(shape, b"a text", dtype=object))
        else:
            raise ValueError(f"no random content of {kind}")
    return out


def run(it, inputs):
    for d, value in zip(it.get_input_details(), inputs):
        it.set_tensor(d["index"], value)
    it.invoke()
    return [np.array(it.get_tensor(d["index"])) for d in it.get_output_details()]


def step_of(values):
    """The number that all of these floats are multiples of from the least one on; 0 where there is none."""
    values = np.unique(values[np.isfinite(values)])
    if len(values) < 3 or len(values) > 65536:
        return 0.0
    gap = float(np.min(np.diff(values)))
    counts = (values - values[0]) / gap
    return gap if counts[-1] < 66000 and np.max(np.abs(counts - np.round(counts))) < 0.02 * max(1, counts[-1] / 255) else 0.0


def off(got, want, tol, steps):
    """(difference in terms of the tolerance's, sentence or "")."""
    if got.shape != want.shape or got.dtype != want.dtype:
        return float("inf"), f"{got.dtype}{list(got.shape)}, not {want.dtype}{list(want.shape)}"
    if want.dtype.kind not in "fiub" or not want.size:
        return 0.0, "" if np.array_equal(got, want) else "differs"
    a, b = got.astype(np.float64), want.astype(np.float64)
    with np.errstate(invalid="ignore"):
        d = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0, np.abs(a - b))
    worst = float("inf") if np.isnan(d).any() else float(d.max())
    if want.dtype.kind != "f":
        return worst, "" if worst <= steps else f"{worst:g} steps off"
    finite = np.abs(b[np.isfinite(b)])
    scaled, step = worst / max(1.0, float(finite.max()) if finite.size else 1.0), step_of(b)
    if scaled > tol and step and worst < np.inf:
        return scaled, "" if worst <= (steps + 0.01) * step else f"{worst / step:.3g} steps off"
    return scaled, "" if scaled <= tol else f"{scaled:.3g} off"


def partitions(it):
    return sum(1 for op in it._get_ops_details() if op["op_name"] == DELEGATE_NODE)  # pylint: disable=protected-access


def options(a):
    return dict(o.split("=", 1) for o in a.option)


def twice(it, inputs):
    """Of models with state, the second run counts."""
    return [run(it, inputs) for _ in range(2)][-1]


def inputs_that_run(it):
    """Wide integers may be indices: where those from 0 to 9 are out of bounds, zeros."""
    for below in (10, 1):
        inputs = drawn(it.get_input_details(), below=below)
        try:
            return inputs, twice(it, inputs)
        except RuntimeError as e:
            if below == 1 or "out of bounds" not in str(e):
                raise


def one(a, path):
    """What happened to a model, as a dict; in a process of its own."""
    try:
        plain = interpreter(path)
        inputs, want = inputs_that_run(plain)
    except Exception as e:
        return {"skipped": str(e).strip().split("\n")[0][:120] + runs_nevertheless(a, path)}
    if a.plain:
        return {"failed": ""}
    result = beside(a, path, inputs, want, options(a))
    wide = with_wide_weights(path) if result["failed"] else None
    if wide:
        it = Interpreter(model_content=wide, experimental_op_resolver_type=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES)
        it.allocate_tensors()
        result = beside(a, path, inputs, twice(it, inputs), options(a))
        result["kernels"] = " with its blockwise weights as floats"
    elif result["failed"] and "gpu_quant" not in options(a):
        result = beside(a, path, inputs, want, dict(options(a), gpu_quant="exact"))
        result["kernels"] = result.get("kernels", "") + " with gpu_quant=exact"
    return result


def runs_nevertheless(a, path):
    """Whether the plugin takes what TensorFlow Lite has no kernel for; nothing is there to hold the results against."""
    try:
        it = interpreter(path, load_delegate(a.plugin, options(a)))
        finite = all(np.isfinite(y).all() for y in run(it, drawn(it.get_input_details())) if y.dtype.kind == "f")
        return "; with the plugin it runs" + ("" if finite else ", and gives numbers that are none")
    except Exception:
        return ""


def in_called_graphs(a, path, keys):
    """How many programs are compiled for graphs that nodes call, of which the interpreter does not tell."""
    with tempfile.TemporaryDirectory() as tmp:
        interpreter(path, load_delegate(a.plugin, dict(keys, dump_shaders=tmp)))
        return len(os.listdir(tmp))


def beside(a, path, inputs, want, keys):
    try:
        it = interpreter(path, load_delegate(a.plugin, keys))
        got = twice(it, inputs)
    except Exception as e:
        return {"failed": str(e).strip()[:300]}
    found, kernels = [off(g, w, a.tol, a.steps) for g, w in zip(got, want)], ""
    if any(f[1] for f in found):
        try:
            plain = reference(path)
        except ValueError:
            plain = None    # there is none for a node
        if plain:
            exact = twice(plain, inputs)
            found = [off(g, w, a.tol, a.steps) for g, w in zip(got, exact)]
            apart = max(off(w, e, a.tol, a.steps)[0] for w, e in zip(want, exact))
            kernels = f" as the reference kernels, from which TensorFlow Lite's fast ones are {apart:.2g} off"
    called = 0 if partitions(it) else in_called_graphs(a, path, keys)
    return {"partitions": partitions(it), "called": called, "off": max((f[0] for f in found), default=0.0), "kernels": kernels,
            "failed": "; ".join(f"output {i}: {f[1]}" for i, f in enumerate(found) if f[1])}


def models(a):
    paths = []
    for m in a.models:
        paths += sorted(glob.glob(os.path.join(m, "**", "*.*ite"), recursive=True)) if os.path.isdir(m) else [m]
    return [p for p in paths if fnmatch.fnmatch("/".join(p.split("/")[-2:]), a.only)]


def child(a, path):
    arguments = [sys.executable, os.path.abspath(__file__), "--one", "--plugin", a.plugin]
    arguments += ["--tol", str(a.tol), "--steps", str(a.steps)]
    for o in a.option:
        arguments += ["--option", o]
    r = alone(a, arguments, path)
    if "status" in r.get("failed", "") and "status" in alone(a, [*arguments, "--plain"], path).get("failed", ""):
        return {"skipped": "TensorFlow Lite itself crashes"}
    return r


def alone(a, arguments, path):
    try:
        done = subprocess.run([*arguments, path], capture_output=True, text=True, check=False, timeout=a.timeout)
    except subprocess.TimeoutExpired:
        return {"failed": f"not done after {a.timeout:g} s"}
    lines = [x for x in done.stdout.splitlines() if x.startswith("{")]
    if done.returncode or not lines:
        return {"failed": f"ended with status {done.returncode}: {(done.stderr.strip().splitlines() or [''])[-1][:200]}"}
    return json.loads(lines[-1])


def answer(a, path):
    return one(a, path) if a.small else child(a, path)


def compare(a):
    passed = failed = skipped = taken = 0
    for path in models(a):
        name = "/".join(path.split("/")[-2:])
        r = answer(a, path)
        if "skipped" in r:
            skipped += 1
            print(f"{name:60s} skipped: {r['skipped']}", flush=True)
            continue
        bad = r.get("failed")
        failed, passed = failed + bool(bad), passed + (not bad)
        taken += bool(r.get("partitions") or r.get("called"))
        if bad or not a.quiet:
            where = f"{r['partitions']:3d} partitions, {r['off']:.2e}" if "off" in r else " " * 24
            where += f", {r['called']} programs for graphs that it calls" if r.get("called") else ""
            print(f"{name:60s} {where} {'FAIL ' + bad if bad else 'ok'}{r.get('kernels', '')}", flush=True)
    print(f"of {passed + failed} models {taken} have nodes on the GPU")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed == 0


def processor_time(whose):
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime


def benchmark(a, path, runs):
    """The report of benchmark_model in one process, and the processor time that all of that took."""
    with tempfile.TemporaryDirectory() as tmp:
        out, before = os.path.join(tmp, "r.json"), processor_time(resource.RUSAGE_CHILDREN)
        subprocess.run([a.bin, f"--graph={path}", "--use_gpu=true", f"--num_runs={runs}", f"--warmup_runs={WARMUP}", "--min_secs=0",
                        "--warmup_min_secs=0", f"--json={out}"] + [f"--{o}" for o in a.option], check=True, capture_output=True)
        with open(out, encoding="utf-8") as f:
            return json.load(f), processor_time(resource.RUSAGE_CHILDREN) - before


def ours(a, path, runs):
    """Median and least latency, and processor time of an inference, in seconds."""
    start = benchmark(a, path, 1)[1]
    report, used = benchmark(a, path, runs + 1)
    times = [us / 1e6 for us in report["times_us"]["inference"]["samples"]]
    return statistics.median(times), min(times), (used - start) / runs


def theirs(it, inputs, runs):
    times = []
    for d, value in zip(it.get_input_details(), inputs):
        it.set_tensor(d["index"], value)
    for i in range(WARMUP + runs):
        if i == WARMUP:
            before = processor_time(resource.RUSAGE_SELF)
        start = time.perf_counter()
        it.invoke()
        times.append(time.perf_counter() - start)
    used = processor_time(resource.RUSAGE_SELF) - before
    return statistics.median(times[WARMUP:]), min(times[WARMUP:]), used / runs


def latency(a):
    good = True
    print(f"{'model':50s}", *(f"{name:>10s}" for name in ("plugin ms", "ours ms", "ratio", "more us", "CPU ms", "ours", "ratio")))
    for path in models(a):
        good &= any(is_as_fast(a, path) for _ in range(3))
    return good


def is_as_fast(a, path):
    it = interpreter(path, load_delegate(a.plugin, options(a)))
    inputs = drawn(it.get_input_details())
    runs = max(a.runs, int(a.least_seconds / theirs(it, inputs, WARMUP)[1]))
    pairs = [(theirs(it, inputs, runs), ours(a, path, runs)) for _ in range(a.rounds)]
    plugin, own = (1e3 * statistics.median(p[i][0] for p in pairs) for i in (0, 1))
    ratio = statistics.median(p[0][1] / p[1][1] for p in pairs)
    more = statistics.median(1e6 * (p[0][1] - p[1][1]) for p in pairs)
    used, own_used = (1e3 * statistics.median(p[i][2] for p in pairs) for i in (0, 1))
    in_time = ratio <= a.within or more <= a.fixed
    by_use = os.getloadavg()[0] > 1.5 * os.cpu_count() and used <= a.within * own_used + 1e-3 * a.fixed
    right = in_time or by_use
    verdict = "" if in_time else " by processor time: the machine is loaded" if by_use else " FAIL"
    print(f"{os.path.basename(path)[:50]:50s} {plugin:10.3f} {own:10.3f} {ratio:10.3f} {more:+10.1f} {used:10.3f} {own_used:10.3f} "
          f"{used / max(own_used, 1e-6):10.3f}{verdict}", flush=True)
    return right


def wrong_outputs(a, got, want):
    return [f[1] for f in (off(g, w, a.tol, a.steps) for g, w in zip(got, want)) if f[1]]


def two_threads(a):
    """Each thread makes, runs and drops an interpreter of its own, ten times; all answers are what one alone gives."""
    wrong = []

    def work(path):
        try:
            plain = interpreter(path)
            inputs = drawn(plain.get_input_details())
            want = run(plain, inputs)
            for _ in range(10):
                it = interpreter(path, load_delegate(a.plugin, options(a)))
                for _ in range(5):
                    wrong.extend(f"{path}: {w}" for w in wrong_outputs(a, run(it, inputs), want))
        except Exception as e:
            wrong.append(f"{path}: {e}")

    threads = [threading.Thread(target=work, args=(m,)) for m in models(a)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for w in wrong:
        print("FAIL", w)
    print(f"{len(threads)} threads, {len(wrong)} wrong")
    return not wrong


def shared_delegate(a):
    """One interpreter after the other on threads that come and go, all with a delegate of the first thread's."""
    wrong, path = [], models(a)[0]
    it = interpreter(path, load_delegate(a.plugin, options(a)))
    inputs = drawn(it.get_input_details())
    want = run(interpreter(path), inputs)

    def work():
        try:
            wrong.extend(wrong_outputs(a, run(it, inputs), want))
        except Exception as e:
            wrong.append(str(e))

    for _ in range(4):
        t = threading.Thread(target=work)
        t.start()
        t.join()
    print(f"4 threads in turn, {len(wrong)} wrong: {wrong[0].strip() if wrong else 'none'}")
    return not wrong


def resident():
    with open("/proc/self/statm", encoding="ascii") as f:
        return int(f.read().split()[1]) * resource.getpagesize()


def cycles(a):
    path, early = models(a)[0], 0
    for i in range(a.cycles):
        it = interpreter(path, load_delegate(a.plugin, options(a)))
        run(it, drawn(it.get_input_details()))
        del it
        if i + 1 == min(100, a.cycles // 2):
            early = resident()
    grown = resident() - early
    print(f"{a.cycles} delegates: {early >> 10} kB after the first hundred, {grown >> 10} kB more after all")
    return grown <= 2 << 20


def resize(a):
    """The first dimension of every input three times as long, and back."""
    good = True
    for path in models(a):
        plain, it = interpreter(path), interpreter(path, load_delegate(a.plugin, options(a)))
        for times in (3, 1, 2):
            for x in (plain, it):
                for d in x.get_input_details():
                    x.resize_tensor_input(d["index"], [times, *d["shape"][1:]])
                x.allocate_tensors()
            inputs = drawn(plain.get_input_details())
            found = [off(g, w, a.tol, a.steps) for g, w in zip(run(it, inputs), run(plain, inputs))]
            bad = "; ".join(f[1] for f in found if f[1])
            good &= not bad
            most = max(f[0] for f in found)
            print(f"{os.path.basename(path)} batch {times}: {partitions(it)} partitions, {most:.2e} {bad or 'ok'}")
    return good


def small(a):
    """The first of the models is for threads, cycles and another batch too."""
    all_models, good = a.models, compare(a)
    a.models, a.cycles = all_models[:1], a.cycles or 24
    good = resize(a) and cycles(a) and good
    a.models = all_models[:2]
    return two_threads(a) and shared_delegate(a) and good


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("models", nargs="+", metavar="MODEL")
    p.add_argument("--plugin", default="build/libdelegauge_gpu.so")
    p.add_argument("--bin", default="build/benchmark_model")
    p.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    p.add_argument("--only", default="*")
    p.add_argument("--tol", type=float, default=2e-4)
    p.add_argument("--steps", type=float, default=2)
    p.add_argument("--timeout", type=float, default=900)
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--runs", type=int, default=20)
    p.add_argument("--within", type=float, default=1.10)
    p.add_argument("--fixed", type=float, default=20, metavar="MICROSECONDS")
    p.add_argument("--least-seconds", type=float, default=0.5)
    p.add_argument("--cycles", type=int, default=0)
    p.add_argument("--quiet", action="store_true", help="failures and the last lines only")
    for what in ("latency", "threads", "resize", "small", "one", "plain"):
        p.add_argument(f"--{what}", action="store_true")
    a = p.parse_args()
    a.plugin = os.path.abspath(a.plugin)
    if a.one:
        print(json.dumps(one(a, a.models[0])), flush=True)
        return 0
    if a.small:
        return 0 if small(a) else 1
    if a.threads:
        return 0 if two_threads(a) & shared_delegate(a) else 1
    return 0 if (cycles if a.cycles else latency if a.latency else resize if a.resize else compare)(a) else 1


sys.exit(main())
