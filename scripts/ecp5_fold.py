#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fold plain flip-flops behind ECP5 block RAM read ports into the RAM's output registers.

usage: scripts/ecp5_fold.py IN.json OUT.json

Yosys always leaves REGMODE at NOREG; the path from the RAM's core to a register in the fabric then
bounds the clock at about 146 MHz. This step rewrites the netlist that synth_ecp5 wrote: where every
used data bit of a read port goes to exactly one place, the data input of a flip-flop that does
nothing but delay it by the same clock edge, the flip-flops are removed, the RAM drives their nets,
and the port's REGMODE becomes OUTREG.

A port is folded only if all of these hold, else it is left alone and named with the reason:
  * each used data bit has one sink, the DI input of a TRELLIS_FF, and is no port of the module;
  * the flip-flop has no enable (CEMUX "1", or CE constant 1), no reset (LSR constant 0, or absent),
    no second data input, and no initial value of 1 (an output register starts at 0);
  * clock net and clock edge of the flip-flop are those of the RAM port;
  * the port's output enable OCE is constant 1, its reset RST is constant 0, and it is NOREG.
After the rewrite the same facts are checked again from the written netlist (see check()).
"""

import copy
import json
import sys

import synth_levels

# cell type -> port letter -> (data output prefix, clock, clock mux, output enable, reset, mode)
PORTS = {
    "DP16KD": {
        "A": ("DOA", "CLKA", "CLKAMUX", "OCEA", "RSTA", "REGMODE_A", 18),
        "B": ("DOB", "CLKB", "CLKBMUX", "OCEB", "RSTB", "REGMODE_B", 18),
    },
    "PDPW16KD": {
        "R": ("DO", "CLKR", "CLKRMUX", "OCER", "RST", "REGMODE", 36),
    },
}
IGNORED = ("0", "x", "z")


class FoldError(Exception):
    """The folded netlist does not follow from the original."""


def wire(cell, port, default):
    """The single bit at a cell's port, or the default where it is absent or open."""
    bits = cell["connections"].get(port, [])
    return bits[0] if bits else default


def loads(module):
    """Map each net bit to its sinks: (cell, port) pairs, and ('', port) for module outputs."""
    sinks = {}
    for name, cell in module["cells"].items():
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] == "output":
                continue
            for bit in bits:
                if not isinstance(bit, str):
                    sinks.setdefault(bit, []).append((name, port))
    for name, port in module["ports"].items():
        if port["direction"] != "input":
            for bit in port["bits"]:
                if not isinstance(bit, str):
                    sinks.setdefault(bit, []).append(("", name))
    return sinks


def data_bits(cell, letter):
    """The connected data outputs of a RAM port: {cell port name: net bit}."""
    prefix, width = PORTS[cell["type"]][letter][0], PORTS[cell["type"]][letter][6]
    found = {}
    for index in range(width):
        bit = wire(cell, f"{prefix}{index}", None)
        if bit is not None and not isinstance(bit, str):
            found[f"{prefix}{index}"] = bit
    return found


def edge(parameters, key):
    """True for an inverted clock."""
    return str(parameters.get(key, "CLK")).strip().upper() == "INV"


def register_fault(cell, clock, inverted):
    """Why this flip-flop is no plain delay on that clock; None if it is one."""
    if cell["type"] != "TRELLIS_FF":
        return f"goes to a {cell['type']}"
    parameters = cell["parameters"]
    ce_mux = str(parameters.get("CEMUX", "CE")).strip()
    if not (ce_mux == "1" or (ce_mux == "CE" and wire(cell, "CE", "1") == "1")):
        return "register has an enable"
    if wire(cell, "LSR", "0") not in IGNORED or str(parameters.get("LSRMUX", "LSR")) != "LSR":
        return "register has a reset"
    if wire(cell, "M", "0") not in IGNORED:
        return "register has a second data input"
    if str(parameters.get("REGSET", "RESET")).strip() == "SET":
        return "register starts at 1"
    if wire(cell, "CLK", None) != clock or edge(parameters, "CLKMUX") != inverted:
        return "register is on another clock"
    return None


def port_fault(module, sinks, cell, letter):
    """Why a read port cannot be folded; None if it can."""
    _, clock_port, mux, enable, reset, mode, _ = PORTS[cell["type"]][letter]
    parameters = cell["parameters"]
    if str(parameters.get(mode, "NOREG")).strip() != "NOREG":
        return "has an output register already"
    if wire(cell, enable, "1") != "1":
        return "output enable is not constant 1"
    if wire(cell, reset, "0") not in IGNORED:
        return "port has a reset"
    clock = wire(cell, clock_port, None)
    for pin, bit in data_bits(cell, letter).items():
        places = sinks.get(bit, [])
        if not places:
            continue
        if len(places) != 1:
            return f"{pin} has {len(places)} sinks"
        target, port = places[0]
        if target == "" or port != "DI":
            what = module["cells"][target]["type"] + "." + port if target else "a module output"
            return f"{pin} goes to {what}"
        fault = register_fault(module["cells"][target], clock, edge(parameters, mux))
        if fault:
            return f"{pin}: {fault}"
    if not any(sinks.get(bit) for bit in data_bits(cell, letter).values()):
        return "unused"
    return None


