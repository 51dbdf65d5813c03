#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Logic depth of a mapped netlist: the longest chain of look-up tables between registers.

Reads the JSON that yosys writes after synth_ecp5, synth_ice40 or synth_xilinx. What counts:
  * a LUT is one level, an asynchronously read LUT RAM is one level;
  * wide multiplexers (MUXF7/8/9, PFUMX, L6MUX21) and buffers are no level: they sit behind a LUT in
    the same slice;
  * a carry chain costs the look-up table of the slice in which it is entered, whatever its length:
    the ECP5 CCU2C holds that table, so entering costs one; on UltraScale+ the table is a LUT cell
    of its own before the chain and counts there (entering straight from a register costs one, as
    the table is then passed through); on iCE40 it is the LUT cell behind the chain. The carry cells
    on the path are counted apart;
  * a multiplier block is one level.
Paths begin at registers, block RAM outputs and module inputs, and end at registers, block RAM
inputs and module outputs.
"""

import json
import re
import sys

SEQUENTIAL = re.compile(
    r"^(TRELLIS_FF|DP16KD|PDPW16KD|SB_DFF\w*|SB_RAM40_4K\w*|SB_SPRAM256KA|"
    r"FD[RSCP]E(_1)?|LD[CP]E|RAMB(18|36)E[12]|URAM288\w*|SRL16E|SRLC(16|32)E)$")
LUT = re.compile(r"^(LUT[1-6]|LUT4|SB_LUT4|INV)$")
MUX = re.compile(r"^(MUXF[789]|PFUMX|L6MUX21)$")
CARRY = re.compile(r"^(CARRY[48]|CCU2C|SB_CARRY)$")
BUFFER = re.compile(r"^(BUFG\w*|IBUF|OBUF|TRELLIS_IO|SB_IO|SB_GB)$")
LUTRAM = re.compile(r"^(TRELLIS_DPR16X4|RAM(16|32|64|128|256|512)X\w+|RAM(32|64)M(16|8)?)$")
MULTIPLIER = re.compile(r"^(MULT18X18D|ALU54B|DSP48E\d|SB_MAC16)$")
CONSTANT = re.compile(r"^(VCC|GND|VLO|VHI|\$scopeinfo)$")
CARRY_IN = ("CI", "CIN", "CI_TOP")
RAM_ADDRESS = re.compile(r"^(RAD\d*|A|A\d+|ADDR[A-H]|DPRA\d*)$")


def load_top(path):
    """Return (name, module) of the top module of a netlist."""
    with open(path, encoding="utf-8") as handle:
        design = json.load(handle)
    modules = design["modules"]
    for name, module in modules.items():
        if int(str(module.get("attributes", {}).get("top", "0")), 2):
            return name, module
    own = [n for n, m in modules.items() if m["cells"]]
    if len(own) != 1:
        raise SystemExit(f"{path}: no single top module")
    return own[0], modules[own[0]]


def net_names(module):
    """Map each bit to a readable name: one inside the design, that a person wrote, the shortest."""
    names = {}
    for name, net in module["netnames"].items():
        bits = net["bits"]
        hidden = name.startswith("$") or net.get("hide_name", 0)
        for index, bit in enumerate(bits):
            if isinstance(bit, str):
                continue
            label = name if len(bits) == 1 else f"{name}[{index}]"
            key = (bool(hidden), "." not in label, len(label), label)
            if bit not in names or key < names[bit]:
                names[bit] = key
    return {bit: key[3] for bit, key in names.items()}


def classify(kind):
    """Return 'seq', 'const', or the level cost of the cell type with its class name."""
    for pattern, result in ((SEQUENTIAL, "seq"), (CONSTANT, "const"), (LUT, "lut"), (MUX, "mux"),
                            (CARRY, "carry"), (BUFFER, "buffer"), (LUTRAM, "lutram"),
                            (MULTIPLIER, "mult")):
        if pattern.match(kind):
            return result
    raise SystemExit(f"synth_levels: unknown cell type {kind}")


def edge_cost(group, kind, port, from_lut):
    """Levels of going through a cell from an input port; None: no such path."""
    if group in ("lut", "mult"):
        return 1
    if group in ("mux", "buffer"):
        return 0
    if group == "carry":
        if port in CARRY_IN or kind == "SB_CARRY" or (kind != "CCU2C" and from_lut):
            return 0
        return 1
    if group == "lutram":
        return 1 if RAM_ADDRESS.match(port) else None
    raise AssertionError(group)


def depths(module):
    """Longest path into every bit: {bit: (levels, carries, previous bit, cell name)}."""
    driver = {}
    for name, cell in module["cells"].items():
        group = classify(cell["type"])
        if group in ("seq", "const"):
            continue
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] == "output":
                for bit in bits:
                    if not isinstance(bit, str):
                        driver[bit] = (name, group)
    inputs = {}
    for cell_name, group in set(driver.values()):
        cell = module["cells"][cell_name]
        found = []
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] != "input":
                continue
            for bit in bits:
                if not isinstance(bit, str):
                    from_lut = driver.get(bit, ("", ""))[1] in ("lut", "mux")
                    cost = edge_cost(group, cell["type"], port, from_lut)
                    if cost is not None:
                        found.append((bit, cost))
        inputs[cell_name] = found

    done = {}
    for root in driver:
        stack = [root]
        active = set()
        while stack:
            bit = stack[-1]
            if bit in done:
                stack.pop()
                continue
            if bit not in driver:
                done[bit] = (0, 0, None, None)
                stack.pop()
                continue
            cell_name, group = driver[bit]
            pending = [b for b, _ in inputs[cell_name] if b not in done]
            if pending:
                if bit in active:
                    raise SystemExit(f"synth_levels: combinational loop through {cell_name}")
                active.add(bit)
                stack += pending
                continue
            step = 1 if group == "carry" else 0
            best = (0, 0, None, cell_name)
            for source, cost in inputs[cell_name]:
                level, carries, _, _ = done[source]
                if (level + cost, carries + step) > best[:2] or best[2] is None:
                    best = (level + cost, carries + step, source, cell_name)
            done[bit] = best
            active.discard(bit)
            stack.pop()
    return done


def endpoints(module):
    """Every bit that ends a path: register and RAM inputs, module outputs."""
    ends = {}
    names = net_names(module)
    for name, cell in module["cells"].items():
        group = classify(cell["type"])
        if group not in ("seq", "lutram"):
            continue
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] != "input":
                continue
            if group == "lutram" and RAM_ADDRESS.match(port):
                continue
            outputs = cell["connections"].get("Q", [])
            place = names.get(outputs[0], name) if outputs else f"{name}.{port}"
            for bit in bits:
                if not isinstance(bit, str):
                    ends.setdefault(bit, place)
    for name, port in module["ports"].items():
        if port["direction"] == "output":
            for bit in port["bits"]:
                if not isinstance(bit, str):
                    ends.setdefault(bit, f"output {name}")
    return ends


def count(module):
    """Cells by type."""
    cells = {}
    for cell in module["cells"].values():
        cells[cell["type"]] = cells.get(cell["type"], 0) + 1
    return cells


def worst(module):
    """The deepest path: {levels, carries, from, to, path: [{net, cell, type}], histogram}."""
    done = depths(module)
    names = net_names(module)
    ends = endpoints(module)
    histogram = {}
    slowest = {}
    top = None
    for bit, place in ends.items():
        level, carries = done.get(bit, (0, 0, None, None))[:2]
        histogram[level] = histogram.get(level, 0) + 1
        slowest.setdefault(level, set()).add(re.sub(r"(\[\d+\])+$", "", place))
        if top is None or (level, carries) > top[:2]:
            top = (level, carries, bit, place)
    if top is None:
        return {"levels": 0, "carries": 0, "to": "-", "path": [], "histogram": {}, "slowest": []}
    path = []
    bit = top[2]
    while bit is not None:
        _, _, previous, cell = done.get(bit, (0, 0, None, None))
        kind = module["cells"][cell]["type"] if cell else "start"
        path.append({"net": names.get(bit, str(bit)), "cell": cell or "", "type": kind})
        bit = previous
    path.reverse()
    return {"levels": top[0], "carries": top[1], "to": top[3], "path": path,
            "histogram": {str(k): histogram[k] for k in sorted(histogram)},
            "slowest": sorted(slowest[top[0]])}


def print_worst(result, out=sys.stdout):
    """Show the deepest path, one net a line."""
    print(f"deepest path: {result['levels']} levels, {result['carries']} carry cells, "
          f"ends at {result['to']}", file=out)
    skipped = 0
    for index, hop in enumerate(result["path"]):
        following = result["path"][index + 1:index + 2]
        if index and CARRY.match(hop["type"]) and following and CARRY.match(following[0]["type"]):
            skipped += 1
            continue
        note = f"  ({skipped + 1} in a chain)" if skipped else ""
        skipped = 0
        print(f"    {hop['type']:<16} {hop['net']}{note}", file=out)
    spread = "  ".join(f"{k}:{v}" for k, v in result["histogram"].items())
    print(f"end points by level: {spread}", file=out)
    more = len(result["slowest"]) - 8
    print("end points at the deepest level: " + " ".join(result["slowest"][:8])
          + (f" and {more} more" if more > 0 else ""), file=out)


def main():
    if len(sys.argv) != 2:
        print("usage: synth_levels.py NETLIST.json", file=sys.stderr)
        return 2
    print_worst(worst(load_top(sys.argv[1])[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
