# SPDX-License-Identifier: Apache-2.0
"""The demo's page: verdict, plots and tables in one HTML file, without scripts or other files."""

from html import escape

import demo_class
import demo_formats
import demo_plots as plots
import demo_schemes

STYLE = """
:root { color-scheme: light dark; --back: #ffffff; --text: #1b1f24; --dim: #57606a;
  --line: #d5dae0; --lane: #eceff2; --panel: #f6f8fa; LIGHT
  --good: #116329; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --back: #12161b; --text: #e4e8ec; --dim: #9aa5b1;
  --line: #38414b; --lane: #232a31; --panel: #1a2027; DARK
  --good: #63d07f; --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 28px 24px 48px; max-width: 1400px; background: var(--back);
  color: var(--text); font: 15px/1.5 "DejaVu Sans", "Liberation Sans", system-ui, sans-serif; }
h1 { font-size: 24px; margin: 0 0 4px; } h2 { font-size: 18px; margin: 36px 0 6px; }
p { margin: 6px 0 10px; max-width: 88ch; } .dim { color: var(--dim); }
.verdict { border-left: 6px solid var(--good); background: var(--panel); padding: 10px 16px;
  margin: 16px 0; } .verdict.bad { border-color: var(--bad); }
.verdict b { color: var(--good); } .verdict.bad b { color: var(--bad); }
.plots { display: flex; flex-wrap: wrap; gap: 20px 28px; }
.plots > div { flex: 1 1 330px; max-width: 420px; min-width: 0; }
.plots.wide > div { flex: 1 1 520px; max-width: 640px; }
.plots.full > div { flex: 1 1 1000px; max-width: 1120px; }
svg { width: 100%; height: auto; display: block; }
svg text { font-family: inherit; font-size: 13px; fill: var(--text); }
svg .heading { font-size: 14px; font-weight: bold; } svg .strong { font-weight: bold; }
svg .tick { font-size: 12px; fill: var(--dim); } svg .value { font-variant-numeric: tabular-nums; }
svg .grid { stroke: var(--line); stroke-width: 1; } svg .lane { stroke: var(--lane); }
svg .axis { stroke: var(--dim); stroke-width: 1.2; }
svg .mean { stroke: var(--text); stroke-width: 1.5; stroke-dasharray: 5 3; }
svg .bound { stroke: var(--dr); stroke-width: 1.5; stroke-dasharray: 5 3; }
svg .curve { fill: none; stroke-width: 2; }
RULES
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 12.5px; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 7px; text-align: right; border-bottom: 1px solid var(--line);
  white-space: nowrap; }
th { color: var(--dim); font-weight: normal; vertical-align: bottom; }
th.text, td.text { text-align: left; } tr.first td { border-top: 2px solid var(--dim); }
""".replace("LIGHT", demo_schemes.colours(False)).replace(
    "DARK", demo_schemes.colours(True)).replace("RULES", demo_schemes.rules())
NAMES = {"verilator": "Verilator", "systemc": "SystemC", "icarus": "Icarus"}


def form(value, pattern, scale=1):
    """A figure, or a dash."""
    return "-" if value is None else format(value / scale if scale != 1 else value, pattern)


# heading, cell, class of the cell
COLUMNS = [
    ("traffic", lambda c: escape(c["traffic"]), "text"),
    ("scheme", lambda c: c["scheme"], "text"),
    ("config", lambda c: c["config"], "text"),
    ("switch", lambda c: c["switch"], "text"),
    ("decisions<br>compared", lambda c: form(c["decisions"], ",d"), ""),
    ("differences", lambda c: form(c["differences"], "d"), ""),
    ("decisions<br>a clock", lambda c: form(c["rate"], ".3f"), ""),
    ("latency,<br>clocks", lambda c: form(c["latency"], "d"), ""),
    ("MB a port,<br>max", lambda c: form(c["max"], ".3f", 1e6), ""),
    ("MB a port,<br>mean", lambda c: form(c["mean"], ".3f", 1e6), ""),
    ("worst<br>destination", lambda c: form(c["destination"], ",d"), ""),
    ("worst<br>pointer", lambda c: form(c["pointer"], ",d"), ""),
    ("Verilator,<br>s", lambda c: form(c["verilator"], ".2f"), ""),
    ("SystemC,<br>s", lambda c: form(c["systemc"], ".2f"), ""),
    ("Icarus,<br>s", lambda c: form(c["icarus"], ".2f"), ""),
]


