# SPDX-License-Identifier: Apache-2.0
"""Pairs of scripts/equiv: the list, the ports, and how each side becomes expressions.

The head comment of a harness (cmodel/test/equiv_*.c) has the ports:
  in|out|mid NAME BITS [x ELEMENTS]   BITS and ELEMENTS: expressions of the parameters
They are the ports of the RTL wrapper (tb/equiv/equiv_*.v; element 0 lowest) and the members of
struct equiv_in and struct equiv_out, each in the least uint*_t that holds it. Inputs are extended
by zeros in C, and the bits above those of RTL are compared too. A `mid` is a member of equiv_out
that becomes state of the wrapper: what RTL keeps twice, and C does not.
"""

import importlib.machinery
import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path

from equiv_emit import bounds, verilog
from equiv_exec import translate
from equiv_node import Graph, reachable
from equiv_value import Refused
from equiv_rtl import YOSYS_SCRIPT, Netlist, Wrapper, unroll

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "equiv"
CLANG = os.environ.get("CLANG", "clang-14")
LINK = os.environ.get("LLVM_LINK", "llvm-link-14")
OPT = os.environ.get("OPT", "opt-14")
CC = os.environ.get("CC", "cc")
YOSYS = os.environ.get("YOSYS", "yosys")
# Little optimisation (variables become values, small branches choices), so little of LLVM to trust.
# The sanitizers' traps are outputs that must be 0. What sroa makes of an uninitialised variable it
# may choose; uninitialised memory is a free input.
CLANG_FLAGS = [
    "-std=c11", "-O2", "-Xclang", "-disable-llvm-passes", "-fno-builtin", "-ffreestanding",
    "-fsanitize=shift,signed-integer-overflow,bounds,integer-divide-by-zero,unreachable,return,"
    "null",
    "-fsanitize-trap=all", "-emit-llvm"]
NATIVE_FLAGS = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Wconversion", "-Wshadow",
                "-Wstrict-prototypes", "-Werror", "-fsanitize=undefined",
                "-fno-sanitize-recover=all"]
PASSES = ("internalize,globaldce,function(sroa,simplifycfg),globaldce,"
          "function(loop-simplify,lcssa,instnamer)")
PORT_LINE = re.compile(r"^ \* (in|out|mid)\s+(\w+)\s+(\S+)(?:\s+x\s+(\S+))?\s*$")


