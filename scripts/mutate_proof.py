# SPDX-License-Identifier: Apache-2.0
"""Shows that a mutant of scripts/mutate is no fault: same outputs in every clock, for ever.

The mutated design and the original share their inputs; Yosys makes the two and the comparison of
their outputs one AIGER file, yosys-abc finds the registers that always agree (`scorr`) and proves
the rest by `pdr`. Both begin with all registers 0 and the reset is an input, so what holds does so
from the first reset on, and behind resets in any clock.

Tried in this order, each within the limit:
  module   the mutated module with all below it
  core     all of egret_core
In both, a RAM (egret_ram_1r1w) is cut out: what it reads is any value, the same in both designs,
and its read address, write enable, and where it is enabled address and data, are compared instead.
A mutant of the RAM itself is compared with the RAM in registers, as a module only.
"""

import re
import resource
import subprocess

from mutate_aiger import Aiger
from mutate_run import Fault

RAM = "egret_ram_1r1w"


def modules_of(text):
    """Module name to wires: name to (width, input, output) of an RTLIL text."""
    modules = {}
    wires = {}
    for line in text.splitlines():
        found = re.match(r"module (\S+)", line)
        if found:
            wires = modules.setdefault(found.group(1), {})
        found = re.match(r"  wire (.*)\\(\S+)$", line)
        if found:
            words = found.group(1).split()
            width = int(words[words.index("width") + 1]) if "width" in words else 1
            wires[found.group(2)] = (width, "input" in words, "output" in words)
    return modules


def cut_rams(il, skip, out, tag):
    """Script that replaces each RAM of a design by an instance that `expose` turns into ports."""
    text = ""
    names = []
    rams = {m: w for m, w in modules_of(il.read_text(encoding="utf-8")).items()
            if RAM in m and m != skip}
    for i, (module, wires) in enumerate(sorted(rams.items())):
        a, d = wires["wr_addr_i"][0], wires["wr_data_i"][0]
        ports = f"input wr_en_i, input [{a - 1}:0] wr_addr_i, input [{d - 1}:0] wr_data_i, " \
                f"input [{a - 1}:0] rd_addr_i, output [{d - 1}:0] rd_data_o"
        names.append(module)
        text += f"(* blackbox *) module cut_{i} ({ports}); endmodule\n"
        text += f"module ram_{i} (input clk_i, {ports});\n" \
                f"  cut_{i} u_cut (.wr_en_i(wr_en_i),\n" \
                f"    .wr_addr_i(wr_addr_i & {{{a}{{wr_en_i}}}}),\n" \
                f"    .wr_data_i(wr_data_i & {{{d}{{wr_en_i}}}}), .rd_addr_i(rd_addr_i),\n" \
                f"    .rd_data_o(rd_data_o));\nendmodule\n"
    file = out / f"{tag}_rams.v"
    file.write_text(text, encoding="utf-8")
    return "".join(f"delete {n}\n" for n in names) + f"read_verilog {file}\n" \
        + "".join(f"rename ram_{i} {n}\n" for i, n in enumerate(names))


def gates(il, cut, mutations, top, name, file):
    """Script that writes a design as gates: mutated, RAMs cut, flat, all under one name."""
    return f"""design -reset
read_rtlil {il}
{mutations}
{cut}hierarchy -top {top}
flatten
opt_clean -purge
expose -evert t:cut_*
opt_clean -purge
memory -nordff
techmap
setundef -zero
dffunmap
aigmap
opt_clean
rename {top} {name}
rename -enumerate {name}
write_rtlil {file}
"""


def without_mutant(text):
    """The design `gold` out of the text of `gate`: the same cells and names, no mutant chosen."""
    text = re.sub(r"(?m)^( *connect .*)$",
                  lambda line: re.sub(r"\\mutsel(?=[ \n]|$)", r"\\no_mutsel", line.group(1)), text)
    return text.replace("module \\gate\n", "module \\gold\n  wire width 16 \\no_mutsel\n"
                        f"  connect \\no_mutsel 16'{'0' * 16}\n")


