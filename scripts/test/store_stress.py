#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stored starts under fire: many benchmark_models share a folder and are killed at random; then its files are damaged.

  store_stress.py [--build build] [--seconds 120] [--processes 8] [--damage 40] [--seed 1] [MODEL...]

Each process runs a model on the GPU with --delegate_serialize_dir, in a folder whose bound is too small for all models, so that
entries are thrown out too; about half of them are killed (SIGKILL) at a random moment. Those that end must end well, with the
bytes that a run without stored starts puts out, and without a word about a damaged entry. Afterwards, --damage times, a random
file of the folder, of the driver's cache too, is cut or has a bit flipped: the outputs must still be right. Without MODEL, the
demo networks and tiny models of make_models. The last line is "N passed, N failed, N skipped"; without a GPU all is skipped.
Exit status 1 where anything failed.
"""
import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

# Words in warnings about stored starts; of these only that others use all the room is in order.
ABOUT_STARTS, NO_ROOM = ("stored", "anew", "damaged", "another", ".dgs"), "may be kept there"
NO_GPU = 3


class Stress:
    """One folder, and what became of the processes that used it."""

    def __init__(self, args, folder):
        self.args, self.folder, self.n = args, folder, 0
        self.store = folder / "store"
        self.store.mkdir()
        self.right = {}
        self.seen, self.wrong = Counter(), []

    def command(self, model, out, stored=True):
        """The command line of a quick run; its outputs and report are OUT.bin and OUT.json. Several words, so several entries of
        what is the same: more than the folder holds."""
        flags = [f"--graph={model}", "--use_gpu", "--num_runs=1", "--min_secs=0", "--warmup_runs=0", "--warmup_min_secs=0",
                 f"--output_filepath={out}.bin", f"--json={out}.json"]
        if stored:
            flags += [f"--delegate_serialize_dir={self.store}", f"--delegate_serialize_token=word{self.n % 3}",
                      f"--delegate_serialize_max_mb={self.args.max_mb}"]
        return [f"{self.args.build}/benchmark_model", *flags]

    def start(self, model, stored=True):
        """A process under way: (Popen, model, the stem of its files)."""
        self.n += 1
        out = self.folder / f"run{self.n}"
        with open(f"{out}.err", "w", encoding="utf-8") as err:
            done = subprocess.Popen(self.command(model, out, stored), stdout=subprocess.DEVNULL, stderr=err)
        return done, model, out

    def look(self, process, model, out, damaged=False):
        """Judges a process that has ended, and removes its files. Of a damaged folder it may warn, once."""
        said = Path(f"{out}.err").read_text(encoding="utf-8", errors="replace")
        if process.returncode == -signal.SIGKILL:
            self.seen["killed"] += 1
        elif process.returncode:
            self.wrong.append(f"{model.stem}: exit status {process.returncode}: {said.strip()}")
        else:
            self.seen["ended"] += 1
            start = json.loads(Path(f"{out}.json").read_text(encoding="utf-8"))["delegate_start"]
            self.seen["warm"] += start["nodes_lowered"] == 0
            if Path(f"{out}.bin").read_bytes() != self.right.get(model):
                self.wrong.append(f"{model.stem}: other outputs than without stored starts; {said.strip()}")
        told = [line for line in said.splitlines() if NO_ROOM not in line and any(text in line for text in ABOUT_STARTS)]
        self.seen["told"] += len(told)
        if process.returncode == 0 and len(told) > damaged:
            self.wrong.append(f"{model.stem}: " + "; ".join(told))
        for suffix in ("err", "bin", "json"):
            Path(f"{out}.{suffix}").unlink(missing_ok=True)

    def reference(self, model):
        """The outputs of a run without stored starts; the exit status."""
        process, _, out = self.start(model, stored=False)
        if process.wait() == 0:
            self.right[model] = Path(f"{out}.bin").read_bytes()
        else:
            print(Path(f"{out}.err").read_text(encoding="utf-8", errors="replace"), end="", file=sys.stderr)
        return process.returncode

    def fire(self, models, rng):
        """Processes that begin, end and are killed."""
        end, running = time.monotonic() + self.args.seconds, []
        while running or time.monotonic() < end:
            while len(running) < self.args.processes and time.monotonic() < end:
                kill_at = time.monotonic() + rng.uniform(0, 2) if rng.random() < 0.5 else float("inf")
                running.append((*self.start(rng.choice(models)), kill_at))
            for item in list(running):
                process, model, out, kill_at = item
                if time.monotonic() >= kill_at and process.poll() is None:
                    process.kill()
                    process.wait()
                if process.poll() is not None:
                    running.remove(item)
                    self.look(process, model, out)
            time.sleep(0.01)

    def damage(self, models, rng):
        """A random file of the folder is no longer what it was."""
        for _ in range(self.args.damage):
            files = sorted(p for p in self.store.rglob(rng.choice(("*.dgs", "*"))) if p.is_file() and p.stat().st_size)
            victim = rng.choice(files)
            data = bytearray(victim.read_bytes())
            if rng.random() < 0.3:
                data = data[:rng.randrange(len(data))]
            else:
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            victim.unlink()
            victim.write_bytes(data)
            process, model, out = self.start(rng.choice(models))
            process.wait()
            self.look(process, model, out, damaged=True)
            self.seen["damaged"] += 1


def make_models(build, folder):
    """Small networks of different size."""
    subprocess.run([f"{build}/make_models", "--cli", folder / "tiny"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([f"{build}/make_models", folder / "demo"], check=True, stdout=subprocess.DEVNULL)
    names = ["tiny/chain", "tiny/log", "demo/mobilenet_v2_1.0_224", "demo/deeplabv3_mnv2_257"]
    return [folder / f"{name}.tflite" for name in names]


def main():
    """Prints what happened."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.environ.get("BUILD", "build"))
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--damage", type=int, default=40)
    parser.add_argument("--max_mb", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("models", nargs="*", type=Path)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    os.nice(10)
    with tempfile.TemporaryDirectory() as tmp:
        stress = Stress(args, Path(tmp))
        models = args.models or make_models(args.build, Path(tmp))
        for model in models:
            if (code := stress.reference(model)) == NO_GPU:
                print("0 passed, 0 failed, 1 skipped")
                return 0
            if code:
                return 1
        stress.fire(models, rng)
        fired = stress.seen.copy()
        for model in models:
            process, _, out = stress.start(model)
            process.wait()
            stress.look(process, model, out)
        stress.damage(models, rng)
        megabytes = sum(p.stat().st_size for p in stress.store.glob("*.dgs")) / 1e6
        left = Counter(p.suffix == ".dgs" for p in stress.store.iterdir() if p.is_file())
    print(f"{fired['ended']} ended, {fired['warm']} of them warm, {fired['killed']} killed; then {stress.seen['damaged']} files "
          f"damaged, {stress.seen['told']} of them told; {left[True]} entries of {megabytes:.0f} MB and {left[False]} other files "
          f"left; seed {args.seed}")
    for line in stress.wrong[:20]:
        print(f"WRONG {line}")
    if not fired["warm"] or not fired["killed"]:
        stress.wrong.append("too little happened")
        print(f"WRONG {stress.wrong[-1]}")
    print(f"{stress.seen['ended']} passed, {len(stress.wrong)} failed, 0 skipped")
    return len(stress.wrong) > 0


if __name__ == "__main__":
    sys.exit(main())
