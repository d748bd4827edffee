#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lint_readmes.py - every room has a README.md, and each source file that a README names is there.

A name in backticks that ends as a source file does is looked for in the README's own folder, then from the top of the tree. X
stands for any name; `mine.c` is what a reader writes. Prints one line per finding; exit status 1 if there was any."""
import os
import re
import subprocess
import sys

from lint_rooms import ROOMS, floors

NAMED = re.compile(r"`([\w/.]+\.(?:c|h|def|comp|py|sh|awk|mk))`")
WRITTEN_BY_READERS = ("mine.c", "pelu.c", "pelu.comp")

findings = []
for part in ROOMS:
    for room in floors(part):
        path = os.path.normpath(f"{part}/{room}/README.md")
        if room != "." and not os.path.isfile(path) and os.path.basename(room) not in ("example", "peers"):
            findings.append(f"{path}: there is none")
listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*README.md"], check=True, capture_output=True, text=True)
for path in [f for f in listed.stdout.split() if os.path.isfile(f)]:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for name in sorted(set(NAMED.findall(text))):
        base = os.path.basename(name)
        if "X" in base or base in WRITTEN_BY_READERS or "/" not in path:
            known = "/" not in name or "X" in base or base in WRITTEN_BY_READERS or os.path.isfile(name)
        else:
            known = os.path.isfile(os.path.join(os.path.dirname(path), name)) or os.path.isfile(name)
        if not known:
            findings.append(f"{path}: names {name}, which is not there")
print("\n".join(findings), end="\n" if findings else "")
sys.exit(1 if findings else 0)
