# SPDX-License-Identifier: Apache-2.0
"""Reads LLVM 14's text form (opt-14 -S) for scripts/equiv: types, globals, functions.

Only what C without floating point, vectors and inline assembly gives; anything else is refused.
Types are tuples: ("i", bits), ("p", element), ("a", count, element), ("s", (members), packed),
("n", name), ("f",), ("void",). Operands and constants are tuples (kind, type, value); kinds:
  int value; local and global name; undef; null; zero; agg [constants]; str bytes;
  gep (element type, pointer, [indices]); cast constant
"""

import re

from equiv_value import Refused

TOKEN = re.compile(r"""
    c"(?P<str>[^"]*)" | (?P<sigil>[%@])(?:"(?P<quoted>[^"]*)"|(?P<plain>[-\w.$]+))
  | (?P<meta>![\w.]*) | (?P<attr>\#\d+) | (?P<num>-?\d+(?![\w.])) | (?P<dots>\.\.\.)
  | (?P<word>[A-Za-z_][\w.]*) | "(?P<text>[^"]*)" | (?P<punct><\{|\}>|[-=,(){}\[\]<>*:|])
  | (?P<float>-?\d[\d.eE+x-]*|0x\w+)
""", re.X)

PARAM_ATTRS = {
    "noundef", "nonnull", "nocapture", "readonly", "readnone", "writeonly", "zeroext", "signext",
    "noalias", "returned", "immarg", "inreg", "nofree", "nosync"}
CALL_WORDS = {"tail", "musttail", "notail", "fastcc", "ccc", "coldcc"}
FUNC_WORDS = PARAM_ATTRS | CALL_WORDS | {
    "internal", "private", "external", "linkonce_odr", "weak", "weak_odr", "dso_local", "hidden",
    "available_externally", "local_unnamed_addr", "unnamed_addr", "common", "extern_weak",
    "constant", "global", "default", "protected", "dso_preemptable"}
FLAGS = {"nuw", "nsw", "exact", "inbounds", "volatile", "fast"}
BINARY = {"add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or",
          "xor"}
CASTS = {"zext", "sext", "trunc", "bitcast", "ptrtoint"}