def table(rows):
    """Every row's figures."""
    head = "".join(f'<th class="{cls}">{name}</th>' for name, _, cls in COLUMNS)
    lines, before = [], None
    for row in rows:
        cell = row["cell"]
        first = ' class="first"' if cell["traffic"] != before else ""
        before = cell["traffic"]
        words = []
        for name, show, cls in COLUMNS:
            mark = f"{cls} {cell['scheme']}" if name == "scheme" else cls
            words.append(f'<td class="{mark}">{show(cell)}</td>')
        lines.append(f"<tr{first}>{''.join(words)}</tr>")
    return (f'<div class="scroll"><table class="figures"><thead><tr>{head}</tr></thead><tbody>'
            f"{''.join(lines)}</tbody></table></div>")


def totals(sims):
    """What each simulator compared."""
    lines = []
    for sim, (count, differences, seconds) in sims.items():
        rate = count / seconds if seconds else 0
        lines.append(f'<tr><td class="text">{NAMES[sim]}</td><td>{count:,}</td>'
                     f"<td>{differences}</td><td>{seconds:.1f}</td><td>{rate:,.0f}</td></tr>")
    return ('<div class="scroll"><table><thead><tr><th class="text">simulator</th>'
            "<th>decisions<br>compared</th><th>differences in<br>port or clock</th>"
            "<th>seconds, added<br>over runs</th><th>decisions<br>a second</th></tr></thead><tbody>"
            f"{''.join(lines)}</tbody></table></div>")


def verdict(faults, sims, rows):
    """One box: all equal, or what is wrong."""
    count = sum(sim[0] for sim in sims.values())
    if faults:
        items = "".join(f"<li>{escape(fault)}</li>" for fault in faults)
        return f'<div class="verdict bad"><b>Not good.</b><ul>{items}</ul></div>'
    return (f'<div class="verdict"><b>RTL and model agree</b> in all {count:,} decisions compared, '
            "in port, reason, data and clock. Logs of the small stimuli are byte-equal from all "
            f"simulators. <code>dr</code> keeps every pointer within one packet and every "
            f"destination within its {rows[0]['bins']} size bins; on permutation and all-to-all, "
            "no other scheme does either. Packets that must keep order do, under every spraying "
            "scheme.</div>")


def pictures(rows):
    """The three sets of plots."""
    groups = {}
    for row in rows:
        if row["main"] or row["cell"]["config"] == "tiny":
            groups.setdefault(row["name"], {})[row["scheme"]] = row
    groups = {name: each for name, each in groups.items()
              if len(each) >= len(demo_schemes.TINY) and "dr" in each}
    lanes = [(name, {scheme: row["cell"] for scheme, row in each.items()})
             for name, each in groups.items()]
    bins = rows[0]["bins"]
    values = [row["cell"][key] or 1 for each in groups.values() for row in each.values()
              for key in ("destination", "pointer")]
    unit = "packets between the most and the least used port"
    top = max(values, default=1)
    dots = [plots.spreads(lanes, "destination", bins, "Worst destination", unit, top),
            plots.spreads(lanes, "pointer", 1, "Worst pointer (destination and size bin)", unit,
                          top)]
    main = {name: each for name, each in groups.items() if each["dr"]["main"]}
    lines = [plots.growth(name, {s: row["series"] for s, row in each.items()}, top,
                          "packets with a choice of ports") for name, each in main.items()]
    blocks = []
    for name, each in main.items():
        ports = {scheme: [(port["port"], port["bytes"])
                          for port in row["stats"]["large"]["ports"]]
                 for scheme, row in each.items() if "large" in row["stats"]}
        blocks.append(plots.bars(name, ports))
    return dots, lines, blocks


def boxes(parts, cls="plots"):
    """Plots beside each other."""
    return f'<div class="{cls}">{"".join(f"<div>{part}</div>" for part in parts)}</div>'


