# SPDX-License-Identifier: Apache-2.0
"""The demo's part on traces of other tools: one row a format, RTL and model in lock step.

Each format has a small trace of our own (demo_samples.py, tb/traces), whose ranks, messages and
bytes are known; `egret trace stats` must count these (of a capture `egret trace import --check`,
which alone reads it). Where EGRET_DATA has public files, these have rows, too. A trace becomes the
stimulus of one switch, and the RTL decides it as the model does.
Two stimuli must be equal to another one, byte for byte: GOAL binary to that of GOAL text, and the
frames of a capture to the stimulus that it is a capture of.
"""

from html import escape

import demo_samples

SIZE = "whole"
CONFIG = "lab"
MAX_PACKETS = 20000
# The key of a format, its name.
FORMATS = {"cm": "htsim .cm", "chakra": "Chakra .et", "goal": "GOAL text",
           "goal-binary": "GOAL binary", "hpcc": "HPCC flows", "nccl": "NCCL log",
           "capture": "RoCEv2 capture, messages", "frames": "RoCEv2 capture, --frames"}
ALL_SIMS = ("verilator", "systemc", "icarus")
# What is captured: 4 hosts of an edge send 32 KiB to each of 127 others.
CAPTURED = ["--collective", "alltoall", "--bytes", "32KiB", "--write", "first-middle-last",
            "--topology", "fat-tree:8", "--at", "edge:0", "--scheme", "spray-rr"]
EXPECTED = {**demo_samples.EXPECTED, "goal-binary": demo_samples.EXPECTED["goal"],
            "cm": (16, 88, 44080000),  # two connections for each of 44 pairs; awk adds the sizes up
            "capture": (128, 4 * 127, 4 * 127 * 32768),
            "frames": (128, 4 * 127, 4 * 127 * 32768)}
# format, files in EGRET_DATA, options, switch, scheme, what is known of it
REAL = [("chakra", "chakra/custom_allreduce.*.et", ["--placement", "random"], "fat-tree:4 edge:1",
         "dr", (8, 112, 14680064)),  # a ring: 8 x 2 x 7 sends of 128 KiB
        ("chakra", "chakra/all_to_all.*.et", [], "fat-tree:8 edge:0", "spray-quality",
         (8, 56, 56 * 131072)),
        ("goal", "goal/binary_tree_32.goal", [], "fat-tree:8 edge:0", "dr", (32, 31, 31))]


def plan(files, data):
    """Rows and notes. files: paths by format, data: the folder EGRET_DATA."""
    rows, notes = [], []

    def add(kind, paths, words, switch, scheme, expect, same=None, own=True, sims=("verilator",)):
        topology, at = switch.split()
        name = paths[0].name if len(paths) == 1 else \
            f"{paths[0].name.split('.')[0]}.*.{paths[0].name.rpartition('.')[2]}"
        rows.append({"format": kind, "name": name, "files": [str(path) for path in paths],
                     "make": ["import", *map(str, paths), *words], "topology": topology, "at": at,
                     "scheme": scheme, "config": CONFIG, "sims": list(sims), "own": own,
                     "expect": list(expect), "holds": None, "same_as": same, "same": None,
                     "id": f"trace-{kind}-{'own' if own else name.split('.')[0]}"})

    for kind, words, switch, scheme, same, sims in [
            ("cm", [], "fat-tree:4 edge:2", "spray-rr", None, ("verilator",)),
            ("chakra", [], "fat-tree:8 edge:0", "spray-random", None, ALL_SIMS),
            ("goal", [], "fat-tree:8 agg:0", "dr", None, ("verilator",)),
            ("goal-binary", [], "fat-tree:8 agg:0", "dr", "GOAL text", ("verilator",)),
            ("hpcc", [], "fat-tree:8 edge:1", "flowlet", None, ("verilator",)),
            ("nccl", ["--placement", "random", "--algorithm",
                      "allreduce=ring,allgather=ring,reducescatter=ring"],
             "fat-tree:4 edge:0", "ecmp", None, ("verilator",)),
            ("capture", [], "fat-tree:8 edge:0", "drill", None, ("verilator",)),
            ("frames", ["--frames", "--write", "first-middle-last"], "fat-tree:8 edge:0",
             "spray-rr", "captured", ("verilator",))]:
        add(kind, files[kind], words, switch, scheme, EXPECTED[kind], same, sims=sims)
    for kind, pattern, words, switch, scheme, expect in REAL:
        paths = sorted(data.glob(pattern))
        if paths:
            add(kind, paths, words, switch, scheme, expect, own=False)
        else:
            notes.append(f"SKIP {pattern.rpartition('/')[2]}: not in EGRET_DATA")
    return rows, notes


