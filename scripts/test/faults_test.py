#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every tool while one call of the C library fails: an allocation, or a step of writing a file.

  faults_test.py [--build=build] [--library=build/libfaults.so] [--most=6] [--all] [--gpu] [--only=WORD] [--show]

A first run of each command counts its calls (faults.c); then each run lets one of them fail, of calls by the same callers only the
first, and --most of these at most, evenly spread; with --all every call by itself, too, and all from each on. Whatever
fails, a tool ends soon and by itself, and either

- says why in one line "ERROR: ..." on standard error, of the right cause, with the exit status of a failure, and leaves every
  output file whole or as it was before; or
- does all that it does otherwise, with the same members in its report, or with a warning of what is left out.

No temporary file stays. Writes that are interrupted or come short must succeed. Besides, files may only grow to some size (a full
disk, standard output too). --gpu adds commands on the GPU. --show prints the callers of calls that failed a check, for addr2line.
make faults builds tools in which each allocation of an arena counts. The last line is "N passed, N failed, N skipped", by runs with
a fault."""

import argparse
import errno
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import checks

ROOT = Path(__file__).resolve().parents[2]
OLD = "what was there before\n"
QUICK = "--num_runs=2 --min_secs=0 --warmup_runs=1 --warmup_min_secs=0 --num_threads=1"
# Name, command, files that it writes.
CASES = [
    ("benchmark", f"benchmark_model m/chain.tflite {QUICK} --enable_op_profiling --json=o.json --html=o.html"
     " --output_filepath=o.bin", "o.json o.html o.bin"),
    ("benchmark loop", f"benchmark_model m/loop.tflite {QUICK} --json=-", ""),
    ("benchmark profile", f"benchmark_model m/branches.tflite {QUICK} --enable_op_profiling --profiling_output_csv_file=o.csv"
     " --result_file_path=o.pb", "o.csv o.pb"),
    ("benchmark delegate", f"benchmark_model m/branches.tflite {QUICK} --use_dummy_delegate --json=o.json", "o.json"),
    ("diff", "inference_diff m/branches.tflite --per_op --json=o.json --html=o.html", "o.json o.html"),
    ("diff models", "inference_diff m/quantized.tflite --reference_model=m/unquantized.tflite --json=o.json", "o.json"),
    ("diff tensors", "inference_diff m/dense.tflite --reference_tensors=r --json=o.json", "o.json"),
    ("coverage", "op_coverage m/branches.tflite --rules=tflite-gpu,ml-drift --json=o.json --html=o.html --dot=o.dot"
     " --markdown=o.md", "o.json o.html o.dot o.md"),
    ("diff repair", "inference_diff m/rms_norm.tflite --num_runs=1 --repair=o.tflite --json=o.json", "o.tflite o.json"),
    ("coverage fix", "op_coverage m/mendable.tflite --rules=tflite-gpu-2019 --fix=o.tflite --json=o.json", "o.tflite o.json"),
    ("compare", "benchmark_compare a.json b.json --json=o.json --html=o.html --markdown=o.md", "o.json o.html o.md"),
    ("classification", "eval_classification d/digits.tflite --ground_truth_images_path=d/few --ground_truth_labels=d/few.txt"
     " --model_output_labels=d/labels.txt --results_csv=o.csv --json=o.json", "o.csv o.json"),
    ("segmentation", "eval_segmentation m/segments.tflite --ground_truth_images_path=p --ground_truth_labels_path=t"
     " --results_csv=o.csv --json=o.json --html=o.html", "o.csv o.json o.html"),
    ("detection", "eval_detection --ground_truth=c/01.truth.json --detections=c/01.found.json --json=o.json --markdown=o.md",
     "o.json o.md"),
    ("gpu benchmark", f"benchmark_model m/add.tflite {QUICK} --use_gpu --delegate_serialize_dir=s --delegate_serialize_token=t"
     " --json=o.json", "o.json"),
    ("gpu diff", "inference_diff m/add.tflite --delegate=gpu --json=o.json", "o.json"),
]
# Kind of call, the error, the words that tell it; "": the call must succeed on a second try.
FAULTS = [
    ("alloc", errno.ENOMEM, "memory"),
    ("open", errno.ENOSPC, os.strerror(errno.ENOSPC)),
    ("write", errno.ENOSPC, os.strerror(errno.ENOSPC)),
    ("write", errno.EIO, os.strerror(errno.EIO)),
    ("write", errno.EINTR, ""),
    ("write", 0, ""),
    ("sync", errno.EIO, os.strerror(errno.EIO)),
    ("close", errno.EIO, os.strerror(errno.EIO)),
    ("rename", errno.EIO, os.strerror(errno.EIO)),
]
# A full disk.
FULL = os.strerror(errno.EFBIG)
SECONDS = 60
LEAKS = ("dl_open", "_dl_")
# What TensorFlow Lite's tool prints before the reason.
BEFORE_IT = re.compile(r"ERROR: (Benchmarking failed|Failed to apply \w+ delegate)\.")
# Members of reports that tell what the machine does beside, and settings of drivers that are taken where there is memory for them.
UNSTEADY = ("advice", "environment")


def members(value, path=""):
    """The paths of a document's members; elements of a list have one path."""
    found = {path}
    if isinstance(value, dict):
        for key, item in value.items():
            if key not in UNSTEADY:
                found |= members(item, f"{path}/{key}")
    elif isinstance(value, list):
        for item in value:
            found |= members(item, path + "/*")
    return found


