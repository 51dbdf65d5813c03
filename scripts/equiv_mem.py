# SPDX-License-Identifier: Apache-2.0
"""Paths, pointers and memory of the C side of scripts/equiv.

A path is the list of conditions under which a block runs. Memory is bytes of objects; a store is
guarded by its path, a load at a variable index is a tree of choices. What C leaves undefined is
collected in `ub`, one condition, which the pair must prove to be 0.
"""

from math import gcd

from equiv_node import reachable
from equiv_value import Refused, mask

MAX_ELEMENTS = 1 << 16


class Path:
    """Conditions in the order of the branches; conj is all of them in one node, ids are the numbers
    of all conditions known to hold, bounds what they say of the greatest value of nodes, facts of
    their value."""

    __slots__ = ("lits", "conj", "ids", "bounds", "facts", "known")

    def __init__(self, lits, conj, ids, limits, facts):
        self.lits, self.conj, self.ids, self.bounds, self.facts = lits, conj, ids, limits, facts
        self.known = {}  # nodes under the facts

    def extend(self, g, lit):
        """This path and one more condition; None if that cannot be."""
        if lit.op == "const":
            return self if lit.p else None
        if lit.id in self.ids:
            return self
        if g.not_(lit).id in self.ids:
            return None
        conj = g.and_(self.conj, lit)
        if conj is g.false:
            return None
        limits, facts, stack = dict(self.bounds), dict(self.facts), [lit]
        while stack:
            known = stack.pop()
            facts[known.id] = 1
            if known.op == "and" and known.w == 1:
                stack.extend(known.args)
            elif known.op == "ult" and known.args[1].op == "const":
                limits[known.args[0].id] = known.args[1].p - 1
            elif known.op == "eq" and known.args[1].op == "const":
                part, value = known.args[0], known.args[1].p
                facts[part.id] = value
                if value == 0 and part.op == "slice" and part.p[0] == part.args[0].w - 1:
                    limits[part.args[0].id] = mask(part.p[1])
            elif known.op == "not":
                facts[known.args[0].id] = 0
                if known.args[0].op == "or":
                    stack.extend(g.not_(a) for a in known.args[0].args)
                if known.args[0].op == "ult" and known.args[0].args[0].op == "const":
                    limits[known.args[0].args[1].id] = known.args[0].args[0].p
        return Path(self.lits + (lit,), conj, self.ids | {lit.id, conj.id}, limits, facts)

    def deeper(self, g, cond):
        """This path and a condition, and what the conditions before it say then."""
        path = self.extend(g, cond)
        for lit in self.lits if path is not None and path is not self else ():
            now = path.given(g, lit) if lit.op in ("ite", "or") else lit
            path = path.extend(g, now) if now is not lit and now.op != "const" else path
            if path is None:
                break
        return path

    def given(self, g, node, effort=300):
        """A node, simpler by the facts of this path; unchanged if it is large."""
        if not self.facts or node.op == "const":
            return node
        cone = reachable([node], effort)
        if cone is None or all(n.id not in self.facts and n.id not in self.bounds for n in cone):
            return node
        for n in cone:
            if n.id in self.known:
                continue
            low = self.bounds.get(n.id, n.max).bit_length()
            if n.id in self.facts:
                self.known[n.id] = g.const(self.facts[n.id], n.w)
            elif n.op == "var" and 0 < low < n.w:
                self.known[n.id] = g.zext(g.slice(n, low - 1, 0), n.w)
            else:
                self.known[n.id] = g.again(n, [self.known[a.id] for a in n.args])
        return self.known[node.id]

    def upper(self, node):
        """An upper bound of a node under this path."""
        own = min(node.max, self.bounds.get(node.id, node.max),
                  self.facts.get(node.id, node.max))
        if not self.facts or node.op in ("const", "var"):
            return own
        if node.op == "concat":
            top = 0
            for part in node.args:
                top = top << part.w | self.upper(part)
            return min(own, top)
        if node.op == "slice" and node.p[1] == 0:
            return min(own, self.upper(node.args[0]))
        if node.op == "add":
            return min(own, self.upper(node.args[0]) + self.upper(node.args[1])) \
                if node.args[0].max + node.args[1].max <= mask(node.w) else own
        if node.op == "mul" and node.args[0].max * node.args[1].max <= mask(node.w):
            return min(own, self.upper(node.args[0]) * self.upper(node.args[1]))
        if node.op == "ite":
            return min(own, max(self.upper(node.args[1]), self.upper(node.args[2])))
        if node.op == "and":
            return min(own, self.upper(node.args[0]), self.upper(node.args[1]))
        return own


