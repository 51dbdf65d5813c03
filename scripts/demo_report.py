#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges what scripts/demo measured, and shows it as a table and as a page.

usage: scripts/demo_report.py [--page FILE] RESULT.json     exit 1 if the result is not good

What must hold: every run passed, compared all packets of its stimulus and found no difference; the
simulators' logs of the small stimuli are byte-equal; the totals are reached; without stalls there
is one decision a clock, in the fixed latency. And the point of destination rotation: `dr` keeps
each pointer (destination and size bin) within one packet a port, and each destination within its
number of size bins; on permutation and alltoall, no other scheme does either. `fixed` uses one
port, `spray-rr` keeps its one pointer within one packet. And the parts on order and on traces of
other tools: demo_class.py, demo_formats.py.
"""

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import demo_class  # noqa: E402
import demo_formats  # noqa: E402
import demo_page  # noqa: E402
from demo_schemes import SCHEMES, TINY  # noqa: E402

SIMS = ("verilator", "systemc", "icarus")
TOTALS = {"verilator": 1_000_000, "systemc": 300_000, "icarus": 100_000}
POINT = ("permutation", "alltoall")


def spread(row):
    """Worst spread over ports in packets: of a pointer, of a destination."""
    stats = row["stats"]["large"]
    return stats["destination_bins"]["worst_spread"], stats["destinations"]["worst_spread"]


def count_spread(row, log):
    """Worst spread of a destination's packets over the ports as the log grows: [[packets, worst]].

    Only ports with a choice count, as in egret model --stats.
    """
    column = {str(p["port"]): i for i, p in enumerate(row["stats"]["large"]["ports"])}
    width = len(column)
    counts, series, packets, worst = {}, [], 0, 0
    with open(log, encoding="ascii") as handle:
        next(handle)
        for line in handle:
            field = line.split(",", 7)
            port = column.get(field[6])
            if port is None:
                continue
            packets += 1
            count = counts.get(field[4])
            if count is None:
                count = counts[field[4]] = [0] * width
            count[port] += 1
            spread = max(count) - min(count)
            if spread > worst:
                worst = spread
                series.append([packets, worst])
    series.append([packets, worst])
    step = max(1, len(series) // 400)
    return series[:-1:step] + series[-1:]


def ports_used(row):
    """Ports that carried any of the long stimulus."""
    return sum(port["packets"] > 0 for port in row["stats"]["large"]["ports"])


def judge_run(row, run):
    """What is wrong with one run: the first cause, or None."""
    wanted = row["packets"].get(run["size"])
    low, high = run.get("latency", [0, -1])
    free = run["stall"] == "none"
    if run["differences"] != 0:
        fault = f"{run['differences']} differences, {run.get('fault') or 'but it passed'}"
    elif run.get("fault"):
        fault = run["fault"]
    elif run["packets"] == 0:
        fault = "compared nothing"
    elif run["packets"] != wanted:
        fault = f"compared {run['packets']} packets of {wanted}"
    elif free and run.get("rate") != 1.0:
        fault = f"{run.get('rate')} decisions a clock"
    elif free and low != high:
        fault = f"latency {low}..{high} clocks"
    elif free and not run.get("log_equal"):
        fault = "its log is not the model's"
    else:
        return None
    return f"{run['sim']} {run['size']}: {fault}"


def judge_row(row):
    """Faults of one row, without its name."""
    faults = list(row["faults"])
    sizes = {(run["sim"], run["size"]) for run in row["runs"]}
    for need in [("verilator", "large"), ("systemc", "medium"),
                 *[(sim, "small") for sim in row["sims"]]]:
        if need not in sizes:
            faults.append(f"no {need[1]} run in {need[0]}")
    faults += [fault for fault in (judge_run(row, run) for run in row["runs"]) if fault]
    if not faults and row["logs_equal"] != len(row["sims"]):
        faults.append("logs of the small stimulus were not equal in all simulators")
    if "large" not in row["stats"]:
        return [*faults, "no figures of imbalance"]
    if row["stats"]["large"]["destinations"]["used"] == 0:
        return [*faults, "no destination had a choice of ports"]
    pointer, destination = spread(row)
    if row["scheme"] == "dr":
        if pointer > 1:
            faults.append(f"a pointer of dr is {pointer} packets apart, more than 1")
        if destination > row["bins"]:
            faults.append(f"a destination of dr is {destination} packets apart, more than "
                          f"{row['bins']} size bins")
    if row["scheme"] == "fixed" and ports_used(row) != 1:
        faults.append(f"fixed uses {ports_used(row)} ports")
    if row["scheme"] == "spray-rr":
        group = row["stats"]["large"]["group_pointers"]["worst_spread"]
        if group > 1:
            faults.append(f"the pointer of spray-rr is {group} packets apart, more than 1")
    if row["scheme"] != "dr" and row["name"] in POINT and row["main"]:
        if pointer <= 1:
            faults.append(f"{row['scheme']} keeps each destination and bin within one packet")
        if destination <= row["bins"]:
            faults.append(f"{row['scheme']} keeps each destination within its size bins")
    return faults


def judge(result):
    """All faults, as lines."""
    faults = []
    for row in result["rows"]:
        place = f"{row['name']} {row['scheme']} {row['config']}"
        faults += [f"{place}: {text}" for text in dict.fromkeys(judge_row(row))]
    here = {(row["name"], row["scheme"]) for row in result["rows"] if row["main"]}
    faults += [f"{name} {scheme}: not run" for name in (*POINT, "ring") for scheme in SCHEMES
               if (name, scheme) not in here]
    tiny = {row["scheme"] for row in result["rows"]
            if row["name"].endswith(".cm") and row["config"] == "tiny"}
    faults += [f".cm file, tiny: {scheme}: not run" for scheme in TINY if scheme not in tiny]
    faults += [f"{sim}: {total(result, sim)[0]} decisions compared, {least} wanted"
               for sim, least in TOTALS.items() if total(result, sim)[0] < least]
    return (faults + demo_class.judge(result["classes"]) +
            demo_formats.judge(result["formats"], judge_run))


def total(result, sim):
    """Decisions, differences and seconds of one simulator."""
    runs = [run for row in result["rows"] for run in row["runs"] if run["sim"] == sim]
    return (sum(run["packets"] for run in runs), sum(run["differences"] for run in runs),
            sum(run["seconds"] for run in runs))


def cells(row):
    """The table's cells of one row; None is a figure that is not there."""
    runs = row["runs"]
    seconds = {sim: [run["seconds"] for run in runs if run["sim"] == sim] for sim in SIMS}
    free = [run for run in runs if run["stall"] == "none" and "rate" in run]
    cell = {
        "traffic": row["name"], "scheme": row["scheme"], "config": row["config"],
        "switch": f"{row['topology']} {row['at']}",
        "decisions": sum(run["packets"] for run in runs),
        "differences": sum(run["differences"] for run in runs),
        "rate": min((run["rate"] for run in free), default=None),
        "latency": max((run["latency"][1] for run in free), default=None),
        "max": None, "mean": None, "pointer": None, "destination": None, "bins": row["bins"],
    }
    for sim in SIMS:
        cell[sim] = sum(seconds[sim]) if seconds[sim] else None
    if "large" in row["stats"]:
        ports = [port["bytes"] for port in row["stats"]["large"]["ports"]]
        if ports:
            cell["max"], cell["mean"] = max(ports), sum(ports) / len(ports)
        cell["pointer"], cell["destination"] = spread(row)
    return cell