def scheme_table(heads):
    """One row a scheme. heads: heading and lines of demo_report.by_scheme()."""
    head, lines = heads
    top = "".join(f'<th class="{"" if i else "text"}">{word.replace(" ", "<br>")}</th>'
                  for i, word in enumerate(head))
    body = "".join("<tr>" + "".join(
        f'<td class="{"" if i else f"text {line[0]}"}">{escape(word)}</td>'
        for i, word in enumerate(line)) + "</tr>" for line in lines)
    return (f'<div class="scroll"><table><thead><tr>{top}</tr></thead><tbody>{body}'
            "</tbody></table></div>")


def page(rows, sims, result, faults, heads):
    """The whole page."""
    dots, lines, blocks = pictures(rows)
    notes = "".join(f"<li>{escape(note)}</li>" for note in result["notes"])
    return f"""<!DOCTYPE html>
<!-- SPDX-License-Identifier: Apache-2.0 -->
<html lang="en"><head><meta charset="utf-8"><title>egret: RTL against model</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>{STYLE}</style></head><body>
<h1>egret: RTL against model on collective traffic</h1>
<p class="dim"><code>make demo</code>: every scheme on every collective, at one switch of a
fat-tree, decided by the Verilog core in three simulators and by the C model in lock step.</p>
{verdict(faults, sims, rows)}
{totals(sims)}
<h2>By scheme</h2>
<p>Worst spread of a pointer and of a destination, in packets, and bytes of the most used port over
the mean, for each collective in <code>lab</code>; decisions compared and differences over all rows.
<code>drill</code> is <code>spray-quality</code> with two samples and one port remembered.</p>
{scheme_table(heads)}
<h2>How far apart the ports get</h2>
<p>For one destination, the packets on its most used port less those on its least used one, at the
worst moment of the run, worst over all destinations. A pointer of <code>dr</code> is one
destination and one size bin; the same split is shown for the others.
(<code>spray-rr</code> has one pointer a group: that one is even, its destinations are not.
<code>spray-quality</code> hashes small packets: acknowledgements to a destination go one way.)</p>
{boxes(dots, "plots wide")}
<h2>While packets pass</h2>
<p>Worst spread of a destination so far, in packets (logarithmic), counted from the log of the
Verilog core in Verilator.</p>
{boxes(lines)}
<h2>Bytes a port</h2>
<p>MB (10<sup>6</sup> bytes) sent to each port of the groups that have a choice. The dashed line is
the mean.</p>
{boxes(blocks, "plots full")}
<h2>Order</h2>
<p>The same messages, sent as RDMA WRITE Only and as First, Middle, Last. An Only packet says where
its data belongs, so it may be sprayed and may arrive in any order; First, Middle and Last must stay
in order, and take the group's ordered scheme, <code>ecmp</code>. Behind the ports are paths whose
delays differ by up to {demo_class.skew(result["classes"])} ns. A packet is reordered if one of its
queue pair that was sent later arrives before it; by how much is bounded by what its host's line
carries within the skew, and a packet. The RTL's decisions in Verilator are byte-equal to the
model's.</p>
{demo_class.html(result["classes"])}
<h2>Traces of other tools</h2>
<p>A trace of each format that <code>egret trace import</code> reads: what it holds by <code>egret
trace stats</code> (a capture: <code>import --check</code>), which must be what is known of it,
and the decisions at one switch, RTL and model in lock step. Small traces of our own, and public
ones where EGRET_DATA has them. GOAL binary
must give the stimulus of GOAL text; the frames of the capture, behind a set-up, the one that was
captured. {demo_formats.sums(result["formats"])[0]:,} decisions compared,
{demo_formats.sums(result["formats"])[1]} differences.</p>
{demo_formats.html(result["formats"])}
<h2>All figures</h2>
{table(rows)}
<p class="dim">Decisions compared: over all simulators. Decisions a clock and latency: without
stalls, in the longest run of packets without an event between. Bytes and spreads: of the long
stimulus. Wall time: all runs of a row in that simulator, start and set-up included,
{result['jobs']} runs at a time; a dash is a simulator not used.</p>
<ul class="dim">{notes}</ul>
</body></html>
"""
