# SPDX-License-Identifier: Apache-2.0
"""The rules of docs/spec/faults.md in their own words, for scripts/spec_rules.py.

Written from the page alone; shares nothing with cmodel/ and rtl/.
"""

TABLES = ["group", "matrix", "bucket", "schedule", "pointer", "flowlet", "memory",
          "port counter", "group counter", "flowlet counter"]
FAULTS, FAULT_TABLES = 0x2b, 0x2c
# region: (table, words of an entry)
REGIONS = {1: (0, 8), 2: (2, 1), 3: (3, 1), 4: (4, 1), 6: (7, 4), 7: (8, 1), 8: (1, 1),
           10: (6, 1), 11: (9, 1), 12: (5, 2)}
COUNTERS = (6, 7, 11)
CHOICE = {TABLES.index(name) for name in ("bucket", "schedule", "pointer")}


class Parity:
    """The bad entries, by table and number, and what the packet under way has met."""

    def __init__(self, selector):
        self.s, self.bad, self.met = selector, set(), set()

    @staticmethod
    def entry(address):
        """Table and number, None where there is no parity."""
        table, words = REGIONS.get(address >> 20, (None, 1))
        return None if table is None else (table, (address & 0xfffff) // words)

    def is_bad(self, address):
        return self.entry(address) in self.bad

    def meets(self, address):
        """Whether the packet finds this entry bad; it is noted then."""
        if self.is_bad(address):
            self.met.add(self.entry(address)[0])
        return self.is_bad(address)

    def heal(self, address):
        self.bad.discard(self.entry(address))

    def begin(self):
        self.met = set()

    def end(self):
        """Counts the packet; the word of its tables."""
        tables = sum(1 << table for table in self.met)
        if tables:
            self.s.add(FAULTS, 1)
            self.s.word[FAULT_TABLES] = self.s.get(FAULT_TABLES) | tables
        return tables

    def choice_is_bad(self):
        return bool(self.met & CHOICE)

    def bad_hash(self, record):
        """An odd number of bad rows of the matrix."""
        rows = [0x800000 + 16 * n + (record[n // 2] >> 4 if n % 2 == 0 else record[n // 2] & 15)
                for n in range(82)]
        if sum(map(self.is_bad, rows)) % 2 == 0:
            return False
        self.met.add(TABLES.index("matrix"))
        return True

    def tick(self, address):
        """A counter of one word."""
        if self.meets(address):
            self.s.word[address] = 0
        self.heal(address)
        self.s.add(address, 1)

    def port_counter(self, address):
        """Before both of a port's counters are added to."""
        if self.meets(address):
            for i in range(4):
                self.s.word[address + i] = 0
        self.heal(address)

    def write(self, address, data):
        """A fault write."""
        s, region = self.s, address >> 20
        if not s.c.get("PARITY", 0):
            s.add(0x18, 1)
        elif region not in COUNTERS:
            if s.write(address, data) and self.entry(address):
                self.bad.add(self.entry(address))
        elif s.has_counter(address):
            self.bad ^= {self.entry(address)}
        else:
            s.add(0x18, 1)