def judge_row(row, judge_run):
    """What is wrong with one row; judge_run(row, run) is that of demo_report."""
    faults = list(row["faults"])
    if row["holds"] is None:
        faults.append("what it holds was not counted")
    elif row["holds"] != row["expect"]:
        faults.append(f"ranks, messages, bytes are {row['holds']}, not {row['expect']}")
    ran = [run["sim"] for run in row["runs"]]
    faults += [f"no run in {sim}" for sim in row["sims"] if sim not in ran]
    faults += [fault for fault in (judge_run(row, run) for run in row["runs"]) if fault]
    if len(row["sims"]) > 1 and row["logs_equal"] != len(row["sims"]):
        faults.append("logs were not equal in all simulators")
    if row["same_as"] and not row["same"]:
        faults.append(f"its stimulus is not that of {row['same_as']}")
    if SIZE not in row["stats"]:
        return [*faults, "no figures of imbalance"]
    stats = row["stats"][SIZE]
    if row["packets"][SIZE] > MAX_PACKETS:
        faults.append(f"{row['packets'][SIZE]} packets, more than {MAX_PACKETS}")
    if stats["destinations"]["used"] == 0:
        faults.append("no destination had a choice of ports")
    pointer = stats["destination_bins"]["worst_spread"]
    if row["scheme"] == "dr" and pointer > 1:
        faults.append(f"a pointer of dr is {pointer} packets apart, more than 1")
    return faults


def judge(rows, judge_run):
    """All faults, as lines; each format must be there with a trace of our own."""
    faults = [f"{FORMATS[row['format']]} {row['name']}: {text}" for row in rows
              for text in dict.fromkeys(judge_row(row, judge_run))]
    own = {row["format"] for row in rows if row["own"]}
    return faults + [f"{name}: no trace of this format" for kind, name in FORMATS.items()
                     if kind not in own]


def sums(rows):
    """Decisions compared and differences of all rows."""
    runs = [run for row in rows for run in row["runs"]]
    return sum(run["packets"] for run in runs), sum(run["differences"] for run in runs)


NAMES = {"verilator": "Verilator", "systemc": "SystemC", "icarus": "Icarus"}


def _simulators(row):
    ran = [run["sim"] for run in row["runs"]]
    return ", ".join(NAMES[sim] for sim in row["sims"] if sim in ran) or "-"


def _count(row, index):
    return "-" if row["holds"] is None else f"{row['holds'][index]:,}"


# heading (two lines), cell, is text
COLUMNS = [
    ("", "format", lambda r: FORMATS[r["format"]], True),
    ("", "trace", lambda r: r["name"], True),
    ("", "ranks", lambda r: _count(r, 0), False),
    ("", "messages", lambda r: _count(r, 1), False),
    ("", "bytes", lambda r: _count(r, 2), False),
    ("", "switch", lambda r: f"{r['topology']} {r['at']}", True),
    ("", "scheme", lambda r: r["scheme"], True),
    ("", "packets", lambda r: f"{r['packets'].get(SIZE, 0):,}", False),
    ("decisions", "compared", lambda r: f"{sums([r])[0]:,}", False),
    ("differ-", "ences", lambda r: str(sums([r])[1]), False),
    ("stimulus", "equal to", lambda r: r["same_as"] if r["same"] else "-", True),
    ("RTL", "in", _simulators, True),
]


def text(rows):
    """The table, for a terminal."""
    lines = [[c[0] for c in COLUMNS], [c[1] for c in COLUMNS],
             *[[column[2](row) for column in COLUMNS] for row in rows]]
    width = [max(len(line[i]) for line in lines) for i in range(len(COLUMNS))]
    shown = ["  ".join(f"{word:<{w}}" if column[3] else f"{word:>{w}}"
                       for word, w, column in zip(line, width, COLUMNS)).rstrip()
             for line in lines]
    return [*shown[:2], "-" * max(len(line) for line in shown), *shown[2:]]


def html(rows):
    """The table, for the page."""
    head = "".join(f'<th class="{"text" if c[3] else ""}">{c[0]}<br>{c[1]}</th>' for c in COLUMNS)
    lines = []
    for row in rows:
        words = []
        for _, name, show, is_text in COLUMNS:
            mark = ("text" if is_text else "") + (f" {row['scheme']}" if name == "scheme" else "")
            words.append(f'<td class="{mark}">{escape(show(row))}</td>')
        lines.append(f"<tr>{''.join(words)}</tr>")
    return (f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>'
            f"{''.join(lines)}</tbody></table></div>")
