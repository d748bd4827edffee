#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""zoo_test.py BUILD MODELS [FLAG...] - our shaders through the compilers of GPUs that are not here (Mesa's drivers on drm-shim).

For each device of drm_shim.py, as far as its driver is there:

- its limits are those of lib/gl/device/known_devices.c;
- the models on record (float ones and one of 8 bits) are prepared by benchmark_model --dry_run, and each shader is linked alone:
  statistics of the machine code are added up by kernel and variant and held against bench/shaders.txt; a rise of any, or fewer
  invocations at once, is a failure until --record has written the file anew;
- on devices that take turns by the day, all models of MODELS/float and MODELS/quant are prepared;
- on one of them, opcheck compiles the cases of a part of all operators, in default mode, with halves and with each variant.

What the driver refuses, crashes on or does not compile in time is a failure, and so is a shader in whose place another was tried.
Nothing is computed: the devices execute nothing. The last line is "N passed, N failed, N skipped".

  --drivers=DIR    the folder of scripts/package/drm_shim.sh; default: $ZOO, else ~/.cache/delegauge/drivers
  --devices=A,B    these devices alone; they all have their turn
  --small          mali-g52 and adreno-630: the models on record, and some of opcheck's convolutions
  --models=N       so many devices prepare all models; default 2
  --share=K/N      opcheck compiles every Nth operator from the Kth on; default: an eighth, another every day
  --day=N          in place of today's number: which devices and operators have their turn
  --variants       nothing but a table: convolutions of two models by rules, and by each variant of conv
  --record         write bench/shaders.txt anew for these devices, and print what changed
"""
import argparse
import glob
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import drm_shim
import shader_db

HERE = os.path.dirname(os.path.abspath(__file__))
RECORD = os.path.join(HERE, "../../bench/shaders.txt")
KNOWN = os.path.join(HERE, "../../lib/gl/device/known_devices.c")
ON_RECORD = ("float/mobilenet_v1_0.25_224", "float/deeplabv3_257_mv_gpu", "float/pose_landmark_lite", "float/selfie_segmentation",
             "quant/face_landmark_192_int8")
TRIED = (ON_RECORD[0], ON_RECORD[3])
VARIANTS = ("shared", "8x2", "4x2", "4x1", "2x2", "2x1", "1x1")
SMALL = ("mali-g52", "adreno-630")
PRODUCTS = ["--op=conv_2d,depthwise_conv_2d,transpose_conv", "--case=3x3"]
SECONDS = {"model": 60, "shader": 60, "opcheck": 900}
COLUMNS = ("programs",) + shader_db.FIGURES + ("loop", "multiply-adds")
RATIOS = ("loop", "code", "cycles")
HEAD = """# What Mesa's compilers make of the shaders of %s.
# scripts/test/zoo_test.py has the meaning and compares; --record writes. A line for each kernel and variant: code, spills, fills,
# cycles and loop are sums over its programs, registers the most, occupancy the least of any of them; "-" is what nobody says. loop
# is what a pass of the innermost loop with most multiply-adds issues (instructions; on Mali up to G7x pairs of them), and
# multiply-adds are those of the pass: where the machine code is not read, by the variant's tile. Code and cycles per multiply-add
# count what is outside of loops, too.
"""


class Tally:
    """Counts, and lines for people."""

    def __init__(self):
        self.count = {"passed": 0, "failed": 0, "skipped": 0}

    def passes(self, number=1):
        """So many checks passed."""
        self.count["passed"] += number

    def fails(self, text):
        """One failed."""
        self.count["failed"] += 1
        print(f"FAIL {text}", flush=True)

    def skips(self, what, why, number=1):
        """Not run here."""
        self.count["skipped"] += number
        print(f"NOT RUN ({what}): {why}", flush=True)


def run(command, env, seconds):
    """Status and output of a command that may take so many seconds of the processors' time; 124 where it waits for ever."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))

    try:
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=20 * seconds, check=False,
                              preexec_fn=limit)
        return done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired as late:
        return 124, (late.stdout or b"").decode(errors="replace")


