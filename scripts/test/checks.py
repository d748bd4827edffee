# SPDX-License-Identifier: Apache-2.0
"""What the test scripts in Python count: a line for each failure, "NOT RUN" for what is missing, and the sums at the end."""

passed, failed, skipped = [], [], []


def check(what, ok, why=""):
    (passed if ok else failed).append(what)
    if not ok:
        print(f"FAIL {what}" + (f": {why}" if why != "" else ""))


def not_run(what, why):
    skipped.append(what)
    print(f"NOT RUN ({what}): {why}")


def finish():
    """Prints the sums; returns the exit status."""
    print(f"{len(passed)} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed else 0
