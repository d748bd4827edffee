#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes testdata/golden/<kernel>.txt: the outputs of TensorFlow Lite's reference kernels for the cases of opcheck.

  build/opcheck --export=DIR [--op=NAME]
  golden.py DIR testdata/golden

Needs ai_edge_litert and numpy. Only files of kernels that DIR holds are rewritten; within them, cases of operators that DIR
does not hold are kept. A case that TensorFlow Lite refuses is printed with its reason and left out: mend the case, or mark it
no_golden; of a variant the refusal is written down. A case that we refuse and TensorFlow Lite accepts is noted.
bench/opcheck/golden.h describes the format.
"""
import os
import pickle
import signal
import sys

import pypi_packages  # noqa: F401  first: it ends with a message where one of the next is missing
import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType

from feedable import PACKED, feedable, input_count, output_types

WIDTH = 120
SECONDS = 10   # for one case; sizes may come from extremes
UNDEFINED = ("crashed", "exited", "other outputs in another run")
TYPE_NAMES = {
    "float32": "FLOAT32", "float16": "FLOAT16", "float64": "FLOAT64", "bool": "BOOL",
    "complex64": "COMPLEX64", "complex128": "COMPLEX128",
    "int8": "INT8", "int16": "INT16", "int32": "INT32", "int64": "INT64",
    "uint8": "UINT8", "uint16": "UINT16", "uint32": "UINT32", "uint64": "UINT64",
}


def decode_strings(data):
    """TFLite's layout: count, count + 1 offsets, characters."""
    count = int(np.frombuffer(data, np.int32, 1)[0])
    at = np.frombuffer(data, np.int32, count + 1, 4)
    return [data[at[i]:at[i + 1]] for i in range(count)]


def read_bytes(path):
    with open(path, "rb") as f:
        return f.read()


def read_input(data, detail):
    dtype, shape = detail["dtype"], detail["shape"]
    if dtype in (np.bytes_, np.object_, bytes):
        out = np.empty(len(decode_strings(data)), object)
        out[:] = decode_strings(data)
        return out.reshape(shape)
    return np.frombuffer(data, dtype).reshape(shape)


