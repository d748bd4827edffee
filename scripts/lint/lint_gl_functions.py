#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lib/gl/device/functions.def and egl_functions.def list the functions of OpenGL ES and EGL that lib/gl calls, each once and no
others; those of OpenGL ES, and of EGL those of 1.4 and then its extensions, in alphabetical order."""
import re
import sys
from pathlib import Path

FOLDER = Path("lib/gl")

sources = [f for f in FOLDER.glob("*/*.c") if not f.name.endswith("_test.c") and not f.name.startswith("test_")]
text = "\n".join(f.read_text() for f in sources)
bad = False
for prefix, name in (("gl", "functions.def"), ("egl", "egl_functions.def")):
    called = set(re.findall(rf"\b{prefix}([A-Z]\w*)\(", text))
    listed = re.findall(r"^E?GL_(FUNCTION|EXTENSION)\((\w+)\)$", (FOLDER / "device" / name).read_text(), re.MULTILINE)
    names = {function for _, function in listed}
    for function in sorted(called ^ names):
        print(f"lib/gl/device/{name}: {prefix}{function} is {'called nowhere' if function in names else 'not listed'}")
    if listed != sorted(set(listed), key=lambda row: (row[0] != "FUNCTION", row[1])):
        print(f"lib/gl/device/{name}: names are not in alphabetical order, each once")
        bad = True
    bad |= called != names
sys.exit(bad)
