# SPDX-License-Identifier: Apache-2.0
"""Which mutants of scripts/mutate do the proofs of scripts/formal find?

Benches cannot count to 2^40, the properties under `ifdef FORMAL can. For a module with a row of its
own in scripts/formal.list, the proof of that row is made for the parameters that the module has in
the mutated configuration, with the mutants in it; an input chooses one. The proof must hold without
a mutant, and a mutant is found if base case or induction fails with a counterexample. Modules that
the row cuts are cut here, too; of several rows the one that cuts least is taken, of these the one
with most parameters as the module has them. The cell of a mutant is looked up in the design with
properties: the one of the same type from the same place in the source, in the same order, if there
are as many; or else the one of this type and of the same parameters that drives a signal of the
same name, if there is one.
"""

import importlib.machinery
import importlib.util
import re

from mutate_run import OUT, PASSES, ROOT, YOSYS, Fault, base_name, run, sources, yosys
from mutate_store import digest

CELL = re.compile(r"^  cell (\S+) (\S+)$")
DRIVES = re.compile(r"^    connect \\[YQ] \\")


def load_formal():
    """scripts/formal as a module."""
    loader = importlib.machinery.SourceFileLoader("formal", str(ROOT / "scripts" / "formal"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("formal", loader))
    loader.exec_module(module)
    return module


def number_of(text):
    """The value of a parameter in RTLIL."""
    if "'" in text:
        bits = text.split("'")[1].lstrip("s")
        return int(bits, 2) if re.fullmatch(r"[01]+", bits) else None
    return int(text) if re.fullmatch(r"-?\d+", text) else None


def plain(name):
    """A name as `mutate` prints it."""
    return name.removeprefix("\\")


def parse(il):
    """Modules of an RTLIL file: name to (parameters, cells). A cell is (what, name, type, drives),
    what: its type but for parameters of modules, its source, and the parameters of others; drives:
    the signal at its output if that has a name of the source."""
    modules, params, cells, src = {}, {}, [], ""
    for line in il.read_text(encoding="utf-8").splitlines():
        if line.startswith("module "):
            params, cells = {}, []
            modules[plain(line.split()[1])] = (params, cells)
        elif line.startswith("  parameter \\"):
            words = line.split()
            params[words[1][1:]] = number_of(words[2]) if len(words) > 2 else None
        elif line.startswith('  attribute \\src "'):
            src = line.split('"')[1]
        elif line.startswith("  wire ") or line.startswith("  memory "):
            src = ""
        else:
            found = CELL.match(line)
            if found:
                kind = plain(found.group(1))
                name = base_name(kind) if "egret_" in kind else kind
                cells.append(([name, src], plain(found.group(2)), kind, []))
                src = ""
            elif line.startswith("    parameter "):
                cells[-1][0].append(line)
            elif DRIVES.match(line):
                cells[-1][3].append(line)
    return modules


def order(cell):
    """The order in which Yosys made cells of one source line."""
    return [int(x) for x in re.findall(r"\$(\d+)", cell[1])[-1:]] or [0], cell[1]


class Design:
    """A module with its properties, and its proof."""

    def __init__(self, formal, runner, proof, params, tag):
        self.formal, self.runner, self.proof = formal, runner, proof
        self.params, self.tag = params, tag
        self.work = OUT / "formal" / tag
        self.work.mkdir(parents=True, exist_ok=True)
        self.il = self.work / "design.il"
        chparam = "".join(f" -set {k} {v}" for k, v in params.items())
        chparam = f"chparam{chparam} {proof.top}\n" if params else ""
        # the modules that the row cuts, as in scripts/formal
        cuts = "".join(f"cutpoint t:{m} t:$paramod*?{m} t:$paramod?{m}?*\n" for m in proof.cut)
        yosys(f"read_verilog -formal -defer -D PROVE_{proof.top} -Irtl {' '.join(sources())}\n"
              f"{chparam}hierarchy -check -top {proof.top}\n{cuts}{PASSES}opt_clean A:top\n"
              f"write_rtlil {self.il}\n", self.work / "read.log")
        self.modules = parse(self.il)
        self.top = [m for m in self.modules if base_name(m) == proof.top][0]

    def twin(self, m, cells):
        """The command of a mutant for this design, or an empty text."""
        cell = [c for c in cells if c[1] == m.option("cell")]
        if not cell:
            return ""
        alike = sorted((c for c in cells if c[0] == cell[0][0]), key=order)
        mine = sorted((c for c in self.modules[self.top][1] if c[0] == cell[0][0]), key=order)
        if len(alike) == len(mine):
            name = mine[alike.index(cell[0])][1]
        else:
            what, drives = cell[0][0], cell[0][3]
            mine = [c for c in self.modules[self.top][1]
                    if drives and c[3] == drives and [c[0][0], *c[0][2:]] == [what[0], *what[2:]]]
            if len(mine) != 1:
                return ""
            name = mine[0][1]
        words = [f"mutate -mode {m.option('mode')} -module {self.top} -cell {name}"]
        for option in ("port", "portbit", "ctrlbit"):
            if m.option(option):
                words.append(f"-{option} {m.option(option)}")
        return " ".join(words)

    def build(self, commands):
        """The model with these mutants."""
        script = f"read_rtlil {self.il}\nmutate -mode none -module {self.top} -ctrl mutsel 16 0\n"
        for i, command in enumerate(commands, 1):
            script += command.replace("mutate ", f"mutate -ctrl mutsel 16 {i} ", 1) + "\n"
        yosys(script + "prep -flatten -nordff\nmemory_collect\nasync2sync\ndffunmap\nopt_clean\n"
              f"rename -top {self.proof.top}\nwrite_smt2 -wires {self.work}/model.smt2\n",
              self.work / "model.log")

    def finds(self, number):
        """Which step of the proof fails with a mutant: base, step or nothing."""
        text = f"always\nassume (= [mutsel] #b{number:016b})\n"
        if "; yosys-smt2-wire rst_i 1\n" in (self.work / "model.smt2").read_text(encoding="utf-8"):
            text += "initial\nassume [rst_i]\n"
        (self.work / "mutant.smtc").write_text(text, encoding="utf-8")
        for step, options in (("base", []), ("step", ["-i"])):
            command = [self.formal.SMTBMC, "-s", self.runner.solver, "--noprogress", "--smtc",
                       str(self.work / "mutant.smtc"), *options, "-t", str(self.proof.depth),
                       str(self.work / "model.smt2")]
            code, said = self.formal.run(command, self.work / f"{step}.log",
                                          60 if number else 600, self.runner.env)
            if code == 1 and "Status: FAILED" in said and "Assert failed" in said:
                return step
            if code is None and number != 0:
                return ""
            if code != 0 or "Status: PASSED" not in said:
                raise Fault(f"{self.tag}: mutant {number}, {step}: no answer ({self.work})")
        return ""


def find(mutants, config, store, told):
    """Marks the mutants that a proof finds."""
    formal = load_formal()
    proofs, _ = formal.read_lists()
    rows = {}
    for proof in proofs.values():
        if proof.kind == "prove":
            rows.setdefault(proof.top, []).append(proof)
    modules = parse(OUT / f"{config}.il")
    below = {}

    def files_of(module):
        """The files of a module and of all below it."""
        if module not in below:
            below[module] = {ROOT / "rtl" / f"{base_name(module)}.v"}.union(
                *(files_of(cell[2]) for cell in modules[module][1] if cell[2] in modules))
        return below[module]

    common = [*sorted((ROOT / "rtl").glob("*.vh")), ROOT / "scripts" / "formal.list"]
    version = {m: digest(*common, *sorted(files_of(m))) for m in modules}

    groups = {}
    for m in mutants:
        row = store.recall(f"formal {m.local}", lambda row, m=m: version[m.module])
        if row and row["by"]:
            m.state, m.by = "killed", row["by"]
        elif not row and base_name(m.module) in rows:
            groups.setdefault(m.module, []).append(m)
    if not groups:
        return
    runner = formal.Runner("bitwuzla", 600)
    for module, group in groups.items():
        params, cells = modules[module]
        proof = min(rows[base_name(module)], key=lambda p, params=params: (
            len(p.cut), sum(str(params.get(name)) != value for name, value in p.params)))
        try:
            name = f"{config}_{digest(module)[:6]}_{proof.top}"
            design = Design(formal, runner, proof, params, name)
            pairs = [(m, design.twin(m, cells)) for m in group]
            pairs = [(m, command) for m, command in pairs if command]
            if not pairs:
                continue
            design.build([command for _, command in pairs])
            if design.finds(0):
                raise Fault(f"{design.tag}: the proof fails without a mutant")
        except Fault as fault:
            told(str(fault))
            continue
        for i, (m, _) in enumerate(pairs, 1):
            step = design.finds(i)
            told(f"{m.name}: {step or 'not found'}")
            by = f"proof {proof.top[6:]}, {step}" if step else ""
            store.keep(f"formal {m.local}", lambda row, m=m: version[m.module], {"by": by})
            if by:
                m.state, m.by = "killed", by
