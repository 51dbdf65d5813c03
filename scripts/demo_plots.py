# SPDX-License-Identifier: Apache-2.0
"""Plots of the demo's page, as inline SVG. Colours are classes, so that the page sets them for
light and dark."""

import math

from demo_schemes import LOOK, SCHEMES


def tag(name, content="", **attributes):
    """One element; `cls` is class, and _ stands for -."""
    words = "".join(f' {"class" if key == "cls" else key.replace("_", "-")}="{value}"'
                    for key, value in attributes.items())
    return f"<{name}{words}>{content}</{name}>"


def label(x, y, content, anchor="start", cls="label"):
    """Text."""
    return tag("text", content, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, cls=cls)


def line(x1, y1, x2, y2, cls):
    """A line."""
    return tag("line", x1=f"{x1:.1f}", y1=f"{y1:.1f}", x2=f"{x2:.1f}", y2=f"{y2:.1f}", cls=cls)


def svg(width, height, title, parts):
    """A whole plot, with a title for those who cannot see it."""
    return tag("svg", tag("title", title) + "".join(parts), viewBox=f"0 0 {width} {height}",
               role="img", style=f"max-width:{width}px")


# Corners of the marks, in a box of 12; a circle has none.
SHAPES = {
    "square": "-5,-5 5,-5 5,5 -5,5",
    "up": "0,-6.5 6.5,5 -6.5,5",
    "down": "0,6.5 6.5,-5 -6.5,-5",
    "diamond": "0,-6.8 6.8,0 0,6.8 -6.8,0",
    "bar": "-3,-6.5 3,-6.5 3,6.5 -3,6.5",
    "hexagon": "-3.2,-5.6 3.2,-5.6 6.4,0 3.2,5.6 -3.2,5.6 -6.4,0",
    "cross": "-6.2,-2 -2,-2 -2,-6.2 2,-6.2 2,-2 6.2,-2 6.2,2 2,2 2,6.2 -2,6.2 -2,2 -6.2,2",
    "star": "0,-7.5 1.8,-1.8 7.5,0 1.8,1.8 0,7.5 -1.8,1.8 -7.5,0 -1.8,-1.8",
}


def marker(scheme, x, y):
    """A mark that differs by shape as well as by colour."""
    shape = SHAPES.get(LOOK[scheme][2])
    if shape is None:
        return tag("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=5.5, cls=f"fill {scheme}")
    corners = (corner.split(",") for corner in shape.split())
    points = " ".join(f"{x + float(dx):.1f},{y + float(dy):.1f}" for dx, dy in corners)
    return tag("polygon", points=points, cls=f"fill {scheme}")


def decades(top):
    """1, 10, ... up to the first power of ten that is not below top."""
    return [10 ** i for i in range(max(1, math.ceil(math.log10(max(top, 2)))) + 1)]


def steps(top):
    """A round upper end, and the steps to it from zero: at most six."""
    unit = 10 ** math.floor(math.log10(max(top, 1e-9)))
    for factor in (0.2, 0.25, 0.5, 1, 2, 2.5, 5):
        count = math.ceil(top / (unit * factor) - 1e-9)
        if count <= 5:
            return [unit * factor * i for i in range(count + 1)]
    return [0, 10 * unit]


def number(value):
    """1,234 or 12.5."""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:g}"


def short(value):
    """A tick: 1k for 1000, 1M for a million."""
    for size, mark in ((10 ** 6, "M"), (10 ** 3, "k")):
        if value >= size:
            return f"{value / size:g}{mark}"
    return f"{value:g}"


def spreads(groups, key, bound, heading, unit, axis):
    """Dots on a logarithmic axis: one lane a scheme, lanes grouped by traffic.

    groups: [(traffic, {scheme: cell})]; bound: where dr must stay.
    """
    left, right, lane, top = 235, 66, 21, 54
    width = 660
    values = [cell[key] for _, cells in groups for cell in cells.values() if cell[key]]
    ticks = decades(axis or max(values, default=1))
    scale = (width - left - right) / math.log10(ticks[-1])
    lanes = sum(len(cells) for _, cells in groups)
    height = top + lanes * lane + (len(groups) - 1) * 14 + 46
    bottom = height - 40

    def at(value):
        return left + math.log10(max(value, 1)) * scale

    parts = [label(0, 16, heading, cls="heading")]
    for tick in ticks:
        parts += [line(at(tick), top - 12, at(tick), bottom, "grid"),
                  label(at(tick), bottom + 16, short(tick), "middle", "tick")]
    parts += [line(at(bound), top - 16, at(bound), bottom, "bound"),
              label(at(bound) + 6, top - 18, f"bound of dr: {bound}", cls="tick"),
              label(left + (width - left - right) / 2, bottom + 34, f"{unit}, logarithmic",
                    "middle", "tick")]
    y = top
    for name, cells in groups:
        parts.append(label(0, y + 4.5 + lane * (len(cells) - 1) / 2, name, cls="label strong"))
        for scheme, cell in cells.items():
            value = cell[key]
            parts += [label(left - 14, y + 4.5, scheme, "end"),
                      line(left, y, left + (width - left - right), y, "lane")]
            if value is None:
                parts.append(label(left + 12, y + 4.5, "not measured"))
            else:
                parts += [marker(scheme, at(value), y),
                          label(at(value) + 12, y + 4.5, number(value), cls="label value")]
            y += lane
        y += 14
    return svg(width, height, heading, parts)