class Line:
    """The tokens of one instruction or definition, with a cursor."""

    def __init__(self, text):
        self.text = text
        self.tokens = []
        at = 0
        while at < len(text):
            if text[at].isspace():
                at += 1
                continue
            if text[at] == ";":
                break
            match = TOKEN.match(text, at)
            if match is None:
                raise Refused(f"LLVM text: {text[at:at + 30]!r}")
            kind = match.lastgroup
            if kind in ("quoted", "plain"):
                self.tokens.append((match["sigil"], match[kind]))
            else:
                self.tokens.append((kind, match[kind]))
            at = match.end()
        self.at = 0

    def peek(self, ahead=0):
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else ("end", "")

    def next(self):
        token = self.peek()
        self.at += 1
        return token

    def accept(self, value):
        if self.peek()[1] == value and self.peek()[0] in ("punct", "word"):
            self.at += 1
            return True
        return False

    def expect(self, value):
        if not self.accept(value):
            raise Refused(f"LLVM text: no {value!r} at {self.peek()[1]!r} in {self.text.strip()}")

    def skip_group(self):
        """Skip a parenthesised group."""
        self.expect("(")
        depth = 1
        while depth:
            kind, value = self.next()
            if kind == "end":
                raise Refused(f"LLVM text: {self.text.strip()}")
            depth += (kind, value) == ("punct", "(")
            depth -= (kind, value) == ("punct", ")")

    def skip_attrs(self, words=frozenset(PARAM_ATTRS)):
        """Skip attributes; return the type of a byval one."""
        byval = None
        while True:
            kind, value = self.peek()
            if kind == "attr" or (kind == "word" and value in words):
                self.at += 1
            elif kind == "word" and value == "align":
                self.at += 1
                if self.peek()[0] == "num":
                    self.at += 1
                else:
                    self.skip_group()
            elif kind == "word" and value in ("dereferenceable", "dereferenceable_or_null", "sret",
                                              "elementtype", "byval", "allocsize"):
                self.at += 1
                if value == "byval":
                    self.expect("(")
                    byval = self.type()
                    self.expect(")")
                else:
                    self.skip_group()
            else:
                return byval

    # ---- types ----

    def type(self):
        kind, value = self.next()
        if kind == "word" and re.fullmatch(r"i\d+", value):
            found = ("i", int(value[1:]))
        elif (kind, value) == ("word", "void"):
            found = ("void",)
        elif kind == "word" and value in ("metadata", "label", "opaque"):
            found = (value,)
        elif kind == "%":
            found = ("n", value)
        elif (kind, value) == ("punct", "["):
            count = int(self.next()[1])
            self.expect("x")
            found = ("a", count, self.type())
            self.expect("]")
        elif kind == "punct" and value in ("{", "<{"):
            members, end = [], "}" if value == "{" else "}>"
            while not self.accept(end):
                members.append(self.type())
                self.accept(",")
            found = ("s", tuple(members), value == "<{")
        else:
            raise Refused(f"type {value!r} in {self.text.strip()}")
        while True:
            if self.accept("*"):
                found = ("p", found)
            elif self.peek() == ("punct", "(") and self.is_function_type():
                self.skip_group()
                found = ("f",)
            else:
                return found

    def is_function_type(self):
        """Is the group behind a type that of a function type, `(...)*`?"""
        at, depth = self.at, 0
        while True:
            kind, value = self.tokens[at] if at < len(self.tokens) else ("end", "")
            if kind == "end":
                return False
            depth += (kind, value) == ("punct", "(")
            depth -= (kind, value) == ("punct", ")")
            at += 1
            if depth == 0:
                break
        after = self.tokens[at] if at < len(self.tokens) else ("end", "")
        return after == ("punct", "*") or after[0] in "%@"

    # ---- operands ----

    def value(self, of):
        """An operand of a type that was read."""
        kind, value = self.next()
        if kind == "%":
            return ("local", of, value)
        if kind == "@":
            return ("global", of, value)
        if kind == "num":
            return ("int", of, int(value))
        if kind == "str":
            data = re.sub(rb"\\([0-9A-Fa-f]{2})", lambda m: bytes([int(m[1], 16)]), value.encode())
            return ("str", of, data)
        if kind == "word":
            if value in ("true", "false"):
                return ("int", of, int(value == "true"))
            if value in ("undef", "poison"):
                return ("undef", of, None)
            if value == "null":
                return ("null", of, None)
            if value == "zeroinitializer":
                return ("zero", of, None)
            if value == "getelementptr":
                self.accept("inbounds")
                self.expect("(")
                element = self.type()
                self.expect(",")
                base = self.typed()
                indices = []
                while self.accept(","):
                    self.accept("inrange")
                    indices.append(self.typed())
                self.expect(")")
                return ("gep", of, (element, base, indices))
            if value in ("bitcast",):
                self.expect("(")
                inner = self.typed()
                self.expect("to")
                self.type()
                self.expect(")")
                return ("cast", of, inner)
        if kind == "punct" and value in ("[", "{", "<{"):
            end = {"[": "]", "{": "}", "<{": "}>"}[value]
            items = []
            while not self.accept(end):
                items.append(self.typed())
                self.accept(",")
            return ("agg", of, items)
        raise Refused(f"operand {value!r} in {self.text.strip()}")

    def typed(self):
        """An operand with its type before it."""
        of = self.type()
        self.skip_attrs()
        return self.value(of)


class Function:
    """Blocks: {label: [instruction]}, in order of the file; the first is the entry."""

    def __init__(self, name, result, params):
        self.name, self.result, self.params = name, result, params
        self.blocks = {}
        self.plan = None


