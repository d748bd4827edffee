#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lib/gl/functions.def lists the functions of OpenGL ES that lib/gl calls, in alphabetical order, and no others."""
import re
import sys
from pathlib import Path

FOLDER = Path("lib/gl")

sources = [f for f in FOLDER.glob("*.c") if not f.name.endswith("_test.c") and not f.name.startswith("test_")]
called = {name for f in sources for name in re.findall(r"\bgl([A-Z]\w*)\(", f.read_text())}
listed = re.findall(r"^GL_FUNCTION\((\w+)\)$", (FOLDER / "functions.def").read_text(), re.MULTILINE)
for name in sorted(called ^ set(listed)):
    print(f"lib/gl/functions.def: gl{name} is {'not listed' if name in called else 'called nowhere'}")
if listed != sorted(set(listed)):
    print("lib/gl/functions.def: names are not in alphabetical order, each once")
sys.exit(listed != sorted(called))
