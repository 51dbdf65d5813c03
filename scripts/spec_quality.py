# SPDX-License-Identifier: Apache-2.0
"""The rules of docs/spec/load.md and docs/spec/spray-quality.md in their own words, for
scripts/spec_rules.py and scripts/spec_oracle.py.

Written from the pages alone; shares nothing with cmodel/ and rtl/.
"""

from fractions import Fraction

EXPONENT, WEIGHTS, SMALL = 0x28, 0x29, 0x2a
THRESHOLDS = range(0x31, 0x38)
FULL = 16384
NEVER = 65535
EIGHTHS = [Fraction(25 * i, 2) for i in range(1, 8)]
# period, exponent, past and future weight, small, percentages, whether these are steps
PRESETS = {
    "sai": (16000, 2, 16, 16, 0, EIGHTHS, False),
    "cisco-aci": (16000, 2, 1, 0, 0, [5, 5, 10, 15, 15, 25, 25], True),
    "cisco-nxos": (16000, 2, 1, 0, 0, [15, 20, 30, 15, 10, 5, 5], True),
    "conga": (20000, 3, 1, 0, 0, EIGHTHS, False),
    "htsim-ar": (100, 0, 0, 1, 100, [5, 10, 20], False),
}


def ceiling(x):
    return -(-x // 1)


# ---- docs/spec/load.md ----

def kept(address, data):
    """What a register keeps of a word, None for no such register."""
    if address == EXPONENT:
        return data % 16
    if address == WEIGHTS:
        return data // 65536 % 512 * 65536 + data % 512
    if address == SMALL or address in THRESHOLDS:
        return data % 65536
    return None


class Loads:
    """What of the ports' loads cannot be read, and the ticks."""

    def __init__(self, selector):
        self.s = selector
        ports = selector.c["NUM_PORTS"]
        self.average, self.sent, self.measured = [0] * ports, [0] * ports, [0] * ports

    def count(self, port, length):
        self.sent[port] = min(self.sent[port] + length, 2 ** 32 - 1)

    def share(self, value, word):
        return min(value // 2 ** (word // 65536), 65535) * (word % 65536) // 65536

    def tick(self):
        s = self.s
        weights = s.get(WEIGHTS)
        for port in range(s.c["NUM_PORTS"]):
            at = 0x900000 + 4 * port
            s.word[at + 2] = self.measured[port]
            old = self.average[port]
            new = old - old // 2 ** s.get(EXPONENT) + self.sent[port]
            self.average[port] = min(new, 2 ** 32 - 1)
            self.sent[port] = 0
            past = self.share(self.average[port], s.get(at))
            future = self.share(s.get(0x500000 + port), s.get(at + 1))
            metric = (past * (weights % 65536) + future * (weights // 65536)) // 256
            metric = min(metric, 65535)
            self.measured[port] = sum(metric >= s.get(t) for t in THRESHOLDS)

    def band(self, port):
        return self.s.get(0x900000 + 4 * port + 2)

    def emptiest(self, ports):
        least = min(map(self.band, ports), default=0)
        return [port for port in ports if self.band(port) == least]


class Settings:
    """The control side: a preset with changes."""

    def __init__(self, preset, named):
        number = {k: int(named[k], 0) for k in named if k not in ("percent", "steps")}
        period, exponent, past, future, small, levels, steps = PRESETS[preset]
        self.period = number.get("period", period)
        self.exponent = number.get("exponent", exponent)
        self.small = number.get("small", small)
        past, future = number.get("past", past), number.get("future", future)
        weight = (512 * past + past + future) // (2 * (past + future))
        self.weights = (256 - weight) * 65536 + weight
        if "percent" in named:
            levels = list(map(int, named["percent"].split(",")))
            steps = named.get("steps") == "1"
        if steps:
            levels = [sum(levels[:i + 1]) for i in range(len(levels))]
        found = [int(ceiling(Fraction(FULL * level, 100))) for level in levels]
        self.thresholds = found + [NEVER] * (7 - len(found))

    def write(self, selector):
        for address, data in ((EXPONENT, self.exponent), (WEIGHTS, self.weights),
                              (SMALL, self.small), *zip(THRESHOLDS, self.thresholds)):
            selector.write(address, data)
        return {"exponent": self.exponent, "weights": f"0x{self.weights:08x}",
                "small": self.small, "thresholds": ",".join(map(str, self.thresholds))}

    def port(self, selector, port, speed, buffer):
        full = speed * self.period * 2 ** self.exponent // (8 * 10 ** 9)
        words = scale_word(full), scale_word(buffer) if buffer else 0
        for i, word in enumerate(words):
            selector.write(0x900000 + 4 * port + i, word)
        return {"past": f"0x{words[0]:08x}", "future": f"0x{words[1]:08x}"}


def scale_word(full):
    """Shift and scale that make `full` 16384."""
    shift = max(full.bit_length() - 16, 0)
    top = full // 2 ** shift
    return shift * 65536 + min((2 ** 31 + top) // (2 * top), 65535)


# ---- docs/spec/spray-quality.md ----

def is_small(s, p):
    return p["length"] < s.get(SMALL)


def pick(ports, r):
    return ports[r * len(ports) // 65536]


def choose(s, p, at, live):
    """Choice, r and data of a packet of the group whose words begin at `at`; live is sorted."""
    why = s.last_why
    if is_small(s, p):
        h = s.hash(p["record"])
        return s.bucket(at, h, live), h >> 16, h
    x = s.get(0xe)
    high, low = divmod(x, 65536)
    if not live:
        return None, high, x
    samples, remembers = s.get(at + 6) >> 26 & 3, s.get(at + 6) >> 28 & 1
    memory = 0xa00000 + p["group"]
    band = s.loads.band
    if samples == 0:
        ties = s.loads.emptiest(live)
        choice = pick(ties, high)
        why.update(ties=len(ties))
    else:
        choice = pick(live, high)
        why.update(s1=choice)
        if samples > 1:
            other = pick(live, low)
            why.update(s2=other)
            choice = other if band(other) < band(choice) else choice
        if remembers:
            valid, port = divmod(s.get(memory), 2 ** 31)
            valid = valid and not s.parity.meets(memory)
            if valid and port in live and not band(choice) < band(port):
                choice = port
            s.parity.meets(memory)
            s.parity.heal(memory)
            s.word[memory] = 2 ** 31 + choice
            why.update(next=s.word[memory])
    why.update(band=band(choice), x=x)
    return choice, high, x
