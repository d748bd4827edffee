#!/usr/bin/env python3
"""Holds benchmark_model against TensorFlow Lite's reference kernels on random single-op models.

  conformance.py                                all of scripts/conformance_ops.py, 3 cases per operator and type
  conformance.py --op CONV_2D --type i8 --seed 7 --count 100

Integers must be equal, floats within 1e-5 of max(1, largest magnitude), on our reference kernels and on the fast ones. Case k
of operator X and type T draws from seed + k, whatever else runs: a failure repeats with `--op X --type T --seed S --count 1`.
A case that TensorFlow Lite refuses is counted as refused and skipped; one that only we refuse has failed.
Needs ai_edge_litert, flatbuffers and numpy. Exit status: 0 nothing failed, 1 something did.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import zlib

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

from conformance_ops import DTYPES, OPS, SCHEMA, Draw
from golden import run_guarded

TOLERANCE = 1e-5
KERNELS = ("reference", "fast")


def tensor_table(tensor, shape, buffer, name):
    table = schema.TensorT()
    table.shape, table.type, table.buffer, table.name = list(shape), getattr(schema.TensorType, SCHEMA[tensor.type]), buffer, name
    if tensor.quant:
        table.quantization = schema.QuantizationParametersT()
        table.quantization.scale, table.quantization.zeroPoint = tensor.quant.scale, tensor.quant.zero
        table.quantization.quantizedDimension = tensor.quant.dim
    return table


def options_table(case, name):
    table = getattr(schema, name + "T")()
    for key, value in case.options.items():
        if not hasattr(table, key):
            raise ValueError(f"{name} has no field {key}")
        setattr(table, key, getattr(schema.TensorType, value) if isinstance(value, str) else value)
    return table


def write_model(path, op, case, shapes):
    """The case as a .tflite whose outputs have these shapes."""
    tensors, buffers = [], [schema.BufferT()]
    for i, tensor in enumerate(case.inputs):
        buffers.append(schema.BufferT())
        if tensor.const:
            buffers[-1].data = np.frombuffer(tensor.data.tobytes(), np.uint8)
        tensors.append(tensor_table(tensor, tensor.data.shape, len(buffers) - 1, f"in{i}"))
    for i, (tensor, shape) in enumerate(zip(case.outputs, shapes)):
        tensors.append(tensor_table(tensor, shape, 0, f"out{i}"))
    operator, code, graph, model = schema.OperatorT(), schema.OperatorCodeT(), schema.SubGraphT(), schema.ModelT()
    code.builtinCode = getattr(schema.BuiltinOperator, op)
    code.deprecatedBuiltinCode = min(code.builtinCode, 127)
    inputs = len(case.inputs)
    operator.inputs, operator.outputs = list(range(inputs)), list(range(inputs, len(tensors)))
    options = OPS[op][0]
    if options:
        operator.builtinOptionsType = getattr(schema.BuiltinOptions, options)
        operator.builtinOptions = options_table(case, options)
    graph.tensors, graph.operators, graph.name = tensors, [operator], "main"
    graph.inputs, graph.outputs = [i for i in range(inputs) if not case.inputs[i].const], operator.outputs
    model.version, model.operatorCodes, model.subgraphs, model.buffers = 3, [code], [graph], buffers
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    with open(path, "wb") as f:
        f.write(builder.Output())


def write_inputs(directory, case):
    os.makedirs(directory)
    for i, tensor in enumerate(t for t in case.inputs if not t.const):
        with open(f"{directory}/input_{i}.bin", "wb") as f:
            f.write(tensor.data.tobytes())


def difference(got, want):
    """None, or a sentence about the first or largest difference."""
    if len(got) != want.nbytes:
        return f"has {len(got)} bytes, expected {want.nbytes}"
    got, want = np.frombuffer(got, want.dtype), want.reshape(-1)
    if want.dtype.kind != "f":
        wrong = np.flatnonzero(got != want)
        return f"[{wrong[0]}] is {got[wrong[0]]}, expected {want[wrong[0]]} ({wrong.size} of {want.size} differ)" if wrong.size else None
    same = (got == want) | (np.isnan(got) & np.isnan(want))
    finite = want[np.isfinite(want)]
    limit = TOLERANCE * max(1.0, float(np.abs(finite).max()) if finite.size else 1.0)
    with np.errstate(invalid="ignore"):
        wrong = np.flatnonzero(~same & ~(np.abs(got - want) <= limit))
    return f"[{wrong[0]}] is {got[wrong[0]]}, expected {want[wrong[0]]} ({wrong.size} of {want.size} differ)" if wrong.size else None


def run_ours(binary, base, kernels, wants):
    """None, or why benchmark_model with these kernels does not agree."""
    target = f"{base}.{kernels}"
    os.makedirs(target)
    command = [binary, f"--graph={base}.tflite", "--num_runs=1", "--warmup_runs=0", "--min_secs=0", "--warmup_min_secs=0",
               f"--cpu_kernels={kernels}", f"--input_dir={base}", f"--output_dir={target}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, errors="replace")
    except subprocess.TimeoutExpired:
        return "no answer in 60 s"
    if done.returncode:
        lines = (done.stdout + done.stderr).strip().splitlines()
        return f"exit {done.returncode}: {lines[-1] if lines else ''}"
    for i, want in enumerate(wants):
        with open(f"{target}/output_{i}.bin", "rb") as f:
            reason = difference(f.read(), want)
        if reason:
            return f"output {i} {reason}"
    return None


def run_case(binary, directory, op, case):
    """('passed', ''), ('failed', why) or ('refused', why)."""
    base = f"{directory}/model"
    write_inputs(base, case)
    write_model(base + ".tflite", op, case, [[] for _ in case.outputs])
    wants, reason = run_guarded(base, 1)
    if wants is None:
        return "refused", reason
    wants = [np.asarray(w) for w in wants]
    write_model(base + ".tflite", op, case, [w.shape for w in wants])
    reasons = [f"{k}: {why}" for k in KERNELS if (why := run_ours(binary, base, k, wants))]
    return ("failed", "; ".join(reasons)) if reasons else ("passed", "")


def describe(case):
    shapes = " ".join(f"{t.type}{list(t.data.shape)}{'const' if t.const else ''}" for t in case.inputs)
    return f"{shapes} -> {' '.join(t.type for t in case.outputs)} {case.options}"


def print_table(counts):
    types = [*DTYPES, "hybrid"]
    print("\nPassed/failed/refused per operator and type:\n")
    print("| Operator | " + " | ".join(types) + " |\n|---|" + "---|" * len(types))
    for op in OPS:
        cells = ["/".join(map(str, counts[op, t].values())) if (op, t) in counts else "" for t in types]
        if any(cells):
            print(f"| {op} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/benchmark_model")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=3, help="cases per operator and type")
    parser.add_argument("--op", default="", help="operators, separated by commas (default: all)")
    parser.add_argument("--type", default="", help="types, separated by commas (default: all)")
    parser.add_argument("--verbose", action="store_true", help="print why TensorFlow Lite refused a case")
    args = parser.parse_args()
    ops = args.op.upper().split(",") if args.op else list(OPS)
    unknown = [op for op in ops if op not in OPS]
    if unknown:
        parser.error(f"no such operator: {', '.join(unknown)}")
    print(f"seeds {args.seed} to {args.seed + args.count - 1}")
    counts, total = {}, {"passed": 0, "failed": 0, "refused": 0}
    for op in ops:
        _, types, generate = OPS[op]
        for type_ in types.split():
            if args.type and type_ not in args.type.split(","):
                continue
            cell = counts[op, type_] = {"passed": 0, "failed": 0, "refused": 0}
            for seed in range(args.seed, args.seed + args.count):
                case = generate(Draw([seed, zlib.crc32(f"{op} {type_}".encode())]), type_)
                with tempfile.TemporaryDirectory() as directory:
                    result, why = run_case(args.bin, directory, op, case)
                cell[result] += 1
                total[result] += 1
                if result == "failed" or args.verbose and result == "refused":
                    print(f"{result.upper()} --op {op} --type {type_} --seed {seed}: {describe(case)}: {why}", flush=True)
    print_table(counts)
    print(f"\n{total['passed']} passed, {total['failed']} failed, {total['refused']} skipped")
    return 1 if total["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
