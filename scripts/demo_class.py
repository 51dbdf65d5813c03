# SPDX-License-Identifier: Apache-2.0
"""The demo's part on order: the same data as RDMA WRITE Only and as First, Middle, Last.

Only packets say where they belong, so a receiver may take them in any order and the switch may
spray them; First, Middle and Last of a message must stay in order and take the group's ordered
scheme, ecmp. Of each row scripts/demo makes one stimulus of whole messages, the model decides it,
with a path of another delay behind each port (egret model --order), and the RTL in Verilator
decides the same: its log must be byte-equal to the model's.
"""

from html import escape

SCHEMES = ("spray-random", "spray-rr", "spray-quality", "drill", "dr")
WRITES = ("only", "first-middle-last")
DELAYS = "spread:500,2000"
RATE = "800G"  # of a host's line in this fat-tree
MESSAGE = "4MiB"
DATA_CLASS = {"only": 0, "first-middle-last": 2}


def plan():
    """Rows, two for each spraying scheme."""
    return [{"scheme": scheme, "write": write, "config": "lab", "id": f"class-{scheme}-{write}",
             "packets": 0, "compared": 0, "log_equal": False, "faults": [], "order": None}
            for scheme in SCHEMES for write in WRITES]


def data(row):
    """Figures of the class of the data, or None."""
    for each in (row["order"] or {}).get("classes", []):
        if each["class"] == DATA_CLASS[row["write"]]:
            return each
    return None


def judge_row(row):
    """What is wrong with one row."""
    faults = list(row["faults"])
    figures = data(row)
    if figures is None or figures["packets"] == 0:
        return [*faults, "no packet of its class"]
    if row["packets"] == 0 or row["compared"] != row["packets"]:
        faults.append(f"compared {row['compared']} packets of {row['packets']}")
    if not row["log_equal"]:
        faults.append("the log of Verilator is not the model's")
    if row["order"]["errors"] or row["order"]["exceeded"]:
        faults.append(f"{row['order']['errors']} reorderings without a cause or beyond the bound")
    if not row["order"]["bound_bytes"]:
        faults.append("no bound was checked")
    keeps = row["write"] != "only"
    if figures["keeps_order"] != keeps:
        faults.append("the class map is wrong")
    if keeps and figures["reordered"]:
        faults.append(f"{figures['reordered']} packets that keep order are reordered")
    if not keeps and not figures["reordered"]:
        faults.append("nothing is reordered, so nothing was sprayed")
    return faults


def judge(rows):
    """All faults, as lines; of two rows of a scheme the sprayed one must be the more even."""
    faults = [f"class {row['scheme']} {row['write']}: {text}" for row in rows
              for text in judge_row(row)]
    here = {(row["scheme"], row["write"]): data(row) for row in rows}
    for scheme in SCHEMES:
        only, ordered = (here.get((scheme, write)) for write in WRITES)
        if only is None or ordered is None:
            faults.append(f"class {scheme}: not both ways to send")
            continue
        if only["packets"] != ordered["packets"]:
            faults.append(f"class {scheme}: {only['packets']} packets and {ordered['packets']}: "
                          "not the same data")
        if only["max_over_mean_bytes"] >= ordered["max_over_mean_bytes"]:
            faults.append(f"class {scheme}: WRITE Only is not spread better")
    return faults


def _extent(figures):
    return ("-", "-", "-") if not figures["reordered"] else (
        f"{figures['overtaken_packets']:,}", f"{figures['overtaken_bytes']:,}",
        f"{figures['late_ns']:,}")


# heading (two lines), cell, is text
COLUMNS = [
    ("", "scheme", lambda r, f, e: r["scheme"], True),
    ("data sent as", "RDMA WRITE", lambda r, f, e: r["write"], True),
    ("may be", "reordered", lambda r, f, e: "no" if f["keeps_order"] else "yes", True),
    ("data", "packets", lambda r, f, e: f"{f['packets']:,}", False),
    ("bytes a port,", "max / mean", lambda r, f, e: f"{f['max_over_mean_bytes']:.3f}", False),
    ("", "reordered", lambda r, f, e: f"{f['reordered']:,}", False),
    ("overtaken by", "packets", lambda r, f, e: e[0], False),
    ("overtaken by", "bytes", lambda r, f, e: e[1], False),
    ("late by", "ns", lambda r, f, e: e[2], False),
    ("bound,", "bytes", lambda r, f, e: f"{r['order']['bound_bytes']:,}", False),
    ("compared", "with RTL", lambda r, f, e: f"{r['compared']:,}", False),
]


def cells(rows):
    """Lines of cells; rows without figures are left out (judge() names them)."""
    shown = []
    for row in rows:
        figures = data(row)
        if figures is not None:
            extent = _extent(figures)
            shown.append([column[2](row, figures, extent) for column in COLUMNS])
    return shown


def text(rows):
    """The table, for a terminal."""
    lines = [[c[0] for c in COLUMNS], [c[1] for c in COLUMNS], *cells(rows)]
    width = [max(len(line[i]) for line in lines) for i in range(len(COLUMNS))]
    shown = ["  ".join(f"{word:<{w}}" if column[3] else f"{word:>{w}}"
                       for word, w, column in zip(line, width, COLUMNS)).rstrip()
             for line in lines]
    return [*shown[:2], "-" * max(len(line) for line in shown), *shown[2:]]


def skew(rows):
    """The skew of the paths in ns, for words about it."""
    return max(((row["order"] or {}).get("skew_ns", 0) for row in rows), default=0)


def html(rows):
    """The table, for the page."""
    head = "".join(f'<th class="{"text" if c[3] else ""}">{c[0]}<br>{c[1]}</th>' for c in COLUMNS)
    lines, before = [], None
    for line in cells(rows):
        first = ' class="first"' if line[0] != before else ""
        before = line[0]
        words = [f'<td class="{"text" if column[3] else ""}{" " + line[0] if i == 0 else ""}">'
                 f"{escape(word)}</td>" for i, (word, column) in enumerate(zip(line, COLUMNS))]
        lines.append(f"<tr{first}>{''.join(words)}</tr>")
    return (f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>'
            f"{''.join(lines)}</tbody></table></div>")