def start(g):
    """The path of what always runs."""
    return Path((), g.true, frozenset(), {}, {})


class Pointer:
    """cases: ((condition, object, constant offset, ((index node of 64 bits, scale), ...)), ...).
    The conditions exclude each other. The object is None for a null pointer."""

    __slots__ = ("cases",)

    def __init__(self, cases):
        self.cases = cases

    def moved(self, constant, terms=()):
        """The pointer so many bytes on."""
        return Pointer(tuple((c, obj, at + constant, old + tuple(terms))
                             for c, obj, at, old in self.cases))


class Aggregate:
    """A struct that is a value."""

    __slots__ = ("items",)

    def __init__(self, items):
        self.items = tuple(items)


class Object:
    """Bytes: each is (value, which of its bytes), or None while it is undefined."""

    __slots__ = ("name", "size", "bytes", "constant")

    def __init__(self, name, size, constant=False):
        self.name, self.size, self.constant = name, size, constant
        self.bytes = [None] * size


def ite(g, c, a, b):
    """Choice of two values of any kind."""
    if c.op == "const":
        return a if c.p else b
    if a is b:
        return a
    if isinstance(a, Pointer) and isinstance(b, Pointer):
        n = g.not_(c)
        merged = {}
        for lit, pointer in ((c, a), (n, b)):
            for cond, *rest in pointer.cases:
                key = tuple(rest)
                both = g.and_(lit, cond)
                merged[key] = g.or_(merged[key], both) if key in merged else both
        return Pointer(tuple((cond, *key) for key, cond in merged.items() if cond is not g.false))
    if isinstance(a, Aggregate) and isinstance(b, Aggregate) and len(a.items) == len(b.items):
        return Aggregate(ite(g, c, x, y) for x, y in zip(a.items, b.items))
    if isinstance(a, (Pointer, Aggregate)) or isinstance(b, (Pointer, Aggregate)):
        raise Refused("a choice of a pointer and a number")
    return g.ite(c, a, b)


def by_branch(g, edges, leaf, join):
    """Walk what is left of paths as the tree of their branches. edges: [(conditions, value)]."""
    if not edges[0][0]:
        return leaf(edges[0][1])
    first = edges[0][0][0]
    other = g.not_(first)
    yes = [(lits[1:], v) for lits, v in edges if lits and lits[0] is first]
    no = [(lits[1:], v) for lits, v in edges if lits and lits[0] is other]
    if len(yes) + len(no) != len(edges):
        return None
    results = [by_branch(g, part, leaf, join) if part else False for part in (yes, no)]
    return None if None in results else join(first, results)


def split(edges):
    """(common conditions, [(the rest, value)]) of [(path, value)]."""
    lists = [path.lits for path, _ in edges]
    shared = 0
    shortest = min(len(lits) for lits in lists)
    while shared < shortest and all(lits[shared] is lists[0][shared] for lits in lists):
        shared += 1
    return lists[0][:shared], [(lits[shared:], v) for lits, (_, v) in zip(lists, edges)]


def all_of(g, lits):
    """One node for some conditions."""
    result = g.true
    for lit in lits:
        result = g.and_(result, lit)
    return result


def merge_paths(g, paths):
    """The path of a block that is reached by any of these."""
    if len(paths) == 1:
        return paths[0]
    shared, edges = split([(path, None) for path in paths])
    result = start(g)
    for lit in shared:
        result = result.extend(g, lit)

    def join(c, parts):
        yes, no = (g.false if part is False else part for part in parts)
        return g.ite(c, yes, no)

    cond = by_branch(g, edges, lambda _: g.true, join)
    if cond is None:
        cond = g.false
        for lits, _ in edges:
            cond = g.or_(cond, all_of(g, lits))
    return result.extend(g, cond)


def merge_values(g, edges):
    """The value that comes in by the path that was taken. edges: [(path, value)]."""
    first = edges[0][1]
    if all(value is first for _, value in edges):
        return first
    _, rest = split(edges)

    def join(c, parts):
        if False in parts:
            return parts[1] if parts[0] is False else parts[0]
        return ite(g, c, parts[0], parts[1])

    found = by_branch(g, rest, lambda v: v, join)
    if found is not None:
        return found
    result = rest[-1][1]
    for lits, value in reversed(rest[:-1]):
        result = ite(g, all_of(g, lits), value, result)
    return result


