#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes small networks of many kinds with TensorFlow's converter, and what TensorFlow Lite's reference kernels answer.

  networks.py DIR [PATTERN...]

Writes DIR/NETWORK.FORM.tflite for each network and form: float32; float16 (weights); dynamic (8-bit weights, floats quantized while
it runs); int8; 16x8 (INT16 by 8-bit weights). Beside each lies DIR/NETWORK.FORM with input_0.npy, ... and output_0.npy, ... Weights
and inputs are drawn from a seed by name, so that a network is the same whatever else is made. PATTERNs choose networks, or forms of
one: gpt, swin.int8. A line NOT MADE tells what TensorFlow does not convert, or TensorFlow Lite does not run, or computes wrongly
(bench/CONFORMANCE.md); it has no file and counts as skipped.
The last line is "N passed, N failed, N skipped". Needs tensorflow, ai-edge-litert and numpy of PyPI.
"""
import contextlib
import fnmatch
import io
import os
import sys
import zlib

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1", TF_ENABLE_ONEDNN_OPTS="0")

import numpy as np
import tensorflow as tf

import feedable
import golden
import network_images  # noqa: F401  they register what is in them
import network_texts  # noqa: F401
from network_layers import NETWORKS, WORDS

golden.SECONDS = 300   # for one network

FORMS = ("float32", "float16", "dynamic", "int8", "16x8")
SAMPLES = 4   # of inputs, by which the ranges of tensors are found


def inputs_of(seed, specs):
    """Random arrays: words, or numbers as images are normalized to."""
    rng = np.random.default_rng(seed)
    return [rng.integers(0, WORDS, shape).astype(np.int32) if dtype == "int32" else
            rng.uniform(-1, 1, shape).astype(np.float32) for shape, dtype in specs]


def set_weights(model, rng):
    """Biases, and the means and variances of normalizations, are 0 and 1 at first, which hides what is done with them."""
    model.set_weights([w if w.ndim > 1 else (w + rng.uniform(-0.3, 0.3, w.shape)).astype(w.dtype) for w in model.get_weights()])


def make_model(name, seed):
    tf.keras.utils.set_random_seed(seed)
    shapes, build = NETWORKS[name]
    inputs = [tf.keras.Input(batch_shape=(1, *shape), dtype=dtype, name=f"input_{k}") for k, (shape, dtype) in enumerate(shapes)]
    model = tf.keras.Model(inputs, build(*inputs))
    set_weights(model, np.random.default_rng(seed))
    return model, [((1, *shape), dtype) for shape, dtype in shapes]


def convert(name, form, quantized_ends=True):
    """The bytes of the model, and an input for it. What has no quantized kernel at an end leaves floats there."""
    seed = zlib.crc32(name.encode())
    model, specs = make_model(name, seed)
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    ops = tf.lite.OpsSet
    if form != "float32":
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
    if form == "float16":
        converter.target_spec.supported_types = [tf.float16]
    elif form in ("int8", "16x8"):
        converter.representative_dataset = lambda: (
            {f"input_{i}": array for i, array in enumerate(inputs_of(seed + k, specs))} for k in range(SAMPLES))
        if quantized_ends:
            converter.inference_output_type = tf.int8 if form == "int8" else tf.int16
        if quantized_ends and specs[0][1] == "float32":
            converter.inference_input_type = converter.inference_output_type
        # What has no quantized kernel stays float.
        quantized = (ops.TFLITE_BUILTINS_INT8 if form == "int8" else
                     ops.EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8)
        converter.target_spec.supported_ops = [quantized, ops.TFLITE_BUILTINS]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return converter.convert(), inputs_of(seed + SAMPLES, specs)
    except Exception as e:   # whatever the converter raises
        if quantized_ends and "put type INT16 for" in str(e):
            return convert(name, form, False)
        raise


def wanted(name, patterns):
    return any(fnmatch.fnmatch(name, p) or fnmatch.fnmatch(name.split(".")[0], p) for p in patterns)


def quantized(array, detail):
    """The array as an input that has a scale wants it."""
    scale, zero = detail["quantization"]
    if not scale or array.dtype != np.float32 or detail["dtype"] == np.float32:
        return array
    limits = np.iinfo(detail["dtype"])
    return np.clip(np.rint(array / np.float32(scale)) + zero, limits.min, limits.max).astype(detail["dtype"])


def refuse_wrong(model):
    """SUM of INT8 and INT16, which TensorFlow Lite reads as UINT8."""
    graph = feedable.unpack(model).subgraphs[0]
    codes = [code.builtinCode for code in feedable.unpack(model).operatorCodes]
    for node in graph.operators:
        if codes[node.opcodeIndex] == feedable.schema.BuiltinOperator.SUM:
            type_ = feedable.types_of(graph, node.inputs[:1])[0]
            if type_ in ("INT8", "INT16"):
                raise ValueError(f"SUM of {type_} is wrong in TensorFlow Lite")


# To which version LiteRT's reference kernels are registered, though they have the types of the next, too.
REGISTERED = {feedable.schema.BuiltinOperator.TILE: 2, feedable.schema.BuiltinOperator.DEPTH_TO_SPACE: 1}


def as_registered(model):
    tree = feedable.unpack(model)
    for code in tree.operatorCodes:
        code.version = min(code.version, REGISTERED.get(code.builtinCode, code.version))
    return feedable.pack(tree)


def answer(model, arrays, folder):
    """Writes inputs and outputs. Names tell the order of the inputs."""
    refuse_wrong(model)
    reference = golden.OpResolverType.BUILTIN_REF
    interpreter = golden.Interpreter(model_content=as_registered(model), experimental_op_resolver_type=reference)
    interpreter.allocate_tensors()
    details = interpreter.get_input_details()
    order = sorted(range(len(details)), key=lambda k: details[k]["name"])
    os.makedirs(folder, exist_ok=True)
    for array, k in zip(arrays, order, strict=True):
        array = quantized(array, details[k])
        interpreter.set_tensor(details[k]["index"], array)
        np.save(os.path.join(folder, f"input_{k}.npy"), array)
    interpreter.invoke()
    for k, detail in enumerate(interpreter.get_output_details()):
        np.save(os.path.join(folder, f"output_{k}.npy"), golden.read_output(interpreter, detail))


def write(folder, name, form):
    """Returns why it failed, or None. Processes of their own: the converter ends its process where it finds an error of its own."""
    base = os.path.join(folder, f"{name}.{form}")
    made, why = golden.run_guarded(convert, name, form)
    if not why:
        _, why = golden.run_guarded(answer, *made, base)
    if not why:
        with open(base + ".tflite", "wb") as f:
            f.write(made[0])
    return why


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder, patterns = sys.argv[1], sys.argv[2:] or ["*"]
    os.makedirs(folder, exist_ok=True)
    made = skipped = 0
    for name, form in [(n, f) for n in sorted(NETWORKS) for f in FORMS if wanted(f"{n}.{f}", patterns)]:
        why = write(folder, name, form)
        made, skipped = made + (not why), skipped + bool(why)
        if why:
            print(f"NOT MADE {name}.{form}: {why[-200:]}", flush=True)
    print(f"{made} passed, {int(not made)} failed, {skipped} skipped")
    return not made


if __name__ == "__main__":
    sys.exit(main())