class Module:
    """types {name: type}, globals {name: (type, constant or None)}, functions {name: Function}."""

    def __init__(self, text):
        self.types, self.globals, self.functions = {}, {}, {}
        self.layouts = {}
        function = block = None
        pending = ""
        for raw in text.splitlines():
            if pending:
                raw = pending + " " + raw.strip()
                pending = ""
            text_line = raw.strip()
            if function is not None:
                if text_line == "}":
                    function = block = None
                elif not text_line or text_line.startswith(";"):
                    continue
                elif re.match(r"^[-\w.$\"]+:", raw):
                    label = raw.split(":")[0].strip('"')
                    block = function.blocks.setdefault(label, [])
                elif text_line.startswith("switch ") and not text_line.rstrip().endswith("]"):
                    pending = raw
                else:
                    if block is None:
                        block = function.blocks.setdefault("", [])
                    try:
                        block.append(instruction(Line(raw)))
                    except Refused as error:  # if it is reached
                        block.append(("refused", None, str(error)))
            elif text_line.startswith("define "):
                function = self.define(Line(raw))
            elif text_line.startswith("%"):
                line = Line(raw)
                name = line.next()[1]
                line.expect("=")
                line.expect("type")
                self.types[name] = line.type()
            elif text_line.startswith("@"):
                self.global_(Line(raw))

    def define(self, line):
        line.expect("define")
        line.skip_attrs(FUNC_WORDS)
        result = line.type()
        name = line.next()[1]
        params = []
        line.expect("(")
        while not line.accept(")"):
            if line.peek()[0] == "dots":
                raise Refused(f"variable arguments of {name}")
            of = line.type()
            byval = line.skip_attrs()
            params.append((of, line.next()[1], byval))
            line.accept(",")
        found = Function(name, result, params)
        self.functions[name] = found
        return found

    def global_(self, line):
        name = line.next()[1]
        line.expect("=")
        external = line.peek()[1] in ("external", "extern_weak")
        line.skip_attrs(FUNC_WORDS)
        of = line.type()
        self.globals[name] = (of, None if external else line.value(of))

    # ---- layout, as the C compiler has it on 64-bit machines ----

    def resolve(self, of):
        while of[0] == "n":
            of = self.types[of[1]]
        return of

    def layout(self, of):
        """(size, alignment, offsets of members) in bytes."""
        found = self.layouts.get(of)
        if found is None:
            found = self.layouts[of] = self.lay_out(self.resolve(of))
        return found

    def lay_out(self, of):
        if of[0] == "i":
            size = 1
            while 8 * size < of[1]:
                size *= 2
            return size, min(size, 8), ()
        if of[0] == "p":
            return 8, 8, ()
        if of[0] == "a":
            size, align, _ = self.layout(of[2])
            return of[1] * size, align, ()
        if of[0] == "s":
            at, most, offsets = 0, 1, []
            for member in of[1]:
                size, align, _ = self.layout(member)
                align = 1 if of[2] else align
                most = max(most, align)
                at = -(-at // align) * align
                offsets.append(at)
                at += size
            return -(-at // most) * most, most, tuple(offsets)
        raise Refused(f"size of {of}")

    def size(self, of):
        return self.layout(of)[0]


def instruction(line):
    """(operator, result name or None, ...) of one line; the shapes are those of equiv_exec.py."""
    name = None
    if line.peek()[0] == "%" and line.peek(1) == ("punct", "="):
        name = line.next()[1]
        line.expect("=")
    op = line.next()[1]
    while op in CALL_WORDS:
        op = line.next()[1]
    while line.peek()[0] == "word" and line.peek()[1] in FLAGS:
        line.next()
    if op in BINARY:
        a = line.typed()
        line.expect(",")
        return op, name, a, line.value(a[1])
    if op == "icmp":
        relation = line.next()[1]
        a = line.typed()
        line.expect(",")
        return op, name, relation, a, line.value(a[1])
    if op in CASTS:
        a = line.typed()
        line.expect("to")
        return op, name, a, line.type()
    if op == "select":
        c = line.typed()
        line.expect(",")
        a = line.typed()
        line.expect(",")
        return op, name, c, a, line.typed()
    if op == "freeze":
        return op, name, line.typed()
    if op == "alloca":
        of = line.type()
        if line.accept(",") and line.peek()[1] != "align":
            raise Refused("alloca of several elements")
        return op, name, of
    if op == "load":
        of = line.type()
        line.expect(",")
        return op, name, of, line.typed()
    if op == "store":
        a = line.typed()
        line.expect(",")
        return op, name, a, line.typed()
    if op == "getelementptr":
        element = line.type()
        line.expect(",")
        base = line.typed()
        indices = []
        while line.accept(","):
            indices.append(line.typed())
        return op, name, element, base, indices
    if op == "phi":
        of = line.type()
        incoming = {}
        while True:
            line.expect("[")
            value = line.value(of)
            line.expect(",")
            incoming[line.next()[1]] = value
            line.expect("]")
            if not line.accept(","):
                return op, name, of, incoming
    if op == "br":
        if line.accept("label"):
            return op, None, None, [line.next()[1]]
        c = line.typed()
        line.expect(",")
        line.expect("label")
        yes = line.next()[1]
        line.expect(",")
        line.expect("label")
        return op, None, c, [yes, line.next()[1]]
    if op == "switch":
        a = line.typed()
        line.expect(",")
        line.expect("label")
        default = line.next()[1]
        line.expect("[")
        cases = []
        while not line.accept("]"):
            value = line.typed()[2]
            line.expect(",")
            line.expect("label")
            cases.append((value, line.next()[1]))
        return op, None, a, default, cases
    if op == "ret":
        of = line.type()
        return op, None, None if of == ("void",) else line.value(of)
    if op == "unreachable":
        return op, None
    if op == "call":
        line.skip_attrs()
        of = line.type()
        target = line.value(("f",))
        line.expect("(")
        args = []
        while not line.accept(")"):
            arg = line.type()
            byval = line.skip_attrs()
            if arg == ("metadata",):
                line.next()
                args.append(None)
            else:
                args.append(line.value(arg) + (byval,))
            line.accept(",")
        return op, name, of, target, args
    if op in ("extractvalue", "insertvalue"):
        a = line.typed()
        b = None
        line.expect(",")
        if op == "insertvalue":
            b = line.typed()
            line.expect(",")
        indices = [int(line.next()[1])]
        while line.accept(","):
            if line.peek()[0] != "num":
                break
            indices.append(int(line.next()[1]))
        return op, name, a, b, indices
    raise Refused(f"LLVM instruction {op}: {line.text.strip()}")
