# SPDX-License-Identifier: Apache-2.0
"""Readers of coverage: gcov's JSON, Verilator's points, what no configuration elaborates.

Each returns a Coverage: how often a line ran, and how often each branch was taken, by file.
"""

import json
import os
import re
import subprocess
from collections import defaultdict
from pathlib import Path


class CoverageError(Exception):
    """Data that is missing or cannot be read."""


class Coverage:
    """Counts of lines and branches."""

    def __init__(self):
        self.lines = defaultdict(dict)      # file: {line: count}
        self.branches = defaultdict(dict)   # file: {(line, which): [count, ...]}
        self.notes = {}                     # (file, line): why it counts as not covered

    def add_line(self, name, line, count):
        """Count a line; a line that was never seen exists from now on."""
        lines = self.lines[name]
        lines[line] = lines.get(line, 0) + count

    def add_branches(self, name, key, counts):
        """Count the branches of one place; key is (line, anything)."""
        places = self.branches[name]
        old = places.get(key)
        places[key] = counts if old is None else [a + b for a, b in zip(old, counts)]

    def missing(self, name):
        """Numbers of the lines that never ran."""
        return sorted(n for n, count in self.lines[name].items() if not count)


def output_of(command, tree, env=None):
    """The standard output of a command that must succeed."""
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False, env=env)
    if done.returncode:
        raise CoverageError(f"{' '.join(command[:4])} ...: exit code {done.returncode}: "
                            f"{done.stderr.strip()[:400]}")
    return done.stdout


def read_gcov(tree, folders, builds):
    """C coverage of the sources of the folders, from all objects of the builds.

    A line and a place with branches of a later build count only as far as they agree with the
    first, so that a build with other macros adds its own lines and doubles nothing.
    """
    total = Coverage()
    for build in builds:
        found = sorted(str(path.relative_to(tree))
                       for path in (Path(tree) / build / "obj").glob("**/*.gcno"))
        if not found:
            raise CoverageError(f"{tree}/{build}: nothing was built for gcov")
        text = output_of([os.environ.get("GCOV", "gcov"), "--json-format", "--stdout",
                          "--branch-probabilities", *found], tree)
        part = Coverage()
        for document in text.splitlines():
            for entry in json.loads(document)["files"]:
                name = entry["file"]
                if not name.startswith(tuple(f + "/" for f in folders)):
                    continue
                for line in entry["lines"]:
                    part.add_line(name, line["line_number"], line["count"])
                    counts = [branch["count"] for branch in line["branches"]]
                    if counts:
                        key = (line["line_number"], line.get("function_name"), len(counts))
                        part.add_branches(name, key, counts)
        for name, lines in part.lines.items():
            known = set(total.lines[name])
            for (line, *rest), counts in part.branches[name].items():
                if line not in known or (line, *rest) in total.branches[name]:
                    total.add_branches(name, (line, *rest), counts)
            for line, count in lines.items():
                total.add_line(name, line, count)
    for folder in folders:
        for path in sorted((Path(tree) / folder).glob("*.c")):
            if not total.lines.get(f"{folder}/{path.name}"):
                raise CoverageError(f"{folder}/{path.name}: no object of it was built for gcov")
    return total


def ranges(text):
    """The numbers of 3-5,9."""
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def add_points(total, path, names):
    """Add one of Verilator's data files; points of other files than names do not count."""
    seen = 0
    for text in Path(path).read_text(encoding="utf-8").splitlines():
        if not text.startswith("C '"):
            continue
        body, _, count = text[3:].rpartition("' ")
        point = dict(item.split("\x02", 1) for item in body.split("\x01") if item)
        if point["f"] not in names:
            continue
        seen += 1
        for line in ranges(point.get("S", "")):
            total.add_line(point["f"], line, int(count))
        if point["o"] != "block":
            key = (int(point["l"]), int(point["n"]), point["o"], point.get("S", ""))
            total.add_branches(point["f"], key, [int(count)])
    if not seen:
        raise CoverageError(f"{path}: no point of the RTL")


