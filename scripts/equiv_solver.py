#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs an SMT-LIB file through the Python module of bitwuzla (build/venv): equiv_solver.py FILE"""

import sys

import bitwuzla


def main():
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    # parse(file name, parse only, from a file); the commands of the file run as they are read
    bitwuzla.Parser(bitwuzla.TermManager(), options).parse(sys.argv[1], False, True)


if __name__ == "__main__":
    main()
