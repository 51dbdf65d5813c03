# SPDX-License-Identifier: Apache-2.0
"""The figure of an experiment as SVG: lines over numbers, points over names."""

import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 420, 70, 170, 40, 60
COLOURS = ["#1b6ca8", "#d1495b", "#3c8031", "#8d5a97", "#c77d0a", "#4f5d75", "#17a398", "#a4243b",
           "#6b8f00", "#7b5e57", "#000000"]
DASHES = ["", "6 3", "2 3", "8 3 2 3"]


def text(x, y, content, anchor="middle", extra=""):
    """A label."""
    content = content.replace("&", "&amp;").replace("<", "&lt;")
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{extra}>{content}</text>'


def number(value):
    """A tick's label."""
    return f"{value:g}" if value >= 1e-4 else f"{value:.0e}"


class Axis:
    """Values to pixels; logarithmic if asked for."""

    def __init__(self, low, high, start, end, log):
        self.log = log
        self.low, self.high = (math.log10(low), math.log10(high)) if log else (low, high)
        if self.high <= self.low:
            self.high = self.low + 1
        self.start, self.end = start, end

    def at(self, value):
        """The pixel of a value."""
        v = math.log10(value) if self.log else value
        return self.start + (v - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self):
        """Powers of ten, or about five round numbers."""
        if self.log:
            return [10.0 ** e for e in range(math.ceil(self.low - 1e-9),
                                             math.floor(self.high + 1e-9) + 1)]
        step = 10.0 ** math.floor(math.log10((self.high - self.low) / 5))
        while (self.high - self.low) / step > 6:
            step *= 2
        first = math.ceil(self.low / step)
        return [step * i for i in range(first, math.floor(self.high / step) + 1)]


def y_axis(values):
    """Logarithmic: means of queues and increases differ by orders of magnitude."""
    low = min(values)
    high = max(values)
    return Axis(10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high) + 1e-9),
                HEIGHT - BOTTOM, TOP, True)


def figure(title, y_label, x_label, cases, rows):
    """cases: (label, x or None); rows: {scheme: [(mean, error) or None of each case]}. Values that
    are not above 0 stand at the lower edge."""
    good = [m for row in rows.values() for v in row if v for m in v[:1] if m > 0] or [1.0]
    floor = min(good)
    y = y_axis(good)
    numeric = all(x is not None for _, x in cases) and len(cases) > 1
    if numeric:
        x_axis = Axis(cases[0][1], cases[-1][1], LEFT, WIDTH - RIGHT, True)
        place = [x_axis.at(x) for _, x in cases]
    else:
        step = (WIDTH - RIGHT - LEFT) / len(cases)
        place = [LEFT + step * (i + 0.5) for i in range(len(cases))]
    parts = ['<!-- SPDX-License-Identifier: Apache-2.0 -->',
             f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
             f'font-family="sans-serif" font-size="12" role="img"><title>{title}</title>',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
             text(LEFT, 22, title, "start", ' font-weight="bold"')]
    for tick in y.ticks():
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y.at(tick):.1f}" '
                     f'y2="{y.at(tick):.1f}" stroke="#dddddd"/>')
        parts.append(text(LEFT - 6, y.at(tick) + 4, number(tick), "end"))
    for (label, _), x in zip(cases, place):
        parts.append(text(x, HEIGHT - BOTTOM + 18, label))
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, x_label))
    parts.append(text(16, HEIGHT / 2, y_label, "middle",
                      f' transform="rotate(-90 16 {HEIGHT / 2})"'))
    ends = []
    for i, (scheme, row) in enumerate(rows.items()):
        colour, dash = COLOURS[i % len(COLOURS)], DASHES[i // 3 % len(DASHES)]
        shift = 0 if numeric else (i - (len(rows) - 1) / 2) * 6
        points = [(place[j] + shift, y.at(max(v[0], floor))) for j, v in enumerate(row) if v]
        if numeric:
            line = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
            parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" '
                         f'stroke-width="2" stroke-dasharray="{dash}"/>')
        for a, b in points:
            parts.append(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.5" fill="{colour}"/>')
        ends.append((points[-1][1] if points else TOP, scheme, colour))
    below = TOP - 16.0
    for at, scheme, colour in sorted(ends):
        below = max(below + 15, at + 4)
        parts.append(text(WIDTH - RIGHT + 14, below, scheme, "start", f' fill="{colour}"'))
    return "\n".join(parts + ["</svg>"]) + "\n"
