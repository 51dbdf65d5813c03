# SPDX-License-Identifier: Apache-2.0
"""The rules of docs/spec/*.md in their own words, for scripts/spec_oracle.py.

Written from the pages alone; shares nothing with cmodel/ and rtl/. Plain and slow.
"""

from math import gcd

import spec_faults as faults
import spec_flowlet as flowlet
import spec_quality as quality

ALGORITHMS = ["crc16", "crc16-ccitt", "crc32", "crc32c", "toeplitz", "lookup3", "xor16", "xor32"]
SCHEMES = {1: "ecmp", 2: "spray-rr", 3: "dr", 4: "fixed", 5: "entropy", 6: "spray-random",
           7: "spray-quality", 8: "flowlet"}
RSS_KEY = bytes.fromhex("6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b477cb2da38030f20c"
                        "6a42b73bbeac01fa")
FIELDS = [(0, 16), (16, 16), (32, 1), (33, 2), (35, 2), (37, 3), (40, 1)]
LAYOUTS = {"record": [(0, 41)], "ipv4-5tuple": [(0, 4), (16, 4), (32, 5)],
           "rss-ipv4": [(0, 4), (16, 4), (33, 4)], "rss-ipv6": [(0, 32), (33, 4)],
           "rss-ipv4-addr": [(0, 4), (16, 4)], "rss-ipv6-addr": [(0, 32)]}
M32 = 0xffffffff


# ---- docs/spec/hash.md ----

def crc(data, width, poly, init, reflect, xor_out):
    """Bit by bit, as the published parameter sets read."""
    top, mask, reg = 1 << (width - 1), (1 << width) - 1, init
    for byte in data:
        for i in range(8):
            bit = byte >> (i if reflect else 7 - i) & 1
            feed = bool(reg & top) ^ bool(bit)
            reg = (reg << 1 & mask) ^ (poly if feed else 0)
    if reflect:
        reg = int(f"{reg:0{width}b}"[::-1], 2)
    return reg ^ xor_out


