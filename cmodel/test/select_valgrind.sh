#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Test programs of the select library under valgrind: no invalid access, no use of unset memory, no
# leak.
#
# usage: select_valgrind.sh DIRECTORY
set -euo pipefail

bin=$1
command -v valgrind > /dev/null || { echo "SKIP valgrind is not installed"; exit 77; }
pass=0
fail=0

check() {
    local code=0
    valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=all "$@" || code=$?
    if [ "$code" -eq 0 ]; then
        pass=$((pass + 1))
    else
        fail=$((fail + 1))
        echo "FAIL exit code $code: $*"
    fi
}

check "$bin/select_model" 3000 > "${TMPDIR:-/tmp}/select_valgrind.$$"
check "$bin/select_api" >> "${TMPDIR:-/tmp}/select_valgrind.$$"
check "$bin/select_rotation" >> "${TMPDIR:-/tmp}/select_valgrind.$$"
check "$bin/select_vectors" tb/vectors/*.txt >> "${TMPDIR:-/tmp}/select_valgrind.$$"
grep -v '^RESULT' "${TMPDIR:-/tmp}/select_valgrind.$$" || true
rm -f "${TMPDIR:-/tmp}/select_valgrind.$$"

echo "RESULT pass=$pass fail=$fail"
[ "$fail" -eq 0 ]
