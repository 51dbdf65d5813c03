#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The library and its random test with another compiler, and without the compiler extensions that
# the fast path uses if it has them: the results must be the same.
#
# usage: select_compilers.sh GENERATED_INCLUDE_DIRECTORY
set -euo pipefail

gen=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pass=0
fail=0
warn=(-std=c11 -pedantic -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Werror)

build() { # name, compiler and flags...
    local name=$1 code=0
    shift
    "$@" "${warn[@]}" -Icmodel/include -Icmodel/test -I"$gen" -o "$work/$name" \
        cmodel/select/*.c cmodel/test/select_model.c || code=$?
    if [ "$code" -eq 0 ]; then
        "$work/$name" 6000 > "$work/$name.log" 2>&1 || code=$?
        cat "$work/$name.log"
    fi
    if [ "$code" -eq 0 ]; then
        pass=$((pass + 1))
    else
        fail=$((fail + 1))
        echo "FAIL $name"
    fi
}

clang=$(command -v clang-14 || command -v clang || true)
[ -n "$clang" ] || { echo "SKIP clang is not installed"; exit 77; }
build clang "$clang" -O2
build clang_plain "$clang" -O1 -DEGRET_PLAIN_C -Wno-implicit-fallthrough
build gcc_size "${CC:-cc}" -Os
build gcc_plain "${CC:-cc}" -O1 -DEGRET_PLAIN_C -Wno-implicit-fallthrough
echo "RESULT pass=$pass fail=$fail"
[ "$fail" -eq 0 ]
