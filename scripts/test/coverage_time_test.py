#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""coverage_time_test.py BUILD MODELS - what op_coverage's answers take.

The default answer about any file of MODELS takes less than 100 ms of CPU time and loads no GL. About models of 20,000 operators
(make_models --large) an answer takes less than ten seconds, and less than thirty times what 2,000 of them take: what grows with
the square of the operators takes a hundred times as much. By a rule set, where little else takes time, operators with inputs of
their own take as long as those that share one. CPU time depends on who else uses the machine, so of several tries the least
counts. The last line counts.
"""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile

ANSWER_SECS = 0.1
LARGE_SECS = 10
GROWTH = 30
OWN_INPUT = 1.6
TRIES = 6
GROWING = ("chain", "striped", "fan", "quotients", "dilated", "pads", "identities", "reshapes", "transposes", "joins",
           "folded", "wide")
LARGE = (
    *((name, ["--rules=tflite-gpu"]) for name in ("chain", "striped", "fan", "quotients", "dilated")),
    *((name, ["--rules=tflite-gpu-2019", "--fix=fixed.tflite"]) for name in ("chain", "striped", "fan", "quotients", "dilated")),
)


def cpu_seconds(command: list[str]) -> tuple[float, subprocess.CompletedProcess]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done


class Test:
    def __init__(self, tool: str) -> None:
        self.tool, self.passed, self.failed = tool, 0, 0

    def hold(self, what: str, arguments: list[str], limit: float, statuses: tuple[int, ...], tries: int) -> None:
        least = float("inf")
        while tries and least >= limit:
            secs, done = cpu_seconds([self.tool, *arguments])
            least, tries = min(least, secs), tries - 1
        if least < limit and done.returncode in statuses:
            self.passed += 1
            return
        self.failed += 1
        print(f"FAIL {what}: {least:.3f} s of CPU time, status {done.returncode}, {done.stderr.decode(errors='replace')[:200]}")

    def grows(self, name: str) -> None:
        small, large, tries, status = float("inf"), float("inf"), 3, 0
        while tries and large >= min(GROWTH * small, LARGE_SECS):
            small = min(small, cpu_seconds([self.tool, f"{name}_small.tflite"])[0])
            secs, done = cpu_seconds([self.tool, f"{name}.tflite"])
            large, tries, status = min(large, secs), tries - 1, done.returncode
        if large < min(GROWTH * small, LARGE_SECS) and status in (0, 1):
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAIL {name}: {large:.3f} s of CPU time, status {status}; ten times fewer operators {small:.3f} s")

    def inputs_are_found_at_once(self) -> None:
        rules, shared, own, tries = ["--rules=tflite-gpu"], float("inf"), float("inf"), TRIES
        while tries and own >= OWN_INPUT * shared:
            shared = min(shared, cpu_seconds([self.tool, *rules, "fan.tflite"])[0])
            own, tries = min(own, cpu_seconds([self.tool, *rules, "wide.tflite"])[0]), tries - 1
        if own < OWN_INPUT * shared:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAIL wide: {own:.3f} s of CPU time, {shared:.3f} s with one input alone")

    def loads_no_gl(self, model: str) -> None:
        environment = {**os.environ, "LD_DEBUG": "files"}
        done = subprocess.run([self.tool, model], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, check=False)
        loaded = [name for name in (b"libEGL", b"libGLES", b"_dri.so", b"libgallium") if name in done.stderr]
        if done.returncode == 0 and b"libc.so" in done.stderr and not loaded:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAIL {model}: status {done.returncode}, loads {loaded}")


def main() -> None:
    build, models = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    test, skipped = Test(str(build / "op_coverage")), 0
    files = sorted(models.rglob("*.tflite"))
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([build / "make_models", "--large", folder], stdout=subprocess.DEVNULL, check=True)
        os.chdir(folder)
        for name, arguments in LARGE:
            test.hold(f"{name} {' '.join(arguments)}", [*arguments, f"{name}.tflite"], LARGE_SECS, (0, 1), 2)
        for name in GROWING:
            test.grows(name)
        test.inputs_are_found_at_once()
        test.loads_no_gl("chain.tflite")
    for file in files:
        test.hold(str(file), [str(file)], ANSWER_SECS, (0, 2), TRIES)
    if not files:
        skipped = 1
        print(f"NOT RUN (models): {models} holds none")
    print(f"{test.passed} passed, {test.failed} failed, {skipped} skipped")


if __name__ == "__main__":
    main()
