# SPDX-License-Identifier: Apache-2.0
"""Runs a C function on expressions instead of numbers: LLVM IR (equiv_ir.py) to equiv_node.py.

Branches on known conditions are followed; branches on others run both ways, each block under its
path (equiv_mem.py), and values meet again in choices. Loops run as long as their path is possible;
one whose end depends on inputs needs a limit, and going beyond it counts as undefined behaviour, so
the pair fails unless it is proven that it does not. Calls run the function called.

Relies on: LCSSA form (what leaves a loop passes a phi), structs laid out as equiv_ir.py does.
nsw, nuw, exact and inbounds are ignored: what the source leaves undefined is trapped by the
sanitizers of the compiler run, and the traps are `ub`.

The harness calls `equiv_assume(bool)`: inputs for which it does not hold do not count. And
`equiv_case(bool)`: judges look at these cases one after the other, and at the rest.
"""

from equiv_builtin import TRAPS, builtin
from equiv_ir import Module
from equiv_mem import (Aggregate, Memory, Object, Pointer, ite, merge_paths, merge_values, start)
from equiv_node import Graph
from equiv_value import Refused, fold

CHEAP = {"add", "sub", "mul", "and", "or", "xor", "shl", "lshr"}
MAX_ROUNDS = 100000
MAX_DEPTH = 60


class Loop:
    """items: blocks (labels) and loops in an order in which each follows those before it."""

    def __init__(self, header, items, blocks):
        self.header, self.items, self.blocks = header, items, blocks


def successors(block):
    """Labels that the last instruction of a block may go to."""
    last = block[-1]
    if last[0] == "br":
        return list(last[3])
    if last[0] == "switch":
        return [last[3]] + [label for _, label in last[4]]
    return []


