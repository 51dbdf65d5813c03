#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recomputes the worked examples of docs/spec/*.md from the rules of those pages.

usage: scripts/spec_oracle.py [--write] FILE.md...     ends with RESULT pass=N fail=M

The rules are in scripts/spec_rules.py, written from the pages alone, so this is a third opinion
beside cmodel/ and rtl/. Each example is a block that begins with ```egret-example
(docs/spec/events.md, section 9, describes its lines). What stands behind `->` is compared with what
the rules give. --write replaces `-> ?` by it and leaves everything else alone: for new examples.
"""

import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import spec_quality as quality  # noqa: E402, the line above comes first
import spec_rules as rules  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent


# Words of a packet's reasons that are hexadecimal, and their digits.
WIDTHS = {"D": 4, "r": 4, "next": 8, "tag": 3, "x": 8, "faults": 3}


def number(text):
    return int(text, 0)


def configurations():
    found = {}
    for line in (ROOT / "configs.mk").read_text(encoding="utf-8").splitlines():
        match = re.match(r"CONFIG_(\w+)\s*:=\s*(.*)", line)
        if match:
            pairs = [word.split("=") for word in match.group(2).split()]
            found[match.group(1)] = {key: int(value) for key, value in pairs}
    return found


def arguments(words):
    """Words before the first name=value, and those pairs."""
    plain = [w for w in words if "=" not in w]
    return plain, dict(w.split("=", 1) for w in words if "=" in w)


def weights(text):
    return [tuple(map(int, part.split(":"))) for part in text.split(",")]


class Example:
    """One block; run() gives what stands behind `->` for each line that has it."""

    def __init__(self, configs):
        self.configs, self.s, self.events, self.stalls, self.timed = configs, None, [], [], []
        self.settings = None

    def setup(self, words):
        plain, named = arguments(words)
        return {"algorithm": plain[0], "layout": named.get("layout", "record"),
                "fields": number(named.get("fields", "0x1f")),
                "seed": number(named.get("seed", "0")),
                "rotation": number(named.get("rotation", "0")),
                "key": bytes.fromhex(named["key"]) if "key" in named else rules.RSS_KEY}

    def table(self):
        b = self.s.buckets
        return {"ports": ",".join(str(b["members"][i][0]) for i in b["now"])}

    def emit_buckets(self, before):
        b = self.s.buckets
        for i, owner in enumerate(b["now"]):
            if before is None or before[i] != owner:
                self.s.write(0x200000 + b["base"] + i, b["members"][owner][0])

    def buckets(self, words):
        named = arguments(words)[1]
        members = weights(named["members"])
        got = rules.shares(number(named["count"]), [w for _, w in members])
        home = [i for i, n in enumerate(got) for _ in range(n)]
        self.s.buckets = {"base": number(named["base"]), "members": members, "home": home,
                          "now": list(home), "live": set(range(len(members)))}
        self.emit_buckets(None)
        return self.table()

    def member(self, port, back):
        b = self.s.buckets
        who = [p for p, _ in b["members"]].index(port)
        before = list(b["now"])
        (b["live"].add if back else b["live"].discard)(who)
        if b["live"]:
            if back:
                b["now"] = [who if h == who else n for h, n in zip(b["home"], b["now"])]
            for i, owner in enumerate(b["now"]):
                if owner not in b["live"]:
                    b["now"][i] = min(sorted(b["live"]), key=lambda m: (
                        (b["now"].count(m) + 1) / b["members"][m][1], m))
        self.emit_buckets(before)
        return self.table()

    def run(self, words):
        """Returns the result of a line, {} if it has none."""
        verb, rest = words[0], words[1:]
        plain, named = arguments(rest)
        s = self.s
        if verb == "config" and plain[0] not in self.configs:
            raise ValueError(f"no configuration {plain[0]}")
        if verb == "config":
            self.s = rules.Selector(self.configs[plain[0]])
        elif verb == "hash":
            setup = self.setup(rest)
            data = bytes.fromhex(named["bytes"])
            h = rules.raw_hash(plain[0], data, setup["key"], setup["seed"])
            return {"hash": f"{h:0{4 if '16' in plain[0] else 8}x}"}
        elif verb == "iwrr":
            return {"ports": ",".join(map(str, rules.interleave(weights(named["order"]))))}
        elif verb == "row":
            seed, row, bank = (number(named[k]) for k in ("seed", "row", "bank"))
            ports = rules.interleave(rules.shuffle(weights(named["members"]), seed, row))
            for i, port in enumerate(ports):
                s.write(0x300000 + 0x10000 * bank + 0x100 * row + i, port)
            return {"ports": ",".join(map(str, ports))}
        elif verb == "setup":
            s.load(self.setup(rest))
        elif verb == "load":
            self.settings = quality.Settings(plain[0], named)
            return self.settings.write(s)
        elif verb == "port_load":
            return self.settings.port(s, number(plain[0]), number(named["speed"]),
                                      number(named["buffer"]))
        elif verb == "buckets":
            return self.buckets(rest)
        elif verb in ("lost", "back"):
            return self.member(number(plain[0]), verb == "back")
        elif verb == "group":
            v = {k: number(x) for k, x in named.items()
                 if k not in ("scheme", "ordered", "members")}
            codes = {name: n for n, name in rules.SCHEMES.items()}
            code, ordered = (codes[named[k]] if named.get(k) in codes else number(named.get(k, "0"))
                             for k in ("scheme", "ordered"))
            bits = sum(1 << int(p) for p in named["members"].split(",") if p != "none")
            for i, word in enumerate((v.get("row_mask", 0) << 16 | v.get("row_base", 0),
                                      v.get("bucket_mask", 0) << 16 | v.get("bucket_base", 0),
                                      bits & rules.M32, bits >> 32,
                                      v.get("flowlet_mask", 0) << 16 | v.get("flowlet_base", 0),
                                      v.get("m", 0) << 28 | v.get("d", 0) << 26
                                      | v.get("strictly_better", 0) << 25
                                      | v.get("by_quality", 0) << 24 | v.get("idle", 0))):
                if i < 4 or s.is_deep():
                    s.write(0x21 + i, word)
            s.write(0x100000 + 8 * number(plain[0]),
                    v.get("entropy_offset", 0) << 24 | v.get("last", 0) << 16 | ordered << 12
                    | v.get("R", 0) << 8 | v.get("bank", 0) << 4 | code)
        elif verb == "stall":
            self.stalls.append((number(plain[0]), number(plain[1])))
        else:
            return self.event(verb, plain, named)
        return {}

    def event(self, verb, plain, named):
        s, result = self.s, {}
        if verb == "write":
            s.write(number(plain[0]) & 0xffffff, number(plain[1]))
        elif verb == "fault":
            s.parity.write(number(plain[0]) & 0xffffff, number(plain[1]))
        elif verb == "read":
            result = {"data": f"0x{s.read(number(plain[0]) & 0xffffff):08x}"}
        elif verb == "port":
            s.port_event(number(plain[0]), plain[1] == "up")
        elif verb == "queue":
            s.queue_event(number(plain[0]), number(plain[1]))
        elif verb == "tick":
            s.tick(number(named.get("now", "0")))
        elif verb == "packet":
            p = {k: number(named.get(k, "0"))
                 for k in ("group", "key", "bin", "length", "class", "entropy", "now")}
            p["record"] = bytes.fromhex(named.get("record", "")).ljust(41, b"\0")
            result = s.packet(p)
            result["data"] = f"0x{result['data']:08x}"
            for name, value in s.last_why.items():
                digits = WIDTHS.get(name)
                result[name] = f"0x{value:0{digits}x}" if digits else value
        else:
            raise ValueError(f"unknown line: {verb}")
        self.events.append(verb)
        return result


def shown(result):
    """What --write puts behind `->`: why only where it says something, no clocks."""
    hide = {"clock", "result", "tag", "t", "index", "new_k"}
    if result.get("faults") == "0x000":
        hide.add("faults")
    if result.get("scheme") == "spray-quality":
        hide.add("x")
    if result.get("reason") != "repaired" and (result.get("scheme"), result.get("reason")) != (
            "spray-random", "chosen"):
        hide |= {"r", "L", "k"}
    return " ".join(f"{k}={v}" for k, v in result.items() if k not in hide)


def blocks(lines):
    """(number of the first line, indices of the lines) of each example."""
    start = None
    for i, line in enumerate(lines):
        if line.startswith("```egret-example"):
            start = i + 1
        elif line.startswith("```") and start is not None:
            yield range(start, i)
            start = None


