# SPDX-License-Identifier: Apache-2.0
"""Bit-vector expressions of scripts/equiv: a graph in which equal nodes are one node.

Both sides of a pair are built here: the C side by equiv_exec.py, the RTL side by equiv_rtl.py.
Constructors fold constants and a few identities; anything more is left to the solvers. `max` is an
upper bound of a node as an unsigned number. Words are bytes-first nowhere: bit 0 is the lowest.
Operators and their meaning: equiv_value.py.
"""

from equiv_value import Node, Refused, ceil_mask, fold, mask, signed


class Graph:
    """Makes nodes. narrow: products are as wide as their factors need."""

    def __init__(self, narrow=False):
        self.narrow = narrow
        self.table, self.constants, self.decisions = {}, {}, {}
        self.nodes = []
        self.fresh_count = 0
        self.true = self.const(1, 1)
        self.false = self.const(0, 1)

    def make(self, op, w, args, p=None, top=None):
        """The node, new or known."""
        key = (op, w, p, *[a.id for a in args])
        node = self.table.get(key)
        if node is None:
            node = Node(op, w, args, p, len(self.nodes), mask(w) if top is None else top)
            self.table[key] = node
            self.nodes.append(node)
        return node

    def const(self, value, w):
        value &= (1 << w) - 1
        node = self.constants.get((value, w))
        if node is None:
            node = self.constants[value, w] = self.make("const", w, (), value, value)
        return node

    def var(self, name, w):
        return self.make("var", w, (), name)

    def fresh(self, w, kind):
        """A free input: an undefined value."""
        self.fresh_count += 1
        return self.var(f"{kind}__{self.fresh_count}", w)

    def folded(self, op, w, args, p=None):
        """The constant if all arguments are constant, else None."""
        for a in args:
            if a.op != "const":
                return None
        return self.const(fold(op, w, [a.p for a in args], p, [a.w for a in args]), w)

    def again(self, node, args):
        """The same operator on other arguments."""
        if list(node.args) == args:
            return node
        op = node.op
        if op in ("not", "and", "or"):
            return getattr(self, op + "_")(*args)
        if op == "concat":
            return self.concat(args)
        if op == "slice":
            return self.slice(args[0], *node.p)
        if op == "sext":
            return self.sext(args[0], node.w)
        return getattr(self, op)(*args)

    # ---- bits ----

    def not_(self, a):
        if a.op == "const":
            return self.const(~a.p, a.w)
        if a.op == "not":
            return a.args[0]
        return self.make("not", a.w, (a,))

    @staticmethod
    def ordered(a, b):
        """Constants last, else by number."""
        if a.op == "const" or (b.op != "const" and b.id < a.id):
            return b, a
        return a, b

    def by_runs(self, a, value, w, on, off):
        """Concat of on(slice of a) where value has ones, off(slice) elsewhere."""
        parts, high = [], w - 1
        while high >= 0:
            bit = value >> high & 1
            low = high
            while low > 0 and value >> (low - 1) & 1 == bit:
                low -= 1
            part = self.slice(a, high, low)
            parts.append(on(part) if bit else off(part))
            high = low - 1
        return self.concat(parts)

    def and_(self, a, b):
        a, b = self.ordered(a, b)
        if a.w != b.w:
            raise Refused(f"and of {a.w} and {b.w} bits")
        if b.op == "const":
            if a.op == "const":
                return self.const(a.p & b.p, a.w)
            if b.p == 0 or b.p & ceil_mask(a.max) == ceil_mask(a.max):
                return b if b.p == 0 else a
            return self.by_runs(a, b.p, a.w, lambda x: x, lambda x: self.const(0, x.w))
        if a is b:
            return a
        if self.opposite(a, b):
            return self.const(0, a.w)
        for x, y in ((a, b), (b, a)):
            if y.op == "and" and x in y.args:
                return y
            if y.op == "or" and x in y.args:
                return x
            if y.op == "or" and self.not_(x) in y.args:
                return self.and_(x, y.args[y.args[0] is self.not_(x)])
        return self.make("and", a.w, (a, b), None, min(a.max, b.max))

    def or_(self, a, b):
        a, b = self.ordered(a, b)
        if a.w != b.w:
            raise Refused(f"or of {a.w} and {b.w} bits")
        if b.op == "const":
            if a.op == "const":
                return self.const(a.p | b.p, a.w)
            if b.p == 0:
                return a
            if b.p == mask(a.w):
                return b
            return self.by_runs(a, b.p, a.w, lambda x: self.const(-1, x.w), lambda x: x)
        if a is b:
            return a
        if self.opposite(a, b):
            return self.const(-1, a.w)
        for x, y in ((a, b), (b, a)):
            if y.op == "and" and x in y.args:
                return x
            if y.op == "and" and self.not_(x) in y.args:
                return self.or_(x, y.args[y.args[0] is self.not_(x)])
        joined = self.disjoint(a, b)
        if joined is not None:
            return joined
        return self.make("or", a.w, (a, b), None, ceil_mask(max(a.max, b.max)))

    def disjoint(self, a, b):
        """The concat that a | b (a ^ b, a + b) is if no bit can be 1 in both, else None."""
        if "concat" not in (a.op, b.op):
            return None
        parts, high = [], a.w - 1
        while high >= 0:
            pa, pb = self.part_at(a, high), self.part_at(b, high)
            low = max(pa[1], pb[1])
            za, zb = pa[2] and pa[2].p == 0, pb[2] and pb[2].p == 0
            if not za and not zb:
                return None
            parts.append(self.slice(b if za else a, high, low))
            high = low - 1
        return self.concat(parts)

    @staticmethod
    def part_at(a, high):
        """(top, bottom, constant or None) of the part of a that has bit `high`; a run of a const
        counts only if it is zero as a whole."""
        if a.op == "const":
            return a.w - 1, 0, a
        if a.op != "concat":
            return a.w - 1, 0, None
        top = a.w - 1
        for part in a.args:
            if high > top - part.w:
                return top, top - part.w + 1, part if part.op == "const" else None
            top -= part.w
        raise Refused("concat")

    @staticmethod
    def opposite(a, b):
        return (a.op == "not" and a.args[0] is b) or (b.op == "not" and b.args[0] is a)

    def xor(self, a, b):
        a, b = self.ordered(a, b)
        if a.w != b.w:
            raise Refused(f"xor of {a.w} and {b.w} bits")
        if b.op == "const":
            if a.op == "const":
                return self.const(a.p ^ b.p, a.w)
            if b.p == 0:
                return a
            if b.p == mask(a.w):
                return self.not_(a)
            if a.op == "xor" and a.args[1].op == "const":
                return self.xor(a.args[0], self.const(a.args[1].p ^ b.p, a.w))
        if a is b:
            return self.const(0, a.w)
        if self.opposite(a, b):
            return self.const(-1, a.w)
        if a.op == b.op == "ite" and a.w > 1 and a.args[1:] == b.args[1:]:
            return self.and_(self.sext(self.xor(a.args[0], b.args[0]), a.w),
                             self.xor(a.args[1], a.args[2]))
        joined = self.disjoint(a, b)
        if joined is not None:
            return joined
        return self.make("xor", a.w, (a, b), None, ceil_mask(max(a.max, b.max)))

    # ---- numbers ----

    def add(self, a, b):
        a, b = self.ordered(a, b)
        done = self.folded("add", a.w, (a, b))
        if done is not None:
            return done
        if b.op == "const":
            if b.p == 0:
                return a
            if a.op == "add" and a.args[1].op == "const":
                return self.add(a.args[0], self.const(a.args[1].p + b.p, a.w))
            if 0 < a.max < b.p & -b.p:
                low = a.max.bit_length()
                return self.concat([self.const(b.p >> low, a.w - low), self.slice(a, low - 1, 0)])
        joined = self.disjoint(a, b)
        if joined is not None:
            return joined
        top = a.max + b.max
        return self.make("add", a.w, (a, b), None, top if top <= mask(a.w) else None)

    def sub(self, a, b):
        done = self.folded("sub", a.w, (a, b))
        if done is not None:
            return done
        if a is b:
            return self.const(0, a.w)
        if b.op == "const":
            return self.add(a, self.const(-b.p, a.w))
        if a.op == "const" and a.p == 0 and b.max <= 1:
            return self.sext(self.slice(b, 0, 0), a.w)
        return self.make("sub", a.w, (a, b))

    def mul(self, a, b):
        a, b = self.ordered(a, b)
        done = self.folded("mul", a.w, (a, b))
        if done is not None:
            return done
        if b.op == "const":
            if b.p == 0:
                return b
            if b.p & (b.p - 1) == 0:
                return self.shl(a, self.const(b.p.bit_length() - 1, a.w))
        w = a.max.bit_length() + b.max.bit_length()
        if self.narrow and 0 < w < a.w:
            return self.zext(self.mul(self.slice(a, w - 1, 0), self.slice(b, w - 1, 0)), a.w)
        top = a.max * b.max
        return self.make("mul", a.w, (a, b), None, top if top <= mask(a.w) else None)

    def udiv(self, a, b):
        done = self.folded("udiv", a.w, (a, b))
        if done is not None:
            return done
        if b.op == "const" and b.p and b.p & (b.p - 1) == 0:
            return self.lshr(a, self.const(b.p.bit_length() - 1, a.w))
        return self.make("udiv", a.w, (a, b))

    def urem(self, a, b):
        done = self.folded("urem", a.w, (a, b))
        if done is not None:
            return done
        if b.op == "const" and b.p and b.p & (b.p - 1) == 0:
            return self.and_(a, self.const(b.p - 1, a.w))
        return self.make("urem", a.w, (a, b))

    def shl(self, a, n):
        if n.op == "const":
            if n.p >= a.w:
                return self.const(0, a.w)
            if n.p == 0:
                return a
            return self.concat([self.slice(a, a.w - 1 - n.p, 0), self.const(0, n.p)])
        if a.op == "const" and a.p == 0:
            return a
        return self.make("shl", a.w, (a, self.fit(n, a.w)))

    def lshr(self, a, n):
        if n.op == "const":
            if n.p >= a.w:
                return self.const(0, a.w)
            if n.p == 0:
                return a
            return self.concat([self.const(0, n.p), self.slice(a, a.w - 1, n.p)])
        if a.op == "const" and a.p == 0:
            return a
        return self.make("lshr", a.w, (a, self.fit(n, a.w)), None, a.max)

    def ashr(self, a, n):
        if n.op == "const":
            n = self.const(min(n.p, a.w - 1), a.w)
            if n.p == 0:
                return a
            return self.sext(self.slice(a, a.w - 1, n.p), a.w)
        return self.make("ashr", a.w, (a, self.fit(n, a.w)))

    def fit(self, n, w):
        """A shift amount in w bits that shifts as far; only amounts below 2^w change nothing."""
        if n.w <= w:
            return self.zext(n, w)
        if n.max <= mask(w):
            return self.slice(n, w - 1, 0)
        high = self.eq(self.slice(n, n.w - 1, w), self.const(0, n.w - w))
        return self.ite(high, self.slice(n, w - 1, 0), self.const(-1, w))

    # ---- comparisons ----

    def decided(self, op, a, b):
        """A comparison that every end of a tree of choices decides, as a choice of bits; None if
        one end does not."""
        key = (op, a.id, b.id)
        if key not in self.decisions:
            tree = a if a.op == "ite" else b
            if tree.op == "ite":
                pairs = [(x, b) if tree is a else (a, x) for x in tree.args[1:]]
                yes, no = (self.decided(op, x, y) for x, y in pairs)
                found = None if yes is None or no is None else self.ite(tree.args[0], yes, no)
            else:
                found = getattr(self, op)(a, b)
                found = found if found.op == "const" else None
            self.decisions[key] = found
        return self.decisions[key]

    def by_ends(self, op, a, b):
        """decided() if one side is a tree of choices and the other a constant."""
        if (a.op, b.op) in (("ite", "const"), ("const", "ite")):
            return self.decided(op, a, b)
        return None

    def eq(self, a, b):
        a, b = self.ordered(a, b)
        if a.w != b.w:
            raise Refused(f"comparison of {a.w} and {b.w} bits")
        if a is b:
            return self.true
        if b.op == "const":
            if a.op == "const":
                return self.true if a.p == b.p else self.false
            if b.p > a.max:
                return self.false
            if a.w == 1:
                return a if b.p else self.not_(a)
            if a.op == "concat":
                result, low = self.true, a.w
                for part in a.args:
                    low -= part.w
                    result = self.and_(result, self.eq(part, self.const(b.p >> low, part.w)))
                return result
            if a.op == "and" and b.p == 0:
                for x, y in (a.args, a.args[::-1]):
                    if x.op == "sext" and x.args[0].w == 1:
                        return self.or_(self.not_(x.args[0]), self.eq(y, b))
            if a.op == "sext":
                inner = a.args[0]
                value = b.p & mask(inner.w)
                if signed(value, inner.w) & mask(a.w) != b.p:
                    return self.false
                return self.eq(inner, self.const(value, inner.w))
            found = self.by_ends("eq", a, b)
            if found is not None:
                return found
        elif a.w == 1:
            return self.not_(self.xor(a, b))
        elif "concat" in (a.op, b.op):
            cuts = self.cuts(a) & self.cuts(b) if a.op == b.op else set()
            if not cuts:
                # One side in pieces: worth it where a piece is constant.
                whole = a if a.op == "concat" else b
                cuts = self.cuts(whole) if any(x.op == "const" for x in whole.args) else set()
            if cuts:
                result, high = self.true, a.w
                for low in [*sorted(cuts, reverse=True), 0]:
                    result = self.and_(result, self.eq(self.slice(a, high - 1, low),
                                                       self.slice(b, high - 1, low)))
                    high = low
                return result
        return self.make("eq", 1, (a, b))

    @staticmethod
    def cuts(a):
        """Where the parts of a concat meet."""
        found, at = set(), a.w
        for part in a.args[:-1] if a.op == "concat" else ():
            at -= part.w
            found.add(at)
        return found

    def ne(self, a, b):
        return self.not_(self.eq(a, b))

    def ult(self, a, b):
        done = self.folded("ult", 1, (a, b))
        if done is not None:
            return done
        if a is b or (b.op == "const" and b.p == 0):
            return self.false
        if b.op == "const" and a.max < b.p:
            return self.true
        if a.op == "const" and a.p >= b.max:
            return self.false
        if a.op == "const" and a.p & (a.p + 1) == 0:
            low = a.p.bit_length()
            return self.any_bit(self.slice(b, b.w - 1, low)) if low < b.w else self.false
        if b.op == "const" and b.p & (b.p - 1) == 0:
            low = b.p.bit_length() - 1
            return self.eq(self.slice(a, a.w - 1, low), self.const(0, a.w - low))
        found = self.by_ends("ult", a, b)
        if found is not None:
            return found
        bits = max(a.max, b.max).bit_length()
        if bits < a.w:
            a, b = self.slice(a, bits - 1, 0), self.slice(b, bits - 1, 0)
        if a.w == 1:
            return self.and_(self.not_(a), b)
        return self.make("ult", 1, (a, b))

    def ule(self, a, b):
        return self.not_(self.ult(b, a))

    def slt(self, a, b):
        done = self.folded("slt", 1, (a, b))
        if done is not None:
            return done
        if a is b:
            return self.false
        half = 1 << (a.w - 1)
        if a.max < half and b.max < half:
            return self.ult(a, b)
        found = self.by_ends("slt", a, b)
        if found is not None:
            return found
        if b.op == "const" and b.p == 0:
            return self.slice(a, a.w - 1, a.w - 1)
        return self.make("slt", 1, (a, b))

    # ---- structure ----

    def ite(self, c, a, b):
        if a.w != b.w or c.w != 1:
            raise Refused(f"choice of {a.w} and {b.w} bits")
        if c.op == "const":
            return a if c.p else b
        if a is b:
            return a
        if c.op == "not":
            return self.ite(c.args[0], b, a)
        if a.op == "ite" and a.args[0] is c:
            return self.ite(c, a.args[1], b)
        if b.op == "ite" and b.args[0] is c:
            return self.ite(c, a, b.args[2])
        if a.op == b.op == "const" and a.w > 1 and {a.p, b.p} == {0, mask(a.w)}:
            return self.sext(c if a.p else self.not_(c), a.w)
        if a.w == 1:
            if a.op == "const":
                return self.or_(c, b) if a.p else self.and_(self.not_(c), b)
            if b.op == "const":
                return self.or_(self.not_(c), a) if b.p else self.and_(c, a)
        if c.op == "ult" and c.args[0] is a and c.args[1].op == b.op == "const":
            low = max(c.args[1].p, b.p).bit_length()  # the lesser of a and a constant is short
            if low < a.w:
                return self.zext(self.ite(c, self.slice(a, low - 1, 0), self.const(b.p, low)), a.w)
        return self.make("ite", a.w, (c, a, b), None, max(a.max, b.max))

    def concat(self, parts):
        """Parts, most significant first; neighbours that are slices of one node become one."""
        flat = []
        for part in parts:
            for piece in part.args if part.op == "concat" else (part,):
                if flat:
                    last = flat[-1]
                    if last.op == "const" and piece.op == "const":
                        flat[-1] = self.const(last.p << piece.w | piece.p, last.w + piece.w)
                        continue
                    if last.op == "slice" and piece.op == "slice" and \
                            last.args[0] is piece.args[0] and last.p[1] == piece.p[0] + 1:
                        flat[-1] = self.slice(last.args[0], last.p[0], piece.p[1])
                        continue
                flat.append(piece)
        if len(flat) == 1:
            return flat[0]
        w = sum(piece.w for piece in flat)
        top = 0
        for piece in flat:
            top = top << piece.w | piece.max
        return self.make("concat", w, tuple(flat), None, top)

    def slice(self, a, high, low):
        if low == 0 and high == a.w - 1:
            return a
        w = high - low + 1
        if not 0 <= low <= high < a.w:
            raise Refused(f"bits {high}..{low} of {a.w}")
        if a.op == "const":
            return self.const(a.p >> low, w)
        if a.max >> low == 0:
            return self.const(0, w)
        if a.op == "slice":
            return self.slice(a.args[0], high + a.p[1], low + a.p[1])
        if a.op == "concat":
            parts, base = [], a.w
            for part in a.args:
                base -= part.w
                top, bottom = min(high, base + part.w - 1), max(low, base)
                if top >= bottom:
                    parts.append(self.slice(part, top - base, bottom - base))
            return self.concat(parts)
        if a.op == "sext":
            inner = a.args[0]
            if high < inner.w:
                return self.slice(inner, high, low)
            low = min(low, inner.w - 1)
            return self.sext(self.slice(inner, inner.w - 1, low), w)
        top = a.max >> low
        return self.make("slice", w, (a,), (high, low), top if top <= mask(w) else None)

    def zext(self, a, w):
        if a.w == w:
            return a
        if a.op == "const":
            return self.const(a.p, w)
        return self.concat([self.const(0, w - a.w), a])

    def sext(self, a, w):
        if a.w == w:
            return a
        if a.op == "const":
            return self.const(signed(a.p, a.w), w)
        if a.max < 1 << (a.w - 1):
            return self.zext(a, w)
        if a.op == "sext":
            a = a.args[0]
        return self.make("sext", w, (a,))

    def redxor(self, a):
        done = self.folded("redxor", 1, (a,))
        if done is not None:
            return done
        return a if a.w == 1 else self.make("redxor", 1, (a,))

    def any_bit(self, a):
        """1 if a is not 0."""
        return self.not_(self.eq(a, self.const(0, a.w)))

    def pick(self, index, items):
        """items[index]; a tree of choices. items has no more than 2^index.w elements; beyond the
        last one the result is that of an index with its highest bits cleared."""
        if len(items) == 1 or index.w == 0:
            return items[0]
        if index.op == "const":
            return items[index.p] if index.p < len(items) else items[0]
        bits = min(index.w, (len(items) - 1).bit_length())
        level = list(items)
        for bit in range(bits):
            chosen = self.slice(index, bit, bit)
            level = [self.ite(chosen, level[i + 1], level[i]) if i + 1 < len(level) else level[i]
                     for i in range(0, len(level), 2)]
        return level[0]


def reachable(roots, limit=None):
    """Nodes that the roots need, arguments before users; None if they are more than a limit."""
    seen, stack = set(), list(roots)
    found = []
    while stack:
        node = stack.pop()
        if node.id in seen:
            continue
        seen.add(node.id)
        found.append(node)
        if limit is not None and len(found) > limit:
            return None
        stack.extend(node.args)
    found.sort(key=lambda n: n.id)
    return found


def evaluate(roots, values):
    """Values of the roots; values: {name: number}, free inputs that are missing are 0."""
    result = {}
    for node in reachable(roots):
        if node.op == "const":
            result[node.id] = node.p
        elif node.op == "var":
            result[node.id] = values.get(node.p, 0) & mask(node.w)
        else:
            result[node.id] = fold(node.op, node.w, [result[a.id] for a in node.args], node.p,
                                   [a.w for a in node.args])
    return [result[root.id] for root in roots]