def load_formal():
    """scripts/formal has the readers of lists and configurations."""
    loader = importlib.machinery.SourceFileLoader("formal", str(ROOT / "scripts" / "formal"))
    spec = importlib.util.spec_from_loader("formal", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


formal = load_formal()


def execute(command, what):
    """Run a tool; its output is an error text if it fails."""
    done = subprocess.run([str(c) for c in command], cwd=ROOT, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        lines = [x for x in (done.stderr + done.stdout).splitlines() if x.strip()] or ["silent"]
        errors = [x for x in lines if "error" in x.lower()] or lines[-1:]
        raise Refused(f"{what}: {errors[0][:200]}")
    return done.stdout


def included(source):
    """Names of a source and of all headers beside it that it includes, itself or by another one."""
    found, due = set(), [source]
    while due:
        path = due.pop()
        if path.name not in found and path.exists():
            found.add(path.name)
            due += [path.parent / name for name in re.findall(
                r'^\s*#\s*include\s+"([^"/]+)"', path.read_text(encoding="utf-8"), re.M)]
    return found


class Port:
    """One member of struct equiv_in or equiv_out, one port of the RTL wrapper."""

    def __init__(self, direction, name, bits, count=1, array=False):
        self.direction, self.name, self.bits, self.count = direction, name, bits, count
        self.array = array
        self.c_bytes = next((b for b in (1, 2, 4, 8) if 8 * b >= bits), None)
        if self.c_bytes is None or bits < 1 or count < 1:
            raise Refused(f"port {name}: {count} of {bits} bits")
        self.offset = 0

    def element(self, i):
        """Name of one element."""
        return f"{self.name}_{i}" if self.array else self.name


class Tree:
    """Where the sources are: the repository, or a copy of a side with a fault in the file
    `changed`."""

    def __init__(self, cmodel=ROOT / "cmodel", rtl=ROOT / "rtl", changed=""):
        self.cmodel, self.rtl, self.changed = cmodel, rtl, changed

    @staticmethod
    def faulty(work, fault):
        """A copy with a text replaced."""
        root = work / "tree"
        shutil.rmtree(root, ignore_errors=True)
        if fault.file.startswith("rtl/"):
            shutil.copytree(ROOT / "rtl", root / "rtl")
            tree = Tree(rtl=root / "rtl", changed=fault.file)
        else:
            for part in ("include", "select"):
                shutil.copytree(ROOT / "cmodel" / part, root / "cmodel" / part)
            (root / "cmodel" / "test").mkdir()
            for harness in (ROOT / "cmodel" / "test").glob("equiv_*.c"):
                shutil.copy(harness, root / "cmodel" / "test")
            tree = Tree(cmodel=root / "cmodel", changed=fault.file)
        target = root / fault.file
        text = target.read_text(encoding="utf-8")
        count = text.count(fault.old)
        if count != 1:
            raise Refused(f"the text to change occurs {count} times in {fault.file}")
        target.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
        return tree

    def objects(self, kind, command):
        """All of cmodel/select compiled. Those of the repository are made once; a fault in one
        file has only that compiled anew, or what includes it."""
        gen = OUT / "gen" / "egret_configs.h"
        gen.parent.mkdir(parents=True, exist_ok=True)
        text = execute(["awk", "-f", "scripts/gen_configs.awk", "configs.mk"], "awk")
        if not gen.exists() or gen.read_text(encoding="utf-8") != text:
            gen.write_text(text, encoding="utf-8")
        home = self.cmodel == ROOT / "cmodel"
        alone = not home and not self.changed.startswith("cmodel/include/")
        folder = OUT / kind if home else self.cmodel.parent / kind
        folder.mkdir(parents=True, exist_ok=True)
        known = Tree().objects(kind, command) if alone else []
        headers = [gen, Path(__file__), *self.cmodel.glob("*/*.h"),
                   *self.cmodel.glob("include/egret/*.h")]
        newest = max(p.stat().st_mtime for p in headers)
        files = []
        for number, source in enumerate(sorted((self.cmodel / "select").glob("*.c"))):
            if alone and Path(self.changed).name not in included(source):
                files.append(known[number])
                continue
            target = folder / f"{source.stem}.{kind}"
            if not target.exists() or \
                    target.stat().st_mtime < max(newest, source.stat().st_mtime):
                execute([*command, f"-I{self.cmodel}/include", f"-I{self.cmodel}/select",
                         f"-I{gen.parent}", "-c", source, "-o", target], command[0])
            files.append(target)
        return files


class Pair:
    """One row of equiv.list with its parameters."""

    def __init__(self, name, harness, wrapper, judge, quick, options, params):
        self.name, self.harness, self.quick = name, harness, quick == "quick"
        self.open = quick == "open"
        if quick not in ("quick", "open", "-"):
            raise Refused(f"equiv.list: {name}: neither quick, open nor -")
        self.wrapper = None if wrapper == "-" else wrapper
        judge, _, split = judge.partition(":")
        self.judge, self.split = judge, [s for s in split.split(",") if s]
        self.params = dict(params)
        self.options = dict(o.split("=") for o in options.split() if o != "-")
        self.numbers = {k: int(v) for k, v in self.params.items()}
        self.harness_path = ROOT / "cmodel" / "test" / f"equiv_{harness}.c"
        self.wrapper_path = ROOT / "tb" / "equiv" / f"equiv_{wrapper}.v"
        self.top = f"equiv_{wrapper}"
        self.ports = self.read_ports()
        self.spec = Wrapper(self.wrapper_path, self.numbers) if self.wrapper else None

    def evaluate(self, text):
        return int(eval(text, {}, dict(self.numbers)))  # noqa: S307

    def read_ports(self):
        ports = []
        for line in self.harness_path.read_text(encoding="utf-8").splitlines():
            match = PORT_LINE.match(line)
            if match:
                direction, name, bits, count = match.groups()
                ports.append(Port(direction, name, self.evaluate(bits),
                                  self.evaluate(count or "1"), count is not None))
            if line.startswith(" */") and ports:
                break
        if not {"in", "out"} <= {p.direction for p in ports}:
            raise Refused(f"{self.harness_path.name} has no ports")
        return ports

    def side(self, direction):
        return [p for p in self.ports if p.direction == direction]

    # ---- C ----

    def header(self, work):
        """equiv_ports.h."""
        work.mkdir(parents=True, exist_ok=True)
        lines = ["/* Made by scripts/equiv. */", "#include <stdbool.h>", "#include <stdint.h>",
                 "void equiv_assume(bool holds);", "void equiv_case(bool holds);"]
        for direction in ("in", "out"):
            lines.append(f"struct equiv_{direction} {{")
            for port in self.side(direction) + self.side("mid") * (direction == "out"):
                many = f"[{port.count}]" if port.array else ""
                lines.append(f"    uint{8 * port.c_bytes}_t {port.name}{many};")
            lines.append("};")
        lines.append("void equiv_harness(const struct equiv_in *in, struct equiv_out *out);")
        (work / "equiv_ports.h").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def source(self, tree):
        """The harness, as it is in a tree."""
        return tree.cmodel / "test" / self.harness_path.name

    def includes(self, work, tree):
        return [f"-D{k}={v}" for k, v in self.params.items()] + [
            f"-I{work}", f"-I{tree.cmodel}/include", f"-I{tree.cmodel}/select", f"-I{OUT}/gen"]

    def llvm(self, work, tree):
        """The LLVM text of the harness with cmodel/select linked in."""
        self.header(work)
        execute([CLANG, *CLANG_FLAGS, *self.includes(work, tree), "-c", self.source(tree),
                 "-o", work / "harness.bc"], "clang")
        execute([LINK, work / "harness.bc", *tree.objects("bc", [CLANG, *CLANG_FLAGS]), "-o",
                 work / "all.bc"], "llvm-link")
        execute([OPT, f"-passes={PASSES}", "-internalize-public-api-list=equiv_harness", "-S",
                 work / "all.bc", "-o", work / "all.ll"], "opt")
        return (work / "all.ll").read_text(encoding="utf-8")

    def c_side(self, work, tree, graph):
        """(executor, {output: elements in C width})."""
        unwind = self.evaluate(self.options.get("unwind", "0"))
        return translate(self.llvm(work, tree), self.ports, unwind, graph)

    # ---- RTL ----

    def rtl_side(self, work, tree, graph, c_side):
        """{output: elements in RTL width}; without a wrapper all outputs are 0."""
        if self.wrapper is None:
            return {p.name: [graph.const(0, p.bits)] * p.count for p in self.side("out")}
        work.mkdir(parents=True, exist_ok=True)
        files = sorted(str(p) for p in tree.rtl.glob("*.v") if p.name != "egret_ram_1r1w.v")
        declared = set(re.findall(r"^\s*parameter\s+(?:\[[^]]*\]\s*)?(\w+)",
                                  self.wrapper_path.read_text(encoding="utf-8"), re.M))
        params = "".join(f" -chparam {k} {v}" for k, v in self.params.items() if k in declared)
        (work / "rtl.ys").write_text(YOSYS_SCRIPT.format(
            rtl=tree.rtl, files=" ".join(files), wrapper=self.wrapper_path, top=self.top,
            params=params, out=work / "rtl.json"), encoding="utf-8")
        execute([YOSYS, "-q", work / "rtl.ys"], "yosys")
        netlist = Netlist(work / "rtl.json", self.top, graph)
        values = {p.name: [graph.var(p.element(i), p.bits) for i in range(p.count)]
                  for p in self.side("in")}
        values.update((p.name, [graph.slice(n, p.bits - 1, 0) for n in c_side[p.name]])
                      for p in self.side("mid"))
        return unroll(netlist, self.spec, self.ports, self.numbers, values)

    def declared(self):
        """Parameters of the wrapper."""
        text = self.wrapper_path.read_text(encoding="utf-8")
        return set(re.findall(r"^\s*parameter\s+(?:\[[^]]*\]\s*)?(\w+)", text, re.M))


class Sides:
    """Both sides of a pair as expressions of one graph."""

    def __init__(self, pair, work, tree):
        self.graph = g = Graph(narrow="products" in pair.options)
        self.machine, self.c = pair.c_side(work, tree, g)
        self.rtl = pair.rtl_side(work, tree, g, self.c)
        self.ub, self.assumed = self.machine.memory.ub, self.machine.assumed
        self.differences = []
        for port in pair.side("out"):
            for c, r in zip(self.c[port.name], self.rtl[port.name]):
                self.differences.append(g.xor(c, g.zext(r, c.w)))
        different = g.false
        for word in self.differences:
            different = g.or_(different, g.any_bit(word))
        self.bad = g.and_(self.assumed, g.or_(self.ub, different))
        self.pair = pair
        # Each case without those before it; the last one is the rest.
        self.cases, rest = [], g.true
        for case in self.machine.cases:
            self.cases.append(g.and_(rest, case))
            rest = g.and_(rest, g.not_(case))
        self.cases.append(rest)

    def flat(self):
        """Both sides as Verilog modules of their own, c_side and r_side: outputs NAME__o, and of
        c_side assumed__o and ub__o. Return (texts, free inputs of each, outputs of each)."""
        texts, inputs, outputs = {}, {}, {}
        for side, words in (("c_side", self.c), ("r_side", self.rtl)):
            flat = [(f"{p.element(i)}__o", words[p.name][i])
                    for p in self.pair.side("out") for i in range(p.count)]
            if side == "c_side":
                flat += [("assumed__o", self.assumed), ("ub__o", self.ub)]
                flat += [(f"case{k}__o", case) for k, case in enumerate(self.cases)]
            texts[side] = verilog(side, [], flat)
            inputs[side] = [n for n in reachable([n for _, n in flat]) if n.op == "var"]
            outputs[side] = flat
        return texts, inputs, outputs

    def miter(self, case=0):
        """The question of a case in Verilog, both sides apart."""
        texts, inputs, outputs = self.flat()
        names = {n.p: n.w for side in inputs.values() for n in side}
        lines = [*texts.values(), "module miter ("]
        lines += [f"  input wire {bounds(w)}{n}," for n, w in names.items()]
        lines += ["  output wire bad", ");"]
        tests = []
        for side, flat in outputs.items():
            for name, node in flat:
                lines.append(f"  wire {bounds(node.w)}{side}_{name};")
            ports = [f".{n.p}({n.p})" for n in inputs[side]]
            ports += [f".{name}({side}_{name})" for name, _ in flat]
            lines.append(f"  {side} u_{side} ({', '.join(ports)});")
        tests = [f"c_side_{name} != r_side_{name}" for name, _ in outputs["r_side"]]
        for at, test in enumerate(tests):
            lines.append(f"  wire d{at} = {test};")
        anything = " | ".join(f"d{at}" for at in range(len(tests)))
        lines.append(f"  assign bad = c_side_assumed__o & c_side_case{case}__o & "
                     f"(c_side_ub__o | {anything});")
        return "\n".join(lines) + "\nendmodule\n"


def read_pairs():
    """Return {name: Pair}."""
    pairs, configs = {}, formal.read_configs()
    for place, fields in formal.rows(ROOT / "scripts" / "equiv.list", 7):
        for suffix, params in formal.expand(fields[6], configs, place):
            pair = Pair(fields[0] + suffix, *fields[1:6], params)
            if pair.name in pairs or pair.judge not in ("sat", "gf2"):
                raise formal.ListError(f"{place}: name twice, or unknown judge")
            pairs[pair.name] = pair
    return pairs
