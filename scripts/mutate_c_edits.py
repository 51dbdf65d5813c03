# SPDX-License-Identifier: Apache-2.0
"""The faults that scripts/mutate_c puts into C sources, one edit each.

A source is cut into tokens, so that comments, strings and preprocessor lines are left alone; edits
are made in function bodies, in initialisers of tables and in the members of structures:
  swap      an operator becomes another one of its kind: + -, & |, << >>, < <=, == !=, && ||, += -=
  constant  a number becomes one more or one less; true false; an EGRET_ constant the next one of
            its family
  negate    a condition of if or while
  never     a condition of if is false
  delete    a statement, or one ++ or --
  zero      what is returned
  width     a type or a cast has half the bits; a cast is missing
  field     a member becomes the next one of the same type
  args      two neighbouring arguments change places
An edit's name is file, function, kind and the text around it, not its line: other changes of the
file leave names as they are.
"""

import re

TOKEN = re.compile(r"""
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
  | (?P<number>0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<op><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[^\s\w])
""", re.X | re.S)

SWAPS = {
    "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["/"], "&": ["|"], "|": ["&"], "^": ["|"],
    "<<": [">>"], ">>": ["<<"], "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="],
    ">=": [">", "<"], "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"], "+=": ["-="],
    "-=": ["+="], "*=": ["+="], "/=": ["*="], "&=": ["|="], "|=": ["&="], "^=": ["|="],
    "<<=": [">>="], ">>=": ["<<="],
}
TYPES = {"uint64_t": "uint32_t", "uint32_t": "uint16_t", "uint16_t": "uint8_t", "size_t": "uint8_t"}
DECLARES = set("const static struct enum union extern inline void bool char int unsigned signed "
               "long short uint8_t uint16_t uint32_t uint64_t int64_t size_t ALWAYS_INLINE "
               "NOINLINE typedef".split())
NOTHING = {";", "0", "EGRET_OK", "NULL", "true", "false"}
KEYWORDS = {"if", "while", "for", "switch", "return", "sizeof", "case", "do", "else", "goto"}


class Token:
    """A piece of a source that counts."""

    def __init__(self, kind, text, at, line):
        self.kind, self.text, self.at, self.line = kind, text, at, line
        self.end = at + len(text)


class Edit:
    """One fault: source[at:end] becomes text."""

    def __init__(self, file, kind, at, end, text):
        self.file, self.kind, self.at, self.end, self.text = file, kind, at, end, text
        self.line, self.name, self.define = 0, "", []

    def applied(self, source):
        """The source with the edit."""
        return source[:self.at] + self.text + source[self.end:]


def blank_directives(source):
    """The source with its preprocessor lines as blanks."""
    def blank(found):
        return re.sub(r"[^\n]", " ", found.group(0))
    return re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", blank, source, flags=re.M)


def tokens_of(source):
    """The tokens of a source without those of its preprocessor lines."""
    out, at, line = [], 0, 1
    text = blank_directives(source)
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise ValueError(f"no token at offset {at}")
        if found.lastgroup != "skip":
            out.append(Token(found.lastgroup, found.group(0), at, line))
        line += found.group(0).count("\n")
        at = found.end()
    return out


def match_back(tokens, i):
    """Index of the bracket that tokens[i] closes."""
    depth = 0
    for j in range(i, -1, -1):
        if tokens[j].text in (")", "]", "}"):
            depth += 1
        elif tokens[j].text in ("(", "[", "{"):
            depth -= 1
            if depth == 0:
                return j
    return -1


def match(tokens, i):
    """Index of the bracket that closes tokens[i]."""
    depth = 0
    for j in range(i, len(tokens)):
        if tokens[j].text in ("(", "[", "{"):
            depth += 1
        elif tokens[j].text in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                return j
    return len(tokens) - 1


def members_of(source):
    """The members of each structure of a source: lists of (type, name)."""
    tokens = tokens_of(source)
    found = []
    for i, t in enumerate(tokens):
        if t.text != "{" or not any(x.text == "struct" for x in tokens[max(0, i - 2):i]):
            continue
        members, begin = [], i + 1
        end = match(tokens, i)
        j = i + 1
        while j < end:
            if tokens[j].text in ("(", "[", "{"):
                j = match(tokens, j)
            elif tokens[j].text == ";":
                words = [x.text for x in tokens[begin:j]]
                names = [k for k, w in enumerate(words) if re.match(r"[A-Za-z_]", w)]
                plain = [k for k in names if k + 1 == len(words) or words[k + 1] == "["]
                if plain and plain[-1] > 0:
                    members.append((" ".join(words[:plain[-1]] + words[plain[-1] + 1:]),
                                    words[plain[-1]]))
                begin = j + 1
            j += 1
        found.append(members)
    return found


