# SPDX-License-Identifier: Apache-2.0
"""The experiments of docs/experiments/: what is run, what is looked at, what was published.

The published figures are those of arXiv 2507.21372 (Ofan, destination-based rotation). Figures of
our own stand nowhere in this file.
"""

import math
from dataclasses import dataclass, field

from experiment_work import fsdp, permutation_bound

# Name in the tables: options. The paper's name of each is in PAPER.
SCHEMES = {
    "flow": ["--host", "flow", "--scheme", "ecmp"],
    "subflow:4": ["--host", "subflow:4", "--scheme", "ecmp"],
    "flowlet": ["--scheme", "flowlet", "--flowlet-idle", "500"],
    "host random": ["--host", "random", "--scheme", "ecmp"],
    "DRB": ["--host", "drb"],
    "simple-rr": ["--scheme", "simple-rr"],
    "jsq": ["--scheme", "jsq"],
    "spray-rr": ["--scheme", "spray-rr", "--wraps", "5"],
    "spray-random": ["--scheme", "spray-random"],
    "spray-quality": ["--scheme", "spray-quality", "--load", "htsim-ar"],
    "dr": ["--scheme", "dr"],
}
PAPER = {
    "flow": "ECMP", "subflow:4": "MPTCP, 4 subflows", "flowlet": "in switches; PLB is of hosts",
    "host random": "host packet (OPS)", "DRB": "host DR (DRB)", "simple-rr": "simple RR",
    "jsq": "JSQ", "spray-rr": "switch packet (5 wraps)", "spray-random": "RSQ",
    "spray-quality": "switch packet adaptive", "dr": "Ofan (switch DR)",
}
PACKETS = ["host random", "DRB", "spray-rr", "spray-random", "spray-quality", "dr"]


@dataclass
class Case:
    """A column: `x` is its number on the axis, if it has one; `work` makes options of a seed."""
    label: str
    options: list
    x: float = None
    work: object = None
    bound: object = None  # of a run, us; None: the command's


@dataclass
class Experiment:
    """A table and a figure. metric: "queue", "edge-up data" or "increase"; published: text of a
    scheme; checks: (what, function of {(scheme, label): [value of a seed]} and exponents)."""
    title: str
    metric: str
    options: list
    schemes: list
    cases: list
    seeds: int
    fit: bool = False
    published: dict = field(default_factory=dict)
    checks: list = field(default_factory=list)
    quick_cases: list = None
    quick_schemes: list = None
    quick_seeds: int = 1
    notes: str = ""
    formula: tuple = None  # name, function of x: one more row


def sizes(numbers):
    """Message sizes as cases."""
    return [Case(str(n), ["--packets", str(n)], n) for n in numbers]


def mean(values):
    """Of a list that is not empty."""
    return sum(values) / len(values)


def near(scheme, wanted, margin):
    """A check of an exponent."""
    return (f"exponent of {scheme} is {wanted} +- {margin}",
            lambda _, exponents: abs(exponents[scheme][0] - wanted) <= margin)


def at_most(scheme, label, percent):
    """A check of an increase, the worst seed's."""
    return (f"{scheme}, {label}: at most {percent} % above the bound",
            lambda v, _: (scheme, label) not in v or max(v[scheme, label]) <= percent)


def not_below(v, _):
    """All increases are at least 0: the bound is one."""
    return all(x >= 0 for values in v.values() for x in values)


BOUND = ("no run is below its lower bound", not_below)
PERMUTATION = ["--collective", "permutation"]
ALL_TO_ALL = ["--collective", "alltoall"]
TREE = ["--topology", "fat-tree:8"]
THETA = {"simple-rr": "Theta(m)", "jsq": "Theta(m)", "spray-random": "Omega(sqrt m)",
         "host random": "Omega(sqrt m)", "DRB": "Theta(1)", "dr": "Theta(1)"}

SIZES = [64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384]
QUEUE = ("Queue: data packets (4158 bytes) that a packet, data or ACK, finds in front of it, mean "
         "over the packets of a tier, added up over the tiers above the hosts. Buffers without "
         "end.")
BOUNDS = "Lower bounds: [docs/fabric-bounds.md](../fabric-bounds.md)."


def random_queue(m, uplinks=4):
    """The published queue after m packets, times 2/3: the mean over a message."""
    return 2 / 3 * math.sqrt(1 - 1 / uplinks) * math.sqrt(2 * m / math.pi)


def lowest(v, _):
    """dr has the lowest mean in each column."""
    return all(mean(v["dr", label]) <= mean(x) for (_, label), x in v.items())


def ordered(v, _):
    """Rotation by destination, then random, then round robin and shortest queue."""
    last = max((int(label) for _, label in v), default=0)
    groups = [[mean(v[s, str(last)]) for s in names]
              for names in (("dr", "DRB"), ("spray-random", "host random"), ("simple-rr", "jsq"))]
    return max(groups[0]) < min(groups[1]) and max(groups[1]) < min(groups[2])


