# SPDX-License-Identifier: Apache-2.0
"""The RTL side of scripts/equiv: a wrapper module, unrolled over its clocks into expressions.

Yosys elaborates and flattens the wrapper with the real modules of rtl/ and writes JSON; the cells
are then evaluated clock by clock. Nothing is assumed of the state at clock 0 unless the wrapper
says so: every register and memory word without a value is a free input, and so is every unknown
bit. What a pair proves of a pipeline therefore holds whatever was in it before, and whatever
comes beside the slot in question, if the wrapper drives the other clocks with (* anyseq *) wires.

Lines of the wrapper's head that are read here (expressions in braces: i, and the parameters):
  // clocks N             outputs are those after N rising edges (0: a combinational module)
  // state CLOCK PORTS NAME  at that clock element i of an input is the register or memory word NAME
                             (of several inputs A,B,C side by side, A on top)
  // state CLOCK =N NAME [for COUNT]   ... it has this value
  // final PORTS NAME     element i of an output is what NAME holds at the end; several as above,
                          _N stands for N bits that are nobody's
  A line may end in `if EXPRESSION`, and goes on in the next one if that is indented. An output that
  no line in force names is 0.
"""

import json
import re

from equiv_value import Refused, mask

YOSYS_SCRIPT = """
read_verilog -formal -defer -I{rtl} {rtl}/egret_ram_1r1w.v
read_verilog -defer -I{rtl} {files}
read_verilog -defer -I{rtl} {wrapper}
hierarchy -check -top {top}{params}
proc
flatten
memory_collect
check -assert
rename -top {top}
write_json {out}
"""


def expand(text, names):
    """Replace {expressions} by their values."""
    return re.sub(r"\{([^}]*)\}", lambda m: str(int(eval(m[1], {}, names))), text)  # noqa: S307


class Wrapper:
    """What the head of a wrapper says."""

    LINE = re.compile(
        r"// (?:(state) (\S+) (\S+)|(final) (\S+)) (\S+)(?: for (.+?))?(?: if (.+))?$")

    def __init__(self, path, params):
        self.clocks, self.states, self.finals, self.bound = 0, [], [], set()
        head = path.read_text(encoding="utf-8").split("\n`", 1)[0]
        for line in re.sub(r"\n//   +", " ", head).splitlines():
            if line.startswith("// clocks "):
                self.clocks = int(expand("{" + line[10:] + "}", params))
            match = self.LINE.match(line)
            if not match:
                continue
            state, clock, source, _, ends, name, many, condition = match.groups()
            parts = (source or ends).split(",")
            self.bound |= {p for p in parts if p[0] not in "=_"}
            if condition and not int(expand("{" + condition + "}", params)):
                continue
            count = int(expand("{" + many + "}", params)) if many else 1
            if state:
                self.states.append((int(expand(clock, params)), parts, name, count))
            else:
                self.finals.append((parts, name))

    @staticmethod
    def elements(parts, by_name, i):
        """[(port, i)]; for a part `_N`, N bits that do not count: (None, N)."""
        return [(None, int(p[1:])) if p[0] == "_" else (by_name[p], i) for p in parts]

    def places(self, ports, params):
        """Yield (clock, [(port, i), ...], value, name) of all state lines; one of list and value
        is None."""
        by_name = {p.name: p for p in ports}
        for clock, parts, name, count in self.states:
            fixed = parts[0].startswith("=")
            if not fixed:
                count = by_name[parts[0]].count
            for i in range(count):
                where = expand(name, {**params, "i": i})
                if fixed:
                    yield clock, None, int(expand("{" + parts[0][1:] + "}", params)), where
                else:
                    yield clock, self.elements(parts, by_name, i), None, where

    def ends(self, ports, params):
        """Yield ([(port, i), ...], name) of all final lines."""
        by_name = {p.name: p for p in ports}
        for parts, name in self.finals:
            count = next(by_name[p].count for p in parts if p[0] != "_")
            for i in range(count):
                yield self.elements(parts, by_name, i), expand(name, {**params, "i": i})


def plain(name):
    """A hierarchical name without the scopes that Yosys, alone, makes of `else if`."""
    return re.sub(r"\bgenblk\d+\.", "", name)


def number(text):
    """A parameter of a JSON netlist."""
    return int(text, 2) if isinstance(text, str) and re.fullmatch(r"[01]+", text) else text


