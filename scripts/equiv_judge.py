# SPDX-License-Identifier: Apache-2.0
"""The judges of scripts/equiv: can a node of one bit be 1?

Seconds are processor time of the judge, limits too: the machine may be busy.

`sat` runs bitwuzla on the SMT-LIB and, if that has no answer soon, yosys-abc (&cec -m) on the AIGER
that Yosys makes of the Verilog, side by side; the first answer counts. abc's exit code is always 0
and means nothing: its words are read. `gf2` is equiv_gf2.py.
"""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import equiv_gf2
from equiv_emit import smtlib
from equiv_node import reachable
from equiv_value import Refused

ROOT = Path(__file__).resolve().parent.parent
VENV_PYTHON = ROOT / "build" / "venv" / "bin" / "python"
YOSYS = os.environ.get("YOSYS", "yosys")
ABC = os.environ.get("YOSYS_ABC", "yosys-abc")
MEMORY_KB = 6 << 20
PATIENCE = 20  # wall clock, in limits
ALONE = 2  # seconds, wall clock, that bitwuzla has before abc starts: most answers come sooner

children = set()


class Verdict:
    """answer: "never", "sometimes" (with a model) or None; by whom; seconds."""

    def __init__(self, answer, judge, seconds, model=None, note=""):
        self.answer, self.judge, self.seconds = answer, judge, seconds
        self.model, self.note = model, note


def end_children():
    """Kill what still runs."""
    for pid in list(children):
        try:
            os.killpg(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def spawn(command, log, seconds):
    handle = open(log, "wb")
    limited = f"ulimit -v {MEMORY_KB} -t {int(seconds) + 1}; {command}"
    child = subprocess.Popen(["bash", "-c", limited], cwd=ROOT, stdout=handle,
                             stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                             start_new_session=True)
    handle.close()
    children.add(child.pid)
    return child


def stop(child):
    """Kill a child and all that it started."""
    if not ended(child):
        os.killpg(child.pid, signal.SIGKILL)
        while not ended(child):
            time.sleep(0.01)
    children.discard(child.pid)


def ended(child):
    """Has it ended? Then child.seconds is its processor time."""
    if child.returncode is None:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = os.waitstatus_to_exitcode(status)
            child.seconds = usage.ru_utime + usage.ru_stime
    return child.returncode is not None


def read_bitwuzla(text):
    """(answer, model) of bitwuzla's output."""
    lines = text.split("\n", 1)
    if lines[0].strip() == "unsat":
        return "never", None
    if lines[0].strip() == "sat":
        model = {}
        for quoted, plain, value in re.findall(r"\((?:\|([^|]*)\||([^\s()|]+))\s+#b([01]+)\)",
                                               lines[1] if len(lines) > 1 else ""):
            model[quoted or plain] = int(value, 2)
        return "sometimes", model
    return None, None


def read_abc(text):
    """(answer, None) of abc's output."""
    if re.search(r"^Networks are equivalent", text, re.M):
        return "never", None
    if re.search(r"^Networks are NOT EQUIVALENT", text, re.M):
        return "sometimes", None
    return None, None


def equal_products(graph, root, work, seconds):
    """Products of the root with one factor in common, whose other factors a solver proves equal, as
    {id: id of the earlier one}: what solvers do not find by themselves."""
    same, seen = {}, {}
    for node in reachable([root]):
        for shared, other in (node.args, node.args[::-1]) if node.op == "mul" else ():
            for first, factor in seen.get((shared.id, node.w), []):
                differ = graph.any_bit(graph.xor(factor, other))
                if node.id not in same and by_sat(differ, "", work, seconds, ("bitwuzla",),
                                                  same).answer == "never":
                    same[node.id] = first.id
        if node.op == "mul" and node.id not in same:
            for shared, other in (node.args, node.args[::-1]):
                seen.setdefault((shared.id, node.w), []).append((node, other))
    return same


def by_sat(root, text, work, seconds, judges=("bitwuzla", "abc"), same=None, alone=ALONE):
    """Ask solvers side by side whether the root can be 1. text: the same question in Verilog, an
    output `bad` of a module `miter`. A `sometimes` without a model waits for one with it. abc
    starts after the seconds `alone`, or when bitwuzla has ended without an answer."""
    work.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    running = {}
    if "bitwuzla" in judges:
        (work / "miter.smt2").write_text(smtlib(root, same), encoding="utf-8")
        running["bitwuzla"] = (spawn(
            f"exec '{VENV_PYTHON}' '{ROOT}/scripts/equiv_solver.py' '{work}/miter.smt2'",
            work / "bitwuzla.log", seconds), read_bitwuzla)

    def start_abc():
        (work / "miter.v").write_text(text, encoding="utf-8")
        (work / "miter.ys").write_text(
            f"read_verilog {work}/miter.v\nhierarchy -check -top miter\nproc\nopt_expr\nopt_clean\n"
            f"flatten\nopt_expr\nopt_clean\nsimplemap\ntechmap\nopt_expr\nopt_clean\naigmap\n"
            f"opt_clean\n"
            f"write_aiger {work}/miter.aig\n", encoding="utf-8")
        running["abc"] = (spawn(
            f"'{YOSYS}' -q '{work}/miter.ys' && '{ABC}' -q '&read {work}/miter.aig; &cec -m'",
            work / "abc.log", seconds), read_abc)

    waiting = "abc" in judges
    notes, hit, spent = [], None, 0.0
    try:
        while running or waiting:
            if waiting and (not running or time.monotonic() - begin > alone):
                start_abc()
                waiting = False
            for judge, (child, parse) in list(running.items()):
                if not ended(child):
                    continue
                del running[judge]
                children.discard(child.pid)
                text = (work / f"{judge}.log").read_text(encoding="utf-8", errors="replace")
                answer, model = parse(text)
                spent = max(spent, child.seconds)
                if answer is None:
                    last = [line for line in text.splitlines() if line.strip()][-1:] or ["silent"]
                    notes.append(f"{judge}: {last[0][:60]} after {child.seconds:.0f} s")
                elif hit is not None and answer != hit.answer:
                    return Verdict(None, "both", spent, None,
                                   f"{hit.judge} and {judge} disagree")
                elif answer == "sometimes" and model is None:
                    hit = Verdict(answer, judge, child.seconds)
                else:
                    return Verdict(answer, judge, child.seconds, model)
            if time.monotonic() - begin > PATIENCE * seconds:
                notes.append("the machine is too busy")
                break
            time.sleep(0.01)
        return hit or Verdict(None, "", spent, None, "; ".join(notes))
    finally:
        for child, _ in running.values():
            stop(child)


def by_gf2(words, split):
    """Ask for the normal form of words that must be 0."""
    begin = time.process_time()
    try:
        model = equiv_gf2.decide(words, split)
    except Refused as error:
        return Verdict(None, "gf2", time.process_time() - begin, None, str(error))
    return Verdict("never" if model is None else "sometimes", "gf2",
                   time.process_time() - begin, model)


def check_tools():
    """One line on what is missing, or None."""
    if not VENV_PYTHON.exists() or subprocess.run(
            [str(VENV_PYTHON), "-c", "import bitwuzla"], capture_output=True,
            check=False).returncode != 0:
        return "no bitwuzla in build/venv: scripts/setup formal venv"
    return None


sys.setrecursionlimit(100000)