class Memory:
    """Loads and stores; collects undefined behaviour."""

    def __init__(self, g):
        self.g = g
        self.ub = g.false
        self.ub_notes = []

    def undefined(self, cond, note):
        """What must not happen."""
        if cond is self.g.false:
            return
        self.ub = self.g.or_(self.ub, cond)
        if len(self.ub_notes) < 40 and note not in self.ub_notes:
            self.ub_notes.append(note)

    # ---- one place ----

    def get(self, obj, at, size, pointer):
        """The value of some bytes; pointer says which kind is wanted."""
        g = self.g
        cells = obj.bytes[at:at + size]
        whole = cells[0]
        if whole is not None and whole[1] == 0:
            value = whole[0]
            width = 8 if isinstance(value, Pointer) else value.w // 8
            if width == size and all(c is not None and c[0] is value and c[1] == i
                                     for i, c in enumerate(cells)):
                if isinstance(value, Pointer) == pointer:
                    return value
                if pointer and value.op == "const" and value.p == 0:
                    return Pointer(((g.true, None, 0, ()),))
        if pointer:
            if all(c is not None and not isinstance(c[0], Pointer) and c[0].op == "const" and
                   c[0].p == 0 for c in cells):
                return Pointer(((g.true, None, 0, ()),))
            raise Refused(f"bytes of {obj.name} at {at} are no pointer")
        parts = []
        for i, cell in enumerate(cells):
            if cell is None:
                cell = obj.bytes[at + i] = (g.fresh(8, "undef"), 0)
            value, index = cell
            if isinstance(value, Pointer):
                raise Refused(f"a pointer in {obj.name} is read as a number")
            parts.append(g.slice(value, 8 * index + 7, 8 * index))
        return g.concat(parts[::-1])

    def put(self, obj, at, value, size, guard):
        """Store where the guard holds."""
        if guard is not self.g.true:
            pointer = isinstance(value, Pointer)
            if pointer and all(c is None for c in obj.bytes[at:at + size]):
                before = Pointer(((self.g.true, None, 0, ()),))  # none: going through it is caught
            else:
                before = self.get(obj, at, size, pointer)
            value = ite(self.g, guard, value, before)
        for i in range(size):
            obj.bytes[at + i] = (value, i)

    # ---- through a pointer ----

    def places(self, pointer, size, path):
        """Yield (condition, object, index node or None, {index value: offset}) of an access of so
        many bytes; what lies outside of the object is undefined behaviour."""
        g = self.g
        for cond, obj, at, terms in pointer.cases:
            here = g.and_(path.conj, cond)
            if here is g.false or g.not_(cond).id in path.ids:
                continue
            if obj is None:
                self.undefined(here, "access through a null pointer")
                continue
            if not isinstance(obj, Object):
                raise Refused("access to the bytes of a function")
            if not terms:
                if 0 <= at <= obj.size - size:
                    yield cond, obj, None, {0: at}
                else:
                    self.undefined(here, f"access to {obj.name} at {at}")
                continue
            deeper = path.deeper(g, cond) or path
            found = self.side_by_side(terms, at, obj.size - size, deeper)
            if found is not None:
                yield cond, obj, *found
                continue
            index, scale = self.one_term(terms)
            index = deeper.given(g, index)
            low = max(0, -(at // scale)) if at < 0 else 0
            if low:
                index = g.sub(index, g.const(low, 64))
                at += low * scale
            last = (obj.size - size - at) // scale
            if last < 0:
                self.undefined(here, f"access beyond {obj.name}")
                continue
            most = deeper.upper(index)
            if most > last:
                self.undefined(g.and_(here, g.ult(g.const(last, 64), index)),
                               f"index of {obj.name} beyond {last}")
            count = min(last, most) + 1
            if count > MAX_ELEMENTS:
                raise Refused(f"{count} elements of {obj.name} by one index")
            yield cond, obj, index, {k: at + k * scale for k in range(count)}

    def side_by_side(self, terms, at, last, path):
        """(index, {index value: offset}): the bits of several indices side by side, so that only
        what they reach is looked at; None for one index, or if one may leave the object."""
        g = self.g
        indices = [path.given(g, node) for node, _ in terms]
        tops = [path.upper(node) for node in indices]
        reach = at + sum(top * scale for top, (_, scale) in zip(tops, terms))
        if len(terms) == 1 or not any(tops) or at < 0 or reach > last:
            return None
        offsets = {0: at}
        for top, (_, scale) in zip(tops, terms):
            room = 1 << top.bit_length()
            offsets = {k * room + i: offset + i * scale
                       for k, offset in offsets.items() for i in range(top + 1)}
            if len(offsets) > MAX_ELEMENTS:
                return None
        return g.concat([g.slice(node, top.bit_length() - 1, 0)
                         for node, top in zip(indices, tops) if top]), offsets

    def one_term(self, terms):
        """Several scaled indices as one."""
        g = self.g
        if len(terms) == 1:
            return terms[0]
        scale = 0
        for _, s in terms:
            scale = gcd(scale, s)
        index = g.const(0, 64)
        for node, s in terms:
            index = g.add(index, g.mul(node, g.const(s // scale, 64)))
        return index, scale

    def load(self, pointer, size, is_pointer, path):
        """The value at a pointer; None if no case is possible."""
        g = self.g
        result = None
        for cond, obj, index, offsets in self.places(pointer, size, path):
            items = {k: self.get(obj, at, size, is_pointer) for k, at in offsets.items()}
            first = next(iter(items.values()))
            if index is None or len(items) == 1:
                value = first
            elif is_pointer:
                value = first
                for k, item in list(items.items())[1:]:
                    value = ite(g, g.eq(index, g.const(k, index.w)), item, value)
            else:
                value = g.pick(index, [items.get(k, first) for k in range(max(items) + 1)])
            result = value if result is None else ite(g, cond, value, result)
        return self.under(result, path)

    def under(self, value, path):
        """A value, simpler by what the path says."""
        while value is not None and not isinstance(value, (Pointer, Aggregate)) and \
                value.op == "ite":
            fact = path.facts.get(value.args[0].id)
            if value.args[0].id in path.ids or fact == 1:
                value = value.args[1]
            elif fact == 0:
                value = value.args[2]
            else:
                break
        return value

    def store(self, pointer, value, size, path):
        """Store a value of so many bytes."""
        g = self.g
        for cond, obj, index, offsets in self.places(pointer, size, path):
            if obj.constant:
                raise Refused(f"a store to the constant {obj.name}")
            guard = g.and_(path.conj, cond)
            for k, at in offsets.items():
                here = guard
                if index is not None and len(offsets) > 1:
                    here = g.and_(guard, g.eq(index, g.const(k, index.w)))
                if here is not g.false:
                    self.put(obj, at, value, size, here)

    def fill(self, pointer, byte, size, path):
        """memset."""
        for i in range(size):
            self.store(pointer.moved(i), byte, 1, path)

    def copy(self, to, source, size, path):
        """memcpy and memmove: what lies whole in the source stays whole."""
        if len(source.cases) == 1 and len(to.cases) == 1 and not source.cases[0][3] and \
                not to.cases[0][3]:
            _, src, at, _ = source.cases[0]
            _, dst, base, _ = to.cases[0]
            if src is not None and dst is not None and 0 <= at <= src.size - size and \
                    0 <= base <= dst.size - size:
                if path.conj is self.g.true:
                    dst.bytes[base:base + size] = src.bytes[at:at + size]
                    return
                self.copy_guarded(src, at, dst, base, size, path)
                return
        values = [self.load(source.moved(i), 1, False, path) for i in range(size)]
        for i, value in enumerate(values):
            if value is not None:
                self.store(to.moved(i), value, 1, path)

    def copy_guarded(self, src, at, dst, base, size, path):
        """Value by value, as they lie in the source."""
        cells = src.bytes[at:at + size]
        i = 0
        while i < size:
            cell = cells[i]
            if cell is None:
                cell = cells[i] = src.bytes[at + i] = (self.g.fresh(8, "undef"), 0)
            value, n = cell[0], 1
            width = 8 if isinstance(value, Pointer) else value.w // 8
            if cell[1] == 0 and i + width <= size and all(
                    cells[i + k] is not None and cells[i + k][0] is value and
                    cells[i + k][1] == k for k in range(width)):
                n = width
            else:
                if isinstance(value, Pointer):
                    raise Refused("part of a pointer is copied")
                value = self.g.slice(value, 8 * cell[1] + 7, 8 * cell[1])
            self.put(dst, base + i, value, n, path.conj)
            i += n

