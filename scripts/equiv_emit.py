# SPDX-License-Identifier: Apache-2.0
"""Writes expressions of scripts/equiv as one flat Verilog module, and as SMT-LIB."""

from equiv_node import reachable
from equiv_value import Refused

VERILOG_INFIX = {"and": "&", "or": "|", "xor": "^", "add": "+", "sub": "-", "mul": "*",
                 "udiv": "/", "urem": "%", "shl": "<<", "lshr": ">>", "eq": "==", "ult": "<"}
SMT = {"not": "bvnot", "and": "bvand", "or": "bvor", "xor": "bvxor", "add": "bvadd",
       "sub": "bvsub", "mul": "bvmul", "udiv": "bvudiv", "urem": "bvurem", "shl": "bvshl",
       "lshr": "bvlshr", "ashr": "bvashr", "concat": "concat"}


def bounds(w):
    return f"[{w - 1}:0] " if w > 1 else ""


def expression(node):
    """A Verilog expression on the wires of a node's arguments."""
    names = [a.p if a.op == "var" else f"n{a.id}" for a in node.args]
    op = node.op
    if op == "const":
        return f"{node.w}'h{node.p:x}"
    if op == "not":
        return f"~{names[0]}"
    if op in VERILOG_INFIX:
        return f"{names[0]} {VERILOG_INFIX[op]} {names[1]}"
    if op == "ashr":
        return f"$signed({names[0]}) >>> {names[1]}"
    if op == "slt":
        return f"$signed({names[0]}) < $signed({names[1]})"
    if op == "ite":
        return f"{names[0]} ? {names[1]} : {names[2]}"
    if op == "concat":
        return "{" + ", ".join(names) + "}"
    if op == "slice":
        high, low = node.p
        return names[0] if node.args[0].w == 1 else f"{names[0]}[{high}:{low}]"
    if op == "sext":
        w = node.args[0].w
        sign = names[0] if w == 1 else f"{names[0]}[{w - 1}]"
        more = node.w - w
        return f"{{{{{more}{{{sign}}}}}, {names[0]}}}"
    if op == "redxor":
        return f"^{names[0]}"
    raise Refused(f"operator {op} in Verilog")


def verilog(name, inputs, outputs):
    """A module. inputs: [(name, width)] that are always there (others of the expressions come
    behind them); outputs: [(name, node)]."""
    nodes = reachable([node for _, node in outputs])
    known = {n for n, _ in inputs}
    free = [(n.p, n.w) for n in nodes if n.op == "var" and n.p not in known]
    ports = [f"input wire {bounds(w)}{n}" for n, w in [*inputs, *free]]
    ports += [f"output wire {bounds(node.w)}{n}" for n, node in outputs]
    lines = [f"module {name} (", ",\n".join(f"  {p}" for p in ports), ");"]
    for node in nodes:
        if node.op != "var":
            lines.append(f"  wire {bounds(node.w)}n{node.id} = {expression(node)};")
    for n, node in outputs:
        lines.append(f"  assign {n} = {node.p if node.op == 'var' else f'n{node.id}'};")
    return "\n".join(lines) + "\nendmodule\n"


def smt_term(node):
    names = [f"|{a.p}|" if a.op == "var" else f"n{a.id}" for a in node.args]
    op = node.op
    if op == "const":
        return f"(_ bv{node.p} {node.w})"
    if op == "concat":
        term = names[-1]
        for name in reversed(names[:-1]):
            term = f"(concat {name} {term})"
        return term
    if op in SMT:
        return f"({SMT[op]} {' '.join(names)})"
    if op in ("eq", "ult", "slt"):
        return f"(ite ({ {'eq': '=', 'ult': 'bvult', 'slt': 'bvslt'}[op]} {names[0]} " \
               f"{names[1]}) #b1 #b0)"
    if op == "ite":
        return f"(ite (= {names[0]} #b1) {names[1]} {names[2]})"
    if op == "slice":
        return f"((_ extract {node.p[0]} {node.p[1]}) {names[0]})"
    if op == "sext":
        return f"((_ sign_extend {node.w - node.args[0].w}) {names[0]})"
    if op == "redxor":
        w = node.args[0].w
        term = f"((_ extract 0 0) {names[0]})"
        for bit in range(1, w):
            term = f"(bvxor {term} ((_ extract {bit} {bit}) {names[0]}))"
        return term
    raise Refused(f"operator {op} in SMT-LIB")


def smtlib(root, same=None):
    """The question whether a node of one bit can be 1; the model of the inputs follows. same: {id
    of a node: id of an earlier one that it equals}, proven before."""
    nodes = reachable([root])
    lines = ["(set-logic QF_BV)", "(set-option :produce-models true)"]
    for node in nodes:
        if node.op == "var":
            lines.append(f"(declare-const |{node.p}| (_ BitVec {node.w}))")
        else:
            term = f"n{same[node.id]}" if same and node.id in same else smt_term(node)
            lines.append(f"(define-fun n{node.id} () (_ BitVec {node.w}) {term})")
    name = f"|{root.p}|" if root.op == "var" else f"n{root.id}"
    lines += [f"(assert (= {name} #b1))", "(check-sat)"]
    inputs = [f"|{n.p}|" for n in nodes if n.op == "var"]
    if inputs:
        lines.append(f"(get-value ({' '.join(inputs)}))")
    return "\n".join(lines) + "\n"
