#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Instructions of a single call, and ratios to DPDK (bench_select.c). Half of flowlet's packets
# start a flowlet, in a table of 32,768 entries. Exit code 1 if an instruction count is above its
# limit or a ratio below its floor; times are reported only.
#
# Instructions are counted by valgrind: two runs that differ in the number of calls only, so that
# everything else cancels. The loop of the benchmark around the call is counted too.
#
# usage: bench_select.sh PROGRAM
set -euo pipefail

program=$1
few=16384
many=81920
missed=0

instructions() { # case, calls
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$1" "$2" 2>&1 |
        awk '/Collected/ { print $NF }'
}

echo "instructions a call"
for name in ecmp dr spray-rr spray-quality spray-quality-drill spray-quality-small flowlet \
    ecmp-burst dr-burst spray-rr-burst spray-quality-burst flowlet-burst rte_hash_crc \
    rte_softrss; do
    a=$(instructions "$name" "$few")
    b=$(instructions "$name" "$many")
    calls=$((many - few))
    tenths=$(((10 * (b - a) + calls / 2) / calls))
    limit=0
    verdict="    "
    case $name in
    ecmp | dr) limit=110 ;;
    spray-quality | flowlet) limit=130 ;;
    esac
    if [ "$limit" -ne 0 ]; then
        verdict=PASS
        if [ "$tenths" -gt $((10 * limit)) ]; then
            verdict=FAIL
            missed=1
        fi
    fi
    printf '%s %-20s %6d.%d' "$verdict" "$name" $((tenths / 10)) $((tenths % 10))
    [ "$verdict" = "    " ] && echo || echo "  (limit $limit)"
done
echo
"$program" || missed=1
exit "$missed"
