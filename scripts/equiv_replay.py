# SPDX-License-Identifier: Apache-2.0
"""Runs pairs of scripts/equiv on numbers: the harness compiled natively, and in Icarus the wrapper
with the real RTL beside the Verilog that the expressions of both sides became.

Inputs are {element name: number}. Outputs are lists of numbers in the order of the ports.
"""

import os
import random
import re
import subprocess

from equiv_emit import bounds
from equiv_value import Refused, mask
from equiv_pair import CC, NATIVE_FLAGS, ROOT, execute

IVERILOG = os.environ.get("IVERILOG", "iverilog")
VVP = os.environ.get("VVP", "vvp")

MAIN = r"""
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "equiv_ports.h"

static bool assumed;

void equiv_assume(bool holds)
{
    assumed = assumed && holds;
}

void equiv_case(bool holds)
{
    (void)holds;
}

int main(void)
{
    static struct equiv_in in;
    static struct equiv_out out;
    uint64_t word;

    for (;;) {
        memset(&in, 0, sizeof in);
        memset(&out, 0, sizeof out);
@READ@
        assumed = true;
        equiv_harness(&in, &out);
        printf("%d", assumed);
@WRITE@
        printf("\n");
    }
}
"""


def native(pair, work, tree):
    """Compile the harness; return the program."""
    pair.header(work)
    read, write = [], []
    for port in pair.side("in"):
        at = f"in.{port.name}" + ("[i]" if port.array else "")
        read += [f"        for (unsigned i = 0; i < {port.count}; i++) {{",
                 "            if (scanf(\"%\" SCNx64, &word) != 1)", "                return 0;",
                 f"            {at} = (uint{8 * port.c_bytes}_t)word;", "            (void)i;",
                 "        }"]
    for port in pair.side("out") + pair.side("mid"):
        at = f"out.{port.name}" + ("[i]" if port.array else "")
        write += [f"        for (unsigned i = 0; i < {port.count}; i++)",
                  f"            printf(\" %\" PRIx64, (uint64_t){at}), (void)i;"]
    text = MAIN.replace("@READ@", "\n".join(read)).replace("@WRITE@", "\n".join(write))
    (work / "main.c").write_text(text, encoding="utf-8")
    objects = tree.objects("o", [CC, *NATIVE_FLAGS])
    execute([CC, *NATIVE_FLAGS, *pair.includes(work, tree), "-o", work / "native",
             work / "main.c", pair.source(tree), *objects], "cc")
    return work / "native"


def elements(pair, direction):
    return [(port, i) for port in pair.side(direction) for i in range(port.count)]


def run_native(pair, program, vectors):
    """[(assumed, outputs)] of each vector, to which the values of `mid` ports are added."""
    lines = [" ".join(f"{v.get(p.element(i), 0):x}" for p, i in elements(pair, "in"))
             for v in vectors]
    done = subprocess.run([str(program)], input="\n".join(lines) + "\n", capture_output=True,
                          text=True, check=False, timeout=600)
    results = []
    many, mids = len(elements(pair, "out")), elements(pair, "mid")
    for vector, line in zip(vectors, done.stdout.splitlines()):
        words = line.split()
        numbers = [int(w, 16) for w in words[1:]]
        results.append((words[0] == "1", numbers[:many]))
        vector.update((p.element(i), n) for (p, i), n in zip(mids, numbers[many:]))
    if done.returncode != 0 or len(results) != len(vectors):
        last = done.stderr.strip().splitlines()[:1] or [f"exit {done.returncode}"]
        raise Refused(f"native C stopped at input {len(results)}: {last[0]}")
    return results


def some_number(rnd, bits, style):
    """A number in a style; the last of them leaves it open."""
    if style == 0:
        return 0
    if style == 1:
        return mask(bits)
    if style == 2:
        return 1 << rnd.randrange(bits)
    if style in (3, 4):
        return rnd.randrange(2 * style - 4) & mask(bits)
    if style < 7:
        return rnd.getrandbits(bits)
    return some_number(rnd, bits, rnd.randrange(7))


def some_inputs(rnd, pair):
    """Random inputs; the elements of a port have one style."""
    vector = {}
    for port in pair.side("in"):
        style = rnd.randrange(9)
        for i in range(port.count):
            vector[port.element(i)] = some_number(rnd, port.bits, style)
    return vector


def random_vectors(pair, program, wanted, seed):
    """Random inputs that the harness assumes, and its outputs for them."""
    rnd = random.Random(seed)
    found = []
    for _ in range(20):
        vectors = [some_inputs(rnd, pair) for _ in range(max(wanted, 200))]
        for vector, (assumed, outputs) in zip(vectors, run_native(pair, program, vectors)):
            if assumed:
                found.append((vector, outputs))
                if len(found) == wanted:
                    return found
    return found


def packed(port, vector):
    """The port's elements as one Verilog number, element 0 lowest."""
    value = 0
    for i in reversed(range(port.count)):
        value = value << port.bits | (vector.get(port.element(i), 0) & mask(port.bits))
    return f"{port.bits * port.count}'h{value:x}"


def hierarchical(name):
    """A flattened name as a path below the wrapper."""
    return f"dut.{name}"


