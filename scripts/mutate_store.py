# SPDX-License-Identifier: Apache-2.0
"""Verdicts of scripts/mutate and scripts/mutate_c that outlive a call: what was found out once is
not run again while all that it depends on is the same. So a call that was stopped goes on where it
was.
"""

import hashlib
import json
import threading
from pathlib import Path


def digest(*parts):
    """A short hash of texts and of the contents of files."""
    h = hashlib.sha256()
    for part in parts:
        h.update(part.read_bytes() if isinstance(part, Path) else str(part).encode())
        h.update(b"\0")
    return h.hexdigest()[:16]


class Store:
    """Rows of a file: a key, and what was found out under it."""

    def __init__(self, path):
        self.path, self.lock, self.known = path, threading.Lock(), {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    row = json.loads(line)
                except json.JSONDecodeError:  # a call was stopped while it wrote
                    continue
                self.known[row["id"]] = row

    def recall(self, ident, key):
        """The row of a mutant if key(row) is still what it was, or nothing."""
        row = self.known.get(ident)
        return row if row and row["key"] == key(row) else None

    def keep(self, ident, key, row):
        """Writes a row down."""
        row = {"id": ident, "key": key(row), **row}
        with self.lock:
            self.known[ident] = row
            with self.path.open("a", encoding="utf-8") as out:
                out.write(json.dumps(row) + "\n")
