#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A log of observed choices, made without egret's library, for egret hash --identify.

usage: cmodel/test/identify_log.py KEY=VALUE...      CSV on standard output

algorithm, layout (of docs/spec/hash.md, or packed), fields (with commas, in the order of packed),
seed, rotation, mapping (mask, modulo, modulo-16, multiply-shift-16, multiply-shift-32, hash,
hash16, random, or table:BITS), members, count, key (hexadecimal), log_seed (of the flows), columns,
flip=1 (one choice is changed), ipv6=1.
`test` alone checks the hashes here against published values.
"""

import random
import socket
import struct
import sys
import zlib

M32 = 0xffffffff
RSS = bytes.fromhex("6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b4"
                    "77cb2da38030f20c6a42b73bbeac01fa")
FIELDS = {"src_ip": (0, 16), "dst_ip": (16, 16), "ip_protocol": (32, 1), "l4_src_port": (33, 2),
          "l4_dst_port": (35, 2), "rdma_bth_dest_qp": (37, 3), "rdma_bth_opcode": (40, 1)}
TUPLE5 = list(FIELDS)[:5]
LAYOUTS = {"record": [(0, 41)], "ipv4-5tuple": [(0, 4), (16, 4), (32, 5)],
           "rss-ipv4": [(0, 4), (16, 4), (33, 4)], "rss-ipv6": [(0, 16), (16, 16), (33, 4)],
           "rss-ipv4-addr": [(0, 4), (16, 4)], "rss-ipv6-addr": [(0, 16), (16, 16)]}


def crc(data, width, poly, init, reflect, final):
    """A CRC as the catalogues describe it, a bit at a time, in one way for all."""
    reg, top = init, 1 << (width - 1)
    for byte in data:
        for i in range(8):
            bit = byte >> (i if reflect else 7 - i) & 1
            carry = (reg >> (width - 1) & 1) ^ bit
            reg = (reg << 1) & (2 * top - 1)
            reg ^= poly if carry else 0
    if reflect:
        reg = int(f"{reg:0{width}b}"[::-1], 2)
    return reg ^ final


def crc32c(data):
    return crc(data, 32, 0x1edc6f41, M32, True, M32)


def toeplitz(data, key):
    stream = int.from_bytes(key, "big")
    total, result = 8 * len(key), 0
    for i in range(8 * len(data)):
        if data[i // 8] >> (7 - i % 8) & 1:
            for t in range(32):
                result ^= (stream >> (total - 1 - (i + t) % total) & 1) << (31 - t)
    return result


def rol(x, n):
    return (x << n | x >> (32 - n)) & M32


def lookup3(data, seed):
    """Jenkins' hashlittle(), from its description."""
    a = b = c = (0xdeadbeef + len(data) + seed) & M32
    if not data:
        return c
    while len(data) > 12:
        x, y, z = struct.unpack("<III", data[:12])
        a, b, c, data = (a + x) & M32, (b + y) & M32, (c + z) & M32, data[12:]
        for n in (4, 6, 8, 16, 19, 4):
            a = ((a - c) & M32) ^ rol(c, n)
            c = (c + b) & M32
            a, b, c = b, c, a
    x, y, z = struct.unpack("<III", data.ljust(12, b"\0"))
    a, b, c = (a + x) & M32, (b + y) & M32, (c + z) & M32
    for n in (14, 11, 25, 16, 4, 14, 24):
        c = ((c ^ b) - rol(b, n)) & M32
        a, b, c = b, c, a
    return b


def xor(data, size):
    data += bytes(-len(data) % size)
    result = 0
    for i in range(0, len(data), size):
        result ^= int.from_bytes(data[i:i + size], "big")
    return result


def raw(algorithm, data, seed, key):
    """The 32-bit hash before seed and rotation; 16 bits are widened (docs/spec/hash.md)."""
    if algorithm == "lookup3":
        return lookup3(data, seed)
    if algorithm == "toeplitz":
        return toeplitz(data, key)
    if algorithm == "crc32":
        return zlib.crc32(data)
    if algorithm in ("crc32c", "xor32"):
        return crc32c(data) if algorithm == "crc32c" else xor(data, 4)
    low = {"crc16": lambda: crc(data, 16, 0x8005, 0, True, 0),
           "crc16-ccitt": lambda: crc(data, 16, 0x1021, 0xffff, False, 0),
           "xor16": lambda: xor(data, 2)}[algorithm]()
    return crc32c(data) & 0xffff0000 | low


