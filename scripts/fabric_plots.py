#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plots of results of egret fabric as SVG.

usage: scripts/fabric_plots.py cct FILE.json... -o OUT.svg
       scripts/fabric_plots.py queue FILE.json... -o OUT.svg [--queue NAME]

cct: completion time over the lower bound, a lane a scheme; dots are runs. queue: mean queue
against packets a message, both logarithmic, a curve a scheme with its fitted exponent; of the tier
NAME (edge_up, agg_up, core_down, agg_down, edge_down), or without --queue the longest of a run.
"""

import argparse
import json
import math
import sys

from demo_plots import apart, label, line, short, svg, tag

COLOURS = ("#00727f", "#c2410c", "#2563eb", "#7e3fc4", "#15803d", "#be185d", "#a16207", "#6b7280",
           "#0f766e", "#1f2937")
STYLE = """svg { background: #fff; font: 13px sans-serif; fill: #1f2937; }
.heading { font-weight: bold; font-size: 15px; } .tick { font-size: 12px; fill: #4b5563; }
.grid { stroke: #d1d5db; } .lane { stroke: #e5e7eb; } .curve { fill: none; stroke-width: 2; }"""
LEAST_QUEUE = 0.01  # packets: what is shorter is drawn there
TIERS = ("edge_up", "agg_up", "core_down", "agg_down", "edge_down")


def name_of(result):
    """What a curve is called: the scheme of the switches, and of the hosts if that decides."""
    if result["host"] == "flow":
        return result["scheme"]
    return result["host"] if result["scheme"] in ("entropy", "ecmp") \
        else f'{result["host"]}, {result["scheme"]}'


def colour(names, name):
    """A colour by the order in which the names came."""
    return COLOURS[names.index(name) % len(COLOURS)]


def page(width, height, title, parts):
    """A file of its own: with name space, size and style."""
    text = svg(width, height, title, [tag("style", STYLE), *parts])
    return text.replace("<svg ", f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
                                 f'height="{height}" ', 1) + "\n"


def powers(low, high):
    """Powers of ten from at or below low to at or above high."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    return [10.0 ** i for i in range(first, max(last, first + 1) + 1)]


def increases(results):
    """{name: percentages, one a run}, for results that have a bound."""
    out = {}
    for result in results:
        if result["bound_us"]:
            values = [(run["cct_us"] / result["bound_us"] - 1) * 100 for run in result["runs"]]
            out.setdefault(name_of(result), []).extend(values)
    return out


def plot_cct(results):
    """Lanes of dots on a logarithmic axis of per cent."""
    lanes = increases(results)
    if not lanes:
        sys.exit("fabric_plots.py: no result has a lower bound")
    width, left, right, top, lane = 700, 190, 90, 50, 26
    floor = 0.001
    values = [max(v, floor) for values in lanes.values() for v in values]
    ticks = powers(min(values), max(values))
    scale = (width - left - right) / math.log10(ticks[-1] / ticks[0])
    height = top + lane * len(lanes) + 50

    def at(value):
        return left + math.log10(max(value, floor) / ticks[0]) * scale

    parts = [label(0, 18, "Completion time over the lower bound", cls="heading")]
    for tick in ticks:
        parts += [line(at(tick), top - 12, at(tick), height - 46, "grid"),
                  label(at(tick), height - 30, f"{tick:g}", "middle", "tick")]
    parts.append(label(left + (width - left - right) / 2, height - 10, "per cent, logarithmic",
                       "middle", "tick"))
    names = list(lanes)
    for i, (name, runs) in enumerate(lanes.items()):
        y = top + lane * i + lane / 2
        mean = sum(runs) / len(runs)
        parts += [label(left - 12, y + 4, name, "end"),
                  line(left, y, width - right, y, "lane")]
        parts += [tag("circle", cx=f"{at(v):.1f}", cy=f"{y:.1f}", r=4, fill=colour(names, name),
                      fill_opacity=0.7) for v in runs]
        parts.append(label(width - right + 10, y + 4, f"{mean:.3g} %", cls="value"))
    return page(width, height, "Completion time over the lower bound", parts)


def queue_of(run, tier):
    """Mean queue of a run in packets."""
    tiers = (tier,) if tier else TIERS
    return max((run["queues"][t]["mean_packets"] for t in tiers if t in run["queues"]), default=0)


def curves(results, tier):
    """{name: [(packets a message, mean queue of all runs)]} by size."""
    out = {}
    for result in results:
        values = [queue_of(run, tier) for run in result["runs"]]
        sizes = out.setdefault(name_of(result), {})
        sizes.setdefault(result["message_packets"], []).extend(values)
    return {name: [(m, sum(v) / len(v)) for m, v in sorted(sizes.items())]
            for name, sizes in out.items()}


def exponent(points):
    """Slope of the line of least squares through the logarithms; None of fewer than two sizes."""
    logs = [(math.log(m), math.log(max(q, LEAST_QUEUE))) for m, q in points]
    if len(logs) < 2:
        return None
    mx = sum(x for x, _ in logs) / len(logs)
    my = sum(y for _, y in logs) / len(logs)
    return sum((x - mx) * (y - my) for x, y in logs) / sum((x - mx) ** 2 for x, _ in logs)


def plot_queue(results, tier):
    """Curves, both axes logarithmic."""
    series = curves(results, tier)
    width, height, left, right, top, foot = 700, 440, 60, 190, 40, 50
    sizes = [m for points in series.values() for m, _ in points]
    values = [max(q, LEAST_QUEUE) for points in series.values() for _, q in points]
    xs, ys = powers(min(sizes), max(sizes)), powers(min(values), max(values))

    def at(value, ticks, start, length):
        return start + math.log10(value / ticks[0]) / math.log10(ticks[-1] / ticks[0]) * length

    def x_of(m):
        return at(m, xs, left, width - left - right)

    def y_of(q):
        return at(max(q, LEAST_QUEUE), ys, height - foot, -(height - foot - top))

    parts = [label(0, 18, f"Mean queue, packets ({tier or 'longest tier'})", cls="heading")]
    for tick in xs:
        parts += [line(x_of(tick), top, x_of(tick), height - foot, "grid"),
                  label(x_of(tick), height - foot + 18, short(tick), "middle", "tick")]
    for tick in ys:
        parts += [line(left, y_of(tick), width - right, y_of(tick), "grid"),
                  label(left - 8, y_of(tick) + 4, f"{tick:g}", "end", "tick")]
    parts.append(label(left + (width - left - right) / 2, height - 10, "packets a message",
                       "middle", "tick"))
    names = list(series)
    places = apart([y_of(points[-1][1]) for points in series.values()], 16)
    for (name, points), place in zip(series.items(), places):
        path = " ".join(f"{x_of(m):.1f},{y_of(q):.1f}" for m, q in points)
        slope = exponent(points)
        text = name if slope is None else f"{name}: m^{slope:.2f}"
        parts.append(tag("polyline", points=path, cls="curve", stroke=colour(names, name)))
        parts += [tag("circle", cx=f"{x_of(m):.1f}", cy=f"{y_of(q):.1f}", r=3.5,
                      fill=colour(names, name)) for m, q in points]
        parts.append(tag("text", text, x=f"{width - right + 10}", y=f"{place + 4:.1f}",
                         fill=colour(names, name)))
    return page(width, height, "Mean queue against message size", parts)


def main():
    """Reads the results and writes one plot."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plot", choices=("cct", "queue"))
    parser.add_argument("files", nargs="+", metavar="FILE.json")
    parser.add_argument("-o", required=True, metavar="OUT.svg")
    parser.add_argument("--queue", choices=TIERS)
    options = parser.parse_args()
    results = []
    for name in options.files:
        with open(name, encoding="utf-8") as file:
            results.append(json.load(file))
    text = plot_cct(results) if options.plot == "cct" else plot_queue(results, options.queue)
    with open(options.o, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
