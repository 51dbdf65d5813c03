# SPDX-License-Identifier: Apache-2.0
"""What the demo knows of each scheme: its name there, options, where it runs, colour and mark."""

# From the most uneven to the most even one, as in the tables.
SCHEMES = ("fixed", "ecmp", "entropy", "flowlet", "spray-random", "spray-quality", "drill",
           "spray-rr", "dr")
TINY = ("fixed", "ecmp", "spray-random", "spray-rr", "dr")  # schemes of configuration tiny
ALL_SIMS = ("ecmp", "spray-rr", "dr")  # every collective in Icarus, too; the others one of them
LOADS = ("spray-quality", "drill")     # ticks and queue events between the packets

# light, dark, mark
LOOK = {
    "fixed": ("#6b7280", "#9ca3af", "bar"),
    "ecmp": ("#c2410c", "#ff9457", "square"),
    "entropy": ("#a16207", "#eab308", "diamond"),
    "flowlet": ("#be185d", "#f472b6", "down"),
    "spray-random": ("#2563eb", "#60a5fa", "cross"),
    "spray-quality": ("#15803d", "#4ade80", "hexagon"),
    "drill": ("#1f2937", "#f3f4f6", "star"),
    "spray-rr": ("#7e3fc4", "#c297ff", "up"),
    "dr": ("#00727f", "#3fc8d4", "circle"),
}


def options(scheme):
    """Options of egret trace make; drill is spray-quality with two samples and one remembered."""
    if scheme == "drill":
        return ["--scheme", "spray-quality", "--drill", "2,1"]
    return ["--scheme", scheme]


def colours(dark):
    """The colours as variables of a style sheet."""
    return " ".join(f"--{scheme}: {look[1 if dark else 0]};" for scheme, look in LOOK.items())


def rules():
    """Rules of a style sheet for marks, curves and cells."""
    return "\n".join(f"svg .fill.{s} {{ fill: var(--{s}); }} "
                     f"svg .curve.{s} {{ stroke: var(--{s}); }} "
                     f"td.{s} {{ color: var(--{s}); font-weight: bold; }}" for s in LOOK)