def choose(mapping, members, h, rng_table):
    low = h & 0xffff
    if mapping.startswith("table:"):
        return rng_table[h & (1 << int(mapping[6:])) - 1]
    return {"mask": h & (members - 1), "modulo": h % members, "modulo-16": low % members,
            "multiply-shift-16": low * members >> 16,
            "multiply-shift-32": h * members >> 32}[mapping]


def known_answers():
    """Published values (docs/spec/hash.md and tb/vectors name the sources)."""
    roce = bytes.fromhex("0a0000010a00010211c12312b7")
    text = b"Four score and seven years ago"
    pair = bytes.fromhex("420995bba18e64500aea06e6")
    want = [(raw("crc16", roce, 0, RSS) & 0xffff, 0xae5a),
            (raw("crc16-ccitt", roce, 0, RSS) & 0xffff, 0x1ccc),
            (raw("crc32", roce, 0, RSS), 0x20f3f2af), (raw("crc32c", roce, 0, RSS), 0x95fc619a),
            (lookup3(roce, 0), 0x8f6a2374), (lookup3(text, 0), 0x17770551),
            (lookup3(text, 1), 0xcd628161), (toeplitz(pair, RSS), 0x51ccc178),
            (toeplitz(pair[:8], RSS), 0x323e8fc2), (toeplitz(pair, b"\x6d\x5a" * 20), 0x9fcc9fcc),
            (xor(bytes.fromhex("0bb81f90"), 2), 0x1428),
            (xor(bytes.fromhex("0b0bb8b81f1f9090"), 4), 0x14142828)]
    bad = sum(a != b for a, b in want)
    print(f"RESULT pass={len(want) - bad} fail={bad}")
    return 1 if bad else 0


def main():
    if sys.argv[1:] == ["test"]:
        return known_answers()
    o = {"algorithm": "crc32c", "layout": "ipv4-5tuple", "fields": ",".join(TUPLE5), "seed": "0",
         "rotation": "0", "mapping": "mask", "members": "8", "count": "64", "key": RSS.hex(),
         "log_seed": "1", "columns": ",".join(TUPLE5), "flip": "0", "ipv6": "0"}
    for word in sys.argv[1:]:
        name, _, value = word.partition("=")
        assert name in o, word
        o[name] = value
    rng = random.Random(int(o["log_seed"]))
    members, seed, rotation = int(o["members"]), int(o["seed"], 0), int(o["rotation"])
    fields, columns = o["fields"].split(","), o["columns"].split(",")
    bits = int(o["mapping"][6:]) if o["mapping"].startswith("table:") else 0
    table = [rng.randrange(members) for _ in range(1 << bits)]
    hashes = o["mapping"].startswith("hash")
    print(",".join(columns + ["hash" if hashes else "port"]))
    for i in range(int(o["count"])):
        record, cells, wide = bytearray(41), {}, o["ipv6"] == "1"
        for name, (at, size) in FIELDS.items():
            count = 4 if name.endswith("_ip") and not wide else size
            value = rng.randbytes(count)
            if name == "ip_protocol":
                value = rng.choice((b"\x06", b"\x11"))
            if name in columns:
                record[at:at + count] = value
            cells[name] = socket.inet_ntop(socket.AF_INET6 if wide else socket.AF_INET, value) \
                if name.endswith("_ip") else str(int.from_bytes(value, "big"))
        if o["layout"] == "packed":
            data = b"".join(bytes(record[FIELDS[f][0]:][:4 if f.endswith("_ip") and not wide else
                                                       FIELDS[f][1]]) for f in fields)
        else:
            for name, (at, size) in FIELDS.items():
                if name not in fields:
                    record[at:at + size] = bytes(size)
            data = b"".join(bytes(record[at:at + n]) for at, n in LAYOUTS[o["layout"]])
        h = raw(o["algorithm"], data, seed, bytes.fromhex(o["key"]))
        h ^= 0 if o["algorithm"] == "lookup3" else seed
        h = (h >> rotation | h << (32 - rotation)) & M32
        if hashes:
            value = f"{h & 0xffff:04x}" if o["mapping"] == "hash16" else f"{h:08x}"
        elif o["mapping"] == "random":
            value = rng.randrange(members)
        else:
            value = choose(o["mapping"], members, h, table)
            if o["flip"] == "1" and i == int(o["count"]) // 2:
                value = (value + 1) % members
        print(",".join([cells[c] for c in columns] + [str(value)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