def form(value, pattern, scale=1):
    """A figure, or a dash."""
    return "-" if value is None else format(value / scale, pattern)


def short(name):
    """A name that leaves the table narrow."""
    return name if len(name) <= 22 else name[:19] + "..."


COLUMNS = [  # two lines of heading, cell
    ("", "traffic", lambda c: short(c["traffic"])),
    ("", "scheme", lambda c: c["scheme"]),
    ("", "config", lambda c: c["config"]),
    ("decisions", "compared", lambda c: f"{c['decisions']:,}"),
    ("differ-", "ences", lambda c: str(c["differences"])),
    ("per", "clock", lambda c: form(c["rate"], ".3f")),
    ("latency", "clocks", lambda c: form(c["latency"], ".0f")),
    ("MB/port", "max", lambda c: form(c["max"], ".3f", 1e6)),
    ("MB/port", "mean", lambda c: form(c["mean"], ".3f", 1e6)),
    ("spread", "dest.", lambda c: form(c["destination"], ".0f")),
    ("spread", "pointer", lambda c: form(c["pointer"], ".0f")),
    ("Verilator", "s", lambda c: form(c["verilator"], ".1f")),
    ("SystemC", "s", lambda c: form(c["systemc"], ".1f")),
    ("Icarus", "s", lambda c: form(c["icarus"], ".1f")),
]
TEXT_COLUMNS = 3


def table(result):
    """The table, for a terminal."""
    lines = [[c[0] for c in COLUMNS], [c[1] for c in COLUMNS]]
    lines += [[column[2](cells(row)) for column in COLUMNS] for row in result["rows"]]
    width = [max(len(line[i]) for line in lines) for i in range(len(COLUMNS))]
    shown = ["  ".join(f"{word:<{w}}" if i < TEXT_COLUMNS else f"{word:>{w}}"
                       for i, (word, w) in enumerate(zip(line, width))).rstrip()
             for line in lines]
    shown.insert(2, "-" * max(len(line) for line in shown))
    return shown