def plan(function, labels, entry, cut):
    """The blocks as nested loops in topological order. Edges to `cut` are left out."""
    blocks = function.blocks
    index, low, on, stack, found = {}, {}, set(), [], []
    inside = set(labels)
    # Tarjan, without recursion: functions may have thousands of blocks.
    for root in [entry] + [label for label in labels if label != entry]:
        if root in index:
            continue
        work = [(root, iter(successors(blocks[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while work:
            label, rest = work[-1]
            for following in rest:
                if following == cut or following not in inside:
                    continue
                if following not in index:
                    index[following] = low[following] = len(index)
                    stack.append(following)
                    on.add(following)
                    work.append((following, iter(successors(blocks[following]))))
                    break
                if following in on:
                    low[label] = min(low[label], index[following])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[label])
                if low[label] == index[label]:
                    members = []
                    while True:
                        members.append(stack.pop())
                        on.discard(members[-1])
                        if members[-1] == label:
                            break
                    found.append(members)
    items = []
    for members in reversed(found):
        own = set(members)
        looped = len(members) > 1 or (members[0] != cut and
                                      members[0] in successors(blocks[members[0]]))
        if not looped:
            items.append(members[0])
            continue
        heads = {entry} & own
        for label in labels:
            if label not in own:
                heads |= own & {s for s in successors(blocks[label]) if s != cut}
        if len(heads) != 1:
            raise Refused(f"a loop of {function.name} has {len(heads)} entries")
        header = heads.pop()
        items.append(Loop(header, plan(function, members, header, header), own))
    return items


class Frame:
    """A function that runs."""

    def __init__(self, function, env, depth):
        self.function, self.env, self.depth = function, env, depth
        self.edges = {}  # label: [(path, {phi: value})]
        self.returns = []


class Executor:
    """Runs functions of a module in a graph."""

    def __init__(self, module, graph, unwind=0):
        self.module, self.g, self.unwind = module, graph, unwind
        self.memory = Memory(graph)
        self.assumed, self.cases = graph.true, []
        self.globals = {}
        self.steps = 0

    # ---- operands ----

    def constant(self, text):
        """The value of a constant operand."""
        kind, of, what = text[:3]
        of = self.module.resolve(of)
        if kind == "int":
            return self.g.const(what, of[1])
        if kind in ("null", "zero") and of[0] == "p":
            return Pointer(((self.g.true, None, 0, ()),))
        if kind == "zero" and of[0] == "i":
            return self.g.const(0, of[1])
        if kind == "global":
            return Pointer(((self.g.true, self.global_object(what), 0, ()),))
        if kind == "undef":
            return self.undefined_value(of)
        if kind == "gep":
            return self.gep(what[0], self.constant(what[1]), [self.constant(i) for i in what[2]])
        if kind == "cast":
            return self.constant(what)
        if kind == "agg" and of[0] == "s":
            return Aggregate(self.constant(item) for item in what)
        raise Refused(f"constant {kind} of {of}")

    def undefined_value(self, of):
        if of[0] == "i":
            return self.g.fresh(of[1], "undef")
        if of[0] == "s":
            return Aggregate(self.undefined_value(self.module.resolve(m)) for m in of[1])
        if of[0] == "p":
            return Pointer(((self.g.true, None, 0, ()),))
        raise Refused(f"undefined value of {of}")

    def global_object(self, name):
        found = self.globals.get(name)
        if found is None:
            if name in self.module.functions:
                found = self.module.functions[name]
            else:
                of, value = self.module.globals.get(name, (None, None))
                if value is None:
                    return ("extern", name)
                found = Object("@" + name, self.module.size(of))
                self.globals[name] = found
                self.initialise(found, 0, of, value)
            self.globals[name] = found
        return found

    def initialise(self, obj, at, of, text):
        """Lay a constant into an object."""
        of = self.module.resolve(of)
        kind, what = text[0], text[2]
        if kind == "undef":
            return
        if kind == "zero":
            for i in range(self.module.size(of)):
                obj.bytes[at + i] = (self.g.const(0, 8), 0)
        elif kind == "str":
            for i, byte in enumerate(what):
                obj.bytes[at + i] = (self.g.const(byte, 8), 0)
        elif kind == "agg" and of[0] == "a":
            size = self.module.size(of[2])
            for i, item in enumerate(what):
                self.initialise(obj, at + i * size, of[2], item)
        elif kind == "agg":
            for i in range(self.module.size(of)):
                obj.bytes[at + i] = (self.g.const(0, 8), 0)
            for offset, member, item in zip(self.module.layout(of)[2], of[1], what):
                self.initialise(obj, at + offset, member, item)
        else:
            self.write(obj, at, of, self.constant(text))

    def write(self, obj, at, of, value):
        size = self.module.size(of)
        if not isinstance(value, Pointer):
            value = self.g.zext(value, 8 * size)
        for i in range(size):
            obj.bytes[at + i] = (value, i)

    def value(self, frame, text):
        if text[0] == "local":
            try:
                return frame.env[text[2]]
            except KeyError:
                raise Refused(f"%{text[2]} of {frame.function.name} is used beyond its loop") \
                    from None
        if text[0] == "int":
            return self.g.const(text[2], text[1][1])
        return self.constant(text)

    def gep(self, element, base, indices):
        """A pointer moved by indices."""
        of, constant, terms = element, 0, []
        for n, index in enumerate(indices):
            if n > 0:
                of = self.module.resolve(of)
                if of[0] == "s":
                    constant += self.module.layout(of)[2][index.p]
                    of = of[1][index.p]
                    continue
                of = of[2]
            size = self.module.size(of)
            wide = self.g.sext(index, 64)
            while wide.op == "add" and wide.args[1].op == "const":
                number = wide.args[1].p
                constant += size * (number - (number >> 63 << 64))
                wide = wide.args[0]
            if wide.op == "const":
                constant += size * (wide.p - (wide.p >> 63 << 64))
            elif size:
                terms.append((wide, size))
        return base.moved(constant, terms)

    # ---- control ----

    def run(self, function, args, path, depth=0):
        """Call a function; return its value (None if void, or if it never returns)."""
        if depth > MAX_DEPTH:
            raise Refused(f"calls of {function.name} too deep")
        if function.plan is None:
            entry = next(iter(function.blocks))
            function.plan = plan(function, list(function.blocks), entry, None)
        env = {}
        for (of, name, byval), arg in zip(function.params, args):
            if byval is not None:
                size = self.module.size(byval)
                copy = Pointer(((self.g.true, Object("%" + name, size), 0, ()),))
                self.memory.copy(copy, arg, size, path)
                arg = copy
            env[name] = arg
        frame = Frame(function, env, depth)
        frame.edges[next(iter(function.blocks))] = [(path, {})]
        self.items(frame, function.plan)
        if not frame.returns or function.result == ("void",):
            return None
        return merge_values(self.g, frame.returns)

    def items(self, frame, items):
        for item in items:
            if isinstance(item, Loop):
                self.loop(frame, item)
            else:
                edges = frame.edges.pop(item, None)
                if edges:
                    self.block(frame, item, edges)

    def loop(self, frame, loop):
        """Rounds, until the header is not reached again."""
        rounds = symbolic = 0
        known = None
        while frame.edges.get(loop.header):
            path = merge_paths(self.g, [p for p, _ in frame.edges[loop.header]])
            if known is not None and path.conj is not known:
                symbolic += 1
                if self.unwind and symbolic > self.unwind:
                    self.memory.undefined(path.conj, f"more than {self.unwind} rounds of a loop "
                                                     f"in {frame.function.name}")
                    del frame.edges[loop.header]
                    return
            known = path.conj
            rounds += 1
            if rounds > MAX_ROUNDS or (not self.unwind and symbolic > 1100):
                raise Refused(f"a loop of {frame.function.name} does not end; unwind=N?")
            edges = frame.edges.pop(loop.header)
            self.block(frame, loop.header, edges)
            self.items(frame, [i for i in loop.items if i != loop.header])

    def block(self, frame, label, edges):
        g = self.g
        path = merge_paths(g, [p for p, _ in edges])
        env = frame.env
        values = {}
        for name in edges[0][1]:
            values[name] = merge_values(g, [(p, v[name]) for p, v in edges])
        env.update(values)
        for instruction in frame.function.blocks[label]:
            op = instruction[0]
            if op == "phi":
                continue
            self.steps += 1
            if op == "br":
                targets = instruction[3]
                if instruction[2] is None:
                    self.jump(frame, label, targets[0], path)
                else:
                    self.branch(frame, label, path,
                                [(self.value(frame, instruction[2]), targets[0])], targets[1])
            elif op == "switch":
                a = self.value(frame, instruction[2])
                self.branch(frame, label, path,
                            [(g.eq(a, g.const(v, a.w)), t) for v, t in instruction[4]],
                            instruction[3])
            elif op == "ret":
                value = None if instruction[2] is None else self.value(frame, instruction[2])
                frame.returns.append((path, value))
            elif op == "unreachable":
                self.memory.undefined(path.conj, f"unreachable in {frame.function.name}")
            elif op == "refused":
                raise Refused(instruction[2])
            else:
                result = OPERATORS[op](self, frame, instruction, path)
                if instruction[1] is not None and result is None:
                    return  # a call that never returns; why it does not is undefined already
                if instruction[1] is not None:
                    env[instruction[1]] = result

    def branch(self, frame, label, path, cases, default):
        """Go to each target whose condition is possible. A trap leaves the path as it is: what
        follows it does not count."""
        for cond, target in cases:
            if self.is_trap(frame, target):
                self.memory.undefined(self.g.and_(path.conj, cond), f"trap in "
                                      f"{frame.function.name}")
                if cond is self.g.true:
                    return
                continue
            there = path.extend(self.g, cond)
            if there is not None:
                self.jump(frame, label, target, there)
            if self.is_trap(frame, default) and len(cases) == 1:
                self.memory.undefined(self.g.and_(path.conj, self.g.not_(cond)),
                                      f"trap in {frame.function.name}")
                if there is not None and there is not path:
                    # Behind a check that must hold the path is the one before it.
                    frame.edges[target][-1] = (path, frame.edges[target][-1][1])
                return
            path = path.extend(self.g, self.g.not_(cond))
            if path is None:
                return
        if self.is_trap(frame, default):
            self.memory.undefined(path.conj, f"trap in {frame.function.name}")
        else:
            self.jump(frame, label, default, path)

    def is_trap(self, frame, label):
        first = frame.function.blocks[label][0]
        return first[0] == "unreachable" or (first[0] == "call" and first[3][0] == "global" and
                                             first[3][2] in TRAPS)

    def jump(self, frame, label, target, path):
        values = {}
        for instruction in frame.function.blocks[target]:
            if instruction[0] != "phi":
                break
            values[instruction[1]] = self.value(frame, instruction[3][label])
        frame.edges.setdefault(target, []).append((path, values))

    # ---- instructions: (self, frame, instruction, path) -> value ----

    def binary(self, frame, ins, path):
        g = self.g
        a, b = self.value(frame, ins[2]), self.value(frame, ins[3])
        op = ins[0]
        if a.op == "const" and b.op == "const" and op in CHEAP:
            return g.const(fold(op, a.w, (a.p, b.p), None, None), a.w)
        if op in ("udiv", "urem", "sdiv", "srem"):
            self.memory.undefined(g.and_(path.conj, g.eq(b, g.const(0, b.w))), "division by zero")
            if op[0] == "s":
                half = 1 << (a.w - 1)
                if a.max >= half or b.max >= half:
                    raise Refused("signed division of numbers that may be negative")
                op = "u" + op[1:]
        if op in ("and", "or"):
            return g.and_(a, b) if op == "and" else g.or_(a, b)
        return getattr(g, op)(a, b)

    def icmp(self, frame, ins, path):
        a, b = self.value(frame, ins[3]), self.value(frame, ins[4])
        if isinstance(a, Pointer):
            return self.compare_pointers(ins[2], a, b)
        return self.compare(ins[2], a, b)

    def compare(self, relation, a, b):
        g = self.g
        if relation in ("eq", "ne"):
            return g.eq(a, b) if relation == "eq" else g.ne(a, b)
        less = g.ult if relation[0] == "u" else g.slt
        if relation[1:] == "lt":
            return less(a, b)
        if relation[1:] == "gt":
            return less(b, a)
        return g.not_(less(b, a)) if relation[1:] == "le" else g.not_(less(a, b))

    def compare_pointers(self, relation, a, b):
        g = self.g
        result = g.false
        for ca, oa, ata, ta in a.cases:
            for cb, ob, atb, tb in b.cases:
                both = g.and_(ca, cb)
                if oa is not ob or oa is None:
                    if relation not in ("eq", "ne"):
                        raise Refused("order of pointers to two objects")
                    same = g.const(oa is ob, 1)
                    holds = same if relation == "eq" else g.not_(same)
                else:
                    holds = self.compare(relation, self.offset(ata, ta), self.offset(atb, tb))
                result = g.or_(result, g.and_(both, holds))
        return result

    def offset(self, constant, terms):
        g = self.g
        result = g.const(constant, 64)
        for index, scale in terms:
            result = g.add(result, g.mul(index, g.const(scale, 64)))
        return result

    def cast(self, frame, ins, path):
        g = self.g
        a, of = self.value(frame, ins[2]), self.module.resolve(ins[3])
        op = ins[0]
        if op == "bitcast":
            return a
        if op == "ptrtoint":
            if len(a.cases) != 1 or (a.cases[0][1] is not None):
                raise Refused("a pointer as a number")
            return g.zext(self.offset(a.cases[0][2], a.cases[0][3]), of[1])
        if op == "trunc":
            return g.slice(a, of[1] - 1, 0)
        return g.zext(a, of[1]) if op == "zext" else g.sext(a, of[1])

    def select(self, frame, ins, path):
        return ite(self.g, self.value(frame, ins[2]), self.value(frame, ins[3]),
                   self.value(frame, ins[4]))

    def freeze(self, frame, ins, path):
        return self.value(frame, ins[2])

    def alloca(self, frame, ins, path):
        obj = Object(f"%{ins[1]} of {frame.function.name}", self.module.size(ins[2]))
        return Pointer(((self.g.true, obj, 0, ()),))

    def load(self, frame, ins, path):
        of = self.module.resolve(ins[2])
        size = self.module.size(of)
        if of[0] not in "ip":
            raise Refused(f"load of {of}")
        value = self.memory.load(self.value(frame, ins[3]), size, of[0] == "p", path)
        if value is None:
            return self.undefined_value(of)
        return value if of[0] == "p" else self.g.slice(value, of[1] - 1, 0)

    def store(self, frame, ins, path):
        value = self.value(frame, ins[2])
        size = self.module.size(ins[2][1])
        if isinstance(value, Aggregate):
            raise Refused("store of a struct")
        if not isinstance(value, Pointer):
            value = self.g.zext(value, 8 * size)
        self.memory.store(self.value(frame, ins[3]), value, size, path)

    def getelementptr(self, frame, ins, path):
        return self.gep(ins[2], self.value(frame, ins[3]),
                        [self.value(frame, i) for i in ins[4]])

    def extractvalue(self, frame, ins, path):
        value = self.value(frame, ins[2])
        for index in ins[4]:
            value = value.items[index]
        return value

    def insertvalue(self, frame, ins, path):
        if len(ins[4]) != 1:
            raise Refused("insertvalue of a nested member")
        items = list(self.value(frame, ins[2]).items)
        items[ins[4][0]] = self.value(frame, ins[3])
        return Aggregate(items)

    def call(self, frame, ins, path):
        target = self.value(frame, ins[3])
        result = None
        for cond, function, at, terms in target.cases:
            there = path.extend(self.g, cond)
            if there is None:
                continue
            if function is None:
                self.memory.undefined(there.conj, "call of a null pointer")
                continue
            if at or terms:
                raise Refused("call of a moved pointer")
            args = [a and self.value(frame, a[:3]) for a in ins[4]]
            if isinstance(function, tuple):
                value = builtin(self, function[1], args, there)
            else:
                value = self.run(function, args, there, frame.depth + 1)
            if result is None or value is None:
                result = value
            else:
                result = ite(self.g, cond, value, result)
        return result


OPERATORS = {
    **{op: Executor.binary for op in ("add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl",
                                      "lshr", "ashr", "and", "or", "xor")},
    **{op: Executor.cast for op in ("zext", "sext", "trunc", "bitcast", "ptrtoint")},
    "icmp": Executor.icmp, "select": Executor.select, "freeze": Executor.freeze,
    "alloca": Executor.alloca, "load": Executor.load, "store": Executor.store,
    "getelementptr": Executor.getelementptr, "call": Executor.call,
    "extractvalue": Executor.extractvalue, "insertvalue": Executor.insertvalue,
}


def translate(text, ports, unwind=0, graph=None):
    """Run h(const struct equiv_in *, struct equiv_out *) of an LLVM text. ports: equiv_pair.Port.
    Return (executor, {output name: [element nodes, C width]}). Outputs start as zeros."""
    g = graph or Graph()
    module = Module(text)
    machine = Executor(module, g, unwind)
    function = module.functions["equiv_harness"]
    objects = {}
    for direction in ("in", "out"):
        own = [p for p in ports if (p.direction == "in") == (direction == "in")]
        own.sort(key=lambda p: p.direction == "mid")
        at = 0
        obj = Object(direction, sum(p.c_bytes * (p.count + 8) for p in own))
        obj.bytes = [(g.const(0, 8), 0)] * obj.size if direction == "out" else obj.bytes
        for port in own:
            at = -(-at // port.c_bytes) * port.c_bytes
            port.offset = at
            for i in range(port.count):
                if direction == "in":
                    width = 8 * port.c_bytes
                    bits = g.var(port.element(i), port.bits)
                    value = g.zext(bits, width)
                    for k in range(port.c_bytes):
                        obj.bytes[at + k] = (value, k)
                at += port.c_bytes
        obj.size = at
        objects[direction] = obj
    args = [Pointer(((g.true, objects[d], 0, ()),)) for d in ("in", "out")]
    machine.run(function, args, start(g))
    outputs = {}
    for port in ports:
        if port.direction != "in":
            outputs[port.name] = [
                machine.memory.get(objects["out"], port.offset + i * port.c_bytes, port.c_bytes,
                                   False) for i in range(port.count)]
    return machine, outputs