def fold(module):
    """Fold in place. Returns (folded, left): lists of (RAM, port, detail)."""
    sinks = loads(module)
    folded, left = [], []
    for name in sorted(n for n, c in module["cells"].items() if c["type"] in PORTS):
        cell = module["cells"][name]
        for letter in PORTS[cell["type"]]:
            fault = port_fault(module, sinks, cell, letter)
            if fault == "unused":
                continue
            if fault:
                left.append((name, letter, fault))
                continue
            registers = 0
            for pin, bit in data_bits(cell, letter).items():
                places = sinks.get(bit, [])
                if not places:
                    continue
                register = module["cells"].pop(places[0][0])
                cell["connections"][pin] = [wire(register, "Q", "x")]
                registers += 1
            cell["parameters"][PORTS[cell["type"]][letter][5]] = "OUTREG"
            folded.append((name, letter, registers))
    return folded, left


def driver_of(module, bit):
    """The (cell, port) that drives a bit."""
    for name, cell in module["cells"].items():
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] == "output" and bit in bits:
                return name, port
    return None


def check(before, after):
    """Prove from both netlists alone that `after` is `before` with plain registers moved.

    Every cell of `after` is a cell of `before` with the same connections and parameters, except RAM
    ports whose mode changed; behind those, each rewired output names a net that in `before` was the
    Q of a removed register whose DI was that very output, plain and on the port's clock. Every
    removed cell is accounted for once, so nothing else can differ.
    """
    old, new = before["cells"], after["cells"]
    if before["ports"] != after["ports"]:
        raise FoldError("module ports differ")
    removed = set(old) - set(new)
    if set(new) - set(old):
        raise FoldError("cells were added")
    sinks = loads(before)
    moved = set()
    for name, cell in new.items():
        if cell == old[name]:
            continue
        if cell["type"] not in PORTS or cell["type"] != old[name]["type"]:
            raise FoldError(f"{name}: changed but no block RAM")
        expected = copy.deepcopy(old[name])
        for letter, (_, clock_port, mux, _, _, mode, _) in PORTS[cell["type"]].items():
            if cell["parameters"].get(mode) == old[name]["parameters"].get(mode):
                continue
            if cell["parameters"][mode] != "OUTREG":
                raise FoldError(f"{name}: unknown mode of port {letter}")
            fault = port_fault(before, sinks, old[name], letter)
            if fault:
                raise FoldError(f"{name} port {letter}: {fault}")
            expected["parameters"][mode] = "OUTREG"
            for pin, bit in data_bits(old[name], letter).items():
                if not sinks.get(bit):
                    continue
                register = sinks[bit][0][0]
                if register not in removed or register in moved:
                    raise FoldError(f"{name}.{pin}: register {register} was not removed once")
                fault = register_fault(old[register], wire(old[name], clock_port, None),
                                       edge(old[name]["parameters"], mux))
                if fault or old[register]["connections"]["DI"] != [bit]:
                    raise FoldError(f"{name}.{pin}: {fault or 'register reads another net'}")
                moved.add(register)
                expected["connections"][pin] = old[register]["connections"]["Q"]
        if cell != expected:
            raise FoldError(f"{name}: changed beyond the fold")
    if moved != removed:
        raise FoldError(f"cells removed for no reason: {sorted(removed - moved)[:3]}")


def fold_file(source, target, log=sys.stdout):
    """Fold a netlist file, check the result, write it, and say what was done."""
    with open(source, encoding="utf-8") as handle:
        design = json.load(handle)
    name, module = synth_levels.load_top(source)
    module = design["modules"][name]
    before = copy.deepcopy(module)
    folded, left = fold(module)
    with open(target, "w", encoding="utf-8") as handle:
        json.dump(design, handle)
    with open(target, encoding="utf-8") as handle:
        check(before, json.load(handle)["modules"][name])
    registers = sum(count for _, _, count in folded)
    print(f"fold: {len(folded)} block RAM ports, {registers} registers moved into them, "
          f"{len(left)} ports left alone", file=log)
    for ram, letter, fault in left:
        print(f"fold: left {ram} port {letter}: {fault}", file=log)
    return len(folded), registers, left


def main():
    if len(sys.argv) != 3:
        print("usage: ecp5_fold.py IN.json OUT.json", file=sys.stderr)
        return 2
    try:
        fold_file(sys.argv[1], sys.argv[2])
    except (OSError, ValueError, FoldError) as error:
        print(f"ecp5_fold: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