def active_lines(tree, verilator):
    """{file: {line: text}} of what Verilator sees of the sources: no comments, its branch of each
    `ifdef, the text as it is in the source."""
    found = defaultdict(dict)
    name, number = None, 0
    sources = {}
    for text in output_of([verilator, "-E", "-f", "rtl/egret.f"], tree).splitlines():
        mark = re.match(r'`line (\d+) "([^"]*)"', text)
        if mark:
            number, name = int(mark.group(1)), mark.group(2)
            if name not in sources and (Path(tree) / name).is_file():
                raw = (Path(tree) / name).read_text(encoding="utf-8")
                sources[name] = [line.split("//")[0] for line in raw.split("\n")]
            continue
        if text.strip() and name in sources and number <= len(sources[name]):
            found[name][number] = sources[name][number - 1]
        number += 1
    return found


# What stands on a line that does nothing itself.
IDLE = re.compile(r"\b(begin|end|else|generate|endgenerate|endmodule)\b(\s*:\s*\w+)?|[\s();]")


def blocks(lines):
    """[(label, first, last)]: labelled blocks and modules of one file's active lines."""
    found, open_blocks = [], []
    word = re.compile(r"\b(begin|end|module|endmodule)\b(?:\s*:?\s*(\w+))?")
    for number in sorted(lines):
        for match in word.finditer(re.sub(r'"[^"]*"', '""', lines[number])):
            kind, label = match.groups()
            if kind in ("begin", "module"):
                labelled = kind == "module" or ":" in match.group(0)
                open_blocks.append((label if labelled else None, number))
            else:
                label, first = open_blocks.pop()
                if label:
                    found.append((label, first, number))
    return found


def elaborated(program):
    """Names of the modules and labels of the blocks of a program for vvp, with their files:
    {(label, file)} and {module}."""
    labels, modules, files = set(), set(), []
    in_files = False
    scope = re.compile(r'\.scope (\w+)[\w.]*, "([^"]*)" "([^"]*)" (\d+) \d+')
    places = []
    for text in Path(program).read_text(encoding="utf-8", errors="replace").splitlines():
        if in_files:
            files.append(text.strip().rstrip(";").strip('"'))
        in_files = in_files or text.startswith(":file_names")
        match = scope.search(text)
        if match and match.group(1) == "module":
            modules.add(match.group(3))
        elif match:
            places.append((match.group(3).partition("[")[0], int(match.group(4))))
    for label, index in places:
        labels.add((label, files[index]))
    if not modules:
        raise CoverageError(f"{program}: no scopes")
    return labels, modules


def read_rtl(tree, data, programs, verilator="verilator"):
    """RTL coverage: the points of all data files, merged; blocks and modules that none of the
    programs for vvp (one a configuration) has; always blocks without a point."""
    listing = (Path(tree) / "rtl" / "egret.f").read_text(encoding="utf-8")
    names = re.findall(r"^(\S+\.v)\s*$", listing, re.M)
    active = active_lines(tree, verilator)
    names = [name for name in dict.fromkeys([*names, *active]) if name in active]
    if not names or not data or not programs:
        raise CoverageError(f"{tree}: no modules, no data of Verilator or no elaboration")
    total = Coverage()
    for path in data:
        add_points(total, path, set(names))
    labels, modules = set(), set()
    for program in programs:
        some_labels, some_modules = elaborated(program)
        labels |= some_labels
        modules |= some_modules
    for name in names:
        lines = active[name]
        known = [label for label, _, _ in blocks(lines)]
        twice = {label for label in known if known.count(label) > 1}
        if twice:
            raise CoverageError(f"{name}: two blocks named {', '.join(sorted(twice))}: "
                                "which one is elaborated cannot be told")
        for label, first, last in blocks(lines):
            is_module = bool(re.search(r"\bmodule\b", lines[first]))
            if label in modules if is_module else (label, name) in labels:
                continue
            what = "module" if is_module else "block"
            for number in range(first + 1, last):
                if number in lines and IDLE.sub("", lines[number]):
                    total.lines[name].setdefault(number, 0)
                    total.notes.setdefault((name, number),
                                           f"no configuration has {what} {label}")
        for number, text in lines.items():
            if re.search(r"\balways\b", text) and not procedure_has_point(total, name, number):
                total.lines[name].setdefault(number, 0)
                total.notes.setdefault((name, number), "Verilator counts nothing here")
    return total


def procedure_has_point(total, name, number):
    """True if a point covers the line of an always, or the line after it."""
    return number in total.lines[name] or number + 1 in total.lines[name]
