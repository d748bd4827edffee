#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds JSON reports of the tools against their schema, and the schema against its own rules.

  json_check.py SCHEMA [--complete] REPORT...

The rules of the schema: every object lists all of its members and requires each; every number says its unit in x-unit, beside it or
beside the reference to it. Of the reports: each fits, by a validator that is given nothing but the one file; sums are sums, and no
time was cut to whole microseconds. With --complete, every member of the schema must have been seen in some report with something
other than null: a part of the schema that no test reaches says nothing.

The schema is compiled (fastjsonschema), since reports of large models have megabytes; what does not fit is then told by jsonschema,
which also holds the schema against its draft. Where this python3 has not both, the system's is asked. Prints a line per problem,
then "N passed, N failed". Exit status 0 where nothing failed, 77 where one of the two modules is missing.
"""
import json
import os
import sys

SYSTEM = "/usr/bin/python3"

try:
    import fastjsonschema
    import jsonschema
except ImportError:
    if sys.executable != SYSTEM and os.path.exists(SYSTEM):     # a venv's may be a link to it, and has other modules
        os.execv(SYSTEM, [SYSTEM, *sys.argv])
    sys.exit(77)

ON_SOME_MACHINES = {"environment/governor", "environment/load_average", "environment/commit", "environment/adb",
                    "environment/delegate/precision/why", "environment/delegate/precision/by",
                    "measurement/plausible/peak_half_gflops", "measurement/machine/advice[]"} | {
    f"machine_state/{key}" for key in ("cpu_mhz", "cpu_max_mhz", "hottest_celsius", "hottest_zone", "throttled", "load_average",
                                       "quota_stopped_ms")}
# Where runtimes_test.py makes reports.
OF_RUNTIMES = ("environment/delegate/library", "inference_diff/reference_runtime", "inference_diff/loads", "matrix[]/first_wrong",
               "matrix[]/runs_on")


def kinds(schema):
    kind = schema.get("type", [])
    return {kind} if isinstance(kind, str) else set(kind)


def rule_problems(schema, where="#"):
    """What is against the rules in one schema and those within it."""
    if kinds(schema) & {"number", "integer"} and not schema.get("x-unit"):
        yield f"{where}: a number without x-unit"
    if schema.get("$ref") == "#/$defs/stats" and not schema.get("x-unit"):
        yield f"{where}: stats without the x-unit of their samples"
    if "properties" in schema and where != "#":
        if schema.get("additionalProperties") is not False:
            yield f"{where}: an object that allows other members"
        if sorted(schema.get("required", [])) != sorted(schema["properties"]):
            yield f"{where}: required and properties name different members"
    for key, part in schema.get("properties", {}).items():
        yield from rule_problems(part, f"{where}/{key}")
    for key, part in schema.get("$defs", {}).items():
        yield from rule_problems(part, f"{where}/$defs/{key}")
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield from rule_problems(schema[key], f"{where}/{key}")
    for part in schema.get("anyOf", []):
        yield from rule_problems(part, where)


def first_run(report):
    """The time of the first run of all; None where there is none, or none that was waited for by itself."""
    times, unwaited = report["times_us"], report["measurement"]["unwaited"]
    runs = times["warmup"]["samples"] + ([] if unwaited else times["inference"]["samples"])
    return runs[0] if runs else None


def figure_problems(report):
    """What a schema cannot say: how figures of one report hang together."""
    times = report.get("times_us")
    if times:
        init = times["load"] + times["open_delegate"] + times["prepare"]
        if abs(times["init"] - init) > 1e-6 * init:
            yield f"times_us: init is {times['init']}, its parts add up to {init}"
        first = first_run(report)
        if times["first_inference"] != first:
            yield f"times_us: first_inference is {times['first_inference']}, the first run took {first}"
    for where, part in walk(report):
        if {"other", "total"} <= part.keys():
            parts = sum(value for key, value in part.items() if key != "total")
            if abs(parts - part["total"]) > 1e-6 * part["total"] or part["other"] < 0:
                yield f"{where}: total is {part['total']}, its parts add up to {parts}, of which {part['other']} is other"
        if {"delegated", "cpu", "folded"} <= part.keys():
            if part["node_count"] != part["delegated"] + part["cpu"] + part["folded"]:
                yield f"{where}: node_count is not delegated + cpu + folded"
            if part["partitioning"]:
                in_partitions = sum(len(p["nodes"]) for p in part["partitioning"]["partitions"])
                if in_partitions != part["delegated"] or len(part["partitioning"]["not_delegated"]) != part["cpu"]:
                    yield f"{where}: the partitions do not hold what is counted as delegated"
        if "samples" in part:
            if len(part["samples"]) != part["count"]:
                yield f"{where}: count is not the number of samples"
            if part["count"] and (part["first"], part["last"]) != (part["samples"][0], part["samples"][-1]):
                yield f"{where}: first and last are not those of the samples"
            if "_us" in where and part["count"] > 2 and all(x == int(x) > 0 for x in part["samples"]):
                yield f"{where}: times cut to whole microseconds"


def walk(part, where=""):
    """All objects; lists of samples have millions of numbers, which are none."""
    if isinstance(part, dict):
        yield where, part
        for key, value in part.items():
            yield from walk(value, f"{where}/{key}")
    elif isinstance(part, list):
        for value in part:
            if isinstance(value, (dict, list)):
                yield from walk(value, f"{where}[]")


def visit(value, schema, root, where, seen):
    """Adds the members of the schema that a report has with something other than null, as members() spells them."""
    if "$ref" in schema:
        where = schema["$ref"].removeprefix("#/$defs/")
        schema = root["$defs"][where]
    if value is None:
        return
    seen.add(where)
    for part in schema.get("anyOf", []):
        visit(value, part, root, where, seen)
    for key, part in schema.get("properties", {}).items():
        visit(value[key], part, root, f"{where}/{key}", seen)
        if value[key] is not None:
            seen.add(f"{where}/{key}")
    if isinstance(schema.get("items"), dict):
        items = value if {"$ref", "anyOf", "properties", "items"} & schema["items"].keys() else value[:1]
        for item in items:
            visit(item, schema["items"], root, f"{where}[]", seen)


def members(schema, where):
    """Every member that a schema describes, by definition: those behind a reference count there."""
    for key, part in schema.get("properties", {}).items():
        yield f"{where}/{key}"
        yield from members(part, f"{where}/{key}")
    if isinstance(schema.get("items"), dict):
        yield from members(schema["items"], f"{where}[]")


def once(pairs):
    """An object whose members have names of their own: readers differ in which of two they take."""
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f'"{name}" stands twice in one object')
    return dict(pairs)


def check(schema, reports, complete):
    problems = {"schema": list(rule_problems(schema))}
    seen = set()
    slow = jsonschema.validators.validator_for(schema)(schema)
    try:
        slow.check_schema(schema)
    except jsonschema.SchemaError as e:
        problems["schema"].append(e.message)
    fits = fastjsonschema.compile(schema)
    for path in reports:
        found = problems[path] = []
        try:
            with open(path, encoding="utf-8") as f:
                report = json.load(f, object_pairs_hook=once)
            fits(report)
            found += figure_problems(report)
            visit(report, schema["$defs"][report["tool"]], schema, report["tool"], seen)
        except fastjsonschema.JsonSchemaException as e:
            wrong = jsonschema.exceptions.best_match(slow.iter_errors(report))
            found.append(f"/{'/'.join(map(str, wrong.absolute_path))}: {wrong.message[:300]}" if wrong else str(e))
        except ValueError as e:
            found.append(f"no JSON: {e}")
    if complete and not any(problems.values()):
        described = {m for name, part in schema["$defs"].items() for m in members(part, name)}
        problems["schema"] += [f"no report has {m}" for m in sorted(described - seen - ON_SOME_MACHINES)
                               if not m.startswith(("adb", *OF_RUNTIMES))]
    return problems


def main():
    args = [a for a in sys.argv[1:] if a != "--complete"]
    if len(args) < 2:
        sys.exit(__doc__)
    with open(args[0], encoding="utf-8") as f:
        schema = json.load(f)
    problems = check(schema, args[1:], "--complete" in sys.argv)
    for name, found in problems.items():
        for problem in found:
            print(f"{name}: {problem}")
    failed = sum(bool(found) for found in problems.values())
    print(f"{len(problems) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