class Netlist:
    """A flattened module that can be run on expressions."""

    def __init__(self, path, top, graph):
        self.g = graph
        module = json.loads(path.read_text(encoding="utf-8"))["modules"][top]
        self.ports = module["ports"]
        self.nets = {plain(name): net["bits"] for name, net in module["netnames"].items()}
        self.cells, self.flops, self.memories, self.free = [], [], [], []
        inits = {}
        for net in module["netnames"].values():
            init = net.get("attributes", {}).get("init")
            if init is not None:
                for bit, value in zip(net["bits"], reversed(init)):
                    if value in "01":
                        inits[bit] = int(value)
        self.inits = inits
        for name, cell in module["cells"].items():
            kind = cell["type"]
            cell["name"] = name
            cell["p"] = {k: number(v) for k, v in cell["parameters"].items()}
            if kind == "$dff":
                self.flops.append(cell)
            elif kind in ("$mem_v2", "$mem"):
                self.memories.append(cell)
            elif kind in ("$anyseq", "$anyconst"):
                self.free.append(cell)
            elif kind not in ("$assert", "$assume", "$cover"):
                self.cells.append(cell)
        self.flop_bits = {b for flop in self.flops for b in flop["connections"]["Q"]}
        self.order = []
        self.values = {}    # bit: (node, index)
        self.words = {m["name"]: None for m in self.memories}
        self.by_memid = {plain(m["parameters"]["MEMID"].lstrip("\\")): m for m in self.memories}

    # ---- order ----

    def topological(self):
        """Combinational cells and memory reads, each behind those that it reads."""
        items = []
        for cell in self.cells:
            outputs = [b for p, bits in cell["connections"].items()
                       if cell["port_directions"][p] == "output" for b in bits]
            inputs = [b for p, bits in cell["connections"].items()
                      if cell["port_directions"][p] == "input" for b in bits]
            items.append((("cell", cell), inputs, outputs))
        for memory in self.memories:
            p = memory["p"]
            for port in range(p["RD_PORTS"]):
                addr = self.part(memory["connections"]["RD_ADDR"], port, p["ABITS"])
                data = self.part(memory["connections"]["RD_DATA"], port, p["WIDTH"])
                items.append((("read", memory, addr, data), addr, data))
        driver = {}
        for at, (_, _, outputs) in enumerate(items):
            for bit in outputs:
                driver[bit] = at
        order, state = [], [0] * len(items)
        for root in range(len(items)):
            if state[root]:
                continue
            stack = [(root, iter(items[root][1]))]
            state[root] = 1
            while stack:
                at, rest = stack[-1]
                for bit in rest:
                    below = driver.get(bit)
                    if below is None or state[below] == 2:
                        continue
                    if state[below] == 1:
                        raise Refused(f"a loop of cells at {items[below][0][1]['name']}")
                    state[below] = 1
                    stack.append((below, iter(items[below][1])))
                    break
                else:
                    stack.pop()
                    state[at] = 2
                    order.append(items[at][0])
        return order

    @staticmethod
    def part(bits, index, width):
        return bits[index * width:(index + 1) * width]

    # ---- values ----

    def read(self, bits):
        """The node of some bits, lowest first."""
        g, parts = self.g, []
        at = 0
        while at < len(bits):
            bit = bits[at]
            if isinstance(bit, str):
                parts.append(g.const(int(bit), 1) if bit in "01" else g.fresh(1, "x"))
                at += 1
                continue
            if bit not in self.values:
                name = next((n for n, net in self.nets.items() if bit in net), bit)
                raise Refused(f"nothing drives {name}")
            node, index = self.values[bit]
            end = at + 1
            while end < len(bits) and not isinstance(bits[end], str) and \
                    self.values.get(bits[end]) == (node, index + end - at):
                end += 1
            parts.append(g.slice(node, index + end - at - 1, index))
            at = end
        return g.concat(parts[::-1])

    def write(self, bits, node):
        for index, bit in enumerate(bits):
            if not isinstance(bit, str):
                self.values[bit] = (node, index)

    def keep(self, wanted):
        """Leave out what the wanted bits (and words of the wanted memories) do not hang on."""
        sources = {}
        for cell in self.cells + self.free:
            inputs = [b for p, bits in cell["connections"].items()
                      if cell["port_directions"][p] == "input" for b in bits]
            for p, bits in cell["connections"].items():
                if cell["port_directions"][p] == "output":
                    sources.update((b, (cell["name"], inputs)) for b in bits)
        for flop in self.flops:
            sources.update((q, (flop["name"], flop["connections"]["D"]))
                           for q in flop["connections"]["Q"])
        for memory in self.memories:
            c = memory["connections"]
            inputs = [b for p in ("RD_ADDR", "WR_EN", "WR_ADDR", "WR_DATA") for b in c[p]]
            sources.update((b, (memory["name"], inputs)) for b in c["RD_DATA"])
            if memory["name"] in wanted:
                wanted = [*wanted, *inputs]
        needed = {w for w in wanted if isinstance(w, str)}
        stack, seen = list(wanted), set()
        while stack:
            bit = stack.pop()
            if bit in seen or bit not in sources:
                continue
            seen.add(bit)
            name, inputs = sources[bit]
            needed.add(name)
            stack.extend(inputs)
        self.cells, self.free, self.flops, self.memories = (
            [c for c in group if c["name"] in needed]
            for group in (self.cells, self.free, self.flops, self.memories))
        self.order = self.topological()

    def start(self):
        """Clock 0: initial values where there are any, free inputs elsewhere."""
        for flop in self.flops:
            bits = flop["connections"]["Q"]
            node = self.g.fresh(len(bits), "state")
            self.write(bits, node)
            for bit in bits:
                if bit in self.inits:
                    self.values[bit] = (self.g.const(self.inits[bit], 1), 0)
        for memory in self.memories:
            p = memory["p"]
            self.words[memory["name"]] = [
                self.first(p["WIDTH"], bits) for bits in self.contents(memory)]

    @staticmethod
    def contents(memory):
        """The bits that each word begins with, lowest first: Yosys makes tables of some cases."""
        p, text = memory["p"], memory["parameters"].get("INIT", "x")
        bits = text[::-1] if isinstance(text, str) else ""
        bits = bits.ljust(p["WIDTH"] * p["SIZE"], "x")
        return [bits[i * p["WIDTH"]:(i + 1) * p["WIDTH"]] for i in range(p["SIZE"])]

    def first(self, width, bits):
        """A word, free where nothing is known."""
        if "x" not in bits:
            return self.g.const(int(bits[::-1], 2), width)
        word = self.g.fresh(width, "word")
        if bits.strip("x"):
            word = self.g.concat([self.g.const(int(b), 1) if b != "x" else self.g.slice(word, i, i)
                                  for i, b in reversed(list(enumerate(bits)))])
        return word

    def memory_word(self, name):
        """(memory, index) if the name is one of a memory's word, else None."""
        match = re.fullmatch(r"(.*)\[(\d+)\]", name)
        memory = match and self.by_memid.get(match[1])
        if not memory:
            return None
        index = int(match[2]) - memory["p"].get("OFFSET", 0)
        if not 0 <= index < memory["p"]["SIZE"]:
            raise Refused(f"no word {name}")
        return memory, index

    def set(self, name, node):
        """Give a register or memory word a value; nothing, if no output hangs on it."""
        word = self.memory_word(name)
        if word:
            words = self.words[word[0]["name"]]
            if words is None:
                return
            if words[word[1]].w != node.w:
                raise Refused(f"{name} has {words[word[1]].w} bits, not {node.w}")
            words[word[1]] = node
            return
        bits = self.nets.get(name)
        if bits is None:
            raise Refused(f"no register {name}")
        if len(bits) != node.w or not self.flop_bits.issuperset(bits):
            raise Refused(f"{name} is no register of {node.w} bits")
        self.write(bits, node)

    def width(self, name):
        """Bits of a register or memory word."""
        word = self.memory_word(name)
        if word:
            return word[0]["p"]["WIDTH"]
        if name not in self.nets:
            raise Refused(f"no register {name}")
        return len(self.nets[name])

    def get(self, name):
        """The value of a register, memory word or wire now."""
        word = self.memory_word(name)
        if word:
            return self.words[word[0]["name"]][word[1]]
        if name not in self.nets:
            raise Refused(f"no register {name}")
        return self.read(self.nets[name])

    def settle(self, constants):
        """Evaluate the combinational cells of this clock."""
        for cell in self.free:
            bits = cell["connections"]["Y"]
            if cell["type"] == "$anyseq" or cell["name"] not in constants:
                constants[cell["name"]] = self.g.fresh(len(bits), "any")
            self.write(bits, constants[cell["name"]])
        for item in self.order:
            if item[0] == "cell":
                cell = item[1]
                self.write(cell["connections"]["Y"], self.evaluate(cell))
            else:
                _, memory, addr, data = item
                self.write(data, self.read_word(memory, self.read(addr)))

    def read_word(self, memory, addr):
        words, g = self.words[memory["name"]], self.g
        value = g.pick(addr, words)
        if mask(addr.w) >= len(words) and addr.max >= len(words):
            inside = g.ult(addr, g.const(len(words), addr.w))
            value = g.ite(inside, value, g.fresh(value.w, "x"))
        return value

    def clock(self):
        """A rising edge."""
        nexts = [(flop["connections"]["Q"], self.read(flop["connections"]["D"]))
                 for flop in self.flops]
        for memory in self.memories:
            p, c, g = memory["p"], memory["connections"], self.g
            if p["RD_PORTS"] and p["RD_CLK_ENABLE"]:
                raise Refused("memory with a clocked read port")
            words = self.words[memory["name"]]
            for port in range(p["WR_PORTS"]):
                enable = self.read(self.part(c["WR_EN"], port, p["WIDTH"]))
                if enable.op == "const" and enable.p == 0:
                    continue
                addr = self.read(self.part(c["WR_ADDR"], port, p["ABITS"]))
                data = self.read(self.part(c["WR_DATA"], port, p["WIDTH"]))
                first = g.slice(enable, 0, 0)
                whole = enable is g.sext(first, enable.w)
                # Address and data count where the enable holds.
                while whole and addr.op == "ite" and addr.args[0] is first:
                    addr = addr.args[1]
                while whole and data.op == "ite" and data.args[0] is first:
                    data = data.args[1]
                for k, old in enumerate(words):
                    if k > addr.max:
                        break
                    here = g.eq(addr, g.const(k, addr.w))
                    if whole:
                        words[k] = g.ite(g.and_(first, here), data, old)
                    else:
                        m = g.and_(enable, g.sext(here, enable.w))
                        words[k] = g.or_(g.and_(m, data), g.and_(g.not_(m), old))
        for bits, node in nexts:
            self.write(bits, node)

    # ---- cells ----

    def operand(self, cell, port, width=None):
        """An input, extended as its parameters say."""
        node = self.read(cell["connections"][port])
        if width is None or node.w == width:
            return node
        if node.w > width:
            return self.g.slice(node, width - 1, 0)
        is_signed = cell["p"].get(f"{port}_SIGNED", 0)
        return self.g.sext(node, width) if is_signed else self.g.zext(node, width)

    def both(self, cell, width):
        """Operands A and B in a common width; signed only if both are."""
        p = cell["p"]
        nodes = []
        for port in "AB":
            node = self.read(cell["connections"][port])
            if node.w > width:
                node = self.g.slice(node, width - 1, 0)
            elif p["A_SIGNED"] and p["B_SIGNED"]:
                node = self.g.sext(node, width)
            else:
                node = self.g.zext(node, width)
            nodes.append(node)
        return nodes

    def evaluate(self, cell):
        kind, p, g = cell["type"], cell["p"], self.g
        if kind == "$mux":
            return g.ite(self.operand(cell, "S"), self.operand(cell, "B"), self.operand(cell, "A"))
        if kind == "$pmux":
            result, width = self.operand(cell, "A"), p["WIDTH"]
            for at, bit in reversed(list(enumerate(cell["connections"]["S"]))):
                choice = self.read(self.part(cell["connections"]["B"], at, width))
                result = g.ite(self.read([bit]), choice, result)
            return result
        width = p["Y_WIDTH"]
        result = self.value_of(cell, kind, p, width)
        return g.zext(result, width) if result.w < width else g.slice(result, width - 1, 0)

    def value_of(self, cell, kind, p, width):
        g = self.g
        if kind in ("$not", "$pos", "$neg"):
            a = self.operand(cell, "A", width)
            return {"$not": g.not_, "$pos": lambda x: x,
                    "$neg": lambda x: g.sub(g.const(0, width), x)}[kind](a)
        if kind in ("$and", "$or", "$xor", "$xnor", "$add", "$sub", "$mul"):
            a, b = self.both(cell, width)
            if kind == "$xnor":
                return g.not_(g.xor(a, b))
            return {"$and": g.and_, "$or": g.or_, "$xor": g.xor, "$add": g.add, "$sub": g.sub,
                    "$mul": g.mul}[kind](a, b)
        if kind in ("$reduce_and", "$reduce_or", "$reduce_bool", "$reduce_xor", "$reduce_xnor",
                    "$logic_not"):
            a = self.operand(cell, "A")
            if kind == "$reduce_and":
                return g.eq(a, g.const(-1, a.w))
            if kind in ("$reduce_or", "$reduce_bool"):
                return g.any_bit(a)
            if kind == "$logic_not":
                return g.not_(g.any_bit(a))
            return g.redxor(a) if kind == "$reduce_xor" else g.not_(g.redxor(a))
        if kind in ("$logic_and", "$logic_or"):
            a, b = (g.any_bit(self.operand(cell, port)) for port in "AB")
            return g.and_(a, b) if kind == "$logic_and" else g.or_(a, b)
        if kind in ("$eq", "$ne", "$eqx", "$nex", "$lt", "$le", "$gt", "$ge"):
            a, b = self.both(cell, max(p["A_WIDTH"], p["B_WIDTH"]))
            if kind in ("$eq", "$eqx"):
                return g.eq(a, b)
            if kind in ("$ne", "$nex"):
                return g.ne(a, b)
            less = g.slt if p["A_SIGNED"] and p["B_SIGNED"] else g.ult
            return {"$lt": lambda: less(a, b), "$gt": lambda: less(b, a),
                    "$le": lambda: g.not_(less(b, a)), "$ge": lambda: g.not_(less(a, b))}[kind]()
        if kind in ("$shl", "$shr", "$sshl", "$sshr", "$shift", "$shiftx"):
            return self.shifted(cell, kind, p, width)
        raise Refused(f"cell {kind}")

    def shifted(self, cell, kind, p, width):
        g = self.g
        n = self.operand(cell, "B")
        if p["B_SIGNED"] and kind in ("$shift", "$shiftx") and n.max >> (n.w - 1):
            raise Refused(f"{kind} by a number that may be negative")
        wide = max(width, p["A_WIDTH"])
        if kind == "$shiftx":
            a = self.operand(cell, "A")
            reach = n.max + width
            if reach > a.w:
                if reach > a.w + 4096:
                    raise Refused("an index far beyond a vector")
                a = g.concat([g.fresh(reach - a.w, "x"), a])
            return g.slice(g.lshr(a, n), width - 1, 0) if a.w >= width else a
        a = self.operand(cell, "A", wide)
        if kind in ("$shl", "$sshl"):
            return g.shl(a, n)
        if kind == "$sshr" and p["A_SIGNED"]:
            return g.ashr(a, g.fit(n, a.w))
        return g.lshr(a, n)


