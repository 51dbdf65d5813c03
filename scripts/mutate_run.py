# SPDX-License-Identifier: Apache-2.0
"""Makes mutants with Yosys for scripts/mutate, builds netlists of many, runs the benches on them.

Some hundred mutants at a time become one netlist, in which input `mutsel` chooses;
tb/shim/mutant_run.cpp runs them one after the other over the stimuli of STIMULI.
"""

import math
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

from mutate_store import digest

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("BUILD", "build"))
OUT = BUILD / "mutate"
YOSYS = os.environ.get("YOSYS", "yosys")
BATCH = 300

# name, initial state (0 or a seed), stimulus, plusargs; where a word of NEEDS is not met: left out
STIMULI = [
    ("random", 1, "random 8000 77", "+stall=both +state_reads=4000"),
    ("pointers", 0, "pointers 60 7", "+stall=none"),
    ("readwrite", 2, "readwrite 60 7", "+stall=out"),
    ("hash", 3, "hash 300 7", "+stall=none"),
    ("wide", 6, "wide 200 7", "+stall=none +state_reads=4000"),
    ("alias", 7, "alias 1500 7", "+stall=none"),
    ("flowlet", 11, "flowlet 100 7", "+stall=none +state_reads=4000"),
    ("quality", 12, "quality 300 7", "+stall=none +state_reads=4000"),
    ("hazards", 13, "hazards 40 7", "+stall=none"),
    ("faults", 14, "faults 3 7", "+stall=none"),
    ("beyond", 10, "random 8000 79", "+stall=none +beyond=2"),
    ("fresh", 8, "fresh 3 7", "+stall=in +state_reads=4000 +reset_at=9,23"),
    ("bytes", 9, "bytes 42000 7", "+stall=none +state_reads=4000"),
    ("ticks", 4, "ticks 60 7", "+stall=none"),
    ("resets", 5, "random 3000 78", "+stall=both +reset_at="),
    ("words", 15, "words 1 7", "+stall=none +state_reads=4000"),
    ("repairs", 16, "repairs 3 7", "+stall=none +state_reads=1000"),
    ("bursts", 17, "bursts 120 7", "+stall=none +state_reads=4000"),
    ("early", 18, "early 12 7", "+stall=none +reset_at=7,12,31"),
    ("early_stall", 19, "early 12 8", "+stall=both"),
    ("clocks", 20, "clocks 2 7", "+stall=none +state_reads=1000"),
    ("bands", 21, "bands 32 7", "+stall=none +state_reads=1000"),
    ("walk", 22, "walk 5 7", "+stall=none +state_reads=1000"),
    ("corners", 23, "corners 2 7", "+stall=none +beyond=1"),
]
RESETS = {"tiny": "2711,3502,4003", "p3": "2711,3502,4003", "lab": "4711,5502,6003",
          "p7": "4711,5502,6003"}
NEEDS = {"faults": "parity", "flowlet": "flowlet", "quality": "quality", "bands": "quality",
         "walk": "quality"}


class Fault(Exception):
    """A step that failed, or a list that cannot be run."""


class Mutant:
    """One line of `mutate -list`."""

    def __init__(self, config, command):
        self.config, self.command = config, command
        self.state, self.by, self.clocks, self.text = "", "", 0, ""
        self.ident, self.local = "", ""  # with the whole design; with its module and all below
        self.name = self.make_name()

    def option(self, name):
        """The last value of an option of the command, or an empty text."""
        found = re.findall(rf" -{name} (\S+)", self.command)
        return found[-1] if found else ""

    @property
    def module(self):
        """The module as Yosys names it, parameters and all."""
        return self.option("module")

    def make_name(self):
        """Configuration, place, cell and port, fault, and the wire if it has a name."""
        cell = re.sub(r"^\$(\w+)\$.*", r"$\1", self.option("cell"))
        cell = re.sub(r"^\$\w+\$.*", "$cell", cell) if cell.startswith("$flatten") else cell
        bit = self.option("portbit")
        control = self.option("ctrlbit")
        wire = self.option("wire")
        return (f"{self.config} {self.option('src')} {cell}.{self.option('port')}[{bit}] "
                f"{self.option('mode')}{':' + control if control else ''}"
                + (f" {wire}[{self.option('wirebit')}]" if wire else ""))


def run(command, log, env=None):
    """A step whose output is shown only if it fails."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w", encoding="utf-8") as out:
        code = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, cwd=ROOT,
                              env=env, check=False).returncode
    if code != 0:
        tail = "\n".join(log.read_text(encoding="utf-8").splitlines()[-15:])
        raise Fault(f"{' '.join(map(str, command[:3]))} ended with {code}:\n{tail}")


def yosys(script, log):
    """Yosys over a script."""
    file = log.with_suffix(".ys")
    file.write_text(script, encoding="utf-8")
    run([YOSYS, "-q", "-s", str(file)], log)


def progress(text):
    """A line that the next one overwrites, on a terminal only."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{text[:100]}")
        sys.stderr.flush()