def how_it_ended(status, seconds):
    """In words."""
    late = (124, -signal.SIGPROF, -signal.SIGXCPU)
    if status in late:
        return f"not done after {seconds} s of CPU time"
    return f"signal {-status}" if status < 0 else f"status {status}"


class Zoo:
    """One run of the script."""

    def __init__(self, args):
        self.args = args
        self.tally = Tally()
        self.tmp = tempfile.mkdtemp(prefix="zoo")
        self.unpreparable = {}

    def tool(self, name):
        """The path of a program of the build."""
        return os.path.join(self.args.build, name)

    # ---- models ----

    def prepare(self, device, path, dump=None, variant=""):
        """Compiles a model's shaders. True: all went well; False: told; None: it cannot be prepared on any device."""
        command = [self.tool("benchmark_model"), f"--graph={path}", "--use_gpu=true", "--gpu_device=0", "--dry_run=true"]
        command += [f"--dump_shaders={dump}"] if dump else []
        command += [f"--gpu_variant={variant}"] if variant else []
        status, text = run(command, drm_shim.environment(self.args.drivers, device),
                           SECONDS["model"])
        name = os.path.basename(path)
        refused = [line for line in text.splitlines() if "something else is tried" in line]
        if not status and not refused:
            return True
        if status > 0 and status != 124:
            if path not in self.unpreparable:
                self.unpreparable[path] = run([self.tool("benchmark_model"), f"--graph={path}", "--dry_run=true"], None,
                                              SECONDS["model"])[0] != 0
            if self.unpreparable[path]:
                return None
        last = refused or [line for line in text.splitlines() if line.startswith("ERROR")] or [""]
        self.tally.fails(f"{device} {name}: {how_it_ended(status, SECONDS['model']) if status else 'refused'}: {last[-1][:300]}")
        return False

    def all_models(self, device):
        """Prepares each, and tells the slowest."""
        paths = sorted(glob.glob(os.path.join(self.args.models_dir, "float/*.tflite")) +
                       glob.glob(os.path.join(self.args.models_dir, "quant/*.tflite")))
        if not paths:
            self.tally.skips(f"{device} models", f"there are none in {self.args.models_dir}")
            return
        good, skipped, slowest = 0, 0, (0, "")
        for path in paths:
            begin = time.monotonic()
            result = self.prepare(device, path)
            slowest = max(slowest, (time.monotonic() - begin, os.path.basename(path)))
            good += result is True
            skipped += result is None
        self.tally.passes(good)
        self.tally.count["skipped"] += skipped
        print(f"{device:13s} {good} of {len(paths)} models prepared, {skipped} of which no device can be asked; the slowest in "
              f"{slowest[0]:.1f} s: {slowest[1]}", flush=True)

    # ---- shaders ----

    def link(self, device, paths, machine_code=False):
        """What the driver says of each shader: a list of answers of link_shaders.py. Failures are told."""
        paths, answers = list(paths), []
        command = [sys.executable, os.path.join(HERE, "link_shaders.py"), f"--seconds={SECONDS['shader']}"]
        if drm_shim.driver_of(device) in drm_shim.COMPILES_LATE:
            command.append("--dispatch")
        env = drm_shim.environment(self.args.drivers, device)
        if machine_code and drm_shim.driver_of(device) in drm_shim.MACHINE_CODE:
            env.update(drm_shim.MACHINE_CODE[drm_shim.driver_of(device)])
            command.append("--output")
        while paths:
            done = subprocess.run(command + paths[:200], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
            found = [json.loads(line) for line in done.stdout.decode().splitlines() if line.startswith("{")]
            for answer in found:
                answer["loop"] = shader_db.innermost(drm_shim.driver_of(device), answer.pop("output", ""))
            answers += found
            failed = paths[len(found):len(found) + 1] if len(found) < len(paths[:200]) else []
            paths = paths[len(found) + len(failed):]
            for path in failed:
                self.tally.fails(f"{device} {os.path.basename(path)}: {how_it_ended(done.returncode, SECONDS['shader'])}")
            if not found and done.returncode == 3:
                return answers
        for answer in answers:
            if not answer["linked"]:
                self.tally.fails(f"{device} {answer['file']}: refused: {answer['log'][:300]}")
        return answers

    def statistics(self, device, models=ON_RECORD, variant=""):
        """Sums by kernel and variant over these models; None where one is not there."""
        dump = os.path.join(self.tmp, device)
        os.makedirs(dump, exist_ok=True)
        for model in models:
            path = os.path.join(self.args.models_dir, model + ".tflite")
            if not os.path.exists(path):
                self.tally.skips(f"{device} record", f"there is no {path}")
                return None
            if self.prepare(device, path, dump, variant):
                self.tally.passes()
        rows = {}
        for answer in self.link(device, sorted(glob.glob(os.path.join(dump, "*.comp"))), True):
            figures = shader_db.parse(drm_shim.driver_of(device), answer["said"])
            if answer["linked"] and not figures:
                self.tally.fails(f"{device} {answer['file']}: the driver gives no statistics: {' | '.join(answer['said'])[:200]}")
            elif figures:
                add(rows, shader_db.kind_of(answer["file"]), figures, answer["loop"])
                self.tally.passes()
        shutil.rmtree(dump)
        return rows

    def best_variant(self, device):
        """Prints what the rules' convolutions take per multiply-add, and what the best variant takes that spills nothing."""
        found = {}
        for variant in ("",) + VARIANTS:
            rows = self.statistics(device, TRIED, variant and f"conv:{variant}") or {}
            rows = [row for kind, row in rows.items() if kind.startswith("conv-") and row["multiply-adds"] and
                    (not variant or kind == f"conv-{variant}")]
            if rows:
                name = "loop" if all("loop" in row["said"] for row in rows) else "code"
                cost = sum(row[name] for row in rows) / sum(row["multiply-adds"] for row in rows)
                found[variant] = (sum(row["spills"] for row in rows) > 0, cost, sum(row["programs"] for row in rows), name)
        for variant, (spills, cost, programs, name) in found.items():
            print(f"{device:13s} conv {variant or 'by rules':9s} {programs:3d} programs, {name} {cost:6.2f} per multiply-add"
                  f"{', spills' if spills else ''}", flush=True)
        best = min((v for v in found if v), key=lambda v: found[v], default=None)
        if best and "" in found:
            print(f"{device:13s} rules take {found[''][1] / found[best][1]:.2f} of the best, conv {best}", flush=True)

    def compare(self, device, rows, version, record):
        """Holds sums against the record, if the same driver made it."""
        if not record.get(device):
            self.tally.fails(f"{device}: bench/shaders.txt has no line of it: --record adds them")
            return
        if record[device][0] != version:
            self.tally.skips(f"{device} record", f"it is of {record[device][0]}, here is {version}")
            return
        old = record[device][1]
        for kind in sorted(set(old) | set(rows)):
            worse = differences(old.get(kind), rows.get(kind))
            if worse:
                self.tally.fails(f"{device} {kind}: {worse}; if it is to be so: --record")
            else:
                self.tally.passes()

    # ---- opcheck ----

    def opcheck(self, device, which):
        """Compiles some cases, as flags of opcheck choose them."""
        late = drm_shim.driver_of(device) in drm_shim.COMPILES_LATE
        dump = os.path.join(self.tmp, "opcheck")
        os.makedirs(dump, exist_ok=True)
        command = [self.tool("opcheck"), "--gpu", "--compile_only", "--device=0", "--modes=default,variants,halves"] + which
        command += [f"--dump_shaders={dump}"] if late else []
        begin = time.monotonic()
        status, text = run(command, drm_shim.environment(self.args.drivers, device), SECONDS["opcheck"])
        last = text.splitlines()[-1:] or [""]
        for line in [line for line in text.splitlines() if line.startswith("FAIL")][:40]:
            print(f"{device}: {line[:400]}")
        words = last[0].replace(",", "").split()
        if len(words) == 6 and words[1::2] == ["passed", "failed", "skipped"]:
            for number, what in zip(words[::2], words[1::2]):
                self.tally.count[what] += int(number)
            if status and words[2] == "0":
                self.tally.fails(f"{device} opcheck: {how_it_ended(status, SECONDS['opcheck'])}")
        else:
            self.tally.fails(f"{device} opcheck: {how_it_ended(status, SECONDS['opcheck'])}: {last[0][:300]}")
        print(f"{device:13s} opcheck {' '.join(which)}: {last[0]} in {time.monotonic() - begin:.0f} s", flush=True)
        if late:
            answers = self.link(device, sorted(glob.glob(os.path.join(dump, "*.comp"))))
            self.tally.passes(sum(a["linked"] for a in answers))
            print(f"{device:13s} opcheck's shaders: {len(answers)} compiled at a dispatch", flush=True)
        shutil.rmtree(dump)


def sum_of(a, b):
    """Their sum."""
    return a + b


def add(rows, kind, figures, loop):
    """One program to the sums of its kind; `loop` of shader_db.innermost()."""
    row = rows.setdefault(kind, dict.fromkeys(COLUMNS, 0) | {"occupancy": 1 << 30, "said": set()})
    row["programs"] += 1
    row["multiply-adds"] += loop[1] if loop else shader_db.multiply_adds(kind)
    figures = dict(figures, loop=loop[0]) if loop else figures
    row["said"] |= set(figures)
    for name, value in figures.items():
        row[name] = {"registers": max, "occupancy": min}.get(name, sum_of)(row[name], value)


def shown(row, name):
    """A figure as the record has it."""
    if name in shader_db.FIGURES + ("loop",) and name not in row["said"]:
        return "-"
    return f"{row[name]:.1f}" if name == "cycles" else str(row[name])


def ratio(row, name):
    """A sum per multiply-add, or "-"."""
    return f"{row[name] / row['multiply-adds']:.2f}" if row["multiply-adds"] and name in row["said"] else "-"


def differences(old, new):
    """What is worse, as text; "" if nothing."""
    if old is None or new is None:
        return "is not on record" if old is None else "is on record, and no program has it any more"
    found = []
    for name in shader_db.FIGURES + ("loop",):
        was, now = old[COLUMNS.index(name)], shown(new, name)
        if "-" in (was, now):
            found += [f"{name} {was} -> {now}"] if was != now else []
        elif float(now) < float(was) if name == "occupancy" else float(now) > float(was):
            found.append(f"{name} {was} -> {now}")
    return ", ".join(found)


def read_record():
    """From each device to the driver's version and, by kind, the columns."""
    record = {}
    if os.path.exists(RECORD):
        for line in open(RECORD, encoding="utf-8"):
            if line.startswith("## "):
                device, version = line[3:].strip().split(": ", 1)
                record[device] = (version, {})
            elif line.strip() and not line.startswith("#"):
                device, kind, *columns = line.split()
                if device in record:
                    record[device][1][kind] = columns
    return record


def columns_of(row):
    """The columns of a row of the record."""
    return [shown(row, name) for name in COLUMNS] + [ratio(row, name) for name in RATIOS]


def write_record(record):
    """The devices in the order of drm_shim.py."""
    names = COLUMNS + tuple(f"{name}/madd" for name in RATIOS)
    with open(RECORD, "w", encoding="utf-8") as file:
        file.write(HEAD % ", ".join(os.path.basename(m) for m in ON_RECORD))
        for device in (d for d in drm_shim.DEVICES if d in record):
            version, rows = record[device]
            file.write(f"\n## {device}: {version}\n")
            file.write(f"{'# device':13s} {'kernel':33s} " + " ".join(f"{n:>11s}" for n in names).rstrip() + "\n")
            for kind in sorted(rows):
                file.write(f"{device:13s} {kind:33s} " + " ".join(f"{c:>11s}" for c in rows[kind]).rstrip() + "\n")


def parse_args():
    """The command line."""
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("models_dir")
    cache = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "delegauge/drivers")
    parser.add_argument("--drivers", default=os.environ.get("ZOO") or cache)
    parser.add_argument("--devices", default="")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--models", type=int, default=2)
    parser.add_argument("--share", default="")
    parser.add_argument("--day", type=int, default=int(time.time() // 86400))
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--variants", action="store_true")
    args = parser.parse_args()
    unknown = [d for d in args.devices.split(",") if d and d not in drm_shim.DEVICES]
    if unknown:
        parser.error(f"no such device: {', '.join(unknown)}; there are {', '.join(drm_shim.DEVICES)}")
    return args


def chosen(args, tally):
    """The devices of this run whose drivers are there."""
    wanted = [d for d in args.devices.split(",") if d] or list(SMALL if args.small else drm_shim.DEVICES)
    lacking = {d: drm_shim.lacks(args.drivers, d) for d in wanted}
    for device in (d for d in wanted if lacking[d]):
        tally.skips(device, f"{args.drivers} has no {lacking[device]}: sh scripts/package/drm_shim.sh {args.drivers} builds it")
    return [d for d in wanted if not lacking[d]]


def told_by(args, device):
    """Names and limits, as the driver tells them; None without a context."""
    status, text = run([sys.executable, os.path.join(HERE, "link_shaders.py"), "--limits"],
                       drm_shim.environment(args.drivers, device), SECONDS["shader"])
    told = next((json.loads(line) for line in text.splitlines() if line.startswith("{")), None)
    return None if status else told


def version_of(told):
    """Renderer and driver, without the version of the kernel here, which some renderers have."""
    return f"{told['renderer'].split(', DRM')[0]}{')' if ', DRM' in told['renderer'] else ''}, {told['version']}"


def check_limits(device, known, told, tally):
    """Holds the table's row against the driver."""
    wrong = [f"{name} {a}, the driver says {b}" for name, a, b in zip(drm_shim.ROW, known, told) if a != b]
    if wrong or len(known) != len(told):
        tally.fails(f"{device} in known_devices.c: {', '.join(wrong)}")
    else:
        tally.passes()


def main():
    """Device after device."""
    zoo = Zoo(parse_args())
    args, tally = zoo.args, zoo.tally
    devices = chosen(args, tally)
    record = read_record()
    known = drm_shim.known_devices(KNOWN)
    if args.variants:
        for device in devices:
            zoo.best_variant(device)
        devices = []
    turns = devices if args.devices else [devices[(args.day + i) % len(devices)] for i in range(min(args.models, len(devices)))]
    for device in devices:
        told = told_by(args, device)
        if not told:
            tally.fails(f"{device}: no context on it")
            continue
        version = version_of(told)
        if device in known:
            check_limits(device, known[device], drm_shim.row_of(told), tally)
        rows = zoo.statistics(device)
        if rows is not None and args.record:
            new = {kind: columns_of(row) for kind, row in rows.items()}
            old = record.get(device, (None, {}))[1]
            for kind in sorted(k for k in set(old) | set(new) if old.get(k) != new.get(k)):
                print(f"{device} {kind}: {' '.join(old.get(kind, ['none']))} -> {' '.join(new.get(kind, ['none']))}")
            record[device] = (version, new)
        elif rows is not None:
            zoo.compare(device, rows, version, record)
        print(f"{device:13s} {version}: {sum(r['programs'] for r in (rows or {}).values())} programs, "
              f"{sum(r['spills'] for r in (rows or {}).values())} spills", flush=True)
    if args.record:
        write_record(record)
    for device in [] if args.small else turns[:args.models]:
        zoo.all_models(device)
    if args.small:
        for device in devices:
            zoo.opcheck(device, PRODUCTS)
    elif turns and not args.record:
        zoo.opcheck(turns[0], [f"--share={args.share or str(args.day % 8 + 1) + '/8'}"])
    shutil.rmtree(zoo.tmp)
    print(f"{tally.count['passed']} passed, {tally.count['failed']} failed, {tally.count['skipped']} skipped")
    return tally.count["failed"] > 0 or (not tally.count["passed"] and not tally.count["skipped"])


if __name__ == "__main__":
    sys.exit(main())
