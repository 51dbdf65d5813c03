# SPDX-License-Identifier: Apache-2.0
"""Functions that have no body in the LLVM text of scripts/equiv: the compiler's own (llvm.*), and
the few of the C library that cmodel/select calls. Others are refused."""

from equiv_mem import Aggregate, Object, Pointer
from equiv_value import Refused

TRAPS = {"llvm.trap", "llvm.ubsantrap", "abort", "__assert_fail"}
IGNORED = ("llvm.lifetime.", "llvm.dbg.", "llvm.assume", "llvm.experimental.noalias",
           "llvm.stacksave", "llvm.stackrestore")


def overflowing(g, name, a, b):
    """llvm.*.with.overflow: {result, flag}."""
    kind, is_signed = name[1:4], name[0] == "s"
    grow = g.sext if is_signed else g.zext
    more = 2 * a.w if kind == "mul" else a.w + 1
    wide = getattr(g, kind)(grow(a, more), grow(b, more))
    result = g.slice(wide, a.w - 1, 0)
    return Aggregate((result, g.ne(grow(result, more), wide)))


def reversed_bits(g, a, step):
    """Groups of step bits in the opposite order."""
    return g.concat([g.slice(a, low + step - 1, low) for low in range(0, a.w, step)])


def builtin(self, name, args, path):
    """Functions without a body: the compiler's own, and the few of the C library that are used."""
    g, memory = self.g, self.memory
    if name == "equiv_assume":
        self.assumed = g.and_(self.assumed, g.or_(g.not_(path.conj), args[0]))
        return None
    if name == "equiv_case":
        self.cases.append(g.and_(path.conj, args[0]))
        return None
    if name.startswith(IGNORED):
        return None
    if name in TRAPS:
        memory.undefined(path.conj, f"call of {name}")
        return None
    base = name.split(".")
    if name in ("memcpy", "memmove", "memset") or name.startswith(("llvm.memcpy", "llvm.memmove",
                                                                   "llvm.memset")):
        if args[2].op != "const":
            raise Refused(f"{name} of a variable length")
        if "memset" in name:
            memory.fill(args[0], g.slice(args[1], 7, 0), args[2].p, path)
        else:
            memory.copy(args[0], args[1], args[2].p, path)
        return args[0]
    if name == "free":
        return None
    if name == "calloc":
        size = args[0].p * args[1].p
        obj = Object(f"calloc of {size}", size)
        zero = g.const(0, 8)
        obj.bytes = [(zero, 0)] * size
        return Pointer(((g.true, obj, 0, ()),))
    if base[0] == "llvm" and len(base) > 2 and base[2] == "with":
        return overflowing(g, base[1], args[0], args[1])
    if base[0] == "llvm":
        kind, a = base[1], args[0]
        if kind in ("fshl", "fshr"):
            both, n = g.concat([a, args[1]]), g.zext(g.urem(args[2], g.const(a.w, a.w)), 2 * a.w)
            return g.slice(g.shl(both, n), 2 * a.w - 1, a.w) if kind == "fshl" else \
                g.slice(g.lshr(both, n), a.w - 1, 0)
        if kind == "bswap":
            return reversed_bits(g, a, 8)
        if kind == "bitreverse":
            return reversed_bits(g, a, 1)
        if kind in ("umin", "umax", "smin", "smax"):
            less = (g.ult if kind[0] == "u" else g.slt)(a, args[1])
            return g.ite(less, a, args[1]) if kind[2:] == "in" else g.ite(less, args[1], a)
        if kind == "abs":
            return g.ite(g.slice(a, a.w - 1, a.w - 1), g.sub(g.const(0, a.w), a), a)
        if kind == "ctpop":
            total = g.const(0, a.w)
            for bit in range(a.w):
                total = g.add(total, g.zext(g.slice(a, bit, bit), a.w))
            return total
        if kind in ("ctlz", "cttz"):
            result = g.const(a.w, a.w)
            order = range(a.w) if kind == "ctlz" else range(a.w - 1, -1, -1)
            for bit in order:
                at = a.w - 1 - bit if kind == "ctlz" else bit
                result = g.ite(g.slice(a, bit, bit), g.const(at, a.w), result)
            return result
        if kind in ("uadd", "usub") and base[2] == "sat":
            full = overflowing(g, kind, a, args[1])
            return g.ite(full.items[1], g.const(-1 if kind == "uadd" else 0, a.w), full.items[0])
        if kind == "expect":
            return a
    raise Refused(f"function {name} has no body")
