#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bitwuzla as an SMT-LIB 2 process: commands on standard input, answers on standard output.

PyPI has the solver only as a Python module, and yosys-smtbmc wants a program called `bitwuzla`;
scripts/formal puts one on its PATH that runs this file. Options are ignored: it is always
incremental and always makes models. Ends with the input; any exception ends it with a traceback,
which yosys-smtbmc reports as a solver that died.
"""

import sys

import bitwuzla


def main():
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    pending, depth = [], 0
    for line in sys.stdin:
        line = line.split(";", 1)[0] if "|" not in line else line
        if not line.strip():
            continue
        pending.append(line)
        text = line
        if "|" in line:  # parentheses may be part of a quoted symbol
            text = "".join(line.split("|")[0::2])
        depth += text.count("(") - text.count(")")
        if depth == 0:
            command = "".join(pending)
            pending = []
            if command.startswith("(exit"):
                return
            parser.parse(command, False, False)


if __name__ == "__main__":
    main()