def open_model(model):
    """An interpreter, ready to run, with reference kernels; for the few ops that have none, with the only ones there are."""
    try:
        interpreter = Interpreter(model_content=model, experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
        interpreter.allocate_tensors()
    except (ValueError, RuntimeError) as e:
        if "Didn't find op" not in str(e) and "unresolved custom op" not in str(e):
            raise
        resolver = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
        interpreter = Interpreter(model_content=model, experimental_op_resolver_type=resolver)
        interpreter.allocate_tensors()
    return interpreter


def read_output(interpreter, detail):
    """The tensor, an empty one as well, which get_tensor refuses where its shape came up while running."""
    if 0 in detail["shape"] and np.issubdtype(detail["dtype"], np.number):
        return np.empty(detail["shape"], detail["dtype"])
    return interpreter.get_tensor(detail["index"])


def infer(model, inputs, runs):
    """The outputs of a model, given as bytes like its inputs, after the last of `runs` inferences, which share the state of
    variable tensors; BFLOAT16 as its bits."""
    model, inputs = feedable(model, inputs)
    interpreter = open_model(model)
    for data, detail in zip(inputs, interpreter.get_input_details(), strict=True):
        interpreter.set_tensor(detail["index"], read_input(data, detail))
    for _ in range(runs):
        interpreter.invoke()
    return [read_output(interpreter, d) for d in interpreter.get_output_details()]


def run_model(base, runs):
    model = read_bytes(base + ".tflite")
    return infer(model, [read_bytes(f"{base}/input_{i}.bin") for i in range(input_count(model))], runs)


def run_guarded(work, *arguments):
    """What work returns, in a child process, since a bad case can end the process: (outputs, None) or (None, reason)."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        signal.alarm(SECONDS)
        try:
            answer = (work(*arguments), None)
        except Exception as e:   # whatever LiteRT raises is the answer
            answer = (None, " ".join(str(e).split()))
        with os.fdopen(write_end, "wb") as pipe:
            pickle.dump(answer, pipe)
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as pipe:
        data = pipe.read()
    status = os.waitpid(child, 0)[1]
    if data:
        return pickle.loads(data)
    return None, f"crashed ({signal.Signals(status & 127).name})" if status & 127 else f"exited with {status >> 8}"


def quote(data):
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\x{b:02x}" for b in data) + '"'


def words(array):
    """The elements of an array as text, floats as the shortest decimal that reads back the same."""
    flat = array.reshape(-1)
    if array.dtype.kind in "SO":
        return [quote(s if isinstance(s, bytes) else s.encode()) for s in flat]
    if array.dtype.kind == "c":
        flat = flat.view(flat.real.dtype)
    if array.dtype.kind == "b":
        flat = flat.astype(np.uint8)
    if flat.dtype.kind == "f":
        return [str(v)[:-2] if str(v).endswith(".0") else str(v) for v in flat]
    return [str(int(v)) for v in flat]


def lines_of(items):
    line = ""
    for item in items:
        if line and len(line) + 1 + len(item) > WIDTH:
            yield line
            line = ""
        line += (" " if line else "") + item
    if line:
        yield line


def same_outputs(a, b):
    return all(x.shape == y.shape and words(x) == words(y) for x, y in zip(map(np.asarray, a), map(np.asarray, b)))


def run_variant(base, runs):
    """run_guarded twice: no outputs where they differ, being made from memory that nobody has written."""
    outputs, reason = run_guarded(run_model, base, runs)
    again, _ = run_guarded(run_model, base, runs)
    if outputs and not (again and same_outputs(outputs, again)):
        return None, UNDEFINED[-1]
    return outputs, reason


def says_nothing(outputs):
    numbers = [np.asarray(o) for o in outputs if np.asarray(o).dtype.kind not in "SO" and np.asarray(o).size]
    return bool(numbers) and not any(np.any(o) for o in numbers)


def section(op, name, outputs, types):
    text = f"case {op} {name}\n"
    for i, (array, declared) in enumerate(zip(outputs, types)):
        array = np.asarray(array)
        kind = "STRING" if array.dtype.kind in "SO" else TYPE_NAMES[array.dtype.name]
        if declared == "BFLOAT16":
            kind, array = declared, (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
        elif declared in PACKED:
            kind = declared
        text += f"out {i} {kind} [{','.join(map(str, array.shape))}]\n"
        text += "".join(line + "\n" for line in lines_of(words(array)))
    return text


def write_sections(path, sections):
    with open(path, "w") as f:
        f.write("# Outputs of TensorFlow Lite's reference kernels, made by scripts/reference/golden.py.\n\n" + "\n".join(sections))


def kept_sections(path, ops):
    """Sections of a golden file that belong to other operators than these."""
    if not os.path.exists(path):
        return []
    parts = open(path).read().split("\ncase ")
    sections = ["case " + p.rstrip("\n") + "\n" for p in parts[1:]]
    return [s for s in sections if s.split(" ", 2)[1] not in ops]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    source, target = sys.argv[1:]
    kernels, refused = {}, 0
    for line in open(os.path.join(source, "manifest.tsv")):
        kernel, n, runs, kind, op, name = line.rstrip("\n").split("\t")
        kernels.setdefault(kernel, []).append((op, name, n, int(runs), kind))
    os.makedirs(target, exist_ok=True)
    for kernel, cases in kernels.items():
        path = os.path.join(target, kernel + ".txt")
        sections = kept_sections(path, {c[0] for c in cases})
        for op, name, n, runs, kind in cases:
            if kind == "none":
                continue
            base = os.path.join(source, f"{kernel}__{n}")
            outputs, reason = run_variant(base, runs) if kind == "variant" else run_guarded(run_model, base, runs)
            if kind == "variant" and outputs is None and not reason.startswith(UNDEFINED):
                when = "run" if "failed to invoke" in reason else "prepared"
                sections.append(f"case {op} {name}\nrefused when {when}\n")
            elif kind == "fails":
                if outputs is not None:
                    print(f'note: TensorFlow Lite accepts {op} "{name}", which we refuse')
            elif outputs is None:
                refused += 1
                print(f'refused {op} "{name}": {reason}')
            else:
                sections.append(section(op, name, outputs, output_types(read_bytes(base + ".tflite"))))
                if kind != "variant" and says_nothing(outputs):
                    print(f'note: {op} "{name}" is all zero, as is the output of a kernel that does nothing')
        if not sections:
            continue
        write_sections(path, sections)
        print(f"{path}: {len(sections)} cases")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
