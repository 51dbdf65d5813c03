# SPDX-License-Identifier: Apache-2.0
"""Work and bounds that scripts/experiment makes itself."""

import random
from pathlib import Path

PAYLOAD, HEADER, ACK, GAP = 4096, 62, 64, 20


def permutation_bound(packets, rate=1.0, steps=1):
    """Microseconds, docs/fabric-bounds.md, for 800 Gb/s and six links of 500 ns; of several steps
    each waits for the last data packet of the one before."""
    td, ta, d, a = (0.01 * n for n in (PAYLOAD + HEADER, ACK, PAYLOAD + HEADER + GAP, ACK + GAP))
    way, links = 3000.0, 6
    pace = d / rate
    before = -(-(way + (links - 1) * td) // pace) + 1
    if packets <= before:
        last = (packets - 1) * pace
    else:
        last = (before - 1) * pace + (packets - before) * max(pace, d + a)
        last += GAP * 0.01 if rate == 1.0 else 0
    arrival = last + way + links * td
    return (steps * arrival + way + links * ta) / 1000


def fsdp(seed, packets, steps, folder=Path("build/experiments")):
    """Options of a connection matrix: rings over 128 servers of 8, `steps` steps."""
    servers, gpus = 128, 8
    order = list(range(servers))
    random.Random(seed).shuffle(order)
    following = {order[i]: order[(i + 1) % servers] for i in range(servers)}
    lines = []
    for step in range(steps):
        for rank in range(servers * gpus):
            server, gpu = divmod(rank, gpus)
            target = following[server] * gpus + gpu
            # Trigger t of step s + 1 at rank r: r's data of step s has arrived.
            start = "start 0" if step == 0 else f"trigger {1 + (step - 1) * servers * gpus + rank}"
            done = f" recv_done_trigger {1 + step * servers * gpus + target}"
            lines.append(f"{rank}->{target} id {len(lines) + 1} {start} size {packets * PAYLOAD}"
                         + (done if step + 1 < steps else ""))
    triggers = (steps - 1) * servers * gpus
    head = [f"Nodes {servers * gpus}", f"Connections {len(lines)}", f"Triggers {triggers}"]
    tail = [f"trigger id {i + 1} oneshot" for i in range(triggers)]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"fsdp-{packets}-{steps}-{seed}.cm"
    path.write_text("\n".join(head + lines + tail) + "\n", encoding="utf-8")
    return ["--trace", str(path)]