def check_block(lines, span, name, configs, faults):
    """Runs a block twice: decisions line by line, clocks over all its events."""
    example, results, passed = Example(configs), {}, 0
    event_line = []
    for i in span:
        left = lines[i].split("#")[0].split("->")[0].split()
        if left:
            count = len(example.events)
            results[i] = {k: str(v) for k, v in example.run(left).items()}
            if len(example.events) > count:
                event_line.append(i)
    if any(re.search(r"\b(clock|result)=", lines[i]) for i in span):
        at = rules.clocks(example.s.c, example.events, example.stalls)
        for i, (taken, left) in zip(event_line, at):
            results[i]["clock"], results[i]["result"] = str(taken), str(left)
    for i in span:
        text = lines[i].split("#")[0]
        if "->" not in text:
            continue
        if text.split("->")[1].strip() == "?":
            comment = lines[i][len(text):]
            lines[i] = (text.split("->")[0] + "-> " + shown(results[i])
                        + ("  " + comment if comment else ""))
        wanted = dict(pair.split("=", 1) for pair in lines[i].split("#")[0].split("->")[1].split())
        for key, value in wanted.items():
            if results[i].get(key) == value:
                passed += 1
            else:
                faults.append(f"{name}:{i + 1}: {key} is {results[i].get(key)}, not {value}")
        if not wanted:
            faults.append(f"{name}:{i + 1}: nothing behind ->")
    return passed


def main():
    write = "--write" in sys.argv[1:]
    files = [a for a in sys.argv[1:] if a != "--write"]
    configs, faults, passed = configurations(), [], 0
    for name in files:
        lines = Path(name).read_text(encoding="utf-8").split("\n")
        before, spans = list(lines), list(blocks(lines))
        if not spans:
            faults.append(f"{name}: no example")
        for span in spans:
            passed += check_block(lines, span, name, configs, faults)
        if write and lines != before:
            Path(name).write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(faults) + ("\n" if faults else "") + f"RESULT pass={passed} fail={len(faults)}")
    return 1 if faults or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
