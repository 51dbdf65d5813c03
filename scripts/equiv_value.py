# SPDX-License-Identifier: Apache-2.0
"""Nodes of the expressions of scripts/equiv (equiv_node.py) and what their operators mean.

Operators (width w; comparisons have 1):
  const var not and or xor add sub mul udiv urem shl lshr ashr eq ult slt ite concat slice sext
  redxor. A shift by w or more gives 0 (ashr: the sign), a division by 0 all ones (urem: the
  dividend), as in SMT-LIB. concat has its most significant part first.
"""


class Refused(Exception):
    """Something that the translator does not know: never guessed, always an error."""


class Node:
    """One expression. p: value, name or bounds, as the operator needs."""

    __slots__ = ("op", "w", "args", "p", "id", "max")

    def __init__(self, op, w, args, p, number, top):
        self.op, self.w, self.args, self.p, self.id, self.max = op, w, args, p, number, top


def mask(w):
    """w ones."""
    return (1 << w) - 1


def ceil_mask(value):
    """The least 2^n - 1 that is not below value."""
    return mask(value.bit_length())


def signed(value, w):
    """The value of w bits in two's complement."""
    return value - (1 << w) if value >> (w - 1) else value


def fold(op, w, a, p, widths):
    """Value of an operator for values a of its arguments; the meaning of everything here."""
    m = mask(w)
    if op == "not":
        return ~a[0] & m
    if op == "and":
        return a[0] & a[1]
    if op == "or":
        return a[0] | a[1]
    if op == "xor":
        return a[0] ^ a[1]
    if op == "add":
        return (a[0] + a[1]) & m
    if op == "sub":
        return (a[0] - a[1]) & m
    if op == "mul":
        return (a[0] * a[1]) & m
    if op == "udiv":
        return a[0] // a[1] if a[1] else m
    if op == "urem":
        return a[0] % a[1] if a[1] else a[0]
    if op == "shl":
        return (a[0] << a[1]) & m if a[1] < w else 0
    if op == "lshr":
        return a[0] >> a[1] if a[1] < w else 0
    if op == "ashr":
        return (signed(a[0], w) >> min(a[1], w - 1)) & m
    if op == "eq":
        return int(a[0] == a[1])
    if op == "ult":
        return int(a[0] < a[1])
    if op == "slt":
        return int(signed(a[0], widths[0]) < signed(a[1], widths[1]))
    if op == "ite":
        return a[1] if a[0] else a[2]
    if op == "concat":
        value = 0
        for part, width in zip(a, widths):
            value = value << width | part
        return value
    if op == "slice":
        return a[0] >> p[1] & m
    if op == "sext":
        return signed(a[0], widths[0]) & m
    if op == "redxor":
        return bin(a[0]).count("1") & 1
    raise Refused(f"operator {op}")
