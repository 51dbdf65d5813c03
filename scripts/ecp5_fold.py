#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fold plain flip-flops behind ECP5 block RAMs and multipliers into these cells' output registers.

usage: scripts/ecp5_fold.py IN.json OUT.json

Yosys always leaves REGMODE at NOREG; the path from the RAM's core to a register in the fabric then
bounds the clock at about 146 MHz. This step rewrites the netlist that synth_ecp5 wrote: where every
used data bit of a read port goes to exactly one place, the data input of a flip-flop that does
nothing but delay it by the same clock edge, the flip-flops are removed, the RAM drives their nets,
and the port's REGMODE becomes OUTREG. With DATA_WIDTH_A 36 a DP16KD has one read port over both
halves, clocked by CLKB. A MULT18X18D is used without a clock; its product is a port like the
others, which gets the clock of its registers, CLK0, and REG_OUTPUT_CLK. Without it the multiplier
bounds the clock at some 140 MHz.

A port is folded only if all of these hold, else it is left alone and named with the reason:
  * each used data bit has one sink, the DI input of a TRELLIS_FF, and is no port of the module;
  * the flip-flop has no enable (CEMUX "1", or CE constant 1), no reset (LSR constant 0, or absent),
    no second data input, and does not start at 1 (an output register starts at 0);
  * clock net and clock edge of the flip-flop are those of the RAM port;
  * the port's clock enable and output enable are constant 1, its reset is constant 0, and it has no
    output register yet; over both halves, these share one clock.