def parameters(config):
    """KEY=VALUE of a configuration of configs.mk."""
    lines = (ROOT / "configs.mk").read_text(encoding="utf-8")
    found = re.search(rf"^CONFIG_{config}\s*:=\s*(.*)$", lines, re.M)
    if not found:
        raise Fault(f"no configuration {config} in configs.mk")
    return found.group(1).split()


def sources():
    """The files of rtl/egret.f."""
    lines = (ROOT / "rtl" / "egret.f").read_text(encoding="utf-8").split("\n")
    return [f for f in lines if f.endswith(".v") and not f.startswith("//")]


def has(config):
    """What a configuration has that not all have."""
    values = {k: int(v) for k, v in (pair.split("=") for pair in parameters(config))}
    return {"parity": values.get("PARITY", 0) == 1, "flowlet": values["SCHEMES"] >> 8 & 1,
            "quality": values["SCHEMES"] >> 7 & 1}


# What a design goes through before it is mutated.
PASSES = "proc\nwreduce\nopt_expr -fine\n"


def read_design(config):
    """The RTLIL of a configuration: word level, hierarchy kept."""
    chparam = " ".join("-chparam {} {}".format(*p.split("=")) for p in parameters(config))
    il = OUT / f"{config}.il"
    yosys(f"read_verilog -DSYNTHESIS -Irtl -defer {' '.join(sources())}\n"
          f"hierarchy -check -top egret_core {chparam}\n{PASSES}opt_clean -purge\n"
          f"write_rtlil {il}\n", OUT / f"{config}_read.log")
    il.write_text(renumber(il.read_text(encoding="utf-8")), encoding="utf-8")
    # opt_clean also sorts the cells by their new names
    yosys(f"read_rtlil {il}\nopt_clean -purge\nwrite_rtlil {il}\n", OUT / f"{config}_sort.log")
    return il


NUMBER = re.compile(r"\$(\d+)(?![0-9a-f])")


def renumber(text):
    """Yosys counts names over the whole design. Here they are counted anew in each module, so that
    the mutants of a module, and what is known of them, do not change with another module."""
    modules = re.split(r"(?m)^(?=module )", text)
    for i, module in enumerate(modules):
        found = sorted({int(n) for n in NUMBER.findall(module)})
        new = {n: f"${at:05}" for at, n in enumerate(found)}
        modules[i] = NUMBER.sub(lambda match, new=new: new[int(match.group(1))], module)
    return re.sub(r"(?m)^autoidx .*$", "autoidx 100000", "".join(modules))


def cells_of(il):
    """Cells of each module in an RTLIL file."""
    count = {}
    module = ""
    for line in il.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if line.startswith("module "):
            module = words[1]
            count[module] = 0
        elif words[:1] == ["cell"]:
            count[module] += 1
    return count


def no_places(text):
    """RTLIL without the lines of the source that are part of names."""
    return re.sub(r"(\$rtl/\w+\.vh?):\d+", r"\1", text)


def versions(il):
    """A hash of each module of an RTLIL file and of all below it, places in the source apart."""
    texts = {}
    text = no_places(re.sub(r"(?m)^ *attribute .*\n", "", il.read_text(encoding="utf-8")))
    for part in re.split(r"(?m)^(?=module )", text)[1:]:
        texts[part.split(maxsplit=2)[1]] = part
    known = {}

    def version(module):
        if module not in known:
            below = sorted({m for m in re.findall(r"(?m)^  cell (\S+) ", texts[module])
                            if m in texts})
            known[module] = digest(texts[module], *map(version, below))
        return known[module]

    return {module.removeprefix("\\"): version(module) for module in texts}


def base_name(module):
    """egret_x of a module that Yosys derived with parameters."""
    return re.search(r"egret_\w+", module.split("\\", 1)[-1]).group(0)


def list_mutants(config, il, weight, only, seed):
    """The mutants of a configuration, in the order of the modules, no name twice. How many a module
    has depends on its own cells alone."""
    cells = {m: n for m, n in cells_of(il).items()
             if n > 0 and (not only or base_name(m) in only)}
    missing = sorted(set(only) - {base_name(m) for m in cells})
    if missing or not cells:
        raise Fault(f"scripts/mutate.list: {config} has no {', '.join(missing) or 'module'}")
    script = f"read_rtlil {il}\n"
    for i, (module, n) in enumerate(sorted(cells.items(), key=lambda x: (base_name(x[0]), x[0]))):
        share = max(2, round(weight * math.sqrt(n)))
        script += f"mutate -list {share} -seed {seed} -module {module} -o {OUT}/{config}_{i}.list\n"
    yosys(script, OUT / f"{config}_list.log")
    mutants, seen, version = [], {}, versions(il)
    for i in range(len(cells)):
        file = OUT / f"{config}_{i}.list"
        for line in dict.fromkeys(file.read_text(encoding="utf-8").splitlines()):
            if not re.search(r" -port (CLK|clk_i|RD_CLK|WR_CLK) ", line):
                m = Mutant(config, line)
                seen[m.name] = seen.get(m.name, 0) + 1
                m.name += f" #{seen[m.name]}" if seen[m.name] > 1 else ""
                what = no_places(re.sub(r" -src \S+", "", line))
                m.ident = digest(version["egret_core"], what)
                m.local = digest(version[m.module], what)
                mutants.append(m)
        file.unlink()
    return mutants


