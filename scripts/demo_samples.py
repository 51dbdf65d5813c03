#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes small traces in the formats of other tools, each from its format's description alone.

usage: scripts/demo_samples.py FOLDER

  experts.RANK.et    Chakra, 32 ranks: tokens to experts, compute, back, then a pipeline's send
  doubling.goal      GOAL text, 32 ranks: all-reduce by recursive doubling
  doubling.bin       the same as LogGOPSim's binary
  flows.txt          HPCC flow file, 32 nodes, two flows each
  nccl.NODE.log      NCCL log, a file a node, 16 ranks: ring collectives, sends and receives

EXPECTED has what each holds, worked out by hand below. pcapng() makes a capture of a stimulus.
"""

import struct
import sys
from pathlib import Path

MIB = 1 << 20
# (ranks, messages, bytes)
EXPECTED = {
    # Twice 32 x 31 messages of 1 MiB / 32, and one of 512 KiB from each.
    "chakra": (32, 2 * 32 * 31 + 32, 2 * 32 * 31 * (MIB // 32) + 32 * MIB // 2),
    # log2(32) = 5 steps, 1 MiB from each rank in each.
    "goal": (32, 5 * 32, 5 * 32 * MIB),
    "hpcc": (32, 64, 32 * (2000000 + 1000000)),
    # Rings of 16: all-reduce of 4 MiB in 2 x 15 steps of 4 MiB / 16, all-gather and reduce-scatter
    # of 64 KiB a rank in 15 steps each; then 128 KiB from each rank to one.
    "nccl": (16, 16 * (30 + 15 + 15 + 1),
             16 * (30 * 4 * MIB // 16 + 2 * 15 * MIB // 16 + MIB // 8)),
}
RANKS = 32
COMP, SEND, RECV, COLL = 4, 5, 6, 7  # Chakra's node types
ALL_TO_ALL = 6


def varint(value):
    """Base-128, the low seven bits first."""
    out = bytearray()
    while value > 0x7f:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def number(field, value):
    """A protobuf field of wire type 0; zero is left out, as proto3 does."""
    return varint(field << 3) + varint(value) if value else b""


def blob(field, data):
    """A protobuf field of wire type 2."""
    return varint(field << 3 | 2) + varint(len(data)) + data


def attribute(name, value):
    """An AttributeProto: a bool (27), an int64 (9); its value is written even if it is zero."""
    field = 27 if isinstance(value, bool) else 9
    return blob(10, blob(1, name.encode()) + varint(field << 3) + varint(int(value)))


def node(ident, kind, name, after=(), micros=0, **attributes):
    """A Node, with its length before it."""
    data = number(1, ident) + blob(2, name.encode()) + number(3, kind)
    if after:
        data += blob(5, b"".join(varint(other) for other in after))
    data += number(7, micros)
    data += b"".join(attribute(key, value) for key, value in attributes.items())
    return varint(len(data)) + data


def chakra(rank):
    """One rank's file."""
    metadata = blob(1, b"0.0.4")
    moe = {"comm_type": ALL_TO_ALL, "comm_size": MIB, "is_cpu_op": False}
    there = {"comm_size": MIB // 2, "comm_tag": 7}
    return b"".join([
        varint(len(metadata)), metadata,
        node(0, COMP, "gate", micros=2),
        node(1, COLL, "dispatch", [0], **moe),
        node(4, COMP, "expert", [1], micros=5),
        node(5, COLL, "combine", [4], **moe),
        node(8, SEND, "to the next stage", [5], comm_dst=(rank + 16) % RANKS, **there),
        node(9, RECV, "from the stage before", [5], comm_src=(rank + 16) % RANKS, **there),
    ])


def doubling(rank):
    """A rank's operations (kind, peer, amount, tag) and what each waits for.

    In step k it sends its sum to rank XOR 2^k, and adds what it receives from there.
    """
    ops, waits = [], []
    for step in range(5):
        peer = rank ^ 1 << step
        ops += [("send", peer, MIB, step), ("recv", peer, MIB, step), ("calc", 0, 500, 0)]
        waits += [[len(ops) - 4] if step else [], [], [len(ops) - 2]]
    return ops, waits


def goal_text():
    """GOAL as text."""
    lines = ["// All-reduce by recursive doubling.", f"num_ranks {RANKS}", ""]
    for rank in range(RANKS):
        lines.append(f"rank {rank} {{")
        ops, waits = doubling(rank)
        for index, (kind, peer, amount, tag) in enumerate(ops):
            way = {"send": f"{amount}b to {peer} tag {tag}",
                   "recv": f"{amount}b from {peer} tag {tag}", "calc": str(amount)}[kind]
            lines.append(f"l{index}: {kind} {way}")
            lines += [f"l{index} requires l{other}" for other in waits[index]]
        lines += ["}", ""]
    return "\n".join(lines)


def goal_section(rank):
    """One rank of the binary: counts, roots, records of 39 bytes, appendix of dependants."""
    ops, waits = doubling(rank)
    roots = [index for index, before in enumerate(waits) if not before]
    records, appendix = b"", []
    for index, (kind, peer, amount, tag) in enumerate(ops):
        after = [other for other, before in enumerate(waits) if index in before]
        records += struct.pack("<IBIQIBBIIII", len(waits[index]),
                               ("send", "recv", "calc").index(kind) + 1, peer, amount, tag, 0, 0,
                               len(after), len(appendix), 0, 0)
        appendix += after
    return (struct.pack(f"<II{len(roots)}I", len(ops), len(roots), *roots) + records +
            struct.pack(f"<{len(appendix)}I", *appendix))


def goal_binary():
    """GOAL as LogGOPSim's binary; offsets count from behind the magic number."""
    table, body, at = b"", b"", 6 + 16 * RANKS
    for section in map(goal_section, range(RANKS)):
        table += struct.pack("<QQ", at, at + len(section))
        body += section
        at += len(section)
    return struct.pack("<QIBB", 4223, RANKS, 0, 0) + table + body


def flows():
    """An HPCC flow file: two shifts, the second one behind the first."""
    lines = [f"{(node_ + 5) % 32} {(node_ + 5 + shift) % 32} 3 {100 + node_} {size} "
             f"{2.0 + late + node_ * 1e-6:.9f}"
             for shift, size, late in ((8, 2000000, 0), (17, 1000000, 4e-5))
             for node_ in range(32)]
    return "\n".join([str(len(lines)), *lines, ""])


def nccl(server):
    """The log of one server's eight ranks."""
    lines = [f"node{server}:100:100 [0] NCCL INFO Bootstrap : Using eth0"]
    calls = [("AllReduce", MIB, 7, None), ("AllGather", 32768, 9, None),
             ("ReduceScatter", 32768, 9, None), ("Send", 65536, 9, 8), ("Recv", 65536, 9, 8)]
    for device in range(8):
        rank = 8 * server + device
        who = f"node{server}:{100 + device}:{200 + device} [{device}] NCCL INFO"
        comm = f"comm 0x{0x7000 + 16 * rank:x}"
        lines.append(f"{who} ncclCommInitRank {comm} rank {rank} nranks 16 cudaDev {device} "
                     f"nvmlDev {device} busId {device + 1}000 commId 0x51ca - Init COMPLETE")
        for count, (name, elements, datatype, far) in enumerate(calls):
            root = 0 if far is None else (rank + far) % 16
            lines.append(f"{who} {name}: opCount {min(count, 3):x} sendbuff 0x7f00 recvbuff 0x7f80 "
                         f"count {elements} datatype {datatype} op 0 root {root} {comm} "
                         "[nranks=16] stream 0x55")
    return "\n".join([*lines, ""])


def pcapng(stimulus):
    """What a capture shows of a stimulus: its frames without the events, as pcapng; and how many.

    One interface, Ethernet, time stamps in nanoseconds (if_tsresol 9).
    """
    def block(kind, body):
        size = 12 + len(body)
        return struct.pack("<II", kind, size) + body + struct.pack("<I", size)

    out = [block(0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1)),
           block(1, struct.pack("<HHI", 1, 0, 0) + struct.pack("<HHB3xHH", 9, 1, 9, 0, 0))]
    at = 24
    while at < len(stimulus):
        seconds, nanos, kept, length = struct.unpack_from("<IIII", stimulus, at)
        frame = stimulus[at + 16:at + 16 + kept]
        at += 16 + kept
        if frame[12:14] != b"\x88\xb5":
            high, low = divmod(seconds * 10 ** 9 + nanos, 1 << 32)
            out.append(block(6, struct.pack("<IIIII", 0, high, low, kept, length) + frame +
                             bytes(-kept % 4)))
    return b"".join(out), len(out) - 2


def write(folder):
    """All files; returns the paths of each format."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {"chakra": {f"experts.{rank}.et": chakra(rank) for rank in range(RANKS)},
             "goal": {"doubling.goal": goal_text().encode()},
             "goal-binary": {"doubling.bin": goal_binary()},
             "hpcc": {"flows.txt": flows().encode()},
             "nccl": {f"nccl.{server}.log": nccl(server).encode() for server in range(2)}}
    for each in files.values():
        for name, data in each.items():
            (folder / name).write_bytes(data)
    return {key: [folder / name for name in each] for key, each in files.items()}


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    write(Path(sys.argv[1]))