def call(command, log, limit):
    """Standard output of a tool, or an empty text if it fails or takes more processor time."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          preexec_fn=limits, check=False)
    log.write_text(done.stdout, encoding="utf-8")
    return done.stdout + "\ndone\n" if done.returncode == 0 else ""


class Prover:
    """Proofs about the mutants of one configuration; what is known already is not tried again."""

    def __init__(self, yosys, out, config, limit, store):
        self.yosys, self.out, self.config, self.limit = yosys, out, config, limit
        self.store = store
        self.il = out / f"{config}.il"

    def model(self, top, skip, commands):
        """The AIGER file of `top` with all these mutants, or nothing."""
        tag = f"{self.config}_proof"
        cut = cut_rams(self.il, skip, self.out, tag)
        gold, gate = self.out / f"{tag}_gold.il", self.out / f"{tag}_gate.il"
        aig = self.out / f"{tag}_all.aig"
        aig.unlink(missing_ok=True)
        mutations = "".join(c.replace("mutate ", f"mutate -ctrl mutsel 16 {i} ", 1) + "\n"
                            for i, c in enumerate(commands, 1))
        file = self.out / f"{tag}.ys"
        file.write_text(gates(self.il, cut, mutations, top, "gate", gate), encoding="utf-8")
        gate.unlink(missing_ok=True)
        if not call([self.yosys, "-q", "-s", str(file)], self.out / f"{tag}.log", 10 * self.limit) \
                or not gate.exists():
            return None
        gold.write_text(without_mutant(gate.read_text(encoding="utf-8")), encoding="utf-8")
        script = f"""design -reset
read_rtlil {gold}
read_rtlil {gate}
miter -equiv -flatten gold gate miter
hierarchy -top miter
techmap
opt_clean
dffunmap
aigmap
setundef -undriven -zero
zinit -all
opt_clean
write_aiger -symbols {aig}
"""
        file.write_text(script, encoding="utf-8")
        good = call([self.yosys, "-q", "-s", str(file)], self.out / f"{tag}.log", 10 * self.limit)
        return Aiger(aig) if good and aig.exists() else None

    def proven(self, top, skip, commands):
        """Yields for each mutant whether the design under `top` is shown to equal the original."""
        model = self.model(top, skip, commands)
        one = self.out / f"{self.config}_proof.aig"
        if model and model.merged({f"in_mutsel[{bit}]": 0 for bit in range(16)}, one):
            raise Fault(f"{top}: the proof fails without a mutant")
        patience = 3 if top == "egret_core" else 1
        for i in range(1, len(commands) + 1):
            if model is None:
                yield False
                continue
            if not model.merged({f"in_mutsel[{bit}]": i >> bit & 1 for bit in range(16)}, one):
                yield True
                continue
            log = self.out / f"{self.config}_abc.log"
            steps = f"read_aiger {one}; strash; scleanup; lcorr; scorr -F 1; pdr -T {patience}"
            said = call(["yosys-abc", "-c", steps], log, self.limit)
            yield bool(re.search(r"Property proved", said))

    def prove_modules(self, mutants, told):
        """Marks those of `mutants` that are no faults of the module that they are in."""
        groups = {}
        for m in mutants:
            groups.setdefault(m.module, []).append(m)
        for module, group in sorted(groups.items()):
            self.try_all(module, module if RAM in module else "", group, told)

    def prove_core(self, mutants, told):
        """Marks those that are no faults of the core."""
        self.try_all("egret_core", "", [m for m in mutants if m.state == "survived"
                                        and RAM not in m.module and m.module != "egret_core"], told)

    def try_all(self, top, skip, mutants, told):
        """Marks those that are no fault of `top`."""
        kind = "core" if top == "egret_core" else "module"

        def key(row):
            return "" if row["good"] else self.limit

        def name(m):
            return f"{kind} {m.ident if kind == 'core' else m.local}"

        due = []
        for m in mutants:
            row = self.store.recall(name(m), key)
            if not row:
                due.append(m)
            elif row["good"]:
                m.state, m.by = "equivalent", kind
        if not due:
            return
        for m, good in zip(due, self.proven(top, skip, [m.command for m in due])):
            told(f"{m.name}: {'equivalent' if good else 'not shown'} in {top}")
            self.store.keep(name(m), key, {"good": good})
            if good:
                m.state, m.by = "equivalent", kind