def bench(pair, sides, vectors):
    """A bench that prints, for each vector, the outputs of the wrapper (W), of the C side's
    expressions (C) and of the RTL side's (R)."""
    bound = pair.spec.bound if pair.spec else set()
    rnd = random.Random(7)
    lines = ["`timescale 1ns / 1ps", "module bench;", "  reg clk_i = 1'b0;"]
    for port in pair.side("in"):
        lines.append(f"  reg {bounds(port.bits * port.count)}i_{port.name};")
    texts, inputs, outputs = sides.flat()
    known = {p.element(i): (p, i) for p, i in elements(pair, "in")}
    prints = {}
    for side, flat in outputs.items():
        connections, own = [], flat[:sum(p.count for p in pair.side("out"))]
        for node in inputs[side]:
            if node.p in known:
                port, i = known[node.p]
                source = f"i_{port.name}[{port.bits * i} +: {port.bits}]"
                if port.bits * port.count == 1:
                    source = f"i_{port.name}"
            else:
                source = f"{node.w}'h{rnd.getrandbits(node.w):x}"
            connections.append(f".{node.p}({source})")
        for name, node in flat:
            lines.append(f"  wire {bounds(node.w)}{side}_{name};")
            connections.append(f".{name}({side}_{name})")
        lines.append(f"  {side} u_{side} ({', '.join(connections)});")
        prints[side[0].upper()] = [f"{side}_{name}" for name, node in flat
                                   if (name, node) in own]
    if pair.wrapper:
        declared = pair.declared()
        params = ", ".join(f".{k}({v})" for k, v in pair.params.items() if k in declared)
        connections = [".clk_i(clk_i)"] if pair.spec.clocks else []
        connections += [f".{p.name}(i_{p.name})" for p in pair.side("in") if p.name not in bound]
        prints["W"] = []
        ends = {}
        for own, name in pair.spec.ends(pair.ports, pair.numbers):
            low = sum(p.bits if p else i for p, i in own)
            for p, i in own:
                low -= p.bits if p else i
                # A shift: Verilog has no part select of a memory word in another scope.
                if p:
                    ends[p.name, i] = f"(({hierarchical(name)} >> {low}) & 'h{mask(p.bits):x})"
        for port in pair.side("out"):
            if port.name not in bound:
                lines.append(f"  wire {bounds(port.bits * port.count)}w_{port.name};")
                connections.append(f".{port.name}(w_{port.name})")
            for i in range(port.count):
                if port.name in bound:
                    prints["W"].append(ends.get((port.name, i), "1'b0"))
                elif port.bits * port.count == 1:
                    prints["W"].append(f"w_{port.name}")
                else:
                    prints["W"].append(f"w_{port.name}[{port.bits * i} +: {port.bits}]")
        lines.append(f"  {pair.top} {'#(' + params + ') ' if params else ''}dut "
                     f"({', '.join(connections)});")
    lines.append("  initial begin")
    for vector in vectors:
        lines += stimulus(pair, vector)
        for letter, names in prints.items():
            lines.append(f"    $display(\"{letter}{' %h' * len(names)}\", {', '.join(names)});")
    lines += ["    $finish(0);", "  end", "endmodule"]
    return "\n".join([*texts.values(), *lines]) + "\n"


def stimulus(pair, vector):
    """Statements that set the inputs and clock the wrapper."""
    lines = [f"    i_{p.name} = {packed(p, vector)};" for p in pair.side("in")]
    clocks = pair.spec.clocks if pair.spec else 0
    places = list(pair.spec.places(pair.ports, pair.numbers)) if pair.spec else []
    if clocks:
        text = pair.wrapper_path.read_text(encoding="utf-8")
        for name, value in re.findall(r"^\s*initial (\w+) = ([^;]+);", text, re.M):
            lines.append(f"    dut.{name} = {value};")
    for at in range(clocks + 1):
        for clock, own, value, name in places:
            if clock == at:
                number = str(value)
                if own is not None:
                    parts = [f"{p.bits}'h{vector.get(p.element(i), 0) & mask(p.bits):x}"
                             if p else f"{i}'h0" for p, i in own]
                    number = "{" + ", ".join(parts) + "}"
                lines.append(f"    {hierarchical(name)} = {number};")
        lines.append("    #1;")
        if at < clocks:
            lines.append("    clk_i = 1'b1; #1 clk_i = 1'b0;")
    return lines


def run_icarus(pair, sides, work, tree, vectors):
    """{letter: [outputs of each vector]}; an unknown bit makes None of an output."""
    (work / "bench.v").write_text(bench(pair, sides, vectors), encoding="utf-8")
    files = sorted(str(p) for p in tree.rtl.glob("*.v")) if pair.wrapper else []
    wrapper = [str(pair.wrapper_path)] if pair.wrapper else []
    execute([IVERILOG, "-g2005", f"-I{tree.rtl}", "-s", "bench", "-o", work / "bench.vvp",
             work / "bench.v", *wrapper, *files], "iverilog")
    done = subprocess.run([VVP, "-N", str(work / "bench.vvp")], cwd=ROOT, capture_output=True,
                          text=True, check=False, stdin=subprocess.DEVNULL, timeout=600)
    results = {}
    for line in done.stdout.splitlines():
        words = line.split()
        if words and words[0] in ("W", "C", "R"):
            results.setdefault(words[0], []).append(
                [int(w, 16) if re.fullmatch(r"[0-9a-f]+", w) else None for w in words[1:]])
    if done.returncode != 0 or any(len(r) != len(vectors) for r in results.values()):
        last = [x for x in (done.stdout + done.stderr).splitlines() if x[:2] not in
                ("W ", "C ", "R ")][-1:] or [f"exit {done.returncode}"]
        raise Refused(f"vvp: {last[0][:200]}")
    return results