def document(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


class Case:
    """A command in a folder of its own."""

    def __init__(self, args, common, row):
        self.args, self.common = args, common
        self.name, command, outputs = row
        self.command, self.outputs = command.split(), outputs.split()
        self.folder = Path(tempfile.mkdtemp(dir=common, prefix="run"))
        for item in common.iterdir():
            if not item.name.startswith("run"):
                (self.folder / item.name).symlink_to(item)
        # The C library serves drivers, too, and what these do then is not ours to mend.
        self.libraries = "libcjson" if self.name.startswith("gpu") else "libcjson,libc.so"
        self.before, self.well, self.files = {}, 0, set()

    def run(self, size=None, **faults):
        """The exit status, None where it did not end; its two streams."""
        for name in self.outputs:
            (self.folder / name).write_text(OLD, encoding="utf-8")
        shutil.rmtree(self.folder / "s", ignore_errors=True)
        leaks = int(not self.name.startswith("gpu"))  # drivers have their own
        env = dict(os.environ, LC_ALL="C", ASAN_OPTIONS=f"verify_asan_link_order=0:exitcode=99:detect_leaks={leaks}",
                   LSAN_OPTIONS=f"suppressions={self.common}/leaks:print_suppressions=0",
                   **{f"FAULTS_{key.upper()}": str(value) for key, value in faults.items()})
        limit = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))) if size is not None else None
        if size is None:
            env.update(LD_PRELOAD=str(self.args.library), FAULTS_FROM=self.libraries)
        with open(self.folder / "stdout", "w+b") as out, open(self.folder / "stderr", "w+b") as err:
            try:
                code = subprocess.run([f"{self.args.build}/{self.command[0]}", *self.command[1:]], stdout=out, env=env, check=False,
                                      stderr=subprocess.PIPE if limit else err, cwd=self.folder, timeout=SECONDS, preexec_fn=limit,
                                      restore_signals=not limit)
            except subprocess.TimeoutExpired:
                return None, "", ""
            out.seek(0)
            err.seek(0)
            said = code.stderr if limit else err.read()
            return code.returncode, out.read().decode(errors="replace"), said.decode(errors="replace")

    def texts(self, stdout):
        """What the run put out, by the names of files."""
        texts = {name: (self.folder / name).read_bytes().decode(errors="replace") for name in self.outputs}
        return dict(texts, **({"-": stdout} if "--json=-" in self.command else {}))

    def count(self):
        """Runs without a fault; of each kind the callers of each call."""
        log = self.folder / "log"
        code, out, err = self.run(kind="any", log=log)
        if code not in (0, 1):
            raise RuntimeError(f"{self.name}: exit status {code} without a fault: {err}")
        texts = self.texts(out)
        self.before = {name: members(document(text)) for name, text in texts.items() if document(text)}
        self.well = code
        self.files = set(self.left())
        calls = {kind: [] for kind, *_ in FAULTS}
        for line in log.read_text(encoding="utf-8").splitlines():
            kind, *callers = line.split()
            calls[kind].append(tuple(callers))
        return calls

    def left(self):
        """Files that are in the folder."""
        return [p.name for p in self.folder.iterdir()]

    def torn(self, name, text):
        """Why an output is neither what was there nor whole; ""."""
        if text == OLD:
            return ""
        if not text:
            return f"{name} is empty"
        if name in self.before and not document(text):
            return f"{name} is no JSON"
        if name.endswith(".html") and not text.rstrip().endswith("</html>"):
            return f"{name} ends early"
        return ""

    def judge(self, code, out, err, words):
        """What is wrong with how the tool ended; ""."""
        errors = [line for line in err.splitlines() if line.startswith("ERROR") and not BEFORE_IT.fullmatch(line)]
        odd = [line for line in err.splitlines() if not line.startswith(("ERROR: ", "WARN: "))]
        if code is None:
            return f"does not end within {SECONDS} s"
        if code < 0 or "Sanitizer" in err:
            return f"signal {-code}" if code < 0 else f"exit status {code}, {err[:3000]}"
        if odd:
            return f"exit status {code}, and standard error has {odd[0]!r}"
        if set(self.left()) - self.files - {"s", "log", "stdout", "stderr"}:
            return f"left behind: {set(self.left()) - self.files}"
        texts = self.texts(out)
        if code != self.well:
            texts.pop("-", None)
        for name, text in texts.items():
            if why := self.torn(name, text):
                return f"exit status {code}, {why}"
        if code != self.well:
            return self.judge_failure(code, errors, words)
        return self.judge_success(texts, errors, "WARN: " in err and any(text in err for text in (words, "memory")))

    def judge_failure(self, code, errors, words):
        if code not in (2, 3, 4):
            return f"exit status {code}"
        if not errors or (len(errors) > 1 and words != FULL):
            return f"exit status {code} with {len(errors)} lines of error: {errors}"
        if not words or not all(words in line for line in errors):
            return f"exit status {code}, of another cause or none: {errors}"
        return ""

    def judge_success(self, texts, errors, warned):
        if errors:
            return f"exit status {self.well} with {errors[0]!r}"
        for name, text in texts.items():
            if text == OLD:
                return f"exit status {self.well}, and {name} was not written"
            lost = self.before[name] - members(document(text)) if name in self.before else None
            if lost and not warned:
                return f"exit status {self.well} and no warning, and {name} lacks {sorted(lost)[:4]}"
        return ""

    def chosen(self, calls):
        """The calls that are to fail: the first by each four callers, of which --most."""
        first = {}
        for n, callers in enumerate(calls, 1):
            first.setdefault(callers[:4], n)
        numbers = list(first.values())
        if self.args.all:
            return range(1, len(calls) + 1)
        most = self.args.most
        return numbers if len(numbers) <= most else [numbers[i * len(numbers) // most] for i in range(most)]

    def faults(self):
        """Runs with a fault each: (what, why it is wrong)."""
        counted = self.count()
        for kind, error, words in FAULTS:
            calls = counted[kind]
            for at in self.chosen(calls):
                for on in range(2 if self.args.all and kind in ("alloc", "write") and words else 1):
                    ended = self.run(kind=kind, at=at, on=on, errno=error)
                    what = f"{self.name}: {kind} {at} of {len(calls)}{' and all after it' if on else ''}, " \
                           f"{errno.errorcode.get(error, 'short')}"
                    why = self.judge(*ended, words)
                    callers = f"\n    {' '.join(calls[at - 1])}" if why and self.args.show else ""
                    yield kind, what, why + callers
        for size in (0, 1, 300, 5000) if self.args.all else (0, 300):
            yield "full", f"{self.name}: files of at most {size} bytes", self.judge(*self.run(size=size), FULL)


def prepare(args, folder):
    """What commands read: models m, digits d, boxes c, a picture in p and its labels in t, tensors in r, reports
    a.json and b.json."""
    subprocess.run([f"{args.build}/make_models", "--cli", folder / "m"], check=True, stdout=subprocess.DEVNULL)
    shutil.copytree(ROOT / "testdata/digits", folder / "d")
    shutil.copytree(ROOT / "testdata/coco", folder / "c")
    (folder / "d/few").mkdir()
    for picture in sorted((folder / "d/images").iterdir())[:3]:
        shutil.copy(picture, folder / "d/few")
    truth = (folder / "d/truth.txt").read_text(encoding="utf-8").splitlines()
    (folder / "d/few.txt").write_text("\n".join(truth[:3]) + "\n", encoding="utf-8")
    (folder / "r").mkdir()
    for name, shape, first in (("x", (1, 4), b"\0\0\x80\x3f"), ("y", (1, 3), b"\0\0\x80\x3f")):
        header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
        (folder / f"r/{name}.npy").write_bytes(b"\x93NUMPY\1\0v\0" + header.encode() + first + bytes(4 * shape[1] - 4))
    for name, what, pixel in (("p/0.ppm", "P6", b"~!!"), ("t/0.pgm", "P5", b"\1")):
        (folder / name).parent.mkdir()
        (folder / name).write_bytes(f"{what} 8 8 255\n".encode() + 64 * pixel)
    # Of the loader, which the sanitizer knows by its caller; a library stands between.
    (folder / "leaks").write_text("".join(f"leak:{name}\n" for name in LEAKS), encoding="utf-8")
    for name in "ab":
        subprocess.run([f"{args.build}/benchmark_model", folder / "m/add.tflite", *QUICK.split(), f"--json={folder}/{name}.json"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main():
    """Prints what went wrong, how much of each kind was tried, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--library", type=Path)
    parser.add_argument("--most", type=int, default=6)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--gpu", action="store_true", help="commands on the GPU, too")
    parser.add_argument("--only", default="")
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    args.build = args.build.resolve()
    args.library = (args.library or args.build / "libfaults.so").resolve()
    rows = [row for row in CASES if args.only in row[0]]
    if not args.gpu:
        rows = [row for row in rows if not row[0].startswith("gpu")]
    elif subprocess.run([args.build / "benchmark_model", "--list_gpus"], capture_output=True, check=False).returncode:
        rows = [row for row in rows if not row[0].startswith("gpu")]
        checks.not_run("gpu", "faults of commands on the GPU")
    tried = Counter()
    with tempfile.TemporaryDirectory() as tmp:
        prepare(args, Path(tmp))
        with ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
            for ended in pool.map(lambda row: list(Case(args, Path(tmp), row).faults()), rows):
                for kind, what, why in ended:
                    tried[kind] += 1
                    checks.check(what, not why, why)
    print(f"{len(rows)} commands; " + ", ".join(f"{kind} {n}" for kind, n in tried.items()))
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