EXPERIMENTS = {
    "queue-growth": Experiment(
        "Mean queue against message size, data alone", "queue",
        TREE + PERMUTATION + ["--buffer", "0", "--latency", "4ms"],
        ["simple-rr", "jsq", "spray-random", "host random", "DRB", "dr"], sizes(SIZES), 3,
        fit=True, published=THETA,
        checks=[near("simple-rr", 1.0, 0.1), near("jsq", 1.0, 0.1),
                near("spray-random", 0.5, 0.1), near("host random", 0.5, 0.1),
                near("DRB", 0.0, 0.05), near("dr", 0.0, 0.05)],
        quick_cases=sizes([64, 256, 1024]), quick_seeds=2, notes=QUEUE),
    "queue-random": Experiment(
        "Queue of an edge's uplink under random choice", "edge-up data",
        TREE + PERMUTATION + ["--buffer", "0", "--latency", "4ms"],
        ["spray-random", "host random"], sizes(SIZES), 3, fit=True,
        formula=("2/3 sqrt(1 - 1/(k/2)) sqrt(2 m / pi)", random_queue),
        published={s: "exponent 0.5" for s in ("spray-random", "host random")},
        checks=[near("spray-random", 0.5, 0.1), near("host random", 0.5, 0.1),
                ("within 15 % of the formula",
                 lambda v, _: all(abs(mean(x) / random_queue(int(label)) - 1) < 0.15
                                  for (_, label), x in v.items()))],
        quick_cases=sizes([64, 256, 1024]), quick_seeds=2,
        notes="Mean over data packets. The published formula is of the queue after m packets; the "
              "mean over a message is two thirds of it. k = 8."),
    "queue-acks": Experiment(
        "Mean queue against message size, with ACKs among the data", "queue",
        TREE + PERMUTATION + ["--buffer", "0"],
        ["simple-rr", "jsq", "spray-random", "host random", "DRB", "dr"], sizes(SIZES), 3,
        fit=True, published=THETA,
        checks=[("rotation by destination stays below 10 packets",
                 lambda v, _: all(max(x) < 10 for (scheme, _), x in v.items()
                                  if scheme in ("dr", "DRB"))),
                ("the order of the schemes at the largest message is the published one", ordered)],
        quick_cases=sizes([64, 1024]), notes=QUEUE),
    "permutation": Experiment(
        "Permutation of 256 packets", "increase", TREE, list(SCHEMES),
        [Case("permutation 256", PERMUTATION + ["--packets", "256"])], 10,
        published={"dr": "best run of all: 17.0587 us; bound 17.05694 us"},
        checks=[BOUND, at_most("dr", "permutation 256", 2.0)],
        quick_schemes=["spray-random", "dr"], quick_seeds=3, notes=BOUNDS),
    "all-to-all": Experiment(
        "All-to-all, 1 MiB a pair", "increase", TREE,
        ["flow", "simple-rr", "jsq"] + PACKETS,
        [Case("all-to-all 256", ALL_TO_ALL + ["--packets", "256"])], 2,
        published={s: "within 1 %" for s in PACKETS},
        checks=[BOUND] + [at_most(s, "all-to-all 256", 1.0) for s in PACKETS],
        quick_cases=[Case("all-to-all 16", ALL_TO_ALL + ["--packets", "16"])],
        quick_schemes=["dr"], notes=BOUNDS),
    "failures": Experiment(
        "One per cent of links failed", "increase", TREE + ["--fail-links", "1%"], PACKETS,
        [Case(f"{name}, G = {g}", work + ["--convergence", g])
         for name, work in (("permutation 256", PERMUTATION + ["--packets", "256"]),
                            ("all-to-all 16", ALL_TO_ALL + ["--packets", "16"]))
         for g in ("0", "inf")], 5,
        published={"spray-quality": "G = inf: keeps using a dead path; G = 0: close to spraying"},
        checks=[BOUND], quick_schemes=["dr"],
        notes="Hosts send at rho_max of the links that live, whether anybody knows of the failure "
              "or not; the bound is that of this rate. G: how long routing takes to learn of it."),
    "buffer": Experiment(
        "Buffers of 20 packets", "increase", TREE + ["--buffer", "20p"], list(SCHEMES),
        [Case("permutation 256", PERMUTATION + ["--packets", "256"]),
         Case("all-to-all 16", ALL_TO_ALL + ["--packets", "16"])], 5,
        published={"dr": "best of all"}, checks=[BOUND], quick_schemes=["spray-random", "dr"],
        notes="A full queue drops; ideal transport sends one packet more for each."),
    "size": Experiment(
        "Size of the fabric", "increase", PERMUTATION + ["--packets", "256"],
        ["flow"] + PACKETS,
        [Case(str(k ** 3 // 4), ["--topology", f"fat-tree:{k}"], k ** 3 // 4)
         for k in (8, 16, 32)], 3,
        published={"dr": "order of schemes holds as the fabric grows"},
        checks=[BOUND, at_most("dr", "128", 2.0), ("dr is lowest at each size", lowest)],
        quick_cases=[Case("16", ["--topology", "fat-tree:4"], 16),
                     Case("128", ["--topology", "fat-tree:8"], 128)],
        quick_schemes=["spray-random", "dr"]),
    "fsdp": Experiment(
        "FSDP of Llama-3 on 1024 GPUs", "increase", ["--topology", "fat-tree:16"],
        ["flow", "subflow:4"] + PACKETS,
        [Case(f"{name} ({m} packets)", [], m, work=lambda seed, m=m: fsdp(seed, m, 4),
              bound=lambda rate, m=m: permutation_bound(m, rate, 4))
         for name, m in (("7B", 104), ("70B", 418), ("405B", 1570))], 3,
        published={"dr": "405B: increase 52 times smaller than the baseline's"}, checks=[BOUND],
        quick_schemes=["dr"],
        notes="Four steps of the rings of an all-gather, GPU g of each of 128 servers of 8 to GPU "
              "g of the next; a step waits for the arrival of the one before. Servers stand in "
              "random order in the ring, a server is an edge switch's hosts. The paper's layout "
              "of ranks is not known to us. Bound: that of a permutation for each step."),
}
EXPERIMENTS["failures"].quick_cases = EXPERIMENTS["failures"].cases[:2]
EXPERIMENTS["buffer"].quick_cases = EXPERIMENTS["buffer"].cases[:1]
EXPERIMENTS["fsdp"].quick_cases = EXPERIMENTS["fsdp"].cases[:1]
