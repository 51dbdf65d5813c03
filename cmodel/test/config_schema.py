#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/config.schema.json and the reader agree on every key, range and name.

For each property of the schema a file is made that has it, and what it needs around, at the ends of
its range, one beyond either end, with each name, and with a wrong type. What the schema allows the
reader may refuse for another reason than type, range or name; what it forbids the reader must
refuse for one of these. Ends with RESULT pass=N fail=M.
"""

import json
import os
import subprocess
import sys
import tempfile

EGRET = os.environ.get("EGRET", "build/bin/egret")
FORM = ("wrong type", "out of range", "is none of", "unknown", "no configuration", "more than",
        "is missing")
# Keys that an item or section needs beside the one under test.
AROUND = {
    "groups": {"id": 0, "scheme": "flowlet", "members": [0, 1]},
    "groups.members": {"port": 0},
    "classes.opcodes": {"opcode": 0, "flags": 0},
    "ports": {"port": 0},
    "schedules": {"row": 0, "slots": [0]},
    "routes": {"prefix": "10.0.0.0/8", "group": 0},
}
tests = {True: 0, False: 0}


def check(good, text):
    """Count one check."""
    tests[bool(good)] += 1
    if not good:
        print(f"FAIL: {text}")


def run(document, folder):
    """The reader's message, empty if it takes the file."""
    path = os.path.join(folder, "x.yaml")
    with open(path, "w", encoding="ascii") as f:
        json.dump(document, f)  # JSON is YAML
    done = subprocess.run([EGRET, "config", "validate", path], capture_output=True, text=True,
                          check=False)
    if done.returncode not in (0, 2):
        check(False, f"{document}: exit code {done.returncode}")
    return done.stderr if done.returncode else ""


def document(path, key, value):
    """A file with `key` of section `path` set to a value."""
    inner = dict(AROUND.get(".".join(path), {}))
    if key in ("mode", "SAI_ARS_ATTR_MODE"):
        inner.pop("scheme")
    inner[key] = value
    for depth in range(len(path), 0, -1):
        name = ".".join(path[:depth])
        item = name in AROUND
        around = dict(AROUND.get(".".join(path[:depth - 1]), {}))
        around[path[depth - 1]] = [inner] if item else inner
        inner = around
    return inner


def probes(prop):
    """Values that the schema allows, and values that it forbids."""
    if "oneOf" in prop:
        good, bad = [], []
        for one in prop["oneOf"]:
            more, less = probes(one)
            good += more
            bad += [v for v in less if not isinstance(v, (dict, str))]
        return good, [v for v in bad if v not in good] + ["no such word"]
    if "const" in prop:
        return [prop["const"]], []
    if "enum" in prop:
        names = prop["enum"]
        if isinstance(names[0], int):
            return names, [names[-1] * 2, 3, -1, "a"]
        return names, ["no such word", names[0] + "x", names[0].upper() + "X"]
    kind = prop.get("type")
    if kind == "integer":
        low, high = prop["minimum"], prop["maximum"]
        return [low, high], [low - 1, high + 1, "a", True, [1], {"a": 1}]
    if kind == "boolean":
        return [True, False], ["yes please", 2, [True]]
    if kind == "array":
        good, bad = probes(prop["items"]) if "enum" in prop["items"] or \
            prop["items"].get("type") == "integer" else ([], [])
        most = prop.get("maxItems")
        # Long lists only of what may stand there twice, so that length alone is the matter.
        longer = [[good[0]] * (most + 1)] if most and good and not prop.get("uniqueItems") else []
        full = [[good[0]] * most] if longer else []
        return [[v] for v in good] + full, [[v] for v in bad] + longer + [3, {"a": 1}]
    if kind == "string":
        return [], [[1], {"a": 1}]
    if kind == "object":
        return [], [3, [1], "a"]
    return [], []


def walk(schema, path, folder):
    """All properties of an object."""
    check(schema.get("additionalProperties") is False, f"{path}: other keys are allowed")
    name = ".".join(path)
    message = run(document(path, "nosuchkey", 1), folder)
    check("unknown key 'nosuchkey'" in message, f"{name}: an unknown key: {message}")
    for key in schema.get("required", []):
        around = document(path, key, 0)
        inner = around
        for part in path:
            inner = inner[part][0] if isinstance(inner[part], list) else inner[part]
        inner.pop(key)
        message = run(around, folder)
        check(f"{key} is missing" in message, f"{name}: without {key}: {message}")
    for key, prop in schema["properties"].items():
        good, bad = probes(prop)
        for value in good:
            message = run(document(path, key, value), folder)
            check(not any(form in message for form in FORM) or "hardware" in message,
                  f"{name}.{key} = {value}: {message.strip()}")
        for value in bad:
            message = run(document(path, key, value), folder)
            check(any(form in message for form in FORM),
                  f"{name}.{key} = {value}: taken, or: {message.strip()}")
        inner = prop.get("items", prop)
        for one in inner.get("oneOf", [inner]):
            if one.get("type") == "object":
                walk(one, path + [key], folder)


def main():
    """Reads the committed schema; the command's own is compared in cli_config.sh."""
    with open("docs/config.schema.json", encoding="ascii") as f:
        schema = json.load(f)
    with tempfile.TemporaryDirectory() as folder:
        walk(schema, [], folder)
    print(f"RESULT pass={tests[True]} fail={tests[False]}")
    return tests[False] > 0 or tests[True] == 0


if __name__ == "__main__":
    sys.exit(main())
