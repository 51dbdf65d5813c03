# SPDX-License-Identifier: Apache-2.0
"""The rules of docs/spec/flowlet.md in their own words, for scripts/spec_rules.py.

Written from the page alone; shares nothing with cmodel/ and rtl/.
"""

ROUND = 2 ** 24       # units after which time comes round
WINDOW = 2 ** 16      # time that steps back by so much at most is seen as that
OUTCOMES = ["hit", "new", "evict", "conflict"]
HITS, NEW, EVICTIONS, CONFLICTS, REASSIGNMENTS = range(5)


def parse(word):
    """Valid, tag and port of word 0 of an entry."""
    return word >= 2 ** 31, word // 2 ** 16 % 4096, word % 256


def since(t, last):
    """Units since the entry's last packet, negative if time stepped back."""
    behind = (last - t) % ROUND
    return -behind if 0 < behind <= WINDOW else (t - last) % ROUND


def outcome(valid, own, expired):
    if not valid:
        return NEW
    if expired:
        return NEW if own else EVICTIONS
    return HITS if own else CONFLICTS


def new_path(s, word6, live, kept, why):
    """The port of a new path; kept: that of the same flow's expired entry, or None."""
    among = live
    if word6 >> 24 & 1:
        among = s.least_band(live)
        if word6 >> 25 & 1 and kept in among:
            return kept
    x = s.get(0xe)
    k = (x >> 16) * len(among) // 2 ** 16
    why.update(x=x, new_k=k)
    return among[k]


def choose(s, p, at, live, h):
    """Choice, r and data of a packet of the group whose words begin at `at`; live is sorted."""
    base, mask = s.get(at + 5) % 2 ** 16, s.get(at + 5) >> 16
    word6 = s.get(at + 6)
    index = (base + (h % 2 ** 16 & mask)) % s.c["NUM_FLOWLETS"]
    entry = 0xc00000 + 2 * index
    t, tag = p["now"] // 16 % ROUND, h >> 20
    valid, had_tag, had_port = parse(s.get(entry))
    valid = valid and not s.parity.is_bad(entry)
    age = since(t, s.get(entry + 1))
    own = valid and had_tag == tag
    found = outcome(valid, own, age > word6 % ROUND)
    why = s.last_why
    why.update(index=index, tag=tag, t=t, outcome=OUTCOMES[found], next=s.get(entry),
               last=s.get(entry + 1))
    data = found * 2 ** 30 + index
    if not live:
        return None, h >> 16, data
    counter = found
    s.parity.meets(entry)
    if found == CONFLICTS:
        choice = s.bucket(at, h, live)
    elif found == HITS:
        choice = had_port
    else:
        choice = new_path(s, word6, live, had_port if own else None, why)
        if own and choice != had_port:
            counter = REASSIGNMENTS
    if found != CONFLICTS:
        s.word[entry] = 2 ** 31 + tag * 2 ** 16 + choice
        s.word[entry + 1] = t
        s.parity.heal(entry)
        why.update(next=s.word[entry], last=t)
    s.parity.tick(0xb00000 + 8 * p["group"] + counter)
    return choice, h >> 16, data