class Stimuli:
    """The runs of a configuration for mutant_run, and what their results depend on."""

    def __init__(self, config):
        self.config, self.file = config, OUT / f"{config}.runs"
        engine = digest(*sorted([*ROOT.glob("tb/shim/bench*.[ch]"),
                                 *ROOT.glob("cmodel/select/*.[ch]"),
                                 ROOT / "tb/shim/mutant_run.cpp",
                                 ROOT / "tb/shim/built_cfg.h", ROOT / "configs.mk"]))
        self.digest, self.lines, self.engine, there = {}, {}, engine, has(config)
        for name, initial, what, plusargs in STIMULI:
            kind, number, seed = what.split()
            if kind in NEEDS and not there[NEEDS[kind]]:
                continue
            pcap = OUT / f"{config}_{name}.pcap"
            if kind == "random":
                command = [BUILD / "bin" / "egret", "trace", "random", "--config", config,
                           "--events", number, "--seed", seed, "-o", pcap]
            else:
                command = [BUILD / "tb" / "make_stimulus", kind, config, number, seed, pcap]
            run([str(c) for c in command], OUT / "stimulus.log")
            if plusargs.endswith("reset_at="):
                plusargs += RESETS[config]
            self.digest[name] = digest(engine, initial, plusargs, pcap)
            self.lines[name] = f"{name} {initial} +stimulus={pcap} +config={config} {plusargs}\n"

    def build(self, il, mutants, tag):
        """One netlist with all these mutants, and its program."""
        netlist = OUT / f"{tag}.v"
        script = f"read_rtlil {il}\n"
        for i, m in enumerate(mutants, 1):
            script += m.command.replace("mutate ", f"mutate -ctrl mutsel 16 {i} ", 1) + "\n"
        yosys(script + f"opt_clean\nwrite_verilog -noattr {netlist}\n", OUT / f"{tag}_netlist.log")
        (OUT / f"{tag}.f").write_text(f"{netlist}\n", encoding="utf-8")
        env = dict(os.environ, BUILD=str(BUILD), RTL_LIST=str(OUT / f"{tag}.f"),
                   WORK=str(OUT / f"{tag}_work"))
        program = OUT / f"{tag}.run"
        run(["scripts/build_bench", "mutants", self.config, str(program)]
            + parameters(self.config), OUT / f"{tag}_build.log", env)
        return program

    def simulate(self, program, mutants, names, jobs, told, numbers):
        """Runs mutants of a netlist, those of `numbers` (in a row, from 1 on), over the stimuli
        `names`, and mutant 0: the RTL as it is, which must survive."""
        self.file.write_text("".join(self.lines[n] for n in names), encoding="utf-8")
        failed = []
        share = -(-len(numbers) // jobs)
        end = numbers[-1]

        def part(first, last):
            try:
                self.simulate_part(program, mutants, first, last, told)
            except Fault as fault:
                failed.append(fault)

        self.simulate_part(program, mutants, 0, 0, told)
        threads = [threading.Thread(target=part, args=(a, min(a + share - 1, end)))
                   for a in range(numbers[0], end + 1, share)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failed:
            raise failed[0]

    def simulate_part(self, program, mutants, first, last, told):
        """Runs the mutants from `first` to `last`."""
        while first <= last:
            with subprocess.Popen([str(program), str(self.file), str(first), str(last)],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  cwd=ROOT) as child:
                for line in child.stdout:
                    number, state, by, clocks, text = line.rstrip("\n").split(" ", 4)
                    first = int(number) + 1
                    if number == "0":
                        if state != "survived":
                            raise Fault(f"the netlist without a mutant differs in {by}: {text}")
                        continue
                    m = mutants[int(number) - 1]
                    m.state, m.by, m.clocks, m.text = state, by, int(clocks), text
                    told(m)
                why = child.stderr.read().strip()
                code = child.wait()
            if code == 0:
                break
            if first == 0 or "mutant_run:" in why:
                raise Fault(f"{program} ended with {code}: {why}")
            # The simulator gave up on a mutant: a loop that does not settle.
            m = mutants[first - 1]
            m.state, m.by, m.text = "killed", "simulator", why.split("\n")[0] or f"exit {code}"
            told(m)
            first += 1
