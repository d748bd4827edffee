#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lint_prose.py - comments of headers say nouns: "what", "where" and "those" stand in no more than LIMIT of 10,000 words each.

A relative clause in the place of a noun is hard to read: write "the tolerances", not "what is allowed". Prints a line per word that
stands too often; --files lists the headers by how often they have such words. Exit status 1 if a limit is exceeded."""
import re
import subprocess
import sys

LIMIT = {"what": 30, "where": 30, "those": 30}

TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', re.S)


def int64_half(path):
    """The words of a header's comments, in lower case."""
    with open(path, encoding="utf-8") as file:
        comments = [t for t in TOKEN.findall(file.read()) if t[0] == "/"]
    return re.findall(r"[a-z']+", " ".join(comments).lower())


listed = subprocess.run(["git", "ls-files", "lib/*.h", "cmd/*.h", "kernels_*/*.h", "bench/*.h", "schema/*.h"], check=True,
                        capture_output=True, text=True).stdout.split()
words = {path: int64_half(path) for path in listed}
total, bad = sum(map(len, words.values())), False
for word, limit in LIMIT.items():
    count = sum(w.count(word) for w in words.values())
    if count * 10000 > limit * total:
        bad = True
        print(f'"{word}": {count * 10000 / total:.0f} of 10,000 words of headers ({count} of {total:,}), at most {limit}')
if "--files" in sys.argv:
    for path in sorted(words, key=lambda p: -sum(words[p].count(w) for w in LIMIT)):
        print(f"{sum(words[path].count(w) for w in LIMIT):4} {len(words[path]):6} {path}")
sys.exit(bad)