def toeplitz(key, data):
    bits = "".join(f"{b:08b}" for b in key)
    stream = bits * (len(data) * 8 // len(bits) + 2 + 32 // len(bits))
    result = 0
    for i, bit in enumerate("".join(f"{b:08b}" for b in data)):
        if bit == "1":
            result ^= int(stream[i:i + 32], 2)
    return result


def rol32(x, n):
    return (x << n | x >> (32 - n)) & M32


def lookup3(data, seed):
    """hashlittle() of the published lookup3.c, from its description."""
    a = b = c = (0xdeadbeef + len(data) + seed) & M32
    rest = data
    while len(rest) > 12:
        w = [int.from_bytes(rest[i:i + 4], "little") for i in (0, 4, 8)]
        a, b, c, rest = (a + w[0]) & M32, (b + w[1]) & M32, (c + w[2]) & M32, rest[12:]
        for n in (4, 6, 8, 16, 19, 4):
            a = ((a - c) & M32) ^ rol32(c, n)
            c = (c + b) & M32
            a, b, c = b, c, a
    if not rest:
        return c
    rest = rest.ljust(12, b"\0")
    w = [int.from_bytes(rest[i:i + 4], "little") for i in (0, 4, 8)]
    a, b, c = (a + w[0]) & M32, (b + w[1]) & M32, (c + w[2]) & M32
    for n in (14, 11, 25, 16, 4, 14, 24):
        c = ((c ^ b) - rol32(b, n)) & M32
        a, b, c = b, c, a
    return b


def xor_fold(data, size):
    result = 0
    for i in range(0, len(data), size):
        result ^= int.from_bytes(data[i:i + size].ljust(size, b"\0"), "big")
    return result


def raw_hash(name, data, key=RSS_KEY, seed=0):
    if name == "crc16":
        return crc(data, 16, 0x8005, 0, True, 0)
    if name == "crc16-ccitt":
        return crc(data, 16, 0x1021, 0xffff, False, 0)
    if name == "crc32":
        return crc(data, 32, 0x04c11db7, M32, True, M32)
    if name == "crc32c":
        return crc(data, 32, 0x1edc6f41, M32, True, M32)
    if name == "toeplitz":
        return toeplitz(key, data)
    if name == "lookup3":
        return lookup3(data, seed)
    return xor_fold(data, 2 if name == "xor16" else 4)


def setup_hash(setup, record):
    """Mask, layout, algorithm, widening, seed, rotation."""
    kept = bytearray(41)
    for i, (first, count) in enumerate(FIELDS):
        if setup["fields"] >> i & 1:
            kept[first:first + count] = record[first:first + count]
    data = b"".join(bytes(kept[f:f + n]) for f, n in LAYOUTS[setup["layout"]])
    h = raw_hash(setup["algorithm"], data, setup["key"], setup["seed"])
    if setup["algorithm"] in ("crc16", "crc16-ccitt", "xor16"):
        h |= raw_hash("crc32c", data) & 0xffff0000
    if setup["algorithm"] != "lookup3":
        h ^= setup["seed"]
    n = setup["rotation"]
    return (h >> n | h << (32 - n)) & M32


# ---- docs/spec/dr.md, live-repair.md, ecmp.md ----

GOLDEN = "9e3779b97f4a7c15f39cc0605cedc8341082276bf3a272519f863e1d"


def draw_rounds(x, y, first, count):
    def rol(v, n):
        return (v << n | v >> (16 - n)) & 0xffff
    for i in range(first, first + count):
        c = int(GOLDEN[4 * i:4 * i + 4], 16)
        x, y = y ^ (rol(x, 1) & rol(x, 8)) ^ rol(x, 2) ^ c, x
    return x, y


def draw(seed, key_word, epoch):
    """D and P.y."""
    x, y = draw_rounds(key_word ^ (seed & 0xffff), seed >> 16, 0, 8)
    spread = epoch
    for n in (6, 11):
        spread ^= (epoch << n | epoch >> (16 - n)) & 0xffff
    return draw_rounds(x ^ spread, y, 8, 6)[0], y


def shares(count, weights):
    """Largest remainder, ties to the lower index."""
    total = sum(weights)
    got = [count * w // total for w in weights]
    order = sorted(range(len(weights)), key=lambda i: (-(count * weights[i] % total), i))
    for i in order[:count - sum(got)]:
        got[i] += 1
    return got


def interleave(order):
    """Interleaved weighted round robin over (port, weight)."""
    divisor = 0
    for _, weight in order:
        divisor = gcd(divisor, weight)
    parts = [(port, weight // divisor) for port, weight in order]
    return [p for j in range(1, max(w for _, w in parts) + 1) for p, w in parts if w >= j]


def shuffle(order, seed, row):
    mask, state, order = (1 << 64) - 1, seed << 32 | row, list(order)
    for n in range(len(order), 1, -1):
        state = (state + 0x9e3779b97f4a7c15) & mask
        z = ((state ^ state >> 30) * 0xbf58476d1ce4e5b9) & mask
        z = ((z ^ z >> 27) * 0x94d049bb133111eb) & mask
        j = ((z ^ z >> 31) >> 32) * n >> 32
        order[j], order[n - 1] = order[n - 1], order[j]
    return order


# ---- docs/spec/spray-random.md ----

RANDOM_START = 2463534242


def xorshift32(x):
    """The next number; shifts to the left lose what leaves 32 bits."""
    x = (x ^ x << 13) & M32
    x = x ^ x >> 17
    return (x ^ x << 5) & M32


# ---- docs/spec/events.md ----

class Selector:
    """Tables are dictionaries of the words that are not zero."""

    def __init__(self, cfg):
        self.c = cfg
        self.live = set(range(cfg["NUM_PORTS"]))
        self.word = {0x8: (3, 15, 5)[cfg["HASH_KIND"]]}
        if cfg["HASH_KIND"] != 1:
            self.word[0x9] = 0x1f
        if self.has_generator():
            self.word[0xe] = RANDOM_START
        self.buckets = None
        self.loads = quality.Loads(self)
        self.parity = faults.Parity(self)
        self.last_why = {}

    def has(self, scheme):
        """Does the configuration have the scheme of this name? It has none without a name."""
        return any(name == scheme and self.c["SCHEMES"] // 2 ** code % 2 == 1
                   for code, name in SCHEMES.items())

    def has_generator(self):
        return any(map(self.has, ("spray-random", "spray-quality", "flowlet")))

    def is_deep(self):
        return self.has("spray-quality") or self.has("flowlet")

    def least_band(self, live):
        """Those of the least load band."""
        return self.loads.emptiest(live)

    def get(self, address):
        return self.word.get(address, 0)

    def add(self, address, n, bits=32):
        self.word[address] = (self.get(address) + n) & ((1 << bits) - 1)

    def add40(self, address, n):
        total = (self.get(address + 1) << 32 | self.get(address)) + n
        self.word[address] = total & M32
        self.word[address + 1] = total >> 32 & 0xff

    def has_counter(self, address):
        """Is it a counter of a port, a group, a group's flowlets that exists?"""
        c, region, rest = self.c, address >> 20, address & 0xfffff
        if region == 6:
            return rest // 4 < c["NUM_PORTS"]
        if region == 7:
            return rest // 2 < c["NUM_GROUPS"]
        return self.has("flowlet") and rest // 8 < c["NUM_GROUPS"] and rest % 8 < 5

    def write(self, address, data):
        """True if it takes effect."""
        c, region, rest = self.c, address >> 20, address & 0xfffff
        kind, legal = c["HASH_KIND"], False
        if region == 0:
            if rest == 0x8:
                legal = data in ((0, 3), (15,), (5,))[kind]
            elif rest in (0x9, 0xb):
                legal, data = kind != 1, data & (0x7f if rest == 9 else 0x1f)
            elif rest == 0xd:
                legal, data = True, data & 0xffff
            elif rest == 0xe:
                legal, data = self.has_generator(), data or RANDOM_START
            elif rest in (0x25, 0x26):
                legal = self.is_deep()
            elif rest == 0x27:
                legal, data = self.has("flowlet"), data & 0xffffff
            elif quality.kept(rest, data) is not None:
                legal, data = self.has("spray-quality"), quality.kept(rest, data)
            else:
                legal = rest in (0xa, 0xc, 0x21, 0x22, 0x23, 0x24)
        elif region == 1:
            legal = rest >> 3 < c["NUM_GROUPS"] and rest & 7 == 0
            if legal:
                self.commit(address, data)
                self.parity.heal(address)
                return True
        elif region == 2:
            legal = rest < c["NUM_BUCKETS"] and data < c["NUM_PORTS"]
        elif region == 3:
            legal = (rest >> 16 < 2 and rest >> 8 & 0xff < c["NUM_ROWS"]
                     and rest & 0xff < c["ROW_LEN"] and data < c["NUM_PORTS"])
        elif region == 4:
            if rest >= 0x80000:
                legal = rest - 0x80000 < c["NUM_GROUPS"]
            else:
                legal = rest >> 4 < c["NUM_KEYS"] and rest & 15 < c["NUM_BINS"]
            data = data & 0xffffff00 | data & (c["ROW_LEN"] - 1)
        elif region == 8:
            legal = kind == 1 and rest >> 4 < 82
        elif region == 9:
            legal = (self.has("spray-quality") and rest // 4 < c["NUM_PORTS"] and rest % 4 < 2)
            data &= 0x1fffff
        elif region == 10:
            legal = (self.has("spray-quality") and rest < c["NUM_GROUPS"]
                     and data & 0xff < c["NUM_PORTS"])
            data &= 0x800000ff
        elif region == 12:
            legal = (rest % 2 == 0 and rest // 2 < c["NUM_FLOWLETS"]
                     and data & 0xff < c["NUM_PORTS"])
            if legal:
                data &= 0x8fff00ff
                self.word[address + 1] = self.get(0x27)
        elif region == 15:
            return True
        if legal:
            self.word[address] = data
            self.parity.heal(address)
        else:
            self.add(0x18, 1)
        return legal

    def commit(self, address, data):
        last = (data >> 16 & 0xff) & (self.c["ROW_LEN"] - 1)
        offset = data >> 24 & 31 if self.has("entropy") else 0
        self.word[address] = offset << 24 | last << 16 | data & 0xff1f
        for i in (1, 2, 3, 4):
            self.word[address + i] = self.get(0x20 + i)
        self.word[address + 5] = self.get(0x25) if self.has("flowlet") else 0
        kept = 0x00ffffff if self.has("flowlet") else 0
        kept |= 0x1c000000 if self.has("spray-quality") else 0
        kept |= 0x03000000 if self.has("flowlet") and self.has("spray-quality") else 0
        self.word[address + 6] = self.get(0x26) & kept
        ports = (1 << self.c["NUM_PORTS"]) - 1
        self.word[address + 3] &= ports & M32
        self.word[address + 4] &= ports >> 32

    def read(self, address):
        c = self.c
        if address in (0x10, 0x11):
            return sum(1 << p for p in self.live) >> 32 * (address - 0x10) & M32
        constant = {0: 0x45475254, 1: 0x00010000,
                    2: c["NUM_BINS"] << 24 | (c["ROW_LEN"] - 1) << 16 | (c["NUM_ROWS"] - 1) << 8
                    | c["NUM_PORTS"],
                    3: c["NUM_KEYS"] << 16 | c["NUM_GROUPS"],
                    4: c["HASH_KIND"] << 28 | latency(c) << 20 | c["NUM_BUCKETS"],
                    5: c.get("PARITY", 0) << 21 | c["NUM_FLOWLETS"].bit_length() << 16
                    | c["SCHEMES"]}
        return constant[address] if address in constant else self.get(address)

    def hash(self, record):
        kind = self.c["HASH_KIND"]
        if kind == 1:
            h = self.get(0xa)
            for n in range(82):
                nibble = record[n // 2] >> 4 if n % 2 == 0 else record[n // 2] & 15
                h ^= self.get(0x800000 + 16 * n + nibble)
            return h
        return setup_hash({"algorithm": ALGORITHMS[self.get(8)], "layout": "record",
                           "fields": self.get(9), "seed": self.get(0xa),
                           "rotation": self.get(0xb), "key": RSS_KEY}, record)

    def load(self, setup):
        """What the control side writes for a hash setup."""
        if self.c["HASH_KIND"] != 1:
            for address, data in ((8, ALGORITHMS.index(setup["algorithm"])), (9, setup["fields"]),
                                  (0xa, setup["seed"]), (0xb, setup["rotation"])):
                self.write(address, data)
            return
        zero = setup_hash(setup, bytes(41))
        for n in range(82):
            for value in range(16):
                record = bytearray(41)
                record[n // 2] = value << 4 if n % 2 == 0 else value
                self.write(0x800000 + 16 * n + value, setup_hash(setup, bytes(record)) ^ zero)
        self.write(0xa, zero)

    def rotate(self, address, key_word, group, live):
        entry, word0 = self.get(address), self.get(group)
        epoch, wraps, offset = entry >> 20, entry >> 8 & 0xfff, entry & 0xff
        last, redraw = word0 >> 16 & 0xff, word0 >> 8 & 15
        slot = offset if offset <= last else 0
        d, py = draw(self.get(0xc), key_word, epoch)
        base, mask = self.get(group + 1) & 0xffff, self.get(group + 1) >> 16
        row = (base + (d & mask)) % 0x10000 % self.c["NUM_ROWS"]
        r = py ^ int(f"{slot ^ wraps ^ epoch:012b}"[::-1], 2) << 4
        at = 0x300000 + 0x10000 * (word0 >> 4 & 1) + 0x100 * row + slot
        choice = self.get(at)
        if live:
            self.parity.meets(at)
        if slot < last:
            slot_next = slot + 1
        else:
            slot_next = 0
            if redraw and wraps >= redraw - 1:
                wraps, epoch = 0, (epoch + 1) % 4096
            else:
                wraps = (wraps + 1) % 4096
        self.word[address] = epoch << 20 | wraps << 8 | slot_next
        if self.parity.meets(address):
            self.word[address] = 0
            self.parity.heal(address)
        self.last_why.update(D=d, row=row, slot=slot, next=self.word[address])
        return choice, r, entry

    def bucket(self, group, index, live):
        """The port of the bucket that the low 16 bits of the index name in a group, its words."""
        base, mask = self.get(group + 2) & 0xffff, self.get(group + 2) >> 16
        bucket = (base + (index & mask)) % 0x10000 % self.c["NUM_BUCKETS"]
        self.last_why.update(bucket=bucket)
        if live:
            self.parity.meets(0x200000 + bucket)
        return self.get(0x200000 + bucket)

    def scheme_code(self, group, cls):
        """The class rule."""
        word0 = self.get(group)
        ordered = word0 >> 12 & 15
        return ordered if ordered and self.get(0xd) >> cls % 16 & 1 else word0 & 15

    def choose(self, scheme, p, at, live):
        """Choice, r and data of a packet by the rules of its scheme, which is there."""
        hashed = scheme in ("ecmp", "fixed", "entropy", "flowlet")
        h = self.hash(p["record"]) if hashed else 0
        if scheme == "ecmp":
            return self.bucket(at, h, live), h >> 16, h
        if scheme == "fixed":
            return self.bucket(at, 0, live), h >> 16, h
        if scheme == "entropy":
            piece = p["entropy"] // 2 ** (self.get(at) >> 24) % 0x10000
            return self.bucket(at, piece, live), h >> 16, h - h % 0x10000 + piece
        if scheme == "spray-random":
            number = self.get(0xe)
            k = (number >> 16) * len(live) >> 16
            return live[k] if live else None, number >> 16, number
        if scheme == "spray-quality":
            return quality.choose(self, p, at, live)
        if scheme == "flowlet":
            return flowlet.choose(self, p, at, live, h)
        if scheme == "spray-rr":
            return self.rotate(0x480000 + p["group"], 0x8000 | p["group"], at, live)
        return self.rotate(0x400000 + 16 * p["key"] + p["bin"], p["key"] << 4 | p["bin"], at, live)

    def hash_decides(self, scheme, p):
        """Does the packet's choice come from its hash?"""
        return (scheme in ("ecmp", "flowlet")
                or scheme == "spray-quality" and quality.is_small(self, p))

    def has_fault(self, at, scheme, p, members):
        """Is the packet to be dropped for a bad group or a bad hash?"""
        if self.parity.meets(at):
            return True
        return (bool(members) and self.has(scheme) and self.hash_decides(scheme, p)
                and self.parity.bad_hash(p["record"]))

    def packet(self, p):
        self.parity.begin()
        result = self.decide(p)
        self.last_why.update(faults=self.parity.end())
        return result

    def decide(self, p):
        c, self.last_why = self.c, {}
        if self.has_generator():
            self.word[0xe] = xorshift32(self.word[0xe])
        drop = {"port": "drop", "choice": "drop", "scheme": "none", "data": 0}
        if p["group"] >= c["NUM_GROUPS"]:
            self.add(0x1b, 1)
            return dict(drop, reason="drop-index")
        at = 0x100000 + 8 * p["group"]
        code = self.scheme_code(at, p["class"])
        scheme = SCHEMES.get(code)
        drop["scheme"] = scheme or ("none" if code == 0 else code)
        bits = self.get(at + 4) << 32 | self.get(at + 3)
        members = {i for i in range(64) if bits >> i & 1}
        legal = scheme != "dr" or (p["key"] < c["NUM_KEYS"] and p["bin"] < c["NUM_BINS"])
        live = sorted(members & self.live)
        choice, r, data, reason = None, 0, 0, None
        fault = self.has_fault(at, scheme, p, members)
        if self.has(scheme) and legal and not fault:
            choice, r, data = self.choose(scheme, p, at, live)
            self.last_why.update(r=r)
        if fault:
            reason = "drop-fault"
        elif not members:
            reason = "drop-empty"
        elif not self.has(scheme):
            reason = "drop-scheme"
            self.add(0x1a, 1)
        elif not legal:
            reason = "drop-index"
            self.add(0x1b, 1)
        elif not live:
            reason, drop["data"] = "drop-down", data
        if reason:
            self.parity.tick(0x700000 + 2 * p["group"])
            return dict(drop, reason=reason)
        k = r * len(live) >> 16
        self.last_why.update(L=len(live), k=k)
        port, reason = choice, "chosen"
        if choice not in live or self.parity.choice_is_bad():
            port, reason = live[k], "repaired"
            self.parity.tick(0x700001 + 2 * p["group"])
        self.parity.port_counter(0x600000 + 4 * port)
        self.add40(0x600000 + 4 * port, 1)
        self.add40(0x600002 + 4 * port, p["length"])
        self.loads.count(port, p["length"])
        return {"port": port, "choice": choice, "scheme": scheme, "reason": reason, "data": data}

    def port_event(self, port, up):
        if port % 256 >= self.c["NUM_PORTS"]:
            self.add(0x19, 1)
        elif up:
            self.live.add(port % 256)
        else:
            self.live.discard(port % 256)

    def queue_event(self, port, depth):
        if port % 256 >= self.c["NUM_PORTS"]:
            self.add(0x19, 1)
        else:
            self.word[0x500000 + port % 256] = depth

    def tick(self, now):
        self.add(0x12, 1)
        self.word[0x13], self.word[0x14] = now & M32, now >> 32 & 0xffff
        if self.has("spray-quality"):
            self.loads.tick()


# ---- docs/spec/timing.md ----

def has_code(c, code):
    return c["SCHEMES"] // 2 ** code % 2 == 1


def latency(c):
    deep = has_code(c, 7) or has_code(c, 8)
    return 10 + (4 if deep else 0) + (26 if c["HASH_KIND"] == 2 else 0)


def tick_gap(c):
    return c["NUM_PORTS"] + (32 if has_code(c, 7) else 4)


def sweep(c):
    pointers = c["NUM_KEYS"] * c["NUM_BINS"] + c["NUM_GROUPS"]
    return max(c["NUM_BUCKETS"], 2 * c["NUM_ROWS"] * c["ROW_LEN"], 1 << (pointers - 1).bit_length(),
               (8 if has_code(c, 8) else 2) * c["NUM_GROUPS"], c["NUM_FLOWLETS"],
               1 << (c["NUM_PORTS"] - 1).bit_length(), 16, 2048 if c["HASH_KIND"] == 1 else 0)


def clocks(c, events, stalls):
    """[(clock of the transfer, clock of the result or None)] by the driver rule, clock by clock."""
    rank = {"port": 1, "queue": 2, "tick": 3, "packet": 4, "write": 4, "read": 4,
            "fault": 4}
    out, n, clock = [[None, None] for _ in events], 0, 0
    waiting, credits, returned, last_tick, last_read = [], c["RSP_DEPTH"], 0, -10**9, -10**9
    while n < len(events) or waiting:
        up = clock >= sweep(c)
        credits, returned = credits + returned, 0
        tick_ready = up and clock - last_tick >= tick_gap(c)
        req_ready = up and clock - last_read >= 6 and credits > 0
        above, blocked = 0, False
        while n < len(events) and not blocked and rank[events[n]] > above:
            above = rank[events[n]]
            if above == 3 and not tick_ready or above == 4 and not req_ready or not up:
                blocked = True
                break
            out[n][0] = clock
            if events[n] == "tick":
                last_tick = clock
            if events[n] in ("packet", "read"):
                waiting.append((n, clock + latency(c) + (5 if events[n] == "read" else 0)))
                credits -= 1
            if events[n] in ("read", "fault"):
                last_read = clock
            n += 1
        if waiting and waiting[0][1] <= clock and not any(a <= clock <= b for a, b in stalls):
            out[waiting.pop(0)[0]][1] = clock
            returned = 1
        clock += 1
    return out