class Names:
    """What a member or a constant can be mistaken for."""

    def __init__(self, sources):
        self.fields, self.constants = {}, {}
        families = {}
        for source in sources:
            for members in members_of(source):
                for kind in {k for k, _ in members}:
                    same = [n for k, n in members if k == kind]
                    for i, name in enumerate(same):
                        if len(same) > 1:
                            self.fields.setdefault(name, same[(i + 1) % len(same)])
            for name in re.findall(r"^#define (EGRET_[A-Z0-9_]+)[ \t]|^ *(EGRET_[A-Z0-9_]+) =",
                                   source, re.M):
                name = name[0] or name[1]
                part = re.match(r"EGRET_(HASH_KIND|ALGORITHM|[A-Z0-9]+)_", name)
                if part:
                    families.setdefault(part.group(1), {})[name] = 1
        for family in families.values():
            names = list(family)
            for i, name in enumerate(names):
                if len(names) > 1:
                    self.constants[name] = names[(i + 1) % len(names)]


class Source:
    """One file and its edits."""

    def __init__(self, file, source, names):
        self.file, self.source, self.names = file, source, names
        self.tokens = tokens_of(source)
        self.edits = []

    def add(self, kind, first, last, text):
        """An edit from one token to another."""
        a, b = self.tokens[first], self.tokens[last]
        edit = Edit(self.file, kind, a.at, b.end, text)
        edit.line = a.line
        self.edits.append(edit)

    def regions(self):
        """(kind, name, first, last) of what is between braces at file scope."""
        tokens, i = self.tokens, 0
        while i < len(tokens):
            if tokens[i].text in ("(", "["):
                i = match(tokens, i)
            elif tokens[i].text == "{":
                end = match(tokens, i)
                yield (*self.region(i), i, end)
                i = end
            i += 1

    def region(self, i):
        """Kind and name of what begins at a brace of file scope."""
        tokens = self.tokens
        if tokens[i - 1].text == ")":
            return "function", tokens[match_back(tokens, i - 1) - 1].text
        if tokens[i - 1].text == "=":
            j = i - 2
            while tokens[j].text == "]":
                j = match_back(tokens, j) - 1
            return "table", tokens[j].text
        if tokens[i - 2].text == "struct":
            return "struct", tokens[i - 1].text
        return "other", tokens[i - 1].text

    def find(self):
        """All edits, with names that occur once."""
        seen = {}
        for kind, name, first, last in self.regions():
            before = len(self.edits)
            if kind == "function":
                self.statements(first, last)
                self.body(first + 1, last)
            elif kind == "table":
                self.body(first + 1, last)
            elif kind == "struct":
                self.types(first + 1, last)
            for edit in sorted(self.edits[before:], key=lambda e: (e.at, e.end, e.kind, e.text)):
                text = f"{self.file} {name} {edit.kind}: {self.context(edit)}"
                seen[text] = seen.get(text, 0) + 1
                edit.name = text + (f" #{seen[text]}" if seen[text] > 1 else "")
        return self.edits

    def context(self, edit):
        """The lines of an edit with the old and the new text in them."""
        begin = self.source.rfind("\n", 0, edit.at) + 1
        end = self.source.find("\n", edit.end)
        old = self.source[edit.at:edit.end]
        text = self.source[begin:edit.at] + "[[" + old + " => " + edit.text + "]]" \
            + self.source[edit.end:end]
        return " ".join(text.split())

    def body(self, first, last):
        """Edits of single tokens in expressions."""
        for i in range(first, last):
            t = self.tokens[i]
            if t.kind == "op":
                self.operator(i)
            elif t.kind == "number":
                self.number(i)
            elif t.kind == "word":
                self.word(i)
        self.types(first, last)

    def is_operand(self, i):
        """Does an operand end here, so that an operator behind it has two?"""
        t = self.tokens[i]
        if t.kind == "number" or t.text == "]":
            return True
        if t.text == ")":
            # not the cast of what follows
            inner = [x.text for x in self.tokens[match_back(self.tokens, i) + 1:i]]
            cast = all(w in DECLARES or w == "*" or w.startswith("egret") for w in inner)
            return not (cast and inner)
        return t.kind == "word" and t.text not in KEYWORDS | DECLARES \
            and self.tokens[i - 1].text not in ("struct", "enum")

    def operator(self, i):
        """Another operator of the same kind."""
        text = self.tokens[i].text
        if text in ("++", "--"):
            self.add("swap", i, i, "--" if text == "++" else "++")
            self.add("delete", i, i, "")
        elif text == "!":
            self.add("swap", i, i, "")
        elif text == "~":
            self.add("swap", i, i, "")
        elif text in SWAPS and self.is_operand(i - 1):
            for other in SWAPS[text]:
                self.add("swap", i, i, other)
        elif text == "-" and self.tokens[i + 1].kind == "number":
            self.add("swap", i, i, "")

    def number(self, i):
        """One more, one less."""
        t = self.tokens[i]
        if self.tokens[i - 1].text == "[" and self.declared(i):
            return
        digits = t.text.rstrip("uUlL")
        suffix = t.text[len(digits):]
        value = int(digits, 0)
        for other in (value + 1, value - 1):
            if other >= 0:
                text = hex(other) if digits[:2] in ("0x", "0X") else str(other)
                self.add("constant", i, i, text + suffix)

    def declared(self, i):
        """Is this in the brackets of an array's declaration?"""
        j = i
        while self.tokens[j - 1].text not in (";", "{", "}"):
            j -= 1
            if self.tokens[j].text == "=":
                return False
        return self.tokens[j].text in DECLARES

    def word(self, i):
        """Another constant, member or argument."""
        t, before, behind = self.tokens[i], self.tokens[i - 1], self.tokens[i + 1]
        if t.text in ("true", "false"):
            self.add("constant", i, i, "false" if t.text == "true" else "true")
        elif before.text in ("->", "."):
            if t.text in self.names.fields:
                self.add("field", i, i, self.names.fields[t.text])
        elif t.text in self.names.constants and before.text != "case" and behind.text != "(":
            self.add("constant", i, i, self.names.constants[t.text])
        if before.text in ("(", ",") and behind.text == "," and t.text not in DECLARES \
                and self.tokens[i + 2].kind == "word" and self.tokens[i + 3].text in (")", ",") \
                and not (before.text == "(" and self.tokens[i - 2].kind != "word"):
            self.add("args", i, i + 2, f"{self.tokens[i + 2].text}, {t.text}")

    def types(self, first, last):
        """Types with half the bits, and missing casts."""
        for i in range(first, last):
            t = self.tokens[i]
            if t.text in TYPES or t.text == "uint8_t":
                cast = self.tokens[i - 1].text == "(" and self.tokens[i + 1].text == ")"
                if t.text in TYPES and self.tokens[i - 1].text != "sizeof":
                    self.add("width", i, i, TYPES[t.text])
                if cast and self.tokens[i - 2].text != "sizeof":
                    self.add("width", i - 1, i + 1, "")

    def statements(self, first, last):
        """Conditions, and statements that are missing."""
        tokens = self.tokens
        for i in range(first, last):
            text = tokens[i].text
            if text in ("if", "while") and tokens[i + 1].text == "(":
                end = match(tokens, i + 1)
                inner = self.source[tokens[i + 1].end:tokens[end].at]
                if text == "if" or tokens[end + 1].text != ";":
                    self.add("negate", i + 1, end, f"(!({inner}))")
                if text == "if":
                    self.add("never", i + 1, end, "(0)")
            if text == "return" and tokens[i + 1].text not in NOTHING:
                self.add("zero", i + 1, self.statement_end(i) - 1, "0")
            if self.begins(i) and text not in DECLARES | KEYWORDS | {"{", "}", "default", ";"} \
                    and tokens[i + 1].text != ":":
                end = self.statement_end(i)
                if [x.text for x in tokens[i:i + 3]] != ["(", "void", ")"] or end > i + 4:
                    self.add("delete", i, end, ";")
            if self.begins(i) and text == "return" and tokens[i + 1].text == ";":
                self.add("delete", i, i + 1, ";")

    def statement_end(self, i):
        """Index of the semicolon that ends a simple statement."""
        while self.tokens[i].text != ";":
            i = match(self.tokens, i) + 1 if self.tokens[i].text in ("(", "[", "{") else i + 1
        return i

    def begins(self, i):
        """Does a statement begin here?"""
        before = self.tokens[i - 1].text
        if before == ")":
            j = match_back(self.tokens, i - 1) - 1
            return self.tokens[j].text in ("if", "for", "while", "switch")
        if before == ":":
            j = i - 2
            while self.tokens[j].text not in (";", "{", "}", "?", ":"):
                if self.tokens[j].text == "case":
                    return True
                j -= 1
            return self.tokens[i - 2].text == "default"
        if before == ";":
            return not self.in_header(i)
        return before in ("{", "}", "else")

    def in_header(self, i):
        """Is this between the brackets of a `for`?"""
        depth = 0
        for j in range(i - 1, -1, -1):
            text = self.tokens[j].text
            depth += (text in (")", "]", "}")) - (text in ("(", "[", "{"))
            if depth < 0:
                return text == "("
        return False
