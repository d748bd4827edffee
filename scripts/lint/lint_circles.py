#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lint_circles.py [--edges] - no more than MOST source files form a circle, in which each calls another of them.

A file calls another if it names a function that only the other defines. It reads text: a function behind a pointer, and a table
that the linker finds (kernels, kinds), is no edge. EXPLAINED holds the circles that are larger: a file, how many files, the reason.
Prints a line per finding, with --edges all calls within large circles; exit status 1 if there was a finding."""
import re
import subprocess
import sys

MOST = 5

# One file of the circle -> its files at most, and what keeps it together.
EXPLAINED = {
}

TEXT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
FUNCTION = re.compile(r"^(?!static|typedef|#|extern)[A-Za-z_][\w \*]*?\b(\w+)\([^;{}]*\)\s*\n\{", re.M)
STATIC = re.compile(r"^static [^;{}()=]*?\b(\w+)\(", re.M)
WORD = re.compile(r"\b[a-z_]\w*\b")


def call_graph():
    """From each file to those that it calls, and by which names."""
    listed = subprocess.run(["git", "ls-files", "lib", "cmd", "kernels_cpu", "kernels_gl", "schema", "bench"],
                            check=True, capture_output=True, text=True).stdout.split()
    files = [f for f in listed if f.endswith(".c") and not f.endswith(("_test.c", "_fuzz.c")) and "/testing/" not in f]
    text, owners = {}, {}
    for path in files:
        with open(path, encoding="utf-8") as file:
            text[path] = TEXT.sub(" ", file.read())
        for name in FUNCTION.findall(text[path]):
            owners.setdefault(name, set()).add(path)
    graph = {}
    for path in files:
        calls = graph.setdefault(path, {})
        for name in set(WORD.findall(text[path])) - set(STATIC.findall(text[path])):
            for owner in owners.get(name, ()) if len(owners.get(name, ())) == 1 else ():
                if owner != path:
                    calls.setdefault(owner, set()).add(name)
    return graph


def circles(graph):
    """Sets of files that reach each other, by Tarjan's algorithm."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in graph[node]:
            if other not in number:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == number[node]:
            circle = set(stack[stack.index(node):])
            del stack[stack.index(node):]
            found.append(circle)

    for node in graph:
        if node not in number:
            visit(node)
    return found


def main():
    """Compares every circle with what is allowed."""
    sys.setrecursionlimit(10000)
    graph, bad = call_graph(), False
    for circle in sorted(circles(graph), key=len, reverse=True):
        known = [k for k in EXPLAINED if k in circle]
        most = max([MOST] + [EXPLAINED[k][0] for k in known])
        if len(circle) > most or (known and len(circle) < most):
            bad = True
            print(f"a circle of {len(circle)} files instead of {most}: {' '.join(sorted(circle))}")
        if "--edges" in sys.argv and len(circle) > MOST:
            for a in sorted(circle):
                for b in sorted(circle & set(graph[a])):
                    print(f"{a} > {b}: {' '.join(sorted(graph[a][b]))}")
    return bad


if __name__ == "__main__":
    sys.exit(main())