def unroll(netlist, wrapper, ports, params, values):
    """Run the wrapper; return {output name: [element nodes]}. values: nodes of the ports that come
    in, by name."""
    graph = netlist.g
    bound = wrapper.bound
    constants = {}
    places = list(wrapper.places(ports, params))
    ends = list(wrapper.ends(ports, params))
    wanted = [b for port in ports if port.direction == "out" and port.name in netlist.ports
              for b in netlist.ports[port.name]["bits"]]
    for _, name in ends:
        word = netlist.memory_word(name)
        wanted += [word[0]["name"]] if word else netlist.nets.get(name, [])
    netlist.keep(wanted)
    netlist.start()
    for at in range(wrapper.clocks + 1):
        for clock, own, value, name in places:
            if clock != at:
                continue
            if own is None:
                netlist.set(name, graph.const(value, netlist.width(name)))
            else:
                netlist.set(name, graph.concat([
                    values[p.name][i] if p else graph.fresh(i, "state")
                    for p, i in own]))
        for port in ports:
            if port.direction == "in" and port.name not in bound:
                node = graph.concat(values[port.name][::-1])
                declared = netlist.ports.get(port.name)
                if declared is None or len(declared["bits"]) != node.w:
                    raise Refused(f"the wrapper has no input {port.name} of {node.w} bits")
                netlist.write(declared["bits"], node)
        for name in ("clk_i",):
            if name in netlist.ports:
                netlist.write(netlist.ports[name]["bits"], graph.false)
        netlist.settle(constants)
        if at < wrapper.clocks:
            netlist.clock()
    outputs = {p.name: [graph.const(0, p.bits)] * p.count for p in ports
               if p.direction == "out"}
    for port in ports:
        if port.direction == "out" and port.name not in bound:
            declared = netlist.ports.get(port.name)
            if declared is None or len(declared["bits"]) != port.bits * port.count:
                raise Refused(f"the wrapper has no output {port.name} of "
                              f"{port.bits * port.count} bits")
            node = netlist.read(declared["bits"])
            outputs[port.name] = [graph.slice(node, port.bits * (i + 1) - 1, port.bits * i)
                                  for i in range(port.count)]
    for own, name in ends:
        node, at = netlist.get(name), sum(p.bits if p else i for p, i in own)
        if node.w != at:
            raise Refused(f"{name} has {node.w} bits, not {at}")
        for port, i in own:
            at -= port.bits if port else i
            if port is None:
                continue
            outputs[port.name][i] = graph.slice(node, at + port.bits - 1, at)
    return outputs
