# SPDX-License-Identifier: Apache-2.0
"""Imported first by scripts that ask TensorFlow Lite: ends them with one clear message where a PyPI package is missing."""
import importlib.util
import sys

PACKAGES = {"numpy": "numpy", "flatbuffers": "flatbuffers", "ai_edge_litert": "ai-edge-litert"}   # module: what PyPI calls it

missing = [name for module, name in PACKAGES.items() if importlib.util.find_spec(module) is None]
if missing:
    sys.exit(f"{sys.argv[0]}: {sys.executable} lacks from PyPI: {' '.join(missing)}. To have them:\n"
             f"  python3 -m venv build/venv && build/venv/bin/pip install {' '.join(missing)}\n"
             "and run it with build/venv/bin/python3; with make: PYTHON=build/venv/bin/python3")
