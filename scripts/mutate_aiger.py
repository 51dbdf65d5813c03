# SPDX-License-Identifier: Apache-2.0
"""AIGER files for scripts/mutate_proof.py: two designs that share their inputs, with an output that
says that they differ. Inputs can be fixed, and registers that agree by construction become one.
"""

import re


def number(data, at):
    """A number of the binary AIGER format, and where the next one begins."""
    value = shift = 0
    while data[at] & 0x80:
        value |= (data[at] & 0x7f) << shift
        shift += 7
        at += 1
    return value | data[at] << shift, at + 1


def packed(value):
    """A number in the binary AIGER format."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return out


class Aiger:
    """A binary AIGER file, all registers of which begin with 0."""

    def __init__(self, path):
        data = path.read_bytes()
        lines = data.split(b"\n", 1)
        _, self.inputs, self.latches, outputs, ands = map(int, lines[0].split()[1:6])
        at = len(lines[0]) + 1
        rows = []
        for _ in range(self.latches + outputs):
            end = data.index(b"\n", at)
            rows.append(int(data[at:end].split()[0]))
            if b" " in data[at:end] and data[at:end].split()[1] != b"0":
                raise ValueError("a register begins with 1")
            at = end + 1
        self.next, self.outputs = rows[:self.latches], rows[self.latches:]
        self.ands = []
        lhs = 2 * (self.inputs + self.latches)
        for _ in range(ands):
            lhs += 2
            a, at = number(data, at)
            b, at = number(data, at)
            self.ands.append((lhs, lhs - a, lhs - a - b))
        self.names = {name.decode(): int(i) for i, name in re.findall(rb"(?m)^i(\d+) (\S+)$",
                                                                     data[at:])}
        self.pairs = self.pair(data[at:])

    def pair(self, symbols):
        """Registers of `gate` to those of the same name of `gold`, as numbers of registers."""
        owner, gate = {}, []
        for number_of, names in re.findall(rb"(?m)^l(\d+) (.*)$", symbols):
            for name in names.split():
                side, _, rest = name.partition(b".")
                if side == b"gold":
                    owner[rest] = int(number_of)
                elif side == b"gate":
                    gate.append((int(number_of), rest))
        pairs = {}
        for latch, rest in gate:
            if rest in owner:
                pairs.setdefault(latch, owner[rest])
        return pairs

    def fold(self, literal):
        """The ANDs under these values of literals (of inputs and registers, 0 is there): each once.
        `literal` gets those of the ANDs, numbered on."""
        rows, known = [], {}
        new = 2 * (self.inputs + self.latches)
        for lhs, a, b in self.ands:
            a = literal[a & ~1] ^ a & 1
            b = literal[b & ~1] ^ b & 1
            if a < b:
                a, b = b, a
            if b == 0 or a == b ^ 1:
                literal[lhs] = 0
            elif b == 1 or a == b:
                literal[lhs] = a
            else:
                value = known.get((a, b))
                if value is None:
                    new += 2
                    value = known[a, b] = new
                    rows.append((value, a, b))
                literal[lhs] = value
        return rows

    def merged(self, values, path):
        """Writes the file with inputs of these names at 0 or 1, and with each register of `gate`
        that equals its twin of `gold` replaced by that one: all these have the same next value if
        all these are the same. False if no output is left, which means that the designs agree."""
        fixed = {2 * self.names[name] + 2: value for name, value in values.items()}
        first = 2 * self.inputs + 2
        pairs = dict(self.pairs)
        while True:
            literal = {2 * i: 2 * i for i in range(self.inputs + self.latches + 1)}
            literal.update(fixed)
            literal.update({first + 2 * gate: first + 2 * gold for gate, gold in pairs.items()})
            rows = self.fold(literal)
            after = [literal[n & ~1] ^ n & 1 for n in self.next]
            apart = [gate for gate, gold in pairs.items() if after[gate] != after[gold]]
            if not apart:
                break
            for gate in apart:
                del pairs[gate]
        outputs = [literal[n & ~1] ^ n & 1 for n in self.outputs]
        if not any(outputs):
            return False
        for gate in pairs:
            after[gate] = 0
        size = self.inputs + self.latches + len(rows)
        out = bytearray(f"aig {size} {self.inputs} {self.latches} {len(outputs)} {len(rows)}\n"
                        .encode())
        out += "".join(f"{n}\n" for n in after + outputs).encode()
        for lhs, a, b in rows:
            out += packed(lhs - a) + packed(a - b)
        path.write_bytes(out)
        return True