After the rewrite the same facts are checked again from the netlist as written (see check()).
"""

import copy
import json
import sys
from collections import namedtuple

import synth_levels

# One port: data outputs, clock and its mux, inputs that must be 1 or 0, parameters that choose the
# register with their values (without, with), a second (clock, mux) that must equal the first, and
# inputs that the fold sets to 1 and to 0.
ReadPort = namedtuple("ReadPort", "name data clock mux ones zeros modes values twin enables resets")
RAM_MODES = ("NOREG", "OUTREG")
IGNORED = ("0", "x", "z")


class FoldError(Exception):
    """The folded netlist does not follow from the original."""


def read_ports(cell):
    """The ports of a block RAM or a multiplier."""
    if cell["type"] == "MULT18X18D":
        return [ReadPort("P", [f"P{i}" for i in range(36)], "CLK0", "CLK0MUX", ("CE0",), ("RST0",),
                         ("REG_OUTPUT_CLK",), ("NONE", "CLK0"), None, ("CE0",), ("RST0",))]
    if int(cell["parameters"]["DATA_WIDTH_A"], 2) == 36:
        data = [f"DO{half}{i}" for half in "AB" for i in range(18)]
        return [ReadPort("R", data, "CLKB", "CLKBMUX", ("CEB", "OCEB"), ("RSTA", "RSTB"),
                         ("REGMODE_A", "REGMODE_B"), RAM_MODES, ("CLKA", "CLKAMUX"), ("OCEA",),
                         ())]
    return [ReadPort(h, [f"DO{h}{i}" for i in range(18)], f"CLK{h}", f"CLK{h}MUX",
                     (f"CE{h}", f"OCE{h}"), (f"RST{h}",), (f"REGMODE_{h}",), RAM_MODES, None, (),
                     ())
            for h in "AB"]


def is_block(cell):
    """True for the only block RAM and multiplier primitives that synth_ecp5 makes."""
    return cell["type"] in ("DP16KD", "MULT18X18D")


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


def used_bits(cell, port, sinks):
    """The data outputs of a read port that go somewhere: {pin: net bit}."""
    pins = {pin: wire(cell, pin, "x") for pin in port.data}
    return {pin: bit for pin, bit in pins.items() if sinks.get(bit)}


def inverted(cell, mux):
    """True for a falling clock edge."""
    return str(cell["parameters"].get(mux, "CLK")).strip().upper() == "INV"


def register_fault(cell, clock, falling):
    """Why this flip-flop is no plain delay on that clock; None if it is one."""
    if cell["type"] != "TRELLIS_FF":
        return f"goes to a {cell['type']}"
    parameters = cell["parameters"]
    ce_mux = str(parameters.get("CEMUX", "CE")).strip()
    if not (ce_mux == "1" or (ce_mux == "CE" and wire(cell, "CE", "1") == "1")):
        return "register has an enable"
    lsr_mux = str(parameters.get("LSRMUX", "LSR")).strip()
    if wire(cell, "LSR", "0") not in IGNORED or lsr_mux != "LSR":
        return "register has a reset"
    if wire(cell, "M", "0") not in IGNORED:
        return "register has a second data input"
    if str(parameters.get("REGSET", "RESET")).strip() == "SET":
        return "register starts at 1"
    if wire(cell, "CLK", None) != clock or inverted(cell, "CLKMUX") != falling:
        return "register is on another clock"
    return None


def mode_of(cell, port, mode):
    """The value of a parameter that chooses a register."""
    return str(cell["parameters"].get(mode, port.values[0])).strip()


def clock_of(module, sinks, cell, port):
    """Clock net and edge of a port; one without a clock takes that of its first register."""
    if cell["connections"].get(port.clock) or cell["type"] == "DP16KD":
        return wire(cell, port.clock, None), inverted(cell, port.mux)
    for bit in used_bits(cell, port, sinks).values():
        register = module["cells"].get(sinks[bit][0][0], {"connections": {}})
        return wire(register, "CLK", None), False
    return None, False


def port_fault(module, sinks, cell, port):
    """Why a read port cannot be folded; None if it can."""
    for mode in port.modes:
        if mode_of(cell, port, mode) != port.values[0]:
            return "has an output register already"
    for pin in port.ones:
        if wire(cell, pin, "1") != "1":
            return f"{pin} is not constant 1"
    for pin in port.zeros:
        if wire(cell, pin, "0") not in IGNORED:
            return f"{pin} is not constant 0"
    clock, falling = clock_of(module, sinks, cell, port)
    if port.twin and (wire(cell, port.twin[0], None) != clock
                      or inverted(cell, port.twin[1]) != falling):
        return "halves have two clocks"
    for pin, bit in used_bits(cell, port, sinks).items():
        if len(sinks[bit]) != 1:
            return f"{pin} has {len(sinks[bit])} sinks"
        target, sink = sinks[bit][0]
        if target == "" or sink != "DI":
            what = module["cells"][target]["type"] + "." + sink if target else "a module output"
            return f"{pin} goes to {what}"
        fault = register_fault(module["cells"][target], clock, falling)
        if fault:
            return f"{pin}: {fault}"
    return None


def fold_port(cell, port, clock):
    """Set the parameters, clock and enables of a folded port."""
    for mode in port.modes:
        cell["parameters"][mode] = port.values[1]
    pins = {port.clock: clock} | dict.fromkeys(port.enables, "1") | dict.fromkeys(port.resets, "0")
    for pin, bit in pins.items():
        cell["connections"][pin] = [bit]
        cell["port_directions"][pin] = "input"


def fold(module):
    """Fold in place. Returns (folded, left): lists of (RAM, port, registers or reason)."""
    sinks = loads(module)
    folded, left = [], []
    for name in sorted(n for n, c in module["cells"].items() if is_block(c)):
        cell = module["cells"][name]
        for port in read_ports(cell):
            used = used_bits(cell, port, sinks)
            if not used:
                continue
            fault = port_fault(module, sinks, cell, port)
            if fault:
                left.append((name, port.name, fault))
                continue
            clock = clock_of(module, sinks, cell, port)[0]
            for pin, bit in used.items():
                register = module["cells"].pop(sinks[bit][0][0])
                cell["connections"][pin] = [wire(register, "Q", "x")]
            fold_port(cell, port, clock)
            folded.append((name, port.name, len(used)))
    return folded, left


def check(before, after):
    """Prove from both netlists alone that `after` is `before` with plain registers moved.

    Every cell of `after` is a cell of `before` with the same connections and parameters, except
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
        if not is_block(cell) or not is_block(old[name]):
            raise FoldError(f"{name}: changed but no block RAM or multiplier")
        expected = copy.deepcopy(old[name])
        for port in read_ports(old[name]):
            if all(mode_of(cell, port, m) == mode_of(old[name], port, m) for m in port.modes):
                continue
            fault = port_fault(before, sinks, old[name], port)
            if not used_bits(old[name], port, sinks):
                fault = "nothing is read there"
            if fault:
                raise FoldError(f"{name} port {port.name}: {fault}")
            for pin, bit in used_bits(old[name], port, sinks).items():
                register = sinks[bit][0][0]
                if register not in removed or register in moved:
                    raise FoldError(f"{name}.{pin}: register {register} was not removed once")
                moved.add(register)
                expected["connections"][pin] = old[register]["connections"]["Q"]
            fold_port(expected, port, clock_of(before, sinks, old[name], port)[0])
        if cell != expected:
            raise FoldError(f"{name}: changed beyond the fold")
    if moved != removed:
        raise FoldError(f"cells removed for no reason: {sorted(removed - moved)[:3]}")


def fold_file(source, target, log=sys.stdout):
    """Fold a netlist file, check what was written, and say what was done."""
    with open(source, encoding="utf-8") as handle:
        design = json.load(handle)
    name = synth_levels.load_top(source)[0]
    before = copy.deepcopy(design["modules"][name])
    folded, left = fold(design["modules"][name])
    with open(target, "w", encoding="utf-8") as handle:
        json.dump(design, handle)
    with open(target, encoding="utf-8") as handle:
        check(before, json.load(handle)["modules"][name])
    registers = sum(count for _, _, count in folded)
    print(f"fold: {len(folded)} block RAM ports and products, {registers} registers moved into "
          f"them, {len(left)} ports left alone", file=log)
    for ram, port, fault in left:
        print(f"fold: left {ram} port {port}: {fault}", file=log)
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
