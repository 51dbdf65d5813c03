# SPDX-License-Identifier: Apache-2.0
"""Decides by normal form whether words of scripts/equiv are 0 for all inputs.

Every function of bits is exactly one XOR of ANDs of inputs (its polynomial over GF(2)), so two
functions are equal if and only if their polynomials are. That is hopeless for carries and easy for
CRCs and other hashes that are XOR networks, where SAT solvers are lost. A monomial is a number
whose set bits name inputs; a polynomial is a set of monomials.

Inputs that multiply badly (a rotation, an algorithm) are split: all their values one after the
other. What does not depend on them is computed once.
"""

from itertools import product

from equiv_node import reachable
from equiv_value import Refused

ZERO = frozenset()
ONE = frozenset((0,))
MAX_TERMS = 200000


def times(a, b):
    """Product of two polynomials."""
    if not a or not b:
        return ZERO
    if a == ONE:
        return b
    if b == ONE:
        return a
    if len(a) * len(b) > MAX_TERMS:
        raise Refused(f"polynomials of {len(a)} and {len(b)} terms are multiplied")
    if len(a) > len(b):
        a, b = b, a
    if not inputs(a) & inputs(b):
        return frozenset([m | n for m in a for n in b])
    result = set()
    for m in a:
        result ^= odd(m, b)
    return frozenset(result)


def inputs(polynomial):
    """The inputs of all monomials."""
    result = 0
    for m in polynomial:
        result |= m
    return result


def odd(m, b):
    """Monomials m | n that come an odd number of times."""
    result = set()
    for n in b:
        result ^= {m | n}
    return result


def choose(c, a, b):
    """a where c is 1, else b."""
    if not c or a is b:
        return b
    if c == ONE:
        return a
    return b ^ times(c, a ^ b)


def compute(node, args, env):
    """Bits of a node, lowest first, from those of its arguments."""
    op, w = node.op, node.w
    if op == "const":
        return [ONE if node.p >> i & 1 else ZERO for i in range(w)]
    if op == "var":
        return env(node)
    if op == "not":
        return [a ^ ONE for a in args[0]]
    if op == "xor":
        return [a ^ b for a, b in zip(*args)]
    if op == "and":
        return [times(a, b) for a, b in zip(*args)]
    if op == "or":
        return [a ^ b ^ times(a, b) for a, b in zip(*args)]
    if op == "ite":
        return [choose(args[0][0], a, b) for a, b in zip(args[1], args[2])]
    if op == "concat":
        return [bit for part in reversed(args) for bit in part]
    if op == "slice":
        return args[0][node.p[1]:node.p[0] + 1]
    if op == "sext":
        return args[0] + [args[0][-1]] * (w - len(args[0]))
    if op == "redxor":
        result = ZERO
        for bit in args[0]:
            result = result ^ bit
        return [result]
    if op == "eq":
        result = ONE
        for a, b in zip(*args):
            result = times(result, a ^ b ^ ONE)
        return [result]
    if op in ("shl", "lshr"):
        bits = args[0]
        for level, c in enumerate(args[1]):
            n = 1 << level
            if n < w:
                moved = [ZERO] * n + bits[:-n] if op == "shl" else bits[n:] + [ZERO] * n
            else:
                moved = [ZERO] * w
            bits = [choose(c, a, b) for a, b in zip(moved, bits)]
        return bits
    if op == "add" or op == "sub":
        carry, result = (ZERO, []) if op == "add" else (ONE, [])
        for a, b in zip(*args):
            b = b if op == "add" else b ^ ONE
            result.append(a ^ b ^ carry)
            carry = times(a, b) ^ times(carry, a ^ b)
        return result
    raise Refused(f"{op} over GF(2)")


def decide(words, split):
    """Return None if every bit of every word is 0 for all inputs, else {input: value}.
    split: names of inputs to go through value by value."""
    nodes = reachable(words)
    inputs = [n for n in nodes if n.op == "var"]
    chosen = [n for n in inputs if n.p in split]
    depends = {}
    for node in nodes:
        depends[node.id] = node in chosen or any(depends[a.id] for a in node.args)
    numbers = {}

    def variable(node):
        return [frozenset((1 << numbers.setdefault((node.p, i), len(numbers)),))
                for i in range(node.w)]

    stable = {}
    for node in nodes:
        if not depends[node.id]:
            stable[node.id] = compute(node, [stable[a.id] for a in node.args], variable)
    late = [n for n in nodes if depends[n.id]]
    for values in product(*[range(1 << n.w) for n in chosen]):
        fixed = {n.p: v for n, v in zip(chosen, values)}
        table = dict(stable)
        for node in late:
            if node.op == "var":
                value = fixed[node.p]
                table[node.id] = [ONE if value >> i & 1 else ZERO for i in range(node.w)]
            else:
                table[node.id] = compute(node, [table[a.id] for a in node.args], variable)
        for word in words:
            for bit in table[word.id]:
                if bit:
                    return model(bit, numbers, inputs, fixed)
    return None


def model(polynomial, numbers, inputs, fixed):
    """Inputs for which a polynomial is 1: those of a least monomial are 1, the others 0."""
    least = min(polynomial, key=lambda m: bin(m).count("1"))
    result = {n.p: 0 for n in inputs}
    result.update(fixed)
    for (name, bit), number in numbers.items():
        if least >> number & 1:
            result[name] |= 1 << bit
    return result
