#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What libdelegauge_gpu.so exports, what it answers to bad options, and how it runs inside of TensorFlow Lite.

  plugin_test.py BUILD

The last needs the PyPI package ai-edge-litert, in this Python or in the one that PROFILE_PYTHON names; bench/peers/plugin.py does
it, with many more models where it is called by hand. What is missing is said in a line "NOT RUN". Prints a line per failure, then
"N passed, N failed, N skipped".
"""
import ctypes
import importlib.util
import os
import re
import subprocess
import sys
import tempfile

from checks import check, finish, not_run

NAMES = {"tflite_plugin_create_delegate", "tflite_plugin_destroy_delegate"}
SYSTEM = re.compile(r"lib(c|m|dl|pthread)\.so\.\d+|ld-linux.*")
HERE = os.path.dirname(os.path.abspath(__file__))
PEER = os.path.join(HERE, "..", "..", "bench", "peers", "plugin.py")
SMALL = ("chain", "add", "branches", "dense", "log", "quantized", "signatures")    # of make_models --cli
# Subsets cut by the host; zero points; scales for blocks; nodes behind variables of the host's.
REAL = ("float/hand_landmark_sparse", "quant/mlperftiny_kws_int8", "quant/qwen_fc_blockwise_quantized", "float/lyra_old_lyragan")


def said(*command, env=None):
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    return done.returncode, done.stdout + done.stderr


def library(path):
    names = {line.split()[-1] for line in said("nm", "-D", "--defined-only", path)[1].splitlines()}
    check("it exports its two functions alone", names == NAMES, names)
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", said("readelf", "-d", path)[1])
    check("it needs nothing but the C library", needed and all(SYSTEM.fullmatch(n) for n in needed), needed)


def create(path, *pairs):
    """(whether there is a delegate, what it said), made and destroyed again."""
    lib, text = ctypes.CDLL(path), []
    hear = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(lambda t: text.append(t.decode()))
    keys, values = ((ctypes.c_char_p * len(pairs))(*(p[i].encode() for p in pairs)) for i in (0, 1))
    lib.tflite_plugin_create_delegate.restype = ctypes.c_void_p
    lib.tflite_plugin_create_delegate.argtypes = [type(keys), type(values), ctypes.c_size_t, type(hear)]
    lib.tflite_plugin_destroy_delegate.argtypes = [ctypes.c_void_p]
    delegate = lib.tflite_plugin_create_delegate(keys, values, len(pairs), hear)
    lib.tflite_plugin_destroy_delegate(delegate)
    return delegate is not None, text


def options(path):
    for pair, word in [(("no_such_option", "1"), "no_such_option"),
                       (("gpu_precision", "fp8"), "fp16_storage"),
                       (("gpu_device", "many"), "gpu_device"),
                       (("min_nodes_per_partition", "-1"), "min_nodes_per_partition"),
                       (("log_to", "nowhere"), "stderr"),
                       (("gpu_io", "buffer"), "gpu_io"),
                       (("gpu_wait_type", "none"), "gpu_wait_type"),
                       (("gpu_variant", "conv:no_such"), "no_such")]:
        there, text = create(path, pair)
        check(f"{pair[0]}={pair[1]} is refused with one message", not there and len(text) == 1 and word in text[0], text)
    there, text = create(path, *[("gpu_device", "-1")] * 257)
    check("257 options are too many", not there and "257" in "".join(text), text)


def gpu(path):
    """Whether it can be opened here, with many options at once."""
    there, text = create(path, ("gpu_precision", "fp32"), ("gpu_quant", "exact"), ("dynamic_batch", "true"), ("log", "errors"),
                         ("max_delegated_partitions", "3"), ("gpu_wait_type", "active"))
    if there:
        check("a delegate with six options", not text, text)
        there, text = create(path, ("gpu_context", "adopt"))
        check("no context can be adopted", not there and "no EGL context is current" in "".join(text), text)
        there = True
    else:
        not_run("gpu", f"the plugin on the GPU: {text}")
    env = dict(os.environ, __EGL_VENDOR_LIBRARY_FILENAMES="/nonexistent")
    script = f"import sys; sys.path.insert(0, {HERE!r}); import plugin_test; print(plugin_test.create({path!r}))"
    code, text = said(sys.executable, "-c", script, env=env)
    check("without a driver it says so", code == 0 and text.startswith("(False, [") and "GPU" in text, text)
    return there


def caller(path):
    """A program with a context of its own: adopted, shared with, and left alone; its buffers as outputs and inputs."""
    with tempfile.TemporaryDirectory() as tmp:
        program = os.path.join(tmp, "caller")
        source = os.path.join(HERE, "..", "..", "testdata", "external", "caller.c")
        code, text = said(os.environ.get("CC", "cc").split()[-1], "-O1", "-o", program, source, "-lepoxy", "-ldl", "-pthread")
        check("testdata/external/caller.c is compiled", code == 0, text)
        for mode in ("adopt", "share"):
            code, text = said(program, path, mode)
            if code == 77:
                not_run("surfaceless", f"gpu_context={mode}: EGL has no context without a surface here")
            else:
                check(f"gpu_context={mode}: the caller's context and buffers", code == 0, text)
        code, text = said(program, path, "own")
        right = code == 77 or (code == 1 and "is no buffer of" in text)
        check("a context of its own knows no buffers of the program's", right, text)


def python_with_wheel():
    if importlib.util.find_spec("ai_edge_litert"):
        return sys.executable
    other = os.environ.get("PROFILE_PYTHON")
    return other if other and said(other, "-c", "import ai_edge_litert, numpy")[0] == 0 else None


def stored(python, path, models):
    """Starts are stored, found again, and told from those of another graph."""
    with tempfile.TemporaryDirectory() as tmp:
        run = [python, PEER, "--plugin", path]
        run += ["--option", f"delegate_serialize_dir={tmp}", "--option", "delegate_serialize_token=t"]
        seen = []
        for model in (models[0], models[0], models[1]):
            code, text = said(*run, model)
            seen.append({(f, os.stat(os.path.join(tmp, f)).st_size) for f in os.listdir(tmp) if f.startswith("t")})
            check("a graph runs from a stored start", code == 0 and seen[-1], text[-500:])
        check("the same graph is found again, another is none of it", seen[0] == seen[1] and seen[1] < seen[2], seen)


def peer(build, path):
    python = python_with_wheel()
    if not python:
        not_run("ai-edge-litert", "the plugin in TensorFlow Lite, which PROFILE_PYTHON may find (PyPI package ai-edge-litert)")
        return
    with tempfile.TemporaryDirectory() as tmp:
        code, text = said(os.path.join(build, "make_models"), "--cli", tmp)
        check("make_models", code == 0, text)
        small = [os.path.join(tmp, f"{m}.tflite") for m in SMALL]
        for more in ((), ("--option", "outputs=buffer")):
            code, text = said(python, PEER, "--plugin", path, "--quiet", *more, "--small", *small)
            check(f"in TensorFlow Lite small models give what it gives, and more {more}", code == 0, text[-3000:])
        taken = re.search(r"of \d+ models (\d+) have", text)
        check("some of them run on the GPU", taken and int(taken[1]) >= 3, text[-300:])
        for names, ends, words in [("NOPE", 1, "no operator is called 'NOPE'"), ("NEG", 0, "of 1 models 0 have")]:
            code, text = said(python, PEER, "--plugin", path, "--option", f"delegate_only_ops={names}", small[0])
            check(f"delegate_only_ops={names}", code == ends and words in text, text[-500:])
        code, text = said(python, PEER, "--plugin", path, os.path.join(tmp, "counter.tflite"))
        check("what is read of a variable goes to the GPU", code == 0 and "2 partitions" in text, text[-1000:])
        stored(python, path, small[:2])
        real = [f"{os.environ.get('MODELS', '../shared/models')}/{m}.tflite" for m in REAL]
        if all(os.path.isfile(m) for m in real):
            code, text = said(python, PEER, "--plugin", path, "--quiet", *real)
            check("real models give what TensorFlow Lite gives", code == 0 and "4 models 4 have" in text, text[-1000:])
        else:
            not_run("models", f"no {real[0]}: the plugin with real models")


def main():
    build = sys.argv[1]
    path = os.path.abspath(os.path.join(build, "libdelegauge_gpu.so"))
    library(path)
    options(path)
    if gpu(path):
        caller(path)
        peer(build, path)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