def by_scheme(result):
    """One line a scheme: heading, then worst spreads of each collective, and sums over all rows."""
    names = list(dict.fromkeys(row["name"] for row in result["rows"] if row["main"]))
    head = ["scheme", *(f"{name} {what}" for name in names
                        for what in ("pointer", "destination", "max/mean")),
            "compared", "differences", "latency"]
    lines = []
    for scheme in SCHEMES:
        rows = [row for row in result["rows"] if row["scheme"] == scheme]
        mine = {row["name"]: cells(row) for row in rows if row["main"]}
        line = [scheme]
        for name in names:
            cell = mine.get(name, {})
            line += [form(cell.get("pointer"), ".0f"), form(cell.get("destination"), ".0f"),
                     "-" if not cell.get("mean") else f"{cell['max'] / cell['mean']:.3f}"]
        latency = sorted({cell["latency"] for cell in map(cells, rows)} - {None})
        lines.append([*line, f"{sum(cells(row)['decisions'] for row in rows):,}",
                      str(sum(cells(row)["differences"] for row in rows)),
                      ", ".join(map(str, latency)) or "-"])
    return head, lines


def scheme_table(result):
    """The same, for a terminal."""
    head, lines = by_scheme(result)
    split = [word.rpartition(" ") for word in head]
    lines = [[word[0] for word in split], [word[2] for word in split], *lines]
    width = [max(len(line[i]) for line in lines) for i in range(len(head))]
    shown = ["  ".join(f"{word:<{w}}" if i == 0 else f"{word:>{w}}"
                       for i, (word, w) in enumerate(zip(line, width))).rstrip()
             for line in lines]
    return [*shown[:2], "-" * max(len(line) for line in shown), *shown[2:]]


def summary(result):
    """Totals, one line a simulator, and the seconds of all."""
    lines = []
    for sim in SIMS:
        count, differences, seconds = total(result, sim)
        rate = count / seconds if seconds else 0
        lines.append(f"{sim:<10} {count:>9,} decisions compared, {differences} differences in port "
                     f"or clock, {seconds:.1f} s added over runs, {rate:,.0f} a second of them")
    equal = sum(row["logs_equal"] for row in result["rows"])
    lines.append(f"{len(result['rows'])} small stimuli: {equal} logs, byte-equal between the "
                 "simulators and with the model")
    return lines


def text(result, faults, page):
    """All that goes to the terminal."""
    lines = [*table(result), "",
             "spread: packets between the most and the least used port, worst at any moment;",
             "  pointer: of a destination and size bin (dr has a pointer for each): bound of dr 1;",
             "  dest.: of one destination: bound of dr its 2 size bins. Seconds are wall time of a",
             "  row's runs, added up; runs go in parallel, so all of it takes less.", "",
             *summary(result), "",
             "by scheme: worst spread of a pointer and of a destination in packets; bytes of the",
             "  most used port over the mean; decisions compared, differences over all rows.",
             "  spray-quality and drill hash small packets: acknowledgements to a destination go",
             "  one way.", "",
             *scheme_table(result), "",
             "order: the same messages as WRITE Only, which are sprayed, and as First, Middle,",
             f"  Last, which keep order by ecmp; the ports' paths differ by up to "
             f"{demo_class.skew(result['classes'])} ns:", "",
             *demo_class.text(result["classes"]), "",
             "traces of other tools: what each holds, and one switch's decisions, RTL and model in "
             "lock step:", "", *demo_formats.text(result["formats"]), "",
             f"{len(result['formats'])} traces of {len(demo_formats.FORMATS)} formats: "
             "{:,} decisions compared, {} differences in port or clock".format(
                 *demo_formats.sums(result["formats"])), ""]
    lines += result["notes"]
    lines.append(f"{result['seconds']:.0f} s from start to end, {result['jobs']} runs at a time; "
                 f"{page}")
    lines += [f"demo: {fault}" for fault in faults]
    count = sum(total(result, sim)[0] for sim in SIMS)
    lines.append(f"RESULT pass={count} fail={len(faults)}")
    return "\n".join(lines)


def write_page(result, faults, page):
    """The page, complete or not at all."""
    rows = [dict(row, cell=cells(row)) for row in result["rows"]]
    html = demo_page.page(rows, {sim: total(result, sim) for sim in SIMS}, result, faults,
                          by_scheme(result))
    part = page.with_name(page.name + ".part")
    part.write_text(html, encoding="utf-8")
    part.replace(page)


def main():
    """Judge a result that was kept."""
    words = sys.argv[1:]
    page = None
    if len(words) > 1 and words[0] == "--page":
        page, words = Path(words[1]), words[2:]
    if len(words) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        result = json.loads(Path(words[0]).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        print(f"demo_report: {words[0]}: {error}", file=sys.stderr)
        return 2
    faults = judge(result)
    if page is not None:
        write_page(result, faults, page)
    print(text(result, faults, page or "no page"))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
