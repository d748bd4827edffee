#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants one error at a time and asks whether the tests see it.

  mutants.py [--build DIR] [--jobs N] [--list] [--only NAME[,NAME...]] [--fast] [LIST]

LIST (testdata/mutants) holds entries, a blank line between them:

  mutant gemm-drops-a-channel                            its name
  why    the integer product leaves out input channels   what nobody would notice
  in     multiply_tile                                   the function or table; gemm_tile.c:run where several have its name
  check  build/opcheck --op=conv --cpu                   the quick check that must see it; what it needs is built before
  needs  gpu                                             (optional) skipped where there is no GPU
  - k < groups; k++                                      text that stands exactly once in it
  + k + 1 < groups; k++                                  what takes its place; "+" alone: nothing

"file PATH" in place of "in" is for text of no function: it stands exactly once in that file. In place of in, - and +, "delete
PATTERN" removes the files that match (a glob from the root; at least one must), and
"delete PATTERN:MEMBERS" from archives the members that match.

Works in a copy of the tree under DIR (build/mutants), built there once and then as far as each error asks. First every check is
run without an error and must pass. An error that its check does not see goes through the whole `make check-built`, unless --fast.
An entry whose text does not stand exactly once, or that does not compile, is as bad as a survivor: it shows nothing. Exit status 0
only when every error was seen. The environment's CC, MODELS and REQUIRE_GPU count; ccache is used where it is installed.
"""
import argparse
import fnmatch
import io
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from pathlib import Path

BUILD_SECONDS, CHECK_SECONDS, WHOLE_SECONDS = 1800, 300, 3600
FIELDS = ("mutant", "why", "in", "file", "check", "needs", "delete", "-", "+")


def read_list(path):
    """The entries, as dicts by FIELDS; a list that cannot be read ends the run."""
    mutants, m = [], None
    for number, line in enumerate(Path(path).read_text().splitlines() + [""], 1):
        if line.startswith("#"):
            continue
        if not line.strip():
            if m:
                mutants.append(checked(m, f"{path}:{number}"))
            m = None
            continue
        field, _, value = line.partition(" ")
        m = {} if m is None else m
        if field not in FIELDS or field in m:
            sys.exit(f"{path}:{number}: \"{field}\" is no field or given twice")
        m[field] = value if field in "-+" else value.strip()
    names = [m["mutant"] for m in mutants]
    for name in names:
        if names.count(name) > 1:
            sys.exit(f"{path}: two mutants are called {name}")
    return mutants


def checked(m, where):
    missing = [f for f in ("mutant", "why", "check") if not m.get(f)]
    if "delete" not in m:
        missing += [f for f in ("-", "+") if f not in m] + (["in"] if "in" not in m and "file" not in m else [])
    if missing:
        sys.exit(f"{where}: {m.get('mutant', 'an entry')} lacks {', '.join(missing)}")
    return m


def tracked(root):
    """Paths of the tree's files: git's, with new ones that it does not ignore; without git, everything but build folders."""
    command = ["git", "ls-files", "-z", "-co", "--exclude-standard"]
    git = subprocess.run(command, cwd=root, capture_output=True, check=False) if shutil.which("git") else None
    if git and git.returncode == 0:
        paths = [p for p in git.stdout.decode().split("\0") if p]
    else:
        paths = [str(p.relative_to(root)) for p in Path(root).rglob("*") if p.is_file()]
        paths = [p for p in paths if not p.startswith(("build/", ".git/"))]
    return [p for p in paths if os.path.isfile(os.path.join(root, p))]


def copy_tree(root, tree):
    """Makes `tree` (but for its build folder) the same as `root`; files that are equal keep their times, so make skips them."""
    wanted = set(tracked(root))
    for p in sorted(wanted):
        source, target = Path(root, p), Path(tree, p)
        if target.is_file() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        shutil.copymode(source, target)
    for p in tree.rglob("*"):
        name = str(p.relative_to(tree))
        if p.is_file() and not name.startswith("build/") and name not in wanted:
            p.unlink()


def run(command, tree, log, seconds):
    """The exit status of a shell command in `tree`, its output in the file `log`; 124 where it took too long."""
    with open(log, "w") as out:
        child = subprocess.Popen(command, shell=True, cwd=tree, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            return child.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            return 124


def strip_archive(path, members):
    """Writes a tar archive anew without the members that match; returns how many these are."""
    with tarfile.open(path) as archive:
        parts = [(m, archive.extractfile(m).read()) for m in archive if m.isfile()]
    kept = [(m, data) for m, data in parts if not fnmatch.fnmatch(m.name, members)]
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:
        for member, data in kept:
            archive.addfile(member, io.BytesIO(data))
    return len(parts) - len(kept)


MACRO, FUNCTION, TABLE = re.compile(rb"#define (\w+)"), re.compile(rb"(\w+)\("), re.compile(rb"(\w+)(?:\[[^\]]*\])*(?: =|;)")
# A macro; or lines that begin at the left margin up to one that ends with ";" or a closing brace at the left margin.
BLOCK = re.compile(rb"^(?:#define \w+(?:.*\\\n)*.*\n|(?!#|/|\*|\}|\s)[^\n;]*"
                   rb"(?:;\n|(?:\n(?!\n|\}|/\*)[^\n]*)*\n(?:\{\n(?:[^}].*\n|\n)*)?\}.*\n))", re.M)


def blocks(text):
    """(name, start, end) of each function, table and macro at the top level of a C or GLSL file."""
    found = []
    for m in BLOCK.finditer(text):
        head = m.group().split(b"\n{", 1)[0]
        kind = MACRO if head.startswith(b"#define") else TABLE if b" = " in head.split(b"(")[0] else FUNCTION
        name = kind.search(head)
        if name:
            found.append((name.group(1).decode(), m.start(), m.end()))
    return found


_places = {}


def places(root):
    """From the name of a function, table or macro, and from FILE:NAME, to (path, start, end) of all that are called so."""
    if root not in _places:
        index = _places[root] = {}
        for path in tracked(root):
            if path.endswith((".c", ".h", ".comp")) and not path.endswith("_test.c"):
                for name, start, end in blocks(Path(root, path).read_bytes()):
                    for key in (name, f"{os.path.basename(path)}:{name}"):
                        index.setdefault(key, []).append((path, start, end))
    return _places[root]


def target(m, root):
    """(path, start, end) of the text that a mutant changes, None; or None, why there is none."""
    if "in" in m:
        where = places(root).get(m["in"], [])
        if len(where) != 1:
            return None, f"{len(where)} functions, tables or macros are called {m['in']}"
        path, start, end = where[0]
    else:
        path, start, end = m["file"], 0, None
        if not Path(root, path).is_file():
            return None, f"there is no {path}"
    text, old = Path(root, path).read_bytes(), m["-"].encode()
    n = text[start:end].count(old)
    if n != 1:
        return None, f"its text stands {n} times in {m.get('in') or path} ({path})"
    start += text[start:end].index(old)
    return (path, start, start + len(old)), None


def misfit(m, root):
    """Why the text of a mutant cannot be planted in the tree under root; None where it can."""
    return None if "delete" in m else target(m, root)[1]


class Planter:
    def __init__(self, root, base, jobs):
        self.root, self.base, self.tree = root, base, base / "tree"
        self.tree.mkdir(parents=True, exist_ok=True)
        self.log = base / "log"
        self.log.mkdir(exist_ok=True)
        makefile = self.tree / "Makefile"
        before = makefile.read_bytes() if makefile.is_file() else b""
        copy_tree(root, self.tree)
        if makefile.read_bytes() != before:   # objects made with other flags
            shutil.rmtree(self.tree / "build", ignore_errors=True)
        self.whole = None
        cc = os.environ.get("CC") or "cc"
        if shutil.which("ccache") and "ccache" not in cc:
            cc = "ccache " + cc
        models = os.path.abspath(os.path.join(root, os.environ.get("MODELS") or "../shared/models"))
        self.make = f"make -j{jobs} --no-print-directory CC={shlex.quote(cc)} MODELS={shlex.quote(models)}"
        os.environ["MODELS"] = models

    def build(self, check, name):
        """Builds what a check names: its words that begin with build/, else everything the tests need."""
        goals = [w for w in check.split() if w.startswith("build/")] or ["all"]
        return run(f"{self.make} {' '.join(goals)}", self.tree, self.log / f"{name}.build", BUILD_SECONDS)

    def check(self, check, name):
        return run(check, self.tree, self.log / f"{name}.check", CHECK_SECONDS)

    def check_all(self, name):
        return run(f"{self.make} check-built", self.tree, self.log / f"{name}.whole", WHOLE_SECONDS)

    def whole_passes(self, was):
        """Whether the whole check passes without an error, asked once; takes the planted error out."""
        for path, text in was.items():
            path.write_bytes(text)
        if self.whole is None:
            self.whole = self.check_all("baseline") == 0
        return self.whole

    def plant(self, m):
        """Plants the error; returns (None, files with what they held) or (why it cannot be, None)."""
        if "delete" in m:
            return self.delete(*m["delete"].partition(":")[::2])
        where, wrong = target(m, self.root)
        if wrong:
            return wrong, None
        path = self.tree / where[0]
        text = path.read_bytes()
        path.write_bytes(text[:where[1]] + m["+"].encode() + text[where[2]:])
        return None, {path: text}

    def delete(self, pattern, members):
        """Removes files, or members of archives; returns as plant does."""
        was = {p: p.read_bytes() for p in self.tree.glob(pattern) if p.is_file()}
        gone = 0
        for path in was:
            if members:
                gone += strip_archive(path, members)
            else:
                path.unlink()
                gone += 1
        return (None, was) if gone else (f"nothing matches {pattern} {members}", None)

    def try_one(self, m, fast):
        """What became of one mutant: (seen, how)."""
        name = m["mutant"]
        wrong, was = self.plant(m)
        if wrong:
            return False, f"no longer applies: {wrong}"
        try:
            if self.build(m["check"], name):
                return False, f"does not build: see {self.log / (name + '.build')}"
            status = self.check(m["check"], name)
            if status:
                return True, "took too long" if status == 124 else "seen"
            if fast:
                return False, f"SURVIVED its check: {m['check']}"
            if not self.whole_passes(was):
                return False, f"SURVIVED its check, and the whole `make check` fails without it: see {self.log / 'baseline.whole'}"
            self.plant(m)
            if self.check_all(name):
                return True, f"seen by the whole `make check` only, not by: {m['check']}"
            return False, "SURVIVED the whole `make check`"
        finally:
            for path, text in was.items():
                path.write_bytes(text)


def baseline(planter, mutants):
    """The checks that fail without any error: they would see everything."""
    bad = set()
    for check in sorted({m["check"] for m in mutants}):
        if planter.build(check, "baseline"):
            print((planter.log / "baseline.build").read_text()[-2000:])
            print(f"without an error this does not build: {check}", flush=True)
            bad.add(check)
        elif planter.check(check, "baseline"):
            print((planter.log / "baseline.check").read_text()[-2000:])
            print(f"without an error this fails: {check}", flush=True)
            bad.add(check)
    return bad


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--build", default="build/mutants")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("file", nargs="?", default="testdata/mutants")
    args = parser.parse_args()
    root = Path(__file__).resolve().parents[2]
    mutants = read_list(args.file)
    if args.only:
        mutants = [m for m in mutants if m["mutant"] in args.only.split(",")]
        if not mutants:
            sys.exit(f"no mutant is called {args.only}; --list prints them")
    if args.list:
        for m in mutants:
            print(f"{m['mutant']:34} {m.get('in') or m.get('file') or m.get('delete')}: {m['why']}")
        return 0
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "BUILD", "OP", "SAN"):   # the outer make's are not for the copy
        os.environ.pop(name, None)
    planter = Planter(root, Path(args.build).resolve(), args.jobs)
    planter.build("all", "gpu")
    skipped = []
    if any(m.get("needs") == "gpu" for m in mutants) and planter.check("build/benchmark_model --list_gpus", "gpu"):
        skipped = [m for m in mutants if m.get("needs") == "gpu"]
        if os.environ.get("REQUIRE_GPU", "") not in ("", "0"):
            print(f"FAIL {len(skipped)} mutants need a GPU and there is none (REQUIRE_GPU=1)")
            return 1
        mutants = [m for m in mutants if m not in skipped]
    bad = baseline(planter, mutants)
    passed, failed = 0, 0
    for m in mutants:
        start = time.monotonic()
        if m["check"] in bad:
            seen, how = False, f"its check fails without it: {m['check']}"
        else:
            seen, how = planter.try_one(m, args.fast)
        passed, failed = passed + seen, failed + (not seen)
        print(f"{'ok  ' if seen else 'FAIL'} {m['mutant']:34} {how} ({time.monotonic() - start:.0f} s)", flush=True)
    for m in skipped:
        print(f"skip {m['mutant']:34} needs a GPU")
    print(f"{passed} passed, {failed} failed" + (f", {len(skipped)} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