def apart(wanted, gap):
    """Heights near the wanted ones, at least a gap from each other, order kept."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    placed = list(wanted)
    for before, this in zip(order, order[1:]):
        placed[this] = max(placed[this], placed[before] + gap)
    return placed


def growth(name, series, top, unit_x):
    """Worst spread of a destination as packets pass. series: {scheme: [[packets, spread]]}."""
    width, height, left, right, head, foot = 440, 320, 56, 124, 34, 46
    ticks = decades(top)
    packets = max((points[-1][0] for points in series.values() if points), default=1)
    marks = steps(packets)
    right_end, bottom = width - right, height - foot
    y_scale = (bottom - head) / math.log10(ticks[-1])

    def at(x, y):
        return (left + x / marks[-1] * (right_end - left),
                bottom - math.log10(max(y, 1)) * y_scale)

    parts = [label(0, 16, name, cls="heading")]
    for tick in ticks:
        y = at(0, tick)[1]
        parts += [line(left, y, right_end, y, "grid"),
                  label(left - 8, y + 4, short(tick), "end", "tick")]
    for mark in marks:
        x = at(mark, 1)[0]
        parts += [line(x, bottom, x, bottom + 4, "axis"),
                  label(x, bottom + 18, short(mark), "middle", "tick")]
    parts += [line(left, bottom, right_end, bottom, "axis"),
              label((left + right_end) / 2, bottom + 38, unit_x, "middle", "tick")]
    ends, shown = [], [scheme for scheme in SCHEMES if series.get(scheme)]
    for scheme in shown:
        points = []
        for x, y in series[scheme]:  # a staircase
            px, py = at(x, y)
            if points:
                points.append((px, points[-1][1]))
            points.append((px, py))
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(tag("polyline", points=text, cls=f"curve {scheme}"))
        ends.append(points[-1])
    heights = apart([y for _, y in ends], 16)
    low = max(heights, default=bottom) - bottom  # labels of equal ends go up, not out of the plot
    heights = [y - max(low, 0) for y in heights]
    for scheme, (x, y), shifted in zip(shown, ends, heights):
        parts += [marker(scheme, x, y),
                  label(right_end + 14, shifted + 4.5, scheme, cls="label value")]
    return svg(width, height, f"{name}: worst spread of a destination", parts)


def bars(name, ports):
    """Bytes of each port with a choice, in MB from zero; one block a scheme, mean as a line.

    ports: {scheme: [(port, bytes)]}
    """
    width, height, left, head, foot = 1120, 250, 56, 34, 62
    top = max((size / 1e6 for each in ports.values() for _, size in each), default=1)
    ticks = steps(top)
    bottom = height - foot
    block = (width - left) / max(len(ports), 1)

    def at(value):
        return bottom - value / ticks[-1] * (bottom - head)

    parts = [label(0, 16, name, cls="heading")]
    for tick in ticks:
        parts += [line(left, at(tick), width, at(tick), "grid"),
                  label(left - 8, at(tick) + 4, f"{tick:g}", "end", "tick")]
    for i, (scheme, each) in enumerate(ports.items()):
        start, space = left + i * block + 8, (block - 16) / max(len(each), 1)
        for j, (port, size) in enumerate(each):
            x, y = start + j * space, at(size / 1e6)
            parts += [tag("rect", tag("title", f"{scheme}, port {port}: {size / 1e6:.3f} MB"),
                          x=f"{x + 1:.1f}", y=f"{y:.1f}", width=f"{space - 2:.1f}",
                          height=f"{bottom - y:.1f}", cls=f"fill {scheme}"),
                      label(x + space / 2, bottom + 16, port, "middle", "tick")]
        mean = at(sum(size for _, size in each) / max(len(each), 1) / 1e6)
        parts += [line(start - 4, mean, start + block - 12, mean, "mean"),
                  label(start + (block - 16) / 2, bottom + 35, scheme, "middle", "label strong")]
    parts += [line(left, bottom, width, bottom, "axis"),
              label(left + (width - left) / 2, bottom + 54, "port, by scheme", "middle", "tick")]
    return svg(width, height, f"{name}: bytes a port", parts)
